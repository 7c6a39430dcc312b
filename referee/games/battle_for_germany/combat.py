"""6.0 Combat: declaring an attack (6.3), rolling for it (6.1), applying the result (6.2). Retreats and advances follow in their
own modules. Attacks are declared, rolled and carried out one after the other (6.1.p4, R-G44)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from referee.games.battle_for_germany.actions import Attack, Join, Lose, Target
from referee.games.battle_for_germany.advance import advance_frame
from referee.games.battle_for_germany.changes import remove
from referee.games.battle_for_germany.mandate import count_attack, mandate_duties
from referee.games.battle_for_germany.odds import column, defenders, effects, printed_defence, strengths
from referee.games.battle_for_germany.position import EG, WG, S, W, altered, beside, board
from referee.games.battle_for_germany.retreat import retreat_frame
from referee.games.battle_for_germany.sequence import end_phase
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.supply import second_reasons, tired_reasons
from referee.games.battle_for_germany.terms import SECOND_COMBAT
from referee.games.battle_for_germany.wrong import unknown_names, wrong_step
from referee.games.battle_for_germany.zoc import enemies_at
from referee.rules.book import roll_reasons
from referee.rules.model import CHANCE, Action, Done, Frame, Reason, Roll, cite


def attacker_reasons(g: Setting, p: Pos, unit: int, targets: Sequence[int]) -> Iterator[Reason]:
    """Reasons against one unit taking part in an attack on these hexes."""
    phase = g.terms.phases[p.phase]
    name = ("unit", g.roster.ids[unit])
    if p.force[unit] != phase.force:
        yield Reason("wrong-force", cite(phase.para), (name, ("phase", phase.name)))
    here = p.at[unit]
    if here >= g.land.size:
        yield Reason("not-on-map", cite("6.0"), (name, ("place", g.hex_name(here))))
        return
    if p.attacked >> unit & 1:
        yield Reason("attacked-already", cite("6.3.c1 R-G44", "6.3.c3 R-G44"), (name,))
    if p.tired:
        yield from tired_reasons(g, p, unit)
    if phase.kind == SECOND_COMBAT:
        yield from second_reasons(g, p, unit)
    near = g.land.near[here]
    for node in targets:
        if node not in near:
            facts = (name, ("from", g.hex_name(here)), ("hex", g.hex_name(node)))
            if node in g.land.touching[here]:
                side = "|".join(sorted((g.hex_name(here), g.hex_name(node))))
                yield Reason("side-closed-to-attack", cite("6.0 R-G43"), facts, (f"hexsides {side} feature",))
            else:
                yield Reason("not-adjacent", cite("6.0", "6.3.c2 R-G46", *(("6.3.e R-G46",) if len(targets) > 1 else ())), facts)


def poles_barred(g: Setting, p: Pos, unit: int, targets: tuple[int, ...], named: tuple[int, ...] = ()) -> bool:
    """Polish Communists and Polish Exiles do not attack each other (13.1.p4, 15.2.f; R-G60)."""
    communists, exiles = g.roster.communist_poles, g.roster.exile_poles
    if not (communists | exiles) >> unit & 1:
        return False
    other = exiles if communists >> unit & 1 else communists
    return any(other >> u & 1 for n in targets for u in defenders(g, p, n, named))


def target_reasons(g: Setting, p: Pos, node: int, force: int) -> Iterator[Reason]:
    """Reasons against this hex being attacked by ``force``: it must hold enemies (3.0, 6.3.a, 6.3.b; R-G22)."""
    units = board(p, g.land).there(node)
    if not units:
        yield Reason("empty-target", cite("6.0"), (("hex", g.hex_name(node)),))
        return
    other = next((p.force[u] for u in units if p.force[u] != force), force)  # two forces stand together only after a breach
    if g.enemies(p, force) >> other & 1:
        return
    facts = (("hex", g.hex_name(node)),)
    if {force, other} == {S, W}:
        raced = ("13.1.a2 R-G97",) if p.regime else ()
        yield Reason("allies-do-not-fight", cite(*raced, "6.3.a R-G22"), facts)
    elif {force, other} == {EG, WG}:
        yield Reason("germans-do-not-fight", cite("6.3.b R-G22"), facts)
    elif force == other:
        yield Reason("own-target", cite("6.0"), facts)
    elif g.terms.players == 4:
        yield Reason("not-of-own-front", cite("17.3.a R-G24"), facts)
    else:
        yield Reason("not-an-enemy", cite(g.phase(p).para + " R-G4"), (*facts, ("phase", g.phase(p).name)))


def odds_reasons(g: Setting, p: Pos, attackers: tuple[int, ...], targets: tuple[int, ...], named: tuple[int, ...] = ()) -> Iterator[Reason]:
    """The lowest column of the table is the worst attack allowed (R-G17)."""
    if g.land.lenient:
        return  # where the printed table ends is not known
    attack, defending = strengths(g, p, attackers, targets, named)
    if column(g, attack, defending) < 0:
        cells = (f"hexes {g.hex_name(n)} terrain" for n in targets if effects(g, p, n, attackers))
        facts = (("attack", str(attack)), ("defence", str(defending)), ("lowest", g.charts.columns[0]))
        yield Reason("odds-too-low", cite("6.1.p2 R-G17"), facts, ("constants odds_lowest value", *cells))


def attack_reasons(
    g: Setting, p: Pos, attackers: tuple[int, ...], targets: tuple[int, ...], named: tuple[int, ...] = ()
) -> Iterator[Reason]:
    """Every reason against one whole attack (6.1, 6.3); ``named``: the units attacked alone (18/6.3)."""
    force = p.force[attackers[0]]
    poles = g.roster.communist_poles | g.roster.exile_poles
    for unit in attackers:
        yield from attacker_reasons(g, p, unit, targets)
        if poles >> unit & 1:
            yield from pole_reasons(g, p, unit, targets, named)
    for node in targets:
        yield from target_reasons(g, p, node, force)
    here, size = board(p, g.land), g.land.size
    if all([here.there(n) for n in targets]) and all([p.at[u] < size for u in attackers]):
        yield from odds_reasons(g, p, attackers, targets, named)


def pole_reasons(g: Setting, p: Pos, unit: int, targets: tuple[int, ...], named: tuple[int, ...] = ()) -> Iterator[Reason]:
    """The ban on Poles against Poles for one attacker."""
    if poles_barred(g, p, unit, targets, named):
        yield Reason("poles", cite(("15.2.f" if g.terms.skip_die else "13.1.p4") + " R-G60"), (("unit", g.roster.ids[unit]),))


def candidates(g: Setting, p: Pos, targets: tuple[int, ...], named: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The units of the phase that may still join an attack on these hexes (6.3.c1, 6.3.c2, 6.3.e; 18.1 and the Poles apart)."""
    phase = g.terms.phases[p.phase]
    near = g.land.near[targets[0]]
    for other in targets[1:] if len(targets) > 1 else ():
        near = tuple([n for n in near if n in g.land.near[other]])
    spent = p.attacked | p.tired
    if phase.kind == SECOND_COMBAT:
        spent |= ~p.eligible
    occ, force, its = board(p, g.land).occ, p.force, phase.force
    free = [u for n in near if n in occ for u in occ[n] if force[u] == its and not spent >> u & 1]
    free.sort()
    poles = g.roster.communist_poles | g.roster.exile_poles
    if its in (S, W):  # all the Poles are theirs
        free = [u for u in free if not (poles >> u & 1 and poles_barred(g, p, u, targets, named))]
    return tuple(free)


def can_open(g: Setting, p: Pos, targets: tuple[int, ...], named: tuple[int, ...] = ()) -> bool:
    """Some attack on these hexes is allowed: all who may join, together, reach the table (nobody can make the odds worse)."""
    joined = candidates(g, p, targets, named)
    return bool(joined) and column(g, *strengths(g, p, joined, targets, named)) >= 0


def single_targets(g: Setting, p: Pos, node: int) -> tuple[int, ...]:
    """18/6.3.a: the units of a stack that may be attacked alone; a whole stack is named by its hex (R-G61)."""
    units = board(p, g.land).there(node)
    return units if g.terms.partial and len(units) > 1 else ()


def enemy_hexes(g: Setting, p: Pos) -> tuple[int, ...]:
    """The hexes that the force of the phase may attack, ascending."""
    force = g.phase(p).force
    foes = g.enemies(p, force)
    return tuple(sorted(n for n, us in board(p, g.land).occ.items() if foes >> p.force[us[0]] & 1))


def enemies_near(g: Setting, p: Pos) -> Iterator[int]:
    """Those of them that are next to a unit of the phase which has not attacked, each once, in no order: nobody else can open an
    attack."""
    force = g.phase(p).force
    foes, occ, near = g.enemies(p, force), board(p, g.land).occ, g.land.near
    places = enemies_at(g, p, force)
    told: set[int] = set()
    for unit in beside(p, g.land, 1 << force, places):
        if not p.attacked >> unit & 1:
            for node in places.intersection(near[p.at[unit]]) - told:
                told.add(node)
                if foes >> p.force[occ[node][0]] & 1:
                    yield node


class CombatStep:
    """A Combat Phase: attack or not (6.0), one attack after the other. A second one (18.1.p8) is the same for the units that a
    marker serves."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Reasons against an attack in one line, or against opening one on a hex."""
        g = self.g
        if not isinstance(a, (Attack, Target)):
            yield wrong_step(g, p, a)
            return
        unknown = unknown_names(g, a)
        if unknown:
            yield from unknown
            return
        if isinstance(a, Attack):
            if not a.units or not a.targets:
                yield Reason("empty-attack", cite("6.0"))
                return
            if len(set(a.units)) < len(a.units) or len(set(a.targets)) < len(a.targets):
                yield Reason("named-twice", cite("6.3.c3 R-G44"), (("units", ", ".join(a.units)),))
            units, nodes, named = self._numbers(p, a)
            if named:
                yield from partial_reasons(g, p, named, [g.land.nodes[n] for n in a.targets if n in g.land.nodes])
            yield from attack_reasons(g, p, units, nodes, named)
            return
        node, named = named_target(g, p, a.to)
        found = tuple(target_reasons(g, p, node, g.phase(p).force))
        yield from found
        if named:
            yield from partial_reasons(g, p, named)
        if not found and not can_open(g, p, (node,), named):
            yield Reason("nobody-can-attack", cite("6.0", "6.1.p2 R-G17"), (("hex", g.hex_name(node)),))

    def _numbers(self, p: Pos, a: Attack) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Attackers, hexes, and the units attacked alone."""
        g = self.g
        index = g.roster.index
        found = [named_target(g, p, name) for name in a.targets]
        named = sorted([u for _, units in found for u in units])
        return tuple(sorted([index[u] for u in a.units])), tuple(sorted({node for node, _ in found})), tuple(named)

    def apply(self, p: Pos, a: Action) -> Pos:
        """Opens a declaration, goes straight to the die, or ends the phase."""
        g = self.g
        if isinstance(a, Done):
            return end_phase(g, p)
        if isinstance(a, Target):
            node, named = named_target(g, p, a.to)
            return altered(p, agenda=(*p.agenda, Frame("declare", p.frame.by, _data((node,), (), named))))
        assert isinstance(a, Attack)
        return declared(g, p, *self._numbers(p, a))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """The hexes on which an attack can be opened, and under 18/6.3 the single units."""
        g = self.g
        for node in enemy_hexes(g, p):
            if can_open(g, p, (node,)) and (about is None or about in candidates(g, p, (node,))):
                yield Target(p.frame.by[0], g.hex_name(node))
            for unit in single_targets(g, p, node):
                if can_open(g, p, (node,), (unit,)) and (about is None or about in candidates(g, p, (node,), (unit,))):
                    yield Target(p.frame.by[0], g.roster.ids[unit])

    def duties(self, p: Pos) -> Iterator[Reason]:
        """12.2 on turn 1."""
        yield from mandate_duties(self.g, p)

    def settle(self, p: Pos) -> Pos | None:
        """A phase in which nobody can attack is passed (R-G118)."""
        g = self.g
        for node in enemies_near(g, p):
            if can_open(g, p, (node,)) or any([can_open(g, p, (node,), (u,)) for u in single_targets(g, p, node)]):
                return None
        return end_phase(g, p)


def named_target(g: Setting, p: Pos, name: str) -> tuple[int, tuple[int, ...]]:
    """A target as written: its hex, and the unit attacked alone, if it is one (18/6.3.a)."""
    unit = g.roster.index.get(name)
    return (g.land.nodes[name], ()) if unit is None else (p.at[unit], (unit,))


def partial_reasons(g: Setting, p: Pos, named: Sequence[int], hexes: Sequence[int] = ()) -> Iterator[Reason]:
    """Reasons against attacking these units alone: 18/6.3 is not played (6.3.d1), they do not share a hex with others, or the rest
    of the stack is attacked in the same combat (18/6.3.c: then the hex is named); ``hexes``: those attacked as a whole."""
    for unit in named:
        node = p.at[unit]
        facts = (("unit", g.roster.ids[unit]), ("hex", g.hex_name(node)))
        others = [u for u in board(p, g.land).there(node) if u not in named]
        if not g.terms.partial:
            yield Reason("whole-stack", cite("6.3.d1"), facts)
        elif node in hexes or (node < g.land.size and not others):
            yield Reason("name-the-hex", cite("18/6.3.c R-G61"), facts)


def declared(
    g: Setting,
    p: Pos,
    units: tuple[int, ...],
    targets: tuple[int, ...],
    named: tuple[int, ...] = (),
    *,
    rest: tuple[Frame, ...] | None = None,
    rolled: bool = False,
) -> Pos:
    """The attack stands: its units are used (6.3.c1), 12.2 counts it, the die is awaited (6.1.p3), if it is not ``rolled`` yet. In a
    second Combat Phase it tires them (18.1.p11). ``rest``: the agenda without what was asked; None: as it is."""
    bits = sum([1 << u for u in units])
    agenda = p.agenda if rest is None else rest
    if not rolled:
        agenda = (*agenda, Frame("combat-roll", (CHANCE,), _data(units, targets, named)))
    used = p.used | bits if g.phase(p).kind == SECOND_COMBAT else p.used
    mandated = count_attack(g, p, *strengths(g, p, units, targets, named)) if p.turn == g.terms.mandate_turn else p.mandated
    return altered(p, attacked=p.attacked | bits, used=used, mandated=mandated, agenda=agenda)


_Data = tuple[tuple[int, ...], ...]


def _data(first: tuple[int, ...], second: tuple[int, ...], named: tuple[int, ...]) -> _Data:
    """A frame's data; the units attacked alone are mostly none, and then left out."""
    return (first, second, named) if named else (first, second)


def _lists(frame: Frame) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The frame's three lists; the last one, the units attacked alone, may be left out."""
    data = cast(_Data, frame.data)
    return data[0], data[1], data[2] if len(data) > 2 else ()


class DeclareStep:
    """An attack being put together: more hexes (6.3.e), more attackers (6.3.c2), then ``done``. Frame data: hexes, attackers,
    the units attacked alone (18/6.3)."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Hexes come before attackers; every attacker is adjacent to every hex."""
        g = self.g
        if not isinstance(a, (Target, Join)):
            yield wrong_step(g, p, a)
            return
        unknown = unknown_names(g, a)
        if unknown:
            yield from unknown
            return
        targets, joined, named = _lists(p.agenda[-1])
        if isinstance(a, Join):
            unit = g.roster.index[a.unit]
            if unit in joined:
                yield Reason("named-twice", cite("6.3.c3 R-G44"), (("units", a.unit),))
            yield from attacker_reasons(g, p, unit, targets)
            yield from pole_reasons(g, p, unit, targets, named)
            return
        node, single = named_target(g, p, a.to)
        if joined:
            yield Reason("hexes-first", cite("6.3.e R-G46"), (("hex", a.to),))
        if set(single) & set(named) or (node in targets and not (single and self._split(p, node, named))):
            yield Reason("named-twice", cite("6.3.e R-G46"), (("units", a.to),))
            return
        found = tuple(target_reasons(g, p, node, g.phase(p).force))
        yield from found
        yield from partial_reasons(g, p, (*named, *single))
        if not found and not can_open(g, p, (*targets, *((node,) if node not in targets else ())), (*named, *single)):
            yield Reason("nobody-can-attack", cite("6.3.e R-G46", "6.1.p2 R-G17"), (("hex", a.to),))

    def _split(self, p: Pos, node: int, named: Sequence[int]) -> bool:
        """The hex is targeted unit by unit."""
        return any(p.at[u] == node for u in named)

    def apply(self, p: Pos, a: Action) -> Pos:
        """Adds to the declaration, or closes it."""
        g = self.g
        frame, rest = p.agenda[-1], p.agenda[:-1]
        targets, joined, named = _lists(frame)
        if isinstance(a, Done):
            return declared(g, p, joined, targets, named, rest=rest)
        if isinstance(a, Join):
            joined = tuple(sorted((*joined, g.roster.index[a.unit])))
        else:
            assert isinstance(a, Target)
            node, single = named_target(g, p, a.to)
            targets, named = tuple(sorted({*targets, node})), tuple(sorted((*named, *single)))
        return altered(p, agenda=(*rest, Frame("declare", frame.by, _data(targets, joined, named))))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """More hexes while nobody has joined, then attackers."""
        g = self.g
        targets, joined, named = _lists(p.frame)
        by = p.frame.by[0]
        if not joined and about is None:
            for node in enemy_hexes(g, p):
                if node not in targets and can_open(g, p, (*targets, node), named):
                    yield Target(by, g.hex_name(node))
                if node in targets and not self._split(p, node, named):
                    continue
                for single in single_targets(g, p, node):
                    rest = [u for u in board(p, g.land).occ[node] if u != single and u not in named]
                    hexes = targets if node in targets else (*targets, node)
                    if single not in named and rest and can_open(g, p, hexes, (*named, single)):
                        yield Target(by, g.roster.ids[single])
        for unit in candidates(g, p, targets, named):
            if unit not in joined and about in (None, unit):
                yield Join(by, g.roster.ids[unit])

    def duties(self, p: Pos) -> Iterator[Reason]:
        """At least one attacker, and odds that the table has (R-G17)."""
        targets, joined, named = _lists(p.frame)
        if not joined:
            yield Reason("empty-attack", cite("6.0"))
        else:
            yield from odds_reasons(self.g, p, joined, targets, named)

    def settle(self, p: Pos) -> Pos | None:
        """Waits."""
        return None


class CombatRoll:
    """6.1.p3: one die; the result is applied at once (6.1.p4)."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """One six-sided die."""
        return roll_reasons(a, "combat", 1, 6, "6.1.p3")

    def apply(self, p: Pos, a: Action) -> Pos:
        """Looks the result up and starts what it asks for."""
        assert isinstance(a, Roll)
        g = self.g
        units, targets, named = _lists(p.agenda[-1])
        odds = g.charts.columns[column(g, *strengths(g, p, units, targets, named))]
        return carry_out(g, p, units, targets, g.charts.crt[odds, a.faces[0]], named, p.agenda[:-1])

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every face."""
        return iter([Roll(CHANCE, "combat", (n,)) for n in range(1, 7)])

    def duties(self, p: Pos) -> Iterator[Reason]:
        """The die must be rolled."""
        yield Reason("roll-awaited", cite("6.1.p3"), (("key", "combat"),))

    def settle(self, p: Pos) -> Pos | None:
        """Waits for the die."""
        return None


def carry_out(
    g: Setting,
    p: Pos,
    units: tuple[int, ...],
    targets: tuple[int, ...],
    result: str,
    named: tuple[int, ...] = (),
    rest: tuple[Frame, ...] | None = None,
) -> Pos:
    """6.2: the result of one attack, up to the first choice it leaves; it hits the attacked units only (18/6.3.p1). After an exchange
    the attackers that are left are the victors (R-G56). ``rest``: the agenda without what was asked; None: as it is."""
    rest = p.agenda if rest is None else rest
    losers = tuple([u for n in targets for u in defenders(g, p, n, named)])
    if result in ("AE", "AR"):
        win = advance_frame(g, p, losers, tuple(sorted({p.at[u] for u in units})))
    else:
        win = advance_frame(g, p, units, targets)
    match result:
        case "DE":
            return remove(g, p, losers, agenda=(*rest, win))
        case "AE":
            return remove(g, p, units, agenda=(*rest, win))
        case "EX":
            need = printed_defence(g, p, targets, named)
            lose = Frame("lose", (g.owner(p.force[units[0]]),), (units, need))
            return remove(g, p, losers, agenda=(*rest, win, lose))
        case "AR":
            return altered(p, agenda=(*rest, win, retreat_frame(g, p, units)))
        case "DR":
            return altered(p, agenda=(*rest, win, retreat_frame(g, p, losers)))
        case _:
            raise ValueError(f"the CRT holds {result!r}, which is no result of 6.2")


class LoseStep:
    """6.2.c: the attacker removes units until their printed attack reaches the printed defence lost. Frame data: attackers, sum
    still owed. Any set that reaches it is allowed, overpaying too (R-G11)."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """The unit must be one of the attackers."""
        g = self.g
        if not isinstance(a, Lose):
            yield wrong_step(g, p, a)
            return
        unknown = unknown_names(g, a)
        if unknown:
            yield from unknown
            return
        if g.roster.index[a.unit] not in self._data(p)[0]:
            yield Reason("not-an-attacker", cite("6.2.c R-G11"), (("unit", a.unit),))

    @staticmethod
    def _data(p: Pos) -> tuple[tuple[int, ...], int]:
        units, owed = p.frame.data
        assert isinstance(units, tuple) and isinstance(owed, int)
        return units, owed

    def apply(self, p: Pos, a: Action) -> Pos:
        """Removes the unit, or closes the exchange."""
        g = self.g
        rest = p.agenda[:-1]
        if isinstance(a, Done):
            return altered(p, agenda=rest)
        assert isinstance(a, Lose)
        unit = g.roster.index[a.unit]
        units, owed = self._data(p)
        frame = Frame("lose", p.frame.by, (tuple(u for u in units if u != unit), max(0, owed - g.roster.attack[unit])))
        return remove(g, p, (unit,), agenda=(*rest, frame))

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every attacker still there."""
        return iter([Lose(p.frame.by[0], self.g.roster.ids[u]) for u in self._data(p)[0] if about in (None, u)])

    def duties(self, p: Pos) -> Iterator[Reason]:
        """The sum must be paid."""
        owed = self._data(p)[1]
        if owed > 0:
            yield Reason("exchange-unpaid", cite("6.2.c R-G55"), (("owed", str(owed)),))

    def settle(self, p: Pos) -> Pos | None:
        """When all that is left must go, it goes; with nobody left the exchange is over."""
        g = self.g
        units, owed = self._data(p)
        if not units or (owed and sum(g.roster.attack[u] for u in units) <= owed):
            return remove(g, p, units, agenda=p.agenda[:-1])
        return None
