"""Combat: who may attack what, odds, multipliers, retreats, advances (6.0, 18/6.3, 12.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import ceil

from tests.games.bfg.enumerator.board import (
    BIT,
    EAST,
    EXITS,
    FORTS,
    GERMANS,
    HOME,
    ITALY,
    POLES_EAST,
    POLES_WEST,
    RIVERS,
    SS,
    WEST,
    YUGOSLAVIA,
)
from tests.games.bfg.enumerator.state import Combat, State
from tests.games.bfg.facts import BERLIN, HEXES, JOINED, PLAYABLE, TERRAIN, UNITS, apart

LOWEST = 3
HIGHEST = 6
BROKEN, FORTIFIED, RIVER = (int(TERRAIN[kind]["defence_multiplier"]) for kind in ("broken", "fortified", "river"))


def attack_of(state: State, unit: str) -> int:
    """Attack strength; the SS of 13.2 halved up (R-G98)."""
    printed = UNITS[unit].attack
    return (printed + 1) // 2 if unit in SS and state.who[unit] == "W" else printed


def place_of(state: State, target: str) -> str:
    """The hex of a target."""
    return target if target in BIT else state.at[target]


def defenders_of(state: State, targets: Iterable[str]) -> tuple[str, ...]:
    """The attacked units (6.3; R-G61: single ones)."""
    return tuple(u for target in targets for u in (state.here(target) if target in BIT else (target,)))


def multiplier(state: State, name: str, attackers: Iterable[str]) -> int:
    """6.4, R-G2: 1 + sum of (m - 1), or 5 for three effects by the switch."""
    factors = []
    if HEXES[name]["terrain"] == "broken":
        factors.append(BROKEN)
    if name in FORTS and name not in state.forts_gone and state.side(name) in GERMANS:
        factors.append(FORTIFIED)
    if all((state.at[u], name) in RIVERS for u in attackers):
        factors.append(RIVER)
    if len(factors) == 3 and state.rules.has("6.4/three-effects"):
        return sum(factors) - 1
    return 1 + sum(m - 1 for m in factors)


def strengths(state: State, attackers: Sequence[str], targets: Iterable[str]) -> tuple[int, int]:
    """Attack and modified defence (R-G45)."""
    attack = sum(attack_of(state, u) for u in attackers)
    defence = 0
    for target in targets:
        name = place_of(state, target)
        defence += sum(UNITS[u].defense for u in defenders_of(state, (target,))) * multiplier(state, name, attackers)
    return attack, defence


def column(attack: int, defence: int) -> str:
    """The odds column, or nothing below the table (6.1, R-G17, R-G57)."""
    if attack >= defence:
        return f"{min(HIGHEST, attack // defence)}:1"
    down = ceil(defence / attack)
    return f"1:{down}" if down <= LOWEST else ""


def allowed(state: State, attackers: Sequence[str], targets: Iterable[str], even: bool = False) -> bool:
    """Whether these attackers reach the table (``even``: 1:1, for 18/12.2). More attackers never make it worse."""
    if not attackers:
        return False
    attack, defence = strengths(state, attackers, targets)
    return attack >= defence if even else defence <= LOWEST * attack


def ready(state: State) -> list[str]:
    """Units of the acting force that may still attack in this phase (6.3, R-G113)."""
    second = state.kind == "second-combat"
    return [
        u
        for u in state.on_map(state.force)
        if u not in state.attacked and u not in state.tired and u not in state.flipped and (not second or u in state.eligible)
    ]


def pole_ban(state: State, unit: str, targets: Iterable[str]) -> bool:
    """13.1, 15.2, R-G60: Poles do not attack Poles."""
    if unit in POLES_EAST:
        return any(u in POLES_WEST for u in defenders_of(state, targets))
    return unit in POLES_WEST and any(u in POLES_EAST for u in defenders_of(state, targets))


def crew(state: State, targets: Sequence[str], free: Iterable[str]) -> list[str]:
    """Of the free units those that may join an attack on all these targets (R-G46)."""
    places = [place_of(state, t) for t in targets]
    return [u for u in free if all(p in JOINED[state.at[u]] for p in places) and not pole_ban(state, u, targets)]


def candidates(state: State, free: Iterable[str], chosen: Sequence[str] = ()) -> list[str]:
    """Targets that may be named beside those chosen, odds aside.

    Reading (18/6.3): once a unit of a hex is named, neither the whole hex nor the last unnamed one of its units may be named.
    """
    foes = state.foes(state.force)
    places = {n for u in free for n in JOINED[state.at[u]] if state.side(n) in foes}
    named = {place_of(state, t): t for t in chosen}
    found = []
    for name in sorted(places):
        units = state.here(name)
        if name not in named:
            found.append(name)
        elif named[name] == name:
            continue
        if state.rules.has("18/6.3") and len(units) > 1:
            rest = [u for u in units if u not in chosen]
            if name in named and len(rest) <= 1:
                continue
            found += rest
    return found


def openable(state: State, chosen: Sequence[str] = (), even: bool = False) -> list[str]:
    """Targets on which, together with those chosen, some allowed attack exists."""
    free = ready(state)
    if chosen:
        free = crew(state, chosen, free)
    return [t for t in candidates(state, free, chosen) if allowed(state, crew(state, (*chosen, t), free), (*chosen, t), even)]


_possible: dict[tuple[object, ...], int] = {}


def possible_attacks(state: State) -> int:
    """12.2, R-G62: separate attacks that the acting force could make as units stand, counted up to two."""
    force = state.force
    foes = state.foes(force)
    mine = state.on_map(force)
    near = {u: tuple(n for n in JOINED[state.at[u]] if state.side(n) in foes) for u in mine}
    mine = [u for u in mine if near[u]]
    key = (
        state.rules,
        state.forts_gone,
        frozenset((u, state.at[u]) for u in mine),
        frozenset(u for places in near.values() for n in places for u in state.here(n)),
    )
    found = _possible.get(key)
    if found is None:
        if len(_possible) > 50_000:
            _possible.clear()
        found = _possible[key] = _possible_attacks(state, mine)
    return found


def _possible_attacks(state: State, mine: list[str]) -> int:
    even = state.rules.has("18/12.2")
    crews = {t: crew(state, (t,), mine) for t in candidates(state, mine)}
    crews = {t: units for t, units in crews.items() if allowed(state, units, (t,), even)}
    if not crews:
        return 0
    alone = {u for t, units in crews.items() for u in units if allowed(state, (u,), (t,), even)}
    if len(alone) > 1:
        return 2
    targets = list(crews)
    for i, a in enumerate(targets):
        for b in targets[i:]:
            shared = [u for u in crews[a] if u in crews[b]]
            only_a = [u for u in crews[a] if u not in shared]
            only_b = [u for u in crews[b] if u not in shared]
            for choice in product((True, False), repeat=len(shared)):
                first = only_a + [u for u, yes in zip(shared, choice, strict=True) if yes]
                if not allowed(state, first, (a,), even):
                    continue
                if allowed(state, only_b + [u for u, yes in zip(shared, choice, strict=True) if not yes], (b,), even):
                    return 2
    return 1


# Retreat and advance


def becomes(state: State, unit: str, name: str) -> str:
    """The force of a unit once it stands there (5.2.1; R-G100: EG stays EG in Collapse)."""
    force = state.who[unit]
    if force in ("EG", "WG") and state.rules.scenario != "collapse" and state.off_side(force, name):
        return "WG" if force == "EG" else "EG"
    return force


def retreats(state: State, unit: str) -> list[str]:
    """The hexes of a unit's best class of retreat (6.2.1, R-G48, R-G49, R-G50); none = eliminated.

    Reading of the switch 6.2.1/vacant-first: vacant own side, vacant across, friend own side, friend across.
    """
    force = state.who[unit]
    zocs = {force: state.enemy_zoc(force)}
    classes: dict[int, list[str]] = {}
    for there in JOINED[state.at[unit]]:
        if there not in PLAYABLE or (there == BERLIN and state.barred_berlin(unit)):
            continue
        if force == "S" and state.rules.scenario == "collapse" and there in WEST:
            continue
        new = becomes(state, unit, there)
        if new not in zocs:
            zocs[new] = state.enemy_zoc(new)
        if BIT[there] & (zocs[force] | zocs[new]) or not state.room(unit, there, new):
            continue
        friend = bool(state.here(there))
        across = state.off_side(force, there) or state.wrong_country(unit, there)
        rank = 2 * friend + across if state.rules.has("6.2.1/vacant-first") else 2 * across + friend
        classes.setdefault(rank, []).append(there)
    return classes[min(classes)] if classes else []


def may_advance(state: State, unit: str, there: str) -> bool:
    """Borders and garrisons for an advance (R-G54, R-G40, R-G53); victory and vacancy are the caller's.

    Reading: a displaced unit advancing from one hex across the line to another one across does not cross it, and may (met only with
    four players). From Berlin only to the own side.
    """
    here, force = state.at[unit], state.who[unit]
    if unit in state.garrison or here not in BIT or there not in JOINED[here] or state.here(there):
        return False
    if there == BERLIN and state.barred_berlin(unit):
        return False
    if force == "S" and state.rules.scenario == "collapse" and there in WEST:
        return False
    if state.line() and there in (EAST if HOME[force] == "west" else WEST) and not state.off_side(force, here):
        return False
    into, outof = there in YUGOSLAVIA, here in YUGOSLAVIA
    if force == "S" and into != outof:
        return UNITS[unit].yugoslav and into
    return True


def advances(state: State, combat: Combat) -> list[tuple[str, str]]:
    """(unit, hex) of every advance that is open now."""
    return [(u, h) for h in combat.vacated if not state.here(h) for u in combat.victors if may_advance(state, u, h)]


def front(state: State, gate: str) -> list[str]:
    """The units of the front of an exit hex that are not flipped yet (R-G79)."""
    if gate in EXITS["east"]:
        return [u for u in state.on_map("S") if u not in state.flipped]
    italy = gate in EXITS["south"]
    return [u for u in state.on_map("W") if u not in state.flipped and (state.at[u] in ITALY) == italy]


def front_box(gate: str) -> str:
    """The box of that front."""
    return "box-s" if gate in EXITS["east"] else "box-italy" if gate in EXITS["south"] else "box-w"


def takeable(state: State) -> list[str]:
    """Who may be taken next: of the nearest still due, ties at the cut by choice (9.0, R-G80); from the box (R-G81)."""
    due = 2 - state.taken
    if due <= 0:
        return []
    if state.from_box:
        return [u for u, place in state.at.items() if place == front_box(state.gate)]
    units = front(state, state.gate)
    if not units:
        return []
    far = {u: apart(state.gate, state.at[u]) for u in units}
    cut = sorted(far.values())[min(due, len(units)) - 1]
    return [u for u in units if far[u] <= cut]
