"""A saved game read a block at a time, as nearly every one is stored: deflated, ``!VCSK``, UTF-8.

A saved game with pieces of many traits is megabytes of hex digits. Read so, none of its forms is ever in memory whole: to ask for as much
memory again for each would take longer than much that is done with it.
"""

from __future__ import annotations

import binascii
from codecs import utf_8_decode
from typing import Final

from modgen.formats.vassal.archive import Archive, Unexpected
from modgen.formats.vassal.commands import ESC
from modgen.formats.vassal.obfuscation import VCSK, Form, key_of, mask

_HEAD: Final = len(VCSK) + 2
"""The key stands behind the mark, two digits long."""


def chunks_in_blocks(archive: Archive, name: str, most: int, size: int = 1 << 16) -> tuple[list[str], Form] | None:
    """What stands between the separators of an entry's text, and the form it is in; None where it is not stored as nearly every one is, is
    damaged, or has more than ``most`` separators: reading it whole tells what it is then.

    ``size``: bytes of a block; an even number keeps the pairs of digits whole.
    """
    chunks: list[str] = []
    begun: list[str] = []  # what the last block held of a chunk
    key = -1
    table = digits = rest = b""
    try:
        for block in archive.blocks(name, size, _HEAD):
            if key < 0:
                if not block.startswith(VCSK):
                    return None
                key = key_of(block)
                table = mask(key)
                block = block[_HEAD:]
            if digits or len(block) % 2:
                block = digits + block
                digits = block[len(block) & ~1 :]
                block = block[: len(block) & ~1]
            body = binascii.unhexlify(block).translate(table)
            if rest:
                body = rest + body
            text, used = utf_8_decode(body, "strict", False)
            rest = body[used:]
            begin = 0
            end = text.find(ESC)
            if end >= 0:
                if begun:
                    begun.append(text[:end])
                    chunks.append("".join(begun))
                    begun.clear()
                else:
                    chunks.append(text[:end])
                begin = end + 1
                end = text.find(ESC, begin)
                while end >= 0:
                    chunks.append(text[begin:end])
                    begin = end + 1
                    end = text.find(ESC, begin)
            begun.append(text[begin:])
            if len(chunks) > most:
                return None
    except (Unexpected, ValueError):
        return None
    if key < 0 or digits or rest:
        return None
    chunks.append("".join(begun))
    return chunks, Form("vcsk", key)
