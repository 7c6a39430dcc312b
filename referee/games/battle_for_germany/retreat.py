"""6.2.1 Retreat: one hex (R-G3), unit by unit in the owner's order (R-G47), always into the best class of hex (R-G48)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.games.battle_for_germany.actions import Retreat
from referee.games.battle_for_germany.advance import hand_reasons, owners_of, where
from referee.games.battle_for_germany.changes import identity_at, remove, travel
from referee.games.battle_for_germany.position import S, board, fighting
from referee.games.battle_for_germany.setting import HOME_LINE, HOME_YUGOSLAVIA, Setting, german
from referee.games.battle_for_germany.stacking import front_there, full, mixes
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.wrong import unknown_names, wrong_step
from referee.games.battle_for_germany.zoc import enemies_at
from referee.rules.model import Action, Frame, Reason, cite


def retreat_frame(g: Setting, p: Pos, units: Sequence[int]) -> Frame:
    """Asks the owner to retreat the losing units; garrisons stay (10.0.a2, R-G52)."""
    pending = tuple([u for u in units if not p.garrison >> u & 1])
    return Frame("retreat", owners_of(g, p, pending or units), (pending,))


def hex_reasons(g: Setting, p: Pos, unit: int, node: int) -> Iterator[Reason]:
    """Reasons that close one hex to a retreating unit, whatever else is open."""
    land, here = g.land, p.at[unit]
    if node not in land.near[here]:
        side = "|".join(sorted((g.hex_name(here), g.hex_name(node))))
        beside = node < land.size and node in land.touching[here]
        basis = (f"hexes {g.hex_name(node)} playable", f"hexsides {side} feature") if beside else ()
        yield Reason("no-retreat-hex", cite("6.2.1.b1 R-G27") if beside else cite("6.2.1.p1 R-G3"), where(g, unit, node), basis)
    else:
        yield from _closed(g, p, unit, node)


def _closed(g: Setting, p: Pos, unit: int, node: int) -> Iterator[Reason]:
    """Reasons that close a hex beside a retreating unit to it."""
    land, force = g.land, p.force[unit]
    becomes = identity_at(g, p, force, node)
    if force == S and g.out_of_play(node):
        theater = f"hexes {g.hex_name(node)} theater"
        yield Reason("west-not-used", cite("14.0.p3 R-G100", "6.2.1.b1 R-G27"), where(g, unit, node), (theater,))
    if node == land.berlin and g.berlin_barred(unit):
        yield Reason("german-in-berlin", cite("5.2.1.p3 R-G50"), where(g, unit, node))
    there = board(p, land).there(node)
    if there and any([p.force[u] != becomes for u in there]):
        yield Reason("retreat-onto-others", cite("6.2.1.b1 R-G23"), where(g, unit, node))
    near = land.near[node]
    if not enemies_at(g, p, force).isdisjoint(near) or (becomes != force and not enemies_at(g, p, becomes).isdisjoint(near)):
        yield Reason("retreat-into-zoc", cite("6.2.1.b2 R-G31"), where(g, unit, node))
    if not there:
        return
    if full(g, p, node, becomes):
        yield Reason("retreat-onto-two", cite("6.2.1.a2 R-G47"), where(g, unit, node))
    if front_there(g, p, node, unit):
        yield Reason("retreat-front-on-front", cite("6.2.1.a3 R-G47"), where(g, unit, node))
    if mixes(g, p, node, unit):
        yield Reason("retreat-mixes", cite("18/5.3.c R-G116"), where(g, unit, node), (f"hexes {g.hex_name(node)} country",))


def hex_class(g: Setting, p: Pos, unit: int, node: int) -> tuple[bool, bool]:
    """(across a border, friend-occupied) of a hex open to the unit; the smaller the better (R-G48)."""
    ward = g.wards(p, p.force[unit], unit)[node]
    across = ward != HOME_LINE | HOME_YUGOSLAVIA
    friends = bool(board(p, g.land).there(node))
    return (friends, across) if g.terms.vacant_first else (across, friends)


def is_open(g: Setting, p: Pos, unit: int, node: int) -> bool:
    """Whether nothing closes a hex beside the unit to it; kept with the board: whether it must go at all asks it, and then where to."""
    known, asked = fighting(p, g.land).open, (unit, node)
    found = known.get(asked)
    if found is None:
        found = known[asked] = next(_closed(g, p, unit, node), None) is None
    return found


def open_hexes(g: Setting, p: Pos, unit: int) -> tuple[int, ...]:
    """Every hex that is not closed to the unit, of whatever class."""
    return tuple([n for n in g.land.near[p.at[unit]] if is_open(g, p, unit, n)])


def retreat_hexes(g: Setting, p: Pos, unit: int) -> tuple[int, ...]:
    """The hexes of the best class open to the unit (6.2.1.a1, R-G48); none = it is eliminated (6.2.1.b3)."""
    found = open_hexes(g, p, unit)
    if len(found) < 2:
        return found
    classes = [hex_class(g, p, unit, n) for n in found]
    best = min(classes)
    return tuple([n for n, its in zip(found, classes, strict=True) if its == best])


def class_reasons(g: Setting, p: Pos, unit: int, node: int) -> Iterator[Reason]:
    """6.2.1.a1 and R-G48: a better class of hex is open than that of this one, which is open."""
    mine = hex_class(g, p, unit, node)
    best = retreat_hexes(g, p, unit) if any(mine) else (node,)
    if node in best:
        return
    other = hex_class(g, p, unit, best[0])
    facts = (("unit", g.roster.ids[unit]), ("hex", g.hex_name(node)), ("better", ", ".join(g.hex_name(n) for n in best)))
    across = mine[1 if g.terms.vacant_first else 0]
    if across and not other[1 if g.terms.vacant_first else 0]:
        force = p.force[unit]
        over_line = not g.wards(p, force, unit)[node] & HOME_LINE
        if over_line:
            para = "5.2.1.p1 R-G48" if german(force) else "5.2.2.p1 R-G48"
        else:
            para = "5.3.1.p1 R-G48" if g.yugoslav(unit) else "5.3.2.p1 R-G48"
        column = "theater" if over_line else "country"
        yield Reason("retreat-across", cite(para), facts, (f"hexes {g.hex_name(node)} {column}",))
    else:
        yield Reason("vacant-hex-first", cite("6.2.1.a1 R-G48"), facts)


class RetreatStep:
    """The owner retreats the losers one after the other. Frame data: the units still to go."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    @staticmethod
    def pending(p: Pos) -> tuple[int, ...]:
        """The units that still have to retreat."""
        units = p.agenda[-1].data[0]
        assert isinstance(units, tuple)
        return units

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Reasons against one unit retreating to one hex."""
        g = self.g
        if not isinstance(a, Retreat):
            yield wrong_step(g, p, a)
            return
        unknown = unknown_names(g, a)
        if unknown:
            yield from unknown
            return
        unit, node = g.roster.index[a.unit], g.land.nodes[a.to]
        yield from hand_reasons(g, p, unit, a.by)
        if p.garrison >> unit & 1 and p.at[unit] < g.land.size:
            yield Reason("garrison", cite("10.0.a2 R-G52"), (("unit", a.unit), ("hex", g.hex_name(p.at[unit]))))
        elif unit not in self.pending(p):
            yield Reason("need-not-retreat", cite("6.2.1.p1 R-G47"), (("unit", a.unit),))
        if p.at[unit] >= g.land.size:
            return
        if node in g.land.near[p.at[unit]] and is_open(g, p, unit, node):
            yield from class_reasons(g, p, unit, node)
        else:
            yield from hex_reasons(g, p, unit, node)

    def apply(self, p: Pos, a: Action) -> Pos:
        """The unit goes; on the other side of the boundary a German is another's (5.2.1.p2)."""
        assert isinstance(a, Retreat)
        g = self.g
        unit = g.roster.index[a.unit]
        rest = tuple([u for u in self.pending(p) if u != unit])
        agenda = p.agenda[:-1]
        if rest:
            agenda = (*agenda, Frame("retreat", owners_of(g, p, rest), (rest,)))
        return travel(g, p, unit, (g.land.nodes[a.to],), fixed=True, agenda=agenda)

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every pending unit with each hex of its best class."""
        g = self.g
        for unit in self.pending(p):
            if about in (None, unit):
                for node in retreat_hexes(g, p, unit):
                    yield Retreat(g.owner(p.force[unit]), g.roster.ids[unit], g.hex_name(node))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """Everyone who can must go (R-G51)."""
        for unit in self.pending(p):
            yield Reason("retreat-owed", cite("6.2.1.p1 R-G51"), (("unit", self.g.roster.ids[unit]),))

    def settle(self, p: Pos) -> Pos | None:
        """When no pending unit has a hex left, the rest are eliminated (6.2.1.b3)."""
        g, units = self.g, self.pending(p)
        for unit in units:
            for node in g.land.near[p.at[unit]]:
                if is_open(g, p, unit, node):
                    return None
        return remove(g, p, units, agenda=p.agenda[:-1])
