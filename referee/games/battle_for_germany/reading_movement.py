"""How Replacement and Movement Phases on a table map to actions: replacements (7.0), one move a unit and phase (5.0, R-G32; put-backs
vanish), evacuation (8.0), exits with the units they take along (9.0)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.games.battle_for_germany.actions import Evacuate, Exit, Move, PutAshore, Replace, SetUp, Take
from referee.games.battle_for_germany.changes import events, remove, touched
from referee.games.battle_for_germany.exits import edge_of, front_of, open_exits, takeable
from referee.games.battle_for_germany.game import BattleForGermany
from referee.games.battle_for_germany.land import EDGES
from referee.games.battle_for_germany.movement import MovementStep, allowance, lawful_way, unit_reach, way_past, ways_as_cheap
from referee.games.battle_for_germany.position import EG, FORCE_NAMES, HOLDER_NAMES, G, S, W, altered, at_rest
from referee.games.battle_for_germany.reading_sheet import Sheet
from referee.games.battle_for_germany.sequence import begin_phase
from referee.games.battle_for_germany.setting import HOME_LINE, Setting, german
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import MOVEMENT, REPLACEMENT, SECOND_MOVEMENT
from referee.rules.events import TableEvent, TableLog
from referee.rules.model import CHANCE, Frame, Reason, Roll, Verdict, cite
from referee.rules.reading import Court, Net, Ruled, Stint, net

_LEGAL: Final = Verdict.LEGAL
_MOVING: Final = (MOVEMENT, SECOND_MOVEMENT)
_WAYS: Final = 40
"""How many ways of one move are told apart."""
_TRIALS: Final = 20_000
"""How many assignments of named units to the exits of one phase are tried."""


class Marches(Sheet):
    """Reads Replacement and Movement Phases."""

    def __init__(self, court: Court[Pos], game: BattleForGermany, log: TableLog) -> None:
        super().__init__(court, game, log)
        march = game.steps["movement"]
        assert isinstance(march, MovementStep)
        self.march = march

    def _replacement(self, p: Pos, stint: Stint) -> Pos:
        size, begun = self.g.land.size, len(self.found)
        nets = self._weakest_first(p, stint)
        for n in nets:
            unit = n.unit
            node = self.node(unit, n.end)
            if unit in self.left:
                self.gone_for_good(stint, n, unit)
            elif n.still:
                self.put_back(stint, n, unit)
            elif p.at[unit] == self.g.land.unplaced:
                p = self._set_up(p, stint, n, unit, node)
            elif p.at[unit] >= size and node < size:
                p = self._replace(p, stint, n, unit, node)
            elif p.at[unit] < size and node < size:
                p = self._judge_move(p, stint, n, unit, node)
            else:
                p = self.vanish(p, stint, n, unit, node)
        if nets is not self.nets:
            self.found[begun:] = sorted(self.found[begun:], key=lambda f: f.step)
        return p

    def _weakest_first(self, p: Pos, stint: Stint) -> list[Net]:
        """What was done in a Replacement Phase, in the order in which it is ruled on. Units that come back together stand there together
        when the phase ends, and which counter was put down first says little: weakest first (7.2.a1) is held against them as a set, where
        that makes all of them lawful, and else as they were put down."""
        phase, size, attack = self.phase(stint), self.g.land.size, self.g.roster.attack
        if phase.kind != REPLACEMENT:
            return self.nets
        back = [n for n in self.nets if n.unit not in self.left and p.at[n.unit] >= size > self.node(n.unit, n.end)]
        ordered = sorted(back, key=lambda n: attack[n.unit])
        if ordered == back:
            return self.nets
        q, step = at_rest(p), self.game.steps["replacement"]
        for n in ordered:
            action = Replace(phase.owner, n.piece, self.g.hex_name(self.node(n.unit, n.end)))
            if self.court.rule(q, action).verdict is Verdict.ILLEGAL:
                return self.nets
            q = step.apply(q, action)
        following = iter(ordered)
        return [next(following) if n in back else n for n in self.nets]

    def gone_for_good(self, stint: Stint, n: Net, unit: int) -> None:
        """What is done with a German counter after the Germans have left (13.1.p2): taking it off is due, using it is a breach."""
        mover = (n.player, n.seat)
        if n.end.name and self.is_hex(n.end.name) and n.end.known and not n.still:
            text = f"Berlin has fallen: {self.label(unit)} left the game with all Germans at the end of that player turn"
            wrong = Ruled(Verdict.ILLEGAL, ("13.1.p2",), ("R-G96",), text)
            self.add(stint, wrong, "move", (unit,), n.first, n.last, frm=n.start.name, to=n.end.name, mover=mover)
        elif unit in self.due:
            del self.due[unit]
            self._taken_off(stint, unit, n.first, n.last, n.start.name, n.end.name, mover)

    def _taken_off(self, stint: Stint, unit: int, first: int, last: int, frm: str, to: str, mover: tuple[str, str]) -> None:
        said = Ruled(Verdict.LEGAL, ("13.1.p2",), (), "Berlin has fallen: the Germans leave the map")
        self.add(stint, said, "remove", (unit,), first, last, frm=frm, to=to, mover=(mover[0], ""))

    def marker_asked(self, force: int, unit: int) -> Ruled:
        """Nobody said where the supply marker lies that an act in a second phase hangs on (18.1.p6, 18.1.p15): one question."""
        under = "which Front does the supply marker" if force == S else "which unit does the Western supply marker"
        asks = f"under {under} lie that serves {self.label(unit)} this turn? Nobody said"
        return self.unclear(asks, "18.1.p6" if force == S else "18.1.p15", "18.1.p7")

    def _set_up(self, p: Pos, stint: Stint, n: Net, unit: int, node: int) -> Pos:
        action = SetUp(self.g.owner(EG), n.piece, self.g.hex_name(node)) if node < self.g.land.size else None
        if action is None:
            return p
        asked = altered(p, agenda=(Frame("set-up", (self.g.owner(EG),)),))
        ruled = self.court.rule(asked, action)
        self.add(stint, ruled, "setup", (unit,), n.first, n.last, to=action.to, action=action, rules=("8.0.p1",), mover=(n.player, n.seat))
        return self.force_to(p, unit, node)

    def _replace(self, p: Pos, stint: Stint, n: Net, unit: int, node: int) -> Pos:
        phase = self.phase(stint)
        to = self.g.hex_name(node)
        action = Replace(phase.owner, n.piece, to)
        frm = n.start.name or "removed from the table"
        if phase.kind == REPLACEMENT:
            asked = at_rest(p)
            ruled = self.court.rule(asked, action)
            self.add(
                stint,
                ruled,
                "replace",
                (unit,),
                n.first,
                n.last,
                frm=frm,
                to=to,
                action=action,
                rules=("7.2.p1", "7.2.a1" if phase.force != W else "7.2.a3", "7.0.p2"),
                mover=(n.player, n.seat),
            )
            if ruled.verdict is not Verdict.ILLEGAL or p.force[unit] == phase.force:
                q = self.game.steps["replacement"].apply(asked, action)
                return altered(q, rates=(max(0, q.rates[0]), max(0, q.rates[1])))
            return self.force_to(p, unit, node)
        before = p.phase - 1
        back = begin_phase(self.g, p, before) if before >= 0 and self.g.terms.phases[before].kind == REPLACEMENT else p
        ruled = self.court.rule(back, action) if phase.force == p.force[unit] and phase.kind == MOVEMENT else self.court.rule(p, action)
        if ruled.verdict is Verdict.LEGAL:
            ruled = self.unclear(
                f"was {self.label(unit)} placed as a replacement after the tracker had been stepped on?", phase.para, "7.2.p1"
            )
        self.add(stint, ruled, "replace", (unit,), n.first, n.last, frm=frm, to=to, action=action, mover=(n.player, n.seat))
        if p.force[unit] != phase.force:
            return self.force_to(p, unit, node)  # the step places units of its own phase's force, and a Turn Phase is nobody's
        q = self.game.steps["replacement"].apply(back, action)
        return replace(p, at=q.at, force=q.force, holders=q.holders, doubled=q.doubled, locked=q.locked)

    def _movement(self, p: Pos, stint: Stint) -> Pos:
        land, nodes, size = self.g.land, self.nodes, self.g.land.size
        rolls = [e for e in stint.events if e.kind == "roll" and not e.undone]
        flips = [e for e in stint.events if e.kind == "flip" and not e.undone and e.piece in self.g.roster.index and e.value != "0"]
        for n in self._evacuation_nets(p, stint, rolls):
            unit, end = n.unit, n.end
            while flips and flips[0].step < n.last:
                p = self._flip(p, stint, flips.pop(0))
            there = nodes.get(end.name) if end.known else None
            node = self.node(unit, end) if there is None else there
            here = p.at[unit]
            if unit in self.left:
                self.gone_for_good(stint, n, unit)
            elif n.start == end:
                self.put_back(stint, n, unit)
            elif here < size:
                if here in land.courland and self._looks_like_evacuation(p, stint, n, unit, node, rolls):
                    p = self._evacuation(p, stint, n, unit, node, rolls)
                elif node < size:
                    p = self._judge_move(p, stint, n, unit, node)
                elif node == land.off and end.name and p.force[unit] == self.phase(stint).force and not self._may_go(p, unit):
                    p = self._exit(p, stint, n, unit)
                else:
                    p = self.vanish(p, stint, n, unit, node)
            elif here == land.unplaced:
                p = self._set_up(p, stint, n, unit, node)
            elif node == land.off and self.exits and p.force[unit] in (S, W):
                self.takes.setdefault(unit, (n.first, n.last, (n.player, n.seat)))
            else:
                p = self._replace(p, stint, n, unit, node) if node < size else self.force_to(p, unit, node)
        for e in flips:
            p = self._flip(p, stint, e)
        return self._settle_takes(p, stint) if self.takes else p

    def _past_berlin(self, p: Pos, unit: int, goal: int, move: Move) -> Move:
        """A move of which only start and end are seen did not go through Berlin where it need not have, where much hangs on the first
        entry (``first_counts``; R-G87, R-G92)."""
        g = self.g
        if move.via or goal == g.land.berlin or p.force[unit] not in (S, W) or p.berlin_seen >> p.force[unit] & 1:
            return move
        if g.land.berlin not in self.march.way(p, move):
            return move
        around = way_past(g, p, unit, goal, g.land.berlin)
        return Move(move.by, move.unit, move.start, move.to, tuple(map(g.hex_name, around[1:-1]))) if around else move

    def _judge_move(self, p: Pos, stint: Stint, n: Net, unit: int, node: int) -> Pos:
        g, names = self.g, self.g.land.names
        phase = g.terms.phases[stint.phase]
        force, start = p.force[unit], p.at[unit]
        moving = phase.kind in _MOVING
        by = phase.owner if moving and force == phase.force else g.terms.owners[force]
        action = Move(by, n.piece, names[start], names[node])
        asked = at_rest(p)
        shaped = self._with_stops(asked, unit, n, action) if n.stops else action
        ruled = self.court.rule(asked, shaped)
        if ruled.verdict is not _LEGAL and shaped is not action:
            shaped = action
            ruled = self.court.rule(asked, action)
        if ruled.verdict is not _LEGAL and (twice := self._returned_before(asked, unit, action)) is not None:
            asked, ruled = twice
        if ruled.verdict is not _LEGAL:
            ruled = self._refused(p, unit, ruled)
        else:
            if self.first_counts:
                shaped = self._past_berlin(asked, unit, node, shaped)
            if self.assumed or self.early:
                ruled = self._timely(stint, n, unit, ruled)
            assumed = "" if shaped.via or ruled.verdict is not _LEGAL else self._way_assumed(asked, unit, node, shaped)
            if assumed:
                self.note(f"step {n.last}: {self.label(unit)} {action.start} to {action.to}: {assumed}", force)
        self.add(
            stint,
            ruled,
            "move",
            (unit,),
            n.first,
            n.last,
            frm=action.start,
            to=action.to,
            action=shaped,
            rules=(phase.para, "5.0.p1", "5.0.a1", "4.0.p2"),
            mover=(n.player, n.seat),
            asked=asked,
        )
        if moving and (ruled.verdict is _LEGAL or ruled.verdict is Verdict.UNCLEAR):
            return self.march.apply(asked, shaped)
        return altered(self.force_to(p, unit, node), moved=p.moved | 1 << unit)

    def _returned_before(self, p: Pos, unit: int, action: Move | Exit) -> tuple[Pos, Ruled] | None:
        """The position and the question where an act is lawful only if the unit returned in this turn, before the log begins."""
        turn, units = self.returned
        if p.turn != turn or not units >> unit & 1 or p.doubled >> unit & 1:
            return None
        double = altered(p, doubled=p.doubled | 1 << unit)
        if self.court.rule(double, action).verdict is not _LEGAL:
            return None
        asks = f"did {self.label(unit)} return as a replacement in this turn, before the log begins? Only then it moves double, this far"
        return double, self.unclear(asks, "7.2.b2", "5.0.p1")

    def _timely(self, stint: Stint, n: Net, unit: int, lawful: Ruled) -> Ruled:
        """A lawful move becomes a question where it hangs on a marker or on a phase that nobody told."""
        phase = self.phase(stint)
        if self.assumed >> unit & 1:
            return self.marker_asked(phase.force, unit)
        if (n.piece, stint.order) in self.early:
            return self.unclear(
                f"was the tracker forgotten? {self.label(unit)} moved before the {phase.name} was shown", "3.0", phase.para
            )
        return lawful

    def _refused(self, p: Pos, unit: int, ruled: Ruled) -> Ruled:
        """What is said against a move, as far as the phase and the hex where it began are as we have them."""
        if ruled.verdict is not Verdict.ILLEGAL:
            return ruled
        ruled = self._softened(p, unit, ruled)
        if unit in self.landed and ruled.verdict is Verdict.ILLEGAL:
            return Ruled(
                ruled.verdict,
                ("8.0.p3", *ruled.rules),
                ("R-G76", *ruled.basis),
                f"{self.label(unit)} was evacuated in this phase: no move after landing",
            )
        return ruled

    def _softened(self, p: Pos, unit: int, ruled: Ruled) -> Ruled:
        """A German whose identity comes from the hex it was driven into (5.2.1.p2) acts for the wrong force only if the boundary runs
        as we have it."""
        node = p.at[unit]
        if (
            self.court.lenient is None
            or p.force[unit] == self.g.roster.force[unit]
            or not german(p.force[unit])
            or node >= self.g.land.size
            or self.g.land.sure_theater[node]
            or not ruled.codes <= {"wrong-force", "wrong-phase"}
        ):
            return ruled
        cell = f"hexes {self.g.hex_name(node)} theater"
        text = f"{ruled.message}; it counts as {FORCE_NAMES[p.force[unit]]} because it stands in {self.g.hex_name(node)}"
        return Ruled(Verdict.DOUBTFUL, (*ruled.rules, "5.2.1.p2"), (cell, *ruled.basis), text, ruled.codes)

    def _way_assumed(self, p: Pos, unit: int, node: int, move: Move) -> str:
        """What depends on the way of a move that the log shows only by its ends (R-G92, R-G59): words, "" when nothing does."""
        ways = ways_as_cheap(self.g, p, unit, self.march.way(p, move), _WAYS)
        if len(ways) < 2:
            return ""
        g, land, start = self.g, self.g.land, p.at[unit]
        if not land.noted[node] and not land.noted[start] and node in land.touching[start]:
            return ""
        # ways that lead through the same hexes of those that matter, in the same order, have the same effects
        told = touched(g, p, unit, {x for way in ways for x in way}, node)
        told_apart: dict[tuple[int, ...], tuple[int, ...]] = {}
        for way in ways:
            told_apart.setdefault(tuple([x if land.noted[x] & told else -1 for x in way]), way)
        if len(told_apart) < 2:
            return ""
        ends: dict[tuple[bytes, int, int], tuple[int, ...]] = {}
        for way in told_apart.values():
            changed = events(g, p, unit, way[1:], told)
            ends.setdefault((changed["holders"], changed["forts_gone"], changed["ports_entered"]), way)
        if len(ends) < 2:
            return ""
        said = []
        for (holders, forts, _), way in ends.items():
            cities = [f"{g.land.city_names[c]} {HOLDER_NAMES[h]}" for c, h in enumerate(holders) if h != p.holders[c]]
            gone = [f"fortification {g.hex_name(x)} destroyed" for x, bit in g.land.forts.items() if (forts & ~p.forts_gone) & bit]
            said.append(f"by {' '.join(g.hex_name(x) for x in way[1:-1])}: {', '.join((*cities, *gone)) or 'no change'}")
        return "way assumed, equal ways differ: " + "; ".join(said)

    def _with_stops(self, p: Pos, unit: int, n: Net, action: Move) -> Move:
        """The way as dragged, when its stops make one lawful way; else the move without a way."""
        names = [s.name for s in n.stops if s.known and self.g.land.nodes.get(s.name, 10**6) < self.g.land.size]
        if (
            len(names) != len(n.stops)
            or action.start in names
            or action.to in names
            or self.phase_kind(p) not in (MOVEMENT, SECOND_MOVEMENT)
        ):
            return action
        way: list[int] = []
        here = p
        for name in (*names, action.to):
            leg = lawful_way(self.g, here, unit, self.g.land.nodes[name])
            if leg is None:
                return action
            way.extend(leg[1:])
            here = replace(here, at=(*here.at[:unit], way[-1], *here.at[unit + 1 :]))
        return redo_move(action, tuple(self.g.hex_name(x) for x in way[:-1]))

    def _may_go(self, p: Pos, unit: int) -> bool:
        """A rule takes the unit off by itself: due already, or displaced and about to be (5.2.2.p2)."""
        across = not self.g.wards(p, p.force[unit], unit)[p.at[unit]] & HOME_LINE
        held = p.force[unit] in (S, W) or self.g.terms.east_only
        return unit in self.due or bool(p.flipped >> unit & 1) or (held and across)

    def _looks_like_evacuation(self, p: Pos, stint: Stint, n: Net, unit: int, node: int, rolls: list[TableEvent]) -> bool:
        """Whether a unit that stands in Courland was evacuated."""
        if p.force[unit] not in (EG, G) or self.phase(stint).force != p.force[unit]:
            return False
        return self._is_evacuation(p, unit, node, any(e.step < n.last for e in rolls))

    def _is_evacuation(self, p: Pos, unit: int, node: int, rolled: bool) -> bool:
        land = self.g.land
        if node in land.ports:
            return True
        if node < land.size:
            return rolled and node not in land.courland and lawful_way(self.g, at_rest(p), unit, node) is None
        return rolled and node != land.off

    def _evacuation_nets(self, p: Pos, stint: Stint, rolls: list[TableEvent]) -> list[Net]:
        """The nets of the phase in the order of their last events, with the drag that carried out an evacuation apart from what the unit
        did afterwards (R-G76)."""
        whole, at, courland = self.nets, p.at, self.g.land.courland
        if self.phase(stint).force not in (EG, G) or not any(at[n.unit] in courland for n in whole):
            return whole
        found: list[Net] = []
        for n in whole:
            unit = n.unit
            if at[unit] not in courland:
                found.append(n)
                continue
            mine = [e for e in stint.events if e.piece == n.piece and not e.undone and e.kind in ("move", "place", "remove")]
            cut = next(
                (
                    i + 1
                    for i, e in enumerate(mine)
                    if not n.still
                    and self._is_evacuation(p, unit, self.node(unit, e.to), any(r.step < e.step for r in rolls))
                ),
                len(mine),
            )
            for part in (mine[:cut], mine[cut:]):
                found.extend(net(part, self.g.roster.index))
        return sorted(found, key=lambda n: n.last)

    def _evacuation(self, p: Pos, stint: Stint, n: Net, unit: int, node: int, rolls: list[TableEvent]) -> Pos:
        """8.0: the attempt, the die, the landing, judged as one; the first thing wrong is named."""
        g = self.g
        before = [e for e in rolls if e.step < n.last]
        roll = before[-1] if before else None
        action = Evacuate(g.owner(EG), n.piece)
        first = self._first_word(stint, n, roll, unit)
        self.tried += 1
        asked = at_rest(p)
        ruled = self.court.rule(asked, action)
        to = g.hex_name(node)
        if ruled.verdict is Verdict.LEGAL and roll is None:
            ruled = self.unclear(f"which die was rolled for the evacuation of {self.label(unit)}?", "8.0.p5")
        if roll is not None:
            rolls.remove(roll)
        q = self.game.steps["movement"].apply(asked, action)
        if roll is not None and ruled.verdict in (Verdict.LEGAL, Verdict.DOUBTFUL):
            die = Roll(CHANCE, "evacuation", roll.faces[:1])
            lost = bool(roll.faces) and roll.faces[0] <= g.terms.loss_die
            drawn = self.court.rule(q, die)
            if drawn.verdict is not Verdict.LEGAL:
                ruled = drawn
            elif lost != (node >= g.land.size):
                fate = "is lost at sea, not landed" if lost else "is landed in a port, not lost"
                text = f"the die shows {roll.faces[0]}: {self.label(unit)} {fate}"
                ruled = Ruled(Verdict.ILLEGAL, ("8.0.p5",), ("R-G76",), text)
            elif not lost:
                landing = altered(q, agenda=(*asked.agenda, Frame("landing", (g.owner(EG),), (unit,))))
                ashore = self.court.rule(landing, PutAshore(g.owner(EG), to))
                if ashore.verdict is Verdict.ILLEGAL or ruled.verdict is Verdict.LEGAL:
                    ruled = ashore if ashore.verdict is not Verdict.LEGAL else ruled
        rules = ("8.0.p3", "8.0.p4", "8.0.p5", "8.0.p6", "8.0.p7")
        self.add(
            stint,
            ruled,
            "evacuate",
            (unit,),
            first,
            n.last,
            frm=g.hex_name(p.at[unit]),
            to=to,
            action=action,
            rules=rules,
            mover=(n.player, n.seat),
        )
        self.landed.add(unit)
        q = altered(q, agenda=asked.agenda, moved=p.moved | 1 << unit)
        return self.force_to(q, unit, node)

    def _first_word(self, stint: Stint, n: Net, roll: TableEvent | None, unit: int) -> int:
        """The step of the chat line that announced an action, or of its die, or of its first drag."""
        first = min(n.first, roll.step if roll else n.first)
        for e in stint.events:
            if e.kind == "chat" and e.step < first:
                line = self.names.read(e.text, self.is_hex)
                if any(n.piece in m.units for m in line.mentions):
                    return e.step
        return first

    def _exit(self, p: Pos, stint: Stint, n: Net, unit: int) -> Pos:
        g = self.g
        stops = [s.name for s in n.stops if s.known and self.is_hex(s.name)]
        start = g.hex_name(p.at[unit])
        at = stops[-1] if stops else self._exit_hex(p, unit)
        action = Exit(g.owner(p.force[unit]), n.piece, start, at)
        asked = at_rest(p)
        ruled = self.court.rule(asked, action)
        if ruled.verdict is not _LEGAL and (twice := self._returned_before(asked, unit, action)) is not None:
            asked, ruled = twice
        rules = ("9.0.p1", "9.0.p2", ("9.0.p3", "9.0.p4", "9.0.p5")[max(0, edge_of(g, g.land.nodes[at]))])
        self.add(
            stint, ruled, "exit", (unit,), n.first, n.last, frm=start, to=n.end.name, action=action, rules=rules, mover=(n.player, n.seat)
        )
        if ruled.verdict in (Verdict.LEGAL, Verdict.UNCLEAR):
            q = self.game.steps["movement"].apply(asked, action)
            self.exits.append((q.frame, True, n.last))
            return altered(q, agenda=asked.agenda)
        frame = Frame("take", (action.by,), (g.land.nodes[at], max(0, edge_of(g, g.land.nodes[at])), g.terms.exit_removals, 0))
        self.exits.append((frame, False, n.last))
        return remove(g, p, (unit,), g.land.off)

    def _exit_hex(self, p: Pos, unit: int) -> str:
        """The exit hex of a unit that was dragged straight off the map: the nearest it can lawfully leave from, else the nearest."""
        g = self.g
        here = p.at[unit]
        found = unit_reach(g, p, unit)
        can = list(open_exits(g, p, unit, found, allowance(g, p, unit)))
        if can:
            return g.hex_name(min(can, key=lambda x: (found.cost[x], x)))
        every = [x for x in range(g.land.size) if edge_of(g, x) >= 0 and g.land.playable[x]]
        return g.hex_name(min(every, key=lambda x: (g.land.distance(here, x), x)))

    def _flip(self, p: Pos, stint: Stint, e: TableEvent) -> Pos:
        """A counter turned over in a German Movement Phase names a unit to be removed (9.0.a1)."""
        unit = self.g.roster.index[e.piece]
        if p.force[unit] in (S, W) and self.exits:
            self.takes.setdefault(unit, (e.step, e.step, (e.player, e.seat)))
        return p

    def _settle_takes(self, p: Pos, stint: Stint) -> Pos:
        """9.0.a1: the units named in this phase, against its exits. The table does not tell which exit a unit was named for, so any
        assignment that lets all of them stand is accepted; what no assignment covers is judged alone."""
        best, proved = self._assign_takes(p)
        q = p
        for unit, (first, last, mover) in self.takes.items():
            action = Take(self.phase(stint).owner, self.g.roster.ids[unit])
            lawful = unit in best
            if lawful:
                ruled = Ruled(Verdict.LEGAL)
            elif not proved:
                ruled = self.unclear(f"which of the {len(self.exits)} exits of the phase was {self.label(unit)} named for?", "9.0.a1")
            elif all(ok for _, ok, step in self.exits if step < first):
                frame = next((f for f, _, step in reversed(self.exits) if step < first), self.exits[0][0])
                asked = altered(q, agenda=(*p.agenda[:1], frame))
                ruled = self.court.rule(asked, action)
                if ruled.verdict is Verdict.LEGAL:
                    ruled = self.court.against(
                        (Reason("not-among-nearest", cite("9.0.a1 R-G80"), (("unit", action.unit), *_edge(self.g, frame))),), None
                    )
                if stint.begins_inside and ruled.verdict is not Verdict.LEGAL and self._named_before(p, unit, _edge_in(frame)):
                    asks = f"were others named for exits before this log begins? Else {self.label(unit)} is not one of the nearest"
                    ruled = self.unclear(asks, "9.0.a1")
            else:
                ruled = self.unclear(f"{self.label(unit)} is named for an exit that was not lawful: does it stay?", "9.0.a1")
                self.named.add(unit)
            where = self.g.hex_name(p.at[unit])
            whose = self.phase(stint).force  # the choice is that of the exited unit's owner (R-G80, R-G120)
            rules = ("9.0.a1", "9.0.a2")
            self.add(stint, ruled, "take", (unit,), first, last, frm=where, action=action, rules=rules, mover=mover, force=whose)
            if lawful or not proved or ruled.verdict is Verdict.DOUBTFUL:
                q = altered(q, flipped=q.flipped | 1 << unit)
            if lawful and unit in self.misplaced:
                step, box = self.misplaced[unit]
                text = f"{self.label(unit)} was taken along by an exit: it goes out of the game, not into a Destroyed Units box"
                wrong = Ruled(Verdict.ILLEGAL, ("9.0.a5",), (), text)
                self.add(stint, wrong, "remove", (unit,), step, step, frm=where, to=box, mover=mover, force=whose)
        self.takes = {}
        return q

    def _named_before(self, p: Pos, unit: int, edge: int) -> bool:
        """The unit is of the front of the exit, and where the log begins another of that front lies turned over (9.0.a2), or a German
        lies off the map or nowhere, who may have left in this phase."""
        front = set(front_of(self.g, p, edge))
        if unit not in front:
            return False
        ids, start = self.g.roster.ids, self.log.start
        if any(ids[u] in start.flipped for u in front):
            return True
        gone = (u for u, force in enumerate(p.force) if german(force) and u not in self.absent and p.at[u] >= self.g.land.size)
        spots = [start.at.get(ids[u]) for u in gone]
        return any(spot is None or not spot.name or self.nodes.get(spot.name) == self.g.land.off for spot in spots)

    def _assign_takes(self, p: Pos) -> tuple[frozenset[int], bool]:
        """(the largest part of the named units that the lawful exits can have named, two at most each; whether that is proved and
        not only the best found when the trials ran out)."""
        known: dict[tuple[int, frozenset[int]], frozenset[int]] = {}
        trials = 0

        def best(p: Pos, i: int, wanted: frozenset[int]) -> frozenset[int]:
            nonlocal trials
            trials += 1
            if i >= len(self.exits) or not wanted or trials > _TRIALS:
                return frozenset()
            if (i, wanted) in known:  # which units are flipped follows from which are still wanted
                return known[i, wanted]
            frame, lawful, _ = self.exits[i]
            found: frozenset[int] = frozenset()
            for named in self._nameable(p, frame, wanted) if lawful else ():
                bits = sum(1 << u for u in named)
                rest = best(altered(p, flipped=p.flipped | bits), i + 1, wanted - named)
                if len(rest) + len(named) > len(found):
                    found = rest | named
                    if len(found) == len(wanted):
                        break
            if len(found) < len(wanted):
                found = max(found, best(p, i + 1, wanted), key=len)
            known[i, wanted] = found
            return found

        found = best(p, 0, frozenset(self.takes))
        return found, trials <= _TRIALS

    def _nameable(self, p: Pos, frame: Frame, wanted: frozenset[int]) -> list[frozenset[int]]:
        """The sets of one or two wanted units that one exit may name, larger ones first."""
        sets: list[frozenset[int]] = []
        node, edge, left, _ = frame.data
        assert isinstance(left, int) and isinstance(edge, int)
        emptied = int(not any(True for _ in front_of(self.g, p, edge)))
        asked = Frame("take", frame.by, (node, edge, left, emptied))
        for first in takeable(self.g, altered(p, agenda=(*p.agenda[:1], asked))):
            if first not in wanted:
                continue
            second = Frame("take", frame.by, (node, edge, left - 1, emptied))
            q = altered(p, flipped=p.flipped | 1 << first, agenda=(*p.agenda[:1], second))
            sets.extend(frozenset((first, u)) for u in takeable(self.g, q) if u in wanted and u != first)
            sets.append(frozenset((first,)))
        return sorted(dict.fromkeys(sets), key=lambda x: (-len(x), sorted(x)))

    def vanish(self, p: Pos, stint: Stint, n: Net, unit: int, node: int) -> Pos:
        """A piece left the map outside combat: by a rule, as taken along by an exit, or for a reason the log does not tell."""
        phase = self.phase(stint)
        where = self.g.hex_name(p.at[unit])
        mover = (n.player, n.seat)
        if unit in self.due:
            para = self.due.pop(unit)[0]
            self.add(
                stint,
                Ruled(Verdict.LEGAL, (para,), (), "removed as the rule demands"),
                "remove",
                (unit,),
                n.first,
                n.last,
                frm=where,
                to=n.end.name,
                mover=mover,
            )
        elif p.at[unit] >= self.g.land.size:
            return p
        elif phase.kind == MOVEMENT and p.force[unit] == phase.force and self._may_go(p, unit):
            said = "across the boundary at the end of its Movement Phase: destroyed"
            self.add(
                stint,
                Ruled(Verdict.LEGAL, ("14.0.p5" if german(p.force[unit]) else "5.2.2.p2",), (), said),
                "remove",
                (unit,),
                n.first,
                n.last,
                frm=where,
                to=n.end.name,
                mover=mover,
            )
        elif german(phase.force) and phase.kind == MOVEMENT and p.force[unit] in (S, W) and self.exits:
            self.takes.setdefault(unit, (n.first, n.last, mover))
            if node != self.g.land.off:
                self.misplaced[unit] = (n.last, n.end.name)
            return p
        elif not p.flipped >> unit & 1:
            question = f"why was {self.label(unit)} taken off the map from {where} in the {phase.name}?"
            asked = self.unclear(question, phase.para)
            self.add(
                stint,
                asked,
                "remove",
                (unit,),
                n.first,
                n.last,
                frm=where,
                to=n.end.name,
                mover=mover,
                force=self._asked(stint, unit, mover),
            )
        return remove(self.g, p, (unit,), node if node != self.g.land.off or n.end.name else None)

    def _asked(self, stint: Stint, unit: int, mover: tuple[str, str]) -> int:
        """The force whose player is asked why a unit left the map: the phase's, where somebody else than the unit's owner did it
        or may have done it."""
        force = self.phase(stint).force
        owner = self.g.owner(self.force[unit])
        return self.force[unit] if force < 0 or mover[1].casefold().replace(" ", "-") == owner else force


def _edge_in(frame: Frame) -> int:
    """The exit stretch of a choice of units to be taken along."""
    edge = frame.data[1]
    assert isinstance(edge, int)
    return edge


def redo_move(action: Move, via: tuple[str, ...]) -> Move:
    """The same move with its way."""
    return replace(action, via=via)


def _edge(g: Setting, frame: Frame) -> tuple[tuple[str, str], ...]:
    node, edge = frame.data[0], frame.data[1]
    assert isinstance(node, int) and isinstance(edge, int)
    return ("hex", g.hex_name(node)), ("edge", EDGES[edge])
