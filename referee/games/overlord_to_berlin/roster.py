"""The counters: formations (GF) and units as parallel tables, each by its index in the order of the box."""

from __future__ import annotations

import msgspec

from gamebox.model import Box, Row
from referee.games.overlord_to_berlin.land import SIDES

INFANTRY, ARMOUR, NO_CLASS = 0, 1, 2
"""The class of a unit (0.5, 4.5); corps of paratroops have none (12.3)."""
CLASSES = ("infantry", "armor", "none")


class Formations(msgspec.Struct, frozen=True):
    """The large formations (0.5). Sets of them are ints used as bits."""

    ids: tuple[str, ...]
    index: dict[str, int]
    names: tuple[str, ...]
    side: bytes
    capacity: bytes
    command: tuple[str, ...]
    """``us`` ``commonwealth`` ``soviet`` ``axis`` (10.12)."""
    nation: tuple[str, ...]
    order: bytes
    """The order of the set-up list, which breaks ties of R-F33."""
    of_side: tuple[int, int, int]
    german: int
    """Those that can leave pockets (12.4)."""
    croatia: int
    """Those in Italy at the start, which may land in Croatia (PE.West.9, R-F124)."""


class Units(msgspec.Struct, frozen=True):
    """The units (0.5). Sets of them are ints used as bits."""

    ids: tuple[str, ...]
    index: dict[str, int]
    names: tuple[str, ...]
    side: bytes
    klass: bytes
    full: bytes
    reduced: bytes
    nation: tuple[str, ...]
    elite: int
    guards: int
    """Guards infantry (11.6, R-F60)."""
    minor: int
    """Romanians and Hungarians (12.1)."""
    german: int
    paratroops: int
    of_side: tuple[int, int, int]
    infantry: int
    armour: int
    values_certain: int
    """Units whose strengths are no reconstruction."""


def compile_formations(box: Box) -> Formations:
    """Reads the formations of the box."""
    rows = list(box["formations"])
    side = bytes(SIDES.index(r.text("side")) for r in rows)
    start = {r.text("piece"): r.text("place") for r in box["setups"]}
    return Formations(
        ids=tuple(r.key for r in rows),
        index={r.key: i for i, r in enumerate(rows)},
        names=tuple(r.text("name") for r in rows),
        side=side,
        capacity=bytes(r.int("capacity") for r in rows),
        command=tuple(r.text("command") for r in rows),
        nation=tuple(r.text("nation") for r in rows),
        order=bytes(r.int("order") for r in rows),
        of_side=_by_side(side),
        german=sum(1 << i for i, r in enumerate(rows) if r.text("nation") == "Germany"),
        croatia=sum(1 << i for i, r in enumerate(rows) if r.text("side") == "west" and start.get(r.key, "").isdigit()),
    )


def compile_units(box: Box) -> Units:
    """Reads the units of the box."""
    rows = list(box["units"])
    side = bytes(SIDES.index(r.text("side")) for r in rows)

    def where(*pairs: tuple[str, tuple[str, ...]]) -> int:
        def fits(r: Row) -> bool:
            return all(r.text(column) in values for column, values in pairs)

        return sum(1 << i for i, r in enumerate(rows) if fits(r))

    return Units(
        ids=tuple(r.key for r in rows),
        index={r.key: i for i, r in enumerate(rows)},
        names=tuple(r.text("name") for r in rows),
        side=side,
        klass=bytes(CLASSES.index(r.text("class")) for r in rows),
        full=bytes(r.int("full") for r in rows),
        reduced=bytes(r.int("reduced") for r in rows),
        nation=tuple(r.text("nation") for r in rows),
        elite=sum(1 << i for i, r in enumerate(rows) if r.flag("elite")),
        guards=where(("kind", ("guards_infantry",))),
        minor=where(("nation", ("Romania", "Hungary"))),
        german=where(("nation", ("Germany",))),
        paratroops=where(("class", ("none",))),
        of_side=_by_side(side),
        infantry=where(("class", ("infantry",))),
        armour=where(("class", ("armor",))),
        values_certain=sum(1 << i for i, r in enumerate(rows) if r.source("full").certain),
    )


def _by_side(side: bytes) -> tuple[int, int, int]:
    def members(which: int) -> int:
        return sum(1 << i for i, s in enumerate(side) if s == which)

    return (members(0), members(1), members(2))
