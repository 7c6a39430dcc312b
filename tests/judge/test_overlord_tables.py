"""Logs of From Overlord to Berlin as tables make them: losses in any order, counters put back, landings in two drags, a tracker that
nobody steps. What can be read lawfully is; what cannot is told with its own paragraph.

Each log begins with a game in which nobody does more than he has to, up to some step of turn 1; from there on counters are dragged.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.vassal.saves import write_log
from referee.games.overlord_to_berlin.reading import Reader
from referee.rules.events import Lies
from referee.rules.model import Action, Done
from referee.rules.reading import Court
from referee.table.vassal import module_at, read_parts
from tests.judge.overlord_games import book, box, read, writer_for

Table = Callable[..., Any]


@pytest.fixture(scope="session")
def module(build_once: Callable[[str], Path]) -> Path:
    return build_once("overlord-to-berlin")


@cache
def idle(phase: str, step: str, seed: int = 12) -> tuple[Action, ...]:
    """Turn 1 up to a step: draws and dice, and every step ended as soon as it may be."""
    dice = random.Random(f"idle-{seed}")  # those that are used bring political events without duties
    p = book().start()
    actions: list[Action] = []
    while (p.turn, *_here(p)) != (1, phase, step):
        legal = list(book().legal(p))
        actions.append(next((a for a in legal if isinstance(a, Done)), None) or dice.choice(legal))
        p = book().play(p, actions[-1])
    return tuple(actions)


def _here(p: Any) -> tuple[str, str]:
    now = book().game.setting.terms.phases[p.phase]
    return now.phase, now.step


@pytest.fixture
def table(module: Path) -> Table:
    """A writer on the table of a game at a step of turn 1."""

    def at(phase: str, step: str, style: str = "talk", seed: int = 12) -> Any:
        writer: Any = writer_for(module, book().start(), style)
        p = writer.position
        for a in idle(phase, step, seed):
            p = writer.play(p, a)
        writer.begun = writer.log.steps
        return writer

    return at


def found(writer: Any, module: Path, folder: Path) -> tuple[list[tuple[str, str, str]], Reader]:
    """(verdict, action or kind, first rule) of everything that was read after the idle beginning; the reader."""
    reader = read(writer.log.log(), module, folder)
    new = [f for f in reader.found if f.step > writer.begun]
    return [(str(f.verdict), f.notation or f.kind, next(iter(f.rules), "")) for f in new], reader


def declared(writer: Any, *gfs: str, zone: str) -> None:
    writer._declare([("CLR", "*"), *(("ATT", gf, zone) for gf in gfs)])


def thrown(writer: Any, *dice: int) -> None:
    for die in dice:
        writer.log.roll("Combat", (die,))


DISPLAY = {"ax": "Axis Display", "so": "Soviet Display", "we": "Western Allied Display"}


def dies(writer: Any, unit: str, gf: str, pile: str) -> None:
    writer._lay(unit, Lies(gf, DISPLAY[unit[:2]]), Lies(pile))


def flips(writer: Any, unit: str, gf: str, face: int = 2) -> None:
    writer._lay(unit, Lies(gf, DISPLAY[unit[:2]], 3 - face), Lies(gf, DISPLAY[unit[:2]], face))


def steps_on(writer: Any, phase: str) -> None:
    """The tracker goes on to a step of turn 1."""
    writer._step((1, phase))


# ----------------------------------------------------------------------------------------------------------------------- losses


def lvov(writer: Any) -> None:
    """Ukr 1, supported by Ukr 4, attacks in 39: five Axis steps and two Soviet ones are owed."""
    writer._drag(["so-ukr1", "so-ukr4"], Lies("39"))
    writer._lay("marker-pr-soviet", Lies("Soviet PR 5"), Lies("Soviet PR 4"))
    declared(writer, "so-ukr1", "so-ukr4", zone="39")
    thrown(writer, 4, 5)


AXIS_AT_LVOV = [
    ("ax-56pzk", "ax-4pz", "axis-armor-losses"),
    ("ax-13k", "ax-4pz", "axis-infantry-losses"),
    ("ax-42k", "ax-4pz", "axis-infantry-losses"),
    ("ax-5k", "ax-17a", "axis-infantry-losses"),
    ("ax-49gek", "ax-17a", "axis-infantry-losses"),
]


def test_losses_of_both_sides_are_lawful_in_any_order_of_the_table(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    lvov(writer)
    flips(writer, "so-13a", "so-ukr1")
    dies(writer, *AXIS_AT_LVOV[0])
    flips(writer, "so-1gtka", "so-ukr1")
    for dead in AXIS_AT_LVOV[1:]:
        dies(writer, *dead)
    writer._drag(["so-bielo1"], Lies("38"))
    told, reader = found(writer, module, tmp_path)
    assert {verdict for verdict, _, _ in told} == {"legal"}
    assert sum("lose" in what for _, what, _ in told) == 7
    assert reader.p.combat is None and told[-1][1] == "soviet move so-bielo1 @ 45 > 38"


def test_losses_that_are_owed_when_the_step_is_left_are_told_there_and_those_of_the_other_side_are_read(
    table: Table, module: Path, tmp_path: Path
) -> None:
    writer = table("soviet_action", "operations")
    lvov(writer)
    for dead in AXIS_AT_LVOV[:3]:
        dies(writer, *dead)
    flips(writer, "so-13a", "so-ukr1")
    flips(writer, "so-3gtka", "so-ukr1")
    steps_on(writer, "Soviet Action: combining again")
    told, reader = found(writer, module, tmp_path)
    wrong = [f for f in reader.found if f.verdict != "legal"]
    assert [(str(f.verdict), f.kind, f.rules, f.step) for f in wrong] == [("illegal", "duty", ("10.3.a",), writer.log.steps)]
    assert sum("lose" in what for _, what, _ in told) == 5, "the Soviet ones are losses, an elite among them"


def test_losses_that_are_still_to_come_where_the_log_stops_are_no_breach(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    lvov(writer)
    flips(writer, "so-13a", "so-ukr1")
    told, _ = found(writer, module, tmp_path)
    assert {verdict for verdict, _, _ in told} == {"legal"}


def test_a_first_loss_that_is_no_elite_is_told_by_its_own_paragraph(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    lvov(writer)
    for dead in AXIS_AT_LVOV:
        dies(writer, *dead)
    flips(writer, "so-13a", "so-ukr1")
    flips(writer, "so-5gda", "so-ukr1")
    steps_on(writer, "Soviet Action: combining again")
    told, _ = found(writer, module, tmp_path)
    assert [what for what in told if what[0] != "legal"] == [("illegal", "soviet lose so-13a", "10.3.c")]


def test_a_step_too_many_is_told_as_one(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    lvov(writer)
    for dead in AXIS_AT_LVOV:
        dies(writer, *dead)
    for unit in ("so-1gtka", "so-13a", "so-5gda"):
        flips(writer, unit, "so-ukr1")
    steps_on(writer, "Soviet Action: combining again")
    told, reader = found(writer, module, tmp_path)
    assert [what for what in told if what[0] != "legal"] == [("illegal", "lose", "10.2.d")]
    assert next(f.message for f in reader.found if f.verdict == "illegal").startswith("5GdA loses a step too many")


def test_a_unit_that_is_turned_by_mistake_and_turned_back_has_lost_nothing(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    lvov(writer)
    for dead in AXIS_AT_LVOV:
        dies(writer, *dead)
    for unit, face in (("so-13a", 2), ("so-13a", 1), ("so-1gtka", 2), ("so-3gtka", 2)):
        flips(writer, unit, "so-ukr1", face)
    steps_on(writer, "Soviet Action: combining again")
    told, reader = found(writer, module, tmp_path)
    assert {verdict for verdict, _, _ in told} == {"legal"}
    reduced = reader.p.sealed[1].reduced
    units = book().game.setting.units.index
    assert [reduced >> units[u] & 1 for u in ("so-13a", "so-1gtka", "so-3gtka")] == [0, 1, 1]


def test_a_full_unit_that_is_dragged_to_the_dead_has_lost_both_its_steps(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    lvov(writer)
    for dead in AXIS_AT_LVOV:
        dies(writer, *dead)
    dies(writer, "so-1gtka", "so-ukr1", "soviet-armor-losses")
    writer._drag(["so-bielo1"], Lies("38"))
    told, reader = found(writer, module, tmp_path)
    assert {verdict for verdict, _, _ in told} == {"legal"}
    assert [what for _, what, _ in told if "1gtka" in what] == ["soviet lose so-1gtka", "axis lose so-1gtka"]
    assert reader.p.at[book().game.setting.units.index["so-1gtka"]] == reader.place("soviet-armor-losses")


def test_two_attacks_of_which_nobody_said_anything_follow_one_another(table: Table, module: Path, tmp_path: Path) -> None:
    """Between them the Axis could have asked leave to retreat: the second pair of dice says that it has not."""
    writer = table("soviet_action", "operations", "silent")
    writer._drag(["so-ukr2", "so-ukr3"], Lies("49"))
    thrown(writer, 1, 1)
    dies(writer, "ax-52k", "ax-6a", "axis-infantry-losses")
    dies(writer, "ax-44k", "ax-6a", "axis-infantry-losses")
    thrown(writer, 1, 1)
    dies(writer, "ax-30k", "ax-6a", "axis-infantry-losses")
    writer._lay("marker-pr-soviet", Lies("Soviet PR 5"), Lies("Soviet PR 3"))
    told, _ = found(writer, module, tmp_path)
    assert {verdict for verdict, _, _ in told} == {"legal"}
    assert sum(" attack " in what for _, what, _ in told) == 2


# ------------------------------------------------------------------------------------------------------ what is thought better of


def shifts(writer: Any, unit: str, *gfs: str) -> None:
    """A unit from display to display."""
    for frm, to in pairwise(gfs):
        writer._lay(unit, Lies(frm, DISPLAY[unit[:2]]), Lies(to, DISPLAY[unit[:2]]))


def pays(writer: Any, was: int, now: int) -> None:
    writer._lay("marker-pr-soviet", Lies(f"Soviet PR {was}"), Lies(f"Soviet PR {now}"))


def test_a_unit_that_is_tried_in_one_formation_and_goes_to_another_has_gone_once(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("axis_action", "transfers")
    shifts(writer, "ax-47pzk", "ax-7a", "ax-15a", "ax-7a", "ax-1a")
    shifts(writer, "ax-76pzk", "ax-10a", "ax-14a")
    steps_on(writer, "Axis Action: operations")
    told, _ = found(writer, module, tmp_path)
    assert [what for _, what, _ in told if "ax-47pzk" in what][-1] == "axis transfer ax-47pzk > ax-1a"
    assert {verdict for verdict, _, _ in told} == {"legal"}, "only where it ends counts (R-F80)"


def test_a_formation_that_is_brought_back_and_then_goes_elsewhere_has_moved_once(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    for to in ("30", "44", "37"):
        writer._drag(["so-balt1"], Lies(to))
    steps_on(writer, "Soviet Action: combining again")
    told, _ = found(writer, module, tmp_path)
    assert [(verdict, what) for verdict, what, _ in told] == [("legal", "put-back"), ("legal", "soviet move so-balt1 @ 44 > 37")]


def test_a_way_out_and_back_that_was_paid_for_is_two_moves(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    writer._drag(["so-balt1"], Lies("30"))
    pays(writer, 5, 4)
    writer._drag(["so-balt1"], Lies("44"))
    steps_on(writer, "Soviet Action: combining again")
    told, _ = found(writer, module, tmp_path)
    assert [what for _, what, _ in told] == ["soviet move so-balt1 @ 44 > 30", "soviet move so-balt1 @ 30 > 44"]
    assert {verdict for verdict, _, _ in told} == {"legal"}


def test_an_unlawful_move_that_is_put_right_after_others_have_moved_is_no_breach(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    writer._drag(["so-bielo1"], Lies("40"))
    writer._drag(["so-ukr1"], Lies("39"))
    writer._drag(["so-bielo1"], Lies("38"))
    told, _ = found(writer, module, tmp_path)
    assert {verdict for verdict, _, _ in told} == {"legal"}
    assert {what for _, what, _ in told} == {"soviet move so-ukr1 @ 46 > 39", "soviet move so-bielo1 @ 45 > 38"}


def test_an_unlawful_move_that_stays_is_one_whoever_moves_afterwards(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    writer._drag(["so-bielo1"], Lies("40"))
    writer._drag(["so-ukr1"], Lies("39"))
    told, _ = found(writer, module, tmp_path)
    assert told[0][:2] == ("illegal", "soviet move so-bielo1 @ 45 > 40")


def test_moves_without_an_action_left_are_told_each_however_many_follow(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("axis_action", "operations")
    for to in ("26", "34", "42"):
        writer._drag(["ax-2pz"], Lies(to))
    steps_on(writer, "Axis Action: combining again")
    told, _ = found(writer, module, tmp_path)
    assert [(verdict, what) for verdict, what, _ in told if verdict != "unclear"] == [
        ("legal", "axis move ax-2pz @ 21 > 26"),
        ("legal", "axis move ax-2pz @ 26 > 34"),
        ("illegal", "axis move ax-2pz @ 34 > 42"),
    ], "the second may have been paid for: the marker is asked about"


def test_one_of_two_that_were_dragged_together_may_be_brought_back(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    writer._drag(["so-ukr1", "so-ukr4"], Lies("39"))
    writer._drag(["so-ukr4"], Lies("46"))
    writer._drag(["so-ukr4"], Lies("40"))
    steps_on(writer, "Soviet Action: combining again")
    told, _ = found(writer, module, tmp_path)
    assert {verdict for verdict, _, _ in told} == {"legal"}
    assert [what for _, what, _ in told if "move" in what] == ["soviet move so-ukr1 @ 46 > 39", "soviet move so-ukr4 @ 46 > 40"]


def test_a_unit_that_is_restored_and_turned_back_was_not_restored(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("economic", "spending")
    steps_on(writer, "Economic (Axis): spending of PR")
    flips(writer, "ax-8k", "ax-2a", 1)
    flips(writer, "ax-20k", "ax-2a", 1)
    flips(writer, "ax-8k", "ax-2a", 2)
    told, reader = found(writer, module, tmp_path)
    assert [what for _, what, _ in told if what != "points"] == ["put-back", "axis restore ax-20k"]
    assert not any(verdict in ("illegal", "doubtful") for verdict, _, _ in told)
    units = book().game.setting.units.index
    assert [reader.p.sealed[2].reduced >> units[u] & 1 for u in ("ax-8k", "ax-20k")] == [1, 0]


# ------------------------------------------------------------------------------------------------------------------------ cards


SIDES_OF = {"we": ("west", "Western Allied Display"), "so": ("soviet", "Soviet Display"), "ax": ("axis", "Axis Display")}


def plays(writer: Any, card: str, by: str = "") -> None:
    """A card out of a hand, laid open and left there."""
    side, display = SIDES_OF[by or card[:2]]
    writer._lay(card, Lies(f"{side}-hand", display, masked=side), Lies("Played Stratagems"))


def test_an_extra_action_of_which_nobody_said_whose_it_is_is_for_whoever_acts_next_without_one(
    table: Table, module: Path, tmp_path: Path
) -> None:
    writer = table("soviet_action", "operations", seed=3)
    writer._drag(["so-bielo1"], Lies("38"))
    flips_gf(writer, "so-bielo1")
    writer._drag(["so-ukr1"], Lies("39"))
    plays(writer, "so-joukov")
    writer._drag(["so-bielo1"], Lies("45"))
    steps_on(writer, "Soviet Action: combining again")
    told, _ = found(writer, module, tmp_path)
    assert {verdict for verdict, _, _ in told} == {"legal"}
    assert "soviet play so-joukov > so-bielo1" in [what for _, what, _ in told]


def flips_gf(writer: Any, gf: str) -> None:
    writer._lay(gf, Lies("", face=1), Lies("", face=2))


def test_a_die_of_a_combat_is_thrown_again_before_the_other_side_throws_its_own(table: Table, module: Path, tmp_path: Path) -> None:
    """R-F59: a die that was just thrown."""
    writer = table("soviet_action", "operations")
    writer._drag(["so-bielo3"], Lies("37"))
    pays(writer, 5, 4)
    declared(writer, "so-bielo3", zone="37")
    thrown(writer, 6)
    plays(writer, "ax-szorkeny")
    writer.log.roll("Rethrow", (1,))
    writer._declare([("KEEP", "new")])
    thrown(writer, 3)
    dies(writer, "ax-9k", "ax-3pz", "axis-infantry-losses")
    flips(writer, "so-5a", "so-bielo3")
    told, _ = found(writer, module, tmp_path)
    assert {verdict for verdict, _, _ in told} == {"legal"}
    assert "axis reroll ax-szorkeny > 1" in [what for _, what, _ in told] and "axis keep > new" in [what for _, what, _ in told]


# ------------------------------------------------------------------------------------------------- what no rule allows at that moment


def only(told: list[tuple[str, str, str]]) -> list[tuple[str, str]]:
    """(verdict, first rule) of what is not legal."""
    return [(verdict, rule) for verdict, _, rule in told if verdict != "legal"]


def test_a_defender_that_goes_although_leave_was_refused_is_told_so(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    writer._drag(["so-bielo3"], Lies("37"))
    pays(writer, 5, 4)
    declared(writer, "so-bielo3", zone="37")
    thrown(writer, 1, 1)
    dies(writer, "ax-9k", "ax-3pz", "axis-infantry-losses")
    writer.log.roll("Leave to retreat", (1,))
    writer._drag(["ax-4a"], Lies("31"))
    writer._drag(["so-ukr1"], Lies("39"))
    told, reader = found(writer, module, tmp_path)
    assert only(told) == [("illegal", "10.8.b")]
    assert "4.Armee was refused leave to retreat" in [f.message for f in reader.found]


def test_reinforcements_before_their_turn_are_told_so(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("west_action", "strategic")
    writer._lay("we-7us", Lies("west-arrivals", DISPLAY["we"]), Lies("west-reserve", DISPLAY["we"]))
    writer._lay("we-vius", Lies("west-arrivals", DISPLAY["we"]), Lies("we-7us", DISPLAY["we"]))
    told, _ = found(writer, module, tmp_path)
    assert only(told) == [("illegal", "14.7"), ("illegal", "14.7")]


def test_a_second_card_lent_in_a_turn_is_refused_and_one_that_is_taken_back_was_not_lent(
    table: Table, module: Path, tmp_path: Path
) -> None:
    def lends(writer: Any, card: str, frm: str, to: str) -> None:
        before, after = (SIDES_OF[side] for side in (frm, to))
        writer._lay(
            card, Lies(f"{before[0]}-hand", before[1], masked=before[0]), Lies(f"{after[0]}-hand", after[1], masked=after[0])
        )

    writer = table("soviet_action", "operations")
    lends(writer, "op-surprise", "we", "so")
    lends(writer, "op-engineers", "we", "so")
    assert only(found(writer, module, tmp_path)[0]) == [("illegal", "11.9")]
    writer = table("soviet_action", "operations")
    for card, frm, to in (("op-surprise", "we", "so"), ("op-surprise", "so", "we"), ("op-engineers", "we", "so")):
        lends(writer, card, frm, to)
    assert only(found(writer, module, tmp_path)[0]) == []


def test_an_operational_stratagem_where_no_combat_is_and_in_a_free_attack(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "transfers")
    plays(writer, "op-artillery", "so")
    steps_on(writer, "Soviet Action: operations")
    plays(writer, "so-organ")
    writer._declare([("AIM", "ax-9a", "38")])
    plays(writer, "op-elastic", "so")
    thrown(writer, 5)
    for unit, pile in (("ax-35k", "infantry"), ("ax-55k", "infantry"), ("ax-41pzk", "armor")):
        dies(writer, unit, "ax-9a", f"axis-{pile}-losses")
    steps_on(writer, "Soviet Action: combining again")
    told, _ = found(writer, module, tmp_path)
    assert only(told) == [("illegal", "11.1.c"), ("illegal", "11.1.c")]
    assert sum("lose" in what for _, what, _ in told) == 3, "the free attack is read all the same"


def test_rebuilding_and_placing_in_the_operational_step_are_refused(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "operations")
    lvov(writer)
    for dead in AXIS_AT_LVOV:
        dies(writer, *dead)
    flips(writer, "so-1gtka", "so-ukr1")
    flips(writer, "so-3gtka", "so-ukr1")
    writer._lay("ax-5k", Lies("axis-infantry-losses"), Lies("axis-reserve", DISPLAY["ax"]))
    told, _ = found(writer, module, tmp_path)
    assert only(told) == [("illegal", "4.3.a")]


def test_a_supporter_of_another_command_is_refused_by_that_paragraph(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("west_action", "operations")
    declared(writer, "we-5us", "we-8uk", zone="9")
    thrown(writer, 3, 3)
    told, _ = found(writer, module, tmp_path)
    assert told[0][0] == "illegal" and told[0][2] == "10.12.a"


def test_a_removal_that_an_event_wants_may_come_when_the_tracker_has_gone_on(module: Path, tmp_path: Path) -> None:
    """PE.Soviet.2: the Axis throws for its event first."""
    writer: Any = writer_for(module, book().start())
    p = writer.position
    for a in idle("political", "event"):
        p = writer.play(p, a)
    writer.begun = writer.log.steps
    for number, (side, dice) in enumerate((("Western", (3, 1)), ("Soviet", (1, 1)), ("Axis", (1, 2)))):
        if number:
            steps_on(writer, f"Political ({'Soviets' if side == 'Soviet' else side}): political event")
        writer.log.roll(f"{side} event", dice)
    writer._lay("so-8a", Lies("so-balt3", DISPLAY["so"]), Lies("soviet-removed"))
    steps_on(writer, "Economic: reinforcements")
    told, _ = found(writer, module, tmp_path)
    assert {verdict for verdict, _, _ in told} == {"legal"}
    assert "soviet remove so-8a" in [what for _, what, _ in told]


def test_units_go_to_and_from_the_reserve_in_the_strategic_step_alone(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("soviet_action", "strategic")
    writer._drag(["so-bielo3"], Lies("37"))  # closes the step, whatever the tracker shows
    writer._lay("so-54a", Lies("so-balt3", DISPLAY["so"]), Lies("soviet-reserve", DISPLAY["so"]))
    steps_on(writer, "Soviet Action: operations")
    told, _ = found(writer, module, tmp_path)
    assert only(told) == [("illegal", "9.1.a")]


def test_a_second_unit_that_one_formation_leaves_behind_is_refused(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("axis_action", "operations")
    writer._drag(["ax-15a"], Lies("5"))
    for unit in ("ax-64k", "ax-67k"):
        writer._lay(unit, Lies("ax-15a", DISPLAY["ax"]), Lies("4"))
    steps_on(writer, "Axis Action: combining again")
    told, _ = found(writer, module, tmp_path)
    assert only(told) == [("illegal", "12.4.a")] and "axis pocket ax-64k" in [what for _, what, _ in told]


# ------------------------------------------------------------------------------------------------------------------- the tracker


def test_a_tracker_that_is_moved_on_late_accuses_nobody(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("west_action", "operations")
    lvov(writer)
    for dead in AXIS_AT_LVOV:
        dies(writer, *dead)
    flips(writer, "so-1gtka", "so-ukr1")
    flips(writer, "so-3gtka", "so-ukr1")
    steps_on(writer, "Soviet Action: operations")
    writer._drag(["so-bielo1"], Lies("38"))
    told, reader = found(writer, module, tmp_path)
    assert only(told) == [] and told[-1][1] == "soviet move so-bielo1 @ 45 > 38"
    assert any("the tracker still shows Western Action: operations; taken as not moved on" in note for note in reader.notes)


def test_who_moves_before_the_other_has_done_is_refused(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("west_action", "operations")
    writer._drag(["so-ukr1"], Lies("39"))
    writer._drag(["we-1us"], Lies("10"))
    steps_on(writer, "Soviet Action: operations")
    told, _ = found(writer, module, tmp_path)
    assert told[0] == ("illegal", "soviet move so-ukr1 @ 46 > 39", "2")


def test_a_log_in_which_nobody_moves_the_tracker_is_read_by_what_is_done(table: Table, module: Path, tmp_path: Path) -> None:
    writer = table("west_action", "strategic")
    for unit in ("we-xiius", "we-xvus"):
        writer._lay(unit, Lies("west-reserve", DISPLAY["we"]), Lies("we-3us", DISPLAY["we"]))
    writer._drag(["we-3us"], Lies("10"))
    writer._drag(["so-ukr1"], Lies("39"))
    path = tmp_path / "game.vlog"
    write_log(path, writer.log.log())
    (log,) = read_parts(path, box(), module=module_at(module))
    reader = Reader(Court(book(), None), book().game, replace(log, events=tuple(e for e in log.events if e.kind != "phase")))
    told = [f for f in reader.read() if f.step > writer.begun]
    assert [(str(f.verdict), f.notation or f.message) for f in told] == [
        ("legal", "west fill we-xiius > we-3us"),
        ("legal", "west fill we-xvus > we-3us"),
        ("legal", "west place we-3us > 10"),
        ("legal", "soviet move so-ukr1 @ 46 > 39"),
    ]
    assert not [f for f in reader.found if f.verdict in ("illegal", "doubtful")]


# ------------------------------------------------------------------------------------------------------------------------- draws


def draws(writer: Any, card: str, by: str, deck: str = "") -> None:
    """A card off its deck into a hand."""
    side, display = SIDES_OF[by]
    writer._lay(card, Lies(deck or f"{side}-stratagems"), Lies(f"{side}-hand", display, masked=side))


def returns(writer: Any, card: str, by: str, deck: str = "") -> None:
    side, display = SIDES_OF[by]
    writer._lay(card, Lies(f"{side}-hand", display, masked=side), Lies(deck or f"{side}-stratagems"))


@pytest.fixture
def first(module: Path) -> Any:
    """A writer before anything was drawn."""
    writer: Any = writer_for(module, book().start())
    writer.begun = 0
    return writer


def test_a_card_more_than_is_drawn_is_told_and_one_that_is_put_back_is_not(first: Any, module: Path, tmp_path: Path) -> None:
    draws(first, "we-patton", "we")
    draws(first, "we-carpet", "we")
    steps_on(first, "Political (Soviets): national stratagems")
    draws(first, "so-joukov", "so")
    draws(first, "so-propaganda", "so")
    returns(first, "so-propaganda", "so")
    steps_on(first, "Political (Axis): national stratagems")
    draws(first, "ax-flak", "ax")
    first.log.chat("and one more")
    draws(first, "ax-secret", "ax")
    steps_on(first, "Political (Western Allies): operational stratagems")
    for card in ("op-surprise", "op-elastic", "op-surround"):
        draws(first, card, "we", "operational-stratagems")
    told, reader = found(first, module, tmp_path)
    assert only(told) == [("illegal", "3.1.a")]
    assert next(f for f in reader.found if f.verdict == "illegal").pieces == ("we-carpet",)
    assert "chance draw ax-flak,ax-secret @ axis" in [what for _, what, _ in told]
    assert told[-1][1] == "chance draw op-elastic,op-surprise,op-surround @ west"


def test_who_draws_too_few_cards_is_not_accused_and_the_events_are_read(first: Any, module: Path, tmp_path: Path) -> None:
    draws(first, "we-patton", "we")
    steps_on(first, "Political (Soviets): national stratagems")
    draws(first, "so-joukov", "so")
    steps_on(first, "Political (Axis): national stratagems")
    draws(first, "ax-flak", "ax")
    steps_on(first, "Political (Western Allies): operational stratagems")
    for by, cards in (("we", "surprise elastic surround"), ("so", "artillery engineers antitank"), ("ax", "fanaticism information")):
        for card in cards.split():
            draws(first, f"op-{card}", by, "operational-stratagems")
        if by == "we":
            steps_on(first, "Political (Soviets): operational stratagems")
        elif by == "so":
            steps_on(first, "Political (Axis): operational stratagems")
    steps_on(first, "Political (Western Allies): political event")
    first.log.roll("Western event", (1, 3))
    draws(first, "op-fortifications", "ax", "operational-stratagems")
    told, reader = found(first, module, tmp_path)
    assert only(told) == [] and "chance roll event 1,3" in [what for _, what, _ in told]
    assert sum("cards" in note for note in reader.notes) == 2


# -------------------------------------------------------------------------------------------------------- income, displays too full


def marker(writer: Any, name: str, was: int, now: int) -> None:
    track = name.rpartition("-")[2].title()
    writer._lay(name, Lies(f"{track} PR {was}"), Lies(f"{track} PR {now}"))


def test_a_marker_above_the_income_is_told_where_it_was_moved_and_one_that_is_put_right_is_not(
    table: Table, module: Path, tmp_path: Path
) -> None:
    writer = table("political", "event")
    for number, side in enumerate(("Western", "Soviet", "Axis")):
        if number:
            steps_on(writer, f"Political ({'Soviets' if side == 'Soviet' else side}): political event")
        writer.log.roll(f"{side} event", (1, 2))
    steps_on(writer, "Economic (Western Allies): income")
    marker(writer, "marker-pr-italy", 0, 2)
    marker(writer, "marker-pr-england", 0, 2)
    steps_on(writer, "Economic (Soviets): income")
    marker(writer, "marker-pr-soviet", 0, 6)
    steps_on(writer, "Economic (Axis): income")
    marker(writer, "marker-pr-soviet", 6, 5)
    marker(writer, "marker-pr-axis", 0, 15)
    steps_on(writer, "Economic: bombardment of Germany")
    writer.log.roll("Bombardment", (3,))
    marker(writer, "marker-pr-axis", 15, 11)
    told, reader = found(writer, module, tmp_path)
    assert only(told) == [("illegal", "5.4.f"), ("illegal", "5.2.a")]
    assert "the marker of axis shows 15, and the income makes it 14" in [f.message for f in reader.found]


def test_a_display_too_full_when_combining_ends_is_told_there_whatever_was_wrong_before(
    table: Table, module: Path, tmp_path: Path
) -> None:
    writer = table("soviet_action", "combine")
    shifts(writer, "so-3a", "so-bielo1", "so-bielo3")
    steps_on(writer, "Axis Action: combining")
    for unit in ("ax-42k", "ax-13k", "ax-56pzk"):
        shifts(writer, unit, "ax-4pz", "ax-17a")
    steps_on(writer, "Axis Action: strategic movement")
    told, reader = found(writer, module, tmp_path)
    assert only(told) == [("illegal", "7.2.c"), ("illegal", "7.2.d")]
    assert [f.step for f in reader.found if f.kind == "duty"] == [writer.log.steps]


def test_who_comes_to_a_port_with_own_formations_arrives_by_sea_also_where_that_is_refused(
    table: Table, module: Path, tmp_path: Path
) -> None:
    """R-F96, 9.7: no landing is read into it."""
    writer = table("west_action", "operations")
    writer._drag(["we-5us"], Lies("10"))
    for gf in ("we-1us", "we-2uk", "we-3us"):
        writer._drag([gf], Lies("10"))
    told, _ = found(writer, module, tmp_path)
    assert told[-1][:2] == ("illegal", "west sail we-3us > 10"), "the fourth there, and empty"
    assert "land" not in " ".join(what for _, what, _ in told)
