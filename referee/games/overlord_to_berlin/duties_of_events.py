"""The political events that last a turn (PE): what they forbid to buy, and what they want done before a step ends (R-F122 to R-F129).

Other chapters ask here whenever a PR is spent or a step is to end. Nothing is asked of a side that has no such event; an event
that a side cannot meet asks for nothing. Judged on the view of the side concerned: no hidden fact of another side is read.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.land import AXIS, BLACK, BLUE, RED, SOVIET, WEST, bits, flood
from referee.games.overlord_to_berlin.position import BARRED, BOUGHT_USED, BY_SEA, FREE_USED, SEA_READY, TURNED, Pos, members, seal
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.supply import ground, supplied, tracks_reached
from referee.games.overlord_to_berlin.terms import ENGLAND, ITALY, SOVIET_PR, TRACKS
from referee.games.overlord_to_berlin.units import gfs_in, is_reduced, loose, units_in, zones_of
from referee.rules.model import Reason, cite

RESTORE, REBUILD, MOVE, ATTACK = "restore", "rebuild", "move", "attack"
"""What a PR is spent for: steps (4.2, 4.3) in the economic phase, a bought PA (5.7) in an action phase."""

CROATIA = "21"
"""PE.West.9: where the West must land."""
ITALY_ZONES = ("9", "10")
"""Where the two formations that begin in Italy may set out for it (R-F124)."""
_VOID_WITHOUT_FUHRER = ("reserve_half_red", "reserve_half_black", "reserve_fill_blue")
_FAVOURED = {"pr_only_commonwealth": "commonwealth", "pr_only_us_fr": "us"}
_MARKERS = {"pr_only_commonwealth": (ENGLAND,), "pr_only_us_fr": (ENGLAND, ITALY)}
_MAJORITY = {"pr_majority_black": BLACK, "pr_majority_red": RED}
_HALF = {"reserve_half_red": RED, "reserve_half_black": BLACK}
_COLOURS = {BLUE: "blue", BLACK: "black", RED: "red"}
_PARAGRAPHS = {
    "pr_only_commonwealth": "PE.West.5 R-F123",
    "pr_only_us_fr": "PE.West.10 R-F123",
    "pr_majority_black": "PE.Soviet.5.a R-F125",
    "pr_majority_red": "PE.Soviet.9-10.a R-F125",
    "reserve_half_red": "PE.Axis.5 R-F128",
    "reserve_half_black": "PE.Axis.9 R-F128",
    "reserve_fill_blue": "PE.Axis.10 R-F129",
}


def effect(g: Setting, p: Pos, side: int) -> str:
    """What the event of the turn says to a side, as ``political_events.csv`` calls it; "" before its dice, ``nothing`` for rows
    without effect and for those that the Führer's death has voided (PE.Axis.2, R-F130)."""
    total = p.event[side]
    if not total:
        return ""
    found = g.charts.events[side][total - 2]
    return "nothing" if p.fuhrer_dead and found in _VOID_WITHOUT_FUHRER else found


def spend_reasons(g: Setting, p: Pos, side: int, track: int, gf: int, zone: int, purpose: str, points: int = 1) -> Iterator[Reason]:
    """What events say against spending PR of a track now.

    ``gf``: the formation whose units get steps or that gets the PA, -1 = none (the Reserve, rebuilding). ``zone``: where the PR
    counts (the formation's zone, the zone that it enters, the zone of the combat), -1 = none. ``purpose``: ``restore`` ``rebuild``
    ``move`` ``attack``. ``points``: how many PR it takes, 0 where half of one is paid already.
    """
    word = effect(g, p, side)
    if word in _FAVOURED:
        yield from _only_for(g, word, track, gf, purpose)
    elif word == "must_attack_croatia":
        yield from _for_italy(g, p, track, purpose, points)
    elif word in _MAJORITY:
        yield from _majority(g, p, word, zone, points)
    elif word == "reserve_fill_blue":
        yield from _restore_first(g, p, gf, purpose)


def _only_for(g: Setting, word: str, track: int, gf: int, purpose: str) -> Iterator[Reason]:
    """PE.West.5, PE.West.10: the PR of the markers named serve attacks and restoration of the favoured formations."""
    if track not in _MARKERS[word]:
        return
    where = cite(_PARAGRAPHS[word])
    if purpose == REBUILD:
        yield Reason("event-no-rebuilding", where, (("track", TRACKS[track]),))
    elif gf not in _favoured(g, word):
        yield Reason("event-other-formations", where, (("track", TRACKS[track]), ("command", _FAVOURED[word])))
    if purpose == MOVE:
        yield Reason("event-attacks-only", where, (("track", TRACKS[track]),))


def _favoured(g: Setting, word: str) -> tuple[int, ...]:
    """The western formations that PE.West.5 or 10 prefers."""
    return tuple(gf for gf in members(g.gfs.of_side[WEST]) if g.gfs.command[gf] == _FAVOURED[word])


def _for_italy(g: Setting, p: Pos, track: int, purpose: str, points: int) -> Iterator[Reason]:
    """PE.West.9 with the West in Croatia: the Italy marker pays attacks, and steps within a limit."""
    if track != ITALY or not in_croatia(g, p):
        return
    if purpose == MOVE:
        yield Reason("croatia-attacks-only", cite("PE.West.9.b R-F124"))
    limit = g.number("croatia_pr_for_units")
    if purpose in (RESTORE, REBUILD) and p.sealed[WEST].spent[2] + points > limit:
        yield Reason("croatia-steps", cite("PE.West.9.c R-F124"), (("limit", str(limit)),))


def _majority(g: Setting, p: Pos, word: str, zone: int, points: int) -> Iterator[Reason]:
    """PE.Soviet.5, PE.Soviet.9: more than half in the colour. A PR counts there only if both of its steps do."""
    inside, outside, _, half = p.sealed[SOVIET].spent
    stock = p.pr[SOVIET_PR] + inside + outside
    limit = stock - stock // 2 - 1
    more = _outside(g, word, zone, points, half)
    if more and outside + more > limit:
        facts = (("colour", _COLOURS[_MAJORITY[word]]), ("stock", str(stock)), ("limit", str(max(limit, 0))), ("spent", str(outside)))
        yield Reason("event-colour", cite(_PARAGRAPHS[word]), facts)


def _outside(g: Setting, word: str, zone: int, points: int, half: int) -> int:
    """How many PR more would count outside the colour; ``half``: 1 if a PR of which one step is left counts inside so far."""
    if zone >= 0 and g.land.sectors[_MAJORITY[word]] >> zone & 1:
        return 0
    return points + half


def _restore_first(g: Setting, p: Pos, gf: int, purpose: str) -> Iterator[Reason]:
    """PE.Axis.10: in the economic phase PR go first to the formations in the contested blue zones."""
    if purpose not in (RESTORE, REBUILD) or (purpose == RESTORE and gf in besieged(g, p)):
        return
    waiting = _reduced_besieged(g, p)
    if waiting:
        yield Reason("event-restore-first", cite(_PARAGRAPHS["reserve_fill_blue"]), (("gf", _called(g, waiting)),))


def note_spent(g: Setting, p: Pos, side: int, track: int, zone: int, purpose: str, points: int) -> Pos:
    """The position in which the events know of PR that were spent; arguments as in ``spend_reasons``. The track itself is
    ``changes.pay``'s."""
    word = effect(g, p, side)
    inside, outside, italy, half = p.sealed[side].spent
    if word in _MAJORITY:
        more = _outside(g, word, zone, points, half)
        inside, outside = inside + points - more, outside + more
        if purpose in (RESTORE, REBUILD):
            half = 1 if points and not more else 0
    elif word == "must_attack_croatia" and track == ITALY and purpose in (RESTORE, REBUILD):
        italy += points
    else:
        return p
    return seal(p, side, spent=(inside, outside, italy, half))


def spending_duties(g: Setting, p: Pos) -> Iterator[Reason]:
    """What the side on move still owes before its spending ends (4.1): PE.Axis.10, restoration while there are PR."""
    if g.phase(p).side != AXIS or effect(g, p, AXIS) != "reserve_fill_blue":
        return
    if p.pr[TRACKS.index("axis")] <= 0 and not p.sealed[AXIS].credit:
        return
    waiting = _reduced_besieged(g, p)
    if waiting:
        yield Reason("event-restore-owed", cite(_PARAGRAPHS["reserve_fill_blue"]), (("gf", _called(g, waiting)),))


def strategic_begins(g: Setting, p: Pos) -> Pos:
    """The strategic step of a side begins (9.2): for PE.Axis.5 and 9 the units of the Reserve are counted, together with those
    that Mystification has placed this turn (R-F128)."""
    if g.phase(p).side != AXIS or effect(g, p, AXIS) not in _HALF:
        return p
    own = p.sealed[AXIS]
    counted = sum(1 << unit for unit in members(own.owed[1]) if own.at[unit] != g.land.places.inside)
    for unit in in_reserve(g, p, AXIS):
        counted |= 1 << unit
    return seal(p, AXIS, owed=((counted.bit_count() + 1) // 2, counted))


def note_mystified(g: Setting, p: Pos, units: int) -> Pos:
    """Units (a set) that Mystification has taken out of the Reserve count for PE.Axis.5 and 9 as well (R-F57, R-F128)."""
    needed, counted = p.sealed[AXIS].owed
    return seal(p, AXIS, owed=(needed, counted | units))


def strategic_duties(g: Setting, p: Pos) -> Iterator[Reason]:
    """What the side on move still owes before its strategic step ends: PE.Axis.5 and 9 (half of the Reserve to a colour), PE.Axis.10
    (formations in contested blue zones filled), as far as room and supply allow."""
    if g.phase(p).side != AXIS:
        return
    word = effect(g, p, AXIS)
    if word in _HALF:
        zones = g.land.sectors[_HALF[word]]
        needed, counted = p.sealed[AXIS].owed
        placed = sum(1 for unit in members(counted) if _stands_in(g, p, unit, zones))
        takers = _takers(g, p, counted, zones) if placed < needed else []
        if takers:
            facts = (("colour", _COLOURS[_HALF[word]]), ("needed", str(needed)), ("placed", str(placed)))
            yield Reason("event-post-reserve", cite(_PARAGRAPHS[word]), facts, _capacities(g, takers))
    elif word == "reserve_fill_blue":
        free = [unit for unit in in_reserve(g, p, AXIS) if not p.sealed[AXIS].waiting >> unit & 1]
        roomy = [gf for gf in besieged(g, p) if has_room(g, p, gf)]
        if free and roomy:
            yield Reason("event-fill-owed", cite(_PARAGRAPHS[word]), (("gf", _called(g, roomy)),), _capacities(g, roomy))


def operations_duties(g: Setting, p: Pos) -> Iterator[Reason]:
    """What the side on move still owes before its operational step ends: PE.West.5, 9 and 10."""
    if g.phase(p).side != WEST:
        return
    word = effect(g, p, WEST)
    if word in _FAVOURED:
        owing = [gf for gf in _favoured(g, word) if _could_buy_attack(g, p, gf, _MARKERS[word])]
        if owing:
            yield Reason("event-attack-owed", cite(_PARAGRAPHS[word]), (("gf", _called(g, owing)),))
    elif word == "must_attack_croatia":
        if in_croatia(g, p):
            owing = [gf for gf in members(g.gfs.of_side[WEST]) if _could_buy_attack(g, p, gf, (ITALY,))]
            if owing:
                yield Reason("croatia-attack-owed", cite("PE.West.9.b R-F124"), (("gf", _called(g, owing)),))
        else:
            owing = [gf for gf in members(g.gfs.of_side[WEST]) if croatia_allows(g, p, gf) and _can_sail(g, p, gf)]
            if owing:
                yield Reason("croatia-landing-owed", cite("PE.West.9.a R-F124"), (("gf", _called(g, owing)),))


def in_croatia(g: Setting, p: Pos) -> bool:
    """PE.West.9: the West was there before this turn's landing of the event: a formation in 21, or control of it (R-F124)."""
    zone = g.land.zone(CROATIA)
    return not p.croatia and (p.control[zone] == WEST or bool(gfs_in(g, p, WEST, zone)))


def croatia_allows(g: Setting, p: Pos, gf: int) -> bool:
    """Whether PE.West.9 lets this formation land in Croatia now, in any turn and besides the turn's landing (R-F124): one formation,
    from Italy and supplied by its port, or of the Reserve and not sent there in this phase."""
    zone = g.land.zone(CROATIA)
    if effect(g, p, WEST) != "must_attack_croatia" or p.croatia or in_croatia(g, p) or g.gfs.side[gf] != WEST:
        return False
    if p.control[zone] == SOVIET or gfs_in(g, p, SOVIET, zone):
        return False
    if p.gf_at[gf] == g.reserve(WEST):
        return not p.waiting >> gf & 1
    return bool(g.gfs.croatia >> gf & 1) and p.gf_at[gf] in (g.land.zone(name) for name in ITALY_ZONES) and _from_italian_port(g, p, gf)


def _from_italian_port(g: Setting, p: Pos, gf: int) -> bool:
    """Whether the formation traces a line to the port of zone 10 (R-F124)."""
    here = ground(g, p, WEST)
    port = 1 << g.land.zone(ITALY_ZONES[1])
    open_ = here.own | here.contested
    return bool(flood(g.land.near, port & open_, open_) >> p.gf_at[gf] & 1)


def _can_sail(g: Setting, p: Pos, gf: int) -> bool:
    """Whether it still has a PA for a landing, which is never a bought one (9.5, R-F97), and units, or in the Reserve can have some."""
    has = p.pa[gf]
    ready = bool(p.extra[gf]) or (not has & TURNED and (not has & FREE_USED or bool(has & SEA_READY)))
    free = [unit for unit in loose(g, p, WEST) if not p.sealed[WEST].waiting >> unit & 1]
    return ready and bool(units_in(g, p, gf) or (p.began_reserve >> gf & 1 and free))


def _could_buy_attack(g: Setting, p: Pos, gf: int, markers: tuple[int, ...]) -> bool:
    """Whether a formation, supplied and in a contested zone, can still buy a PA with a marker and attack with it (R-F123)."""
    if not g.on_map(p, gf) or p.pa[gf] & (BOUGHT_USED | BARRED | TURNED | SEA_READY | BY_SEA):
        return False
    zone = p.gf_at[gf]
    if not zones_of(g, p, AXIS) >> zone & 1:
        return False
    return any(p.pr[track] > 0 for track in tracks_reached(g, p, gf) if track in markers)


def besieged(g: Setting, p: Pos) -> tuple[int, ...]:
    """PE.Axis.10: the Axis formations in supply in blue zones where the West stands too (R-F129)."""
    zones = g.land.sectors[BLUE] & zones_of(g, p, WEST)
    return tuple(gf for zone in bits(zones) for gf in gfs_in(g, p, AXIS, zone) if supplied(g, p, gf))


def _reduced_besieged(g: Setting, p: Pos) -> list[int]:
    return [gf for gf in besieged(g, p) if any(is_reduced(g, p, unit) for unit in units_in(g, p, gf))]


def has_room(g: Setting, p: Pos, gf: int) -> bool:
    """Whether one more unit fits into a formation (7.2)."""
    return len(units_in(g, p, gf)) < g.gfs.capacity[gf]


def in_reserve(g: Setting, p: Pos, side: int) -> Iterator[int]:
    """The units of a side in its Reserve, loose or in a formation there."""
    yield from loose(g, p, side)
    for gf in gfs_in(g, p, side, g.reserve(side)):
        yield from units_in(g, p, gf)


def _stands_in(g: Setting, p: Pos, unit: int, zones: int) -> bool:
    """Whether a unit is in a formation in one of these zones."""
    gf = p.sealed[g.units.side[unit]].at[unit] - g.land.places.display
    return 0 <= gf < len(g.gfs.ids) and g.on_map(p, gf) and bool(zones >> p.gf_at[gf] & 1)


def _takers(g: Setting, p: Pos, counted: int, zones: int) -> list[int]:
    """The formations that can take one unit more of these from the Reserve to one of these zones: those there that are in supply and
    have room; else those of the Reserve, if there is a friendly zone for them within stacking (9.2)."""
    free = {unit for unit in in_reserve(g, p, AXIS) if (counted & ~p.sealed[AXIS].waiting) >> unit & 1}
    if not free:
        return []
    there = [gf for zone in bits(zones & zones_of(g, p, AXIS)) for gf in gfs_in(g, p, AXIS, zone)]
    found = [gf for gf in there if supplied(g, p, gf) and has_room(g, p, gf)]
    friendly = bits(zones & ground(g, p, AXIS).friendly)
    if found or not any(len(gfs_in(g, p, AXIS, zone)) < g.stacking(AXIS, zone) for zone in friendly):
        return found
    ready = [gf for gf in gfs_in(g, p, AXIS, g.reserve(AXIS)) if not p.waiting >> gf & 1]
    return [gf for gf in ready if has_room(g, p, gf) or free & set(units_in(g, p, gf))]


def _capacities(g: Setting, gfs: list[int]) -> tuple[str, ...]:
    """The cells that a duty rests on: how many units formations take is our reconstruction."""
    return tuple(f"formations {g.gfs.ids[gf]} capacity" for gf in gfs)


def _called(g: Setting, gfs: list[int]) -> str:
    return ", ".join(g.gfs.names[gf] for gf in gfs)
