"""How play on a table maps to this game's actions: a log is walked phase by phase, and every stretch is explained and judged.

Movement Phases are read here (one move a unit and phase, R-G32; put-backs vanish), replacements too; combat in ``reading_combat``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.games.battle_for_germany.actions import Evacuate, Exit, Move, PutAshore, Replace, SetUp, Take
from referee.games.battle_for_germany.changes import remove, travel
from referee.games.battle_for_germany.exits import edge_of, on_front, open_exits, takeable
from referee.games.battle_for_germany.game import BattleForGermany
from referee.games.battle_for_germany.land import EDGES
from referee.games.battle_for_germany.movement import allowance, cheapest_ways, lawful_way, unit_reach
from referee.games.battle_for_germany.position import EG, FORCE_NAMES, FORCES, HOLDER_NAMES, WG, Pos, S, W, altered, board
from referee.games.battle_for_germany.sequence import begin_phase, end_phase
from referee.games.battle_for_germany.setting import HOME_LINE, Setting, german
from referee.games.battle_for_germany.terms import COMBAT, MOVEMENT, REPLACEMENT, TURN, Phase
from referee.rules.chat import Names, name_words, plain, words
from referee.rules.events import Spot, TableEvent, TableLog
from referee.rules.model import CHANCE, Action, Frame, Reason, Roll, Verdict, cite
from referee.rules.reading import Court, Finding, Net, Ruled, Stint, net, stints

if TYPE_CHECKING:
    from referee.games.battle_for_germany.reading_combat import Battle

_KINDS = {
    REPLACEMENT: ("repl", "reinf", "verst", "ersatz", "uzup", "renf"),
    MOVEMENT: ("mov", "beweg", "zug", "ruch", "mouv"),
    COMBAT: ("comb", "battle", "kampf", "attac", "attak", "fight", "angriff", "walk"),
    TURN: ("turn phase", "end of turn", "turn end"),
}
"""What clients call the kinds of phase; enough of a word to know it."""

_OPTION_WORDS = {
    "18/8.0": ("8.0", "hitler", "kurland", "courland", "kurlandi"),
    "18/6.3": ("6.3", "partial", "one unit of a stack", "part of a stack"),
    "18/5.3": ("5.3",),
    "18/12.2": ("12.2",),
    "18.1": ("supply", "nachschub", "zaopatrz"),
}
_OPTION_LIFTS = {
    "12.3": frozenset(("12.2.a",)),
    "18/8.0": frozenset(("8.0.p7",)),
    "18/6.3": frozenset(("6.3.d1", "6.3.d2", "6.3.c1", "6.3.c3", "6.2.1.b3", "6.2.1.p1")),
    "18.1": frozenset(("6.3.c1", "6.3.c3")),
}
"""Option -> the paragraphs whose refusals it may lift."""
_RESULT_PARAS = frozenset(("6.2.a", "6.2.b", "6.2.c", "6.2.d", "6.2.e", "6.1.p4"))
_BOX_OF = ("box-s", "box-w", "box-eg", "box-wg")
"""Force -> the box of its destroyed units, where the table does not tell more."""
_CORPS = ("krps", "korps", "corps", "korpus", "ak")
"""What players put behind the bare number of a German corps."""
_OPTION = re.compile(r"(?<![\d.:])(?:1[238]\.\d|18/\d+\.\d)(?![\d:])")
_PIECE = re.compile(r"\b[a-z]{2}-[a-z0-9-]*[a-z0-9]")


class Reader:
    """Reads one log. ``read`` gives the findings in the order of the log; ``notes`` what was assumed."""

    def __init__(self, court: Court[Pos], game: BattleForGermany, log: TableLog) -> None:
        self.court = court
        self.game = game
        self.g: Setting = game.setting
        self.log = log
        self.table: dict[str, Spot] = dict(log.start.at)
        self.notes: list[str] = []
        self.found: list[Finding] = []
        self.arrived: dict[int, int] = {}
        """Unit -> log step of its last arrival, for blaming the unit that came last (R-G33)."""
        self.exits: list[tuple[Frame, bool, int]] = []
        """Exits of this phase: what they may name, whether the exit was lawful, its log step."""
        self.takes: dict[int, tuple[int, int, tuple[str, str]]] = {}
        """Units named for removal in this phase: first step, last step, (player, seat)."""
        self.due: dict[int, tuple[str, int]] = {}
        """Units that a rule has eliminated and that may still stand on the table: (paragraph, step)."""
        self.thrown: set[int] = set()
        """Units that a retreat in this log has thrown across a border: their deadlines are known."""
        self.early: set[tuple[str, int]] = set()
        """(piece, order of the stretch) of moves made before their Movement Phase was shown."""
        self.unexplained: set[int] = set()
        """Steps of dice in a Combat Phase of which nobody said what they were for."""
        self.force: bytes = self.g.roster.force
        """The force of each unit at this point of the log."""
        self.last: Pos = game.start()
        self.options_said = {o for e in log.events if e.kind == "chat" for o in options_in(e.text)}
        """Options that the players name in chat: what hangs on them becomes a question."""
        self.at_end = False
        self.inferred = False
        """Nobody stepped the tracker; the phases are our reading."""
        self.tried = 0
        """Evacuations tried in this phase."""
        self.landed: set[int] = set()
        """Units that were evacuated in this phase: landing ends their move (R-G76)."""
        self.markers: list[str] = [s.name for label, s in log.start.markers if supply(label)]
        """Hexes of supply markers (18.1)."""
        roster = self.g.roster
        self.names = Names(
            {u: name_words(log.labels.get(u) or roster.names[i]) for i, u in enumerate(roster.ids)},
            {
                u: (*words(roster.nation[i]), *words(u), *words(FORCE_NAMES[roster.force[i]]), *(_CORPS if german(roster.force[i]) else ()))
                for i, u in enumerate(roster.ids)
            },
            {
                w[0]: self.g.hex_name(n)
                for n, name in zip(self.g.land.cities, self.g.land.city_names, strict=True)
                if len(w := words(name)) == 1
            },
        )

    # -- walking -----------------------------------------------------------------------------------------------------------

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
        for i, stint in enumerate(cut):
            if i:
                p = self._walk_to(p, stint, cut[i - 1].end_step)
            p = self._stint(p, stint)
            self.at_end = stint is cut[-1]
            if stint.end_step:
                self._close(p, stint)
            self._settle_due(stint)
        self.last = p
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
        if shown.kind == COMBAT and self.g.terms.enemies[shown.force] >> force & 1 and short:
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
                places[unit] = _BOX_OF[g.roster.force[i]]
            else:
                places[unit] = self._rest(i, spot)
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
            if p.force[u] in (S, W) and node < g.land.size and not g.wards(p.force[u], u)[node] & HOME_LINE:
                self.thrown.add(u)
        if absent and len(absent) < len(g.roster.ids):
            self.notes.append(f"not on the table at the start, taken as destroyed: {', '.join(absent)}")
        if (turn, phase) != (g.terms.first_turn, 0):
            self.notes.append("taken as at the scenario's start: fortifications, evacuations tried, ports entered, city holders")
        return p

    def _place(self, unit: int, spot: Spot) -> str:
        g = self.g
        if spot.known and spot.name in g.land.nodes:
            return spot.name
        return "unplaced" if self.game.start().at[unit] == g.land.unplaced else "off"

    def _rest(self, unit: int, spot: Spot) -> str:
        """Where a unit is when it lies there at the end of a stretch: in a place that the game does not know it counts as destroyed,
        so that its return is never taken for that of a unit that has left the game."""
        place = self._place(unit, spot)
        return _BOX_OF[self.g.roster.force[unit]] if place == "off" and not spot.known else place

    def node(self, unit: int, spot: Spot) -> int:
        """Where a spot is in the engine's numbers; a place the game does not know is out of the game."""
        return self.g.land.nodes[self._place(unit, spot)] if spot.name else self.g.land.off

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
                if e.kind != "move" or unit is None or self.g.roster.force[unit] != force or not on_map or e.frm.name.startswith("box"):
                    break
                tail.append(e)
            for e in reversed(tail):
                stint.events.remove(e)
                self.early.add((e.piece, later.order))
            later.events[:0] = list(reversed(tail))

    def phase(self, stint: Stint) -> Phase:
        """The phase of a stretch."""
        return self.g.terms.phases[stint.phase]

    # -- findings ----------------------------------------------------------------------------------------------------------

    def add(
        self,
        stint: Stint,
        ruled: Ruled,
        kind: str,
        units: Iterable[int],
        first: int,
        last: int,
        *,
        frm: str = "",
        to: str = "",
        action: Action | None = None,
        rules: tuple[str, ...] = (),
        message: str = "",
        mover: tuple[str, str] = ("", ""),
        force: int | None = None,
        asked: Pos | None = None,
    ) -> None:
        """One finding. ``rules`` and ``message`` serve a legal verdict; ``mover``: who did it in the client (player, seat)."""
        own = tuple(units)
        if ruled.verdict is Verdict.ILLEGAL and (option := self._hangs_on(ruled)):
            ruled = self.unclear(f"is option {option} in use? It was named in chat", *ruled.rules)
        if self.inferred and ruled.verdict is Verdict.ILLEGAL and all(r.startswith("3.0") for r in ruled.rules):
            ruled = self.unclear(f"which phase was it? The tracker was not used; as we read it, {ruled.message}", *ruled.rules)
        whose = self.phase(stint).force if force is None and not own else force if force is not None else self.force[own[0]]
        owner = self.g.owner(whose) if whose >= 0 else ""
        seat = mover[1].casefold().replace(" ", "-")
        proxy = bool(seat) and seat in self.g.terms.owners and seat != owner
        self.found.append(
            Finding(
                step=last,
                first=first,
                turn=stint.turn,
                phase=self.phase(stint).name,
                side=FORCE_NAMES[whose] if whose >= 0 else "",
                kind=kind,
                verdict=ruled.verdict,
                notation="" if action is None else str(action),
                pieces=tuple(self.g.roster.ids[u] for u in own),
                frm=frm,
                to=to,
                rules=tuple(dict.fromkeys(ruled.rules or rules)),
                basis=tuple(dict.fromkeys(ruled.basis)),
                message=self._named(ruled.message or message),
                instead=self._instead(ruled, action, asked),
                by_proxy=proxy,
                player=mover[0],
            )
        )

    def _hangs_on(self, ruled: Ruled) -> str:
        """The option named in chat under which everything that this refusal rests on might be allowed, "" for none."""
        named = [o for o in _OPTION_LIFTS if o in self.options_said]
        if self.tried > 1:
            named = [o for o in named if o != "18/8.0"]  # one attempt a turn even then
        rules = set(ruled.rules)
        return next((o for o in named if rules & _OPTION_LIFTS[o] and rules - _RESULT_PARAS <= _OPTION_LIFTS[o]), "")

    def _instead(self, ruled: Ruled, action: Action | None, asked: Pos | None) -> str:
        """What would have been legal in place of a refused move."""
        if action is None or asked is None or ruled.verdict not in (Verdict.ILLEGAL, Verdict.DOUBTFUL):
            return ""
        return self._named(self.court.book.explain(asked, action).text)

    def _named(self, text: str) -> str:
        """A sentence with the counters called as the players see them."""
        return _PIECE.sub(lambda m: self.label(self.g.roster.index[m.group()]) if m.group() in self.g.roster.index else m.group(), text)

    def label(self, unit: int) -> str:
        """A unit as the players see it."""
        return self.log.labels.get(self.g.roster.ids[unit]) or self.g.roster.label(unit)

    def unclear(self, question: str, *rules: str) -> Ruled:
        """The log does not tell: one question."""
        return Ruled(Verdict.UNCLEAR, tuple(rules), (), question)

    # -- one stretch -------------------------------------------------------------------------------------------------------

    def _stint(self, p: Pos, stint: Stint) -> Pos:
        self.unexplained = set()
        self.force = p.force
        kind = self.phase(stint).kind
        p = self._resync(p, stint)
        self.exits = []
        self.takes = {}
        self.misplaced: dict[int, tuple[int, str]] = {}
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
            from referee.games.battle_for_germany.reading_combat import Battle

            battle: Battle = Battle(self, stint)
            p = battle.read(p)
        elif kind == MOVEMENT:
            p = self._movement(p, stint)
        else:
            p = self._replacement(p, stint)
        for e in stint.events:
            if not e.undone and e.piece in self.g.roster.index and e.kind in ("move", "place", "remove"):
                self.table[e.piece] = e.to if e.kind != "remove" else Spot("")
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
        for unit, piece in enumerate(self.g.roster.ids):
            spot = self.table.get(piece)
            if spot is None or not spot.name:
                if p.at[unit] < self.g.land.size:
                    p = remove(self.g, p, (unit,))
            elif not spot.known or self.g.land.nodes.get(spot.name) != p.at[unit]:
                p = self.force_to(p, unit, self.g.land.nodes[self._rest(unit, spot)])
        self.force = p.force
        return p

    def force_to(self, p: Pos, unit: int, node: int) -> Pos:
        """The unit stands there, whatever the rules say."""
        if p.at[unit] == node or (p.at[unit] >= self.g.land.size and node >= self.g.land.size and node != self.g.land.off):
            return p
        if node >= self.g.land.size:
            return remove(self.g, p, (unit,), node)
        return travel(self.g, p, unit, (node,))

    def put_back(self, stint: Stint, n: Net, unit: int) -> None:
        """A finding for a piece that ended where it began."""
        ruled = Ruled(Verdict.LEGAL, ("5.0.p1", "4.0.p2", "3.0.p1"), (), "put back where it began: no move")
        self.add(stint, ruled, "put-back", (unit,), n.first, n.last, frm=n.start.name, to=n.end.name, mover=(n.player, n.seat))

    def nets(self, stint: Stint) -> list[tuple[Net, int]]:
        """The pieces of this game that were moved, with their unit numbers, in order of their last event."""
        return [(n, self.g.roster.index[n.piece]) for n in net(stint.events) if n.piece in self.g.roster.index]

    # -- replacements (7.0) ------------------------------------------------------------------------------------------------

    def _replacement(self, p: Pos, stint: Stint) -> Pos:
        size = self.g.land.size
        for n, unit in self.nets(stint):
            node = self.node(unit, n.end)
            if n.still:
                self.put_back(stint, n, unit)
            elif p.at[unit] == self.g.land.unplaced:
                p = self._set_up(p, stint, n, unit, node)
            elif p.at[unit] >= size and node < size:
                p = self._replace(p, stint, n, unit, node)
            elif p.at[unit] < size and node < size:
                p = self._judge_move(p, stint, n, unit, node)
            else:
                p = self._vanish(p, stint, n, unit, node)
        return p

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
            asked = altered(p, agenda=p.agenda[:1])
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
        q = self.game.steps["replacement"].apply(back, action)
        return replace(p, at=q.at, force=q.force, holders=q.holders, doubled=q.doubled, locked=q.locked)

    # -- movement (5.0), evacuation (8.0), exits (9.0) ---------------------------------------------------------------------

    def _movement(self, p: Pos, stint: Stint) -> Pos:
        land = self.g.land
        rolls = [e for e in stint.events if e.kind == "roll" and not e.undone]
        flips = [e for e in stint.events if e.kind == "flip" and not e.undone and e.piece in self.g.roster.index and e.value != "0"]
        waiting = sorted([(n.last, 0, n, unit) for n, unit in self._evacuation_nets(p, stint, rolls)], key=lambda x: x[:2])
        for _, _, n, unit in waiting:
            while flips and flips[0].step < n.last:
                p = self._flip(p, stint, flips.pop(0))
            node = self.node(unit, n.end)
            here = p.at[unit]
            if n.still:
                self.put_back(stint, n, unit)
            elif here == land.unplaced:
                p = self._set_up(p, stint, n, unit, node)
            elif here >= land.size:
                if node == land.off and self.exits and p.force[unit] in (S, W):
                    self.takes.setdefault(unit, (n.first, n.last, (n.player, n.seat)))
                else:
                    p = self._replace(p, stint, n, unit, node) if node < land.size else self.force_to(p, unit, node)
            elif self._looks_like_evacuation(p, stint, n, unit, node, rolls):
                p = self._evacuation(p, stint, n, unit, node, rolls)
            elif node < land.size:
                p = self._judge_move(p, stint, n, unit, node)
            elif node == land.off and n.end.name and p.force[unit] == self.phase(stint).force and not self._may_go(p, unit):
                p = self._exit(p, stint, n, unit)
            else:
                p = self._vanish(p, stint, n, unit, node)
        for e in flips:
            p = self._flip(p, stint, e)
        return self._settle_takes(p, stint)

    def _judge_move(self, p: Pos, stint: Stint, n: Net, unit: int, node: int) -> Pos:
        g = self.g
        phase = self.phase(stint)
        by = g.owner(p.force[unit]) if phase.kind != MOVEMENT or p.force[unit] != phase.force else phase.owner
        start = p.at[unit]
        action = Move(by, n.piece, g.hex_name(start), g.hex_name(node))
        asked = altered(p, agenda=p.agenda[:1])
        shaped = self._with_stops(asked, unit, n, action)
        ruled = self.court.rule(asked, shaped)
        if ruled.verdict is not Verdict.LEGAL and shaped is not action:
            shaped = action
            ruled = self.court.rule(asked, action)
        ruled = self._softened(p, unit, ruled)
        if unit in self.landed and ruled.verdict is Verdict.ILLEGAL:
            ruled = Ruled(
                ruled.verdict,
                ("8.0.p3", *ruled.rules),
                ("R-G76", *ruled.basis),
                f"{self.label(unit)} was evacuated in this phase: no move after landing",
            )
        if (n.piece, stint.order) in self.early and ruled.verdict is Verdict.LEGAL:
            ruled = self.unclear(
                f"was the tracker forgotten? {self.label(unit)} moved before the {phase.name} was shown", "3.0", phase.para
            )
        mover = (n.player, n.seat)
        rules = (phase.para, "5.0.p1", "5.0.a1", "4.0.p2")
        assumed = self._way_assumed(asked, unit, node) if ruled.verdict is Verdict.LEGAL and not shaped.via else ""
        if assumed:
            self.notes.append(f"step {n.last}: {self.label(unit)} {action.start} to {action.to}: {assumed}")
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
            rules=rules,
            mover=mover,
            asked=asked,
        )
        if ruled.verdict in (Verdict.LEGAL, Verdict.UNCLEAR) and phase.kind == MOVEMENT:
            return self.game.steps["movement"].apply(asked, shaped)
        return altered(self.force_to(p, unit, node), moved=p.moved | 1 << unit)

    def _softened(self, p: Pos, unit: int, ruled: Ruled) -> Ruled:
        """A German whose identity comes from the hex it was driven into (5.2.1.p2) acts for the wrong force only if the boundary runs
        as we have it."""
        node = p.at[unit]
        if (
            ruled.verdict is not Verdict.ILLEGAL
            or self.court.lenient is None
            or p.force[unit] == self.g.roster.force[unit]
            or node >= self.g.land.size
            or self.g.land.sure_theater[node]
            or not ruled.codes <= {"wrong-force", "wrong-phase"}
        ):
            return ruled
        cell = f"hexes {self.g.hex_name(node)} theater"
        return Ruled(Verdict.DOUBTFUL, (*ruled.rules, "5.2.1.p2"), (cell, *ruled.basis), ruled.message, ruled.codes)

    def _way_assumed(self, p: Pos, unit: int, node: int) -> str:
        """What depends on the way of a move that the log shows only by its ends (R-G92, R-G59): words, "" when nothing does."""
        g = self.g
        if not g.land.special[node] and not g.land.special[p.at[unit]] and g.land.distance(p.at[unit], node) < 2:
            return ""
        ways = cheapest_ways(g, p, unit, node, 40)
        if len(ways) < 2 or not any(g.land.special[x] for way in ways for x in way[1:-1]):
            return ""
        ends: dict[tuple[bytes, int, int], tuple[int, ...]] = {}
        # ways that lead through the same special hexes in the same order have the same effects
        told_apart: dict[tuple[int, ...], tuple[int, ...]] = {}
        for way in ways:
            told_apart.setdefault(tuple(x if g.land.special[x] else -1 for x in way), way)
        for way in told_apart.values():
            q = travel(g, p, unit, way[1:])
            ends.setdefault((q.holders, q.forts_gone, q.ports_entered), way)
        if len(ends) < 2:
            return ""
        said = []
        for (holders, forts, _), way in ends.items():
            cities = [f"{g.land.city_names[c]} {HOLDER_NAMES[h]}" for c, h in enumerate(holders) if h != p.holders[c]]
            gone = [f"fortification {g.hex_name(x)} destroyed" for x, bit in g.land.forts.items() if (forts & ~p.forts_gone) & bit]
            said.append(f"by {' '.join(g.hex_name(x) for x in way[1:-1])}: {', '.join((*cities, *gone)) or 'no change'}")
        return "way assumed, equal ways differ: " + "; ".join(said)

    def _with_stops(self, p: Pos, unit: int, n: Net, action: Move) -> Move:
        """The way as dragged, when the stops make one lawful way; else the move without a way."""
        names = [s.name for s in n.stops if s.known and self.g.land.nodes.get(s.name, 10**6) < self.g.land.size]
        if len(names) != len(n.stops) or not names or action.start in names or action.to in names or self.phase_kind(p) != MOVEMENT:
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

    def phase_kind(self, p: Pos) -> str:
        """The kind of the phase being played."""
        return self.g.phase(p).kind

    def _may_go(self, p: Pos, unit: int) -> bool:
        """A rule takes the unit off by itself: due already, or displaced and about to be (5.2.2.p2)."""
        across = not self.g.wards(p.force[unit], unit)[p.at[unit]] & HOME_LINE
        return unit in self.due or bool(p.flipped >> unit & 1) or (p.force[unit] in (S, W) and across)

    def _looks_like_evacuation(self, p: Pos, stint: Stint, n: Net, unit: int, node: int, rolls: list[TableEvent]) -> bool:
        land = self.g.land
        if p.at[unit] not in land.courland or p.force[unit] != EG or self.phase(stint).force != EG:
            return False
        return self._is_evacuation(p, unit, node, any(e.step < n.last for e in rolls))

    def _is_evacuation(self, p: Pos, unit: int, node: int, rolled: bool) -> bool:
        land = self.g.land
        if node in land.ports:
            return True
        if node < land.size:
            return rolled and node not in land.courland and lawful_way(self.g, altered(p, agenda=p.agenda[:1]), unit, node) is None
        return rolled and node != land.off

    def _evacuation_nets(self, p: Pos, stint: Stint, rolls: list[TableEvent]) -> list[tuple[Net, int]]:
        """The nets of the phase, with the drag that carried out an evacuation apart from what the unit did afterwards (R-G76)."""
        whole = self.nets(stint)
        if self.phase(stint).force != EG or not any(p.at[u] in self.g.land.courland for _, u in whole):
            return whole
        found: list[tuple[Net, int]] = []
        for n, unit in whole:
            mine = [e for e in stint.events if e.piece == n.piece and not e.undone and e.kind in ("move", "place", "remove")]
            cut = next(
                (
                    i + 1
                    for i, e in enumerate(mine)
                    if p.at[unit] in self.g.land.courland
                    and not n.still
                    and self._is_evacuation(p, unit, self.node(unit, e.to), any(r.step < e.step for r in rolls))
                ),
                len(mine),
            )
            for part in (mine[:cut], mine[cut:]):
                found.extend((x, unit) for x in net(part))
        return found

    def _evacuation(self, p: Pos, stint: Stint, n: Net, unit: int, node: int, rolls: list[TableEvent]) -> Pos:
        """8.0: the attempt, the die, the landing, judged as one; the first thing wrong is named."""
        g = self.g
        before = [e for e in rolls if e.step < n.last]
        roll = before[-1] if before else None
        action = Evacuate(g.owner(EG), n.piece)
        first = self._first_word(stint, n, roll, unit)
        self.tried += 1
        asked = altered(p, agenda=p.agenda[:1])
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

    def is_hex(self, name: str) -> bool:
        """A four-digit number that is a hex of the map."""
        return self.g.land.nodes.get(name, 10**6) < self.g.land.size

    def _exit(self, p: Pos, stint: Stint, n: Net, unit: int) -> Pos:
        g = self.g
        stops = [s.name for s in n.stops if s.known and self.is_hex(s.name)]
        start = g.hex_name(p.at[unit])
        at = stops[-1] if stops else self._exit_hex(p, unit)
        action = Exit(g.owner(p.force[unit]), n.piece, start, at)
        asked = altered(p, agenda=p.agenda[:1])
        ruled = self.court.rule(asked, action)
        rules = ("9.0.p1", "9.0.p2", ("9.0.p3", "9.0.p4", "9.0.p5")[max(0, edge_of(g, g.land.nodes[at]))])
        self.add(
            stint, ruled, "exit", (unit,), n.first, n.last, frm=start, to=n.end.name, action=action, rules=rules, mover=(n.player, n.seat)
        )
        if ruled.verdict is Verdict.LEGAL:
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
        best = self._assign_takes(p, 0, frozenset(self.takes))
        q = p
        for unit, (first, last, mover) in self.takes.items():
            action = Take(self.phase(stint).owner, self.g.roster.ids[unit])
            lawful = unit in best
            if lawful:
                ruled = Ruled(Verdict.LEGAL)
            elif all(ok for _, ok, step in self.exits if step < first):
                frame = next((f for f, _, step in reversed(self.exits) if step < first), self.exits[0][0])
                asked = altered(q, agenda=(*p.agenda[:1], frame))
                ruled = self.court.rule(asked, action)
                if ruled.verdict is Verdict.LEGAL:
                    ruled = self.court.against(
                        (Reason("not-among-nearest", cite("9.0.a1 R-G80"), (("unit", action.unit), *_edge(self.g, frame))),), None
                    )
            else:
                ruled = self.unclear(f"{self.label(unit)} is named for an exit that was not lawful: does it stay?", "9.0.a1")
            where = self.g.hex_name(p.at[unit])
            self.add(stint, ruled, "take", (unit,), first, last, frm=where, action=action, rules=("9.0.a1", "9.0.a2"), mover=mover)
            if lawful or ruled.verdict is Verdict.DOUBTFUL:
                q = altered(q, flipped=q.flipped | 1 << unit)
            if lawful and unit in self.misplaced:
                step, box = self.misplaced[unit]
                text = f"{self.label(unit)} was taken along by an exit: it goes out of the game, not into a Destroyed Units box"
                self.add(
                    stint, Ruled(Verdict.ILLEGAL, ("9.0.a5",), (), text), "remove", (unit,), step, step, frm=where, to=box, mover=mover
                )
        self.takes = {}
        return q

    def _assign_takes(self, p: Pos, i: int, wanted: frozenset[int], budget: list[int] | None = None) -> frozenset[int]:
        """The largest part of ``wanted`` that the lawful exits from the i-th on can have named, two at most each.

        ``budget``: how many more trials are allowed; where it runs out, the best found stands.
        """
        budget = [3000] if budget is None else budget
        budget[0] -= 1
        if i >= len(self.exits) or not wanted or budget[0] < 0:
            return frozenset()
        frame, lawful, _ = self.exits[i]
        found: frozenset[int] = frozenset()
        for named in self._nameable(p, frame, wanted) if lawful else ():
            bits = sum(1 << u for u in named)
            rest = self._assign_takes(altered(p, flipped=p.flipped | bits), i + 1, wanted - named, budget)
            if len(rest) + len(named) > len(found):
                found = rest | named
                if len(found) == len(wanted):
                    return found
        skipped = self._assign_takes(p, i + 1, wanted, budget)
        return skipped if len(skipped) > len(found) else found

    def _nameable(self, p: Pos, frame: Frame, wanted: frozenset[int]) -> list[frozenset[int]]:
        """The sets of one or two wanted units that one exit may name, larger ones first."""
        sets: list[frozenset[int]] = []
        node, edge, left, _ = frame.data
        assert isinstance(left, int) and isinstance(edge, int)
        emptied = int(not any(on_front(self.g, p, u, edge) and not p.flipped >> u & 1 for u in range(len(p.at))))
        asked = Frame("take", frame.by, (node, edge, left, emptied))
        for first in takeable(self.g, altered(p, agenda=(*p.agenda[:1], asked))):
            if first not in wanted:
                continue
            second = Frame("take", frame.by, (node, edge, left - 1, emptied))
            q = altered(p, flipped=p.flipped | 1 << first, agenda=(*p.agenda[:1], second))
            sets.extend(frozenset((first, u)) for u in takeable(self.g, q) if u in wanted and u != first)
            sets.append(frozenset((first,)))
        return sorted(dict.fromkeys(sets), key=lambda x: (-len(x), sorted(x)))

    def _vanish(self, p: Pos, stint: Stint, n: Net, unit: int, node: int) -> Pos:
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
                Ruled(Verdict.LEGAL, ("5.2.2.p2",), (), said),
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
            self.add(stint, self.unclear(question, phase.para), "remove", (unit,), n.first, n.last, frm=where, to=n.end.name, mover=mover)
        return remove(self.g, p, (unit,), node if node != self.g.land.off or n.end.name else None)

    # -- the end of a phase ------------------------------------------------------------------------------------------------

    def _close(self, p: Pos, stint: Stint) -> None:
        """Duties that are owed when the phase ends; blamed on the last action that made them unmeetable (R-G33, R-G62)."""
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
                front = [u for u in there if self.g.roster.front >> u & 1] if reason.code == "two-fronts" else list(there)
                last = max(front, key=lambda u: (self.arrived.get(u, 0), u))
                units = (last,)
            elif self.inferred:
                ruled = self.unclear(
                    "did the phase end here? The tracker was not used, and as we read it attacks are still owed", *ruled.rules
                )
            elif stint.begins_inside:
                ruled = self.unclear("were other attacks of this phase made before this log begins?", *ruled.rules)
            elif self._open_rolls(stint):
                ruled = self.unclear("which attacks were the dice of this phase for?", *ruled.rules)
            self.add(stint, ruled, "phase-end", units, stint.end_step, stint.end_step, to=reason.fact("hex"), force=self.phase(stint).force)

    def _open_rolls(self, stint: Stint) -> bool:
        return any(e.kind == "roll" and not e.undone and e.step in self.unexplained for e in stint.events)

    def end(self) -> tuple[int, str, str]:
        """Turn, phase and side in which the log stops."""
        phase = self.g.phase(self.last)
        return self.last.turn, phase.name, FORCE_NAMES[phase.force] if phase.force >= 0 else ""

    def open_duties(self) -> tuple[str, ...]:
        """What the phase in which the log stops still owes, as sentences."""
        return tuple(self.court.book.sentence(r) for r in self.court.owed(altered(self.last, agenda=self.last.agenda[:1])))


def redo_move(action: Move, via: tuple[str, ...]) -> Move:
    """The same move with its way."""
    return replace(action, via=via)


def _edge(g: Setting, frame: Frame) -> tuple[tuple[str, str], ...]:
    node, edge = frame.data[0], frame.data[1]
    assert isinstance(node, int) and isinstance(edge, int)
    return ("hex", g.hex_name(node)), ("edge", EDGES[edge])


def options_in(text: str) -> set[str]:
    """The options of the rulebook that a chat line names, by number ("12.3", "option 6.3") or by what they are about."""
    low = plain(text)
    found = {m.group() for m in _OPTION.finditer(low)}
    about = any(word in low for word in ("option", "opcj", "wariant", "variant", "regel", "reguł", "rule", "agreed", "vereinbart"))
    for option, marks in _OPTION_WORDS.items():
        if about and any(mark in low for mark in marks):
            found.add(option)
    return found


def supply(label: str) -> bool:
    """A marker that clients would call offensive supply (18.1)."""
    return any(part in label.casefold() for part in ("suppl", "nachschub", "zaopat"))


def owners(game: BattleForGermany) -> dict[str, str]:
    """Side, as findings name it -> the player who runs it."""
    return {FORCE_NAMES[i]: owner for i, owner in enumerate(game.setting.terms.owners)}
