"""A position of this game as people see it (``referee.rules.scene``), and what a legal action costs. Not used by any rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from gamebox.model import Box
from referee.games.battle_for_germany.actions import (
    Advance,
    Attack,
    Evacuate,
    Exit,
    Join,
    Lose,
    Move,
    Replace,
    Retreat,
    SetUp,
    Take,
    Target,
)
from referee.games.battle_for_germany.combat import attack_reasons, candidates
from referee.games.battle_for_germany.game import BattleForGermany
from referee.games.battle_for_germany.movement import MovementStep, allowance, can_move, mover_reasons
from referee.games.battle_for_germany.odds import column, effects, strengths
from referee.games.battle_for_germany.position import FORCE_NAMES, FORCES, HOLD_GERMAN, HOLDER_NAMES, board
from referee.games.battle_for_germany.sentences import TEMPLATES
from referee.games.battle_for_germany.setting import Setting, german, own_theater
from referee.games.battle_for_germany.standing import standing
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import slug
from referee.games.battle_for_germany.zoc import enemy_zoc
from referee.rules.layout import Layout
from referee.rules.model import CHANCE, Action, Frame, Roll
from referee.rules.position_text import field_texts, frame_text
from referee.rules.scene import City, Detail, Scene, Seen, Standing, Token

MARKS = {
    "moved": "has moved in this phase",
    "attacked": "has attacked in this phase",
    "garrison": "Front fixed in a capital",
    "displaced": "across the boundary, must go home",
    "abroad": "across the Yugoslav border, must go home",
    "doubled": "returned this turn, moves double",
    "locked": "arrived in an enemy ZOC, no move in its next Movement Phase",
    "flipped": "named for an exit, goes at the end of the phase",
    "eligible": "may act in the second phases",
    "used": "acted in a second phase",
    "tired": "was in an offensive last turn: half move, no attack",
}
"""What can be told of a unit, and what it means."""

_ASKS = {
    "set-up": "place the Courland units",
    "turn11": "the die for the Soviet player turn",
    "replacement": "return units, or end the phase",
    "movement": "move, or end the phase",
    "take": "name units that go with the exit, or decline",
    "evacuation": "the die for the evacuation",
    "landing": "choose the port",
    "combat": "attack, or end the phase",
    "second-combat": "attack, or end the phase",
    "second-movement": "move, or end the phase",
    "group": "choose the group of the second phases",
    "declare": "put the attack together",
    "combat-roll": "the die for the attack",
    "lose": "pay for the exchange",
    "retreat": "retreat",
    "advance": "advance, or decline",
    "over": "nothing: the game is over",
}
_GONE = {"unplaced": "To be placed", "off": "Off the map"}
_NOTHING = frozenset(("", "-", "-1", "0", "[]"))


class Depiction:
    """``referee.rules.scene.Shows`` for this game."""

    def __init__(self, game: BattleForGermany, box: Box) -> None:
        self.g = game.setting
        self.layout = game.layout
        self.start = game.start().at
        self.boxes = {row.key: f"Destroyed {row.text('name')}" if row.text("side") else row.text("name") for row in box["boxes"]}
        self.worth = {row.key: str(row.source("vp")) for row in box["cities"]}

    def scene(self, p: Pos) -> Scene:
        """The position as people see it."""
        return scene(self.g, self.layout, self.start, p, self.boxes)

    def standing(self, p: Pos, since: Mapping[str, str] | None = None) -> Standing:
        """The count of cities, city by city, and the result if the game ended now (11.0)."""
        return standing(self.g, p, since or {}, self.worth)

    def detail(self, p: Pos, a: Action) -> Detail:
        """What a legal action costs and does."""
        return detail(self.g, p, a)

    def unit_line(self, p: Pos, unit: int) -> str:
        """One unit as it stands, and what it may still do in this phase or why not."""
        return unit_line(self.g, p, unit)

    def secret(self, a: Action) -> str:
        """Nothing is hidden in this game."""
        return ""


def scene(g: Setting, layout: Layout, start: Sequence[int], p: Pos, boxes: Mapping[str, str]) -> Scene:
    """The position. ``start``: the places of the set-up, which tell the units of other scenarios; ``boxes``: titles of the boxes."""
    told = field_texts(layout, p)
    frame = p.agenda[-1] if p.agenda else Frame("over", ())
    names = g.land.names
    in_play = {p.force[u] for u in range(len(p.at)) if not (p.at[u] == start[u] == g.land.off)}
    forts = tuple((names[node], not p.forts_gone & bit) for node, bit in sorted(g.land.forts.items()))
    cities = tuple(
        City(names[n], g.land.city_names[c], g.land.city_vps[c], slug(HOLDER_NAMES[p.holders[c]]))
        for c, n in enumerate(g.land.cities)
        if not g.out_of_play(n)
    )
    return Scene(
        scenario=g.terms.title,
        turn=p.turn,
        date=g.charts.dates.get(p.turn, ""),
        phase=_phase(g, p),
        by=tuple(_title(by) for by in frame.by),
        asks=asks(layout, frame),
        forces=tuple((f, name) for i, (f, name) in enumerate(zip(FORCES, FORCE_NAMES, strict=True)) if i in in_play),
        # After 13.1 what was German, or is the SS's, is nobody's.
        holders=tuple((slug(name), "Nobody's" if p.regime and i == HOLD_GERMAN else name) for i, name in enumerate(HOLDER_NAMES)),
        places=tuple((name, boxes.get(name) or _GONE.get(name, name)) for name in names[g.land.size :]),
        units=tuple(_seen(g, p, u) for u in range(len(p.at)) if not (p.at[u] == start[u] == g.land.off)),
        cities=cities,
        forts=forts,
        tokens=_tokens(told),
        facts=tuple(_facts(g, p, told)),
        marks=tuple(MARKS.items()),
        acting=tuple(_acting(g, p, frame)),
    )


def _phase(g: Setting, p: Pos) -> str:
    if p.phase < 0:
        return "Set-up"
    return "Game over" if p.agenda and p.agenda[-1].step == "over" else g.phase(p).name


def _title(by: str) -> str:
    return by if by == CHANCE else by.replace("-", " ").title()


def asks(layout: Layout, frame: Frame) -> str:
    """What the frame waits for, with the units and hexes it is about."""
    said = _ASKS.get(frame.step, frame.step)
    about = frame_text(layout, frame)
    match frame.step, about:
        case "declare", (hexes, units, *alone):
            return f"{said}: on {_aimed(hexes, alone)}" + (f", by {units}" if units != "-" else "")
        case "combat-roll", (units, hexes, *alone):
            return f"{said}: {units} on {_aimed(hexes, alone)}"
        case "lose", (units, need):
            return f"{said}: printed attack of {need} or more, out of {units}"
        case "retreat", (units,):
            return f"{said}: {units}"
        case "advance", (units, hexes, _):
            return f"{said}: {units} into {hexes}"
        case (("evacuation" | "landing"), (unit,)):
            return f"{said}: {unit}"
        case _:
            return said


def _aimed(hexes: str, alone: Sequence[str]) -> str:
    """What is attacked: hexes, and the units of a stack that are attacked alone (18/6.3)."""
    named = [units for units in alone if units != "-"]
    return hexes + (f" ({','.join(named)} alone)" if named else "")


def _acting(g: Setting, p: Pos, frame: Frame) -> Iterable[str]:
    """The hexes that the decision is about: those attacked, those of units that must go."""
    nodes: set[int] = set()
    if frame.step == "declare" and isinstance(frame.data[0], tuple):
        nodes.update(frame.data[0])
    elif frame.step == "combat-roll" and isinstance(frame.data[1], tuple):
        nodes.update(frame.data[1])
    elif frame.step in ("retreat", "lose") and isinstance(frame.data[0], tuple):
        nodes.update(p.at[u] for u in frame.data[0])
    return (g.hex_name(n) for n in sorted(nodes) if n < g.land.size)


def _seen(g: Setting, p: Pos, unit: int) -> Seen:
    node = p.at[unit]
    on_map = node < g.land.size
    since = dict(p.abroad).get(unit)
    marks = [word for word in MARKS if isinstance(bits := getattr(p, word, 0), int) and bits >> unit & 1]
    if on_map and _displaced(g, p, unit):
        marks.append("displaced")
    if since is not None:
        marks.append("abroad")
    return Seen(g.roster.ids[unit], g.roster.label(unit), FORCES[p.force[unit]], g.hex_name(node), tuple(marks))


def _displaced(g: Setting, p: Pos, unit: int) -> bool:
    """Across the boundary while it stands (5.2.2); a German is of the theater he stands in, so he never is, but for Collapse."""
    theater = g.land.theater[p.at[unit]]
    return g.boundary(p) and theater != 0 and not theater & own_theater(p.force[unit])


def _tokens(told: Mapping[str, str]) -> tuple[Token, ...]:
    """Offensive supply markers (18.1)."""
    found: list[Token] = []
    for field, force in (("markers_soviet", "S"), ("marker_western", "W")):
        text = told.get(field, "-").strip('"[]')
        hexes = Counter(word.strip('" ') for word in text.split(",") if word.strip('" ') not in _NOTHING)
        found += [Token(name, "supply", force, count) for name, count in sorted(hexes.items())]
    return tuple(found)


def _facts(g: Setting, p: Pos, told: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    gone = [g.hex_name(n) for n, bit in sorted(g.land.forts.items()) if p.forts_gone & bit]
    if gone:
        yield "Fortifications destroyed", " ".join(gone)
    germans = not p.regime and any(german(force) for force in g.terms.forces)
    ports = [g.hex_name(n) for i, n in enumerate(g.land.ports) if p.ports_entered >> i & 1]
    if ports and germans:  # there is somebody to evacuate
        yield "Ports closed to evacuation", " ".join(ports)
    first, turn, _ = p.berlin_first
    if first >= 0 and (g.terms.berlin_ends_it or g.terms.victory == "berlin"):  # elsewhere nothing hangs on it (R-G87)
        yield "First in Berlin", f"{FORCE_NAMES[first]}, turn {turn}"
    if p.attempts:
        yield "Evacuations tried", str(p.attempts)
    if any(p.rates):
        yield "Replacements left", f"{p.rates[0]}" + (f", Italy {p.rates[1]}" if p.rates[1] else "")
    if p.regime:
        yield "The Germans have left", "no boundary (13.1)"
    for field, title in (("supply", "Soviet supply markers left"), ("group", "Group in the second phases")):
        if (value := told.get(field, "-").strip('"')) not in _NOTHING:
            yield title, value
    if told.get("tripled", "0") not in _NOTHING:
        yield "Tripled move", "used"
    if p.result:
        yield "Result", p.result


# ---------------------------------------------------------------------------------------------------------------------------
# What may be done, and what it costs


def unit_line(g: Setting, p: Pos, unit: int) -> str:
    """One unit: name, place, and in a Movement Phase its MPs or why it cannot move."""
    said = f"{g.roster.ids[unit]} ({g.roster.label(unit)}, {FORCE_NAMES[p.force[unit]]})"
    if p.at[unit] == g.land.off:
        return f"{said}: out of the game"
    said += ", still to be placed" if p.at[unit] == g.land.unplaced else f" in {g.hex_name(p.at[unit])}"
    kind = g.phase(p).kind if p.phase >= 0 else ""
    if "movement" not in kind:
        return said
    if can_move(g, p, unit):
        stop = ", begins in an enemy ZOC" if enemy_zoc(g, p, p.force[unit])[p.at[unit]] else ""
        return f"{said}: {allowance(g, p, unit)} MP{stop}"
    why = next(mover_reasons(g, p, unit, p.at[unit]), None)
    if why is None:
        return f"{said}: cannot move now"
    return f"{said}: cannot move: {TEMPLATES[why.code].format_map(dict(why.facts))} [{why.cites[0]}]"


def detail(g: Setting, p: Pos, a: Action) -> Detail:
    """What a legal action costs and does; empty where nothing is to be told."""
    match a:
        case Move() | Exit():
            return _march(g, p, a)
        case Target():
            return _aim(g, p, a)
        case Join() | Lose():
            unit = g.roster.index[a.unit]
            return Detail(note=f"{g.roster.label(unit)} from {g.hex_name(p.at[unit])}, attack {g.roster.attack[unit]}")
        case Attack():
            units = tuple([g.roster.index[u] for u in a.units])
            nodes = tuple([g.land.nodes[n] for n in a.targets if n in g.land.nodes])
            whole = len(nodes) == len(a.targets)
            return Detail(note="" if not whole or any(attack_reasons(g, p, units, nodes)) else _odds(g, p, units, nodes))
        case Retreat() | Advance():
            unit = g.roster.index[a.unit]
            return Detail(note=f"{g.roster.label(unit)} from {g.hex_name(p.at[unit])}")
        case Replace() | SetUp() | Evacuate() | Take():
            unit = g.roster.index[a.unit]
            said = f"{g.roster.label(unit)} from {g.hex_name(p.at[unit])}"
            return Detail(note=f"{said}; lost on a die of 1" if isinstance(a, Evacuate) and g.terms.loss_die == 1 else said)
        case Roll() if a.key == "combat":
            return Detail(note=_result(g, p, a))
        case _:
            return Detail()


def _march(g: Setting, p: Pos, a: Move | Exit) -> Detail:
    unit = g.roster.index[a.unit]
    way = MovementStep(g).way(p, a)
    cost = sum(next((c for n, c in g.land.edges[here] if n == node), 1) for here, node in pairwise(way))
    cost += g.terms.exit_cost if isinstance(a, Exit) else 0
    mps = allowance(g, p, unit)
    notes = []
    if cost > mps:  # with three players one German may (16.3)
        mps = 3 * g.roster.move[unit]
        notes.append("tripled allowance")
    if isinstance(a, Exit):
        notes.append("leaves the map")
    elif enemy_zoc(g, p, p.force[unit])[way[-1]]:
        notes.append("in an enemy ZOC")
    return Detail(cost, mps - cost, tuple(g.hex_name(n) for n in way), ", ".join(notes))


def _odds(g: Setting, p: Pos, units: tuple[int, ...], nodes: tuple[int, ...], named: tuple[int, ...] = ()) -> str:
    attack, defending = strengths(g, p, units, nodes, named)
    found = column(g, attack, defending)
    terrain = sorted({effect for n in nodes for effect in effects(g, p, n, units)})
    odds = g.charts.columns[found] if found >= 0 else "worse than the table"
    return f"{odds} ({attack} : {defending})" + (f", {' and '.join(terrain)}" if terrain else "")


def _aim(g: Setting, p: Pos, a: Target) -> Detail:
    frame = p.agenda[-1]
    lists = [item for item in frame.data if isinstance(item, tuple)] if frame.step == "declare" else []
    before, named = (lists[0] if lists else ()), (lists[2] if len(lists) > 2 else ())
    if a.to in g.roster.index:  # one unit of a stack (18/6.3)
        unit = g.roster.index[a.to]
        node, named = p.at[unit], (*named, unit)
    else:
        node = g.land.nodes[a.to]
    nodes = tuple(dict.fromkeys((*before, node)))
    joined = candidates(g, p, nodes, named)
    held = ", ".join(g.roster.label(u) for u in board(p, g.land).occ.get(node, ()) if a.to in (g.hex_name(node), g.roster.ids[u]))
    may = ", ".join(f"{g.roster.ids[u]} ({g.roster.attack[u]})" for u in joined)
    return Detail(note=f"{held}; best {_odds(g, p, joined, nodes, named)} by {may}")


def _result(g: Setting, p: Pos, a: Roll) -> str:
    units, nodes, *rest = p.agenda[-1].data
    named = rest[0] if rest else ()
    if not (isinstance(units, tuple) and isinstance(nodes, tuple) and isinstance(named, tuple) and units and nodes):
        return ""
    found = column(g, *strengths(g, p, units, nodes, named))
    odds = g.charts.columns[found] if found >= 0 else ""
    result = g.charts.crt.get((odds, a.faces[0]), "")
    return f"{odds}: {result}" if result else ""
