"""A position of this game as people see it (``referee.rules.scene``), and what a legal action costs. Not used by any rule.

A position that is somebody's view shows what he sees and no more: units of others are told only where they lie openly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gamebox.model import Box
from referee.games.overlord_to_berlin import attack, operations, points
from referee.games.overlord_to_berlin.actions import OWN, Attack, Draw, Move
from referee.games.overlord_to_berlin.cancel import waiting
from referee.games.overlord_to_berlin.game import OverlordToBerlin
from referee.games.overlord_to_berlin.land import AXIS, BLACK, BLUE, RED, SIDE_NAMES, SIDES, SOVIET, WEST
from referee.games.overlord_to_berlin.position import BOUGHT_USED, FREE_USED, NOBODY, SEA_READY, TURNED, Pos, alter, members
from referee.games.overlord_to_berlin.setting import Setting, enemies
from referee.games.overlord_to_berlin.showing import (
    ACTED,
    DECKS,
    EVENT_MARKERS,
    EXTRA,
    LASTING,
    OPERATIONAL_DECK,
    PLAYED,
    PR_MARKERS,
    TRACK_ENDS,
    event_row,
    formation_marks,
    phase_name,
)
from referee.games.overlord_to_berlin.supply import supplied
from referee.games.overlord_to_berlin.terms import TRACKS
from referee.games.overlord_to_berlin.units import gfs_in, is_reduced, units_in, zones_of
from referee.games.overlord_to_berlin.victory import in_words, missing, verdict
from referee.rules.model import CHANCE, Action, Frame
from referee.rules.scene import Detail, Ground, Held, Laid, Pile, Scene, Seen, Standing, Way

MARKS = {
    "reduced": "its reduced side is up",
    "turned": "turned over: no PA left in this phase",
    "acted": "has used its first action",
    "extra": "has an extra action",
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
            held=tuple(_held(g, p)),
            laid=tuple(_laid(g, p)),
            piles=tuple(_piles(g, p)),
            ways=tuple(_ways(g, p)),
            roles=tuple(_roles(g, p)),
            displays=tuple(SIDES[side] for side, own in enumerate(p.sealed) if own.known),
        )

    def _seen(self, p: Pos) -> Iterator[Seen]:
        """Formations first, then units, each where it lies; of those that are hidden the ones shown in the running combat (R-F102)."""
        g = self.g
        shown = {unit: (gf, bool(turned)) for unit, gf, turned in p.shown}
        for gf, at in enumerate(p.gf_at):
            side, (acted, extra) = g.gfs.side[gf], formation_marks(p, gf)
            turned = bool(p.pa) and points.face_down(p, gf)
            told = {
                "turned": turned,
                "acted": acted[1] == ACTED[1],
                "extra": extra[1] != EXTRA[0],
                "cut-off": not supplied(g, p, gf),
                "hidden": not p.sealed[side].known,
            }
            marks = tuple(mark for mark, holds in told.items() if holds)
            yield Seen(g.gfs.ids[gf], g.gfs.names[gf], SIDES[side], g.land.name(at), marks, back=turned)
        for unit, public in enumerate(p.at):
            side, back = g.units.side[unit], is_reduced(g, p, unit)
            place, words = g.land.name(public), ["pocket"] if public < g.land.size else []
            if public == g.land.places.inside:
                if p.sealed[side].known:
                    at = p.sealed[side].at[unit]
                    gf = at - g.land.places.display
                elif unit in shown:
                    gf, back = shown[unit]
                    at = g.display(gf)
                else:
                    continue
                inside = 0 <= gf < len(g.gfs.ids)
                place, words = g.land.name(p.gf_at[gf] if inside else at), [f"in:{g.gfs.ids[gf]}"] if inside else []
            if back:
                words.insert(len(words) if public == g.land.places.inside else 0, "reduced")
            name = f"{g.units.names[unit]} {g.units.full[unit]}-{g.units.reduced[unit]}"
            yield Seen(g.units.ids[unit], name, SIDES[side], place, tuple(words), back=back)

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
            totals=(("Allies hold or contest", allies), ("Axis keeps", len(rows) - allies)),
            rule="After turn 7 the Allies win if the West controls or contests every blue target and the Soviets every black and red one.",
            result=in_words(p.result or verdict(g, p)),
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


def _held(g: Setting, p: Pos) -> Iterator[Held]:
    """Every zone with who controls it and who stands there (R-F23, R-F27)."""
    stands = [zones_of(g, p, side) for side in range(len(SIDES))]
    for zone, holder in enumerate(p.control):
        yield Held(g.land.name(zone), SIDES[holder], tuple(SIDES[side] for side in range(len(SIDES)) if stands[side] >> zone & 1))


def _laid(g: Setting, p: Pos) -> Iterator[Laid]:
    """The markers of the module that tell something of this position, where players would have put them."""
    contested = zones_of(g, p, AXIS) & (zones_of(g, p, WEST) | zones_of(g, p, SOVIET))
    for marker, zones in (
        ("marker-contested", contested),
        ("marker-fought", sum(1 << zone for zone, fights in enumerate(p.fought) if fights)),
        ("marker-landing", p.wall),
        ("marker-mulberry", 0 if p.mulberry == NOBODY else 1 << p.mulberry),
        ("marker-paratroops", p.dropped),
    ):
        yield from (Laid(marker, g.land.name(zone)) for zone in members(zones))
    yield from (Laid("marker-baltic-supply", g.gfs.ids[gf]) for gf in p.baltic if gf != NOBODY)
    for track, (marker, words) in enumerate(PR_MARKERS):
        beyond = p.pr[track] > TRACK_ENDS[track]
        yield Laid(marker, f"{words} {p.pr[track] % (TRACK_ENDS[track] + 1)}", str(p.pr[track]) if beyond else "")
    for side, (marker, words) in enumerate(EVENT_MARKERS):
        if p.event[side]:
            yield Laid(marker, f"{words} {event_row(side, p.event[side])}", str(p.event[side]))
    for corps, turn in p.returns:
        yield Laid("marker-paratroops-return", f"Turn {turn}", g.units.names[corps])
    for marker, lasts in (
        ("marker-roosevelt", p.roosevelt),
        ("marker-fuhrer-dead", p.fuhrer_dead),
        ("marker-manchuria", p.manchuria),
        ("marker-lend-lease", p.lent),
        ("marker-separate-peace", p.peace),
        *((f"marker-{nation.casefold()}-out", True) for nation in p.capitulated),
    ):
        if lasts:
            yield Laid(marker, LASTING)


def _piles(g: Setting, p: Pos) -> Iterator[Pile]:
    """Draw piles, hands and cards laid open: their numbers are known to all (R-F136), their names as far as the position tells."""
    cards = g.cards
    laid = 0 if p.combat is None else p.combat.cards[0] | p.combat.cards[1]
    in_hand = [own.hand for own in p.sealed if own.known]
    gone = laid & ~sum(in_hand)
    operational = cards.operational.bit_count() - sum(held for _, held in p.held) - (cards.operational & (p.used_cards | gone)).bit_count()
    yield Pile(OPERATIONAL_DECK, operational)
    for side, deck in enumerate(DECKS):
        yield Pile(deck, cards.national[side].bit_count() - p.held[side][0] - (cards.national[side] & gone).bit_count())
    for side, own in enumerate(p.sealed):
        yield Pile(f"{SIDES[side]}-hand", sum(p.held[side]), tuple(cards.names[card] for card in members(own.hand)) if own.known else ())
    played = p.used_cards | laid
    yield Pile(PLAYED, played.bit_count(), tuple(cards.names[card] for card in members(played)))


def _ways(g: Setting, p: Pos) -> Iterator[Way]:
    """What a declared PA that may still be cancelled will do (R-F56). Who fights a running combat stands in its zone."""

    def from_each(kind: str, gfs: Iterable[int], zone: int) -> Iterator[Way]:
        starts: dict[int, list[str]] = {}
        for gf in gfs:
            if p.gf_at[gf] != zone:
                starts.setdefault(p.gf_at[gf], []).append(g.gfs.ids[gf])
        yield from (Way(kind, tuple(ids), g.land.name(start), g.land.name(zone)) for start, ids in starts.items())

    if (declared := _declared(p)) is not None:
        plan, verb, supporters = declared
        yield from from_each("attack" if verb == "attack" else "move", plan.gfs, plan.zone)
        yield from from_each("support", supporters, plan.zone)


def _declared(p: Pos) -> tuple[points.Plan, str, tuple[int, ...]] | None:
    """(the PA without the formations that were stopped, the verb, the supporters) of what waits in an open window."""
    open_ = next((i for i, frame in enumerate(p.agenda) if frame.step == "cancel"), None)
    if open_ is None:
        return None
    declared, stopped = waiting(alter(p, agenda=p.agenda[: open_ + 1]))
    plan = declared.plan
    going = tuple(gf for gf in plan.gfs if gf not in stopped)
    return points.Plan(going, plan.kinds, plan.purpose, plan.zone), declared.verb, declared.supporters


def _roles(g: Setting, p: Pos) -> Iterator[tuple[str, str]]:
    """The formations of what is declared or fought, and their part in it."""
    if (declared := _declared(p)) is not None:
        plan, verb, supporters = declared
        fights = verb == "attack"
        yield from ((g.gfs.ids[gf], "attacker" if fights else "mover") for gf in plan.gfs)
        yield from ((g.gfs.ids[gf], "supporter") for gf in supporters)
        if fights and plan.gfs:
            foes = (gf for side in enemies(g.gfs.side[plan.gfs[0]]) for gf in gfs_in(g, p, side, plan.zone))
            yield from ((g.gfs.ids[gf], "defender") for gf in foes)
    if (c := p.combat) is not None:
        for part, gfs in (("attacker", c.attackers), ("supporter", c.supporters), ("defender", c.defenders)):
            yield from ((g.gfs.ids[gf], part) for gf in members(gfs) if p.gf_at[gf] == c.zone)


def _facts(g: Setting, p: Pos) -> Iterator[tuple[str, str]]:
    for side, title in enumerate(SIDE_NAMES):
        held = [g.land.name(zone) for zone, holder in enumerate(p.control) if holder == side]
        yield f"{title} control", f"{len(held)} {'zone' if len(held) == 1 else 'zones'}" + (f": {' '.join(held)}" if held else "")
    contested = zones_of(g, p, AXIS) & (zones_of(g, p, WEST) | zones_of(g, p, SOVIET))
    if contested:
        yield "Contested", " ".join(g.land.name(zone) for zone in members(contested))
    named = dict(zip(SIDES, SIDE_NAMES, strict=True))
    yield "PR", ", ".join(f"{named.get(track, track.capitalize())} {points_}" for track, points_ in zip(TRACKS, p.pr, strict=True))
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
    if p.shown:
        told = (
            f"{g.units.names[unit]} {g.units.full[unit]}-{g.units.reduced[unit]} of {g.gfs.names[gf]}" + (" (reduced)" if turned else "")
            for unit, gf, turned in p.shown
        )
        yield "Shown in the combat", ", ".join(told)
    if p.peace:
        yield "West", "out of the war by a separate peace"
    if p.capitulated:
        yield "Capitulated", ", ".join(p.capitulated)
    if p.result:
        yield "Result", in_words(p.result)
