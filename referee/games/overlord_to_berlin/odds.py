"""Strengths, columns, shifts, dice bonuses and thirds of a combat (6.3, 9.6, 10.2, 10.9 to 10.14, 11.8, CRT). Nothing here decides.

``who`` is 0 for the attacker and 1 for the defender. Columns are counted from 0 (strength 1 to 5).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from referee.games.overlord_to_berlin.changes import garrison_zones
from referee.games.overlord_to_berlin.land import AXIS
from referee.games.overlord_to_berlin.position import Combat, Pos, members
from referee.games.overlord_to_berlin.roster import INFANTRY
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.supply import supplied
from referee.games.overlord_to_berlin.units import steps_of, units_in, worth

ATTACKER, DEFENDER = 0, 1
COLUMN_RIGHT, COLUMN_LEFT, DIE_UP = "column_own_plus_1", "column_enemy_minus_1", "die_plus_1"
FEWER, MORE, FIRST = "losses_suffered_minus_third", "losses_enemy_plus_third", "fire_first"
"""Effects of operational stratagems (11.8)."""

Modifiers = tuple[tuple[str, int], ...]
"""(name, value), in a fixed order; those without effect are left out."""


def gf_strength(g: Setting, p: Pos, gf: int, *, wall: bool = False, supporting: bool = False) -> int:
    """The points of one formation (10.2): its units, full or reduced, infantry doubled at the Atlantic Wall (9.6); halved down
    without supply (6.3); halved down again as a supporter (10.1, R-F36)."""
    factor = g.number("landing_infantry_factor") if wall else 1
    points = sum(worth(g, p, u) * (factor if g.units.klass[u] == INFANTRY else 1) for u in units_in(g, p, gf))
    if not supplied(g, p, gf):
        points //= g.number("out_of_supply_strength_divisor")
    return points // g.number("support_divisor") if supporting else points


def totals(g: Setting, p: Pos, c: Combat) -> tuple[int, int]:
    """The strengths of both sides as they are announced (10.1, 10.2, R-F98, R-F103): attackers in full and supporters at half;
    every defender in full."""
    attack = sum(gf_strength(g, p, gf) for gf in members(c.attackers))
    attack += sum(gf_strength(g, p, gf, supporting=True) for gf in members(c.supporters))
    return attack, sum(gf_strength(g, p, gf, wall=c.landing) for gf in members(c.defenders))


def elites(g: Setting, p: Pos, gfs: Iterable[int]) -> int:
    """The elite units of these formations, full or reduced (10.9, R-F105)."""
    return sum(1 << u for gf in gfs for u in units_in(g, p, gf) if g.units.elite >> u & 1)


def bonuses(g: Setting, p: Pos, c: Combat) -> tuple[bool, bool]:
    """Who has the elite bonus (10.9): an elite in an attacking formation, in any defending one; supporters give none (10.1)."""
    return bool(elites(g, p, members(c.attackers))), bool(elites(g, p, members(c.defenders)))


def steps_in(g: Setting, p: Pos, gfs: Iterable[int]) -> int:
    """The steps of all units of these formations (10.8, R-F11)."""
    return sum(steps_of(g, p, u) for gf in gfs for u in units_in(g, p, gf))


def column(g: Setting, strength: int) -> int:
    """The column of a strength (CRT, R-F18); -1 for a strength of 0, which does not throw (R-F16)."""
    for index, (low, high) in enumerate(g.charts.columns):
        if low <= strength and (high < 0 or strength <= high):
            return index
    return -1


def ground_shift(g: Setting, zone: int, defender: int) -> Modifiers:
    """10.10, 10.11: one column left for an attack in difficult terrain or the Alps, or on the Axis in the Vaterland; never both
    (R-F106, R-F111)."""
    if g.land.difficult >> zone & 1:
        return (("difficult", g.number("columns_difficult")),)
    if g.land.vaterland >> zone & 1 and defender == AXIS:
        return (("vaterland", g.number("columns_vaterland")),)
    return ()


def shifts(g: Setting, c: Combat, who: int) -> Modifiers:
    """Every shift of the column of one side of a combat (10.10 to 10.14, 11.8, 12.3); partisans help formations, so no free attack
    (R-F53, R-F112)."""
    found: list[tuple[str, int]] = []
    if who == ATTACKER:
        found += ground_shift(g, c.zone, c.defender)
        if c.zone in garrison_zones(g) and c.attacker != AXIS and not c.free:
            found.append(("partisans", g.number("columns_partisans")))
    found += [(g.cards.ids[card], 1) for card in members(c.cards[who] & g.cards.with_effect(COLUMN_RIGHT))]
    found += [(g.cards.ids[card], -1) for card in members(c.cards[1 - who] & g.cards.with_effect(COLUMN_LEFT))]
    found += [("paratroops", g.number("columns_paratroops"))] * c.drops[who].bit_count()
    return tuple(found)


def die_bonuses(g: Setting, c: Combat, who: int) -> Modifiers:
    """Everything that is added to the die of one side (10.9, 11.5, 11.8)."""
    found = [("elite", g.number("die_elite"))] if c.elite[who] else []
    found += [(g.cards.ids[card], 1) for card in members(c.cards[who] & g.cards.with_effect(DIE_UP))]
    if who == ATTACKER and c.offensive:
        found.append(("hitler-offensive", 1))
    return tuple(found)


def total(modifiers: Modifiers) -> int:
    """Their sum (R-F106)."""
    return sum(value for _, value in modifiers)


def cell(g: Setting, base: int, shift: int, die: int, bonus: int) -> tuple[int, int]:
    """(row, column) of the table that counts: all shifts added, then stopped at the ends; all bonuses added, a die above the last row
    is the last row (R-F15, R-F106). With the switch of R-F15 each column past the left end is one less on the die."""
    wanted, last = base + shift, len(g.charts.columns) - 1
    past = max(0, -wanted) if g.terms.die_past_left else 0
    row = min(max(0, die + bonus - past), len(g.charts.crt) - 1)
    return row, min(max(0, wanted), last)


def steps_lost(g: Setting, base: int, shift: int, die: int, bonus: int) -> int:
    """What the table says for a base column, its shift, the die and its bonus (CRT): steps that the enemy loses."""
    row, at = cell(g, base, shift, die, bonus)
    return g.charts.crt[row][at]


def third(g: Setting, number: int) -> int:
    """A third of the table's number, rounded up (11.8, R-F50)."""
    return -(-number // g.number("third_divisor"))


def with_cards(g: Setting, c: Combat, who: int, number: int) -> int:
    """What the number of the table becomes for the enemy of ``who`` (11.8, R-F50): Fanaticism of ``who`` adds a third, Elastic
    defense of the enemy takes one off, each of the number itself."""
    more = (c.cards[who] & g.cards.with_effect(MORE)).bit_count()
    fewer = (c.cards[1 - who] & g.cards.with_effect(FEWER)).bit_count()
    return max(0, number + (more - fewer) * third(g, number))


def inflicted(g: Setting, c: Combat, who: int, die: int) -> int:
    """The steps that one side's die takes from the other, stratagems counted, supply not (10.2, 11.8)."""
    base = g.number("free_attack_column") - 1 if c.free else column(g, c.totals[who])
    number = steps_lost(g, base, total(shifts(g, c, who)), die, total(die_bonuses(g, c, who)))
    return with_cards(g, c, who, number)


def first_to_fire(g: Setting, c: Combat) -> int:
    """10.4, R-F49: -1 when both fire at once, else who fires first: every such stratagem counts one for its player, a landing combat
    one for the defender."""
    mine, other = ((c.cards[who] & g.cards.with_effect(FIRST)).bit_count() for who in (ATTACKER, DEFENDER))
    other += 1 if c.landing else 0
    return -1 if mine == other else ATTACKER if mine > other else DEFENDER


def out_of_supply(g: Setting, p: Pos, gfs: int) -> int:
    """Those of the formations that are out of supply (6.3)."""
    return sum(1 << gf for gf in members(gfs) if not supplied(g, p, gf))


def bleeding(c: Combat, who: int) -> int:
    """Every formation of one side that can take a loss in this combat, sooner or later (10.2, R-F104)."""
    return c.defenders if who == DEFENDER else c.attackers | c.supporters


def doubled(g: Setting, p: Pos, c: Combat, who: int, number: int) -> int:
    """6.3, R-F37: the number doubled, last of all, when every formation that can take the loss is out of supply."""
    gfs = bleeding(c, who)
    return number * g.number("out_of_supply_loss_factor") if gfs and out_of_supply(g, p, gfs) == gfs else number


def loss_by_loss(g: Setting, p: Pos, c: Combat, who: int) -> int:
    """R-F37: the formations on which each loss takes two steps, because only some of the side are out of supply."""
    gfs = bleeding(c, who)
    cut = out_of_supply(g, p, gfs)
    return 0 if cut == gfs else cut


T = TypeVar("T", int, bool)


def with_at(pair: tuple[T, T], who: int, value: T) -> tuple[T, T]:
    """A pair (attacker, defender) with one of the two changed."""
    return (value, pair[1]) if who == ATTACKER else (pair[0], value)
