"""What an act on the table can have been in the rules: candidate actions, the likeliest first. Whether they are lawful is asked later.

A candidate is a sequence of actions: mostly of one. Nothing here looks at more than where things lie and whose they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from referee.games.overlord_to_berlin.actions import (
    Attack,
    Disband,
    Draw,
    Drop,
    Exchange,
    Fill,
    Land,
    Lay,
    Lend,
    Levy,
    Lose,
    Move,
    Place,
    Play,
    Pocket,
    Rebuild,
    Recall,
    Remove,
    Reroll,
    Restore,
    Retreat,
    Return,
    Sail,
    ToBox,
    Transfer,
    TurnOver,
    Withdraw,
)
from referee.games.overlord_to_berlin.duties_of_events import croatia_allows
from referee.games.overlord_to_berlin.land import SIDES, SOVIET, WEST
from referee.games.overlord_to_berlin.position import BOUGHT, CARD, FREE, SEA, Pos
from referee.games.overlord_to_berlin.reading_table import Act
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.showing import BOMBARDMENT_DICE, EVENT_DICE, PLAYED, RETHROW
from referee.games.overlord_to_berlin.stacking import emptied
from referee.games.overlord_to_berlin.terms import TRACKS, TRACKS_OF
from referee.games.overlord_to_berlin.units import gfs_in, is_reduced, units_in
from referee.rules.model import CHANCE, Action, Roll

Candidate = tuple[Action, ...]
_KEYS = {
    "combat": "Combat",
    "free-attack": "Combat",
    "leave": "Leave to retreat",
    "pocket": "Pocket",
    "paratroops": "Paratroops return",
    "war-end": "Three dice",
}
SPECIAL = {*_KEYS.values(), *EVENT_DICE, *BOMBARDMENT_DICE.values(), RETHROW} - {"Combat", "Three dice"}
"""Dice of the module that are for one purpose only."""


def is_zone(g: Setting, name: str) -> bool:
    """Whether a place is a zone of the map."""
    return g.land.places.index.get(name, g.land.size) < g.land.size


def is_display(g: Setting, name: str) -> bool:
    """Whether a place is the display of a formation: it has the formation's id."""
    return name in g.gfs.index


def reserves(g: Setting) -> tuple[str, ...]:
    """The Strategic Reserves, as places of the table."""
    return tuple(g.land.places.names[g.reserve(side)] for side in range(len(SIDES)))


def kinds_of(g: Setting, side: int, count: int) -> Iterator[tuple[str, ...]]:
    """The ways to name so many PA, the unnamed one first."""
    yield ()
    words = [FREE, CARD, SEA, *([f"{BOUGHT}-{TRACKS[t]}" for t in TRACKS_OF[side]] if side == WEST else [BOUGHT])]
    yield from product(words, repeat=count)


def formation(g: Setting, p: Pos, act: Act) -> Iterator[Candidate]:
    """A formation, or several in one drag, put somewhere else."""
    gfs = tuple(sorted(act.pieces))
    side = g.gfs.side[g.gfs.index[gfs[0]]]
    by = SIDES[side]
    reserve = g.land.places.names[g.reserve(side)]
    if is_zone(g, act.frm) and is_zone(g, act.to):
        if p.combat is not None or p.frame.step.startswith("retreat"):
            yield tuple(Retreat(by, gf, act.to) for gf in gfs)
        if side == WEST and len(gfs) == 1 and croatia_allows(g, p, g.gfs.index[gfs[0]]):
            yield (Land(by, gfs, act.to),)  # PE.West.9: from Italy by sea
        for count in (1, 2):
            for kinds in kinds_of(g, side, count):
                if kinds or count == 1:
                    yield (Move(by, gfs, act.frm, act.to, kinds),)
        yield tuple(Retreat(by, gf, act.to) for gf in gfs)
    elif act.frm == reserve and is_zone(g, act.to):
        if side == WEST:
            zone = g.land.zone(act.to)
            lands: list[Candidate] = [(Land(by, gfs, act.to),)] if len(gfs) <= 2 else []
            sails: list[Candidate] = [tuple(Sail(by, gf, act.to) for gf in gfs)]
            by_port = gfs_in(g, p, WEST, zone) or (g.land.ports >> zone & 1 and not g.land.landing[zone])
            yield from (*sails, *lands) if by_port else (*lands, *sails)
        yield tuple(Place(by, gf, act.to) for gf in gfs)
    elif is_zone(g, act.frm) and act.to == reserve:
        yield tuple(Recall(by, gf) for gf in gfs)
        if p.frame.step == "strategic":
            yield tuple(Withdraw(by, g.units.ids[u]) for gf in gfs for u in units_in(g, p, g.gfs.index[gf]))
    elif act.to.endswith("-removed"):
        yield tuple(Disband(by, gf) for gf in gfs)


def recalls(g: Setting, p: Pos, side: int, *only: str) -> Candidate:
    """The empty formations of a side on the map (of these) sent home before the step does it (9.8)."""
    return tuple(Recall(SIDES[side], g.gfs.ids[gf]) for gf in emptied(g, p, side) if not only or g.gfs.ids[gf] in only)


def unit(g: Setting, p: Pos, act: Act, *, back: bool) -> Iterator[Candidate]:
    """A unit put somewhere else. ``back``: it lies reduced afterwards."""
    name = act.piece
    index = g.units.index[name]
    side = g.units.side[index]
    by = SIDES[side]
    places = g.land.places
    reserve, destroyed = places.names[g.reserve(side)], places.names[places.destroyed[side]]
    piles = tuple(places.names[n] for n in places.piles[side])
    dead = (*piles, destroyed)
    frm, to = act.frm, act.to
    choosers: list[Candidate] = [(Lose(who, name),) for who in p.frame.by] or [(Lose(by, name),)]
    inside = is_display(g, frm) or frm == reserve
    if is_display(g, to):
        if inside and frm != reserve:
            if p.gf_at[g.gfs.index[frm]] == g.reserve(side):  # out of one formation of the Reserve into another
                yield (Withdraw(by, name), Fill(by, name, to))
                yield (Fill(by, name, to),)  # by Mystification, or where the rules have it loose in the Reserve
            yield (Exchange(by, name, to),)
            yield (Transfer(by, name, to),)
        elif frm == reserve:
            yield (Fill(by, name, to),)
        elif is_zone(g, frm):
            yield (Transfer(by, name, to),)
        elif frm in dead:
            yield (Rebuild(by, name, "reduced" if back else "full"),)
    elif to == reserve and is_display(g, frm):
        yield (Withdraw(by, name),)
    elif to == reserve and frm in dead:
        if back and frm in piles:
            yield (Return(by, name),)
        for track in ("", *(TRACKS[t] for t in TRACKS_OF[side])):
            yield (Rebuild(by, name, "reduced" if back else "full", track),)
    elif to == destroyed and frm in piles:
        yield (ToBox(by, name),)
    elif to in dead and inside:
        if p.combat is not None and not is_reduced(g, p, index):  # both of its steps: the second may be the other's choice
            fighting = (SIDES[p.combat.attacker], SIDES[p.combat.defender])
            choosers = [(*first, Lose(who, name)) for first in choosers for who in fighting]
        yield from choosers
    elif is_zone(g, to) and g.units.paratroops >> index & 1:
        yield (Drop(by, name),)
    elif is_zone(g, to) and inside:
        yield (Pocket(by, name),)
    elif to == places.names[places.removed[side]]:
        yield (Remove(by, name),)


def turned(g: Setting, p: Pos, act: Act) -> Iterator[Candidate]:
    """A unit turned: restored, or a step lost."""
    name = act.piece
    side = g.units.side[g.units.index[name]]
    by = SIDES[side]
    if act.value:
        yield from ((Lose(who, name),) for who in p.frame.by)
        yield (Lose(by, name),)
        return
    for track in ("", *(TRACKS[t] for t in TRACKS_OF[side])):
        yield (Restore(by, name, track),)
    yield (Levy(by, name),)


def over(g: Setting, act: Act) -> Candidate:
    """A formation turned face down."""
    return (TurnOver(SIDES[g.gfs.side[g.gfs.index[act.piece]]], act.piece),)


def drawn(g: Setting, p: Pos, run: Sequence[Act]) -> Iterator[Candidate]:
    """Cards taken from a deck into one hand, one after another: as many as are wanted."""
    side = run[0].to.removesuffix("-hand")
    yield (Draw(CHANCE, side, tuple(sorted(act.piece for act in run))),)


def card(g: Setting, p: Pos, act: Act, *, aims: Sequence[str], die: int) -> Iterator[Candidate]:
    """A card laid open, lent or put back. ``aims``: what it was said to be for; ``die``: the die that is thrown again, 0 = untold."""
    index = g.cards.index[act.piece]
    side = act.frm.removesuffix("-hand")
    if side not in SIDES or not act.frm.endswith("-hand"):
        return
    if act.to == f"{SIDES[SOVIET]}-hand" and side == SIDES[WEST]:
        yield (Lend(side, act.piece),)
        return
    if act.to != PLAYED:
        return
    if g.cards.operational >> index & 1:
        yield (Lay(side, act.piece),)
        return
    if g.cards.with_effect("reroll_keep_choice") >> index & 1:
        yield from ((Reroll(side, act.piece, n),) for n in ((die,) if die else (1, 2, 3)))
        return
    for aim in ("", *aims):
        yield (Play(side, act.piece, aim),)
    if p.frame.step == "cancel":
        for value in p.frame.data:
            if isinstance(value, tuple):
                yield from ((Play(side, act.piece, g.gfs.ids[gf]),) for gf in value if gf < len(g.gfs.ids))


def wanted(p: Pos) -> int:
    """How many dice are waited for."""
    if p.frame.step == "reroll-die":
        return 1
    count = p.frame.data[1] if p.frame.step == "dice" else 0
    return count if isinstance(count, int) else 0


def dice(p: Pos, thrown: Sequence[Act]) -> Iterator[Candidate]:
    """Dice for what is waited for, unless they were those of another purpose; of a combat each side may have thrown its own, and who
    sat where tells whose is whose."""
    if p.frame.step not in ("dice", "reroll-die"):
        return
    key = str(p.frame.data[0])
    fits = {_KEYS.get(key, "")}
    if key == "event":
        fits = set(EVENT_DICE)
    elif key == "bombardment":
        fits = set(BOMBARDMENT_DICE.values())
    elif p.frame.step == "reroll-die":
        fits = {RETHROW}
    for act in thrown:
        if (act.text in SPECIAL or act.text == "Three dice") and act.text not in fits and p.frame.step != "reroll-die":
            return
        if p.frame.step == "reroll-die" and act.text in SPECIAL and act.text != RETHROW:
            return
    if p.combat is not None and len(thrown) == 2 and [seat_side(act.seat) for act in thrown] == [p.combat.defender, p.combat.attacker]:
        thrown = thrown[::-1]
    yield (Roll(CHANCE, key, tuple(face for act in thrown for face in act.faces)),)


def seat_side(seat: str) -> int | None:
    """The side of a seat of one side alone; None for a seat of several or none."""
    low = seat.casefold()
    return next((side for side, word in enumerate(("western", "soviet", "axis")) if low.startswith(word)), None)


def attacks(g: Setting, p: Pos, named: Sequence[str]) -> Iterator[Candidate]:
    """The attack of formations declared in this order: the first attacks and the others support it; in a landing two attack, of whom
    one may have been named for both (9.5)."""
    if not named:
        return
    first = g.gfs.index[named[0]]
    side, zone = g.gfs.side[first], p.gf_at[first]
    if zone >= g.land.size:
        return
    where = g.land.name(zone)
    here = [name for name in named if p.gf_at[g.gfs.index[name]] == zone and g.gfs.side[g.gfs.index[name]] == side]
    both: list[Candidate] = []
    for kinds in kinds_of(g, side, 1) if len(here) > 1 else ():
        both.append((Attack(SIDES[side], tuple(sorted(here[:2])), where, tuple(sorted(here[2:])), kinds),))
    alone: list[Candidate] = []
    for kinds in kinds_of(g, side, 1):
        alone.append((Attack(SIDES[side], (here[0],), where, tuple(sorted(here[1:])), kinds),))
    landed = all(p.landers >> g.gfs.index[name] & 1 for name in here[:2])
    yield from (*both, *alone) if landed else (*alone, *both)
    ashore = [g.gfs.ids[gf] for gf in gfs_in(g, p, side, zone) if p.landers >> gf & 1]
    if len(here) == 1 and here[0] in ashore and len(ashore) == 2:
        yield (Attack(SIDES[side], tuple(sorted(ashore)), where),)


def undeclared(g: Setting, p: Pos, side: int, zone: int) -> Iterator[Candidate]:
    """The attacks that a side can have made in a zone: each of its formations there, supported by all, some or none of the others."""
    here = [g.gfs.ids[gf] for gf in gfs_in(g, p, side, zone)]
    where = g.land.name(zone)
    for gf in here:
        others = tuple(sorted(name for name in here if name != gf))
        for count in range(len(others), -1, -1):
            for helped in combinations(others, count):
                for kinds in kinds_of(g, side, 1):
                    yield (Attack(SIDES[side], (gf,), where, helped, kinds),)
    for pair in combinations(here, 2):
        yield (Attack(SIDES[side], tuple(sorted(pair)), where),)


def of_side(g: Setting, names: Iterable[str], side: int) -> tuple[str, ...]:
    """Those of some formations that are a side's."""
    return tuple(name for name in names if name in g.gfs.index and g.gfs.side[g.gfs.index[name]] == side)
