"""A second referee for what a side may do, written from the rulebook and the rulings alone: imports nothing of the engine.

It knows a ``Table``: what lies where in words. ``actions(table)`` lists, in the notation, every canonical legal action of the side that
has to decide in the steps combine, strategic, transfers, operations (but for cards), loss, ask and retreat; for other steps None.
Facts are read from the CSV files anew.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from dataclasses import replace as changed
from functools import cache
from itertools import combinations
from pathlib import Path

DATA = Path(__file__).resolve().parents[3] / "data" / "overlord-to-berlin"


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """A table of the game's data."""
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines))


ZONES = {row["zone"]: row for row in rows("zones")}
FORMATIONS = {row["piece"]: row for row in rows("formations")}
UNITS = {row["piece"]: row for row in rows("units")}
CARDS = {row["stratagem"]: row for row in rows("stratagems")}
NEAR: dict[str, set[str]] = {zone: set() for zone in ZONES}
for _pair in rows("adjacency"):
    NEAR[_pair["zone_a"]].add(_pair["zone_b"])
    NEAR[_pair["zone_b"]].add(_pair["zone_a"])
VATERLAND = {"7", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "23"}
PORTS = {"england": {"1", "2", "3", "4", "6"}, "italy": {"10", "21"}}
ALL_PORTS = PORTS["england"] | PORTS["italy"]
EASTERN_EDGE = {"36", "44", "45", "46", "47"}
BALTIC = ("28", "29", "30")
LIMIT = {"axis": 2, "soviet": 2, "west": 3}
COMMONWEALTH = ("Britain", "Canada", "Poland")
SOURCES = {"west": ALL_PORTS, "soviet": EASTERN_EDGE, "axis": VATERLAND}
FOES = {"west": {"axis"}, "soviet": {"axis"}, "axis": {"west", "soviet"}}


@dataclass(frozen=True)
class Account:
    """The PA of a formation in its own action phase (8.1)."""

    free_used: bool = False
    bought_used: bool = False
    barred: bool = False
    sea_ready: bool = False
    by_sea: bool = False
    turned: bool = False
    offensive: bool = False
    extra: int = 0
    group: int = -1


@dataclass(frozen=True)
class Table:
    """What lies on the table, and who has to decide what."""

    step: str
    by: str
    turn: int
    at: dict[str, str]
    """Formation -> zone, ``reserve``, or anything else for out of play."""
    units: dict[str, str]
    """Unit -> formation, ``reserve``, ``pile``, ``destroyed``, a zone (a pocket), or anything else."""
    control: dict[str, str]
    pr: dict[str, int]
    account: dict[str, Account]
    waiting_gfs: frozenset[str] = frozenset()
    waiting_units: frozenset[str] = frozenset()
    began: dict[str, str] = field(default_factory=dict)
    """Unit that was transferred in this step -> its formation before, or the zone of its pocket."""
    began_reserve: frozenset[str] = frozenset()
    landers: frozenset[str] = frozenset()
    landed: int = 0
    """Landings made by 9.5 so far, those that nobody made in turns gone by counted."""
    maskirovka: int = 0
    event: str = ""
    """What the event of the side that acts says."""
    croatia_done: bool = False
    named: dict[str, str] = field(default_factory=dict)
    """Baltic zone -> the formation that the Axis named."""
    fuhrer_dead: bool = False
    zone: str = ""
    """Of the combat."""
    tiers: tuple[tuple[str, ...], ...] = ()
    """The formations that bleed, the first before the second."""
    owner: str = ""
    """Whose losses they are."""
    elite_first: bool = False
    """The first loss is a step of an elite of the attacking formations (10.9)."""
    again: str = ""
    """The formation that must take the second step of a loss (R-F37)."""
    shown: dict[str, str] = field(default_factory=dict)
    """Unit -> formation, of those that the enemy may choose from."""
    defenders: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    may_go: frozenset[str] = frozenset()
    stock: int = 0
    """Soviet PR that count for PE.Soviet.5 and 9: in stock and spent so far."""
    elsewhere: int = 0
    """Of these spent outside the colour."""


def side_of(gf: str) -> str:
    """The side of a formation."""
    return FORMATIONS[gf]["side"]


def standing(t: Table, sides: Iterable[str], zone: str) -> list[str]:
    """Formations of some sides in a zone."""
    return [gf for gf, at in t.at.items() if at == zone and side_of(gf) in sides]


def holds(t: Table, gf: str) -> list[str]:
    """The units in a display."""
    return [unit for unit, place in t.units.items() if place == gf]


def room(t: Table, gf: str) -> bool:
    """7.2: one more unit fits."""
    return len(holds(t, gf)) < int(FORMATIONS[gf]["capacity"])


def on_map(t: Table, gf: str) -> bool:
    """Whether it stands in a zone."""
    return t.at[gf] in ZONES


# 1, 6: own and contested zones, supply


def own_zones(t: Table, side: str) -> set[str]:
    """R-F28: controlled, no enemy in it."""
    return {zone for zone in ZONES if t.control[zone] == side and not standing(t, FOES[side], zone)}


def contested(t: Table, side: str) -> set[str]:
    """R-F27: both stand there."""
    return {zone for zone in ZONES if standing(t, (side,), zone) and standing(t, FOES[side], zone)}


def connected(start: Iterable[str], through: set[str]) -> set[str]:
    """All zones that lines reach from some zones."""
    found = {zone for zone in start if zone in through}
    queue = deque(found)
    while queue:
        for zone in NEAR[queue.popleft()] & through - found:
            found.add(zone)
            queue.append(zone)
    return found


def net(t: Table, side: str) -> set[str]:
    """R-F28: what is connected to a source that is held."""
    return connected(SOURCES[side], own_zones(t, side) | contested(t, side))


def baltic(t: Table) -> dict[str, str]:
    """R-F17, R-F33: Baltic zone -> the one formation that it supplies."""
    lines_ = own_zones(t, "axis") | contested(t, "axis")
    main = net(t, "axis")
    order = sorted((gf for gf in t.at if side_of(gf) == "axis"), key=lambda gf: int(FORMATIONS[gf]["order"]))
    cut = [gf for gf in order if on_map(t, gf) and t.at[gf] not in main]
    reach = {zone: connected([zone], lines_) for zone in BALTIC if zone in lines_}
    given: dict[str, str] = {}
    for zone, line in reach.items():
        gf = t.named.get(zone, "")
        if gf in cut and gf not in given.values() and t.at[gf] in line:
            given[zone] = gf
    for zone in reach:
        here = [gf for gf in cut if t.at[gf] == zone and gf not in given.values()]
        if zone not in given and here:
            given[zone] = here[0]
    for around in {frozenset(found) for found in reach.values()}:
        places = [zone for zone in reach if zone in around and zone not in given]
        want = [gf for gf in cut if t.at[gf] in around and gf not in given.values()]
        if len(want) <= len(places):  # no more than there are places: nobody need be named
            given.update(zip(places, want, strict=False))
    return given


def supplied(t: Table, gf: str) -> bool:
    """6.1; the Reserve always."""
    return not on_map(t, gf) or t.at[gf] in net(t, side_of(gf)) or gf in baltic(t).values()


def markers(t: Table, gf: str) -> list[str]:
    """R-F68: the western markers whose ports it traces to."""
    lines_ = own_zones(t, "west") | contested(t, "west")
    return [track for track in ("england", "italy") if t.at[gf] in connected(PORTS[track], lines_)]


def moved_to(t: Table, gfs: Iterable[str], zone: str) -> Table:
    """The table after formations have gone to a zone, control passed at once (R-F25)."""
    at = {**t.at, **dict.fromkeys(gfs, zone)}
    control = dict(t.control)
    after = changed(t, at=at)
    for z in ZONES:
        sides = {side_of(gf) for gf in standing(after, FOES, z)}
        if sides and not ("axis" in sides and len(sides) > 1):
            control[z] = next(iter(sides))
    return changed(after, control=control)


def limit(side: str, zone: str) -> int:
    """7.1."""
    return LIMIT[side] - (ZONES[zone]["terrain"] == "alps")


# 8: PA


def payable(t: Table, gf: str, count: int, purpose: str, zone: str, spent: dict[str, int]) -> bool:
    """Whether the formation can spend so many PA in the usual order: free, of a card, from the sea, bought (R-F89). ``spent``: PR that
    the formations before it in the same action take, by track."""
    a = t.account[gf]
    cards = a.extra if purpose == "attack" or not a.offensive else max(0, a.extra - 1)
    left = count
    if not a.turned and not a.free_used:
        left -= 1
    left -= min(left, cards) if left > 0 else 0
    sea = a.sea_ready and not a.turned and (purpose == "sea" or a.by_sea)
    if left > 0 and sea:
        if purpose == "move" and gf in t.landers and standing(t, FOES["west"], t.at[gf]):
            return False  # R-F97: the second PA of a landing attacks while enemies are there
        left -= 1
    if left <= 0:
        return True
    return purpose != "sea" and left == 1 and buyable(t, gf, purpose, zone, spent)


def buyable(t: Table, gf: str, purpose: str, zone: str, spent: dict[str, int]) -> bool:
    """8.1: one bought PA, in supply, with a PR; what the turn's event says of it."""
    a, side = t.account[gf], side_of(gf)
    if a.turned or a.bought_used or a.barred or a.by_sea or a.sea_ready or not supplied(t, gf):
        return False
    if side == "west":
        able = [track for track in markers(t, gf) if t.pr[track] - spent.get(track, 0) > 0]
        reached = markers(t, gf)
        track = able[0] if able else reached[0] if reached else "england"
    else:
        track = side
    if t.pr[track] - spent.get(track, 0) < 1:
        return False
    if not event_allows(t, gf, track, purpose, zone, spent):
        return False
    spent[track] = spent.get(track, 0) + 1
    return True


def event_allows(t: Table, gf: str, track: str, purpose: str, zone: str, spent: dict[str, int]) -> bool:
    """PE.West.5, 9, 10 and PE.Soviet.5, 9-10."""
    if t.event in ("pr_only_commonwealth", "pr_only_us_fr"):
        if t.event == "pr_only_commonwealth" and track == "italy":
            return True
        nation = FORMATIONS[gf]["nation"]
        favoured = (nation in COMMONWEALTH) == (t.event == "pr_only_commonwealth")
        return favoured and purpose == "attack"
    if t.event == "must_attack_croatia" and track == "italy" and in_croatia(t):
        return purpose == "attack"
    if t.event in ("pr_majority_black", "pr_majority_red"):
        colour = "northeast" if t.event == "pr_majority_black" else "southeast"
        if ZONES[zone]["sector"] == colour:
            return True
        return t.elsewhere + spent.get("soviet", 0) + 1 <= t.stock - t.stock // 2 - 1
    return True


def in_croatia(t: Table) -> bool:
    """R-F124: the West is there already, not by this turn's landing of the event."""
    return not t.croatia_done and (t.control["21"] == "west" or bool(standing(t, ("west",), "21")))


# The steps


def write(by: str, verb: str, gfs: Iterable[str], start: str = "", to: str = "", helped: Iterable[str] = (), via: str = "") -> str:
    """An action in the notation."""
    line = f"{by} {verb} {','.join(sorted(gfs))}"
    line += f" @ {start}" if start else ""
    line += f" > {to}" if to else ""
    line += f" via {via}" if via else ""
    return line + (f" with {','.join(sorted(helped))}" if helped else "")


def exchanges(t: Table) -> Iterator[str]:
    """7.2: between formations of one zone."""
    for unit, gf in t.units.items():
        if gf in t.at and side_of(gf) == t.by and on_map(t, gf):
            others = [other for other in standing(t, (t.by,), t.at[gf]) if other != gf and room(t, other)]
            yield from (write(t.by, "exchange", [unit], to=other) for other in others)


def sent_home_early(t: Table) -> Iterator[str]:
    """9.8: a formation without units goes home when the step ends; before that its owner may send it himself, unless somewhere there
    is no room, so that something must still be taken back."""
    mine = [gf for gf in t.at if side_of(gf) == t.by and on_map(t, gf)]
    overfull = [gf for gf in mine if len(holds(t, gf)) > int(FORMATIONS[gf]["capacity"])]
    crowded = [zone for zone in ZONES if len(filled(t, zone)) > limit(t.by, zone)] if t.step == "strategic" else []
    if not overfull and not crowded:
        yield from (write(t.by, "recall", [gf]) for gf in mine if not holds(t, gf))


def filled(t: Table, zone: str) -> list[str]:
    """The side's formations in a zone that hold a unit; the others leave when the step ends."""
    return [gf for gf in standing(t, (t.by,), zone) if holds(t, gf)]


def strategic(t: Table) -> Iterator[str]:
    """9.2."""
    own = [gf for gf in t.at if side_of(gf) == t.by and (on_map(t, gf) or t.at[gf] == "reserve")]
    free = [u for u, place in t.units.items() if place == "reserve" and UNITS[u]["side"] == t.by and u not in t.waiting_units]
    for gf in own:
        if supplied(t, gf):
            if room(t, gf):
                yield from (write(t.by, "fill", [unit], to=gf) for unit in free)
            yield from (write(t.by, "withdraw", [unit]) for unit in holds(t, gf))
        if t.at[gf] == "reserve" and gf not in t.waiting_gfs and holds(t, gf):
            for zone in ZONES:
                if zone in friendly_once_there(t, gf, zone) and len(filled(t, zone)) < limit(t.by, zone):
                    yield write(t.by, "place", [gf], to=zone)


def friendly_once_there(t: Table, gf: str, zone: str) -> set[str]:
    """R-F84: the zone, if it is friendly for the formation: own before it comes, and in supply with it."""
    after = moved_to(t, [gf], zone)
    ok = zone in own_zones(t, t.by) and t.control[zone] == t.by and supplied(after, gf) and not robs(t, after, [gf])
    return {zone} if ok else set()


def transfers(t: Table) -> Iterator[str]:
    """9.3, R-F60, R-F86, R-F118."""
    for unit, place in t.units.items():
        if UNITS[unit]["side"] != t.by:
            continue
        if place in ZONES:
            yield from (write(t.by, "transfer", [unit], to=gf) for gf in standing(t, (t.by,), place) if room(t, gf))
        elif place in t.at and on_map(t, place):
            if t.began.get(unit, "") in ZONES:
                yield write(t.by, "pocket", [unit])
            for gf in t.at:
                fits = side_of(gf) == t.by and gf != place and on_map(t, gf) and room(t, gf)
                if fits and (t.began.get(unit) == gf or (supplied(t, gf) and within_a_zone(t, unit, gf))):
                    yield write(t.by, "transfer", [unit], to=gf)


def zone_before(t: Table, unit: str) -> str:
    """The zone in which a unit lay when the step began; ``reserve`` if its formation is there now."""
    place = t.began.get(unit, t.units[unit])
    return place if place in ZONES else t.at[place]


def within_a_zone(t: Table, unit: str, gf: str) -> bool:
    """R-F86: what counts is how far it ends from where it began the step."""
    here, to, before = t.at[t.units[unit]], t.at[gf], zone_before(t, unit)
    return to in (here, before) or (before in ZONES and to in NEAR[before] and far(t, unit))


def far(t: Table, unit: str) -> bool:
    """Who may go to the next zone: the armour class, by Maskirovka the Guards infantry."""
    if UNITS[unit]["kind"] == "guards_infantry" and t.maskirovka:
        gone = [u for u in t.began if UNITS[u]["kind"] == "guards_infantry" and t.at[t.units[u]] != zone_before(t, u)]
        return unit in gone or len(gone) < t.maskirovka
    return UNITS[unit]["class"] == "armor"


def operations(t: Table) -> Iterator[str]:
    """9.4, 9.5, 9.7, 10.1, 8.3."""
    mine = [gf for gf in t.at if side_of(gf) == t.by and on_map(t, gf)]
    yield from moves(t, mine)
    yield from attacks(t)
    yield from (write(t.by, "turn-over", [gf]) for gf in mine if not t.account[gf].turned or t.account[gf].extra)
    if t.by == "west":
        yield from sea(t)


def moves(t: Table, mine: list[str]) -> Iterator[str]:
    """9.4."""
    for zone in ZONES:
        here = [gf for gf in mine if t.at[gf] == zone]
        for count in range(1, len(here) + 1):
            for gfs in combinations(here, count):
                if len({t.account[gf].group for gf in gfs}) == 1:
                    yield from (write(t.by, "move", gfs, zone, to) for to in NEAR[zone] if may_move(t, gfs, zone, to))


def may_move(t: Table, gfs: tuple[str, ...], zone: str, to: str) -> bool:
    """One or two PA each, within the limit, not into the other Ally's zone, in supply when all have arrived."""
    ally = {"west": "soviet", "soviet": "west"}.get(t.by)
    if ally and standing(t, (ally,), to):
        return False
    if len({*standing(t, (t.by,), to), *gfs}) > limit(t.by, to):
        return False
    foes_here, foes_there = (bool(standing(t, FOES[t.by], z)) for z in (zone, to))
    spent: dict[str, int] = {}
    if not all(payable(t, gf, 2 if foes_here and foes_there else 1, "move", to, spent) for gf in gfs):
        return False
    after = moved_to(t, gfs, to)
    return all(supplied(after, gf) for gf in gfs) and not robs(t, after, gfs)


def robs(before: Table, after: Table, movers: Iterable[str]) -> bool:
    """R-F33: the place of a Baltic zone is not taken from a formation that is cut off by that."""
    gone, now = set(movers), baltic(after)
    return any(now.get(zone) in gone and holder not in gone and not supplied(after, holder) for zone, holder in baltic(before).items())


def attacks(t: Table) -> Iterator[str]:
    """10.1, 10.12, R-F91, R-F98."""
    for zone in ZONES:
        here = standing(t, (t.by,), zone)
        if not here or not standing(t, FOES[t.by], zone):
            continue
        pairs = combinations([gf for gf in here if gf in t.landers], 2)
        for attackers in (*((gf,) for gf in here), *pairs):
            spent: dict[str, int] = {}
            if len(attackers) > 1:  # R-F98: once, each with the second PA that the Reserve pays
                if not all(t.account[gf].sea_ready and t.account[gf].by_sea and not t.account[gf].turned for gf in attackers):
                    continue
            elif not payable(t, attackers[0], 1, "attack", zone, spent) or leaves_the_other(t, attackers[0], zone):
                continue
            helpers = [gf for gf in here if gf not in attackers and cooperates(t, attackers, gf)]
            for count in range(len(helpers) + 1):
                yield from (write(t.by, "attack", attackers, zone, helped=some) for some in combinations(helpers, count))


def leaves_the_other(t: Table, gf: str, zone: str) -> bool:
    """9.5: two that landed attack together; neither spends its second PA on an attack while the other has its own to spend on it."""
    a = t.account[gf]
    by_sea_now = gf in t.landers and (a.free_used or a.turned) and not a.extra and a.sea_ready and a.by_sea
    others = [other for other in t.landers if other != gf and t.at[other] == zone]
    return by_sea_now and any(t.account[x].sea_ready and t.account[x].by_sea and not t.account[x].turned for x in others)


def cooperates(t: Table, attackers: tuple[str, ...], gf: str) -> bool:
    """10.12: US with FR; UK, CAN and POL; who landed with the attackers and lost the PA helps all the same."""
    if any(command(gf) == command(other) for other in attackers):
        return True
    return gf in t.landers and any(other in t.landers for other in attackers) and t.account[gf].barred


def command(gf: str) -> str:
    """The command of a formation."""
    row = FORMATIONS[gf]
    return row["side"] if row["side"] != "west" else "commonwealth" if row["nation"] in COMMONWEALTH else "us"


def sea(t: Table) -> Iterator[str]:
    """9.5, 9.7 and PE.West.9: landings and arrivals, and the filling of those that can come."""
    ready = [gf for gf in t.at if side_of(gf) == "west" and t.at[gf] == "reserve" and gf in t.began_reserve]
    free = [u for u, place in t.units.items() if place == "reserve" and UNITS[u]["side"] == "west" and u not in t.waiting_units]
    for gf in ready:
        if room(t, gf):
            yield from (write("west", "fill", [unit], to=gf) for unit in free)
        yield from (write("west", "withdraw", [unit]) for unit in holds(t, gf))
    full = [gf for gf in ready if holds(t, gf) and payable(t, gf, 1, "sea", "1", {})]
    for zone in ZONES:
        arrow = int(ZONES[zone]["landing_limit"])
        empty = t.control[zone] == "axis" and not standing(t, ("west", "soviet"), zone)
        if arrow and empty:
            if t.turn <= 2 and t.landed < t.turn:
                for count in range(1, arrow + 1):
                    yield from (write("west", "land", gfs, to=zone) for gfs in combinations(full, count))
            elif zone == "21":
                yield from (write("west", "land", [gf], to=zone) for gf in full if croatia(t, gf))
            if zone == "21":
                italians = [gf for gf in ("we-5us", "we-8uk") if on_map(t, gf) and croatia(t, gf)]
                yield from (write("west", "land", [gf], to=zone) for gf in italians if payable(t, gf, 1, "sea", zone, {}))
    open_ = own_zones(t, "west") | contested(t, "west")
    for zone in ALL_PORTS & open_:
        if len(standing(t, ("west",), zone)) < limit("west", zone):
            yield from (write("west", "sail", [gf], to=zone) for gf in full)


def croatia(t: Table, gf: str) -> bool:
    """R-F124: from Italy, supplied by port 10, or of the Reserve."""
    if t.event != "must_attack_croatia" or t.croatia_done or in_croatia(t) or t.control["21"] == "soviet":
        return False
    if t.at[gf] == "reserve":
        return gf not in t.waiting_gfs
    lines_ = own_zones(t, "west") | contested(t, "west")
    return gf in ("we-5us", "we-8uk") and t.at[gf] in ("9", "10") and t.at[gf] in connected(["10"], lines_)


def losses(t: Table) -> Iterator[str]:
    """10.3, 10.9, R-F12, R-F37, R-F104."""
    seen = t.shown if t.by != t.owner else {u: gf for u, gf in t.units.items() if gf in t.at}
    bleeding: dict[str, str] = {}
    for tier in t.tiers:
        bleeding = {unit: gf for unit, gf in seen.items() if gf in tier}
        if bleeding:
            break
    if t.again:
        bleeding = {unit: gf for unit, gf in bleeding.items() if gf == t.again}
    elites = {unit for unit in bleeding if UNITS[unit]["elite"] == "1"}
    if t.elite_first and elites and not t.again:
        bleeding = {unit: bleeding[unit] for unit in elites}
    return (write(t.by, "lose", [unit]) for unit in bleeding)


def havens(t: Table, gf: str) -> set[str]:
    """10.6, R-F108: friendly, or contested with own formations, and in supply there."""
    side = side_of(gf)
    open_ = own_zones(t, side) | contested(t, side)
    return {zone for zone in NEAR[t.at[gf]] & open_ if fed_there(t, gf, zone)}


def fed_there(t: Table, gf: str, zone: str) -> bool:
    """In supply after the retreat; the place of a Baltic zone is not taken from a formation that has it (R-F33)."""
    after = moved_to(t, [gf], zone)
    return supplied(after, gf) and not robs(t, after, [gf])


def actions(t: Table) -> set[str] | None:
    """Every canonical action of the side, cards and ``done`` not counted; None for a step that is not known here."""
    if t.step == "combine":
        return {*exchanges(t), *sent_home_early(t)}
    if t.step == "strategic":
        return {*strategic(t), *sent_home_early(t)}
    if t.step == "transfers":
        return {*transfers(t), *sent_home_early(t)}
    if t.step == "operations":
        return {*operations(t)}
    if t.step == "loss":
        return {*losses(t)}
    here = [gf for gf in t.defenders if t.at[gf] == t.zone]
    if t.step == "ask":
        return {write(t.by, "ask", [gf]) for gf in here if gf not in t.asked and havens(t, gf)}
    if t.step == "retreat":
        return {write(t.by, "retreat", [gf], to=zone) for gf in here if gf in t.may_go for zone in havens(t, gf)}
    return None
