"""7.0 Replacements: which destroyed unit returns, how many, and where."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from msgspec.structs import replace

from referee.games.battle_for_germany.actions import Replace
from referee.games.battle_for_germany.changes import travel
from referee.games.battle_for_germany.position import EG, WG, Pos, S, W, board
from referee.games.battle_for_germany.sequence import RATES, end_phase
from referee.games.battle_for_germany.setting import Setting, german, own_theater
from referee.games.battle_for_germany.stacking import front_there, full
from referee.games.battle_for_germany.wrong import unknown_names, wrong_step
from referee.games.battle_for_germany.zoc import enemy_zoc
from referee.rules.model import Action, Done, Reason, cite

_WHERE = (
    "on the east edge, row 09 and north of it",
    "on the west edge, 2301 and south of it",
    "on the south edge in Italy",
    "in the hexes beside Berlin on its own side of the boundary",
)
"""Where replacements arrive, in words (7.2.b1, 7.2.e1 to 7.2.e3)."""


def boxes(g: Setting, force: int) -> tuple[int, ...]:
    """The Destroyed Units boxes a force draws on, in the order of its rates (7.0.p1, R-G69)."""
    land = g.land
    return {S: (land.box_s,), W: (land.box_w, land.box_italy), EG: (land.box_eg,), WG: (land.box_wg,)}[force]


def waiting(g: Setting, p: Pos, force: int) -> tuple[int, ...]:
    """The units in the force's boxes that may ever return (7.1.b2, R-G64)."""
    own = boxes(g, force)
    return tuple(u for u, node in enumerate(p.at) if node in own and g.roster.replaceable >> u & 1)


def weakest(g: Setting, p: Pos, force: int) -> int:
    """The lowest attack strength waiting in the force's box (7.2.a1, R-G10)."""
    return min((g.roster.attack[u] for u in waiting(g, p, force)), default=0)


def arrival_hexes(g: Setting, p: Pos, force: int, box: int) -> tuple[int, ...]:
    """Where units of this box may arrive, room and other forces apart: edges (7.2.e1-e3), or beside Berlin (7.2.b1), in the own
    theater unless all its hexes there are held by S or W (7.2.d1, R-G66)."""
    land = g.land
    if not german(force):
        table = land.entry_soviet if force == S else land.entry_italy if box == land.box_italy else land.entry_west
        return tuple(compress(range(land.size), table))
    theater = own_theater(force)
    own = tuple(n for n in land.beside_berlin if land.theater[n] & theater)
    if land.lenient or not _blocked(g, p, own):
        return own
    other = tuple(n for n in land.beside_berlin if not land.theater[n] & theater)
    return () if _blocked(g, p, other) else other


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
    slot = own.index(p.at[unit]) if p.at[unit] in own else 0
    unknown = g.land.lenient and (p.turn, RATES[force][slot]) not in g.charts.rate_certain
    if p.rates[slot] < 1 and not unknown:
        rate = g.charts.rates.get((p.turn, RATES[force][slot]), 0)
        first = p.turn == g.terms.first_turn == 1
        key = (p.turn, RATES[force][slot])
        basis = () if first or key in g.charts.rate_certain else (f"rates {key[0]}|{key[1]} number",)
        paras = cite(g.phase(p).para) if first else cite("7.2.p1 R-G65", "7.2.p2 R-G65")
        yield Reason("rate-used", paras, (name, ("rate", str(rate)), ("turn", str(p.turn))), basis)
    low = weakest(g, p, force)
    if force != W and g.roster.replaceable >> unit & 1 and g.roster.attack[unit] > low:
        weak = ", ".join(g.roster.ids[u] for u in waiting(g, p, force) if g.roster.attack[u] == low)
        yield Reason("weakest-first", cite("7.2.a1 R-G10"), (name, ("weakest", weak)))


def hex_reasons(g: Setting, p: Pos, unit: int, node: int) -> Iterator[Reason]:
    """Reasons against arriving in this hex (7.2.b1 to 7.2.e4, R-G73)."""
    land, force = g.land, g.phase(p).force
    facts = (("unit", g.roster.ids[unit]), ("hex", g.hex_name(node)))
    own = boxes(g, force)
    box = p.at[unit] if p.at[unit] in own else own[0]
    allowed = arrival_hexes(g, p, force, box)
    if node not in allowed:
        if german(force):
            basis = (f"hexes {g.hex_name(node)} theater",) if node in land.beside_berlin else ()
            if not allowed:
                paras = cite("7.2.d2 R-G66")
            else:
                paras = cite("7.2.d1 R-G66") if node in land.beside_berlin else cite("7.2.b1 R-G73")
        elif force == S:
            paras, basis = cite("7.2.e1 R-G73"), ()
        elif box == land.box_italy:
            paras, basis = cite("7.2.e3 R-G69"), (f"hexes {g.hex_name(node)} edge",)
        else:
            paras, basis = cite("7.2.e2 R-G73"), ()
        where = _WHERE[3] if german(force) else _WHERE[2] if box == land.box_italy else _WHERE[force]
        yield Reason("no-arrival-hex", paras, (*facts, ("where", where)), basis)
    becomes = _identity(g, force, node)
    occupants = board(p, land).occ.get(node, ())
    if any(p.force[u] != becomes for u in occupants):
        yield Reason("arrival-hex-held", cite("7.2.c R-G73" if german(force) else "7.2.e4 R-G73"), facts)
    if full(g, p, node, becomes):
        yield Reason("arrival-hex-full", cite("7.2.e4 R-G73", "5.1.p1"), facts)
    if front_there(g, p, node, unit):
        yield Reason("arrival-front-on-front", cite("7.2.e4 R-G73", "5.1.p2"), facts)


def _identity(g: Setting, force: int, node: int) -> int:
    """A German sent to the other theater is of that theater at once (R-G67)."""
    if german(force) and not g.land.lenient:
        return EG if g.land.theater[node] & own_theater(EG) and not g.land.theater[node] & own_theater(WG) else WG
    return force


class ReplacementStep:
    """A Replacement Phase (7.2): one unit after the other; fewer than the rate is allowed (R-G65)."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Reasons against one unit returning at one hex."""
        g = self.g
        if not isinstance(a, Replace):
            yield wrong_step(g, p, a)
            return
        unknown = tuple(unknown_names(g, a))
        if unknown:
            yield from unknown
            return
        unit, node = g.roster.index[a.unit], g.land.nodes[a.to]
        yield from unit_reasons(g, p, unit)
        yield from hex_reasons(g, p, unit, node)

    def apply(self, p: Pos, a: Action) -> Pos:
        """Places the unit: a German moves double this turn (7.2.b2); in an enemy ZOC it is locked (7.2.f)."""
        g = self.g
        if isinstance(a, Done):
            return end_phase(g, p)
        assert isinstance(a, Replace)
        unit, node = g.roster.index[a.unit], g.land.nodes[a.to]
        force = g.phase(p).force
        slot = boxes(g, force).index(p.at[unit]) if p.at[unit] in boxes(g, force) else 0
        rates = (p.rates[0] - (slot == 0), p.rates[1] - (slot == 1))
        bit = 1 << unit
        becomes = _identity(g, force, node)
        names = (*p.force[:unit], becomes, *p.force[unit + 1 :])
        q = travel(g, replace(p, rates=rates, force=bytes(names)), unit, (node,))
        if german(force):
            q = replace(q, doubled=q.doubled | bit)
        if enemy_zoc(g, q, becomes)[node]:
            q = replace(q, locked=q.locked | bit)
        return q

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every unit that may return, with every hex it may return to."""
        g = self.g
        force = g.phase(p).force
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
        """With nobody waiting, or no rate left for them, there is nothing to do, and the phase is passed (R-G118, 7.2.p2)."""
        force = self.g.phase(p).force
        rates = dict(zip(boxes(self.g, force), p.rates, strict=False))
        return None if any(rates[p.at[u]] for u in waiting(self.g, p, force)) else end_phase(self.g, p)
