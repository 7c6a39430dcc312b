"""How play on a table maps to this game's actions: a log is walked phase by phase, and every stretch is explained and judged.

Replacements and movement are read in ``reading_movement``. Combat is read in ``reading_combat``, from the attacks that each die may
have been for (``reading_attacks``) and what its results ask for (``reading_results``). ``reading_sheet`` holds what all share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import compress, count
from operator import itemgetter, ne
from typing import Final

from msgspec.structs import replace

from referee.games.battle_for_germany.actions import Replace
from referee.games.battle_for_germany.berlin import after_berlin, germans_leave
from referee.games.battle_for_germany.changes import identity_at, recount_holders, remove
from referee.games.battle_for_germany.game import BattleForGermany
from referee.games.battle_for_germany.position import EG, FORCE_NAMES, FORCES, WG, G, S, W, altered, at_rest, board, units_of
from referee.games.battle_for_germany.reading_combat import Battle
from referee.games.battle_for_germany.reading_sheet import supply
from referee.games.battle_for_germany.reading_supply import Supplies
from referee.games.battle_for_germany.reading_words import Declarations
from referee.games.battle_for_germany.sequence import begin_phase, end_phase
from referee.games.battle_for_germany.setting import HOME_LINE, german
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import COMBAT, MOVEMENT, REPLACEMENT, SECOND_COMBAT, SECOND_MOVEMENT, TURN
from referee.rules.events import NOWHERE, Spot, TableEvent, TableLog
from referee.rules.giving_up import given_up
from referee.rules.model import CHANCE, Reason, Roll, Verdict
from referee.rules.reading import Court, Finding, Net, Ruled, Stint, net, stints

_KINDS: Final = {
    REPLACEMENT: ("repl", "reinf", "verst", "ersatz", "uzup", "renf"),
    MOVEMENT: ("mov", "beweg", "zug", "ruch", "mouv"),
    COMBAT: ("comb", "battle", "kampf", "attac", "attak", "fight", "angriff", "walk"),
    TURN: ("turn phase", "end of turn", "turn end"),
}
"""What clients call the kinds of phase; enough of a word to know it."""
_SECOND: Final = {MOVEMENT: SECOND_MOVEMENT, COMBAT: SECOND_COMBAT}
_AGAIN: Final = re.compile(r"\b(?:second|2nd|zweite\w*|drug\w+|deuxi\w+|2\.)\s*(?=\W*(?:mov|comb|battle|kampf|beweg|ruch|walk|phase|faz))")
"""What players call the second phases of 18.1."""
_SIDES: Final = {"west german": WG, "east german": EG, "german": G, "western all": W, "allied": W, "soviet": S, "russ": S}


SECRETS: Final = False
"""Whether anything of this game is hidden from anybody."""


class Reader(Supplies):
    """Reads one log. ``read`` gives the findings in the order of the log; ``notes`` what was assumed."""

    over = False
    """Asked only of games that hide things: whether the log ends with the game."""

    def __init__(self, court: Court[Pos], game: BattleForGermany, log: TableLog) -> None:
        super().__init__(court, game, log)
        self._phases_called: dict[str, int | None] = {}
        """What the client calls a phase -> which it is, once worked out."""

    def read(self) -> list[Finding]:
        """Every finding of the log."""
        phases = self.g.terms.phases
        self.shown = [e.phase for e in self.log.events if e.kind == "phase" and not e.undone]
        first = self.phase_of(self.log.start.phase)
        turn = self.log.start.turn or self.g.terms.first_turn
        if first is None:
            self.notes.append(f"the log's tracker shows {self.log.start.phase!r} at its start: read as {phases[0].name}")
        events = self._with_phases(turn, first or 0)
        events = self._with_second_phases(events, first or 0)
        cut = list(stints(events, self.phase_of, (turn, first or 0), len(phases)))
        self.cut = cut
        p = self.lay_out(turn, first or 0)
        self._die_before_play(cut)
        for i, stint in enumerate(cut):  # it grows, when an attack comes before its phase
            if i:
                p = self._walk_to(p, stint, cut[i - 1].end_step)
            self._pass_on_early_moves(p, cut, i)
            self._pass_on_early_attacks(p, cut, i)
            p = self._stint(p, stint)
            self.at_end = stint is cut[-1]
            if stint.end_step:
                self._close(p, stint)
            if self.due:
                self._settle_due(stint)
        self._owe(p, cut[-1])
        self._given_up()
        return self.found

    def _given_up(self) -> None:
        """Who gives up in chat: the rules know no such end of a game, so it is only noted."""

        def sides_of(seat: str) -> tuple[str, ...]:
            owner = seat.casefold().replace(" ", "-")
            return (seat, *(name for name, whose in owners(self.game).items() if whose == owner)) if owner in self.g.terms.owners else ()

        for word in given_up(self.log.events, sides_of, FORCE_NAMES):
            said = f"step {word.step}: {word.seat} {'gives up' if word.surely else 'seems to give up'} in chat"
            if not word.played_on:
                self.note(f"{said}, and nothing is done after it; what comes of it is for the players: the rules know no giving up")
            elif word.surely:
                self.note(f"{said}, and play goes on: taken as withdrawn")

    def _with_phases(self, turn: int, phase: int) -> list[TableEvent]:
        """The log's events; where nobody ever stepped the tracker, with the phases that chat and the acts tell.

        Phases found like this accuse nobody of acting in the wrong one (``inferred``).
        """
        if any(self.phase_of(text) is not None for text in self.shown):
            return list(self.log.events)
        phases = self.g.terms.phases
        found: list[TableEvent] = []
        for e in self.log.events:
            following = self._phase_told(e, phase) if not e.undone else None
            if following is not None and following != phase:
                turn += following < phase
                phase = following
                found.append(TableEvent(e.step, "phase", turn=turn, phase=phases[phase].name))
                self.shown.append(phases[phase].name)
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
        if e.kind == "roll" and shown.kind == MOVEMENT and shown.force not in (EG, G):
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
        if ahead is None and force == phases[0].force and shown.force == phases[-2].force:
            ahead = next(i for i in range(count) if phases[i].kind == wanted and phases[i].force == force)
        return ahead

    def phase_of(self, text: str) -> int | None:
        """Which phase the client's words mean."""
        if text not in self._phases_called:
            self._phases_called[text] = self._phase_called(text)
        return self._phases_called[text]

    def _phase_called(self, text: str) -> int | None:
        phases = self.g.terms.phases
        low = text.casefold()
        for i, name in enumerate(self.phase_names):
            if low == name.casefold():
                return i
        kind = next((k for k, marks in _KINDS.items() if any(m in low for m in marks)), None)
        if kind == TURN:
            return len(phases) - 1
        if kind in _SECOND and _AGAIN.search(low):
            kind = _SECOND[kind]
            if not self.g.terms.markers and not low.endswith("phase"):
                return None
        force = next((f for name, f in _SIDES.items() if name in low), None)
        if force in (EG, WG) and force not in self.g.terms.forces:
            force = G
        return next((i for i, ph in enumerate(phases) if ph.kind == kind and ph.force == force), None)

    def _with_second_phases(self, events: list[TableEvent], first: int) -> list[TableEvent]:
        """18.1: whether the tracker shows the second phases; where it does not, they begin where chat says so."""
        if any([_AGAIN.search(text.casefold()) for text in dict.fromkeys(self.shown)]):
            self.options_said.add("18.1")
            self.seconds_shown = True
        if self.seconds_shown or not self.g.terms.markers:
            return events
        phases = self.g.terms.phases
        found: list[TableEvent] = []
        now, turn = first, self.log.start.turn or self.g.terms.first_turn
        for e in events:
            if e.kind == "phase" and not e.undone and (index := self.phase_of(e.phase)) is not None:
                now, turn = index, e.turn
            elif e.kind == "chat" and not e.undone and _AGAIN.search(e.text.casefold()):
                low = e.text.casefold()
                kind = next((k for k in _SECOND if any(m in low for m in _KINDS[k])), None)
                mine = [i for i in range(now + 1, min(now + 3, len(phases))) if phases[i].force == phases[now].force]
                ahead = next((i for i in mine if kind and phases[i].kind == _SECOND[kind]), None)
                if ahead is not None:
                    now = ahead
                    found.append(TableEvent(e.step, "phase", turn=turn, phase=phases[now].name))
            found.append(e)
        return found

    def lay_out(self, turn: int, phase: int) -> Pos:
        """The position at the log's start: places from the table, the rest as at the scenario's start."""
        g = self.g
        ids = g.roster.ids
        gone = [i for i, unit in enumerate(ids) if (spot := self.table.get(unit)) is None or not spot.name]
        absent = [ids[i] for i in gone if i not in self.absent]
        shown = g.terms.phases[phase]
        if shown.kind == TURN:
            last = g.terms.phases[phase - 1]
            p = self.game.standing(self.stands, turn=turn, force=FORCES[last.force], kind=last.kind)
            p = begin_phase(g, p, phase)
        else:
            p = self.game.standing(self.stands, turn=turn, force=FORCES[shown.force], kind=shown.kind)
        combat = next(i for i, ph in enumerate(g.terms.phases) if ph.kind == COMBAT and ph.force == S)
        if phase < combat:
            p = altered(p, abroad=tuple((u, turn - 1) for u, _ in p.abroad))
        self.thrown.update(u for u, _ in p.abroad)
        size = g.land.size
        for u in range(len(ids)) if g.terms.east_only else units_of(p, 1 << S | 1 << W):
            node = p.at[u]
            if node < size and not g.wards(p, p.force[u], u)[node] & HOME_LINE:
                self.thrown.add(u)
        p = self._as_it_stands(p)
        if p.berlin_first[0] >= 0 and not after_berlin(p) and (shown.kind == TURN or p.berlin_first[0] != self._ally(shown.player_turn)):
            left = germans_leave(g, p)  # Berlin fell in a player turn that is over: they are being taken off
            self._note_eliminated(p, left, 1)
            p = left
        if absent and len(absent) < len(ids):
            self.notes.append(f"not on the table at the start, taken as destroyed: {', '.join(absent)}")
        self._before_the_log(p, turn, phase)
        if (turn, phase) != (g.terms.first_turn, 0):
            self.notes.append("taken as at the scenario's start: fortifications, evacuations tried, ports entered, city holders")
        return p

    def _before_the_log(self, p: Pos, turn: int, phase: int) -> None:
        """What may have been done before the log begins and does not show on the table: Germans that returned in this turn and stand
        where they arrived, fortifications that a Western unit has entered."""
        g, phases = self.g, self.g.terms.phases
        self.begins_later = (turn, phase) != (g.terms.first_turn, 0)
        if turn > g.terms.first_turn:
            had = {ph.force for ph in phases[: phase + 1] if ph.kind == REPLACEMENT and german(ph.force)}
            beside = g.land.touching[g.land.berlin]
            self.returned = turn, sum(1 << u for u in units_of(p, sum(1 << f for f in had)) if p.at[u] in beside)
        fights = next((i for i, ph in enumerate(phases) if ph.kind == COMBAT and ph.force in (W, WG, G)), len(phases))
        self.forts_unsure = turn > g.terms.first_turn or phase >= fights

    def _as_it_stands(self, p: Pos) -> Pos:
        """What a layout cannot hold: that the Germans have left already (13.1), and the supply markers on the table (18.1)."""
        g = self.g
        size = g.land.size
        theirs = [u for u, force in enumerate(p.force) if german(force)]
        standing = [u for u in theirs if p.at[u] < size]
        staying = g.roster.ss if g.terms.ss_stay else 0
        if g.terms.berlin_ends_it and p.turn > g.terms.first_turn and all(staying >> u & 1 for u in standing):
            force = bytes(W if u in standing else f for u, f in enumerate(p.force))
            at = tuple(g.land.off if u in theirs and u not in standing else node for u, node in enumerate(p.at))
            p = replace(p, at=at, force=force, regime=1, berlin_first=(S, p.turn, 0) if p.berlin_first[0] < 0 else p.berlin_first)
            p = recount_holders(g, p)
            self.left.update(u for u in theirs if u not in standing)
            self.notes.append("no Germans are on the table: read as after the fall of Berlin")
        hexes = tuple(sorted(g.land.nodes[h] for h in self.markers if self.is_hex(h)))
        force_now = next((ph.force for ph in g.terms.phases[p.phase :] if ph.force in (S, W)), -1)
        if g.terms.markers and hexes and force_now == S:
            p = altered(p, markers_soviet=hexes[: g.terms.markers_turn])
        elif g.terms.western_marker and hexes and force_now == W:
            p = altered(p, marker_western=hexes[0])
        self.markers_told = bool(g.terms.markers and hexes)
        return p

    def _die_before_play(self, cut: list[Stint]) -> None:
        """15.2.b: the die that decides whether the first player turn is played."""
        g, first = self.g, cut[0]
        if not g.terms.skip_die or (first.turn, first.phase) != (g.terms.first_turn, 0):
            return
        own = g.terms.phases[0].player_turn
        moves = ("move", "place", "remove")
        acts = [
            (s, e)
            for s in cut
            if s.turn == first.turn and g.terms.phases[s.phase].player_turn == own
            for e in s.events
            if not e.undone and (e.kind == "roll" or (e.kind in moves and e.piece in g.roster.index and e.frm != e.to))
        ]
        dice = [e for e in first.events if e.kind == "roll" and not e.undone and len(e.faces) == 1]
        if not dice:
            if acts:
                stint, e = acts[0]
                asked = self.unclear("which die was rolled before play, for the first Soviet player turn? The log holds none", "15.2.b")
                self.add(stint, asked, "roll", (), e.step, e.step, force=S)
            return
        die = dice[0]
        rolled = Roll(CHANCE, "turn11", die.faces)
        lawful = Ruled(Verdict.LEGAL, ("15.2.b",))
        self.add(first, lawful, "roll", (), die.step, die.step, action=rolled, mover=(die.player, ""), force=S)
        played = next(((s, e) for s, e in acts if e not in dice), None)
        if die.faces[0] > g.terms.skip_die or played is None:
            return
        stint, e = played
        text = f"the die before play was {die.faces[0]}: the Soviet player turn of game turn {first.turn} is left out, and it was played"
        wrong = Ruled(Verdict.ILLEGAL, ("15.2.b",), ("R-G103",), text)
        if len(dice) > 1 or e.step < die.step:
            wrong = self.unclear(f"which die was the one before play? {text}", "15.2.b")
        units = (g.roster.index[e.piece],) if e.piece in g.roster.index else ()
        self.add(stint, wrong, "roll", units, e.step, e.step, frm=e.frm.name, to=e.to.name, mover=(e.player, e.seat), force=S)

    def _walk_to(self, p: Pos, stint: Stint, step: int) -> Pos:
        g = self.g
        count = len(g.terms.phases)
        here = p.turn * count + p.phase
        bygone = after_berlin(p) and german(self.phase(stint).force)
        if stint.order < here and bygone:
            return p  # a phase that does not exist any more
        if stint.order < here:
            self.notes.append(f"step {step}: the tracker goes back to {self.phase(stint).name}")
            return begin_phase(g, altered(p, turn=stint.turn), stint.phase)
        while here < stint.order and p.agenda[0].step != "over":
            before = p
            p = end_phase(g, at_rest(p))
            self._note_eliminated(before, p, step)
            if g.terms.phases[p.phase].player_turn != g.terms.phases[before.phase].player_turn:
                self.markers_told = False
            if p.at is not before.at:  # the table is as it was, and who was where the table has him is there still
                p = self._sync(p)
            self.force = p.force
            here = max(here + 1, p.turn * count + p.phase)
            if here < stint.order and g.terms.phases[p.phase].kind == COMBAT:
                self._close(p, Stint(p.turn, p.phase, here, [], step))
        if after_berlin(p) and german(self.phase(stint).force):
            return p
        if p.agenda[0].step == "over" and here < stint.order:
            self.notes.append(f"step {step}: play goes on after the last turn of the scenario")
            p = altered(p, turn=stint.turn, agenda=())
        return p if p.phase == stint.phase and p.agenda else begin_phase(g, altered(p, turn=stint.turn), stint.phase)

    def _note_eliminated(self, before: Pos, after: Pos, step: int) -> None:
        size = self.g.land.size
        if after.regime != before.regime:
            self.left = {u for u, force in enumerate(before.force) if german(force) and after.at[u] >= size}
        if after.at == before.at:
            return
        for unit, (old, new) in enumerate(zip(before.at, after.at, strict=True)):
            if old < size <= new and unit in self.left:
                self.due[unit] = ("13.1.p2", step)
                continue
            if old < size <= new and (before.flipped >> unit & 1 or unit in self.thrown):
                if before.flipped >> unit & 1:
                    para = "9.0.a3"
                elif before.force[unit] == S and any(u == unit for u, _ in before.abroad):
                    para = "5.3.1.p2" if self.g.yugoslav(unit) else "5.3.2.p2"
                else:
                    para = "14.0.p5" if german(before.force[unit]) else "5.2.2.p2"
                self.due[unit] = (para, step)

    def _settle_due(self, stint: Stint) -> None:
        """Units that a rule eliminated at an earlier phase end must be off the table by the end of this stretch."""
        self._settle_left(stint)
        for unit, (para, step) in sorted(self.due.items()):
            if unit in self.left:
                continue
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

    def _settle_left(self, stint: Stint) -> None:
        """13.1.p2: the Germans that still lie on the table when the next phase in which something is done is over: one finding."""
        size = self.g.land.size
        for unit in [u for u in self.due if u in self.left and self.stands[u] >= size]:
            del self.due[unit]
        staying = tuple(sorted(u for u in self.due if u in self.left))
        if not staying or not stint.end_step or not stint.acts or self.phase(stint).kind == REPLACEMENT:
            return
        step = self.due[staying[0]][1]
        text = f"Berlin has fallen: all Germans leave at the end of that player turn, and {len(staying)} still stand on the map"
        wrong = Ruled(Verdict.ILLEGAL, ("13.1.p2",), ("R-G96",), text)
        self.add(stint, wrong, "remove", staying, step, stint.end_step)
        for unit in staying:
            del self.due[unit]

    def _pass_on_early_moves(self, p: Pos, cut: list[Stint], i: int) -> None:
        """Moves made before the tracker was stepped to their Movement Phase are read there, as *unclear* (the tracker may have been
        forgotten): only when their force is next to move, and nothing else happens in between."""
        phases = self.g.terms.phases
        stint = cut[i]
        shown = phases[stint.phase]
        if shown.kind == MOVEMENT or not stint.acts:
            return
        later = next((s for s in cut[i + 1 :] if phases[s.phase].kind == MOVEMENT or s.acts), None)
        if later is None or phases[later.phase].kind != MOVEMENT or not 0 < later.order - stint.order <= 2:
            return
        force = phases[later.phase].force
        if phases[later.phase].owner != shown.owner or (after_berlin(p) and german(force)):
            return
        tail: list[TableEvent] = []
        for e in reversed(stint.events):
            if e.kind in ("chat", "talk", "property", "undo") or e.undone:
                continue
            unit = self.g.roster.index.get(e.piece)
            on_map = e.frm.known and e.frm.name in self.g.land.nodes and e.to.known and e.to.name in self.g.land.nodes
            if e.kind != "move" or unit is None or not on_map or e.frm.name.startswith("box"):
                break
            if self._force_in(unit, self.g.land.nodes[e.frm.name]) != force or self._placed_anew(p, stint, e):
                break
            tail.append(e)
        for e in reversed(tail):
            stint.events.remove(e)
            self.early.add((e.piece, later.order))
        later.events[:0] = list(reversed(tail))

    def _placed_anew(self, p: Pos, stint: Stint, e: TableEvent) -> bool:
        """A replacement is put from one hex where it may arrive into another while its phase lasts: no move yet."""
        phase = self.phase(stint)
        came = any(x.piece == e.piece and not x.undone and not self.is_hex(x.frm.name) for x in stint.events)
        if phase.kind != REPLACEMENT or not came:
            return False
        return self.court.rule(at_rest(p), Replace(phase.owner, e.piece, e.to.name)).verdict is Verdict.LEGAL

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
        return identity_at(self.g, self.game.start(), self.g.roster.force[unit], node)

    def _stint(self, p: Pos, stint: Stint) -> Pos:
        self.unexplained = set()
        self.force = p.force
        kind = self.phase(stint).kind
        index = self.g.roster.index
        nets = self.nets = net(stint.events, index)
        p = self._resync(p, stint, nets)
        self.exits = []
        self.takes = {}
        self.misplaced = {}
        self.tried = 0
        self.landed = set()
        self._note_in_passing(p, stint)
        leaving = self._leaving(p, stint)
        whole = stint.events
        if leaving:
            stint.events = [e for e in whole if e not in leaving]
            self.nets = net(stint.events, index)
        self.swept = {index[e.piece] for e in leaving}
        p = self._supplied(p, stint)
        if kind in (COMBAT, SECOND_COMBAT):
            p = Battle(self, stint).read(p)
        elif kind in (MOVEMENT, SECOND_MOVEMENT):
            p = self._movement(p, stint)
        else:
            p = self._replacement(p, stint)
        p = self._markers(p, stint)
        if leaving:
            p = self._sweep(p, stint, leaving)
        stint.events = whole
        table, nodes, stands, arrived = self.table, self.nodes, self.stands, self.arrived
        for n in nets:
            table[n.piece] = end = n.end
            there = nodes.get(end.name) if end.known else None
            stands[n.unit] = self.stand(n.unit, end) if there is None else there
            arrived[n.unit] = n.last
        return self._sync(at_rest(p))

    def _note_in_passing(self, p: Pos, stint: Stint) -> None:
        """Moves that were taken back, and markers of an option that is not played."""
        index = self.g.roster.index
        for e in stint.events:
            if e.undone:
                if e.kind == "move" and e.piece in index:
                    ruled = Ruled(Verdict.LEGAL, ("5.0.p1", "3.0.p1"), (), "taken back by an undo: no move")
                    self.add(stint, ruled, "put-back", (index[e.piece],), e.step, e.step, frm=e.frm.name, to=e.frm.name)
            elif e.kind == "place" and not e.piece and not self.g.terms.markers and supply(e.label):
                self.markers.append(e.to.name)
                if (wrong := self._misplaced_marker(p, stint, e)) is not None:
                    self.add(stint, wrong, "marker", (), e.step, e.step, to=e.to.name)
                    continue
                question = f"is option 18.1 in use? An offensive supply marker was placed in {e.to.name}"
                self.add(stint, self.unclear(question, "18.1.p5", "18.1.p6"), "marker", (), e.step, e.step, to=e.to.name)

    def _leaving(self, p: Pos, stint: Stint) -> list[TableEvent]:
        """The events with which the Germans are taken off in the player turn in which Berlin falls (13.1.p2): the last ones of their
        stretch, with (nearly) no German left behind them."""
        g = self.g
        if not g.terms.berlin_ends_it or after_berlin(p):
            return []
        index, berlin = g.roster.index, g.hex_name(g.land.berlin)
        acts = [e for e in stint.events if e.kind in ("move", "place", "remove", "roll") and not e.undone]
        entered = any(e.piece in index and e.to.name == berlin and not german(g.roster.force[index[e.piece]]) for e in acts)
        if p.berlin_first[0] < 0 and not entered and not self.begins_later:
            return []
        tail: list[TableEvent] = []
        for e in reversed(acts):
            unit = index.get(e.piece, -1)
            if unit < 0 or not german(p.force[unit]) or not self.is_hex(e.frm.name) or (e.kind != "remove" and self.is_hex(e.to.name)):
                break
            tail.append(e)
        here = {index[u]: self.is_hex(spot.name) for u, spot in self.table.items() if spot.known}
        for e in acts:
            if e.piece in index:
                here[index[e.piece]] = e.kind != "remove" and self.is_hex(e.to.name)
        staying = g.roster.ss if g.terms.ss_stay else 0
        rest = [u for u, there in here.items() if there and german(p.force[u]) and not staying >> u & 1]
        return list(reversed(tail)) if len(tail) > len(rest) else []

    def _sweep(self, p: Pos, stint: Stint, leaving: list[TableEvent]) -> Pos:
        """The Germans go; before the last act of that player turn they are asked for once."""
        g, own = self.g, self.phase(stint).player_turn
        early = any(
            s.acts and s.turn == stint.turn and s.order > stint.order and g.terms.phases[s.phase].player_turn == own for s in self.cut
        )
        for e in leaving:
            unit = g.roster.index[e.piece]
            mover = (e.player, e.seat)
            to = "" if e.kind == "remove" else e.to.name
            where = e.frm.name
            if early or p.berlin_first[0] < 0:
                asks = f"why was {self.label(unit)} taken off the map in the {self.phase(stint).name}, with most of the Germans?"
                rule = "13.1.p2"
                self.add(stint, self.unclear(asks, rule), "remove", (unit,), e.step, e.step, frm=where, to=to, mover=mover)
                early = False
                if p.berlin_first[0] < 0:
                    gone = remove(g, p, sorted(self.swept), g.land.off)
                    ally = self._ally(own)
                    if not self.begins_later or ally < 0:
                        return gone
                    # nobody stands in Berlin; somebody may have entered it before the log begins
                    return altered(gone, berlin_first=(ally, p.turn, 0), berlin_seen=gone.berlin_seen | 1 << ally)
            else:
                self._taken_off(stint, unit, e.step, e.step, where, to, mover)
        return remove(g, p, [u for u in sorted(self.swept) if p.at[u] != g.land.off], g.land.off)

    def _ally(self, player_turn: str) -> int:
        """The Allied force of a player turn, -1 for none."""
        return next((ph.force for ph in self.g.terms.phases if ph.player_turn == player_turn and ph.force in (S, W)), -1)

    def _resync(self, p: Pos, stint: Stint, nets: list[Net]) -> Pos:
        """A piece that the log moves from another hex than the table has it in: steps are missing, and the log is right."""
        size, nodes, at = self.g.land.size, self.nodes, p.at
        astray: list[tuple[int, int, Spot]] = []
        for n in nets:
            unit, first, frm = n.unit, n.first, n.start
            if at[unit] == nodes.get(frm.name):
                continue
            if frm is NOWHERE and n.stops:  # placed, and then moved from where it was
                first, frm = self._first_moved(stint, n)
            node = nodes.get(frm.name, size) if frm.known else size
            if node < size and at[unit] != node and unit not in self.left:
                astray.append((first, unit, frm))
        for step, unit, frm in sorted(astray, key=itemgetter(0)):
            here = self.g.hex_name(p.at[unit])
            self.notes.append(f"step {step}: {self.label(unit)} was in {here} and is moved from {frm.name}: steps are missing")
            p = self.force_to(p, unit, nodes[frm.name])
        self.force = p.force
        return p

    @staticmethod
    def _first_moved(stint: Stint, n: Net) -> tuple[int, Spot]:
        """The step in which a piece that had been placed was first moved or removed, and from where; nowhere if it was not."""
        for e in stint.events:
            if e.piece == n.piece and e.kind in ("move", "remove") and not e.undone:
                return e.step, e.frm
        return n.first, NOWHERE

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
        self.force = p.force
        if p.at == tuple(self.stands):
            self.stands[:] = p.at  # the same numbers, not only equal ones: seen at once when they are compared again
            return p
        off, size = self.g.land.off, self.g.land.size
        for unit in tuple(compress(count(), map(ne, p.at, self.stands))):
            if unit in self.left or (p.at[unit] >= size <= self.stands[unit] != off):
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
            self.add(
                stint,
                ruled,
                "phase-end",
                units,
                stint.end_step,
                stint.end_step,
                to=reason.fact("hex") or reason.fact("hexes"),
                force=self.phase(stint).force,
            )

    def _owed(self, p: Pos, stint: Stint) -> Iterator[tuple[Ruled, tuple[int, ...], Reason]]:
        """What bars the end of the phase: the verdict if it ended so, the units in the hex that it is about, the reason."""
        asked = at_rest(p)
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
            elif reason.fact("hexes"):  # one thing about several stacks (18/5.3)
                units = tuple(self.g.roster.index[u] for u in reason.fact("units").split(", "))
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
