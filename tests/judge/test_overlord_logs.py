"""Logs of From Overlord to Berlin: what was played lawfully reads back to its record, hidden parts included; what was not is found,
and told to those alone who may know it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from modgen.formats.errors import FormatError
from modgen.formats.vassal.newgame import predefined
from modgen.formats.vassal.saves import write_log
from referee.audit.opened import open_file
from referee.audit.run import audit_file, check_file
from referee.cli import app
from referee.games.overlord_to_berlin.actions import Attack, Draw, Exchange, Fill, Lend, Levy, Restore, Transfer, TurnOver, Withdraw
from referee.games.overlord_to_berlin.reading import Reader
from referee.games.overlord_to_berlin.reading_table import FLIP, GF, UNIT, Act
from referee.games.overlord_to_berlin.showing import DISPLAYS, lies, phase_name
from referee.rules.events import Lies
from referee.rules.model import Action
from referee.rules.options import UsageError
from referee.rules.reading import Court
from referee.table.vassal import module_at, read_parts
from tests.judge.overlord_games import (
    audited,
    book,
    box,
    played,
    read,
    said,
    whole,
    writer_for,
    written,
)

HIDDEN = (Draw, Exchange, Fill, Lend, Levy, Restore, Transfer, Withdraw)
"""Actions of which the others see at most that something was done (R-F136)."""


@pytest.fixture(scope="session")
def module(build_once: Callable[[str], Path]) -> Path:
    return build_once("overlord-to-berlin")


def _names(a: Action) -> Iterator[str]:
    """What a hidden action is about, as players read it on the counters and cards."""
    g = book().game.setting
    if unit := getattr(a, "unit", ""):
        yield g.units.names[g.units.index[unit]]
    for card in (*getattr(a, "cards", ()), *([a.card] if isinstance(a, Lend) else [])):
        yield g.cards.names[g.cards.index[card]]


# ------------------------------------------------------------------------------------------------------------------ the module


def test_every_step_of_the_order_of_play_is_read_from_the_tracker_of_the_module(module: Path) -> None:
    shown = module_at(module).trackers[0].levels[0].below[0].values
    assert list(shown) == [phase_name(phase) for phase in book().game.setting.terms.phases]


def test_the_set_up_of_the_module_reads_as_the_first_position_of_the_rules(module: Path, tmp_path: Path) -> None:
    reader = read(written((), module), module, tmp_path)
    start = book().start()
    assert (reader.p.gf_at, reader.p.at, reader.p.sealed, reader.p.pr) == (start.gf_at, start.at, start.sealed, start.pr)
    assert reader.found == [] and not reader.notes


def test_nothing_has_to_be_put_right_on_the_set_up_before_play(module: Path) -> None:
    save = predefined(module, "campaign.vsav")
    assert writer_for(module, book().start()).log.start is save or writer_for(module, book().start()).log.start.tokens == save.tokens


# -------------------------------------------------------------------------------------------------------------- the way and back


@pytest.mark.parametrize(
    ("plan", "seed", "most"),
    [("crusade", 1, 700), ("counter", 2, 700), ("siege", 3, 400), ("fate", 5, 400)],
)
def test_a_played_game_reads_back_to_its_record_hidden_parts_included(
    module: Path, tmp_path: Path, plan: str, seed: int, most: int
) -> None:
    _, actions = played(plan, seed, most)
    reader = read(written(actions, module), module, tmp_path)
    assert whole(reader.record) == whole(actions)
    assert [f for f in reader.found if f.verdict != "legal"] == []
    assert len(reader.found) > most // 4
    p = book().start()
    for a in reader.record:
        assert book().check(p, a).legal, str(a)
        p = book().play(p, a)
    assert p == reader.p, "what was read is what was played, sealed facts and all"
    assert any(s.hand for s in p.sealed) and any(s.reduced for s in p.sealed)


def test_a_formation_turned_over_before_an_announced_attack_of_another_gives_up_what_it_has(module: Path, tmp_path: Path) -> None:
    actions, turned = _with_a_formation_turned_over()
    reader = read(written(actions, module), module, tmp_path)
    assert turned in reader.record
    assert whole(reader.record) == whole(actions)


def _with_a_formation_turned_over() -> tuple[list[Action], Action]:
    """A game up to the dice of an attack, and before this attack another formation of its side, far from it, turned over."""
    _, actions = played("counter", 2, 700)
    p = book().start()
    for at, a in enumerate(actions):
        if isinstance(a, Attack):
            idle = (x for x in book().legal(p, by=a.by) if isinstance(x, TurnOver) and x.gf not in (*a.gfs, *a.supporters))
            if (turned := next(idle, None)) is not None:
                dice = next(i for i in range(at, len(actions)) if str(actions[i]).startswith("chance roll combat"))
                return [*actions[:at], turned, *actions[at : dice + 1]], turned
        p = book().play(p, a)
    raise AssertionError("no attack beside which a formation can be turned over")


@pytest.mark.parametrize(("plan", "seed"), [("crusade", 11), ("random", 13)])
@pytest.mark.parametrize("style", ["chat", "silent"])
def test_lawful_play_is_never_called_illegal_however_little_is_said(
    module: Path, tmp_path: Path, plan: str, seed: int, style: str
) -> None:
    _, actions = played(plan, seed, 300)
    reader = read(written(actions, module, style), module, tmp_path)
    wrong = [(f.step, f.notation, f.message) for f in reader.found if f.verdict in ("illegal", "doubtful")]
    assert not wrong, wrong[:3]
    legal = sum(f.verdict == "legal" for f in reader.found)
    assert legal > 10 * sum(f.verdict == "unclear" for f in reader.found)


@pytest.mark.parametrize("plan", ["beachhead", "courland", "crowded"])
def test_a_log_that_begins_in_the_middle_of_a_game_accuses_nobody_by_what_was_before(module: Path, tmp_path: Path, plan: str) -> None:
    start, actions = played(plan, 1, 160)
    reader = read(written(actions, module, position=start), module, tmp_path)
    wrong = [(f.step, f.notation, f.message) for f in reader.found if f.verdict in ("illegal", "doubtful")]
    assert not wrong, wrong[:3]
    assert sum(f.verdict == "legal" for f in reader.found) > 60


def test_the_same_game_gives_the_same_log(module: Path) -> None:
    _, actions = played("counter", 2, 200)
    assert written(actions, module).text == written(actions, module).text


# -------------------------------------------------------------------------------------------------------------------- secrecy


def test_what_a_log_says_to_all_names_nothing_that_is_hidden(module: Path) -> None:
    """Chat, reports and table talk of every hidden action, at the moment it is done: no unit of a display, no card that is drawn or
    lent (the state of a piece in the file is another matter: see docs/overlord-to-berlin.md)."""
    _, actions = played("crusade", 1, 700)
    writer = writer_for(module, book().start())
    p = writer.position
    seen = set()
    for a in actions:
        before = writer.log.steps
        p = writer.play(p, a)
        if isinstance(a, HIDDEN):
            seen.add(type(a))
            told = " ".join(said(writer.log.log(), before, writer.log.steps)) if writer.log.steps < 4000 else ""
            for name in _names(a):
                assert name not in told, (str(a), told)
    assert seen >= {Draw, Exchange, Fill, Restore, Withdraw}


def test_cards_are_masked_in_the_hand_and_open_when_they_are_played(module: Path) -> None:
    _, actions = played("counter", 2, 700)
    writer = writer_for(module, book().start())
    p = writer.position
    masked = opened = 0
    for a in actions[:400]:
        p = writer.play(p, a)
        for name, lie in lies(book().game, p).items():
            if not (lie.place.endswith("-hand") or lie.place == "Played Stratagems"):
                continue
            traits = writer.log.game.pieces[writer.pieces[name]].piece().traits
            state = next(t.state for t in traits if t.id == "obs")
            if lie.place == "Played Stratagems":
                opened += 1
                assert state.startswith("null"), name
            elif name != "so-organ":  # dealt before play (14.2), in a window that only its owner opens
                masked += 1
                assert not state.startswith("null"), name
    assert masked > 100 and opened > 5


def _twins(module: Path, folder: Path, reader: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The audits of two games that differ in nothing but what the Western Allies do inside their displays, one of them unlawfully."""
    documents = []
    for unit in ("we-ivus", "we-xiiiuk"):
        writer = writer_for(module, _at("west_action combine west"))
        writer._lay(unit, Lies("we-5us", "Western Allied Display"), Lies("we-8uk", "Western Allied Display"))
        writer._lay(unit, Lies("we-8uk", "Western Allied Display"), Lies("we-5us", "Western Allied Display"))
        writer._lay(unit, Lies("we-5us", "Western Allied Display"), Lies("we-8uk", "Western Allied Display"))
        documents.append(audited(writer.log.log(), module, folder, reader))
    return documents[0], documents[1]


def _at(phase: str, **more: Any) -> Any:
    """The set-up at the beginning of a step of turn 1, with the hands of nobody."""
    g = book().game.setting
    start = book().game.start()
    gfs: dict[str, str | int] = {}
    for gf, name in enumerate(g.gfs.ids):
        place = g.land.places.names[start.gf_at[gf]]
        if place.isdigit() or place.endswith("-reserve"):
            gfs[name] = place if place.isdigit() else "reserve"
    gfs |= more.pop("gfs", {})
    units = {}
    for u, name in enumerate(g.units.ids):
        lies_in = g.land.places.names[start.sealed[g.units.side[u]].at[u]]
        if lies_in in g.gfs.index or lies_in.endswith("-reserve"):
            units[name] = lies_in if lies_in in g.gfs.index else "reserve"
        elif g.land.places.names[start.at[u]].endswith("-paratroops"):
            units[name] = "paratroops"
    units |= more.pop("units", {})
    reduced = [name for u, name in enumerate(g.units.ids) if start.sealed[g.units.side[u]].reduced >> u & 1]
    return book().settled(book().game.arranged(gfs=gfs, units=units, reduced=reduced, phase=phase, **more))


@pytest.mark.parametrize("reader", ["public", "axis"])
def test_what_is_hidden_changes_no_byte_of_a_report_for_others(module: Path, tmp_path: Path, reader: str) -> None:
    one, other = _twins(module, tmp_path, reader)
    assert one == other


def _shown(module: Path, folder: Path, reader: str, unit: str) -> list[str]:
    """What ``referee show`` and ``referee score`` print, for a reader, of a log that ends after something hidden was done unlawfully."""
    writer = writer_for(module, _at("west_action combine west"))
    writer._lay(unit, Lies("we-5us", "Western Allied Display"), Lies("we-8uk", "Western Allied Display"))
    write_log(folder / "game.vlog", writer.log.log())
    told = []
    for words in (["show"], ["show", "--json"], ["show", "--at", "0"], ["score", "--json"]):
        result = CliRunner().invoke(app, [*words, str(folder / "game.vlog"), "--module", str(module), "--for", reader])
        assert result.exit_code == 0, result.output
        told.append(result.output)
    return told


@pytest.mark.parametrize("reader", ["public", "axis"])
def test_what_is_hidden_changes_no_byte_of_a_log_that_is_shown_to_others(module: Path, tmp_path: Path, reader: str) -> None:
    one, other = (_shown(module, tmp_path, reader, unit) for unit in ("we-ivus", "we-xiiiuk"))
    assert one == other and "we-ivus" not in "".join(one)


def test_a_log_is_shown_with_what_is_hidden_to_the_owner_and_the_director(module: Path, tmp_path: Path) -> None:
    for reader in ("west", "allied", "director"):
        one, other = (_shown(module, tmp_path, reader, unit) for unit in ("we-ivus", "we-xiiiuk"))
        assert one[:2] != other[:2] and "we-ivus" in one[0]


def test_the_owner_and_the_director_read_what_is_hidden(module: Path, tmp_path: Path) -> None:
    for reader in ("west", "soviet", "allied", "director"):
        one, other = _twins(module, tmp_path, reader)
        assert one != other and any("we-ivus" in a["notation"] for a in one["actions"])


def test_a_report_of_a_running_game_holds_the_hidden_actions_of_its_reader_alone(module: Path, tmp_path: Path) -> None:
    _, actions = played("counter", 2, 700)
    log = written(actions, module)
    secret = ("draw", "exchange", "fill", "lend", "levy", "restore", "transfer", "withdraw")

    def hidden(reader: str) -> set[str]:
        return {a["side"] for a in audited(log, module, tmp_path, reader)["actions"] if a["kind"] in secret}

    assert hidden("public") == set()
    assert hidden("axis") == {"axis"}
    assert hidden("west") == {"west", "soviet"} == hidden("allied")
    assert hidden("director") == {"west", "soviet", "axis"}
    told = {a["kind"] for a in audited(log, module, tmp_path, "public")["actions"]}
    assert told >= {"move", "attack", "roll", "lose", "rebuild", "lay", "play"}


def test_an_unlawful_hidden_action_is_told_to_its_owner_and_to_others_only_that_it_was_refused(module: Path, tmp_path: Path) -> None:
    """R-F139: infantry goes from one zone to another in the transfer step (9.3)."""
    writer = writer_for(module, _at("axis_action transfers axis"))
    writer.log.act_as(writer.players["axis"])
    writer._lay("ax-84k", Lies("ax-7a", "Axis Display"), Lies("ax-1a", "Axis Display"))
    log = writer.log.log()
    own = audited(log, module, tmp_path, "axis")["actions"]
    assert [(a["verdict"], a["notation"]) for a in own] == [("illegal", "axis transfer ax-84k > ax-1a")]
    assert own[0]["rules"][0].startswith("9.3") and "84.K" in own[0]["message"]
    for reader in ("public", "west", "soviet"):
        (told,) = audited(log, module, tmp_path, reader)["actions"]
        assert (told["verdict"], told["kind"], told["message"]) == ("illegal", "hidden", "a hidden action was refused")
        assert not (told["notation"] or told["pieces"] or told["from"] or told["to"] or told["rules"] or told["instead"])
    checked = check_file(tmp_path / "game.vlog", "game", side="west", module=module).as_json()["files"][0]
    assert checked["actions"] == []


def test_a_refusal_that_tells_what_a_display_holds_is_its_owners_alone(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("west_action strategic west"))
    writer._drag(["we-1ca"], Lies("10"))
    told = {reader: audited(writer.log.log(), module, tmp_path, reader) for reader in ("west", "axis", "public")}
    assert any(action["verdict"] == "illegal" and "holds no unit" in action["message"] for action in told["west"]["actions"])
    for reader in ("axis", "public"):
        assert [action["message"] for action in told[reader]["actions"]] == ["a hidden action was refused"]


def test_a_reader_that_there_is_not_is_refused_with_those_that_there_are(module: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no reader 'finns'; there are: public, director, allied, axis"):
        audited(written((), module), module, tmp_path, "finns")


def test_a_log_whose_places_only_the_module_tells_is_refused_without_it(module: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    write_log(path, written(played("counter", 2, 60)[1], module))
    with pytest.raises(FormatError, match="known with the module only; give the module it was played with"):
        audit_file(path, "game.vlog")
    with pytest.raises(FormatError, match="known with the module only; give the module it was played with"):
        open_file(path)
    assert audit_file(path, "game.vlog", module=module).findings


def _ended() -> tuple[Action, ...]:
    """A game that an event ends early; the seed is the first that is known to, and others are tried when the players have changed."""
    for seed in (15, *range(1, 40)):
        _, actions = played("fate", seed, 420)
        p = book().start()
        for a in actions:
            p = book().play(p, a)
        if p.result:
            return actions
    raise AssertionError("no game that an event ends")


def test_nothing_is_hidden_any_more_when_the_game_has_ended(module: Path, tmp_path: Path) -> None:
    log = written(_ended(), module)
    assert audited(log, module, tmp_path, "public") == audited(log, module, tmp_path, "director")


# ------------------------------------------------------------------------------------------------------------ what is not lawful


def _found(writer: Any, module: Path, folder: Path) -> list[tuple[str, str, tuple[str, ...]]]:
    reader = read(writer.log.log(), module, folder)
    return [(str(f.verdict), f.notation, f.rules) for f in reader.found]


def test_a_formation_that_is_dragged_two_zones_far_is_refused(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action operations soviet"))
    writer._drag(["so-bielo1"], Lies("40"))
    ((verdict, notation, rules),) = _found(writer, module, tmp_path)
    assert (verdict, notation) == ("illegal", "soviet move so-bielo1 @ 45 > 40") and rules[0] == "9.4.a"


def test_its_lawful_neighbour_is_legal(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action operations soviet"))
    writer._drag(["so-bielo1"], Lies("38"))
    assert _found(writer, module, tmp_path) == [("legal", "soviet move so-bielo1 @ 45 > 38", ())]


def test_who_comes_by_sea_in_a_log_that_begins_in_that_step_is_asked_about_and_not_accused_of_a_landing(
    module: Path, tmp_path: Path
) -> None:
    found = []
    for to in ("10", "5"):
        writer = writer_for(module, _at("west_action operations west"))
        writer._drag(["we-1us"], Lies(to))
        found += _found(writer, module, tmp_path)
    assert found[0] == ("unclear", "west sail we-1us > 10", ("9.7.a",)), "whether it was in the Reserve when the phase began is not told"
    assert found[1][:2] == ("illegal", "west land we-1us > 5"), "no coast, whatever was before"


def test_a_unit_goes_at_once_from_one_formation_of_the_reserve_to_another(module: Path, tmp_path: Path) -> None:
    units = {"we-viius": "we-1us", "we-vus": "we-1us", "we-xixus": "we-1us", "we-xiius": "reserve"}
    p = _at("west_action strategic west", gfs={"we-1us": "reserve", "we-3us": "reserve"}, units=units)
    writer = writer_for(module, p)
    writer._drag(["we-vus"], Lies("we-3us", DISPLAYS[0]))
    assert [(v, n) for v, n, _ in _found(writer, module, tmp_path)] == [
        ("legal", "west withdraw we-vus"),
        ("legal", "west fill we-vus > we-3us"),
    ]


@pytest.mark.parametrize("to", ["10", "1"])
def test_a_formation_put_on_the_map_before_its_display_is_filled_is_no_empty_one(module: Path, tmp_path: Path, to: str) -> None:
    writer = writer_for(module, _at("west_action combine west"))
    writer._drag(["we-3us"], Lies(to))
    for unit in ("we-xiius", "we-xvus"):
        writer._drag([unit], Lies("we-3us", DISPLAYS[0]))
    found = _found(writer, module, tmp_path)
    assert [verdict for verdict, _, _ in found] == ["legal"] * 3
    assert found[-1][1] == ("west place we-3us > 10" if to == "10" else "west land we-3us > 1")
    empty = writer_for(module, _at("west_action combine west"))
    empty._drag(["we-3us"], Lies(to))
    empty._drag(["we-xiius"], Lies("we-1us", DISPLAYS[0]))
    verdict, notation, rules = _found(empty, module, tmp_path)[0]
    assert verdict == "illegal" and "we-3us" in notation and {"9.2.f", "9.7.b"} & {*rules}


def test_a_unit_put_into_the_zone_before_its_formation_leaves_is_a_pocket(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("axis_action operations axis"))
    writer._drag(["ax-64k"], Lies("4"))
    writer._drag(["ax-15a"], Lies("7"))
    assert _found(writer, module, tmp_path) == [("legal", "axis move ax-15a @ 4 > 7", ()), ("legal", "axis pocket ax-64k", ())]
    staying = writer_for(module, _at("axis_action operations axis"))
    staying._drag(["ax-64k"], Lies("4"))
    staying._drag(["ax-7a"], Lies("5"))
    assert ("legal", "axis pocket ax-64k", ()) not in _found(staying, module, tmp_path)


def test_two_dragged_one_after_the_other_to_a_landing_landed_together_when_they_attack_together(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("west_action combine west"))
    for gf in ("we-1us", "we-2uk"):
        writer._drag([gf], Lies("1"))
    writer._declare([("CLR", "*"), ("ATT", "we-1us", "1"), ("ATT", "we-2uk", "1")])
    writer.log.roll("Combat", (3,))
    assert _found(writer, module, tmp_path)[:2] == [
        ("legal", "west land we-1us,we-2uk > 1", ()),
        ("legal", "west attack we-1us,we-2uk @ 1", ()),
    ]


class _Hasty(Reader):
    """Reads a log in which units were put somewhere or turned before the formation beside them was dragged, or after it."""

    whim = random.Random(1)
    swapped = 0

    def _stint(self, found: list[Act], *more: Any) -> None:
        n = 0
        while n + 1 < len(found):
            one, other = found[n], found[n + 1]
            kinds = {one.kind, other.kind}
            hands = kinds <= {GF, UNIT, FLIP} and kinds != {GF} and not {*one.pieces} & {*other.pieces}
            if hands and self.whim.random() < 0.4:
                found[n : n + 2] = other, one
                self.swapped += 1
                n += 1
            n += 1
        super()._stint(found, *more)


@pytest.mark.parametrize(("plan", "seed"), [("crusade", 1), ("siege", 3)])
def test_units_and_formations_handled_in_another_order_are_read_as_what_was_done(
    module: Path, tmp_path: Path, plan: str, seed: int
) -> None:
    path = tmp_path / "game.vlog"
    write_log(path, written(played(plan, seed, 420)[1], module))
    (table,) = read_parts(path, box(), module=module_at(module))
    reader = _Hasty(Court(book(), None), book().game, table)
    reader.read()
    assert reader.swapped > 8
    assert [(f.step, f.notation, f.message) for f in reader.found if f.verdict != "legal"] == []


def test_one_of_two_that_landed_is_named_for_both(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("west_action combine west"))
    writer._drag(["we-1us", "we-2uk"], Lies("1"))
    writer._declare([("CLR", "*"), ("ATT", "we-1us", "1")])
    writer.log.roll("Combat", (3,))
    assert _found(writer, module, tmp_path)[:2] == [
        ("legal", "west land we-1us,we-2uk > 1", ()),
        ("legal", "west attack we-1us,we-2uk @ 1", ()),
    ]


def test_who_follows_a_landing_by_sea_and_leaves_the_first_turned_over_did_not_land_with_it(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("west_action combine west"))
    p = writer.position
    for line in ("done", "done", "done", "land we-1us > 1", "done", "sail we-2uk > 1", "done"):
        p = writer.play(p, book().parse(f"west {line}"))
    found = [(str(f.verdict), f.notation) for f in read(writer.log.log(), module, tmp_path).found]
    assert ("legal", "west land we-1us > 1") in found and ("legal", "west sail we-2uk > 1") in found


def test_a_third_front_in_a_zone_is_refused(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action operations soviet"))
    for front in ("so-bielo1", "so-bielo2", "so-bielo3"):
        writer._drag([front], Lies("37" if front == "so-bielo3" else "38"))
    writer._drag(["so-bielo3"], Lies("38"))
    found = _found(writer, module, tmp_path)
    assert [verdict for verdict, _, _ in found[:3]] == ["legal"] * 3
    assert found[3][0] == "illegal" and found[3][2][0].startswith("7.1")


def test_a_formation_that_is_put_back_has_not_moved(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action operations soviet"))
    writer._drag(["so-bielo1"], Lies("40"))
    writer._drag(["so-bielo1"], Lies("45"))
    reader = read(writer.log.log(), module, tmp_path)
    assert [(f.kind, str(f.verdict)) for f in reader.found] == [("put-back", "legal")]


def test_who_comes_back_and_then_goes_elsewhere_has_made_the_last_way_alone(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action operations soviet"))
    for zone in ("38", "45", "37"):
        writer._drag(["so-bielo1"], Lies(zone))
    assert _found(writer, module, tmp_path) == [
        ("legal", "", ("2",)),
        ("legal", "soviet move so-bielo1 @ 45 > 37", ()),
    ]
    reader = read(writer.log.log(), module, tmp_path)
    assert reader.p.pr == _at("soviet_action operations soviet").pr, "nothing was paid for what was taken back"


def test_of_two_that_went_together_the_one_that_comes_back_has_not_moved(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action operations soviet"))
    writer._drag(["so-bielo1", "so-bielo2"], Lies("38"))
    writer._drag(["so-bielo2"], Lies("45"))
    found = _found(writer, module, tmp_path)
    assert ("legal", "soviet move so-bielo1 @ 45 > 38", ()) in found and len(found) == 2


def test_who_went_there_and_back_for_a_point_that_was_paid_has_done_both(module: Path, tmp_path: Path) -> None:
    p = _at("soviet_action operations soviet", pr={"soviet": 5})
    writer = writer_for(module, p)
    there, _, back = actions = [book().parse(f"soviet {x}") for x in ("move so-bielo1 @ 45 > 38", "done", "move so-bielo1 @ 38 > 45")]
    for a in actions:
        assert book().check(p, a).legal
        p = writer.play(p, a)
    reader = read(writer.log.log(), module, tmp_path)
    assert [f.notation for f in reader.found] == [str(there), str(back)]


def test_what_was_undone_was_not_done(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action operations soviet"))
    writer._drag(["so-bielo1"], Lies("40"))
    writer.log.undo()
    writer._drag(["so-bielo1"], Lies("38"))
    assert _found(writer, module, tmp_path) == [("legal", "soviet move so-bielo1 @ 45 > 38", ())]


# ------------------------------------------------------------------------------------------- formations left empty, 9.8

TWO = {"ax-84k": "ax-7a", "ax-47pzk": "ax-1a"}
"""The only units of two formations that stand in one zone."""
DISPLAY = "Axis Display"


def _two_of_one_unit(phase: str, zones: tuple[str, str] = ("1", "1")) -> Any:
    g = book().game.setting
    units = {name: "reserve" for name in g.units.ids if g.units.side[g.units.index[name]] == 2 and not _sky(name)}
    return _at(phase, gfs={"ax-7a": zones[0], "ax-1a": zones[1]}, units=units | _others() | TWO)


def _sky(name: str) -> bool:
    g = book().game.setting
    return bool(g.units.paratroops >> g.units.index[name] & 1)


def _others() -> dict[str, str]:
    """Every other formation of the Axis keeps the units of the set-up."""
    g = book().game.setting
    start = book().game.start()
    places = {name: g.land.places.names[start.sealed[2].at[u]] for u, name in enumerate(g.units.ids) if g.units.side[u] == 2}
    return {name: place for name, place in places.items() if place in g.gfs.index and place not in ("ax-7a", "ax-1a")}


def _swapped(writer: Any, *units: str) -> None:
    writer.log.act_as(writer.players["axis"])
    for unit in units:
        other = "ax-1a" if TWO[unit] == "ax-7a" else "ax-7a"
        writer._lay(unit, Lies(TWO[unit], DISPLAY), Lies(other, DISPLAY))


def _step_ended(reader: Reader) -> Any:
    """The position once the step that is being read has ended."""
    return book().play(reader.p, book().parse("axis done"))


@pytest.mark.parametrize("order", [("ax-84k", "ax-47pzk"), ("ax-47pzk", "ax-84k")])
@pytest.mark.parametrize(
    ("phase", "verb"),
    [("axis_action combine axis", "exchange"), ("axis_action transfers axis", "transfer"), ("axis_action combine_again axis", "exchange")],
)
def test_units_of_two_formations_that_hold_one_each_are_exchanged_in_either_order(
    module: Path, tmp_path: Path, phase: str, verb: str, order: tuple[str, str]
) -> None:
    writer = writer_for(module, _two_of_one_unit(phase))
    _swapped(writer, *order)
    reader = read(writer.log.log(), module, tmp_path)
    assert [(str(f.verdict), f.notation.split()[1]) for f in reader.found] == [("legal", verb)] * 2
    g = book().game.setting
    after = _step_ended(reader)
    assert all(g.on_map(after, g.gfs.index[gf]) for gf in TWO.values())


@pytest.mark.parametrize("when", ["at once", "before its unit"])
@pytest.mark.parametrize("phase", ["axis_action combine axis", "axis_action transfers axis", "axis_action strategic axis"])
def test_the_counter_of_a_formation_left_empty_is_sent_home_by_its_player(module: Path, tmp_path: Path, phase: str, when: str) -> None:
    """Before the step ends, before or after its last unit has left: at the end it goes home anyway."""
    writer = writer_for(module, _two_of_one_unit(phase))
    writer.log.act_as(writer.players["axis"])
    to = "axis-reserve" if "strategic" in phase else "ax-1a"
    drags = [("ax-84k", Lies("ax-7a", DISPLAY), Lies(to, DISPLAY)), ("ax-7a", Lies("1"), Lies("axis-reserve"))]
    for unit, frm, there in drags if when == "at once" else drags[::-1]:
        writer._lay(unit, frm, there)
    reader = read(writer.log.log(), module, tmp_path)
    assert [(str(f.verdict), f.pieces[0]) for f in reader.found] == [("legal", "ax-84k")]
    g = book().game.setting
    assert _step_ended(reader).gf_at[g.gfs.index["ax-7a"]] == g.reserve(2)
    assert not reader.broken


@pytest.mark.parametrize("phase", ["axis_action transfers axis", "axis_action combine_again axis"])
def test_a_formation_that_holds_a_unit_is_not_sent_home_in_these_steps(module: Path, tmp_path: Path, phase: str) -> None:
    writer = writer_for(module, _two_of_one_unit(phase))
    writer.log.act_as(writer.players["axis"])
    writer._drag(["ax-7a"], Lies("axis-reserve"))
    ((verdict, notation, rules),) = _found(writer, module, tmp_path)
    assert (verdict, notation) == ("illegal", "axis recall ax-7a") and rules[0] == "9.2.b"


def test_a_formation_sent_home_is_filled_there_or_on_the_map_as_its_counter_lies(module: Path, tmp_path: Path) -> None:
    """9.2: the counter tells where a formation is filled whose only unit has just gone to the Reserve."""
    g = book().game.setting
    for sent in (-1, 1, 2):
        writer = writer_for(module, _two_of_one_unit("axis_action strategic axis"))
        writer.log.act_as(writer.players["axis"])
        writer._lay("ax-84k", Lies("ax-7a", DISPLAY), Lies("axis-reserve", DISPLAY))
        for step in (1, 2):
            if step == sent:
                writer._drag(["ax-7a"], Lies("axis-reserve"))
            if step == 1:
                writer._lay("ax-80k", Lies("axis-reserve", DISPLAY), Lies("ax-7a", DISPLAY))
        reader = read(writer.log.log(), module, tmp_path)
        assert {str(f.verdict) for f in reader.found} == {"legal"}, [(f.notation, f.message) for f in reader.found]
        after = _step_ended(reader)
        home = after.gf_at[g.gfs.index["ax-7a"]] == g.reserve(2)
        assert home == (sent > 0) and after.sealed[2].at[g.units.index["ax-80k"]] == g.display(g.gfs.index["ax-7a"])
        assert ("axis recall ax-7a" in [str(a) for a in reader.record]) == (sent > 0)


def test_armour_that_is_put_back_where_it_began_may_go_elsewhere(module: Path, tmp_path: Path) -> None:
    """9.3, R-F86: only where a unit ends counts; dragged through a zone that is too far it is refused where it ends there."""
    for there, lawful in (("ax-15a", True), ("ax-7a", True), ("ax-4pz", False)):
        position = _two_of_one_unit("axis_action transfers axis", ("5", "8"))
        writer = writer_for(module, position)
        writer.log.act_as(writer.players["axis"])
        writer._lay("ax-47pzk", Lies("ax-1a", DISPLAY), Lies("ax-7a", DISPLAY))
        writer._lay("ax-84k", Lies("ax-7a", DISPLAY), Lies("ax-7a", DISPLAY))
        writer._lay("ax-47pzk", Lies("ax-7a", DISPLAY), Lies(there, DISPLAY))
        last = read(writer.log.log(), module, tmp_path).found[-1]
        assert (str(last.verdict) == "legal") == lawful, (there, last)


def test_a_formation_dragged_home_with_its_units_comes_back_with_them_in_the_next_turn(module: Path, tmp_path: Path) -> None:
    """9.2: they are loose in the Reserve until then; on the table they stay in their display, which lies apart from the map."""
    writer = writer_for(module, _at("axis_action strategic axis"))
    writer.log.act_as(writer.players["axis"])
    writer._drag(["ax-2a"], Lies("axis-reserve"))
    p = writer.position
    inside = p.sealed[2].at.count(book().game.setting.display(book().game.setting.gfs.index["ax-2a"]))
    home = [a for a in book().legal(p) if str(a).startswith("axis withdraw") and a.unit in _units_of(p, "ax-2a")]
    assert len(home) == inside > 1
    for a in home:
        p = book().play(p, a)
    while (p.turn, step_name(p)) != (2, "Axis Action: strategic movement"):
        who = p.frame.by[0]
        done = book().parse(f"{who} done") if who != "chance" else None
        quiet = book().parse("chance roll event 1,2")
        first = quiet if done is None and book().check(p, quiet).legal else next(book().legal(p))
        p = writer.play(p, done if done is not None and book().check(p, done).legal else first)
    writer.log.act_as(writer.players["axis"])
    writer._drag(["ax-2a"], Lies("24"))
    reader = read(writer.log.log(), module, tmp_path)
    last = reader.found[-inside - 1 :]
    assert {(str(f.verdict), f.notation.split()[1]) for f in last} == {("legal", "fill"), ("legal", "place")}, last
    assert all(reader.p.sealed[2].at[book().game.setting.units.index[a.unit]] == _display("ax-2a") for a in home)


def _display(gf: str) -> int:
    g = book().game.setting
    return int(g.display(g.gfs.index[gf]))


def _units_of(p: Any, gf: str) -> set[str]:
    return {name for u, name in enumerate(book().game.setting.units.ids) if p.sealed[2].at[u] == _display(gf)}


def step_name(p: Any) -> str:
    return phase_name(book().game.setting.terms.phases[p.phase])


def test_a_unit_of_the_map_put_into_a_formation_that_was_sent_home_is_refused(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _two_of_one_unit("axis_action combine axis"))
    writer.log.act_as(writer.players["axis"])
    writer._lay("ax-84k", Lies("ax-7a", DISPLAY), Lies("ax-1a", DISPLAY))
    writer._drag(["ax-7a"], Lies("axis-reserve"))
    writer._lay("ax-47pzk", Lies("ax-1a", DISPLAY), Lies("ax-7a", DISPLAY))
    found = read(writer.log.log(), module, tmp_path).found
    assert [str(f.verdict) for f in found] == ["legal", "illegal"] and found[1].rules[0] == "7.4", found[1]


def test_a_display_that_is_too_full_when_the_step_ends_is_found(module: Path, tmp_path: Path) -> None:
    g = book().game.setting
    room = g.gfs.capacity[g.gfs.index["ax-1a"]]
    position = _two_of_one_unit("axis_action combine axis")
    more = [name for u, name in enumerate(g.units.ids) if position.sealed[2].at[u] == g.reserve(2)][: room - 1]
    writer = writer_for(module, _at("axis_action combine axis", gfs={"ax-7a": "1", "ax-1a": "1"}, units=_filled(position, more)))
    _swapped(writer, "ax-84k")
    writer._step((1, "Axis Action: strategic movement"))
    reader = read(writer.log.log(), module, tmp_path)
    legal, owed = reader.found
    assert (str(legal.verdict), legal.kind) == ("legal", "exchange")
    assert str(owed.verdict) != "legal" and owed.kind == "duty" and owed.rules[0].startswith("7.2.d")


def _filled(position: Any, more: list[str]) -> dict[str, str]:
    g = book().game.setting
    lies_in = {name: g.land.places.names[position.sealed[2].at[u]] for u, name in enumerate(g.units.ids) if g.units.side[u] == 2}
    found = {name: "reserve" if place == "axis-reserve" else place for name, place in lies_in.items() if place and not _sky(name)}
    return found | {name: "ax-1a" for name in more}


def test_a_log_with_holes_ends_in_questions_and_never_in_an_error(module: Path, tmp_path: Path) -> None:
    _, actions = played("counter", 2, 160)
    path = tmp_path / "game.vlog"
    write_log(path, written(actions, module, "silent"))
    (table,) = read_parts(path, box(), module=module_at(module))
    for seed in range(3):
        dice = random.Random(seed)
        kept = tuple(e for e in table.events if dice.random() > 0.15)
        reader = Reader(Court(book(), None), book().game, replace(table, events=kept))
        assert any(f.verdict == "unclear" for f in reader.read()) and reader.notes


def test_a_log_is_shown_at_any_step(module: Path, tmp_path: Path) -> None:
    _, actions = played("crusade", 1, 200)
    path = tmp_path / "game.vlog"
    write_log(path, written(actions, module))
    opened = open_file(path, module=module, reader="director")
    p = book().start()
    for a in actions:
        p = book().play(p, a)
    assert opened.position.turn == p.turn and lies(book().game, opened.position).keys() == lies(book().game, p).keys()


def test_a_stop_on_the_way_is_no_move_of_its_own(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action operations soviet"))
    writer._drag(["so-bielo1"], Lies("40"))
    writer._drag(["so-bielo1"], Lies("38"))
    assert _found(writer, module, tmp_path) == [("legal", "soviet move so-bielo1 @ 45 > 38", ())]


def test_an_attack_where_no_enemy_stands_is_refused(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action operations soviet"))
    writer._declare([("CLR", "*"), ("ATT", "so-bielo1", "45")])
    writer.log.roll("Combat", (3,))
    ((verdict, notation, rules), *_) = _found(writer, module, tmp_path)
    assert (verdict, notation) == ("illegal", "soviet attack so-bielo1 @ 45") and "10.1.a" in rules


def test_a_die_without_an_attack_is_a_question(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action operations soviet"))
    writer._drag(["so-bielo1"], Lies("38"))
    writer._drag(["so-balt1"], Lies("37"))
    writer.log.roll("Combat", (3,))
    reader = read(writer.log.log(), module, tmp_path)
    assert [str(f.verdict) for f in reader.found[:2]] == ["legal", "legal"]
    asked = [f.message for f in reader.found[2:]] + [o.finding.message for o in reader.open]
    assert all(f.verdict != "illegal" for f in reader.found) and (asked or reader.p.combat is not None)


def test_a_formation_of_the_side_that_is_not_on_move_cannot_be_moved(module: Path, tmp_path: Path) -> None:
    _, actions = played("crusade", 1, 900)
    until = next(i for i, a in enumerate(actions) if str(a).startswith("soviet move"))
    writer = writer_for(module, book().start())
    p = writer.position
    for a in actions[:until]:
        p = writer.play(p, a)
    writer._drag(["ax-2a"], Lies("24"))
    reader = read(writer.log.log(), module, tmp_path)
    last = reader.found[-1]
    assert (str(last.verdict), last.rules) == ("illegal", ("2",)) and "cannot move now" in last.message


def test_an_attack_of_the_side_that_is_not_on_move_is_told_that_it_is_no_time_for_one(module: Path, tmp_path: Path) -> None:
    _, actions = played("crusade", 1, 900)
    writer = writer_for(module, book().start())
    p = writer.position
    for a in actions[: next(i for i, a in enumerate(actions) if str(a).startswith("soviet move"))]:
        p = writer.play(p, a)
    writer._declare([("CLR", "*"), ("ATT", "ax-3pz", "37")])
    writer.log.roll("Combat", (3,))
    last = read(writer.log.log(), module, tmp_path).found[-1]
    assert (str(last.verdict), last.kind, last.rules) == ("illegal", "attack", ("2",))
    assert last.message == "this is no time for 3.Pz.Armee to attack: it is Soviet Action: operations"


def test_an_attack_after_the_operations_of_its_own_side_is_a_question_about_an_attack(module: Path, tmp_path: Path) -> None:
    writer = writer_for(module, _at("soviet_action combine_again soviet"))
    writer._declare([("CLR", "*"), ("ATT", "so-balt1", "37")])
    writer.log.roll("Combat", (3,))
    asked = read(writer.log.log(), module, tmp_path).found[0]
    assert (str(asked.verdict), asked.kind, asked.message) == ("unclear", "attack", "did Balt 1 attack? no rule of this step does so")


def test_a_line_that_no_player_typed_announces_nothing(module: Path, tmp_path: Path) -> None:
    """The module reports with the names of formations what is done with them: whoever reads that as words of a player accuses somebody."""

    def attacked(say: Callable[[Any], None]) -> list[tuple[str, str, tuple[str, ...]]]:
        writer = writer_for(module, _at("soviet_action operations soviet"))
        writer._drag(["so-bielo1"], Lies("38"))
        say(writer.log)
        writer.log.roll("Combat", (3,))
        return _found(writer, module, tmp_path)

    silent = attacked(lambda log: None)
    assert attacked(lambda log: log.report("38 Brest: Balt 1 and Bielo 3 are turned")) == silent
    assert "soviet attack so-balt1" in str(attacked(lambda log: log.chat("Balt 1 attacks")))


def test_the_box_of_the_tests_is_the_box_of_the_module(module: Path) -> None:
    assert box().data_hash == book().game.data
