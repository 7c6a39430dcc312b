"""The text form of a position (docs/records.md and the contract), as far as it is described there."""

from __future__ import annotations

from collections.abc import Iterable

from tests.games.bfg.enumerator.board import BIT, FRONTS, GERMANS, NAMES, PHASES, SS
from tests.games.bfg.enumerator.state import State, blank
from tests.games.bfg.enumerator.turn import begin
from tests.games.bfg.facts import CAPITALS

MARKS = ("moved", "attacked", "doubled", "locked", "flipped", "garrison", "eligible", "used", "tired")
BOXES = ("box-s", "box-w", "box-italy", "box-eg", "box-wg", "off", "unplaced")
WAITING = ("set-up", "turn11", "replacement", "movement", "combat", "second-combat", "second-movement", "group", "over")
FORCES = {name: force for force, name in NAMES.items()}


def read(text: str, scenario: str, options: Iterable[str] = ()) -> State:
    """A position from its text.

    Raises ValueError with the line's number. Only positions that wait for a phase's own actions can be read: what the deeper agenda
    steps (``declare`` ... ``take``) carry is not described outside the engine. Fields that are not described are kept in ``unread``;
    rates are taken as unused, no marker as placed, a deadline over the Yugoslav border as begun in the turn before (in this turn,
    once the S Combat Phase is over).
    """
    state = blank(scenario, options)
    state.step = ""
    unread: list[str] = []
    step = phase = ""
    named: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        key, rest = words[0], words[1:]
        try:
            if key == "agenda":
                step = rest[0]
            elif key == "phase":
                phase = rest[0]
            elif key == "unit":
                named[rest[0]] = rest[1:]
                if rest[0] not in state.who:
                    raise ValueError(f"unit {rest[0]} is not in this scenario")
            elif not _field(state, key, rest):
                unread.append(key)
        except (IndexError, KeyError) as error:
            raise ValueError(f"{number}: {line.strip()}: cannot be read ({error})") from error
        except ValueError as error:
            raise ValueError(f"{number}: {error}") from error
    if step not in WAITING:
        raise ValueError(f"agenda {step or '-'}: must be one of {', '.join(WAITING)}")
    marks: list[tuple[str, list[str]]] = []
    for unit, rest in named.items():
        marks.append((unit, _unit(state, unit, rest)))
    _clock(state, step, phase)
    for unit, words in marks:
        for word in words:
            if word in MARKS:
                setattr(state, word, getattr(state, word) | {unit})
            else:
                unread.append(f"{unit}:{word}")
    for unit, place in state.at.items():
        if place in BIT and state.wrong_country(unit, place) and unit not in state.abroad:
            acted = state.phase > 2 or (state.force == "S" and state.kind.startswith("second"))
            state.abroad[unit] = state.turn if acted else state.turn - 1
    state.garrison |= {u for u in FRONTS if state.at.get(u) in CAPITALS and not (state.kind.endswith("movement") and u in state.moved)}
    state.unread = tuple(unread)
    return state


def _clock(state: State, step: str, phase: str) -> None:
    plan = PHASES[state.rules.scenario]
    found = [i for i, (_, force, kind) in enumerate(plan) if f"{NAMES[force]}-{kind}" == phase]
    state.step = step
    if step in ("set-up", "turn11", "over"):
        state.phase = -1 if step != "over" else len(plan) - 1
        return
    if not found:
        raise ValueError(f"phase {phase or '-'}: not in {state.rules.scenario}")
    state.phase = found[0]
    keep = (state.tripled, state.group, state.attacks)
    begin(state)
    state.tripled, state.group, state.attacks = keep
    state.step = step
    state.eligible = frozenset()


def _unit(state: State, unit: str, words: list[str]) -> list[str]:
    """Puts a unit down; returns its marks."""
    place = words[0]
    marks: list[str] = []
    if place in BIT:
        state.drop(unit, place)
    elif place in BOXES:
        state.at[unit] = place
    else:
        raise ValueError(f"unit {unit}: place {place} must be a hex or one of {', '.join(BOXES)}")
    for word in words[1:]:
        if word in NAMES:
            state.who[unit] = word
        elif word in FORCES:
            state.who[unit] = FORCES[word]
        else:
            marks.append(word)
    if state.regime == "after-berlin" and unit in SS and place in BIT:
        state.who[unit] = "W"
    return marks


def _listed(words: list[str]) -> list[str]:
    return [] if not words or words == ["-"] else [w for word in words for w in word.split(",")]


def _field(state: State, key: str, words: list[str]) -> bool:
    """One field; False where the key is not known."""
    if key == "position":
        if words != ["1"]:
            raise ValueError(f"position {' '.join(words)}: only version 1 is read")
    elif key in ("turn", "supply", "attempts"):
        setattr(state, key, int(words[0]))
    elif key == "attacks":
        state.attacks = int(words[0])
    elif key == "tripled":
        state.tripled = words[0] == "1"
    elif key == "regime":
        state.regime = words[0]
    elif key == "group":
        state.group = "" if words[0] == "-" else words[0]
    elif key == "marker_western":
        state.marker_western = "" if words[0] == "-" else words[0]
    elif key == "markers_soviet":
        state.markers = tuple(sorted(_listed(words)))
    elif key == "forts_gone":
        state.forts_gone = frozenset(_listed(words))
    elif key == "ports_entered":
        state.ports_entered = frozenset(_listed(words))
    elif key == "holders":
        for word in words:
            city, _, side = word.partition("=")
            force = FORCES.get(side, side)
            if city not in state.holder or force not in ("S", "W", *GERMANS):
                raise ValueError(f"holder {word}: must be CITY=soviet, western-allied or german")
            state.holder[city] = "G" if force in GERMANS else force
    elif key == "berlin_first":
        numbers = [int(n) for n in "".join(words).strip("[]").split(",")]
        # Reading: 0 and 1 are S and W, in the order in which the rulings name the forces; -1 nobody yet.
        if numbers[0] >= 0:
            force = "SW"[numbers[0]]
            state.berlin_first = (force, numbers[1], force)
            state.berlin_seen |= {force}
    else:
        return False
    return True
