"""``referee show``, ``score`` and ``legal`` for a reader: nothing that is hidden from him changes a byte of what he is given (R-F136)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.games.overlord_to_berlin import players
from referee.games.overlord_to_berlin.actions import OWN
from referee.games.overlord_to_berlin.position import Pos, members, seal
from referee.rules.model import Action
from referee.rules.position_text import position_text
from referee.rules.record import header_of, record_of
from tests.games.fotb.layout import AXIS, BOOK, SOVIET, WEST, G, lay, rule
from tests.games.fotb.twins import SEEN_BY, twin

GAME = ("--game", "overlord-to-berlin")
READERS = ("public", "west", "soviet", "axis")
Run = Callable[..., tuple[int, str, str]]


@cache
def played(plan: str, most: int) -> tuple[tuple[Action, ...], tuple[Pos, ...]]:
    """The first actions of a game from the set-up, and every position on the way."""
    dice = random.Random(f"readers/{plan}")
    p = BOOK.start()
    actions: list[Action] = []
    passed = [p]
    while len(actions) < most and not BOOK.over(p):
        actions.append(players.choose(BOOK, p, dice, plan))
        p = BOOK.play(p, actions[-1])
        passed.append(p)
    return tuple(actions), tuple(passed)


def written(p: Pos, folder: Path) -> Path:
    """The position as a file that is always called the same."""
    path = folder / "here.position"
    path.write_text(position_text(BOOK, p), "utf-8")
    return path


def some(plan: str) -> Iterator[Pos]:
    """Positions of a game, and among them every one in which a combat shows units or asks for losses."""
    _, passed = played(plan, 700)
    yield from passed[5::160]
    yield from [p for p in passed if p.shown][:1]


def pairs(reader: str) -> Iterator[tuple[Pos, Pos]]:
    """Positions and their twins, which this reader cannot tell apart."""
    dice = random.Random(f"pairs/{reader}")
    for plan in ("crusade", "counter"):
        for p in some(plan):
            yield p, twin(p, reader, dice)


def outputs(run: Run, p: Pos, reader: str, folder: Path) -> list[str]:
    """Everything that the commands print of a position for a reader, pictures aside."""
    file = written(p, folder)
    told = []
    for words in (("show",), ("show", "--json"), ("score",), ("score", "--json"), ("legal",), ("legal", "--json")):
        code, out, err = run(words[0], file, *GAME, "--for", reader, *words[1:])
        assert code == 0 and not err
        told.append(out)
    return told


@rule("0.2.e")
@pytest.mark.parametrize("reader", READERS)
def test_what_is_hidden_from_a_reader_changes_no_byte_that_he_is_shown(run: Run, tmp_path: Path, reader: str) -> None:
    for p, q in pairs(reader):
        assert position_text(BOOK, p) != position_text(BOOK, q)
        assert outputs(run, p, reader, tmp_path) == outputs(run, q, reader, tmp_path)
        assert lying(run, p, "director", tmp_path) != lying(run, q, "director", tmp_path)


def lying(run: Run, p: Pos, reader: str, folder: Path) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Piece -> (where a reader is shown it, its marks)."""
    code, out, _ = run("show", written(p, folder), *GAME, "--for", reader, "--json")
    assert code == 0
    return {unit["piece"]: (unit["place"], tuple(unit["marks"])) for unit in json.loads(out)["scene"]["units"]}


@rule("0.2.e")
@pytest.mark.parametrize("reader", [*READERS, "allied", "director"])
def test_a_reader_is_shown_all_that_his_own_sides_hide_and_nothing_that_the_others_do(run: Run, tmp_path: Path, reader: str) -> None:
    sees = {"allied": (WEST, SOVIET), "director": (WEST, SOVIET, AXIS), **SEEN_BY}[reader]
    p = next(p for p in played("crusade", 700)[1][300:] if all(own.hand and own.reduced for own in p.sealed))
    seen = lying(run, p, reader, tmp_path)
    inside = [unit for unit, at in enumerate(p.at) if at == G.land.places.inside]
    assert {G.units.ids[unit] for unit in inside} & set(seen) == {G.units.ids[unit] for unit in inside if G.units.side[unit] in sees}
    for unit in inside:
        if G.units.side[unit] in sees:
            assert ("reduced" in seen[G.units.ids[unit]][1]) == bool(p.sealed[G.units.side[unit]].reduced >> unit & 1)
    told = " ".join(run("show", written(p, tmp_path), *GAME, "--for", reader)[1].split())
    for side, own in enumerate(p.sealed):
        assert own.hand
        for card in members(own.hand):
            assert (G.cards.names[card] in told) == (side in sees)


@rule("10.3.b")
def test_units_that_a_combat_shows_are_shown_to_everybody(run: Run, tmp_path: Path) -> None:
    """R-F102: what losses and the enemy's choice have laid open."""
    p = next(p for p in played("crusade", 700)[1] if len(p.shown) > 1)
    seen = lying(run, p, "public", tmp_path)
    hidden = {G.units.ids[unit] for unit, at in enumerate(p.at) if at == G.land.places.inside}
    assert {G.units.ids[unit] for unit, _, _ in p.shown if p.at[unit] == G.land.places.inside} == hidden & set(seen)
    for unit, gf, turned in p.shown:
        if G.units.ids[unit] in hidden:
            place, marks = seen[G.units.ids[unit]]
            assert place == G.land.name(p.gf_at[gf]) and f"in:{G.gfs.ids[gf]}" in marks and ("reduced" in marks) == bool(turned)


def test_a_position_is_told_for_the_public_where_nobody_is_named_and_says_so(run: Run, tmp_path: Path) -> None:
    file = written(BOOK.start(), tmp_path)
    assert run("show", file, *GAME) == run("show", file, *GAME, "--for", "public")
    assert "\nfor public: what is hidden is left out\n" in run("show", file, *GAME)[1]
    assert "\nfor axis: what others hide is left out\n" in run("show", file, *GAME, "--for", "Axis")[1]
    assert json.loads(run("show", file, *GAME, "--for", "allied", "--json")[1])["for"] == "allied"


def test_a_reader_that_there_is_not_is_refused_in_one_line(run: Run, tmp_path: Path) -> None:
    for command in ("show", "score", "legal"):
        code, out, err = run(command, written(BOOK.start(), tmp_path), *GAME, "--for", "finns")
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert "there is no reader 'finns'; there are: public, director, allied, axis, soviet, west" in err


def test_everything_is_shown_when_the_game_has_ended(run: Run, tmp_path: Path) -> None:
    p = lay("final verdict", "ax-4pz 37: ax-13k / so-balt1 44: so-43a / so-bielo3 45: so-5a / + reserve: so-4gda", turn=7)
    assert BOOK.over(p)
    q = twin(p, "axis", random.Random(1))
    for reader in READERS:
        seen = lying(run, p, reader, tmp_path)
        assert len(seen) == len(G.units.ids) + len(G.gfs.ids)
        told = run("show", written(p, tmp_path), *GAME, "--for", reader)[1]
        assert "is left out" not in told and "\nthe game of this file has ended: everybody is shown everything\n" in told
    assert outputs(run, p, "axis", tmp_path)[0] != outputs(run, q, "axis", tmp_path)[0]


# ---------------------------------------------------------------------------------------------------------------------------
# Records


def recorded(actions: tuple[Action, ...], last: Pos, folder: Path) -> Path:
    path = folder / "game.record"
    path.write_text(str(record_of(BOOK, header_of(BOOK), actions, last)), "utf-8")
    return path


def test_a_record_names_a_hidden_action_to_its_owner_alone(run: Run, tmp_path: Path) -> None:
    actions, passed = played("crusade", 700)
    file = recorded(actions, passed[-1], tmp_path)
    for side in ("axis", "soviet"):
        at = next(i for i, a in enumerate(actions) if isinstance(a, OWN) and a.by == side) + 1
        words = ("show", file, "--at", str(at), "--json", "--for")
        told = {reader: json.loads(run(*words, reader)[1])["last"] for reader in ("public", "axis", "soviet", "west", "director")}
        own = {"axis"} if side == "axis" else {"soviet", "west"}
        assert {reader for reader, last in told.items() if last == str(actions[at - 1])} == {*own, "director"}
        assert {last for last in told.values()} == {str(actions[at - 1]), "a hidden action"}


def test_a_record_of_a_hidden_action_that_is_illegal_says_so_and_not_what_it_was(run: Run, tmp_path: Path) -> None:
    text = str(record_of(BOOK, header_of(BOOK), (), BOOK.start())).splitlines()
    bad = tmp_path / "bad.record"
    kept = [line.split(" ; ")[0] for line in text if not line.startswith("end ")]
    kept[0] = "record 1"
    bad.write_text("\n".join([*kept, "1 chance draw ax-szorkeny @ axis"]) + "\n", "utf-8")
    for reader in ("public", "soviet"):
        code, _, err = run("show", bad, "--for", reader)
        assert code == 2 and "action 1, a hidden action, is illegal (--at 0 shows the position before it)" in err
        assert "szorkeny" not in err.casefold()
    assert "ax-szorkeny" in run("show", bad, "--for", "axis")[2]


# ---------------------------------------------------------------------------------------------------------------------------
# What may be done


def test_what_a_side_may_do_is_listed_for_its_player_and_the_director(run: Run, tmp_path: Path) -> None:
    p = lay("soviet_action operations soviet", "ax-4pz 37: ax-13k ax-42k- / so-balt1 37: so-43a / so-bielo3 44: so-5a", pr="soviet 3")
    file = written(p, tmp_path)
    for reader in ("director", "soviet", "allied", "west"):
        assert "soviet attack so-balt1 @ 37" in run("legal", file, *GAME, "--for", reader)[1]
    for reader in ("axis", "public"):
        out = run("legal", file, *GAME, "--for", reader)[1]
        assert "soviet attack" not in out and "what soviet may do is theirs to know: --for soviet, or director" in out
    assert "Where ax-13k lies is hidden" in run("legal", file, *GAME, "--unit", "ax-13k", "--to", "38", "--for", "soviet")[1]


def test_of_a_view_nothing_is_listed_for_whom_it_leaves_out(run: Run, tmp_path: Path) -> None:
    _, passed = played("crusade", 700)
    p = next(p for p in passed if p.agenda[-1].by == ("west",))
    for reader in ("director", "west"):
        code, out, _ = run("legal", written(BOOK.view(p, "axis"), tmp_path), *GAME, "--for", reader)
        assert code == 0 and "what west may do cannot be told: the position leaves out what they hide" in out
        assert "west done" not in out
    own = run("legal", written(BOOK.view(p, "west"), tmp_path), *GAME)[1]
    whole = run("legal", written(p, tmp_path), *GAME, "--for", "west")[1]
    listed = [[line for line in told.splitlines() if line.startswith("west ")] for told in (own, whole)]
    assert listed[0] == listed[1] and "west done" in listed[0]


def test_dice_are_open_to_all_and_draws_are_not(run: Run, tmp_path: Path) -> None:
    passed = played("crusade", 700)[1]
    throw = next(p for p in passed if p.frame.step == "dice")
    assert "chance roll" in run("legal", written(throw, tmp_path), *GAME, "--for", "public")[1]
    draw = next(p for p in passed if p.frame.step == "draw")
    assert "chance draw" not in run("legal", written(draw, tmp_path), *GAME, "--for", "public")[1]


def test_notes_on_a_broken_position_tell_a_reader_what_he_may_see(run: Run, tmp_path: Path) -> None:
    unit = G.units.index["ax-13k"]
    p = lay("soviet_action operations soviet", "ax-4pz 37: ax-13k / so-balt1 37: so-43a")
    own: Any = bytearray(p.sealed[AXIS].at)
    own[unit] = G.land.places.inside
    broken = seal(p, AXIS, at=bytes(own))
    assert "ax-13k is in two places or in none" in run("show", written(broken, tmp_path), *GAME, "--for", "axis")[1]
    assert "no game comes to" not in run("show", written(broken, tmp_path), *GAME, "--for", "soviet")[1]
