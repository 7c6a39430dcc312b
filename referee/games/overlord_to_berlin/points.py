"""8: action points. What each formation has of them, what it may spend, and who is turned over when (R-F89, R-F90).

Every kind has its own rule: ``free`` once a phase; ``bought`` once, with a PR and in supply; ``card`` of a stratagem, for any
formation, turned over or not; ``sea`` the second one after a landing or an arrival by sea, without PR.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from referee.games.overlord_to_berlin import duties_of_events as duties
from referee.games.overlord_to_berlin.changes import pay
from referee.games.overlord_to_berlin.land import AXIS, WEST
from referee.games.overlord_to_berlin.position import (
    BARRED,
    BOUGHT,
    BOUGHT_USED,
    BY_SEA,
    CARD,
    FREE,
    FREE_USED,
    OFFENSIVE,
    SEA,
    SEA_READY,
    SPENT,
    TURNED,
    Pos,
    alter,
    members,
    set_byte,
)
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.supply import supplied, tracks_reached
from referee.games.overlord_to_berlin.terms import TRACKS, TRACKS_OF
from referee.rules.model import Reason, cite

DONE_FOR = FREE_USED | TURNED
ATTACK, MOVE, BY_WATER = "attack", "move", "sea"
"""What PA are spent for."""


class Plan(msgspec.Struct, frozen=True):
    """Which PA formations are about to spend, every kind written out (``bought-england`` for the West)."""

    gfs: tuple[int, ...]
    kinds: tuple[tuple[str, ...], ...]
    """Per formation the PA that it spends, in order."""
    purpose: str
    """``attack``, ``move``, or ``sea``: a landing or an arrival by sea."""
    zone: int
    """Where the PR count: the zone entered, or that of the attack (R-F125)."""
    costs: int = 0
    """Where the player named another number of PA: how many the action costs each formation; else 0."""


def plan(g: Setting, p: Pos, gfs: tuple[int, ...], count: int, kinds: tuple[str, ...], *, purpose: str, zone: int) -> Plan:
    """The PA that an action costs, ``count`` of each formation. ``kinds`` as the player named them: for each formation alike, or
    formation after formation; none = the usual ones, the free one first (R-F89). Always a plan: ``against`` says what is wrong."""
    if kinds and len(kinds) not in (count, count * len(gfs)):
        return Plan(gfs, tuple(kinds for _ in gfs), purpose, zone, count)
    each = [kinds[i * count : (i + 1) * count] if len(kinds) > count else kinds for i in range(len(gfs))]
    spent: list[tuple[str, ...]] = []
    left = list(p.pr)
    for gf, wanted in zip(gfs, each, strict=True):
        own = tuple(_written_out(g, p, gf, kind, left) for kind in wanted or _usual(p, gf, count, purpose))
        spent.append(own)
        for kind in own:
            track = track_of(g, gf, kind)
            if track is not None:
                left[track] -= g.number("pr_per_second_pa")
    return Plan(gfs, tuple(spent), purpose, zone)


def _usual(p: Pos, gf: int, count: int, purpose: str) -> tuple[str, ...]:
    """The PA that a formation spends when none is named: free, of a card, from the sea, bought; to come by sea none is bought."""
    has = p.pa[gf]
    found = [FREE] if not has & DONE_FOR else []
    found += [CARD] * cards_left(p, gf, purpose)
    found += [SEA] if sea_ready(p, gf, purpose) and not has & TURNED else []
    return tuple((found + [SEA if purpose == BY_WATER else BOUGHT] * count)[:count])


def _written_out(g: Setting, p: Pos, gf: int, kind: str, left: list[int]) -> str:
    """A bought PA of the West with the marker that pays: of those that the formation reaches the first with a point (R-F68)."""
    if kind != BOUGHT or g.gfs.side[gf] != WEST:
        return kind
    reached = tracks_reached(g, p, gf) if g.on_map(p, gf) else ()
    track = next((t for t in reached if left[t] >= g.number("pr_per_second_pa")), next(iter(reached), TRACKS_OF[WEST][0]))
    return f"{BOUGHT}-{TRACKS[track]}"


def track_of(g: Setting, gf: int, kind: str) -> int | None:
    """The track that pays this kind of PA for the formation, None where nothing is paid."""
    if not kind.startswith(BOUGHT):
        return None
    marker = kind[len(BOUGHT) + 1 :]
    return TRACKS.index(marker) if marker else TRACKS_OF[g.gfs.side[gf]][0]


def cards_left(p: Pos, gf: int, purpose: str) -> int:
    """The PA of stratagems that a formation can still spend; that of Hitler Offensive serves an attack alone (11.5, R-F54)."""
    held = p.extra[gf]
    return held if purpose == ATTACK or not p.pa[gf] & OFFENSIVE else max(held - 1, 0)


def sea_ready(p: Pos, gf: int, purpose: str) -> bool:
    """Whether the second PA from the sea is there: for the coming itself when the first was lost (R-F56, R-F100), for anything else
    once the formation has come (R-F97)."""
    return bool(p.pa[gf] & SEA_READY) and (purpose == BY_WATER or bool(p.pa[gf] & BY_SEA))


def face_down(p: Pos, gf: int) -> bool:
    """Whether the counter lies turned over (8.3): not while a stratagem gives it a PA (R-F55)."""
    return bool(p.pa[gf] & TURNED) and not p.extra[gf]


def against(g: Setting, p: Pos, plan: Plan) -> Iterator[Reason]:
    """Every reason against spending these PA: 8.1, 8.3, R-F89, R-F97, and what the turn's event says of PR."""
    if plan.costs:
        yield Reason("pa-count", cite("8.1.b R-F89"), (("named", str(len(plan.kinds[0]))), ("costs", str(plan.costs))))
        return
    q = p
    for gf, kinds in zip(plan.gfs, plan.kinds, strict=True):
        for kind in kinds:
            yield from _against_one(g, q, gf, kind, plan)
            q = _take(g, q, gf, kind, plan)


def _against_one(g: Setting, p: Pos, gf: int, kind: str, plan: Plan) -> Iterator[Reason]:
    has = p.pa[gf]
    name = ("gf", g.gfs.names[gf])
    if kind == CARD:
        if not cards_left(p, gf, plan.purpose):
            yield Reason("no-card-pa", cite("8.2.h R-F55"), (name,))
        return
    if has & TURNED:
        yield Reason("turned-over", cite("8.3 R-F90"), (name,))
    if kind == FREE:
        if has & FREE_USED:
            yield Reason("free-used", cite("8.1.a R-F89"), (name,))
    elif kind == SEA:
        if not sea_ready(p, gf, plan.purpose):
            yield Reason("no-sea-pa", cite("9.5.h R-F97", "9.7.f R-F101"), (name,))
    else:
        yield from _against_buying(g, p, gf, kind, plan)


def _against_buying(g: Setting, p: Pos, gf: int, kind: str, plan: Plan) -> Iterator[Reason]:
    has, side = p.pa[gf], g.gfs.side[gf]
    name = ("gf", g.gfs.names[gf])
    if has & BOUGHT_USED:
        yield Reason("bought-used", cite("8.1.c R-F89"), (name,))
    if has & BARRED:
        yield Reason("bought-barred", cite("11.7.d R-F56", "11.5.j R-F56") if side == AXIS else cite("11.5.j R-F56"), (name,))
    if has & (BY_SEA | SEA_READY):
        yield Reason("sea-buys-none", cite("9.5.h R-F97", "9.7.f R-F101"), (name,))
    if not supplied(g, p, gf):
        yield Reason("bought-cut-off", cite("8.1.i R-F34"), (name,))
    track = track_of(g, gf, kind)
    assert track is not None
    if track not in TRACKS_OF[side] or (side == WEST and supplied(g, p, gf) and track not in tracks_reached(g, p, gf)):
        yield Reason("wrong-marker", cite("5.4.h R-F68"), (name, ("track", TRACKS[track])))
        return
    if p.pr[track] < g.number("pr_per_second_pa"):
        yield Reason("no-pr", cite("5.7.c R-F89"), (name, ("track", TRACKS[track])))
    yield from duties.spend_reasons(g, p, side, track, gf, plan.zone, plan.purpose)


def spend(g: Setting, p: Pos, plan: Plan, stopped: tuple[int, ...] = ()) -> Pos:
    """The position after these PA. Of ``stopped`` formations the first PA named is lost, its PR kept, the others kept (R-F56).

    Who has spent PA other than of stratagems is turned over when a formation of another group acts (R-F90), and who has none left
    at once (8.3)."""
    for gf, kinds in zip(plan.gfs, plan.kinds, strict=True):
        if gf in stopped:
            p = _lose(p, gf, kinds[0])
        else:
            for kind in kinds:
                p = _take(g, p, gf, kind, plan)
    by_turns = [gf for gf, kinds in zip(plan.gfs, plan.kinds, strict=True) if set(kinds[: 1 if gf in stopped else None]) != {CARD}]
    if by_turns:
        p = _now_acting(g, p, by_turns)
    for gf, kinds in zip(plan.gfs, plan.kinds, strict=True):
        if plan.purpose == BY_WATER:
            p = _came(p, gf, kinds[0], stopped=gf in stopped)
        p = _turned_when_spent(p, gf)
    return p


def _take(g: Setting, p: Pos, gf: int, kind: str, plan: Plan) -> Pos:
    """One PA spent."""
    if kind == CARD:
        return _card_gone(p, gf)
    if kind == FREE:
        return _mark(p, gf, FREE_USED)
    if kind == SEA:
        return _unmark(p, gf, SEA_READY)
    track = track_of(g, gf, kind)
    assert track is not None
    points = g.number("pr_per_second_pa")
    p = duties.note_spent(g, pay(g, p, track, points), g.gfs.side[gf], track, plan.zone, plan.purpose, points)
    return _mark(p, gf, BOUGHT_USED)


def _lose(p: Pos, gf: int, kind: str) -> Pos:
    """One PA cancelled before anything came of it (R-F56)."""
    if kind == CARD:
        p = _card_gone(p, gf)
        return p if p.extra[gf] else _unmark(p, gf, OFFENSIVE)
    if kind == FREE:
        return _mark(p, gf, FREE_USED)
    return _mark(_unmark(p, gf, SEA_READY) if kind == SEA else p, gf, BARRED)


def _came(p: Pos, gf: int, kind: str, *, stopped: bool) -> Pos:
    """R-F56, R-F97, R-F101: the first PA brings the formation, or is lost; the second, which the Reserve pays instead of a PR, remains."""
    has = p.pa[gf]
    if kind != SEA and (kind == FREE or not stopped) and not has & (BOUGHT_USED | BARRED):
        p = _mark(p, gf, SEA_READY)
    return p if stopped else _mark(p, gf, BY_SEA)


def _card_gone(p: Pos, gf: int) -> Pos:
    """A PA of a stratagem used up. Whether it was that of Hitler Offensive is still told by its bit, which the combat clears."""
    return alter(p, extra=set_byte(p.extra, gf, max(p.extra[gf] - 1, 0)))


def _now_acting(g: Setting, p: Pos, gfs: list[int]) -> Pos:
    """R-F90: the group of these acts; all others of the side that have spent any PA are done."""
    group = p.group[gfs[0]]
    for gf in members(g.gfs.of_side[g.gfs.side[gfs[0]]]):
        if p.pa[gf] & SPENT and p.group[gf] != group:
            p = _mark(p, gf, TURNED)
    for gf in gfs:
        p = _mark(p, gf, SPENT)
    return alter(p, acting=group)


def _turned_when_spent(p: Pos, gf: int) -> Pos:
    """8.3: no PA left, whatever its player may pay."""
    has = p.pa[gf]
    if has & FREE_USED and not has & SEA_READY and not p.extra[gf] and has & (BOUGHT_USED | BARRED | BY_SEA):
        return _mark(p, gf, TURNED)
    return p


def _mark(p: Pos, gf: int, bit: int) -> Pos:
    return alter(p, pa=set_byte(p.pa, gf, p.pa[gf] | bit))


def _unmark(p: Pos, gf: int, bit: int) -> Pos:
    return alter(p, pa=set_byte(p.pa, gf, p.pa[gf] & ~bit))
