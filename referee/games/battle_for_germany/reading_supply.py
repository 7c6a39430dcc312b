"""How offensive supply (18.1) is read from a table: markers placed as pieces, in table talk or in words; whom they serve.

Nobody is required to say where a marker lies. What hangs on one that nobody told is asked for, and is no breach.
"""

from __future__ import annotations

import re
from typing import Final

from gamebox.tabletalk import TalkError, decode
from referee.games.battle_for_germany.actions import Group, Marker
from referee.games.battle_for_germany.position import S, W, altered, at_rest, board
from referee.games.battle_for_germany.reading_movement import Marches
from referee.games.battle_for_germany.reading_sheet import supply
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.supply import GROUPS, group_bits, place, served
from referee.games.battle_for_germany.terms import REPLACEMENT, SECOND_COMBAT, SECOND_MOVEMENT
from referee.rules.chat import words
from referee.rules.events import TableEvent
from referee.rules.model import Frame, Verdict
from referee.rules.reading import Ruled, Stint

_ABOUT: Final = re.compile(r"suppl|marker|nachschub|zaopat|znacznik")
_GROUP: Final = (
    re.compile(r"commonwealth|britain|british|britis|canad|kanad"),
    re.compile(r"\bus\b|\bu\.s\.|\busa\b|americ|amerik|ameryk"),
)
_DENIED: Final = frozenset("no not none without if would could maybe perhaps kein keine nicht ohne nie bez nein non pas".split())


class Supplies(Marches):
    """Reads markers and the choice of a group."""

    def _markers(self, p: Pos, stint: Stint) -> Pos:
        """The markers placed in a stretch: pieces and table talk are ruled on, words are taken for what they say."""
        phase = self.phase(stint)
        if not self.g.terms.markers or phase.force not in (S, W):
            return p
        placed: list[int] = []
        for e in stint.events:
            if e.undone:
                continue
            told = self._told(p, e, phase.force)
            if told is None:
                continue
            unit, where = told
            self.markers_told = True
            node = self.g.land.nodes[where]
            if node in placed and e.kind != "talk":
                placed.remove(node)  # the same one, told and laid
                continue
            placed.append(node)
            p = self._lay(p, stint, e, unit, where)
        if phase.kind == REPLACEMENT:
            for node, e in self._in_words(p, stint):
                if node not in placed:
                    p = self._said(p, stint, e, node)
            self.stood = p.at
        return p

    def _told(self, p: Pos, e: TableEvent, force: int) -> tuple[int, str] | None:
        """(unit, hex) of a marker that a piece or a line of table talk places; the unit -1 when none that could carry it is there."""
        g = self.g
        if e.kind == "talk":
            try:
                line = decode(e.text)
            except TalkError:
                return None
            unit = g.roster.index.get(line.field("piece"), -1)
            if line.verb != "SUP" or unit < 0:
                return None
            node = p.at[unit]
            return unit, g.hex_name(node) if node < g.land.size else line.field("place")
        if e.kind in ("place", "move") and not e.piece and supply(e.label) and self.is_hex(e.to.name) and not self.is_hex(e.frm.name):
            return self._carrier(p, g.land.nodes[e.to.name], force), e.to.name
        return None

    def _carrier(self, p: Pos, node: int, force: int) -> int:
        """The unit in a hex that a marker of this force lies under, -1 for none."""
        able = self.g.roster.front if force == S else -1
        own = [u for u in board(p, self.g.land).occ.get(node, ()) if p.force[u] == force]
        return next((u for u in own if able >> u & 1), -1)

    def _lay(self, p: Pos, stint: Stint, e: TableEvent, unit: int, where: str) -> Pos:
        g, phase = self.g, self.phase(stint)
        asked = at_rest(p)
        action = Marker(phase.owner, g.roster.ids[unit]) if unit >= 0 else None
        para = "18.1.p6" if phase.force == S else "18.1.p15"
        if action is None:
            kind = "Front" if phase.force == S else "Western Allied unit"
            ruled = Ruled(Verdict.ILLEGAL, (para,), ("R-G115",), f"a supply marker goes under a {kind}, and none stands in {where}")
        elif phase.kind != REPLACEMENT:
            ruled = self.unclear(
                f"was the supply marker in {where} placed in the Replacement Phase? The {phase.name} was shown", para, "3.0"
            )
        else:
            ruled = self.court.rule(asked, action)
        units = (unit,) if unit >= 0 else ()
        mover = (e.player, e.seat)
        self.add(
            stint,
            ruled,
            "marker",
            units,
            e.step,
            e.step,
            to=where,
            action=action,
            rules=(para, "18.1.p5"),
            mover=mover,
            force=phase.force,
        )
        return place(g, p, unit) if unit >= 0 and ruled.verdict is not Verdict.ILLEGAL else p

    def _in_words(self, p: Pos, stint: Stint) -> list[tuple[int, TableEvent]]:
        """(hex, chat line) of the markers that words place: under units that are named, or in hexes with a unit that can carry one."""
        g, force = self.g, self.phase(stint).force
        found: list[tuple[int, TableEvent]] = []
        for e in stint.events:
            if e.kind != "chat" or e.undone or e.text.startswith("*") or not _ABOUT.search(e.text.casefold()):
                continue
            if set(words(e.text)) & _DENIED or "?" in e.text:
                continue
            line = self.names.read(e.text, self.is_hex)
            named = [g.roster.index[m.units[0]] for m in line.mentions if m.exact or len(m.units) == 1]
            nodes = [p.at[u] for u in named if p.force[u] == force and p.at[u] < g.land.size]
            nodes = nodes or [g.land.nodes[h] for h in line.hexes]
            found.extend((n, e) for n in dict.fromkeys(nodes) if self._carrier(p, n, force) >= 0)
        return found

    def _said(self, p: Pos, stint: Stint, e: TableEvent, node: int) -> Pos:
        """A marker that words place: one too many is asked for."""
        g, force = self.g, self.phase(stint).force
        unit = self._carrier(p, node, force)
        action = Marker(self.phase(stint).owner, g.roster.ids[unit])
        ruled = self.court.rule(at_rest(p), action)
        rules = ("18.1.p6" if force == S else "18.1.p15", "18.1.p5")
        if ruled.verdict is not Verdict.LEGAL:
            ruled = self.unclear(f"was a supply marker placed in {g.hex_name(node)}? Then {ruled.message}", *ruled.rules)
        mover = (e.player, e.seat)
        self.add(stint, ruled, "marker", (unit,), e.step, e.step, to=g.hex_name(node), action=action, rules=rules, mover=mover, force=force)
        return place(g, p, unit) if ruled.verdict is Verdict.LEGAL else p

    # -- whom they serve ---------------------------------------------------------------------------------------------------

    def _supplied(self, p: Pos, stint: Stint) -> Pos:
        """Before a second phase: who may act in it, as far as it was told, and who may if a marker lies where nobody said."""
        g, phase = self.g, self.phase(stint)
        if phase.kind not in (SECOND_COMBAT, SECOND_MOVEMENT):
            self.assumed = 0
            return p
        if phase.kind == SECOND_MOVEMENT and self.served_in == (stint.turn, phase.force):
            return p  # one list serves both phases (R-G111)
        self.served_in = (stint.turn, phase.force)
        there = sum(1 << u for u, node in enumerate(p.at) if node < g.land.size and p.force[u] == phase.force)
        if phase.force == S:
            eligible = served(g, p, g.roster.soviet_proper, p.markers_soviet)
            complete = self.markers_told or len(p.markers_soviet) >= g.terms.markers_turn or p.supply < 1
            able = g.roster.soviet_proper
        else:
            group = self._group(p, stint)
            p = altered(p, group=group)
            able = group_bits(g, group)
            complete = p.marker_western >= 0
            eligible = served(g, p, able, (p.marker_western,)) if complete else 0
        self.assumed = 0 if complete else able & there & ~p.tired & ~eligible
        return altered(p, eligible=eligible | self.assumed)

    def _group(self, p: Pos, stint: Stint) -> int:
        """The group that the Western marker serves: as told, else that of the first unit that acts in a second phase; 0 = nobody's."""
        own = self.phase(stint).player_turn
        turn = [s for s in self.cut if s.turn == stint.turn and self.phase(s).player_turn == own]
        for s in turn:
            for e in s.events:
                if e.undone:
                    continue
                if e.kind == "talk" and (group := self._group_told(p, s, e)):
                    return group
                low = e.text.casefold()
                if e.kind == "chat" and not e.text.startswith("*") and _ABOUT.search(low) and self.phase(s).kind != REPLACEMENT:
                    said = [i for i, words_of in enumerate(_GROUP, 1) if words_of.search(low)]
                    if len(said) == 1 and not set(words(e.text)) & _DENIED:
                        return said[0]
        for s in turn:
            if s.order < stint.order:
                continue
            for unit in self._actors(p, s):
                for group in (1, 2):
                    if group_bits(self.g, group) >> unit & 1:
                        return group
        return 0

    def _group_told(self, p: Pos, stint: Stint, e: TableEvent) -> int:
        try:
            line = decode(e.text)
        except TalkError:
            return 0
        if line.verb != "GRP":
            return 0
        action = Group(self.phase(stint).owner, line.field("group"))
        asked = altered(p, agenda=(*p.agenda[:1], Frame("group", (action.by,))))
        ruled = self.court.rule(asked, action)
        mover = (e.player, e.seat)
        self.add(stint, ruled, "group", (), e.step, e.step, action=action, rules=("18.1.p16",), mover=mover, force=W)
        return GROUPS.index(action.group) + 1 if action.group in GROUPS else 0

    def _actors(self, p: Pos, stint: Stint) -> list[int]:
        """Western units that move or are declared to attack in a stretch, in order."""
        index = self.g.roster.index
        found: list[int] = []
        for e in stint.events:
            if e.undone:
                continue
            named = [index[e.piece]] if e.piece in index and e.kind == "move" else []
            if e.kind == "talk" and "|ATT|" in e.text:
                named = [index[f] for f in e.text.split("|") if f in index]
            elif e.kind == "chat" and not e.text.startswith("*"):
                named = [index[m.units[0]] for m in self.names.read(e.text, self.is_hex).mentions if m.exact]
            found.extend(u for u in named if p.force[u] == W)
        return found
