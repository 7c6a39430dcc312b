"""4 and 5: what the economic phase brings without being paid: reinforcements, resource points of the sides, the garrison
of Yugoslavia. Bombardment, piles and spending have modules of their own."""

from __future__ import annotations

from referee.games.overlord_to_berlin.changes import garrison_zones, pay, put_gf, put_inside
from referee.games.overlord_to_berlin.land import AXIS, SOVIET, WEST, bits
from referee.games.overlord_to_berlin.position import Pos, alter
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.supply import ground
from referee.games.overlord_to_berlin.terms import AXIS_PR, ENGLAND, ITALY, SOVIET_PR, TRACKS, Phase
from referee.games.overlord_to_berlin.units import gfs_in, in_pile, units_in, zones_of


def begin_reinforcements(g: Setting, p: Pos, phase: Phase) -> Pos:
    """14.7: what is due this turn comes to the Reserve."""
    reserve, arrivals = g.reserve(WEST), g.land.places.arrivals
    for turn, piece in g.charts.reinforcements:
        if turn != p.turn:
            continue
        if piece in g.gfs.index:
            gf = g.gfs.index[piece]
            p = put_gf(g, p, gf, reserve) if p.gf_at[gf] == arrivals else p
        elif p.at[g.units.index[piece]] == arrivals:
            p = put_inside(g, p, g.units.index[piece], reserve, reduced=False)
    return p


def begin_income(g: Setting, p: Pos, phase: Phase) -> Pos:
    """5.1: the resource points of a side."""
    return (_west_income, _soviet_income, _axis_income)[phase.side](g, p)


def _west_income(g: Setting, p: Pos) -> Pos:
    """5.4: both markers are set anew (R-F67), each for its ports."""
    for track in (ENGLAND, ITALY):
        if not g.terms.tracks[track][3]:
            p = pay(g, p, track, p.pr[track])
        p = pay(g, p, track, -sum(port_points(g, p, zone) for zone in bits(g.land.port_of[TRACKS[track]])))
    return p


def port_points(g: Setting, p: Pos, zone: int) -> int:
    """What a port gives the West (5.4, R-F69): two, one less once if it is contested or holds a pocket; the Mulberry always two
    (5.5); nothing where the West neither controls nor contests."""
    here = ground(g, p, WEST)
    if zone == p.mulberry:
        return g.number("pr_mulberry")
    if not (here.own | here.contested) >> zone & 1:
        return 0
    hindered = here.contested >> zone & 1 or any(True for _ in in_pile(g, p, zone))
    return g.number("pr_port") + (g.number("pr_port_hindered") if hindered else 0)


def _soviet_income(g: Setting, p: Pos) -> Pos:
    """5.6: the same every turn, and the economic zones held uncontested; then what an event takes (R-F78)."""
    oil = sum(1 for zone in bits(g.land.economic & ground(g, p, SOVIET).own))
    p = pay(g, p, SOVIET_PR, -(g.number("pr_soviet") + oil * g.number("pr_soviet_economic")))
    return alter(pay(g, p, SOVIET_PR, p.pr_lost), pr_lost=0)


def _axis_income(g: Setting, p: Pos) -> Pos:
    """5.2: zones of the Vaterland and economic zones, contested too (R-F77); then the loss for an open Yugoslavia (R-F66)."""
    held = sum(1 << zone for zone, holder in enumerate(p.control) if holder == AXIS) | zones_of(g, p, AXIS)
    zones = (g.land.vaterland | g.land.economic) & held
    p = pay(g, p, AXIS_PR, -zones.bit_count() * g.number("pr_axis_zone"))
    lost = not garrisoned(g, p) or (g.terms.loss_permanent and p.yugoslavia_lost)
    return pay(g, p, AXIS_PR, -g.number("pr_axis_no_garrison")) if lost else p


def garrisoned(g: Setting, p: Pos) -> bool:
    """12.2, R-F76: one formation of the Axis in 21 or 22 holds three units or more, whichever side up, contested or not."""
    wanted = g.number("garrison_units")
    return any(len(units_in(g, p, gf)) >= wanted for zone in garrison_zones(g) for gf in gfs_in(g, p, AXIS, zone))
