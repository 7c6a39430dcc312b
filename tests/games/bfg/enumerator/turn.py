"""Phases: their beginning, their end with what happens by itself, and which of them pass unasked."""

from __future__ import annotations

from tests.games.bfg.enumerator import readings
from tests.games.bfg.enumerator.board import BIT, ENTRY, FRONTS, GERMANS, GROUP, HOME, NAMES, PHASES, PROPER, SCENARIOS, SS, WEST
from tests.games.bfg.enumerator.fight import openable, possible_attacks
from tests.games.bfg.enumerator.state import State
from tests.games.bfg.facts import BERLIN, CAPITALS, CITIES, NEAR, RATES, UNITS, apart, theater

RANGE = 3
AROUND = tuple(NEAR[BERLIN])
SIDE_OF_BERLIN = {side: tuple(h for h in AROUND if theater(h) == side) for side in ("east", "west")}


# Replacements


def rates(state: State) -> tuple[int, int]:
    """Own and Italian rate of the Replacement Phase (7.2, R-G71, R-G72, R-G102, R-G121)."""

    def rate(name: str) -> int:
        return RATES.get((state.turn, name), 0)

    if state.turn == 1:
        return 0, 0
    if state.force == "S":
        return rate("soviet"), 0
    if state.force == "W":
        return rate("western_allied"), rate("western_allied_italy")
    both = rate("east_german") + rate("west_german")
    if state.force == "G":
        return both, 0
    if state.rules.has("12.3"):
        return (both if state.force == "EG" else 0), 0
    return rate("east_german" if state.force == "EG" else "west_german"), 0


def piles(state: State) -> list[tuple[str, ...]]:
    """The boxes drawn on with each rate (R-G69, R-G71, R-G72)."""
    if state.force == "S":
        return [("box-s",)]
    if state.force == "W":
        return [("box-w",), ("box-italy",)]
    if state.force == "G" or (state.rules.has("12.3") and not state.rules.has("12.3/east-box")):
        return [("box-eg", "box-wg")]
    return [("box-eg",) if state.force == "EG" else ("box-wg",)]


def arrivals(state: State, unit: str) -> dict[str, str]:
    """Hex to the force that the unit has there (7.2, R-G66, R-G67, R-G73, R-G102)."""
    if state.force not in GERMANS:
        found = dict.fromkeys(ENTRY[state.at[unit]], state.force)
    elif state.force == "G":
        found = dict.fromkeys(AROUND, "G")
    else:
        found = dict.fromkeys(SIDE_OF_BERLIN[HOME[state.force]], state.force)
        if all(state.side(h) in ("S", "W") for h in found):
            other = "WG" if state.force == "EG" else "EG"
            found = {} if state.rules.scenario == "collapse" else dict.fromkeys(SIDE_OF_BERLIN[HOME[other]], other)
    return {h: force for h, force in found.items() if state.room(unit, h, force)}


def replaceable(state: State) -> list[str]:
    """The units that may be picked now: any W; of the others the weakest (7.2, R-G10, R-G64)."""
    picked: list[str] = []
    for boxes, left in zip(piles(state), state.rates, strict=False):
        units = [u for u, place in state.at.items() if place in boxes and UNITS[u].replaceable] if left > 0 else []
        if units and state.force != "W":
            least = min(UNITS[u].attack for u in units)
            units = [u for u in units if UNITS[u].attack == least]
        picked += units
    return picked


def markable(state: State) -> list[str]:
    """18.1: who may get a marker (R-G115, R-G114; the SS of 13.2 count as W here, as the contract says "any unit of the W force")."""
    if not state.rules.has("18.1"):
        return []
    if state.force == "S":
        return [u for u in state.on_map("S") if u in FRONTS] if state.placed < 2 and state.supply > 0 else []
    return state.on_map("W") if state.force == "W" and not state.placed else []


# Second phases


def in_range(state: State) -> list[str]:
    """18.1: units of the acting force within three hexes of a marker that may act (R-G111, R-G113)."""
    spots = state.markers if state.force == "S" else tuple(filter(None, (state.marker_western,)))
    return [
        u
        for u in state.on_map(state.force)
        if u not in state.tired
        and (u in PROPER if state.force == "S" else GROUP[u] in ("commonwealth", "us"))
        and any(apart(state.at[u], spot) <= RANGE for spot in spots)
    ]


def groups(state: State) -> list[str]:
    """The groups that W may choose.

    Reading (18.1): "could act" means in range and not tired; whether the unit finds an attack or a move is not asked.
    """
    found = {GROUP[u] for u in in_range(state)}
    return ["commonwealth", "us"] if found and readings.BOTH_GROUPS else sorted(found)


# The clock


def mandated(state: State) -> bool:
    """12.2 in force: WG on turn 1, Historical and Expanded, without 12.3."""
    ours = state.rules.scenario in ("historical", "expanded") and not state.rules.has("12.3")
    return ours and state.turn == 1 and state.force == "WG"


def exists(state: State, index: int) -> bool:
    """Whether this phase exists at all now (R-G96, R-G118)."""
    _, force, kind = PHASES[state.rules.scenario][index]
    if kind.startswith("second") and not state.rules.has("18.1"):
        return False
    return not (force in GERMANS and state.regime == "after-berlin")


def begin(state: State) -> None:
    """Starts the phase that ``state.phase`` names."""
    kind = state.kind
    state.moved = state.attacked = frozenset()
    state.combat = None
    state.placed, state.rates, state.attacks, state.required = 0, (0, 0), 0, 0
    state.step = kind
    if kind == "replacement":
        state.rates = rates(state)
    elif kind == "movement":
        state.tripled = False
        if mandated(state):
            state.required = possible_attacks(state)
    elif kind == "second-combat":
        state.eligible = frozenset()
        if state.force == "S":
            state.eligible = frozenset(in_range(state))
        else:
            state.step = "group"


def idle(state: State) -> bool:
    """Whether the phase that waits passes by itself (contract)."""
    step = state.step
    if step == "replacement":
        return not markable(state) and not replaceable(state)
    if step == "movement":
        return not state.on_map(state.force)
    if step in ("combat", "second-combat"):
        return not openable(state)
    if step == "group":
        return not groups(state)
    if step == "second-movement":
        return not any(u in state.eligible and u not in state.garrison for u in state.on_map(state.force))
    return False


def settle(state: State) -> None:
    """Passes what passes by itself, until somebody is asked or the game is over."""
    while idle(state):
        end_phase(state)


def end_phase(state: State) -> None:
    """What happens by itself at the end of a phase (interface section 4), then the next phase begins."""
    force, kind = state.force, state.kind
    if kind == "movement":
        if force in ("S", "W"):
            late = [u for u in state.on_map(force) if state.off_side(force, state.at[u])]
        else:
            late = [u for u in state.on_map(force) if state.rules.scenario == "collapse" and state.at[u] in WEST]
        for unit in late:
            state.destroy(unit)
        for unit in sorted(state.flipped):
            state.remove(unit, "off")
        state.locked -= {u for u in state.locked if state.who[u] == force}
    if kind == "combat" and force == "S":
        for unit in [u for u, turn in state.abroad.items() if turn < state.turn]:
            state.destroy(unit)
    if kind == "second-movement":
        state.eligible, state.group = frozenset(), ""
    state.garrison |= {u for u in FRONTS if state.at.get(u) in CAPITALS}
    state.combat = None
    _next(state)


def _next(state: State) -> None:
    plan = PHASES[state.rules.scenario]
    running = state.player_turn
    index = state.phase + 1
    while index < len(plan) and plan[index][0] == running and not exists(state, index):
        index += 1
    if index < len(plan) and plan[index][0] == running:
        state.phase = index
    else:
        _end_player_turn(state, running)
        while index < len(plan) and not exists(state, index):
            index += 1
        if index < len(plan):
            state.phase = index
        elif not _next_turn(state):
            return
    begin(state)


def _end_player_turn(state: State, running: str) -> None:
    if running in ("S", "W"):
        own = frozenset(u for u, force in state.who.items() if force == running)
        state.tired = (state.tired - own) | (state.used & own)
        state.used -= own
        state.eligible, state.group = frozenset(), ""
        if running == "S":
            state.markers = ()
        else:
            state.marker_western = ""
    if state.rules.scenario == "expanded" and state.regime == "war" and state.berlin_first:
        _germans_leave(state)


def _germans_leave(state: State) -> None:
    """13.1, 13.2, R-G96, R-G98."""
    for unit, force in list(state.who.items()):
        if force not in GERMANS or state.at[unit] not in BIT:
            continue
        if unit in SS and state.rules.has("13.2"):
            state.who[unit] = "W"
            for name in ("moved", "attacked", "doubled", "locked"):
                setattr(state, name, getattr(state, name) - {unit})
        else:
            state.remove(unit, "off")
    state.regime = "after-berlin"
    state.judge_cities(CITIES, "")


def _next_turn(state: State) -> bool:
    """The turn phase; False when the game is over."""
    state.doubled = frozenset()
    if state.turn >= int(SCENARIOS[state.rules.scenario]["last_turn"]):
        state.step = "over"
        return False
    state.turn += 1
    state.phase = next(i for i in range(len(PHASES[state.rules.scenario])) if exists(state, i))
    if state.rules.has("18/8.0"):
        state.attempts = 0
    if state.rules.scenario == "expanded" and state.rules.has("18.1") and state.turn == 11:
        state.supply = 7
    return True


# The end


def points(state: State) -> dict[str, int]:
    """VPs of S, W and, in Collapse, the German (10.0, 11.0, 14.0, R-G93, R-G99, R-G101)."""
    total = {"S": 0, "W": 0, "G": 0}
    for city, row in CITIES.items():
        if state.rules.scenario == "collapse" and theater(city) not in ("east", "both"):
            continue
        side = state.holder[city]
        inside = state.here(city)
        if state.rules.has("14.0/occupied"):
            if not inside:
                continue
            side = state.nation(inside[0])
        if side == "S" and city in CAPITALS and not any(u in FRONTS for u in inside):
            continue
        total[side] += int(row["vp"])
    return total


def result(state: State) -> dict[str, object] | None:
    """``winners`` (names of players; none: a draw) and ``points``; None while the game runs (11.0, 14.0, 16.3, 17.3, R-G94, R-G108)."""
    if state.step != "over":
        return None
    total = points(state)
    if state.rules.scenario == "four_player":
        first = state.berlin_first[0] if state.berlin_first else ""
        winners = [first] if first else []
        winners += [german for ally, german in (("S", "EG"), ("W", "WG")) if ally not in state.berlin_seen]
        return {"winners": sorted(NAMES[f] for f in winners), "points": {}}
    if state.rules.scenario == "collapse":
        named = {"soviet": total["S"], "western-allied": total["G"]}
    else:
        named = {"soviet": total["S"], "western-allied": total["W"]}
    if state.rules.scenario == "three_player" and state.side(BERLIN) not in ("S", "W"):
        return {"winners": ["german"], "points": named}
    most = max(named.values())
    winners = [name for name, number in named.items() if number == most]
    return {"winners": winners if len(winners) == 1 else [], "points": named}
