"""Playing one line of notation, with everything that follows by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.games.bfg.enumerator import readings
from tests.games.bfg.enumerator.board import BIT, GERMANS, GROUP
from tests.games.bfg.enumerator.fight import (
    advances,
    becomes,
    column,
    defenders_of,
    front,
    place_of,
    retreats,
    strengths,
    takeable,
)
from tests.games.bfg.enumerator.legal import open_ports
from tests.games.bfg.enumerator.state import Combat, State
from tests.games.bfg.enumerator.turn import arrivals, begin, end_phase, in_range, mandated, settle
from tests.games.bfg.enumerator.ways import EXIT_COST, Terrain, allowance, may_triple, way
from tests.games.bfg.facts import CITIES, CRT, UNITS, cost


def play(state: State, line: str) -> State:
    """The position after one action; the given one stays as it is.

    The line is taken to be lawful; ValueError where it cannot be read here.
    """
    words = line.split()
    if len(words) < 2 or words[1] not in _VERBS:
        raise ValueError(f"{line}: the second word must be one of {', '.join(sorted(_VERBS))}")
    made = state.copy()
    _VERBS[words[1]](made, words)
    settle(made)
    return made


def _setup(state: State, words: list[str]) -> None:
    state.drop(words[2], words[4])
    if not readings.SETUP_DONE and "unplaced" not in state.at.values():
        _done(state, words)


def _way(state: State, unit: str, words: list[str], spare: int) -> tuple[str, ...]:
    """The way of a move or exit, ``spare`` MPs kept; marks the tripled move where only it reaches (16.3, contract)."""
    start, goal = state.at[unit], words[words.index(">") + 1]
    ground = Terrain(state).ground(unit)
    mps = allowance(state, unit) - spare
    triple = UNITS[unit].move * 3 - spare if may_triple(state, unit, ground) else -1
    if goal == start:
        if spare and mps < 0:
            state.tripled = True
        return ()
    if "via" in words:
        path = (*words[words.index("via") + 1].split(","), goal)
        price = sum(cost(a, b) for a, b in zip((start, *path), path, strict=False))
        if price > mps:
            state.tripled = True
        return path
    found = way(start, goal, mps, ground)
    if found is None and triple >= 0:
        found = way(start, goal, triple, ground, True)
        state.tripled = True
    if found is None:
        raise ValueError(f"{' '.join(words)}: no lawful way")
    return found


def _move(state: State, words: list[str]) -> None:
    unit = words[2]
    for name in _way(state, unit, words, 0):
        state.enter(unit, name)
    state.stopped(unit, False)
    state.moved |= {unit}
    if state.kind == "second-movement":
        state.used |= {unit}


def _exit(state: State, words: list[str]) -> None:
    unit = words[2]
    for name in _way(state, unit, words, EXIT_COST):
        state.enter(unit, name)
    state.gate, state.taken = state.at[unit], 0
    state.taker = state.by(state.who[unit])
    state.remove(unit, "off")
    state.from_box = not front(state, state.gate)
    state.step = "take"
    _maybe_taken(state)


def _maybe_taken(state: State) -> None:
    if not takeable(state):
        state.gate, state.taken, state.from_box, state.taker = "", 0, False, ""
        state.step = "movement"


def _take(state: State, words: list[str]) -> None:
    unit = words[2]
    if state.at[unit] in BIT:
        state.flipped |= {unit}
    else:
        state.at[unit] = "off"
    state.taken += 1
    _maybe_taken(state)


def _evacuate(state: State, words: list[str]) -> None:
    state.sailor = words[2]
    state.attempts += 1
    state.moved |= {words[2]}
    state.step = "evacuation"


def _land(state: State, words: list[str]) -> None:
    state.enter(state.sailor, words[3])
    state.sailor, state.step = "", "movement"


def _replace(state: State, words: list[str]) -> None:
    unit, name = words[2], words[4]
    force = arrivals(state, unit)[name]
    own, italian = state.rates
    state.rates = (own, italian - 1) if state.at[unit] == "box-italy" else (own - 1, italian)
    if state.force in GERMANS and not _next_turn_only(state, force):
        state.doubled |= {unit}
    state.who[unit] = force
    state.enter(unit, name)
    state.stopped(unit, False)
    if BIT[name] & state.enemy_zoc(force):
        state.locked |= {unit}


def _next_turn_only(state: State, force: str) -> bool:
    """R-G67: sent to the force whose phases of this game turn are over (EG sent west with two players, WG sent east with four)."""
    late = "WG" if state.rules.scenario == "four_player" else "EG"
    return force != state.force and state.force == late


def _marker(state: State, words: list[str]) -> None:
    state.placed += 1
    name = state.at[words[2]]
    if state.force == "S":
        state.supply -= 1
        state.markers = tuple(sorted((*state.markers, name)))
    else:
        state.marker_western = name


def _group(state: State, words: list[str]) -> None:
    state.group = words[2]
    state.eligible = frozenset(u for u in in_range(state) if GROUP[u] == words[2])
    state.step = "second-combat"


# Combat


def _target(state: State, words: list[str]) -> None:
    c = state.combat if state.combat and state.step == "declare" else Combat()
    state.combat = replace(c, targets=(*c.targets, words[3]))
    state.step = "declare"


def _join(state: State, words: list[str]) -> None:
    assert state.combat
    state.combat = replace(state.combat, units=(*state.combat.units, words[2]))


def _attack(state: State, words: list[str]) -> None:
    """The whole attack in one line, as records write it."""
    state.combat = Combat(targets=tuple(words[4].split(",")), units=tuple(words[2].split(",")))
    _declared(state)


def _declared(state: State) -> None:
    assert state.combat
    c = state.combat
    state.attacked |= set(c.units)
    if state.kind == "second-combat":
        state.used |= set(c.units)
    if mandated(state):
        attack, defence = strengths(state, c.units, c.targets)
        if not state.rules.has("18/12.2") or attack >= defence:
            state.attacks += 1
    state.step = "combat-roll"


def _done(state: State, words: list[str]) -> None:
    step = state.step
    if step == "set-up":
        state.judge_cities(CITIES, "")
        state.phase = 0
        begin(state)
    elif step == "declare":
        _declared(state)
    elif step == "lose":
        assert state.combat
        _advancing(state, state.combat.victors, tuple(place_of(state, h) for h in state.combat.vacated))
    elif step == "advance":
        assert state.combat
        rest = tuple(u for u in state.combat.victors if state.by(state.who[u]) != words[0])
        state.combat = replace(state.combat, victors=rest)
        _maybe_advanced(state)
    elif step == "take":
        state.taken = 2
        _maybe_taken(state)
    else:
        end_phase(state)


def _roll(state: State, words: list[str]) -> None:
    die = int(words[3])
    if words[2] == "turn11":
        _turn11(state, die)
    elif words[2] == "evacuation":
        _sailed(state, die)
    else:
        _resolve(state, die)


def _turn11(state: State, die: int) -> None:
    """15.2, R-G103."""
    state.phase = 0
    if die <= 3:
        while state.player_turn == "S":
            state.phase += 1
    begin(state)


def _sailed(state: State, die: int) -> None:
    if die == 1:
        unit = state.sailor
        state.destroy(unit)
        state.sailor, state.step = "", "movement"
        return
    ports = open_ports(state)
    state.step = "landing"
    if len(ports) == 1:
        _land(state, ["", "", "", ports[0]])


def _resolve(state: State, die: int) -> None:
    """6.1, 6.2.

    Reading (18/6.3, R-G61 against R-G53): after AR or AE only the units that were attacked may advance, not their comrade in the hex.
    """
    c = state.combat
    assert c
    outcome = CRT[column(*strengths(state, c.units, c.targets)), die]
    defenders = defenders_of(state, c.targets)
    theirs = tuple(dict.fromkeys(place_of(state, t) for t in c.targets))
    ours = tuple(sorted({state.at[u] for u in c.units}))
    state.combat = c = replace(c, defenders=defenders)
    if outcome == "EX":
        price = sum(UNITS[u].defense for u in defenders)
        for unit in defenders:
            state.destroy(unit)
        state.combat = replace(c, price=price, victors=c.units, vacated=theirs)
        state.step = "lose"
        _maybe_all_lost(state)
    elif outcome in ("DE", "AE"):
        for unit in defenders if outcome == "DE" else c.units:
            state.destroy(unit)
        _advancing(state, *((c.units, theirs) if outcome == "DE" else (defenders, ours)))
    else:
        losers = defenders if outcome == "DR" else c.units
        victors = c.units if outcome == "DR" else defenders
        waiting = tuple(u for u in losers if u not in state.garrison)
        state.combat = replace(c, waiting=waiting, victors=victors, vacated=theirs if outcome == "DR" else ours)
        state.step = "retreat"
        _maybe_stuck(state)


def _maybe_all_lost(state: State) -> None:
    """R-G11, R-G55, ``readings.EXCHANGE_EXACT``."""
    c = state.combat
    assert c
    strengths_left = [UNITS[u].attack for u in c.victors]
    spare = min(strengths_left) if readings.EXCHANGE_EXACT and strengths_left else 0
    if c.price > 0 and (sum(strengths_left) <= c.price or (spare and sum(strengths_left) - spare < c.price)):
        for unit in c.victors:
            state.destroy(unit)
        _closed(state)


def _lose(state: State, words: list[str]) -> None:
    c = state.combat
    assert c
    victors = tuple(u for u in c.victors if u != words[2])
    state.combat = replace(c, price=c.price - UNITS[words[2]].attack, victors=victors)
    state.destroy(words[2])
    if victors:
        _maybe_all_lost(state)
    else:
        _closed(state)


def _retreat(state: State, words: list[str]) -> None:
    c, unit, name = state.combat, words[2], words[4]
    assert c
    state.who[unit] = becomes(state, unit, name)
    state.enter(unit, name)
    state.stopped(unit, True)
    state.combat = replace(c, waiting=tuple(u for u in c.waiting if u != unit))
    _maybe_stuck(state)


def _maybe_stuck(state: State) -> None:
    """A unit without a hex waits for the others to go; when none of those left has one, all of them are eliminated (R-G47, R-G51)."""
    c = state.combat
    assert c
    if any(retreats(state, u) for u in c.waiting):
        return
    for unit in c.waiting:
        state.destroy(unit)
    _advancing(state, c.victors, c.vacated)


def _advancing(state: State, victors: tuple[str, ...], vacated: tuple[str, ...]) -> None:
    c = state.combat
    assert c
    alive = tuple(u for u in victors if state.at[u] in BIT)
    state.combat = replace(c, waiting=(), victors=alive, vacated=tuple(h for h in vacated if not state.here(h)))
    state.step = "advance"
    _maybe_advanced(state)


def _advance(state: State, words: list[str]) -> None:
    c, unit, name = state.combat, words[2], words[4]
    assert c
    state.enter(unit, name)
    state.stopped(unit, True)
    rest = tuple(u for u in c.victors if u != unit)
    state.combat = replace(c, victors=rest, vacated=tuple(h for h in c.vacated if h != name))
    _maybe_advanced(state)


def _maybe_advanced(state: State) -> None:
    assert state.combat
    if not advances(state, state.combat):
        _closed(state)


def _closed(state: State) -> None:
    state.combat = None
    state.step = state.kind


_VERBS: dict[str, Callable[[State, list[str]], None]] = {
    "setup": _setup,
    "move": _move,
    "exit": _exit,
    "take": _take,
    "evacuate": _evacuate,
    "land": _land,
    "replace": _replace,
    "marker": _marker,
    "group": _group,
    "target": _target,
    "join": _join,
    "attack": _attack,
    "done": _done,
    "lose": _lose,
    "retreat": _retreat,
    "advance": _advance,
    "roll": _roll,
}
