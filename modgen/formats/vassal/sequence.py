"""The engine's sequence encoding: parts joined by one delimiter character.

A delimiter inside a part gets a backslash before it; backslashes themselves are not escaped. A part that begins with a
backslash, or begins and ends with a single quote, is wrapped in single quotes. Nesting multiplies only the backslashes
before the delimiter, so part *n* of a nested pair list stands behind a delimiter with *n* backslashes (``split_nested``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from operator import sub


def encode_part(part: str | None, delim: str) -> str:
    """One part as it stands in a sequence; None stands as nothing, as an empty part does."""
    if not part:
        return ""
    escaped = part.replace(delim, "\\" + delim)
    if part.startswith("\\") or (part.startswith("'") and part.endswith("'")):
        return f"'{escaped}'"
    return escaped


def encode(parts: Iterable[str | None], delim: str) -> str:
    """Join ``parts`` with ``delim``. A part that ends in a backslash and is not the last does not survive, as in the engine."""
    return delim.join(encode_part(part, delim) for part in parts)


def unquote(token: str) -> str:
    """A token without the single quotes around it, if it has both."""
    if len(token) >= 2 and token[0] == "'" and token[-1] == "'":
        return token[1:-1]
    return token


def _raw_parts(text: str, delim: str) -> list[str]:
    parts = text.split(delim)
    if "\\" + delim not in text:
        return parts
    merged: list[str] = []
    held: list[str] = []
    last = len(parts) - 1
    for index, part in enumerate(parts):
        if index < last and part.endswith("\\"):
            held.append(part[:-1])
        else:
            held.append(part)
            merged.append(delim.join(held))
            held = []
    return merged


def decode(text: str, delim: str) -> list[str]:
    """The parts of a sequence; never empty (an empty text is one empty part)."""
    parts = _raw_parts(text, delim) if "\\" in text else text.split(delim)
    if "'" in text:
        return [unquote(part) for part in parts]
    return parts


def head(text: str, delim: str) -> tuple[str, str | None]:
    """The first part, and the rest of the sequence undecoded (None when there is no more)."""
    start = 0
    while True:
        end = text.find(delim, start)
        if end < 0:
            return unquote(text.replace("\\" + delim, delim)), None
        if end == 0 or text[end - 1] != "\\":
            return unquote(text[:end].replace("\\" + delim, delim)), text[end + 1 :]
        start = end + 1


def encode_nested(parts: Sequence[str], delim: str) -> str:
    """``(first, (second, (third, ...)))``, each pair a sequence of two: how traits are joined."""
    if not any("'" in part or "\\" in part or delim in part for part in parts):
        # The common case in one pass: only the delimiters between the parts need backslashes.
        out: list[str] = []
        for index, part in enumerate(parts):
            if index:
                out.append("\\" * (index - 1) + delim)
            out.append(part)
        return "".join(out)
    if not any(part.startswith(("\\", "'", delim)) for part in parts):
        out = []
        last = len(parts) - 1
        for index, part in enumerate(parts):
            if index:
                out.append("\\" * (index - 1) + delim)
            # The innermost part is a rest, not the head of a pair: it is escaped once less.
            escapes = index if index == last else index + 1
            out.append(part.replace(delim, "\\" * escapes + delim) if escapes else part)
        return "".join(out)
    text = parts[-1] if parts else ""
    for part in reversed(parts[:-1]):
        text = encode((part, text), delim)
    return text


def split_nested(text: str, delim: str, count: int | None = None, stop: str = "") -> list[str]:
    """The parts of nested pairs, outermost first, in time linear in the text.

    Ends after ``count`` parts, or at the first part that begins with ``stop``; with neither, at the end of the text.
    Fewer parts than ``count`` come back when the text has no more.
    """
    if text.startswith("'") or delim + "'" in text:
        return _split_nested_exactly(text, delim, count, stop)
    chunks = text.split(delim)
    if (plain := _plain_parts(chunks, count, stop)) is not None:
        return plain
    parts: list[str] = []
    held: list[str] = []
    last = len(chunks) - 1
    for index, chunk in enumerate(chunks):
        depth = len(parts)
        if not held and ((count is not None and depth == count - 1) or (stop and chunk.startswith(stop))):
            # The innermost part: whatever delimiters are left were escaped once for every pair around it.
            rest = delim.join(chunks[index:])
            if depth and index != last:
                rest = rest.replace("\\" * depth + delim, delim)
            parts.append(rest)
            return parts
        if index == last:
            held.append(chunk)
            break
        bare = chunk.rstrip("\\")
        slashes = len(chunk) - len(bare)
        if slashes <= depth:
            held.append(bare)
            parts.append(delim.join(held))
            held = []
        else:
            held.append(bare + "\\" * (slashes - depth - 1))
    parts.append(delim.join(held))
    return parts


def some_nested(text: str, delim: str, count: int, wanted: Sequence[int]) -> list[str] | None:
    """Some of the ``count`` parts of nested pairs, by their numbers (ascending), without a look at the others; None where only
    decoding all of them would tell: as many pieces between delimiters as parts leave no delimiter to stand inside one."""
    if not wanted:
        return []
    chunks = text.split(delim)
    if len(chunks) != count or wanted[-1] == count - 1 or text.startswith("'") or delim + "'" in text:
        return None
    found: list[str] = []
    for number in wanted:
        bare = chunks[number].rstrip("\\")
        if len(chunks[number]) - len(bare) != number:  # a delimiter stood inside a part before, or the part ends in a backslash
            return None
        found.append(bare)
    return found


def _plain_parts(chunks: list[str], count: int | None, stop: str) -> list[str] | None:
    """The parts in the common case, without a look at each one: no delimiter inside a part, so that the n-th has n backslashes
    behind it, and none but the last is where to end. None in any other case."""
    last = len(chunks) - 1
    if (count is not None and count <= last) or (stop and any(map(str.startswith, chunks[:-1], repeat(stop)))):
        return None
    bare = [chunk.rstrip("\\") for chunk in chunks]
    bare[-1] = chunks[-1]
    return bare if list(map(sub, map(len, chunks[:-1]), map(len, bare))) == list(range(last)) else None


def _split_nested_exactly(text: str, delim: str, count: int | None, stop: str) -> list[str]:
    """The engine's own way, level by level: needed only where quotes may have been added."""
    parts: list[str] = []
    rest: str | None = text
    while rest is not None:
        if (count is not None and len(parts) == count - 1) or (stop and rest.startswith(stop)):
            parts.append(rest)
            break
        tokens = decode(rest, delim)
        parts.append(tokens[0])
        rest = tokens[1] if len(tokens) > 1 else None
    return parts
