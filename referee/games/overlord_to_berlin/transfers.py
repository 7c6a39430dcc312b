"""9.3: units pass from one formation to another of the same or a neighbouring zone, after the strategic step (R-F86).

The armour class goes at most one zone a phase, Guards infantry only by Maskirovka (11.6, R-F60), all other infantry only inside its
zone. A pocket may join a formation that stands in its zone (12.4, R-F118). As room binds when the step ends (R-F80), what counts for a unit
is where it lay when it was first touched: it may always be put back there, so that no display stays too full for want of a way out.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.actions import Play, Pocket, Recall, Transfer
from referee.games.overlord_to_berlin.changes import lose_cards, put_outside
from referee.games.overlord_to_berlin.combine import moves_between
from referee.games.overlord_to_berlin.phasing import DisplaysStep, begin_step
from referee.games.overlord_to_berlin.position import Pos, alter, members, seal
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.stacking import display_of, has_room, shifted
from referee.games.overlord_to_berlin.strategic import concerned
from referee.games.overlord_to_berlin.supply import supplied
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.units import gfs_in, in_pile, is_reduced, units_in
from referee.rules.model import Action, Reason, cite

MASKIROVKA = "transfer_4_guards_infantry"
"""What the card does that is played here (11.6)."""


def begin(g: Setting, p: Pos, phase: Phase) -> Pos:
    """Step 3 of an action phase."""
    return begin_step(p, phase, "transfers")


class TransferStep(DisplaysStep):
    """Units between displays on the map; Maskirovka is played here."""

    takes = (Transfer, Pocket, Play, Recall)

    def judge_units(self, p: Pos, a: Action) -> Iterator[Reason]:
        """9.3, and the card."""
        if isinstance(a, Play):
            yield from _play_reasons(self.g, p, a)
        elif isinstance(a, Pocket):
            yield from _pocket_reasons(self.g, p, a)
        elif isinstance(a, Transfer):
            yield from _transfer_reasons(self.g, p, a)

    def apply_units(self, p: Pos, a: Action) -> Pos:
        """The unit in the other display, or a pocket again; the card played."""
        g = self.g
        if isinstance(a, Play):
            q = lose_cards(g, p, self.side(p), 1 << g.cards.index[a.card])
            return alter(q, maskirovka=g.number("maskirovka_units"))
        assert isinstance(a, Transfer | Pocket)
        unit = g.units.index[a.unit]
        began = began_at(g, p, unit)
        if isinstance(a, Pocket):
            return put_outside(g, p, unit, began, reduced=is_reduced(g, p, unit))
        side, gf = g.units.side[unit], g.gfs.index[a.gf]
        others = tuple(pair for pair in p.sealed[side].came if pair[0] != unit)
        back = began == g.display(gf)
        return seal(shifted(g, p, unit, gf), side, came=others if back else tuple(sorted((*others, (unit, began)))))

    def at_end(self, p: Pos) -> Pos:
        """Nothing can be put back any more."""
        return seal(super().at_end(p), self.side(p), came=())

    def choices_units(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every transfer into a formation with room; others are legal too, as capacity is tested when the step ends. And the card."""
        g, by, side = self.g, p.frame.by[0], self.side(p)
        possible: list[Action] = []
        for gf in members(g.gfs.of_side[side]):
            if not g.on_map(p, gf) or not has_room(g, p, gf):
                continue
            zone = p.gf_at[gf]
            near = [zone, *members(g.land.near[zone])]
            units = [unit for where in near for other in gfs_in(g, p, side, where) if other != gf for unit in units_in(g, p, other)]
            units += [unit for unit in in_pile(g, p, zone) if g.units.side[unit] == side]
            units += [unit for unit, _ in p.sealed[side].came if unit not in units and display_of(g, p, unit) != gf]
            possible += [Transfer(by, g.units.ids[unit], g.gfs.ids[gf]) for unit in units]
        possible += [Pocket(by, g.units.ids[unit]) for unit, place in p.sealed[side].came if place < g.land.size]
        possible += [Play(by, g.cards.ids[card]) for card in members(p.sealed[side].hand & g.cards.with_effect(MASKIROVKA))]
        for a in possible:
            if about in (None, *concerned(g, a)) and not any(True for _ in self.judge_units(p, a)):
                yield a


def _play_reasons(g: Setting, p: Pos, a: Play) -> Iterator[Reason]:
    """11.6, R-F60, R-F63: Maskirovka, with a Guards infantry on the map to use it for."""
    card, side = g.cards.index[a.card], g.side(a.by)
    name = ("card", g.cards.names[card])
    if not g.cards.with_effect(MASKIROVKA) >> card & 1:
        yield Reason("no-card-of-transfers", cite("11.6.b R-F60"), (name,))
        return
    if not p.sealed[side].hand >> card & 1:
        yield Reason("card-not-held", cite("11.4 R-F136"), (name,))
    if a.to:
        yield Reason("card-without-target", cite("11.6.b R-F60"), (name,))
    guards = [u for gf in members(g.gfs.of_side[side]) if g.on_map(p, gf) for u in units_in(g, p, gf) if g.units.guards >> u & 1]
    if not guards:
        yield Reason("no-guards", cite("11.6.b R-F63"), (name,))


def began_at(g: Setting, p: Pos, unit: int) -> int:
    """Where a unit lay when this step began: a display, or as a pocket in a zone."""
    at = p.at[unit]
    own = p.sealed[g.units.side[unit]]
    return dict(own.came).get(unit, at if at != g.land.places.inside or not own.known else own.at[unit])


def _began_in(g: Setting, p: Pos, unit: int) -> int:
    """The zone in which a unit lay when this step began; the Reserve if its formation has been sent there since."""
    place = began_at(g, p, unit)
    return place if place < g.land.size else p.gf_at[place - g.land.places.display]


def _next_to(g: Setting, place: int) -> int:
    """The zones that touch a zone; none touch the Reserve."""
    return g.land.near[place] if place < g.land.size else 0


def _away(g: Setting, p: Pos, unit: int) -> bool:
    """Whether a unit has gone to another zone in this step."""
    return p.gf_at[display_of(g, p, unit)] != _began_in(g, p, unit)


def _transfer_reasons(g: Setting, p: Pos, a: Transfer) -> Iterator[Reason]:
    """9.3: from a display or as a pocket, to a formation of the same zone, or by the armour class (by Maskirovka the Guards) of the
    next, that is in supply; or back to where it began."""
    unit, gf = g.units.index[a.unit], g.gfs.index[a.gf]
    name, army = ("unit", g.units.names[unit]), ("gf", g.gfs.names[gf])
    if g.land.everywhere >> p.at[unit] & 1:
        if p.gf_at[gf] != p.at[unit]:
            yield Reason("pocket-elsewhere", cite("12.4.b R-F118"), (name, army, ("zone", g.land.name(p.at[unit]))))
        return
    misplaced = tuple(moves_between(g, p, unit, gf))
    yield from misplaced
    if misplaced or began_at(g, p, unit) == g.display(gf):
        return
    if not supplied(g, p, gf):
        yield Reason("target-cut-off", cite("9.3.b R-F86"), (army, ("zone", g.land.name(p.gf_at[gf]))))
    if p.gf_at[gf] not in (p.gf_at[display_of(g, p, unit)], _began_in(g, p, unit)):
        yield from _way_reasons(g, p, unit, p.gf_at[gf])


def _way_reasons(g: Setting, p: Pos, unit: int, to: int) -> Iterator[Reason]:
    """9.3: who may go to another zone, and how far from where it began."""
    name = ("unit", g.units.names[unit])
    start, away = _began_in(g, p, unit), _away(g, p, unit)
    if g.units.guards >> unit & 1 and p.maskirovka:
        gone = [u for u, _ in p.sealed[g.units.side[unit]].came if g.units.guards >> u & 1 and _away(g, p, u)]
        if len(gone) >= p.maskirovka and not away:
            yield Reason("maskirovka-used", cite("11.6.b R-F60"), (name, ("limit", str(p.maskirovka))))
    elif not g.units.armour >> unit & 1:
        yield Reason("infantry-stays", cite("9.3.c R-F86", "9.3.e R-F83"), (name,))
    if not _next_to(g, start) >> to & 1:
        yield Reason("moved-already", cite("9.3.a R-F86"), (name,)) if away else not_adjacent(g, "9.3.a", start, to)


def _pocket_reasons(g: Setting, p: Pos, a: Pocket) -> Iterator[Reason]:
    """12.4: a pocket that has joined a formation in this step becomes one again."""
    unit = g.units.index[a.unit]
    if g.land.everywhere >> p.at[unit] & 1 or not g.land.everywhere >> began_at(g, p, unit) & 1:
        yield Reason("was-no-pocket", cite("12.4.b R-F118"), (("unit", g.units.names[unit]),))


def not_adjacent(g: Setting, paragraph: str, start: int, to: int) -> Reason:
    """That two zones do not touch; their frontiers are drawn by us."""
    low, high = sorted((start, to))
    facts = (("start", g.land.name(start)), ("to", g.land.name(to)))
    return Reason("not-adjacent", cite(paragraph), facts, (f"adjacency {g.land.name(low)}|{g.land.name(high)} kind",))
