"""Counters handled in another order than the rules have it: they are read after those that they go with."""

from __future__ import annotations

from referee.games.overlord_to_berlin import reading_acts as can
from referee.games.overlord_to_berlin import reading_losses as bleeding
from referee.games.overlord_to_berlin.reading_duties import Duties
from referee.games.overlord_to_berlin.reading_table import CHAT, FLIP, GF, SILENT, TALK, UNIT, Act
from referee.games.overlord_to_berlin.units import units_in


class PutOff(Duties):
    """Puts off what was done too early. Each method says whether it did: then the acts still to be read stand in another order."""

    def _after_its_units(self, found: list[Act], at: int) -> bool:
        """Formations dragged from the Reserve to the map before their displays are filled, which lie apart from the map: read after the
        last unit that is put into one of them, as none goes empty (9.2) and who comes by sea is filled before (9.5, 9.7)."""
        act, last = found[at], at
        by_sea = self.step_of(self.phase).step == "operations"
        if act.kind != GF or not act.frm.endswith("-reserve") or not can.is_zone(self.g, act.to):
            return False
        together = {at}
        for n in range(at + 1, len(found)):
            later = found[n]
            if later.kind == GF and later.frm == act.frm and can.is_zone(self.g, later.to):
                together |= {n} if later.to == act.to else set()
            elif later.kind == UNIT:
                into = any(later.to in found[m].pieces for m in together)
                last = n if into and later.frm == act.frm and (by_sea or later.to not in self.facts.at.values()) else last
            elif later.kind not in (FLIP, CHAT, *SILENT):
                break
        going = sorted(n for n in together if n < last)
        found[at : last + 1] = [*(found[n] for n in range(at, last + 1) if n not in going), *(found[n] for n in going)]
        return last > at

    def _after_its_formation(self, found: list[Act], at: int) -> bool:
        """A unit put into the zone where its formation still stands, which then leaves: a pocket (12.4), read after the move."""
        act = found[at]
        if act.kind != UNIT or not can.is_zone(self.g, act.to) or self.facts.at.get(act.frm) != act.to:
            return False
        for n in range(at + 1, len(found)):
            later = found[n]
            if later.kind == GF and act.frm in later.pieces:
                leaves = later.frm == act.to and can.is_zone(self.g, later.to)
                found[at : n + 1] = [*found[at + 1 : n + 1], act] if leaves else found[at : n + 1]
                return leaves
            if later.kind not in (GF, UNIT, FLIP, CHAT, *SILENT):
                break
        return False

    def _after_losses(self, found: list[Act], at: int) -> bool:
        """A formation dragged out of a combat while losses are still to be taken: read after those that follow (10.3, 10.6)."""
        act, last = found[at], at
        if act.kind != GF or self.p.combat is None or self._windows_closed().frame.step != "loss":
            return False
        for n in range(at + 1, len(found)):
            later = found[n]
            if bleeding.is_loss(self.g, later):
                last = n
            elif later.kind not in (GF, UNIT, FLIP, CHAT, *SILENT):
                break
        found[at : last + 1] = [*found[at + 1 : last + 1], act]
        return last > at

    def _home_after_its_units(self, found: list[Act], at: int) -> bool:
        """A formation dragged home before its units have left its display: it is read after the last of them."""
        g, act = self.g, found[at]
        if act.kind != GF or act.to not in can.reserves(g) or not can.is_zone(g, act.frm):
            return False
        left = {g.units.ids[unit] for gf in act.pieces for unit in units_in(g, self.p, g.gfs.index[gf])}
        for n in range(at + 1, len(found)) if left else ():
            later = found[n]
            if later.kind not in (UNIT, FLIP, TALK, CHAT, *SILENT):
                break
            if later.kind == UNIT and later.frm in act.pieces:
                left -= {later.piece}
            if not left:
                found[at : n + 1] = [*found[at + 1 : n + 1], act]
                return True
        return False
