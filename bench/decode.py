"""Decoding the body of a VASSAL save against the least that any decoder must do: hex to bytes, one XOR by table."""

from __future__ import annotations

import random

from bench.harness import Ratio, Work, paired
from modgen.formats.vassal import obfuscation

SIZE = 2_000_000
KEY = 0x5A


def ratios() -> list[Ratio]:
    """Bytes of text a second, on two million bytes of what saves are made of."""
    chance = random.Random(1)
    text = "".join(chance.choices("+/abcdefghij0123456789;\t\\/,żü", k=SIZE))
    stored = obfuscation.conceal(text, obfuscation.Form("vcsk", KEY))
    digits = stored[7:].decode("ascii")
    table = bytes(byte ^ KEY for byte in range(256))

    def reveal() -> int:
        return len(obfuscation.reveal(stored)[0])

    def plain() -> int:
        return len(bytes.fromhex(digits).translate(table).decode("utf-8"))

    return [paired(Work("save decoded", "characters", reveal), Work("bytes.fromhex + translate", "characters", plain))]
