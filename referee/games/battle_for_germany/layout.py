"""How positions of this game read as text (``referee.rules.position_text``)."""

from __future__ import annotations

from referee.games.battle_for_germany.position import FORCES, HOLDER_NAMES
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.terms import slug
from referee.rules.layout import NUMBER, PLACE, PLACES, UNIT, UNITS, Layout


def compile_layout(g: Setting) -> Layout:
    """The names of everything a ``Pos`` holds as numbers."""
    land, roster = g.land, g.roster
    hexes = {bit: land.names[node] for node, bit in land.forts.items()}
    return Layout(
        units=roster.ids,
        places=land.names,
        at="at",
        absent=land.off,
        values={"force": (FORCES, roster.force)},
        marks=("moved", "attacked", "doubled", "locked", "flipped", "garrison", "eligible", "used", "tired"),
        notes=("abroad",),
        tables={"holders": (tuple(land.names[n] for n in land.cities), tuple(slug(name) for name in HOLDER_NAMES))},
        sets={
            "forts_gone": tuple(hexes[1 << i] for i in range(len(hexes))),
            "ports_entered": tuple(land.names[n] for n in land.ports),
            "berlin_seen": FORCES,
        },
        lists={"markers_soviet": land.names[: land.size]},
        later=("regime", "supply", "markers_soviet", "marker_western", "group", "tripled"),
        names={
            "regime": ("?", "war", "after-berlin"),
            "marker_western": ("-", *land.names[: land.size]),
            "group": ("?", "-", "commonwealth", "us"),
            "phase": ("-", *(slug(phase.name).removesuffix("-phase") for phase in g.terms.phases)),
        },
        data={
            "take": (PLACE, NUMBER, NUMBER, NUMBER),
            "evacuation": (UNIT,),
            "landing": (UNIT,),
            "declare": (PLACES, UNITS, UNITS),
            "combat-roll": (UNITS, PLACES, UNITS),
            "lose": (UNITS, NUMBER),
            "retreat": (UNITS,),
            "advance": (UNITS, PLACES, UNITS),
        },
    )
