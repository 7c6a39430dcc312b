"""6: supply and what hangs on it: own, contested and friendly zones, the net of a side, the places of the Baltic.

There is no supply phase and no marker: supply is judged at the instant it matters (R-F30).
"""

from __future__ import annotations

from collections.abc import Collection

from referee.games.overlord_to_berlin.land import AXIS, SOVIET, WEST, flood
from referee.games.overlord_to_berlin.position import NOBODY, Pos, members
from referee.games.overlord_to_berlin.setting import Setting, enemies
from referee.games.overlord_to_berlin.units import zones_of


class Ground:
    """What one position says of one side's zones; kept beside the position, never in it."""

    __slots__ = ("contested", "foes", "net", "own", "sources", "stands")

    def __init__(self, g: Setting, p: Pos, side: int) -> None:
        self.stands = zones_of(g, p, side)
        """Zones with formations of the side."""
        self.foes = 0
        """Zones with enemy formations."""
        for enemy in enemies(side):
            self.foes |= zones_of(g, p, enemy)
        self.own = sum(1 << zone for zone, holder in enumerate(p.control) if holder == side) & ~self.foes
        """Controlled, and no enemy formation in it (R-F28)."""
        self.contested = self.stands & self.foes
        """Formations of both (1, R-F27)."""
        open_ = self.own | self.contested
        self.sources = sources(g, side) & open_
        """Sources of supply that are held: own, or contested with a formation of the side (R-F31)."""
        self.net = flood(g.land.near, self.sources, open_)
        """Every zone in supply (R-F28, R-F32): the lines of both sides pass through contested zones."""

    @property
    def friendly(self) -> int:
        """1, R-F28: own and in supply."""
        return self.own & self.net


def sources(g: Setting, side: int) -> int:
    """Where the lines of a side may end (6.1, R-F38): ports, the eastern edge, the Vaterland. The Baltic zones are apart (R-F33)."""
    return {WEST: g.land.ports, SOVIET: g.land.edge, AXIS: g.land.vaterland}[side]


def ground(g: Setting, p: Pos, side: int) -> Ground:
    """The side's ground, worked out once a position."""
    kept: dict[int, Ground] = p.__dict__.setdefault("ground", {})
    if side not in kept:
        kept[side] = Ground(g, p, side)
    return kept[side]


def baltic_places(g: Setting, p: Pos) -> dict[int, int]:
    """6.1, R-F17, R-F33: Baltic zone -> the one formation that it supplies, of those without a line to the Vaterland."""
    kept: dict[int, int] | None = p.__dict__.get("baltic_places")
    if kept is None:
        kept = p.__dict__["baltic_places"] = _baltic_places(g, p)
    return kept


def _baltic_places(g: Setting, p: Pos) -> dict[int, int]:
    """Who has the places: a formation that the Axis named, while its line lasts; else the lowest in the order of the set-up among
    those in the zone itself; and where as many places as formations are left on one line, nobody need be named and all have one."""
    here = ground(g, p, AXIS)
    open_ = here.own | here.contested
    wanting = [gf for gf in members(g.gfs.of_side[AXIS]) if p.gf_at[gf] < g.land.size and not here.net >> p.gf_at[gf] & 1]
    wanting.sort(key=lambda gf: g.gfs.order[gf])
    lines = {zone: flood(g.land.near, 1 << zone, open_) for zone in g.land.baltic if open_ >> zone & 1}
    places: dict[int, int] = {}

    def take(zone: int, gf: int) -> None:
        places[zone] = gf
        wanting.remove(gf)

    for zone, named in zip(g.land.baltic, p.baltic or [NOBODY] * len(g.land.baltic), strict=True):
        if named in wanting and zone in lines and lines[zone] >> p.gf_at[named] & 1:
            take(zone, named)
    for zone in lines:
        local = next((gf for gf in wanting if p.gf_at[gf] == zone), None)
        if zone not in places and local is not None:
            take(zone, local)
    for line in dict.fromkeys(lines.values()):
        free = [zone for zone in lines if zone not in places and lines[zone] == line]
        left = [gf for gf in wanting if line >> p.gf_at[gf] & 1]
        if len(left) <= len(free):
            for zone, gf in zip(free, left, strict=False):
                take(zone, gf)
    return places


def supplied(g: Setting, p: Pos, gf: int) -> bool:
    """Whether a formation on the map is in supply (6.1); in the Reserve it always is (R-F87)."""
    zone = p.gf_at[gf]
    if zone >= g.land.size:
        return True
    side = g.gfs.side[gf]
    return bool(ground(g, p, side).net >> zone & 1) or (side == AXIS and gf in baltic_places(g, p).values())


def takes_a_place(g: Setting, before: Pos, after: Pos, movers: Collection[int]) -> bool:
    """R-F33: whether formations that went somewhere have the place of a Baltic zone there, and the one that had it before is cut off by
    that: they may not go, for the zone was friendly for that one and for nobody else."""
    now = baltic_places(g, after)
    return any(
        now.get(zone) in movers and holder not in movers and not supplied(g, after, holder)
        for zone, holder in baltic_places(g, before).items()
    )


def friendly_for(g: Setting, p: Pos, gf: int) -> int:
    """The zones that are friendly for this formation (1, R-F28): own and in supply; where the only line ends in the Baltic, for the
    one that has the place and no other (R-F33)."""
    side = g.gfs.side[gf]
    here = ground(g, p, side)
    found = here.friendly
    if side == AXIS:
        for zone, holder in baltic_places(g, p).items():
            if holder == gf:
                found |= flood(g.land.near, 1 << zone, here.own | here.contested) & here.own
    return found


def tracks_reached(g: Setting, p: Pos, gf: int) -> tuple[int, ...]:
    """The western tracks whose ports a formation traces a line to (5.4, R-F68): indices into ``TRACKS``."""
    here = ground(g, p, WEST)
    zone = p.gf_at[gf]
    open_ = here.own | here.contested
    found = []
    for track, ports in enumerate((g.land.port_of["england"], g.land.port_of["italy"])):
        if flood(g.land.near, ports & open_, open_) >> zone & 1:
            found.append(track)
    return tuple(found)
