"""Decoding stays close to what Python's own C code needs for the bytes, and linear in the size of a piece. Ratios, not seconds."""

from __future__ import annotations

import time
from collections.abc import Callable

from modgen.formats.vassal import obfuscation, pieces, sequence
from modgen.formats.vassal.commands import split_tree


def seconds(work: Callable[[], object], times: int = 7) -> float:
    """The best of several runs, in time of the processor: what else the machine does counts less."""
    best = float("inf")
    for _ in range(times):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def nested(count: int) -> tuple[str, str]:
    """A piece of ``count`` traits, each as long as real ones are."""
    types = [f"PROP;Property{n};true,0,10,false;Add\\:49\\\\,130\\:I\\\\,1;" + "x" * 60 for n in range(count)]
    types.append("piece;;;unit.png;1st Unit")
    states = ["0"] * count + ["Main Map;134;155;1;1;UniqueID;17"]
    return sequence.encode_nested(types, "\t"), sequence.encode_nested(states, "\t")


def test_a_save_is_revealed_about_as_fast_as_its_bytes_can_be() -> None:
    text = "+/1795997236726/report;70\\,130;$location$\x1b" * 200_000
    data = obfuscation.conceal(text, obfuscation.Form("vcsk", 90))
    table = bytes(byte ^ 90 for byte in range(256))

    def floor() -> str:
        return bytes.fromhex(data[7:].decode("ascii")).translate(table).decode("utf-8")

    assert obfuscation.reveal(data)[0] == floor() == text
    # About 1.0 on a quiet machine.
    assert seconds(lambda: obfuscation.reveal(data)) < 2.0 * seconds(floor)
    assert seconds(lambda: split_tree(text)) < 8.0 * seconds(lambda: text.split("\x1b"))


def test_decoding_a_piece_is_linear_in_its_text() -> None:
    small, large = nested(10), nested(160)

    def per_letter(piece: tuple[str, str]) -> float:
        return seconds(lambda: [pieces.split_traits(*piece) for _ in range(50)]) / sum(map(len, piece))

    # Pair by pair, sixteen times the traits would cost sixteen times as much for each letter.
    assert per_letter(large) < 3.0 * per_letter(small)


def test_the_quick_path_to_the_innermost_part_does_not_decode_the_rest() -> None:
    types, states = nested(40)
    assert pieces.basic_of(types, states) == pieces.parse_piece(types, states).basic
    assert seconds(lambda: [pieces.basic_of(types, states) for _ in range(50)]) < 0.4 * seconds(
        lambda: [pieces.parse_piece(types, states) for _ in range(50)]
    )
