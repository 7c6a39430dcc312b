"""Everything that is fixed while a game is played: map, roster, charts, terms. Rules take it as ``g``."""

from __future__ import annotations

import msgspec

from referee.games.battle_for_germany.land import EAST, WEST, Land
from referee.games.battle_for_germany.position import EG, FORCES, WG, Pos, Roster, S
from referee.games.battle_for_germany.terms import Charts, Phase, Terms

HOME_LINE, HOME_YUGOSLAVIA = 1, 2
"""Bits of ``Setting.ward``: on the force's own side of the boundary; on the unit's own side of the Yugoslav border."""


class Setting(msgspec.Struct, frozen=True):
    """The compiled book of one scenario."""

    land: Land
    roster: Roster
    charts: Charts
    terms: Terms
    ward: dict[tuple[int, bool], bytes]
    """(force, Yugoslav) -> per node which borders it is on the right side of (5.2, 5.3)."""

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

    def wards(self, force: int, unit: int) -> bytes:
        """The ward table of a unit that now belongs to ``force``."""
        return self.ward[force, self.yugoslav(unit)]


def own_theater(force: int) -> int:
    """The theater bit a force belongs to (5.2.1, 5.2.2)."""
    return EAST if force in (S, EG) else WEST


def compile_wards(land: Land, *, boundary: bool) -> dict[tuple[int, bool], bytes]:
    """The tables behind ``Setting.ward``. Berlin is home to S and W; to Germans it is barred, not foreign (5.2.1.p3)."""
    wards: dict[tuple[int, bool], bytes] = {}
    for force in range(len(FORCES)):
        home = own_theater(force)
        for yugoslav in (False, True):
            table = bytearray(len(land.names))
            for node in range(len(land.names)):
                if not boundary or land.theater[node] & home:
                    table[node] |= HOME_LINE
                open_border = land.lenient and not land.sure_country[node]
                if force != S or open_border or bool(land.yugoslavia[node]) == yugoslav:
                    table[node] |= HOME_YUGOSLAVIA
            wards[force, yugoslav] = bytes(table)
    return wards


def german(force: int) -> bool:
    """East or West German, Hungarians included (R-G74)."""
    return force in (EG, WG)
