"""7.2: formations of one zone exchange units, at the beginning and at the end of the own action phase (R-F41, R-F88)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.actions import Exchange, Recall
from referee.games.overlord_to_berlin.land import WEST
from referee.games.overlord_to_berlin.phasing import DisplaysStep, begin_step
from referee.games.overlord_to_berlin.position import NOBODY, Pos, alter, members, seal, set_byte
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.stacking import display_of, has_room, shifted
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.units import gfs_in, units_in
from referee.rules.model import Action, Reason, cite


def begin(g: Setting, p: Pos, phase: Phase) -> Pos:
    """The action phase of a side begins (R-F41): its formations have their PA anew (8.1, R-F89), nobody waits any more (R-F83), and
    what was remembered of the phase before is forgotten. Then its step 1."""
    return begin_step(fresh(g, p, phase.side), phase, "combine")


def begin_again(g: Setting, p: Pos, phase: Phase) -> Pos:
    """Step 5 of the phase; bought, free and stratagem PA that were not used have lapsed (R-F89)."""
    p = alter(p, extra=bytes(0 if side == phase.side else had for side, had in zip(g.gfs.side, p.extra, strict=True)))
    return begin_step(p, phase, "combine")


def fresh(g: Setting, p: Pos, side: int) -> Pos:
    """The accounts of a side as they are when its action phase begins."""
    pa, extra, group = p.pa, p.extra, p.group
    for gf in members(g.gfs.of_side[side]):
        pa, extra, group = set_byte(pa, gf, 0), set_byte(extra, gf, 0), set_byte(group, gf, NOBODY)
    home = sum(1 << gf for gf in gfs_in(g, p, side, g.reserve(side)))
    p = alter(
        p,
        pa=pa,
        extra=extra,
        group=group,
        acting=NOBODY,
        waiting=p.waiting & ~g.gfs.of_side[side],
        began_reserve=home,
        wall=0,
        landers=0,
        maskirovka=0,
        croatia=p.croatia and side != WEST,
    )
    return seal(p, side, waiting=0, came=())


class CombineStep(DisplaysStep):
    """Any exchange between formations of one zone, all arms, in supply or not."""

    takes = (Exchange, Recall)

    def judge_units(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Both formations in one zone."""
        assert isinstance(a, Exchange)
        g = self.g
        unit, gf = g.units.index[a.unit], g.gfs.index[a.gf]
        yield from moves_between(g, p, unit, gf)
        here = display_of(g, p, unit)
        if here >= 0 and g.on_map(p, here) and g.on_map(p, gf) and p.gf_at[here] != p.gf_at[gf]:
            facts = (("unit", g.units.names[unit]), ("zone", g.land.name(p.gf_at[here])), ("gf", g.gfs.names[gf]))
            yield Reason("not-same-zone", cite("7.2.c R-F88"), facts)

    def apply_units(self, p: Pos, a: Action) -> Pos:
        """The unit in the other display."""
        assert isinstance(a, Exchange)
        return shifted(self.g, p, self.g.units.index[a.unit], self.g.gfs.index[a.gf])

    def choices_units(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every exchange into a formation with room; others are legal too, as capacity is tested when the step ends."""
        g, by = self.g, p.frame.by[0]
        for gf in members(g.gfs.of_side[self.side(p)]):
            if not g.on_map(p, gf):
                continue
            others = [x for x in gfs_in(g, p, self.side(p), p.gf_at[gf]) if x != gf and has_room(g, p, x)]
            for unit in units_in(g, p, gf):
                for other in others:
                    if about in (None, unit, len(g.units.ids) + other):
                        yield Exchange(by, g.units.ids[unit], g.gfs.ids[other])


def moves_between(g: Setting, p: Pos, unit: int, gf: int) -> Iterator[Reason]:
    """7.4: a unit that changes formations lies in one on the map, and goes to another one on the map."""
    here = display_of(g, p, unit)
    if here < 0 or not g.on_map(p, here):
        yield Reason("unit-not-on-map", cite("7.4"), (("unit", g.units.names[unit]),))
    if not g.on_map(p, gf):
        yield Reason("gf-not-on-map", cite("7.4"), (("gf", g.gfs.names[gf]),))
    elif here == gf:
        yield Reason("in-that-gf", cite("7.4"), (("unit", g.units.names[unit]), ("gf", g.gfs.names[gf])))


