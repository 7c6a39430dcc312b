"""Decoding stays close to what Python's own C code needs for the bytes, and linear in the size of a piece. Ratios, not seconds."""

from __future__ import annotations

import time
from collections.abc import Callable

from modgen.formats.vassal import obfuscation, pieces, sequence
from modgen.formats.vassal.commands import split_tree


def times_as_long(work: Callable[[], object], yardstick: Callable[[], object], rounds: int = 9) -> float:
    """How much longer one takes than the other: the best of runs that take turns, in time of the processor, so that what else the machine
    does, and how fast it runs just then, counts less."""
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for number, run in enumerate((work, yardstick)):
            begin = time.process_time()
            run()
            best[number] = min(best[number], time.process_time() - begin)
    return best[0] / best[1]


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
    assert times_as_long(lambda: obfuscation.reveal(data), floor) < 2.0


def test_a_text_is_cut_about_as_fast_as_its_commands_can_be_bared() -> None:
    text = "+/1795997236726/report;70\\,130;$location$\x1b" * 100_000

    def floor() -> list[tuple[int, str]]:
        bare = [(chunk, chunk.rstrip("\\")) for chunk in text.split("\x1b")]
        return [(len(chunk) - len(without), without) for chunk, without in bare]

    assert [piece for _, piece in split_tree(text)] == [piece for _, piece in floor()]
    # About 1.0 on a quiet machine.
    assert times_as_long(lambda: split_tree(text), floor) < 3.0


def test_decoding_a_piece_is_linear_in_its_text() -> None:
    small, large = nested(10), nested(160)

    def read(piece: tuple[str, str]) -> Callable[[], object]:
        return lambda: [pieces.split_traits(*piece) for _ in range(50)]

    longer = sum(map(len, large)) / sum(map(len, small))
    # Pair by pair, sixteen times the traits would cost sixteen times as much for each letter.
    assert times_as_long(read(large), read(small)) < 5.0 * longer


def test_the_quick_path_to_the_innermost_part_does_not_decode_the_rest() -> None:
    types, states = nested(40)
    assert pieces.basic_of(types, states) == pieces.parse_piece(types, states).basic

    def quick() -> object:
        return [pieces.basic_of(types, states) for _ in range(50)]

    assert times_as_long(quick, lambda: [pieces.parse_piece(types, states) for _ in range(50)]) < 0.4
