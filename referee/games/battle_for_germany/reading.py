"""How play on a table maps to this game's actions: a log is walked phase by phase, and every stretch is explained and judged.

Replacements and movement are read in ``reading_movement``, combat in ``reading_combat``; ``reading_sheet`` holds what they share.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.games.battle_for_germany.changes import remove
from referee.games.battle_for_germany.game import BattleForGermany
from referee.games.battle_for_germany.land import EAST, WEST
from referee.games.battle_for_germany.position import EG, FORCE_NAMES, FORCES, WG, Pos, S, W, altered, board
from referee.games.battle_for_germany.reading_combat import Battle
from referee.games.battle_for_germany.reading_movement import Marches
from referee.games.battle_for_germany.reading_sheet import BOX_OF, supply
from referee.games.battle_for_germany.reading_words import Declarations
from referee.games.battle_for_germany.sequence import begin_phase, end_phase
from referee.games.battle_for_germany.setting import HOME_LINE, german
from referee.games.battle_for_germany.terms import COMBAT, MOVEMENT, REPLACEMENT, TURN
from referee.rules.events import Spot, TableEvent
from referee.rules.model import Reason, Verdict
from referee.rules.reading import Finding, Ruled, Stint, stints

_KINDS = {
    REPLACEMENT: ("repl", "reinf", "verst", "ersatz", "uzup", "renf"),
    MOVEMENT: ("mov", "beweg", "zug", "ruch", "mouv"),
    COMBAT: ("comb", "battle", "kampf", "attac", "attak", "fight", "angriff", "walk"),
    TURN: ("turn phase", "end of turn", "turn end"),
}
"""What clients call the kinds of phase; enough of a word to know it."""


class Reader(Marches):
    """Reads one log. ``read`` gives the findings in the order of the log; ``notes`` what was assumed."""

    def read(self) -> list[Finding]:
        """Every finding of the log."""
        phases = self.g.terms.phases
        first = self.phase_of(self.log.start.phase)
        turn = self.log.start.turn or self.g.terms.first_turn
        if first is None:
            self.notes.append(f"the log's tracker shows {self.log.start.phase!r} at its start: read as {phases[0].name}")
        events = self._with_phases(turn, first or 0)
        cut = list(stints(events, self.phase_of, (turn, first or 0), len(phases)))
        p = self.lay_out(turn, first or 0)
        self._pass_on_early_moves(cut)
        for i, stint in enumerate(cut):  # it grows, when an attack comes before its phase
            if i:
                p = self._walk_to(p, stint, cut[i - 1].end_step)
            self._pass_on_early_attacks(p, cut, i)
            p = self._stint(p, stint)
            self.at_end = stint is cut[-1]
            if stint.end_step:
                self._close(p, stint)
            self._settle_due(stint)
        self._owe(p, cut[-1])
        return self.found

    def _with_phases(self, turn: int, phase: int) -> list[TableEvent]:
        """The log's events; where nobody ever stepped the tracker, with the phases that chat and the acts tell.

        Phases found like this accuse nobody of acting in the wrong one (``inferred``).
        """
        if any(e.kind == "phase" and not e.undone and self.phase_of(e.phase) is not None for e in self.log.events):
            return list(self.log.events)
        phases = self.g.terms.phases
        found: list[TableEvent] = []
        for e in self.log.events:
            following = self._phase_told(e, phase) if not e.undone else None
            if following is not None and following != phase:
                turn += following < phase
                phase = following
                found.append(TableEvent(e.step, "phase", turn=turn, phase=phases[phase].name))
                self.inferred = True
            found.append(e)
        if self.inferred:
            self.notes.append("the tracker was not used: phases are read from chat and from who acts")
        return found

    def _phase_told(self, e: TableEvent, now: int) -> int | None:
        phases = self.g.terms.phases
        count = len(phases)
        shown = phases[now]
        if e.kind == "chat":
            said = self.phase_of(e.text)
            if said is not None and phases[said].kind != TURN:
                return said
            low = e.text.casefold()
            kind = next((k for k, marks in _KINDS.items() if k != TURN and any(m in low for m in marks)), None)
            return next((i for i in range(now, min(now + 3, count)) if phases[i].kind == kind and phases[i].force == shown.force), None)
        if e.kind == "roll" and shown.kind == MOVEMENT and shown.force != EG:
            return now + 1
        unit = self.g.roster.index.get(e.piece)
        if unit is None or e.kind not in ("move", "place", "remove"):
            return None
        force = self.g.roster.force[unit]
        from_box = e.kind == "place" or not self.is_hex(e.frm.name)
        if force == shown.force:
            return now + 1 if shown.kind == REPLACEMENT and not from_box else None
        short = self.is_hex(e.frm.name) and (
            not self.is_hex(e.to.name) or self.g.land.distance(self.g.land.nodes[e.frm.name], self.g.land.nodes[e.to.name]) < 2
        )
        if shown.kind == COMBAT and self.g.regimes[0].enemies[shown.force] >> force & 1 and short:
            return None
        if shown.kind == MOVEMENT and german(shown.force) and not self.is_hex(e.to.name):
            return None
        wanted = REPLACEMENT if from_box else MOVEMENT
        ahead = next((i for i in range(now + 1, count) if phases[i].kind == wanted and phases[i].force == force), None)
        if ahead is None and force == S and shown.force == EG:
            ahead = next(i for i in range(count) if phases[i].kind == wanted and phases[i].force == force)
        return ahead

    def phase_of(self, text: str) -> int | None:
        """Which phase the client's words mean."""
        phases = self.g.terms.phases
        for i, phase in enumerate(phases):
            if text.casefold() == phase.name.casefold():
                return i
        low = text.casefold()
        kind = next((k for k, marks in _KINDS.items() if any(m in low for m in marks)), None)
        if kind == TURN:
            return len(phases) - 1
        sides = {"west german": WG, "east german": EG, "western all": W, "allied": W, "soviet": S, "russ": S}
        force = next((f for name, f in sides.items() if name in low), None)
        return next((i for i, ph in enumerate(phases) if ph.kind == kind and ph.force == force), None)

    def lay_out(self, turn: int, phase: int) -> Pos:
        """The position at the log's start: places from the table, the rest as at the scenario's start."""
        g = self.g
        places = {}
        absent = []
        for i, unit in enumerate(g.roster.ids):
            spot = self.table.get(unit)
            if spot is None or not spot.name:
                absent.append(unit)
                places[unit] = BOX_OF[g.roster.force[i]]
            else:
                places[unit] = self.rest(i, spot)
        shown = g.terms.phases[phase]
        if shown.kind == TURN:
            p = self.game.arranged(places, turn=turn, force="EG", kind=COMBAT)
            p = begin_phase(g, p, phase)
        else:
            p = self.game.arranged(places, turn=turn, force=FORCES[shown.force], kind=shown.kind)
        combat = next(i for i, ph in enumerate(g.terms.phases) if ph.kind == COMBAT and ph.force == S)
        if phase < combat:
            p = altered(p, abroad=tuple((u, turn - 1) for u, _ in p.abroad))
        self.thrown.update(u for u, _ in p.abroad)
        for u, node in enumerate(p.at):
            if p.force[u] in (S, W) and node < g.land.size and not g.wards(p, p.force[u], u)[node] & HOME_LINE:
                self.thrown.add(u)
        if absent and len(absent) < len(g.roster.ids):
            self.notes.append(f"not on the table at the start, taken as destroyed: {', '.join(absent)}")
        if (turn, phase) != (g.terms.first_turn, 0):
            self.notes.append("taken as at the scenario's start: fortifications, evacuations tried, ports entered, city holders")
        return p

    def _walk_to(self, p: Pos, stint: Stint, step: int) -> Pos:
        g = self.g
        count = len(g.terms.phases)
        here = p.turn * count + p.phase
        if stint.order < here:
            self.notes.append(f"step {step}: the tracker goes back to {self.phase(stint).name}")
            return begin_phase(g, altered(p, turn=stint.turn), stint.phase)
        while here < stint.order and p.agenda[0].step != "over":
            before = p
            p = end_phase(g, altered(p, agenda=p.agenda[:1]))
            self._note_eliminated(before, p, step)
            p = self._sync(p)
            here += 1
            if here < stint.order and g.terms.phases[p.phase].kind == COMBAT:
                self._close(p, Stint(p.turn, p.phase, here, [], step))
        if p.agenda[0].step == "over" and here < stint.order:
            self.notes.append(f"step {step}: play goes on after the last turn of the scenario")
            p = altered(p, turn=stint.turn, agenda=())
        return p if p.phase == stint.phase and p.agenda else begin_phase(g, altered(p, turn=stint.turn), stint.phase)

    def _note_eliminated(self, before: Pos, after: Pos, step: int) -> None:
        size = self.g.land.size
        for unit, (old, new) in enumerate(zip(before.at, after.at, strict=True)):
            if old < size <= new and (before.flipped >> unit & 1 or unit in self.thrown):
                if before.flipped >> unit & 1:
                    para = "9.0.a3"
                elif before.force[unit] == S and any(u == unit for u, _ in before.abroad):
                    para = "5.3.1.p2" if self.g.yugoslav(unit) else "5.3.2.p2"
                else:
                    para = "5.2.2.p2"
                self.due[unit] = (para, step)

    def _settle_due(self, stint: Stint) -> None:
        """Units that a rule eliminated at an earlier phase end must be off the table by the end of this stretch."""
        for unit, (para, step) in sorted(self.due.items()):
            spot = self.table.get(self.g.roster.ids[unit])
            standing = spot is not None and spot.known and self.g.land.nodes.get(spot.name, 10**6) < self.g.land.size
            if not standing:
                del self.due[unit]
            elif stint.end_step or (self.at_end and para != "9.0.a3"):
                basis = f"hexes {spot.name} {'country' if para.startswith('5.3') else 'theater'}" if spot else ""
                sure = self.g.land.sure_country if para.startswith("5.3") else self.g.land.sure_theater
                node = self.g.land.nodes[spot.name] if spot else 0
                doubtful = self.court.lenient is not None and para != "9.0.a3" and not sure[node]
                ruled = Ruled(
                    Verdict.DOUBTFUL if doubtful else Verdict.ILLEGAL,
                    (para,),
                    (basis,) if doubtful else (),
                    f"{self.label(unit)} should have been removed by the end of the phase and still stands in {spot.name if spot else ''}",
                )
                self.add(stint, ruled, "remove", (unit,), step, step, frm=spot.name if spot else "")
                del self.due[unit]

    def _pass_on_early_moves(self, cut: list[Stint]) -> None:
        """Moves made before the tracker was stepped to their Movement Phase are read there, as *unclear* (the tracker may have been
        forgotten): only when their force is next to move, and nothing else happens in between."""
        phases = self.g.terms.phases
        for i, stint in enumerate(cut):
            shown = phases[stint.phase]
            if shown.kind == MOVEMENT or not stint.acts:
                continue
            later = next((s for s in cut[i + 1 :] if phases[s.phase].kind == MOVEMENT or s.acts), None)
            if later is None or phases[later.phase].kind != MOVEMENT or not 0 < later.order - stint.order <= 2:
                continue
            force = phases[later.phase].force
            if phases[later.phase].owner != shown.owner:
                continue
            tail: list[TableEvent] = []
            for e in reversed(stint.events):
                if e.kind in ("chat", "talk", "property", "undo") or e.undone:
                    continue
                unit = self.g.roster.index.get(e.piece)
                on_map = e.frm.known and e.frm.name in self.g.land.nodes and e.to.known and e.to.name in self.g.land.nodes
                if e.kind != "move" or unit is None or not on_map or e.frm.name.startswith("box"):
                    break
                if self._force_in(unit, self.g.land.nodes[e.frm.name]) != force:
                    break
                tail.append(e)
            for e in reversed(tail):
                stint.events.remove(e)
                self.early.add((e.piece, later.order))
            later.events[:0] = list(reversed(tail))

    def _pass_on_early_attacks(self, p: Pos, cut: list[Stint], i: int) -> None:
        """Attacks that were declared, rolled and carried out before the tracker was stepped to their Combat Phase are read there.

        Only when counters that they concern moved behind the die, and nobody else did: a die alone may be for anything.
        """
        stint, phases = cut[i], self.g.terms.phases
        if phases[stint.phase].kind != MOVEMENT or not any(e.kind == "roll" and not e.undone for e in stint.events):
            return
        force = phases[stint.phase].force
        words = Declarations(self, stint, force)
        for k, die in enumerate(stint.events):
            if die.kind != "roll" or die.undone or len(die.faces) != 1:
                continue
            said = [d for d in words.among(p, stint.events[:k]) if d.exact and d.units and d.targets and not d.foreign]
            if not said:
                continue
            start = next(j for j, e in enumerate(stint.events) if e.step >= said[-1].step)
            if not self._carried_out(p, stint, start, k, force):
                return
            tail = stint.events[start:]
            del stint.events[start:]
            self.early_dice.update(e.step for e in tail if e.kind == "roll")
            following = cut[i + 1] if i + 1 < len(cut) else None
            if following is None or following.order != stint.order + 1:
                following = Stint(stint.turn, stint.phase + 1, stint.order + 1, [], stint.end_step)
                cut.insert(i + 1, following)
            following.events[:0] = tail
            stint.end_step = tail[0].step
            return

    def _carried_out(self, p: Pos, stint: Stint, start: int, die: int, force: int) -> bool:
        """From ``start`` on counters moved only as combat moves them: behind the die an enemy went or an attacker fell, and nobody
        who was not named as an attacker was dragged on the map."""
        acts = [
            e for e in stint.events[start:] if e.kind in ("move", "place", "remove") and not e.undone and e.piece in self.g.roster.index
        ]
        behind = {id(e) for e in stint.events[die + 1 :]}
        named = {
            u
            for e in stint.events
            if e.kind in ("chat", "talk")
            for u in (
                [u for m in self.names.read(e.text, self.is_hex).mentions for u in m.units] if e.kind == "chat" else e.text.split("|")
            )
        }
        struck = False
        for e in acts:
            unit = self.g.roster.index[e.piece]
            on_map = e.to.known and self.is_hex(e.to.name) and e.kind != "remove"
            far = (
                on_map and self.is_hex(e.frm.name) and self.g.land.distance(self.g.land.nodes[e.frm.name], self.g.land.nodes[e.to.name]) > 1
            )
            if id(e) not in behind or far or e.kind == "place" or (p.force[unit] == force and on_map and e.piece not in named):
                return False
            struck = struck or bool(self.g.enemies(p, force) >> p.force[unit] & 1) or not on_map
        return struck

    def _force_in(self, unit: int, node: int) -> int:
        """The force of a unit in a hex: Germans are of the theater that they stand in (5.2.1)."""
        home = self.g.roster.force[unit]
        theater = self.g.land.theater[node] if german(home) and node < self.g.land.size else 0
        return {EAST: EG, WEST: WG}.get(theater, home)

    def _stint(self, p: Pos, stint: Stint) -> Pos:
        self.unexplained = set()
        self.force = p.force
        kind = self.phase(stint).kind
        p = self._resync(p, stint)
        self.exits = []
        self.takes = {}
        self.misplaced = {}
        self.tried = 0
        self.landed = set()
        for e in stint.events:
            if e.undone and e.kind == "move" and e.piece in self.g.roster.index:
                ruled = Ruled(Verdict.LEGAL, ("5.0.p1", "3.0.p1"), (), "taken back by an undo: no move")
                self.add(stint, ruled, "put-back", (self.g.roster.index[e.piece],), e.step, e.step, frm=e.frm.name, to=e.frm.name)
            if e.kind == "place" and not e.piece and supply(e.label) and not e.undone:
                self.markers.append(e.to.name)
                if (wrong := self._misplaced_marker(p, stint, e)) is not None:
                    self.add(stint, wrong, "marker", (), e.step, e.step, to=e.to.name)
                    continue
                question = f"is option 18.1 in use? An offensive supply marker was placed in {e.to.name}"
                self.add(stint, self.unclear(question, "18.1.p5", "18.1.p6"), "marker", (), e.step, e.step, to=e.to.name)
        if kind == COMBAT:
            p = Battle(self, stint).read(p)
        elif kind == MOVEMENT:
            p = self._movement(p, stint)
        else:
            p = self._replacement(p, stint)
        for e in stint.events:
            if not e.undone and e.piece in self.g.roster.index and e.kind in ("move", "place", "remove"):
                self.put(e.piece, e.to if e.kind != "remove" else Spot(""))
                self.arrived[self.g.roster.index[e.piece]] = e.step
        return self._sync(altered(p, agenda=p.agenda[:1]))

    def _resync(self, p: Pos, stint: Stint) -> Pos:
        """A piece that the log moves from another hex than the table has it in: steps are missing, and the log is right."""
        seen: set[str] = set()
        for e in stint.events:
            unit = self.g.roster.index.get(e.piece)
            if unit is None or e.undone or e.piece in seen or e.kind not in ("move", "remove"):
                continue
            seen.add(e.piece)
            node = self.node(unit, e.frm) if e.frm.known and e.frm.name else self.g.land.size
            if node < self.g.land.size and p.at[unit] != node:
                here = self.g.hex_name(p.at[unit])
                self.notes.append(f"step {e.step}: {self.label(unit)} was in {here} and is moved from {e.frm.name}: steps are missing")
                p = self.force_to(p, unit, node)
        self.force = p.force
        return p

    def _misplaced_marker(self, p: Pos, stint: Stint, e: TableEvent) -> Ruled | None:
        """An offensive supply marker that is wrong with option 18.1 as well as without: no Front (or Western unit) under it, or more
        than the turn allows."""
        phase = self.phase(stint)
        if phase.kind != REPLACEMENT or phase.force not in (S, W) or not self.is_hex(e.to.name):
            return None
        units = [u for u in board(p, self.g.land).occ.get(self.g.land.nodes[e.to.name], ()) if p.force[u] == phase.force]
        if phase.force == S:
            units = [u for u in units if self.g.roster.front >> u & 1]
        before = sum(x.kind == "place" and not x.piece and supply(x.label) and not x.undone and x.step <= e.step for x in stint.events)
        if not units:
            return Ruled(
                Verdict.ILLEGAL, ("18.1.p6",), (), f"a supply marker goes under a Front or a Western unit, and none stands in {e.to.name}"
            )
        if before > (2 if phase.force == S else 1):
            return Ruled(Verdict.ILLEGAL, ("18.1.p5",), (), f"this is supply marker {before} of one turn, more than option 18.1 allows")
        return None

    def _sync(self, p: Pos) -> Pos:
        """The position with every unit where the table has it."""
        off = self.g.land.off
        for unit, (here, there) in enumerate(zip(p.at, self.stands, strict=True)):
            if here == there or (here >= self.g.land.size <= there != off):
                continue  # off the map, one box is as good as another
            spot = self.table.get(self.g.roster.ids[unit])
            if spot is None or not spot.name:
                if p.at[unit] < self.g.land.size:
                    p = remove(self.g, p, (unit,))
            elif not spot.known or self.g.land.nodes.get(spot.name) != p.at[unit]:
                p = self.force_to(p, unit, self.g.land.nodes[self.rest(unit, spot)])
        self.force = p.force
        return p

    def _close(self, p: Pos, stint: Stint) -> None:
        """Duties that are owed when the phase ends; blamed on the last action that made them unmeetable (R-G33, R-G62)."""
        for ruled, units, reason in self._owed(p, stint):
            if units:
                front = [u for u in units if self.g.roster.front >> u & 1] if reason.code == "two-fronts" else list(units)
                units = (max(front, key=lambda u: (self.arrived.get(u, 0), u)),)
            self.add(stint, ruled, "phase-end", units, stint.end_step, stint.end_step, to=reason.fact("hex"), force=self.phase(stint).force)

    def _owed(self, p: Pos, stint: Stint) -> Iterator[tuple[Ruled, tuple[int, ...], Reason]]:
        """What bars the end of the phase: the verdict if it ended so, the units in the hex that it is about, the reason."""
        asked = altered(p, agenda=p.agenda[:1])
        strict = self.court.owed(asked)
        if not strict:
            return
        soft = None if self.court.lenient is None else self.court.lenient.duties(replace(asked))
        for reason in strict:
            kept = None if soft is None else tuple(r for r in soft if r.code == reason.code and r.fact("hex") == reason.fact("hex"))
            ruled = self.court.against((reason,), kept)
            units: tuple[int, ...] = ()
            if hex_name := reason.fact("hex"):
                there = board(p, self.g.land).occ.get(self.g.land.nodes[hex_name], ())
                units = tuple(u for u in there if p.force[u] == self.phase(stint).force)
            elif self.inferred:
                ruled = self.unclear(
                    "did the phase end here? The tracker was not used, and as we read it attacks are still owed", *ruled.rules
                )
            elif stint.begins_inside:
                ruled = self.unclear("were other attacks of this phase made before this log begins?", *ruled.rules)
            elif self._open_rolls(stint):
                ruled = self.unclear("which attacks were the dice of this phase for?", *ruled.rules)
            yield ruled, units, reason

    def _open_rolls(self, stint: Stint) -> bool:
        return any(e.kind == "roll" and not e.undone and e.step in self.unexplained for e in stint.events)

    def _owe(self, p: Pos, stint: Stint) -> None:
        """What the phase in which the log stops still owes: its player's to do before it ends."""
        for ruled, units, reason in self._owed(p, stint):
            there = reason.fact("hex")
            self.wait(stint, ruled, "duty", units, self.log.steps, self.phase(stint).force, frm=there, to=there)


def owners(game: BattleForGermany) -> dict[str, str]:
    """Side, as findings name it -> the player who runs it."""
    return {FORCE_NAMES[i]: owner for i, owner in enumerate(game.setting.terms.owners)}
