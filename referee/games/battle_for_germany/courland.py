"""8.0 Courland: the set-up of the four, and evacuation by sea."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.games.battle_for_germany.actions import PutAshore, SetUp
from referee.games.battle_for_germany.changes import remove, travel
from referee.games.battle_for_germany.position import EG, G, altered, board
from referee.games.battle_for_germany.sequence import after_set_up
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.wrong import unknown_names, wrong_step
from referee.rules.book import roll_reasons
from referee.rules.model import CHANCE, Action, Cite, Frame, Reason, Roll, cite


def open_ports(g: Setting, p: Pos) -> tuple[int, ...]:
    """The ports that can take one more unit: never entered by S or W, room for one (8.0.p6, R-G76)."""
    occ = board(p, g.land).occ
    return tuple(
        n
        for i, n in enumerate(g.land.ports)
        if not p.ports_entered >> i & 1 and len(occ.get(n, ())) < g.terms.stacking and all(p.force[u] in (EG, G) for u in occ.get(n, ()))
    )


def evacuation_reasons(g: Setting, p: Pos, unit: int) -> Iterator[Reason]:
    """Reasons against an attempt to evacuate this unit now (8.0.p3 to 8.0.p7)."""
    name = ("unit", g.roster.ids[unit])
    if p.force[unit] not in (EG, G):
        yield Reason("not-east-german", cite("8.0.p3 R-G76"), (name,))
    if p.at[unit] not in g.land.courland_ports:
        here = g.hex_name(p.at[unit])
        sure = p.at[unit] not in g.land.courland
        basis = () if sure else (f"features {here}|port_courland feature",)
        yield Reason("not-in-port", cite("8.0.p4 R-G76", "8.0.p3"), (name, ("hex", here)), basis)
    if p.moved >> unit & 1:
        yield Reason("moved-before-evacuation", cite("8.0.p4 R-G76"), (name,))
    if p.turn < g.terms.first_evacuation:
        yield Reason("evacuation-too-early", _limit(g), (name, ("turn", str(p.turn)), ("first", str(g.terms.first_evacuation))))
    if p.attempts >= g.terms.attempts:
        yield Reason("evacuation-tried", _limit(g), (name, ("each", "a turn" if g.terms.attempts_each_turn else "in the game")))
    if not open_ports(g, p):
        yield Reason("no-open-port", cite("8.0.p6 R-G76"), (name,))


def _limit(g: Setting) -> tuple[Cite, ...]:
    """What sets turn and number of the attempts (R-G8; the option R-G77)."""
    return cite("18/8.0 R-G77") if g.terms.attempts_each_turn else cite("8.0.p7 R-G8")


def may_evacuate(g: Setting, p: Pos, unit: int) -> bool:
    """True when nothing speaks against an attempt (its phase and freedom to move are checked by the caller)."""
    return p.at[unit] in g.land.courland_ports and not any(True for _ in evacuation_reasons(g, p, unit))


def attempt(g: Setting, p: Pos, unit: int) -> Pos:
    """Uses up the attempt and the unit's move, and asks for the die (8.0.p5)."""
    frame = Frame("evacuation", (CHANCE,), (unit,))
    return altered(p, attempts=p.attempts + 1, moved=p.moved | 1 << unit, agenda=(*p.agenda, frame))


class EvacuationRoll:
    """8.0.p5: a 1 sinks the unit, anything else lands it."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """One six-sided die."""
        return roll_reasons(a, "evacuation", 1, 6, "8.0.p5")

    def apply(self, p: Pos, a: Action) -> Pos:
        """Into the East German box, or on to the choice of a port."""
        assert isinstance(a, Roll)
        g = self.g
        (unit,) = p.frame.data
        assert isinstance(unit, int)
        q = altered(p, agenda=p.agenda[:-1])
        if a.faces[0] <= g.terms.loss_die:
            return remove(g, q, (unit,), g.land.box_eg)
        return altered(q, agenda=(*q.agenda, Frame("landing", (g.owner(p.force[unit]),), (unit,))))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every face."""
        return iter([Roll(CHANCE, "evacuation", (n,)) for n in range(1, 7)])

    def duties(self, p: Pos) -> Iterator[Reason]:
        """The die must be rolled."""
        yield Reason("roll-awaited", cite("8.0.p5"), (("key", "evacuation"),))

    def settle(self, p: Pos) -> Pos | None:
        """Waits for the die."""
        return None


class LandingStep:
    """8.0.p6: the owner picks an open port; with one it is automatic."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """The port must be open."""
        if not isinstance(a, PutAshore):
            yield wrong_step(self.g, p, a)
            return
        if a.to not in [self.g.hex_name(n) for n in open_ports(self.g, p)]:
            sure = self.g.land.nodes.get(a.to) in self.g.land.ports
            yield Reason("port-closed", cite("8.0.p6 R-G76"), (("hex", a.to),), () if sure else (f"features {a.to}|port feature",))

    def apply(self, p: Pos, a: Action) -> Pos:
        """Lands the unit."""
        assert isinstance(a, PutAshore)
        return self._land(p, self.g.land.nodes[a.to])

    def _land(self, p: Pos, node: int) -> Pos:
        (unit,) = p.frame.data
        assert isinstance(unit, int)
        return travel(self.g, altered(p, agenda=p.agenda[:-1]), unit, (node,), fixed=True)

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """The open ports."""
        return iter([PutAshore(p.frame.by[0], self.g.hex_name(n)) for n in open_ports(self.g, p)])

    def duties(self, p: Pos) -> Iterator[Reason]:
        """A port must be named."""
        yield Reason("landing-owed", cite("8.0.p6"))

    def settle(self, p: Pos) -> Pos | None:
        """One open port leaves no choice."""
        ports = open_ports(self.g, p)
        return self._land(p, ports[0]) if len(ports) == 1 else None


class SetUpStep:
    """8.0.p1, R-G75: the owner of the East Germans places the four, at most two a hex, in Courland's five hexes."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """The unit must be one of the four and still wait; the hex must be of Courland and have room."""
        g = self.g
        if not isinstance(a, SetUp):
            yield wrong_step(g, p, a)
            return
        unknown = unknown_names(g, a)
        if unknown:
            yield from unknown
            return
        unit, node = g.roster.index[a.unit], g.land.nodes[a.to]
        if p.at[unit] != g.land.unplaced:
            yield Reason("not-waiting", cite("8.0.p1 R-G75"), (("unit", a.unit),))
        if node not in g.land.courland:
            yield Reason("not-in-courland", cite("8.0.p1"), (("unit", a.unit), ("hex", a.to)))
        if len(board(p, g.land).occ.get(node, ())) >= g.terms.stacking:
            yield Reason("set-up-full", cite("8.0.p1", "5.1.p1"), (("unit", a.unit), ("hex", a.to)))

    def apply(self, p: Pos, a: Action) -> Pos:
        """Places the unit."""
        assert isinstance(a, SetUp)
        unit, node = self.g.roster.index[a.unit], self.g.land.nodes[a.to]
        return replace(p, at=(*p.at[:unit], node, *p.at[unit + 1 :]))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every waiting unit in every hex with room."""
        g = self.g
        occ = board(p, g.land).occ
        for unit, node in enumerate(p.at):
            if node == g.land.unplaced and about in (None, unit):
                for to in sorted(g.land.courland):
                    if len(occ.get(to, ())) < g.terms.stacking:
                        yield SetUp(p.frame.by[0], g.roster.ids[unit], g.hex_name(to))

    def duties(self, p: Pos) -> Iterator[Reason]:
        """All four must stand."""
        waiting = [self.g.roster.ids[u] for u, n in enumerate(p.at) if n == self.g.land.unplaced]
        if waiting:
            yield Reason("set-up-owed", cite("8.0.p1"), (("units", ", ".join(waiting)),))

    def settle(self, p: Pos) -> Pos | None:
        """When all stand, the game begins."""
        return None if any(n == self.g.land.unplaced for n in p.at) else after_set_up(self.g, p)
