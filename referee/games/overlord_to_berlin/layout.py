"""How positions of this game read as text (``referee.rules.position_text``)."""

from __future__ import annotations

from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.position import NOBODY
from referee.games.overlord_to_berlin.position import Sealed as Secrets
from referee.games.overlord_to_berlin.setting import Setting
from referee.rules.layout import Layout, Sealed


def compile_layout(g: Setting) -> Layout:
    """The names of everything a ``Pos`` holds as numbers."""
    land = g.land
    zones = land.places.names[: land.size]
    numbers = tuple(map(str, range(256)))
    formations = (*g.gfs.ids, *numbers[len(g.gfs.ids) : NOBODY], "-")
    hidden = Layout(
        units=g.units.ids,
        places=land.places.names,
        at="at",
        absent=land.places.inside,
        marks=("reduced", "waiting"),
        sets={"hand": g.cards.ids, "lent": g.cards.ids},
        later=tuple(field for field in Secrets.__struct_fields__ if field not in ("at", "reduced", "waiting")),
    )
    return Layout(
        units=g.units.ids,
        places=land.places.names,
        at="at",
        absent=land.places.inside,
        marks=("reduced",),
        tables={
            "control": (zones, SIDES),
            "gf_at": (g.gfs.ids, land.places.names),
            "pa": (g.gfs.ids, numbers),
            "extra": (g.gfs.ids, numbers),
            "group": (g.gfs.ids, numbers),
            "fought": (zones, numbers),
            "baltic": (tuple(zones[zone] for zone in land.baltic), formations),
        },
        sets={
            "used_cards": g.cards.ids,
            "waiting": g.gfs.ids,
            "began_reserve": g.gfs.ids,
            "wall": zones,
            "landers": g.gfs.ids,
            "used_corps": g.units.ids,
            "dropped": zones,
        },
        sealed={"sealed": Sealed(SIDES, Secrets, hidden)},
        names={"phase": ("-", *(phase.name.replace(" ", "/") for phase in g.terms.phases))},
    )
