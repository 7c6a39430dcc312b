"""6.5 Advance after combat: one victorious unit into each vacated hex, if its owner likes (R-G53, R-G54)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from referee.games.battle_for_germany.actions import Advance
from referee.games.battle_for_germany.changes import travel
from referee.games.battle_for_germany.position import altered, board
from referee.games.battle_for_germany.setting import HOME_LINE, HOME_YUGOSLAVIA, Setting, german
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.wrong import unknown_names, wrong_step
from referee.rules.model import Action, Done, Frame, Reason, cite


def advance_frame(g: Setting, p: Pos, victors: Sequence[int], hexes: Sequence[int]) -> Frame:
    """Offers the victors the hexes; whether they are vacated is seen when the frame comes up, after all losses and retreats."""
    return Frame("advance", owners_of(g, p, victors), (tuple(victors), tuple(hexes), ()))


def owners_of(g: Setting, p: Pos, units: Iterable[int]) -> tuple[str, ...]:
    """The players who decide for these units (R-G120); one combat can be both Germans' with four players (17.0),
    both Allies' with three or four (16.0)."""
    found: list[str] = []
    for unit in units:
        owner = g.terms.owners[p.force[unit]]
        if owner not in found:
            found.append(owner)
    return tuple(found)


def hand_reasons(g: Setting, p: Pos, unit: int, by: str) -> Iterator[Reason]:
    """Where several players are asked, each decides for his own units (R-G120)."""
    asked, whose = p.agenda[-1].by, g.owner(p.force[unit])
    if len(asked) > 1 and by in asked and by != whose:
        players = "16.0 R-G120" if g.terms.players == 3 else "17.0 R-G120"
        yield Reason("not-yours", cite("3.0.p1 R-G120", players), (("by", by), ("whose", whose)))


Lists = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The victors that have not advanced, the hexes still offered, the victors that have advanced: the data of the frame."""


def _lists(p: Pos) -> Lists:
    return cast(Lists, p.agenda[-1].data)


def where(g: Setting, unit: int, node: int) -> tuple[tuple[str, str], tuple[str, str]]:
    """The facts of most refusals: which unit, and which hex it is about."""
    return ("unit", g.roster.ids[unit]), ("hex", g.hex_name(node))


def crossing_reasons(g: Setting, p: Pos, unit: int, node: int) -> Iterator[Reason]:
    """R-G54: no advance over the boundary or the Yugoslav border, none into Berlin for Germans; going home is allowed."""
    force = p.force[unit]
    ward = g.wards(p, force, unit)
    here, there = ward[p.at[unit]], ward[node]
    lost = here & ~there
    if node == g.land.berlin and g.berlin_barred(unit):
        yield Reason("german-in-berlin", cite("5.2.1.p3 R-G54"), where(g, unit, node))
    elif german(force):
        if lost & HOME_LINE or g.out_of_play(node):
            para = "14.0.p3 R-G100" if g.terms.east_only else "5.2.1.p1 R-G54"
            yield Reason("advance-over-line", cite(para), where(g, unit, node), (f"hexes {g.hex_name(node)} theater",))
    elif lost & HOME_LINE:
        yield Reason("advance-over-line", cite("5.2.2.p1 R-G54"), where(g, unit, node), (f"hexes {g.hex_name(node)} theater",))
    if (here ^ there) & HOME_YUGOSLAVIA and (lost & HOME_YUGOSLAVIA or not g.yugoslav(unit)):
        para = "5.3.1.p3 R-G40" if g.yugoslav(unit) else "5.3.2.p3 R-G39"
        yield Reason("advance-over-border", cite(para), where(g, unit, node), (f"hexes {g.hex_name(node)} country",))


def advance_reasons(g: Setting, p: Pos, unit: int, node: int, offer: Lists) -> Iterator[Reason]:
    """Every reason against one unit advancing into one hex."""
    victors, hexes, gone = offer
    here = p.at[unit]
    if unit in gone:
        yield Reason("advanced-already", cite("6.5 R-G53"), where(g, unit, node))
    elif unit not in victors:
        yield Reason("took-no-part", cite("6.5.a R-G53"), where(g, unit, node))
    if here >= g.land.size:
        yield Reason("not-on-map", cite("6.5"), (("unit", g.roster.ids[unit]), ("place", g.hex_name(here))))
        return
    if node not in hexes or board(p, g.land).there(node):
        yield Reason("not-vacated", cite("6.5 R-G53"), where(g, unit, node))
    if node not in g.land.near[here]:
        yield Reason("advance-too-far", cite("6.5 R-G43"), where(g, unit, node))
    if p.garrison >> unit & 1:
        yield Reason("garrison", cite("10.0.a1 R-G85"), where(g, unit, here))
    yield from crossing_reasons(g, p, unit, node)


def may_advance(g: Setting, p: Pos, unit: int, node: int, offer: Lists) -> bool:
    """Nothing speaks against it."""
    return next(advance_reasons(g, p, unit, node, offer), None) is None


class AdvanceStep:
    """Frame data: the victors that have not advanced, the hexes still offered, the victors that have advanced."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Reasons against an advance."""
        g = self.g
        if not isinstance(a, Advance):
            yield wrong_step(g, p, a)
            return
        unknown = unknown_names(g, a)
        if unknown:
            yield from unknown
            return
        unit, node = g.roster.index[a.unit], g.land.nodes[a.to]
        yield from hand_reasons(g, p, unit, a.by)
        yield from advance_reasons(g, p, unit, node, _lists(p))

    def apply(self, p: Pos, a: Action) -> Pos:
        """The unit enters the hex; or its owner declines everything offered (6.5.c)."""
        g = self.g
        rest = p.agenda[:-1]
        victors, hexes, gone = _lists(p)
        if isinstance(a, Advance):
            unit, node = g.roster.index[a.unit], g.land.nodes[a.to]
            left, offered = tuple([u for u in victors if u != unit]), tuple([n for n in hexes if n != node])
            if left and offered:
                rest = (*rest, Frame("advance", p.agenda[-1].by, (left, offered, (*gone, unit))))
            return travel(g, p, unit, (node,), fixed=True, agenda=rest)
        assert isinstance(a, Done)
        left = tuple([u for u in victors if g.owner(p.force[u]) != a.by])
        return altered(p, agenda=(*rest, Frame("advance", owners_of(g, p, left), (left, hexes, gone))) if left else rest)

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every victor with each hex it may enter."""
        g = self.g
        offer = _lists(p)
        for unit in offer[0]:
            if about is None or about == unit:
                for node in offer[1]:
                    if may_advance(g, p, unit, node, offer):
                        yield Advance(g.owner(p.force[unit]), g.roster.ids[unit], g.hex_name(node))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """None: nobody is required to advance (6.5.c)."""
        return iter(())

    def settle(self, p: Pos) -> Pos | None:
        """With nobody able to advance, the combat is closed; who has no advance to make is not asked."""
        frame, able = p.agenda[-1], self._able(p)
        if able and (len(frame.by) < 2 or set(able) == set(frame.by)):
            return None
        return altered(p, agenda=(*p.agenda[:-1], *((Frame("advance", able, frame.data),) if able else ())))

    def _able(self, p: Pos) -> tuple[str, ...]:
        """The players with an advance to make, in the order of the victors."""
        g, offer, found = self.g, _lists(p), list[str]()
        for unit in offer[0]:
            owner = g.owner(p.force[unit])
            if owner not in found and any([may_advance(g, p, unit, node, offer) for node in offer[1]]):
                found.append(owner)
        return tuple(found)
