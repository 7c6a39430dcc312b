"""Every canonical, factored action of a position, in notation."""

from __future__ import annotations

from collections.abc import Callable

from tests.games.bfg.enumerator.fight import advances, allowed, crew, openable, possible_attacks, ready, retreats, takeable
from tests.games.bfg.enumerator.state import State
from tests.games.bfg.enumerator.turn import arrivals, groups, mandated, markable, replaceable
from tests.games.bfg.enumerator.ways import Terrain, exits, goals, mobile
from tests.games.bfg.facts import COASTAL, COURLAND, PORTS

DICE = range(1, 7)


def actions(state: State) -> list[str]:
    """The lines that are lawful now; nothing when the game is over."""
    return _LISTS[state.step](state)


def _setup(state: State) -> list[str]:
    by = state.by("G" if state.rules.scenario == "three_player" else "EG")
    waiting = [u for u, place in state.at.items() if place == "unplaced"]
    if not waiting:
        return [f"{by} done"]
    return [f"{by} setup {u} > {h}" for u in waiting for h in COURLAND if len(state.here(h)) < 2]


def _replacement(state: State) -> list[str]:
    by = state.by(state.force)
    found = [f"{by} marker {u}" for u in markable(state)]
    found += [f"{by} replace {u} > {h}" for u in replaceable(state) for h in arrivals(state, u)]
    return [*found, f"{by} done"]


def _movement(state: State) -> list[str]:
    by = state.by(state.force)
    terrain = Terrain(state)
    found = []
    for unit in state.on_map(state.force):
        if not mobile(state, unit):
            continue
        head = f"{by} move {unit} @ {state.at[unit]} > "
        found += [head + goal for goal in goals(state, unit, terrain)]
        found += [f"{by} exit {unit} @ {state.at[unit]} > {gate}" for gate in exits(state, unit, terrain)]
        if may_evacuate(state, unit):
            found.append(f"{by} evacuate {unit}")
    if may_end_movement(state):
        found.append(f"{by} done")
    return found


def may_end_movement(state: State) -> bool:
    """5.1, R-G33; 12.2 with R-G62 and R-G18: not with fewer attacks possible than were possible (up to two) when the phase began.

    Reading: an overstack or a lost attack that nobody can mend any more leaves the position without a single action; no rule says what
    happens then.
    """
    return not state.overstacked(state.force) and (not state.required or possible_attacks(state) >= state.required)


def open_ports(state: State) -> list[str]:
    """8.0, R-G76: never entered by an Ally, at most one friend there."""
    return [p for p in PORTS if p not in state.ports_entered and len(state.here(p)) < 2 and state.side(p) in ("", state.force)]


def may_evacuate(state: State, unit: str) -> bool:
    """8.0, R-G8, R-G76, R-G77: a mobile EG or G unit on the coast of Courland."""
    if state.force not in ("EG", "G") or state.kind != "movement" or state.at[unit] not in COASTAL or state.attempts:
        return False
    return (state.turn >= 3 or state.rules.has("18/8.0")) and bool(open_ports(state))


def _combat(state: State) -> list[str]:
    by = state.by(state.force)
    found = [f"{by} target > {t}" for t in openable(state)]
    if may_end_combat(state):
        found.append(f"{by} done")
    return found


def may_end_combat(state: State) -> bool:
    """12.2, 18/12.2, R-G62: not while fewer than two attacks that count were made and one more is possible."""
    if state.kind != "combat" or not mandated(state) or state.attacks >= 2:
        return True
    return not openable(state, (), state.rules.has("18/12.2"))


def _declare(state: State) -> list[str]:
    by, c = state.by(state.force), state.combat
    assert c
    found = []
    if not c.units:
        found += [f"{by} target > {t}" for t in openable(state, c.targets)]
    found += [f"{by} join {u}" for u in crew(state, c.targets, ready(state)) if u not in c.units]
    if c.units and allowed(state, c.units, c.targets):
        found.append(f"{by} done")
    return found


def _lose(state: State) -> list[str]:
    by, c = state.by(state.force), state.combat
    assert c
    found = [f"{by} lose {u}" for u in c.victors]
    return [*found, f"{by} done"] if c.price <= 0 else found


def _retreat(state: State) -> list[str]:
    assert state.combat
    return [f"{state.by(state.who[u])} retreat {u} > {h}" for u in state.combat.waiting for h in retreats(state, u)]


def _advance(state: State) -> list[str]:
    """6.5. Reading: where victors have two owners (four players), each has a ``done`` of his own that declines for his units only."""
    assert state.combat
    pairs = advances(state, state.combat)
    owners = sorted({state.by(state.who[u]) for u, _ in pairs})
    return [f"{state.by(state.who[u])} advance {u} > {h}" for u, h in pairs] + [f"{by} done" for by in owners]


def _take(state: State) -> list[str]:
    return [f"{state.taker} take {u}" for u in takeable(state)] + [f"{state.taker} done"]


def _landing(state: State) -> list[str]:
    return [f"{state.by(state.force)} land > {p}" for p in open_ports(state)]


def _group(state: State) -> list[str]:
    by = state.by("W")
    return [f"{by} group {name}" for name in groups(state)] + [f"{by} done"]


_LISTS: dict[str, Callable[[State], list[str]]] = {
    "set-up": _setup,
    "turn11": lambda state: [f"chance roll turn11 {die}" for die in DICE],
    "replacement": _replacement,
    "movement": _movement,
    "second-movement": _movement,
    "combat": _combat,
    "second-combat": _combat,
    "declare": _declare,
    "combat-roll": lambda state: [f"chance roll combat {die}" for die in DICE],
    "lose": _lose,
    "retreat": _retreat,
    "advance": _advance,
    "evacuation": lambda state: [f"chance roll evacuation {die}" for die in DICE],
    "landing": _landing,
    "take": _take,
    "group": _group,
    "over": lambda state: [],
}
