"""What is read by a shorter way is read as by the longer one: plain steps, positions as clients write them, reports, pixels, slots."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from hypothesis import given, settings
from hypothesis import strategies as st

from gamebox.load import load_box
from gamebox.model import Box
from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.buildfile import Module
from modgen.formats.vassal.saves import LogFile, read_log, write_log
from modgen.formats.vassal.steps import Step
from referee.table import places
from referee.table.adopt import adopt
from referee.table.events import TableLog
from referee.table.vassal import module_at, read_vassal_bytes
from referee.table.vassal_lines import tells_a_route
from tests.formats.files import CLUB, SAMPLES

PATH = SAMPLES / "07-t3-east.vlog"


@lru_cache(maxsize=1)
def box() -> Box:
    return load_box("battle-for-germany")


@lru_cache(maxsize=1)
def module() -> Module:
    return module_at(CLUB)


@lru_cache(maxsize=1)
def played() -> LogFile:
    return read_log(PATH)


def with_steps(steps: list[list[str]]) -> LogFile:
    made = [
        Step(number, tuple((0 if not at else 1, f"LOG\t{text}") for at, text in enumerate(step))) for number, step in enumerate(steps, 1)
    ]
    return replace(played(), steps=tuple(made))


def read(log: LogFile) -> TableLog:
    return read_vassal_bytes(write_log(None, log), "a.vlog", box(), module=module())


LINES = (
    "CHAT* 1 Gds moves 0824 -> 1024 *",
    "CHAT*** d6 = 5 *** <Rot>",
    "CHAT*** 2d6 = 3,4 *** <Nobody>",
    "CHAT*** luck = none *** <Rot>",
    "CHAT&lt;Rot&gt; - 2 Ukr = 1 Ukr &amp; others",
    "CHAT<> - who?",
    "CHAT* Turn 3: Soviet Movement Phase",
    "CHAT*UNDO: * 1 Gds moves 0824 -> 1024 *",
    "CHAT",
    "null",
    "PLAYER\tx\tRot\tSoviet",
    "PYREMOVE\tx",
    "TURNTurnTracker0\t0|4;0;false;-1;2\\;0\\;0\\;true,true,true,true,true,true,true,true,true,true,true,true,true",
)


def texts() -> list[str]:
    """What the commands of a played log say that is neither property nor undo, and some lines more."""
    done = [command for step in played().steps for command in step.commands]
    return [*dict.fromkeys(str(c) for c in done if not isinstance(c, cmd.PropertyChange | cmd.Undo)), *LINES]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_step_is_read_the_same_whether_its_commands_tell_of_one_another_or_not(data: st.DataObject) -> None:
    """A die without a line has a step read with a view to what belongs together; its roll is then left out again."""
    some = st.lists(st.sampled_from(texts()), min_size=1, max_size=6)
    steps = data.draw(st.lists(some, min_size=1, max_size=6))
    die = [str(cmd.PropertyChange("x_result", "", "1", "Module")), str(cmd.PropertyChange("x_total", "", "1", "Module"))]
    plain, together = read(with_steps(steps)), read(with_steps([[*step, *die] for step in steps]))
    rolls = [e for e in together.events if e.kind == "roll" and e.value == "x"]
    assert [(e.step, e.faces) for e in rolls] == [(number, (1,)) for number in range(1, len(steps) + 1)]
    assert replace(together, events=tuple(e for e in together.events if e not in rolls)) == plain
    assert plain.events or all(text == "null" or not text.startswith(("M/", "CHAT&lt;")) for step in steps for text in step)


def wordy(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def tells(report: str, before: str, after: str) -> bool:
    """As it is defined: the report ends with the one name, and the other one stands before it as a word."""
    words = report.strip(" *")
    end = len(words) - len(after)
    if not after or not words.endswith(after):
        return False
    for at in range(end - len(before) + 1 if before else 0):
        behind = at + len(before)
        if words[at:behind] == before and not wordy(words[:at][-1:]) and wordy(before[-1]) != wordy(words[behind : behind + 1]):
            return True
    return not before


NAMES = st.sampled_from(["", "0824", "1024", "Paris", "Box (3)", "a", "é", "a *", " *"])


@given(st.lists(st.tuples(NAMES, NAMES), max_size=3), st.lists(st.one_of(NAMES, st.sampled_from([" -> ", " ", "*", "x", "moves ", "."]))))
def test_a_report_is_held_against_the_ways_of_its_step(routes: list[tuple[str, str]], parts: list[str]) -> None:
    report = "".join(parts)
    assert tells_a_route(report, routes) == any(tells(report, before, after) for before, after in routes)
    for before, after in routes:
        words = f"* Unit moves {before} -> {after} *"
        assert tells_a_route(words, [(before, after)]) == tells(words, before, after)


def test_a_position_in_which_something_was_touched_is_read_as_one_in_which_nothing_was() -> None:
    tokens = list(played().start.tokens)
    touched = [*tokens[:-1], (0, "-/nobody"), tokens[-1]]
    twice = [*tokens[:-1], next(token for token in tokens if "piece;" in token[1]), tokens[-1]]
    for more in (touched, twice):
        assert read(replace(played(), start=replace(played().start, tokens=more))) == read(played())


def test_boards_that_change_in_play_are_of_that_log_alone() -> None:
    before = read(played())
    on = next(iter(played().start.boards))
    moved = cmd.Boards(on, tuple(replace_column(board) for board in played().start.boards[on]))
    steps = [[str(command) for command in step.commands] for step in played().steps]
    changed = read(with_steps([[str(moved)], *steps]))
    assert [e.to for e in changed.events if e.kind == "move"] != [e.to for e in before.events if e.kind == "move"]
    assert read(played()) == before


def replace_column(board: cmd.BoardPlace) -> cmd.BoardPlace:
    return cmd.BoardPlace(board.name, not board.reversed, board.column, board.row)


def test_a_counter_is_found_by_name_and_slot_before_all_else() -> None:
    mapping = adopt(CLUB, box()).mapping
    for match in mapping.matches:
        for gpid in match.foreign.gpids:
            first = next(m for m in mapping.matches if m.foreign.name == match.foreign.name and gpid in m.foreign.gpids)
            assert mapping.find(gpid, match.foreign.name) is first
    assert mapping.find("", "no such counter") is None


def on_a_line(points: list[tuple[float, float]]) -> list[tuple[float, float]] | None:
    """Those of the points that lie on the best line through two of them: the most, then the nearest; every pair is looked at."""
    distinct = sorted(set(points))
    best: tuple[int, float, list[tuple[float, float]]] | None = None
    for (u1, x1), (u2, x2) in places._pairs(distinct):
        slope = (x2 - x1) / (u2 - u1)
        if slope > 1.0:
            inside = [(u, x) for u, x in distinct if abs(x1 + slope * (u - u1) - x) <= max(2.0, 0.2 * slope)]
            error = sum(abs(x1 + slope * (u - u1) - x) for u, x in inside)
            if best is None or (len(inside), -error) > (best[0], -best[1]):
                best = (len(inside), error, inside)
    return best[2] if best is not None and best[0] >= len(distinct) * 0.5 else None


STRAY = st.tuples(st.integers(0, 9).map(float), st.integers(0, 400).map(float))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(-3, 3)), max_size=30), st.lists(STRAY, max_size=4))
def test_a_line_is_found_as_if_every_pair_of_its_points_had_been_looked_at(
    near: list[tuple[int, int]], stray: list[tuple[float, float]]
) -> None:
    points = [(float(u), 40.0 * u + 7 + off) for u, off in near] + stray
    inside, found = on_a_line(points), places._line(points)
    assert (found is None) == (inside is None)
    if found is not None and inside is not None:
        assert found == places._line(inside)  # the line of those alone, of which none is left out
