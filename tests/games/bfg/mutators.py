"""Mutators: from a position and a legal action, actions that break one named paragraph.

Each takes what the rulebook needs to know from the second referee's table, never from the engine, and yields
(paragraph, line of notation). A mutator yields only what that paragraph forbids for certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.games.bfg.facts import (
    BERLIN,
    COASTAL,
    COURLAND,
    HEXES,
    JOINED,
    NEAR,
    PLAYABLE,
    UNITS,
    apart,
    closed,
    cost,
    edge,
    theater,
)
from tests.games.bfg.oracle import (
    ENEMY,
    GERMAN,
    OWNER,
    SIDE,
    Table,
    abroad,
    allowance,
    arrivals,
    mobile,
    odds,
    off_side,
    retreat_hexes,
    takeable,
    wrong_country,
)

Broken = Iterator[tuple[str, str]]
Mutator = Callable[[Table, str], Broken]

MOVES = {"S": "3.0.a2", "WG": "3.0.a5", "W": "3.0.b2", "EG": "3.0.b5"}
FIGHTS = {"S": "3.0.a3", "WG": "3.0.a6", "W": "3.0.b3", "EG": "3.0.b6"}
RETURNS = {"S": "3.0.a1", "WG": "3.0.a4", "W": "3.0.b1", "EG": "3.0.b4"}


def parts(line: str) -> tuple[str, str]:
    """Unit and last hex of a line."""
    words = line.split()
    return words[2], words[-1]


def mine(t: Table) -> list[str]:
    """Units of the phasing force on the map."""
    return sorted(u for u, h in t.at.items() if h in HEXES and t.who[u] == t.force)


def movers(t: Table) -> list[str]:
    """Those that may still move."""
    return [u for u in mine(t) if mobile(t, u)]


def plain(t: Table, unit: str, name: str) -> bool:
    """A hex that a unit could enter as far as map, borders and occupants go."""
    force = t.who[unit]
    if name not in PLAYABLE or t.strangers(name, force):
        return False
    if force in GERMAN:
        return theater(name) == SIDE[force]
    return not abroad(unit, force, name)


# Movement Phases


def too_far(t: Table, line: str) -> Broken:
    """5.0.p1: a hex further away than the allowance."""
    unit = parts(line)[0]
    start = t.at[unit]
    far = [h for h in sorted(PLAYABLE) if apart(start, h) > allowance(t, unit) and plain(t, unit, h)]
    if off_side(t.who[unit], start) and t.who[unit] not in GERMAN:
        return
    for name in far[:: max(1, len(far) // 2)]:
        yield "5.0.p1", f"{OWNER[t.force]} move {unit} @ {start} > {name}"


def too_dear(t: Table, line: str) -> Broken:
    """5.0.a2: a way whose hexes cost more than the allowance."""
    unit = parts(line)[0]
    start, zoc = t.at[unit], t.zoc(t.who[unit])
    way, spent, here = [], 0, start
    while spent <= allowance(t, unit):
        nexts = [n for n in JOINED[here] if plain(t, unit, n) and n not in zoc and n not in way and n != start]
        if not nexts:
            return
        here = max(nexts, key=lambda n: (cost(way[-1] if way else start, n), n))
        spent += cost(way[-1] if way else start, here)
        way.append(here)
    if len(way) > 1 and not abroad(unit, t.who[unit], start):
        yield "5.0.a2", f"{OWNER[t.force]} move {unit} @ {start} > {way[-1]} via {','.join(way[:-1])}"


def through_zoc(t: Table, line: str) -> Broken:
    """4.0.p2: on after entering a ZOC."""
    for unit in movers(t)[:8]:
        start, zoc = t.at[unit], t.zoc(t.who[unit])
        if start in zoc or abroad(unit, t.who[unit], start):
            continue
        for first in JOINED[start]:
            if first in zoc and plain(t, unit, first):
                for second in JOINED[first]:
                    if plain(t, unit, second) and second != start and cost(start, first) + cost(first, second) <= allowance(t, unit):
                        yield "4.0.p2", f"{OWNER[t.force]} move {unit} @ {start} > {second} via {first}"
                        return


def zoc_to_zoc(t: Table, line: str) -> Broken:
    """4.0.c2: from one enemy ZOC directly into another."""
    for unit in movers(t):
        start, zoc = t.at[unit], t.zoc(t.who[unit])
        if start not in zoc or abroad(unit, t.who[unit], start):
            continue
        for first in JOINED[start]:
            if first in zoc and plain(t, unit, first):
                for second in JOINED[first]:
                    if plain(t, unit, second) and second != start and cost(start, first) + cost(first, second) <= allowance(t, unit):
                        yield "4.0.c2", f"{OWNER[t.force]} move {unit} @ {start} > {second} via {first}"
                        return


def out_of_zoc_again(t: Table, line: str) -> Broken:
    """4.0.c1: a ZOC entered on the way is not left."""
    for unit in movers(t):
        start, zoc = t.at[unit], t.zoc(t.who[unit])
        if start in zoc or abroad(unit, t.who[unit], start):
            continue
        for first in JOINED[start]:
            if first in zoc and plain(t, unit, first):
                for second in JOINED[first]:
                    if plain(t, unit, second) and second not in zoc and cost(start, first) + cost(first, second) <= allowance(t, unit):
                        yield "4.0.c1", f"{OWNER[t.force]} move {unit} @ {start} > {second} via {first}"
                        return


def into_strangers(t: Table, line: str) -> Broken:
    """5.0.a3: into a hex of another force."""
    for unit in movers(t):
        start = t.at[unit]
        for first in JOINED[start]:
            if first in PLAYABLE and t.strangers(first, t.who[unit]):
                yield "5.0.a3", f"{OWNER[t.force]} move {unit} @ {start} > {first}"
                return


def over_the_line(t: Table, line: str) -> Broken:
    """5.2.1.p1, 5.2.2.p1: over the German Theater Boundary by choice."""
    for unit in movers(t):
        start, force = t.at[unit], t.who[unit]
        for first in JOINED[start]:
            if first not in PLAYABLE or t.strangers(first, force) or off_side(force, start) or not off_side(force, first):
                continue
            if theater(first) != "both":
                yield ("5.2.1.p1" if force in GERMAN else "5.2.2.p1"), f"{OWNER[t.force]} move {unit} @ {start} > {first}"
                return


def german_to_berlin(t: Table, line: str) -> Broken:
    """5.2.1.p3."""
    for unit in movers(t):
        if t.who[unit] in GERMAN and BERLIN in JOINED[t.at[unit]]:
            yield "5.2.1.p3", f"{OWNER[t.force]} move {unit} @ {t.at[unit]} > {BERLIN}"
            return


def over_the_yugoslav_border(t: Table, line: str) -> Broken:
    """5.3.1.p1, 5.3.2.p1."""
    for yugoslav in (True, False):
        for unit in movers(t):
            start = t.at[unit]
            if t.force != "S" or UNITS[unit].yugoslav != yugoslav or wrong_country(unit, "S", start):
                continue
            there = [n for n in JOINED[start] if n in PLAYABLE and wrong_country(unit, "S", n) and not t.strangers(n, "S")]
            if there and theater(there[0]) == "east":
                yield ("5.3.1.p1" if yugoslav else "5.3.2.p1"), f"soviet move {unit} @ {start} > {there[0]}"
                break


def gap(t: Table, line: str) -> Broken:
    """5.0.a1: two hexes of a way do not touch; or the unit does not stand where the way begins."""
    unit, end = parts(line)
    start = t.at[unit]
    aside = next((h for h in sorted(PLAYABLE) if apart(h, start) == 1 and apart(h, end) > 1), None)
    if aside and apart(start, end) > 1:
        yield "5.0.a1", f"{OWNER[t.force]} move {unit} @ {start} > {end} via {aside}"
    wrong = next(h for h in sorted(PLAYABLE) if apart(h, start) == 2)
    yield "5.0.a1", f"{OWNER[t.force]} move {unit} @ {wrong} > {end if end != wrong else start}"


def over_closed_sides(t: Table, line: str) -> Broken:
    """5.0.a2: into the sea, a neutral country, or over a closed side (the TEC lets nobody pass)."""
    for unit in movers(t):
        start = t.at[unit]
        for first in NEAR[start]:
            if first not in PLAYABLE or closed(start, first):
                beyond = first in PLAYABLE
                if beyond and (t.strangers(first, t.who[unit]) or not plain(t, unit, first)):
                    continue
                on = next((n for n in JOINED[first] if plain(t, unit, n) and n != start), "") if beyond else ""
                if on:
                    yield "5.0.a2", f"{OWNER[t.force]} move {unit} @ {start} > {on} via {first}"
                elif not beyond:
                    yield "5.0.a2", f"{OWNER[t.force]} move {unit} @ {start} > {first}"
                break


def another_force(t: Table, line: str) -> Broken:
    """3.0: a unit of a force whose phase this is not."""
    for other in ("S", "W", "EG", "WG"):
        units = sorted(u for u, h in t.at.items() if h in HEXES and t.who[u] == other)
        if other != t.force and units:
            unit = units[len(line) % len(units)]
            first = next((n for n in JOINED[t.at[unit]] if n in PLAYABLE), None)
            if first:
                yield MOVES[t.force], f"{OWNER[other]} move {unit} @ {t.at[unit]} > {first}"


def other_player(t: Table, line: str) -> Broken:
    """3.0.p1: the other player acts."""
    by = line.split(maxsplit=1)[0]
    yield "3.0.p1", line.replace(by, "western-allied" if by == "soviet" else "soviet", 1)


def other_kind(t: Table, line: str) -> Broken:
    """3.0: an attack or a replacement in a Movement Phase."""
    foes = sorted(h for u, h in t.at.items() if h in HEXES and t.who[u] == ENEMY[t.force])
    for unit in mine(t):
        near = [h for h in foes if h in JOINED[t.at[unit]]]
        if near:
            yield FIGHTS[t.force], f"{OWNER[t.force]} attack {unit} > {near[0]}"
            break
    boxed = sorted(u for u, h in t.at.items() if h.startswith("box") and t.who[u] == t.force)
    for unit in boxed[:1]:
        yield RETURNS[t.force], f"{OWNER[t.force]} replace {unit} > 2514"


def garrison_moves(t: Table, line: str) -> Broken:
    """10.0.a1."""
    for unit in sorted(t.garrison):
        if t.who[unit] == t.force and unit not in t.moved:
            first = next((n for n in JOINED[t.at[unit]] if plain(t, unit, n)), None)
            if first:
                yield "10.0.a1", f"{OWNER[t.force]} move {unit} @ {t.at[unit]} > {first}"


def locked_moves(t: Table, line: str) -> Broken:
    """7.2.f."""
    for unit in sorted(t.locked):
        if t.who[unit] == t.force and t.at[unit] in HEXES:
            first = next((n for n in JOINED[t.at[unit]] if plain(t, unit, n)), None)
            if first:
                yield "7.2.f", f"{OWNER[t.force]} move {unit} @ {t.at[unit]} > {first}"


def twice(t: Table, line: str) -> Broken:
    """5.0.p3: a unit that has moved moves on."""
    for unit in mine(t):
        if unit in t.moved and unit not in t.garrison:
            first = next((n for n in JOINED[t.at[unit]] if plain(t, unit, n)), None)
            if first:
                yield "5.0.p3", f"{OWNER[t.force]} move {unit} @ {t.at[unit]} > {first}"
                return


def exits_wrong(t: Table, line: str) -> Broken:
    """9.0: no German, no exit hex, too few points."""
    for unit in movers(t):
        here = t.at[unit]
        if t.force not in GERMAN:
            if any(edge(here, f"exit_{side}") for side in ("west", "east", "south")):
                yield "9.0.p1", f"{OWNER[t.force]} exit {unit} @ {here} > {here}"
            continue
        if here.endswith("01") and not edge(here, "exit_west"):
            yield "9.0.p3", f"{OWNER[t.force]} exit {unit} @ {here} > {here}"
        if here.endswith("26") and not edge(here, "exit_east"):
            yield "9.0.p4", f"{OWNER[t.force]} exit {unit} @ {here} > {here}"
        for gate in JOINED[here]:
            short = allowance(t, unit) - cost(here, gate) < 4 if gate in PLAYABLE else False
            leads_out = any(edge(gate, f"exit_{side}") for side in ("west", "east", "south")) and gate not in t.zoc(t.force)
            if short and leads_out and plain(t, unit, gate):
                yield "9.0.p2", f"{OWNER[t.force]} exit {unit} @ {here} > {gate}"


def evacuates_wrong(t: Table, line: str) -> Broken:
    """8.0: no East German, not on the coast, too early, a second attempt."""
    for unit in movers(t)[:40]:
        text = f"{OWNER[t.force]} evacuate {unit}"
        if t.force != "EG":
            yield "8.0.p3", text
            return
        if t.at[unit] in COURLAND and t.at[unit] not in COASTAL:
            yield "8.0.p4", text
        if t.at[unit] in COASTAL and (t.turn < 3 or t.attempts):
            yield "8.0.p7", text


# Combat Phases


def attackers(line: str) -> tuple[list[str], list[str]]:
    """Units and hexes of an attack."""
    words = line.split()
    return words[2].split(","), words[4].split(",")


def not_adjacent(t: Table, line: str) -> Broken:
    """6.3.c2: somebody joins from afar."""
    units, hexes = attackers(line)
    far = [u for u in mine(t) if u not in units and u not in t.attacked and not any(h in JOINED[t.at[u]] for h in hexes)]
    if far:
        unit = far[len(line) % len(far)]
        yield "6.3.c2", f"{OWNER[t.force]} attack {','.join(sorted([*units, unit]))} > {','.join(hexes)}"
        yield "6.0", f"{OWNER[t.force]} attack {unit} > {','.join(hexes)}"


def second_attack(t: Table, line: str) -> Broken:
    """6.3.c1: a unit that has attacked this phase."""
    for unit in mine(t):
        if unit in t.attacked:
            near = [h for u, h in sorted(t.at.items()) if h in JOINED[t.at[unit]] and t.who[u] == ENEMY[t.force]]
            if near:
                yield "6.3.c1", f"{OWNER[t.force]} attack {unit} > {near[0]}"
    units, hexes = attackers(line)
    tired = [u for u in mine(t) if u in t.attacked and u not in units and all(h in JOINED[t.at[u]] for h in hexes)]
    if tired:
        yield "6.3.c1", f"{OWNER[t.force]} attack {','.join(sorted([*units, tired[0]]))} > {','.join(hexes)}"


def hopeless(t: Table, line: str) -> Broken:
    """6.1.p2: below the table."""
    for unit in mine(t):
        if unit in t.attacked:
            continue
        for foe in sorted({h for u, h in t.at.items() if h in JOINED[t.at[unit]] and t.who[u] == ENEMY[t.force]}):
            if odds(t, [unit], [foe]) is None:
                yield "6.1.p2", f"{OWNER[t.force]} attack {unit} > {foe}"
                return


def not_all_beside(t: Table, line: str) -> Broken:
    """6.3.e: several hexes, and somebody is not beside all of them."""
    units, hexes = attackers(line)
    for foe in sorted({h for u, h in t.at.items() if h in HEXES and t.who[u] == ENEMY[t.force] and h not in hexes}):
        beside = [foe in JOINED[t.at[u]] for u in units]
        if any(beside) and not all(beside):
            yield "6.3.e", f"{OWNER[t.force]} attack {','.join(units)} > {','.join(sorted([*hexes, foe]))}"
            return


def nobody_there(t: Table, line: str) -> Broken:
    """6.0: an attack on an empty hex or on friends."""
    units, _ = attackers(line)
    here = t.at[units[0]]
    for name in JOINED[here]:
        if name in PLAYABLE and (not t.here(name) or t.who[t.here(name)[0]] == t.force):
            yield "6.0", f"{OWNER[t.force]} attack {units[0]} > {name}"
            return


def allies_attacked(t: Table, line: str) -> Broken:
    """6.3.a, 6.3.b, 3.0: an attack on a force that is no enemy."""
    for unit in mine(t):
        if unit in t.attacked:
            continue
        for name in JOINED[t.at[unit]]:
            there = t.here(name)
            if there and t.who[there[0]] not in {t.force, ENEMY[t.force]}:
                other = t.who[there[0]]
                pair = {t.force, other}
                paragraph = "6.3.a" if pair == {"S", "W"} else "6.3.b" if pair == {"EG", "WG"} else FIGHTS[t.force]
                yield paragraph, f"{OWNER[t.force]} attack {unit} > {name}"


def others_attack(t: Table, line: str) -> Broken:
    """3.0: units of another force attack."""
    for unit, here in sorted(t.at.items()):
        if here in HEXES and t.who[unit] != t.force:
            foes = [h for u, h in sorted(t.at.items()) if h in JOINED[here] and t.who[u] == ENEMY[t.who[unit]]]
            if foes:
                yield FIGHTS[t.force], f"{OWNER[t.who[unit]]} attack {unit} > {foes[0]}"
                return


def moves_in_combat(t: Table, line: str) -> Broken:
    """3.0: a move in a Combat Phase."""
    unit = attackers(line)[0][0]
    first = next((n for n in JOINED[t.at[unit]] if plain(t, unit, n)), None)
    if first:
        yield MOVES[t.force], f"{OWNER[t.force]} move {unit} @ {t.at[unit]} > {first}"


# Pending decisions


def retreats_wrong(t: Table, line: str) -> Broken:
    """6.2.1 and borders: every neighbour hex that is not of the best class, with the paragraph that closes it."""
    unit = parts(line)[0]
    force, here = t.who[unit], t.at[unit]
    fine = retreat_hexes(t, unit)
    best_vacant = any(not t.here(h) for h in fine)
    best_home = any(not _across(t, unit, h) for h in fine)
    by = OWNER[force]
    for name in NEAR[here]:
        text = f"{by} retreat {unit} > {name}"
        if name in fine:
            continue
        there = t.here(name)
        if name not in PLAYABLE or closed(here, name):
            yield "6.2.1.b1", text
        elif force in GERMAN and name == BERLIN:
            yield "5.2.1.p3", text
        elif name in t.zoc(force):
            yield "6.2.1.b2", text
        elif not _across(t, unit, name):
            if any(t.who[u] != force for u in there):
                yield "6.2.1.b1", text
            elif len(there) >= 2:
                yield "6.2.1.a2", text
            elif UNITS[unit].front and any(UNITS[u].front for u in there):
                yield "6.2.1.a3", text
            elif there and best_vacant and best_home:
                yield "6.2.1.a1", text
        elif best_home and not there:
            if force in GERMAN:
                yield "5.2.1.p1", text
            elif off_side(force, name):
                yield "5.2.2.p1", text
            else:
                yield ("5.3.1.p1" if UNITS[unit].yugoslav else "5.3.2.p1"), text
    two = next((h for h in sorted(PLAYABLE) if apart(h, here) == 2 and plain(t, unit, h)), None)
    if two:
        yield "6.2.1.p1", f"{by} retreat {unit} > {two}"
    yield "6.2.1.p1", f"{by} done"


def _across(t: Table, unit: str, name: str) -> bool:
    force = t.who[unit]
    if force in GERMAN:
        return theater(name) != SIDE[force]
    return abroad(unit, force, name)


def advances_wrong(t: Table, line: str, fought: list[str], hexes: list[str]) -> Broken:
    """6.5, 6.5.a, 10.0.a1 and the borders, when the attackers have won (``fought`` attacked ``hexes``)."""
    unit, name = parts(line)
    by = line.split(maxsplit=1)[0]
    if unit in fought:
        for other in [u for u in mine(t) if u not in fought][:2]:
            yield "6.5.a", f"{by} advance {other} > {name}"
        for other in [u for u in fought if t.at[u] in HEXES]:
            for there in [h for h in hexes if h in JOINED[t.at[other]] and not t.here(h)]:
                if other in t.garrison:
                    yield "10.0.a1", f"{by} advance {other} > {there}"
                elif t.force in GERMAN and there == BERLIN:
                    yield "5.2.1.p3", f"{by} advance {other} > {there}"
                elif t.force in GERMAN and theater(there) != SIDE[t.force]:
                    yield "5.2.1.p1", f"{by} advance {other} > {there}"
                elif t.force not in GERMAN and off_side(t.force, there):
                    yield "5.2.2.p1", f"{by} advance {other} > {there}"
                elif wrong_country(other, t.force, there) and not wrong_country(other, t.force, t.at[other]):
                    yield ("5.3.1.p3" if UNITS[other].yugoslav else "5.3.2.p3"), f"{by} advance {other} > {there}"
    aside = next((h for h in JOINED[t.at[unit]] if h in PLAYABLE and h != name and t.here(h) and not plain(t, unit, h)), None)
    if aside:
        yield "6.5", f"{by} advance {unit} > {aside}"


def garrison_retreats(t: Table, line: str, losers: list[str]) -> Broken:
    """10.0.a2: a garrison among the losers."""
    for unit in losers:
        if unit in t.garrison and t.at[unit] in HEXES:
            yield "10.0.a2", f"{OWNER[t.who[unit]]} retreat {unit} > {JOINED[t.at[unit]][0]}"


def replaces_wrong(t: Table, line: str) -> Broken:
    """7.2 and 7.1.b2."""
    unit, place = parts(line)
    by, force = OWNER[t.force], t.force
    boxed = sorted(u for u, h in t.at.items() if h == t.at[unit])
    least = min(UNITS[u].attack for u in boxed if UNITS[u].replaceable)
    for other in boxed:
        if not UNITS[other].replaceable:
            yield "7.1.b2", f"{by} replace {other} > {place}"
        elif force != "W" and UNITS[other].attack > least:
            yield "7.2.a1", f"{by} replace {other} > {place}"
    good = arrivals(t, unit)
    beside = [h for h in NEAR[BERLIN] if h in PLAYABLE]
    if force in GERMAN:
        yield "7.2.b1", f"{by} replace {unit} > 2512"
        for h in beside:
            held = [t.who[u] for u in t.here(h)]
            if theater(h) == SIDE[force] and any(f in {"S", "W"} for f in held):
                yield "7.2.c", f"{by} replace {unit} > {h}"
            elif theater(h) == SIDE[force] and len(held) >= 2:
                yield "7.2.e4", f"{by} replace {unit} > {h}"
            elif theater(h) != SIDE[force] and not held and all(theater(g) == SIDE[force] for g in good):
                yield "7.2.d1", f"{by} replace {unit} > {h}"
    else:
        paragraph = {"box-s": "7.2.e1", "box-w": "7.2.e2", "box-italy": "7.2.e3"}[t.at[unit]]
        yield paragraph, f"{by} replace {unit} > {'2512' if force == 'S' else '2514'}"
        kind = {"box-s": "entry_soviet", "box-w": "entry_west_allied", "box-italy": "entry_italy"}[t.at[unit]]
        for h in sorted(PLAYABLE):
            held = t.here(h)
            if edge(h, kind) and len(held) >= 2 and all(t.who[u] == force for u in held):
                yield "7.2.e4", f"{by} replace {unit} > {h}"
                break
    for other in mine(t)[:1]:
        first = next(n for n in JOINED[t.at[other]] if n in PLAYABLE)
        yield MOVES[force], f"{by} move {other} @ {t.at[other]} > {first}"


def done_too_soon(t: Table, made: int) -> Broken:
    """12.2.a: the West Germans stop before two attacks on turn 1, though one more is possible."""
    if t.force != "WG" or t.turn != 1 or t.kind != "combat" or made >= 2:
        return
    for unit in mine(t):
        foes = {h for u, h in t.at.items() if h in JOINED[t.at[unit]] and t.who[u] == "W"}
        if unit not in t.attacked and any(odds(t, [unit], [h]) for h in foes):
            yield "12.2.a", "soviet done"
            return


def sets_up_wrong(t: Table, line: str) -> Broken:
    """8.0.p1, 5.1.p1."""
    unit, place = parts(line)
    yield "8.0.p1", f"western-allied setup {unit} > 3722"
    yield "8.0.p1", f"western-allied setup eg-6 > {place}"
    for name in COURLAND:
        if len(t.here(name)) >= 2:
            yield "5.1.p1", f"western-allied setup {unit} > {name}"
    yield "8.0.p1", "western-allied done"


def takes_wrong(t: Table, gate: str, taken: int) -> Broken:
    """9.0.a1: somebody further away, of another front or of the exiting side."""
    fine = takeable(t, gate, taken)
    front = "S" if edge(gate, "exit_east") else "W"
    by = OWNER[t.force]
    far = [u for u, h in sorted(t.at.items()) if h in HEXES and t.who[u] == front and u not in fine and u not in t.flipped]
    other = [u for u, h in sorted(t.at.items()) if h in HEXES and t.who[u] in {"S", "W"} and t.who[u] != front]
    for unit in (*far[:2], *other[:1]):
        yield "9.0.a1", f"{by} take {unit}"


def lands_wrong(t: Table, line: str) -> Broken:
    """8.0.p6: no other port."""
    yield "8.0.p6", "western-allied land > 3120"
    if t.ports_entered:
        yield "8.0.p6", f"western-allied land > {min(t.ports_entered)}"


def rolls_wrong(t: Table, line: str) -> Broken:
    """6.1.p3, 8.0.p5: no such face, two dice, another roll."""
    key = line.split()[2]
    paragraph = "6.1.p3" if key == "combat" else "8.0.p5"
    for text in (f"chance roll {key} 0", f"chance roll {key} 7", f"chance roll {key} 3,4"):
        yield paragraph, text


def loses_wrong(t: Table, line: str) -> Broken:
    """6.2.c: somebody who did not attack, or too few."""
    by = line.split(maxsplit=1)[0]
    idle = [u for u in mine(t) if u not in t.attacked]
    if idle:
        yield "6.2.c", f"{by} lose {idle[0]}"
    foe = next((u for u, h in sorted(t.at.items()) if h in HEXES and t.who[u] == ENEMY[t.force]), None)
    if foe:
        yield "6.2.c", f"{by} lose {foe}"


IN_MOVEMENT: tuple[Mutator, ...] = (
    too_far,
    too_dear,
    through_zoc,
    zoc_to_zoc,
    out_of_zoc_again,
    into_strangers,
    over_the_line,
    german_to_berlin,
    over_the_yugoslav_border,
    gap,
    over_closed_sides,
    another_force,
    other_player,
    other_kind,
    garrison_moves,
    locked_moves,
    twice,
    exits_wrong,
    evacuates_wrong,
)
IN_ATTACK: tuple[Mutator, ...] = (
    not_adjacent,
    second_attack,
    hopeless,
    not_all_beside,
    nobody_there,
    allies_attacked,
    others_attack,
    moves_in_combat,
    other_player,
)
ANSWERS: dict[str, tuple[Mutator, ...]] = {
    "retreat": (retreats_wrong, other_player),
    "advance": (other_player,),
    "replace": (replaces_wrong, other_player),
    "setup": (sets_up_wrong, other_player),
    "land": (lands_wrong, other_player),
    "roll": (rolls_wrong,),
    "lose": (loses_wrong, other_player),
}
