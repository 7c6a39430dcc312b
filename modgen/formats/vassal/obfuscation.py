"""The three forms a ``savedGame`` comes in: ``!VCSK`` (hex digits XOR-ed with a key), ``VOBS`` (bytes XOR-ed), and plain text."""

from __future__ import annotations

import binascii
from dataclasses import dataclass
from typing import Final, Literal

from modgen.formats.errors import FormatError

Kind = Literal["vcsk", "vobs", "plain"]
VCSK: Final = b"!VCSK"
_VOBS: Final = b"VOBS"


@dataclass(frozen=True, slots=True)
class Form:
    """How a text was stored: kind, key byte (0 to 255; 0 for plain), and the encoding its bytes were read with.

    ``encoding`` is ``utf-8`` unless the bytes are none; then ``cp1252`` or ``latin-1``, the fallbacks for saves of engines before 3.5.
    """

    kind: Kind = "vcsk"
    key: int = 0
    encoding: str = "utf-8"

    @property
    def fallback(self) -> bool:
        """True when the text was not UTF-8 and had to be guessed."""
        return self.encoding != "utf-8"


PLAIN: Final = Form("plain")


def mask(key: int) -> bytes:
    """What each byte becomes under a key, and from that again what it was."""
    return bytes(map(key.__xor__, range(256)))


def _xor(data: bytes, key: int) -> bytes:
    return data.translate(mask(key)) if key else data


def key_of(data: bytes) -> int:
    """The key of a ``!VCSK`` text. Raises ValueError."""
    digits = data[len(VCSK) : len(VCSK) + 2]
    key = int(digits.decode("ascii"), 16) if len(digits) == 2 else -1
    if key < 0:
        raise ValueError("two hex digits are missing")
    return key


def _text(data: bytes) -> tuple[str, str]:
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def reveal(data: bytes, where: str = "savedGame") -> tuple[str, Form]:
    """The text of a ``savedGame`` and the form it was in.

    Raises FormatError for a broken key or hex digits. Upper-case digits are fine; white space at the end is ignored.
    """
    kind: Kind = "plain"
    key = 0
    if data.startswith(VCSK):
        kind = "vcsk"
        digits = data.rstrip() if data[-1:].isspace() else data
        try:
            key = key_of(digits)
            body = binascii.unhexlify(memoryview(digits)[7:])
        except (ValueError, binascii.Error) as error:
            raise FormatError(where, f"begins with !VCSK, after which only pairs of hex digits are allowed ({error})") from None
        del digits
    elif data.startswith(_VOBS):
        kind = "vobs"
        if len(data) < 5:
            raise FormatError(where, "begins with VOBS, but the key byte after it is missing")
        key = data[4]
        body = data[5:]
    else:
        body = data
    del data
    body = _xor(body, key)
    text, encoding = _text(body)
    return text, Form(kind, key, encoding)


def conceal(text: str, form: Form, key: int | None = None) -> bytes:
    """``text`` in this form; ``key`` (0 to 255) takes the place of the form's own.

    A text that the form's encoding cannot hold is written as UTF-8.
    """
    used = form.key if key is None else key
    try:
        data = text.encode(form.encoding)
    except UnicodeEncodeError:
        data = text.encode("utf-8", "surrogatepass")
    if form.kind == "plain":
        return data
    if not 0 <= used <= 255:
        raise ValueError(f"key {used}: 0 to 255 is allowed")
    masked = _xor(data, used)
    if form.kind == "vobs":
        return _VOBS + bytes((used,)) + masked
    return VCSK + b"%02x" % used + binascii.hexlify(masked)
