"""A position of this game as people see it (``referee.rules.scene``), and what a legal action costs. Not used by any rule.

A position that is somebody's view shows what he sees and no more: units of others are told only where they lie openly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gamebox.model import Box
from referee.games.overlord_to_berlin import attack, operations, points
from referee.games.overlord_to_berlin.actions import OWN, Attack, Draw, Move
from referee.games.overlord_to_berlin.game import OverlordToBerlin
from referee.games.overlord_to_berlin.land import AXIS, BLACK, BLUE, RED, SIDE_NAMES, SIDES, SOVIET, WEST
from referee.games.overlord_to_berlin.position import BOUGHT_USED, FREE_USED, SEA_READY, TURNED, Pos, members
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.showing import phase_name
from referee.games.overlord_to_berlin.supply import supplied
from referee.games.overlord_to_berlin.terms import TRACKS
from referee.games.overlord_to_berlin.units import is_reduced, units_in, zones_of
from referee.games.overlord_to_berlin.victory import missing, verdict
from referee.rules.model import CHANCE, Action, Frame
from referee.rules.scene import Detail, Ground, Scene, Seen, Standing

MARKS = {
    "reduced": "its reduced side is up",
    "turned": "turned over: no PA left in this phase",
    "cut-off": "out of supply",
    "pocket": "left behind in a port",
    "hidden": "its owner alone knows what it holds",
}
"""What can be told of a counter, and what it means; ``in:PIECE`` besides names the formation that holds a unit."""

_ASKS = {
    "draw": "the stratagems drawn",
    "dice": "the dice",
    "reroll": "throw a die again, or go on",
    "reroll-die": "the die thrown again",
    "keep": "keep the old or the new throw",
    "finland": "give a unit of the Baltic fronts",
    "manchuria": "give a formation and two units",
    "bombard": "play a bombardment card, or go on",
    "pile": "take back and give up units of a pile",
    "levy": "name the units of the Volkssturm",
    "spend": "restore and rebuild, or end",
    "combine": "exchange units within zones, or end",
    "strategic": "move between Reserve and map, or end",
    "transfers": "transfer units, or end",
    "operations": "move, attack, or end",
    "cancel": "cancel the declared PA, or go on",
    "leave-behind": "leave a pocket, or go on",
    "stratagems": "lay stratagems, or go on",
    "loss": "choose a loss",
    "ask": "ask for leave to retreat, or stay",
    "retreat": "retreat, or stay",
    "redistribute": "clear the zone",
    "propaganda": "take the two steps",
    "mystification": "place units of the Reserve, or end",
    "offensive": "take armour steps, then attack",
    "liberation": "restore two infantry steps",
    "over": "nothing: the game is over",
}
_COLOURS = ((BLUE, WEST, "blue", "13.b"), (BLACK, SOVIET, "black", "13.c"), (RED, SOVIET, "red", "13.c"))


class Depiction:
    """``referee.rules.scene.Shows`` for this game."""

    def __init__(self, game: OverlordToBerlin, box: Box) -> None:
        self.g = game.setting
        self.boxes = {row.key: row.text("name") for row in box["boxes"]}
        self.sources = {row.key: str(row.source("sector")) for row in box["zones"]}

    def scene(self, p: Pos) -> Scene:
        """The position as people see it."""
        g = self.g
        frame = p.agenda[-1] if p.agenda else Frame("over", ())
        places = g.land.places.names[g.land.size :]
        return Scene(
            scenario=g.terms.title,
            turn=p.turn,
            date=g.charts.dates.get(p.turn, ""),
            phase=phase_name(g.phase(p)) if p.phase >= 0 else "set-up",
            by=tuple("chance" if by == CHANCE else SIDE_NAMES[SIDES.index(by)] for by in frame.by),
            asks=_ASKS.get(frame.step, frame.step),
            forces=tuple(zip(SIDES, SIDE_NAMES, strict=True)),
            holders=tuple(zip(SIDES, SIDE_NAMES, strict=True)),
            places=tuple((name, self.boxes.get(name, name)) for name in places if not name.startswith("inside")),
            units=tuple(self._seen(p)),
            facts=tuple(_facts(g, p)),
            marks=tuple(MARKS.items()),
            acting=(g.land.name(p.combat.zone),) if p.combat is not None else (),
        )

    def _seen(self, p: Pos) -> Iterator[Seen]:
        """Formations first, then units, each where it lies; of those that are hidden the ones shown in the running combat (R-F102)."""
        g = self.g
        shown = {unit: (gf, turned) for unit, gf, turned in p.shown}
        for gf, at in enumerate(p.gf_at):
            marks = [mark for mark, set_ in (("turned", points.face_down(p, gf)), ("cut-off", not supplied(g, p, gf))) if set_]
            marks += [] if p.sealed[g.gfs.side[gf]].known else ["hidden"]
            yield Seen(g.gfs.ids[gf], g.gfs.names[gf], SIDES[g.gfs.side[gf]], g.land.name(at), tuple(marks))
        for unit, public in enumerate(p.at):
            side = g.units.side[unit]
            name = f"{g.units.names[unit]} {g.units.full[unit]}-{g.units.reduced[unit]}"
            marks = ["reduced"] if is_reduced(g, p, unit) else []
            if public != g.land.places.inside:
                marks += ["pocket"] if public < g.land.size else []
                yield Seen(g.units.ids[unit], name, SIDES[side], g.land.name(public), tuple(marks))
            elif p.sealed[side].known:
                at = p.sealed[side].at[unit]
                gf = at - g.land.places.display
                if 0 <= gf < len(g.gfs.ids):
                    yield Seen(g.units.ids[unit], name, SIDES[side], g.land.name(p.gf_at[gf]), (f"in:{g.gfs.ids[gf]}", *marks))
                else:
                    yield Seen(g.units.ids[unit], name, SIDES[side], g.land.name(at), tuple(marks))
            elif unit in shown:
                gf, turned = shown[unit]
                yield Seen(
                    g.units.ids[unit],
                    name,
                    SIDES[side],
                    g.land.name(p.gf_at[gf]),
                    (f"in:{g.gfs.ids[gf]}", *(["reduced"] if turned else [])),
                )

    def standing(self, p: Pos, since: Mapping[str, str] | None = None) -> Standing:
        """Every target zone, and who would win if the game ended now (13)."""
        g = self.g
        rows: list[Ground] = []
        for sector, side, colour, rule in _COLOURS:
            open_ = missing(g, p, side)
            for zone in members(g.land.sectors[sector]):
                rows.append(self._ground(p, zone, side, colour, rule, missed=bool(open_ >> zone & 1)))
        allies = sum(1 for row in rows if row.points)
        return Standing(
            rows=tuple(rows),
            totals=(("Allies, targets held or contested", allies), ("Axis, targets kept", len(rows) - allies)),
            rule="After turn 7 the Allies win if the West controls or contests every blue target and the Soviets every black and red one.",
            result=p.result or verdict(g, p),
        )

    def _ground(self, p: Pos, zone: int, side: int, colour: str, rule: str, *, missed: bool) -> Ground:
        g = self.g
        contests = bool(zones_of(g, p, side) >> zone & 1)
        name = g.land.title[zone]
        holder = SIDES[p.control[zone]]
        if p.control[zone] == side:
            why = f"{SIDE_NAMES[side]} control it"
        elif contests:
            why = f"{SIDE_NAMES[side]} contest it"
        else:
            why = f"{SIDE_NAMES[p.control[zone]]} control it, and no formation of the {SIDE_NAMES[side]} is there"
        return Ground(
            hex=g.land.name(zone),
            name=name,
            worth=1,
            capital=zone in g.land.capital.values(),
            holder=holder,
            test="occupied" if p.control[zone] == side else "contested" if contests else "unchanged",
            why=why,
            points=0 if missed else 1,
            side="" if missed else SIDES[side],
            note=f"A {colour} target",
            rules=(rule,),
            source=self.sources[g.land.name(zone)],
        )

    def detail(self, p: Pos, a: Action) -> Detail:
        """The PA that a move or an attack spends, as the engine takes them when none are named."""
        g = self.g
        if isinstance(a, Move):
            gfs = tuple(g.gfs.index[name] for name in a.gfs)
            side, start, to = g.side(a.by), g.land.zone(a.start), g.land.zone(a.to)
            count = operations.pa_of_move(g, p, side, start, to)
            plan = points.plan(g, p, gfs, count, a.kinds, purpose=points.MOVE, zone=to)
            return Detail(way=(a.start, a.to), note=_spends(g, plan))
        if isinstance(a, Attack):
            return Detail(note=_spends(g, attack.planned(g, p, a)))
        return Detail()

    def unit_line(self, p: Pos, unit: int) -> str:
        """One unit or formation as it stands, and its account of PA."""
        g = self.g
        if unit < len(g.units.ids):
            found = next((seen for seen in self._seen(p) if seen.piece == g.units.ids[unit]), None)
            if found is None:
                return f"{g.units.ids[unit]} ({g.units.names[unit]}): hidden"
            return f"{found.piece} ({found.name}) in {found.place}" + (f": {', '.join(found.marks)}" if found.marks else "")
        gf = unit - len(g.units.ids)
        has = p.pa[gf]
        told = [word for bit, word in ((TURNED, "turned over"), (FREE_USED, "free PA used"), (BOUGHT_USED, "bought PA used")) if has & bit]
        told += ["second PA from the sea ready"] if has & SEA_READY else []
        told += [f"{p.extra[gf]} PA of stratagems"] if p.extra[gf] else []
        held = f"{len(units_in(g, p, gf))} of {g.gfs.capacity[gf]} units" if p.sealed[g.gfs.side[gf]].known else "units hidden"
        return f"{g.gfs.ids[gf]} ({g.gfs.names[gf]}) in {g.land.name(p.gf_at[gf])}: {held}, {', '.join(told) or 'no PA spent'}"

    def secret(self, a: Action) -> str:
        """The side whose displays, Reserve or hand an action is about (R-F136)."""
        if not isinstance(a, OWN):
            return ""
        return a.side if isinstance(a, Draw) else a.by


def _spends(g: Setting, plan: points.Plan) -> str:
    return "; ".join(f"{g.gfs.ids[gf]} spends {' and '.join(kinds)}" for gf, kinds in zip(plan.gfs, plan.kinds, strict=True))


def _facts(g: Setting, p: Pos) -> Iterator[tuple[str, str]]:
    for side, title in enumerate(SIDE_NAMES):
        held = [g.land.name(zone) for zone, holder in enumerate(p.control) if holder == side]
        yield f"{title} control", f"{len(held)} zones" + (f": {' '.join(held)}" if held else "")
    contested = zones_of(g, p, AXIS) & (zones_of(g, p, WEST) | zones_of(g, p, SOVIET))
    if contested:
        yield "Contested", " ".join(g.land.name(zone) for zone in members(contested))
    yield "PR", ", ".join(f"{track} {points_}" for track, points_ in zip(TRACKS, p.pr, strict=True))
    for side, own in enumerate(p.sealed):
        national, operational = p.held[side]
        hand = f" ({', '.join(g.cards.names[card] for card in members(own.hand))})" if own.known and own.hand else ""
        yield f"{SIDE_NAMES[side]} hold", f"{national} national and {operational} operational stratagems{hand}"
    if any(p.event):
        yield "Events", ", ".join(f"{SIDE_NAMES[side]} {total}" for side, total in enumerate(p.event) if total)
    if p.combat is not None:
        c = p.combat
        who = f"{SIDE_NAMES[c.attacker]} {c.totals[0]} against {SIDE_NAMES[c.defender]} {c.totals[1]}"
        yield "Combat", f"in {g.land.name(c.zone)}: " + ("a free attack" if c.free else who)
    if p.peace:
        yield "West", "out of the war by a separate peace"
    if p.capitulated:
        yield "Capitulated", ", ".join(p.capitulated)
    if p.result:
        yield "Result", p.result
