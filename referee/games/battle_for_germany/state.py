"""State: what must be remembered of a game. Not compiled: positions are read from text by the types of their fields, which mypyc does not
keep."""

from __future__ import annotations

from referee.rules.model import Position


class Pos(Position, frozen=True, dict=True):
    """A position. Unit sets are ints used as bits; ``at`` and ``force`` are indexed by unit."""

    at: tuple[int, ...]
    force: bytes
    """Identity now: a German driven over the boundary changes it (5.2.1)."""
    holders: bytes
    """Per city its holder (11.0)."""
    phase: int = -1
    """Index into the scenario's phases; -1 before turn 1."""
    moved: int = 0
    attacked: int = 0
    doubled: int = 0
    """Germans that returned this game turn (7.2.b2)."""
    locked: int = 0
    """Replacements that arrived in an enemy ZOC: no move in the next Movement Phase of their force (7.2.f, R-G29)."""
    flipped: int = 0
    """To be removed at the end of the Movement Phase (9.0.a3)."""
    garrison: int = 0
    """Fronts fixed in a capital (10.0)."""
    abroad: tuple[tuple[int, int], ...] = ()
    """Units across the Yugoslav border by retreat, with the game turn of the crossing (5.3, R-G39, R-G40)."""
    forts_gone: int = 0
    ports_entered: int = 0
    """Stettin, Rostock: bits of those ever entered by S or W (8.0.p6)."""
    berlin_first: tuple[int, int, int] = (-1, 0, 0)
    """Who entered Berlin first, on which turn and in which phase (R-G87)."""
    berlin_seen: int = 0
    """Bits of the forces that were ever in Berlin."""
    attempts: int = 0
    """Evacuations tried in this game (8.0.p7); under 18/8.0 in this turn."""
    rates: tuple[int, int] = (0, 0)
    """Replacements left this phase: the force's own rate, and the one for Italy (7.2)."""
    mandated: tuple[int, int] = (0, 0)
    """12.2 on turn 1: attacks made by WG, and how many of the two were possible when its Movement Phase began (R-G62)."""
    regime: int = 0
    """Which of the setting's regimes holds: 1 after the Germans have left (13.1)."""
    supply: int = 0
    """Soviet supply markers in stock (18.1.p3)."""
    markers_soviet: tuple[int, ...] = ()
    """Hexes with a Soviet marker this turn, ascending (18.1.p6)."""
    marker_western: int = -1
    """The hex with the Western marker this turn (18.1.p15)."""
    group: int = 0
    """Whom the Western marker serves this turn: 0 nobody yet, 1 the Commonwealth, 2 the US (18.1.p16)."""
    eligible: int = 0
    """Who may act in the second phases (18.1.p7, R-G111)."""
    used: int = 0
    """Who attacked or moved in a second phase this turn (R-G113)."""
    tired: int = 0
    """Who did so in its force's last player turn: half allowance, no attack (18.1.p11)."""
    tripled: int = 0
    """Tripled moves made in this German Movement Phase (16.3.b1)."""
    result: str = ""
