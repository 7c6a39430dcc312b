"""10.1: an attack is declared: who attacks, who supports (8.2, 10.12), with which PA. Then it may be cancelled (R-F56), then it is fought
(``combat``)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from referee.games.overlord_to_berlin import cancel, combat, points
from referee.games.overlord_to_berlin.actions import Attack
from referee.games.overlord_to_berlin.position import BARRED, CARD, OFFENSIVE, SEA, TURNED, Pos, alter, members, set_byte
from referee.games.overlord_to_berlin.setting import Setting, enemies
from referee.games.overlord_to_berlin.units import gfs_in
from referee.rules.model import Action, Reason, cite

VERB, OFFENSIVE_VERB = "attack", "offensive"
"""How a declared attack is called in the window in which it can be cancelled; the second: that of Hitler Offensive (R-F54)."""


def enemy_there(g: Setting, p: Pos, side: int, zone: int) -> bool:
    """Whether an enemy formation stands in the zone (10.1)."""
    return any(gfs_in(g, p, enemy, zone) for enemy in enemies(side))


def judge(g: Setting, p: Pos, a: Attack) -> Iterator[Reason]:
    """10.1, 10.12, R-F91, R-F98, R-F107: own formations in the zone, an enemy there, one attacker (two that landed together, once, each
    with its second PA, and neither alone with it), supporters under its command; then the PA (8.1)."""
    side, zone = g.side(a.by), g.land.zone(a.zone)
    attackers, supporters = _numbers(g, a.gfs), _numbers(g, a.supporters)
    where = ("zone", a.zone)
    strangers = [gf for gf in (*attackers, *supporters) if g.gfs.side[gf] != side or p.gf_at[gf] != zone]
    if strangers:
        yield Reason("not-in-zone", cite("10.1.a R-F107", "10.1.f R-F91"), (("gf", g.gfs.names[strangers[0]]), where))
    if not enemy_there(g, p, side, zone):
        yield Reason("no-enemy-there", cite("10.1.a R-F107"), (where,))
    if len({*attackers, *supporters}) < len(attackers) + len(supporters):
        yield Reason("named-twice", cite("10.1.f R-F91"), (("action", str(a)),))
    plan = planned(g, p, a)
    if len(attackers) > 1 and not _landed(p, attackers):
        yield Reason("one-attacks", cite("10.1.e", "9.5.f R-F98"), (where,))
    elif len(attackers) > 1 and not plan.costs and any(set(kinds) != {SEA} for kinds in plan.kinds):
        yield Reason("joint-by-sea", cite("10.1.e", "9.5.f R-F98"), (where,))
    elif (other := _left_out(g, p, attackers, plan)) is not None:
        yield Reason("land-together", cite("9.5.f R-F98"), (("gf", g.gfs.names[other]), where))
    for gf in supporters:
        if not _cooperates(g, p, attackers, gf):
            yield Reason("no-cooperation", cite("10.12.a R-F91", "8.2.f"), (("gf", g.gfs.names[gf]),))
    if not strangers:
        yield from points.against(g, p, plan)


def _numbers(g: Setting, names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(g.gfs.index[name] for name in names)


def _cooperates(g: Setting, p: Pos, attackers: tuple[int, ...], gf: int) -> bool:
    """10.12: the same command. A formation that landed with the attackers and has lost the PA of that attack, not spent it, supports
    whatever its command (R-F98)."""
    if any(g.gfs.command[gf] == g.gfs.command[other] for other in attackers):
        return True
    together = p.landers >> gf & 1 and any(p.landers >> other & 1 for other in attackers)
    return bool(together) and bool(p.pa[gf] & BARRED)


def planned(g: Setting, p: Pos, a: Attack) -> points.Plan:
    """The PA that the attackers spend, one each; of two that landed together the second one that the Reserve pays (10.1, R-F98)."""
    attackers = _numbers(g, a.gfs)
    kinds = a.kinds or ((SEA,) if len(attackers) > 1 and _landed(p, attackers) else ())
    return points.plan(g, p, attackers, 1, kinds, purpose=points.ATTACK, zone=g.land.zone(a.zone))


def _landed(p: Pos, attackers: tuple[int, ...]) -> bool:
    """Whether all of them landed in this phase (9.5)."""
    return all(p.landers >> gf & 1 for gf in attackers)


def _left_out(g: Setting, p: Pos, attackers: tuple[int, ...], plan: points.Plan) -> int | None:
    """9.5: the other that landed with a formation which is about to spend its second PA from the sea, while it has its own yet."""
    gf = attackers[0]
    if len(attackers) > 1 or plan.kinds[0] != (SEA,) or not p.landers >> gf & 1:
        return None
    others = (other for other in members(p.landers) if other != gf and p.gf_at[other] == p.gf_at[gf])
    return next((other for other in others if points.sea_ready(p, other, points.ATTACK) and not p.pa[other] & TURNED), None)


def choices(g: Setting, p: Pos, by: str) -> Iterator[Action]:
    """Every attack with the usual PA: each formation alone, two that landed together, with every set of supporters."""
    side = g.side(by)
    zones = sorted({p.gf_at[gf] for gf in members(g.gfs.of_side[side]) if g.on_map(p, gf)})
    for zone in zones:
        if not enemy_there(g, p, side, zone):
            continue
        here = gfs_in(g, p, side, zone)
        for attackers in (*((gf,) for gf in here), *combinations([gf for gf in here if p.landers >> gf & 1], 2)):
            others = [gf for gf in here if gf not in attackers]
            for count in range(len(others) + 1):
                for supporters in combinations(others, count):
                    a = Attack(by, _names(g, attackers), g.land.name(zone), _names(g, supporters))
                    if not any(True for _ in judge(g, p, a)):
                        yield a


def _names(g: Setting, gfs: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(sorted(g.gfs.ids[gf] for gf in gfs))


def declared(g: Setting, p: Pos, a: Attack) -> Pos:
    """The attack is declared; the window in which a PA can be cancelled opens (R-F56)."""
    plan = planned(g, p, a)
    by_offensive = len(plan.gfs) == 1 and plan.kinds[0] == (CARD,) and p.pa[plan.gfs[0]] & OFFENSIVE
    verb = OFFENSIVE_VERB if by_offensive else VERB
    return cancel.declare(p, g.side(a.by), cancel.Declared(verb, plan, _numbers(g, a.supporters)))


def carried(g: Setting, p: Pos, it: cancel.Declared, stopped: tuple[int, ...]) -> Pos:
    """The attack that was not cancelled begins. Of two that landed together the one whose PA is lost supports the other (R-F98)."""
    attackers = tuple(gf for gf in it.plan.gfs if gf not in stopped)
    if not enemy_there(g, p, g.gfs.side[attackers[0]], it.plan.zone):
        return p  # the table was put right while the window was open: nobody is left to fight
    supporters = (*it.supporters, *(gf for gf in it.plan.gfs if gf in stopped))
    offensive = it.verb == OFFENSIVE_VERB
    if offensive:
        p = alter(p, pa=set_byte(p.pa, attackers[0], p.pa[attackers[0]] & ~OFFENSIVE))
    return combat.begin(g, p, it.plan.zone, _set(attackers), _set(supporters), g.gfs.side[attackers[0]], offensive=offensive)


def _set(gfs: tuple[int, ...]) -> int:
    return sum(1 << gf for gf in gfs)
