"""7.0 Replacements: which destroyed unit returns, how many, and where."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import compress, count
from typing import Final

from referee.games.battle_for_germany import supply
from referee.games.battle_for_germany.actions import Marker, Replace
from referee.games.battle_for_germany.changes import travel
from referee.games.battle_for_germany.position import EG, WG, G, S, W, altered, board
from referee.games.battle_for_germany.sequence import end_phase
from referee.games.battle_for_germany.setting import Setting, german, own_theater, rate_columns, rates_of
from referee.games.battle_for_germany.stacking import front_there, full, mixes
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.wrong import unknown_names, wrong_step
from referee.games.battle_for_germany.zoc import in_enemy_zoc
from referee.rules.model import Action, Done, Reason, cite

_WHERE: Final = (
    "on the east edge, row 09 and north of it",
    "on the west edge, 2301 and south of it",
    "on the south edge in Italy",
    "in the hexes beside Berlin on its own side of the boundary",
    "in the hexes beside Berlin",
)
"""Where replacements arrive, in words (7.2.b1, 7.2.e1 to 7.2.e3)."""


def boxes(g: Setting, force: int) -> tuple[int, ...]:
    """The Destroyed Units boxes a force draws on, in the order of its rates (7.0.p1, R-G69)."""
    land = g.land
    if force == EG and g.terms.concentrated:  # 12.3.p3, R-G71
        return tuple(land.nodes[box] for box in g.terms.concentrated)
    return {
        S: (land.box_s,),
        W: (land.box_w, land.box_italy),
        EG: (land.box_eg,),
        WG: (land.box_wg,),
        G: (land.box_eg, land.box_wg),  # one pile (16.3.c4, R-G72)
    }[force]


def slot(g: Setting, box: int) -> int:
    """Which of the two rates a box draws on: 0 the force's own, 1 Italy's (R-G69)."""
    return int(box == g.land.box_italy)


def waiting(g: Setting, p: Pos, force: int) -> tuple[int, ...]:
    """The units in the force's boxes that may ever return (7.1.b2, R-G64)."""
    own, size, able = boxes(g, force), g.land.size, g.roster.replaceable
    return tuple([u for u, node in enumerate(p.at) if node >= size and node in own and able >> u & 1])


def weakest(g: Setting, p: Pos, force: int) -> int:
    """The lowest attack strength waiting in the force's box (7.2.a1, R-G10)."""
    return min((g.roster.attack[u] for u in waiting(g, p, force)), default=0)


def arrival_hexes(g: Setting, p: Pos, force: int, box: int) -> tuple[int, ...]:
    """Where units of this box may arrive, room and other forces apart: edges (7.2.e1-e3), or beside Berlin (7.2.b1), in the own
    theater unless all its hexes there are held by S or W (7.2.d1, R-G66)."""
    land = g.land
    if not german(force):
        table = land.entry_soviet if force == S else land.entry_italy if box == land.box_italy else land.entry_west
        return _marked(table)
    theater = own_theater(force)
    own = tuple(n for n in land.beside_berlin if land.theater[n] & theater)
    if force == G:  # any hex beside Berlin (16.3.c3); with all held by enemies the replacement is lost (R-G72)
        return () if _blocked(g, p, own) else own
    if land.lenient or not _blocked(g, p, own):
        return own
    if g.terms.east_only:  # not sent west (R-G102)
        return ()
    other = tuple(n for n in land.beside_berlin if not land.theater[n] & theater)
    return () if _blocked(g, p, other) else other


@lru_cache(maxsize=16)
def _marked(table: bytes) -> tuple[int, ...]:
    """The hexes where a table of the map has a 1, ascending."""
    return tuple(compress(count(), table))


def _blocked(g: Setting, p: Pos, nodes: tuple[int, ...]) -> bool:
    occ = board(p, g.land).occ
    return all(n in occ and p.force[occ[n][0]] in (S, W) for n in nodes)


def unit_reasons(g: Setting, p: Pos, unit: int) -> Iterator[Reason]:
    """Reasons against this unit returning in this phase."""
    force = g.phase(p).force
    name = ("unit", g.roster.ids[unit])
    own = boxes(g, force)
    if p.at[unit] not in own:
        para = "9.0.a6" if p.at[unit] == g.land.off else "7.2.p2" if p.at[unit] < g.land.size else g.phase(p).para
        yield Reason("not-in-box", cite(para), (name, ("place", g.hex_name(p.at[unit])), ("phase", g.phase(p).name)))
    if not g.roster.replaceable >> unit & 1:
        yield Reason("never-returns", cite("7.1.b2 R-G64"), (name,))
    if g.terms.concentrated and force == WG:
        yield Reason("all-go-east", cite("12.3.p3 R-G71"), (name,))
        return
    columns = rate_columns(g, force)[slot(g, p.at[unit])]
    unknown = g.land.lenient and any((p.turn, column) not in g.charts.rate_certain for column in columns)
    if p.rates[slot(g, p.at[unit])] < 1 and not unknown:
        rate = rates_of(g, p.turn, force)[slot(g, p.at[unit])]
        first = p.turn == g.terms.first_turn == 1
        basis = () if first else tuple(f"rates {p.turn}|{c} number" for c in columns if (p.turn, c) not in g.charts.rate_certain)
        paras = cite(g.phase(p).para) if first else cite("7.2.p1 R-G65", "7.2.p2 R-G65")
        yield Reason("rate-used", paras, (name, ("rate", str(rate)), ("turn", str(p.turn))), basis)
    low = weakest(g, p, force)
    if force != W and g.roster.replaceable >> unit & 1 and g.roster.attack[unit] > low:
        weak = ", ".join(g.roster.ids[u] for u in waiting(g, p, force) if g.roster.attack[u] == low)
        yield Reason("weakest-first", cite(*(("16.3.c4 R-G72",) if force == G else ()), "7.2.a1 R-G10"), (name, ("weakest", weak)))


def hex_reasons(g: Setting, p: Pos, unit: int, node: int) -> Iterator[Reason]:
    """Reasons against arriving in this hex (7.2.b1 to 7.2.e4, R-G73)."""
    land, force = g.land, g.phase(p).force
    facts = (("unit", g.roster.ids[unit]), ("hex", g.hex_name(node)))
    own = boxes(g, force)
    box = p.at[unit] if p.at[unit] in own else own[0]
    allowed = arrival_hexes(g, p, force, box)
    if node not in allowed:
        basis: tuple[str, ...] = ()
        if force == G:
            paras = cite("16.3.c3 R-G72")
        elif german(force):
            basis = (f"hexes {g.hex_name(node)} theater",) if node in land.beside_berlin else ()
            if not allowed:
                paras = cite("14.0.p4 R-G102" if g.terms.east_only else "7.2.d2 R-G66")
            else:
                paras = cite("7.2.d1 R-G66") if node in land.beside_berlin else cite("7.2.b1 R-G73")
        elif force == S:
            paras = cite("7.2.e1 R-G73")
        elif box == land.box_italy:
            paras, basis = cite("7.2.e3 R-G69"), (f"hexes {g.hex_name(node)} edge",)
        else:
            paras = cite("7.2.e2 R-G73")
        where = _WHERE[4] if force == G else _WHERE[3] if german(force) else _WHERE[2] if box == land.box_italy else _WHERE[force]
        yield Reason("no-arrival-hex", paras, (*facts, ("where", where)), basis)
    becomes = identity_on_arrival(g, force, node)
    occupants = board(p, land).occ.get(node, ())
    if any(p.force[u] != becomes for u in occupants):
        yield Reason("arrival-hex-held", cite("7.2.c R-G73" if german(force) else "7.2.e4 R-G73"), facts)
    if full(g, p, node, becomes):
        yield Reason("arrival-hex-full", cite("7.2.e4 R-G73", "5.1.p1"), facts)
    if front_there(g, p, node, unit):
        yield Reason("arrival-front-on-front", cite("7.2.e4 R-G73", "5.1.p2"), facts)
    if mixes(g, p, node, unit):
        yield Reason("arrival-mixes", cite("18/5.3.c R-G116"), facts, (f"hexes {g.hex_name(node)} country",))


def identity_on_arrival(g: Setting, force: int, node: int) -> int:
    """A German sent to the other theater is of that theater at once (R-G67)."""
    if force in (EG, WG) and not g.land.lenient:
        return EG if g.land.theater[node] & own_theater(EG) and not g.land.theater[node] & own_theater(WG) else WG
    return force


class ReplacementStep:
    """A Replacement Phase (7.2): one unit after the other; fewer than the rate is allowed (R-G65)."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Reasons against one unit returning at one hex."""
        g = self.g
        if not isinstance(a, (Replace, Marker)):
            yield wrong_step(g, p, a)
            return
        unknown = unknown_names(g, a)
        if unknown:
            yield from unknown
            return
        if isinstance(a, Marker):
            yield from supply.marker_reasons(g, p, g.roster.index[a.unit])
            return
        unit, node = g.roster.index[a.unit], g.land.nodes[a.to]
        yield from unit_reasons(g, p, unit)
        yield from hex_reasons(g, p, unit, node)

    def apply(self, p: Pos, a: Action) -> Pos:
        """Places the unit: a German moves double this turn (7.2.b2); in an enemy ZOC it is locked (7.2.f)."""
        g = self.g
        if isinstance(a, Done):
            return end_phase(g, p)
        if isinstance(a, Marker):
            return supply.place(g, p, g.roster.index[a.unit])
        assert isinstance(a, Replace)
        unit, node = g.roster.index[a.unit], g.land.nodes[a.to]
        force = g.phase(p).force
        drawn = slot(g, p.at[unit])
        rates = (p.rates[0] - (drawn == 0), p.rates[1] - (drawn == 1))
        bit = 1 << unit
        becomes = identity_on_arrival(g, force, node)
        names = (*p.force[:unit], becomes, *p.force[unit + 1 :])
        arriving = altered(p, rates=rates, force=bytes(names))  # still off the map, where its force is nothing to anybody
        q = travel(g, arriving, unit, (node,))
        if german(force):
            q = altered(q, doubled=q.doubled | bit)
        if in_enemy_zoc(g, q, becomes, node):
            q = altered(q, locked=q.locked | bit)
        return q

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Markers (18.1.p5, 18.1.p15); every unit that may return, with every hex it may return to."""
        g = self.g
        force = g.phase(p).force
        for unit in supply.carriers(g, p):
            if about in (None, unit):
                yield Marker(p.frame.by[0], g.roster.ids[unit])
        for unit in waiting(g, p, force):
            if about not in (None, unit) or any(True for _ in unit_reasons(g, p, unit)):
                continue
            for node in sorted(arrival_hexes(g, p, force, p.at[unit])):
                if not any(True for _ in hex_reasons(g, p, unit, node)):
                    yield Replace(p.frame.by[0], g.roster.ids[unit], g.hex_name(node))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """None: the rate need not be used (R-G65)."""
        return iter(())

    def settle(self, p: Pos) -> Pos | None:
        """With nobody waiting, or no rate left for them, and no marker to place, there is nothing to do, and the phase is passed
        (R-G118, R-G110, 7.2.p2)."""
        g = self.g
        force = g.phase(p).force
        if supply.carriers(g, p) or any(p.rates[slot(g, p.at[u])] for u in waiting(g, p, force)):
            return None
        return end_phase(g, p)
