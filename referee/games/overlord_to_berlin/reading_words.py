"""Words: table talk of the module, and what is announced in chat."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.games.overlord_to_berlin import reading_acts as can
from referee.games.overlord_to_berlin.actions import Ask, Keep, Supply
from referee.games.overlord_to_berlin.land import AXIS, SIDES
from referee.games.overlord_to_berlin.reading_combat import Combats
from referee.games.overlord_to_berlin.reading_search import Propose
from referee.games.overlord_to_berlin.reading_table import CARD, CHAT, DIE, SILENT, TALK, UNIT, Act
from referee.games.overlord_to_berlin.showing import ENDED_BY_TRACKER
from referee.games.overlord_to_berlin.terms import TRACKS

_WORDS = re.compile(r"\d+")


class Words(Combats):
    """Reads what was said."""

    def _talk(self, act: Act) -> None:
        """A line of table talk: who attacks, what is aimed at, which marker pays, and what is done by saying it."""
        g = self.g
        verb, fields = act.words[0], act.words[1:]
        piece = fields[0] if fields else ""
        if verb == "CLR":
            if piece == "*" or not piece:
                self.attackers, self.targets = [], []
            else:
                self.attackers = [gf for gf in self.attackers if gf != piece]
                self.targets = [gf for gf in self.targets if gf != piece]
        elif verb == "ATT" and piece in g.gfs.index:
            self.declared_at = act
            if piece not in self.attackers:
                self.attackers.append(piece)
        elif verb == "TGT" and piece in g.gfs.index:
            self.targets.append(piece)
        elif verb == "AIM" and piece in g.gfs.index:
            self.aims.append(piece)
        elif verb == "AGAIN" and piece.isdecimal():
            self.die = int(piece)
        elif verb == "PAY" and piece in TRACKS:
            self.pays = piece
        elif verb == "GO":
            self._declare()
            if self.p.frame.step not in ENDED_BY_TRACKER:
                closed = self._closed(self.p, self._limit())
                if closed is not None:
                    self.record.append(closed[0])
                    self.p = closed[1]
                    self._retry()
        elif verb == "KEEP" and piece in ("old", "new"):
            self._declare()
            self._said(act, lambda q: [(Keep(by, piece),) for by in q.frame.by[:1] if q.frame.step == "keep"])
        elif verb == "ASK" and piece in g.gfs.index:
            self._declare()
            self._said(act, lambda q: [(Ask(SIDES[AXIS], piece),)])
        elif verb == "SUP" and piece in g.gfs.index and len(fields) > 1 and can.is_zone(g, fields[1]):
            self._said(act, lambda q: [(Supply(SIDES[AXIS], piece, fields[1]),)])

    def _said(self, act: Act, propose: Propose) -> None:
        """Something that is done by saying it. What cannot be done binds nobody."""
        result = self._find(propose, self.facts)
        if not isinstance(result, list):
            self._commit(act, result)

    def _chat(self, found: Sequence[Act], at: int) -> None:
        """What is announced in chat, in any language: formations named before a die, a stratagem or a drop are who attacks, the first
        of them, and who supports it; named before a national stratagem they are whom it is for, and so is a zone by its number."""
        g, p = self.g, self.p
        low = found[at].text.casefold()
        following = next((act for act in found[at + 1 :] if act.kind not in (*SILENT, TALK, CHAT)), None)
        if following is None or self.step_of(p.phase).step != "operations":
            return
        side = self.step_of(p.phase).side
        named = sorted((low.find(self.label(name).casefold()), name) for name in g.gfs.ids if self.label(name).casefold() in low)
        if following.kind == CARD and not g.cards.operational >> g.cards.index[following.piece] & 1:
            self.aims += [name for _, name in named]
            self.aims += [word for word in _WORDS.findall(low) if can.is_zone(g, word)]
            if g.cards.national[side] >> g.cards.index[following.piece] & 1:
                return  # the other side's card answers what was announced
        if following.kind not in (DIE, CARD) and not (following.kind == UNIT and following.frm.endswith("-paratroops")):
            return
        own = [name for _, name in named if g.gfs.side[g.gfs.index[name]] == side and g.on_map(p, g.gfs.index[name])]
        if own:
            self.attackers, self.declared_at = own, found[at]
