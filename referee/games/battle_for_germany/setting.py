"""Everything that is fixed while a game is played: map, roster, charts, terms. Rules take it as ``g``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.games.battle_for_germany.land import BOTH, EAST, WEST, Land
from referee.games.battle_for_germany.position import EG, FORCES, GERMANS, WG, G, Roster, S, W
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import Charts, Phase, Terms

HOME_LINE: Final = 1
HOME_YUGOSLAVIA: Final = 2
"""Bits of a ward: on the force's own side of the boundary; on the unit's own side of the Yugoslav border."""

RATES: Final = {
    S: (("soviet",), ()),
    W: (("western_allied",), ("western_allied_italy",)),
    EG: (("east_german",), ()),
    WG: (("west_german",), ()),
    G: (("east_german", "west_german"), ()),
}
"""Force -> its columns of the turn track: own, Italy (7.2); one Germany adds two (R-G72)."""

Wards = tuple[tuple[bytes, ...], ...]
"""Per force, for units that are not Yugoslav and for those that are: per node which borders it is on the right side of (5.2, 5.3)."""


@dataclass(frozen=True, slots=True)
class Regime:
    """What changes when the Germans leave (13.1): before and after."""

    enemies: tuple[int, ...]
    """Per force the bits of the forces it may fight (R-G22)."""
    boundary: bool
    """The German Theater Boundary stands (5.2, 13.1.p3)."""
    across: tuple[bytes, ...]
    """Per force and node 1 for the hexes beyond the boundary (5.2)."""
    identity: tuple[bytes, ...]
    """Per force and node what a unit is there (5.2.1.p2)."""
    ward: Wards
    foreign: Wards
    """As ``ward``: 1 where a unit is on the wrong side of a border."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The compiled book of one scenario."""

    land: Land
    roster: Roster
    charts: Charts
    terms: Terms
    regimes: tuple[Regime, ...]
    """While there are Germans, and after they have left (13.1)."""
    kinds: bytes
    """Per unit which borders it minds of those that its force does not tell: 1 barred from Berlin (5.2.1.p3), 2 Yugoslav (5.3.1)."""

    def phase(self, p: Pos) -> Phase:
        """The phase being played."""
        return self.terms.phases[p.phase]

    def owner(self, force: int) -> str:
        """The player who runs a force (R-G120)."""
        return self.terms.owners[force]

    def hex_name(self, node: int) -> str:
        """The hex number or box id of a node."""
        return self.land.names[node]

    def yugoslav(self, unit: int) -> bool:
        """Whether 5.3.1 applies to the unit."""
        return bool(self.roster.yugoslav >> unit & 1)

    def enemies(self, p: Pos, force: int) -> int:
        """The forces that ``force`` may fight now, as bits (R-G22): across the boundary too (R-G25), displaced or not (R-G26)."""
        return self.regimes[p.regime].enemies[force]

    def boundary(self, p: Pos) -> bool:
        """Whether the German Theater Boundary stands (5.2; not 13.1.p3, 15.2.d, 16.3.c1)."""
        return self.regimes[p.regime].boundary

    def wards(self, p: Pos, force: int, unit: int) -> bytes:
        """The ward table of a unit that now belongs to ``force``."""
        return self.regimes[p.regime].ward[force][self.kinds[unit] >> 1]

    def foreign(self, p: Pos, unit: int) -> bytes:
        """Per node 1 where a unit is on the wrong side of a border."""
        return self.regimes[p.regime].foreign[p.force[unit]][self.kinds[unit] >> 1]

    def out_of_play(self, node: int) -> bool:
        """Collapse: the hex lies west of the boundary, where nobody goes but a German in retreat and no city counts (14.0.p3, R-G100)."""
        return self.terms.east_only and not self.land.theater[node] & EAST

    def berlin_barred(self, unit: int) -> bool:
        """Whether the unit may not enter Berlin: every German (5.2.1.p3), the SS of 13.2 too (R-G98); not with three players."""
        return bool(self.kinds[unit] & 1)

    def halved(self, p: Pos, unit: int) -> bool:
        """An SS unit under the Western player: attack and movement at half, rounded up (13.2.p3)."""
        return p.force[unit] == W and german(self.roster.force[unit])


def own_theater(force: int) -> int:
    """The theater bits a force belongs to (5.2.1, 5.2.2); one Germany has both (16.3.c1)."""
    return EAST if force in (S, EG) else WEST if force in (W, WG) else BOTH


def compile_wards(land: Land, *, boundary: bool) -> Wards:
    """The ward tables. Berlin is home to S and W; to Germans it is barred, not foreign (5.2.1.p3)."""
    wards: list[tuple[bytes, ...]] = []
    for force in range(len(FORCES)):
        home = own_theater(force)
        pair: list[bytes] = []
        for yugoslav in (False, True):
            table = bytearray(len(land.names))
            for node in range(len(land.names)):
                if not boundary or land.theater[node] & home:
                    table[node] |= HOME_LINE
                open_border = land.lenient and not land.sure_country[node]
                if force != S or open_border or bool(land.yugoslavia[node]) == yugoslav:
                    table[node] |= HOME_YUGOSLAVIA
            pair.append(bytes(table))
        wards.append(tuple(pair))
    return tuple(wards)


def compile_identity(land: Land, *, two_germanies: bool) -> tuple[bytes, ...]:
    """What a unit of each force is at each node: a German East German east of the boundary, West German west of it (5.2.1.p2, R-G49), not
    without a boundary nor in Collapse, where it stays East German (R-G100); any other what it was."""
    tables: list[bytes] = []
    for force in range(len(FORCES)):
        table = bytearray([force]) * len(land.names)
        if german(force) and two_germanies and not land.lenient:
            for node in range(land.size):
                table[node] = {EAST: EG, WEST: WG}.get(land.theater[node], force)
        tables.append(bytes(table))
    return tuple(tables)


def compile_regimes(land: Land, terms: Terms) -> tuple[Regime, Regime]:
    """The scenario with its Germans, and what is left when they have gone (13.1.p1, 13.1.p3)."""
    before, after = terms.enemies
    return _regime(land, before, terms.boundary, terms.east_only), _regime(land, after, False, terms.east_only)


def _regime(land: Land, enemies: tuple[int, ...], boundary: bool, east_only: bool) -> Regime:
    wards = compile_wards(land, boundary=boundary)
    home = HOME_LINE | HOME_YUGOSLAVIA
    foreign = tuple([tuple([bytes([side != home for side in table]) for table in pair]) for pair in wards])
    identity = compile_identity(land, two_germanies=boundary and not east_only)
    beyond = [bytes([not side & HOME_LINE for side in others[: land.size]]) + bytes(len(land.names) - land.size) for others, _ in wards]
    return Regime(enemies, boundary, tuple(beyond), identity, wards, foreign)


def compile_kinds(roster: Roster, terms: Terms) -> bytes:
    """What of the borders depends on the unit, not on its force."""
    return bytes((terms.berlin_barred and german(force)) + 2 * (roster.yugoslav >> unit & 1) for unit, force in enumerate(roster.force))


def german(force: int) -> bool:
    """East or West German, Hungarians included (R-G74), or the one Germany of three players."""
    return force in GERMANS


def rate_columns(g: Setting, force: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of the turn track that a force reads: its own, Italy's. Under 12.3 the East Germans read both German ones and
    the West Germans none (12.3.p3, R-G71)."""
    if g.terms.concentrated and force in (EG, WG):
        return RATES[G] if force == EG else ((), ())
    return RATES[force]


def rates_of(g: Setting, turn: int, force: int) -> tuple[int, int]:
    """The replacements that a force receives in a turn: its own, Italy's (7.2.p1); none on game turn 1 (R-G70, R-G121)."""
    own, italy = rate_columns(g, force)
    rates = g.charts.rates
    return sum(rates.get((turn, c), 0) for c in own), sum(rates.get((turn, c), 0) for c in italy)
