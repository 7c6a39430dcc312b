"""Small random positions for hypothesis: two to eight units on a patch of the map."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tests.games.bfg.facts import BERLIN, HEXES, JOINED, PLAYABLE, UNITS, apart, theater
from tests.games.bfg.universe import patch

# Berlin, Courland, Vistula, West Wall, Balaton and the Yugoslav border, Drava mouth, the line at Linz and at Trieste,
# Po and Alps, the three exit stretches, Stettin and Rostock, the plain patch of the tests.
CENTERS = ("2613", "3823", "2524", "2005", "1220", "1022", "1515", "0916", "0810", "2025", "2102", "0113", "2814", "3725", "2413", "1210")
BY_FORCE = {force: tuple(u for u in sorted(UNITS) if UNITS[u].force == force) for force in ("S", "W", "EG", "WG")}
SORTED = {
    "S": ("su-1-br", "su-2-br", "su-1-gds-inf", "su-1-gds-tk", "su-1-pol", "su-1-rom", "su-1-yug", "su-2-yug"),
    "W": ("we-5-us", "we-2-us", "we-4-us", "we-1-cn", "we-1-fr", "we-2-pol"),
    "EG": ("eg-24-pz", "eg-4-ss", "eg-3-ss", "eg-10", "eg-8", "eg-1-hun", "eg-49-geb", "eg-4-pz"),
    "WG": ("wg-1-ss", "wg-2-lw", "wg-63", "wg-75", "wg-47-pz", "wg-73"),
}


@dataclass(frozen=True)
class Small:
    """One layout: the centre and who stands where."""

    center: str
    units: tuple[tuple[str, str], ...]

    @property
    def places(self) -> dict[str, str]:
        """Piece -> hex or box."""
        return dict(self.units)

    def __repr__(self) -> str:
        return f"{self.center}: " + ", ".join(f"{u} {h}" for u, h in self.units)


@st.composite
def smalls(draw: st.DrawFn, forces: str, radius: int = 2, least: int = 2, most: int = 8, centers: tuple[str, ...] = CENTERS) -> Small:
    """A layout with units of these forces; the first force has at least one. Hexes hold one force, two units, one Front."""
    center = draw(st.sampled_from(centers))
    hexes = [h for h in patch(center, radius) if h in PLAYABLE]
    names = forces.split()
    count = draw(st.integers(least, most))
    placed: dict[str, str] = {}
    for i in range(count):
        name = names[i % len(names)] if i < len(names) else draw(st.sampled_from(names))
        unit = draw(st.sampled_from(SORTED[name]))
        place = draw(st.sampled_from(hexes))
        if unit in placed or not fits(unit, place, placed):
            continue
        placed[unit] = place
    return Small(center, tuple(placed.items()))


def fits(unit: str, place: str, placed: dict[str, str]) -> bool:
    """Whether a unit may stand there beside what is placed: theater, one force a hex, two units, one Front."""
    force = UNITS[unit].force
    if force in {"EG", "WG"} and (place == BERLIN or (force == "EG") != (theater(place) == "east")):
        return False
    there = [u for u, h in placed.items() if h == place]
    if len(there) >= 2 or any(UNITS[u].force != force for u in there):
        return False
    return place in HEXES and not (UNITS[unit].front and any(UNITS[u].front for u in there))


# Hexes at the line, at the Yugoslav border, beside capitals, ports and fortifications, at lakes and on open ground.
SPOTS = {
    "S": tuple("2514 2413 2513 2414 2714 2713 2613 1123 1022 1122 1021 2723 2015 1617 2722 2814 3725 1220 1715 1122 1122 1121".split()),
    "EG": ("2514", "2414", "2614", "2714", "2815", "2912", "1616", "1217", "1123", "1022", "2722", "3725", "1320", "3824", "1915", "1016"),
    "W": ("2513", "2612", "2413", "2414", "2514", "2613", "1705", "1804", "1904", "2104", "2211", "0809", "1216", "2911", "0611"),
    "WG": ("2513", "2612", "2413", "1516", "1216", "2911", "1805", "1905", "2105", "2211", "0810", "0915", "1913", "2713"),
}
STRONG = {"S": ("su-3-br", "su-3-gds-inf"), "W": ("we-20-us", "we-30-br"), "EG": ("eg-39-pz", "eg-gd-pz"), "WG": ("wg-2-ss", "wg-12-ss")}
FOE = {"S": "EG", "EG": "S", "W": "WG", "WG": "W"}
MIDDLE = {
    "S": ("su-1-br", "su-1-yug", "su-1-pol", "su-1-rom", "su-1-gds-tk", "su-2-yug"),
    "EG": ("eg-10", "eg-4-pz", "eg-1-hun", "eg-9", "eg-49-geb"),
    "W": ("we-5-us", "we-2-us", "we-4-us", "we-1-fr"),
    "WG": ("wg-63", "wg-75", "wg-65", "wg-58-pz", "wg-1-lw"),
}
FRIENDS = {
    "S": ("su-2-br", "su-1-ukr", "su-2-gds-inf", "su-4-gds-inf", "su-2-pol", "su-4-rom", "su-3-yug", "su-4-yug"),
    "EG": ("eg-2", "eg-6", "eg-8", "eg-16", "eg-17", "eg-20", "eg-3-hun"),
    "W": ("we-6-us", "we-8-us", "we-12-us", "we-13-us", "we-1-cn", "we-1-br", "we-2-fr"),
    "WG": ("wg-64", "wg-67", "wg-73", "wg-74", "wg-80", "wg-81", "wg-82"),
}


@st.composite
def crowds(draw: st.DrawFn, loser: str) -> tuple[Small, str]:
    """One or two units of ``loser`` in a hex, a strong enemy stack beside it, everything around more or less full.

    Gives the layout and the enemies' hex.
    """
    spot = draw(st.sampled_from([h for h in SPOTS[loser] if loser in {"S", "W"} or (h != BERLIN and fits(MIDDLE[loser][0], h, {}))]))
    placed: dict[str, str] = {}
    for unit in draw(st.lists(st.sampled_from(MIDDLE[loser]), min_size=1, max_size=2, unique=True)):
        if fits(unit, spot, placed):
            placed[unit] = spot
    foe = FOE[loser]
    gates = [n for n in JOINED[spot] if n in PLAYABLE and fits(STRONG[foe][0], n, placed)]
    if not gates:
        return Small(spot, tuple(placed.items())), ""
    gate = draw(st.sampled_from(gates))
    for unit in STRONG[foe]:
        placed[unit] = gate
    packed = draw(st.booleans())
    others = [name for name in ("S", "W", "EG", "WG") if name != loser]
    for name in patch(spot, 2):
        if name not in PLAYABLE or name in {spot, gate}:
            continue
        near = apart(name, spot) == 1
        inner = ("one", "one", "two", "front", "front", "other") if packed else ("none", "none", "one", "two", "front", "other")
        what = draw(st.sampled_from(inner if near else ("none",) * 8 + ("one", "other")))
        if what in {"one", "two", "front"}:
            pool = [u for u in FRIENDS[loser] if u not in placed and (UNITS[u].front or what != "front")]
            for unit in draw(st.lists(st.sampled_from(pool), min_size=1, max_size=2 if what == "two" else 1, unique=True)) if pool else ():
                if fits(unit, name, placed):
                    placed[unit] = name
        elif what == "other":
            pool = [u for o in others for u in FRIENDS[o] if u not in placed]
            unit = draw(st.sampled_from(pool))
            if fits(unit, name, placed):
                placed[unit] = name
    return Small(spot, tuple(placed.items())), gate


BESIDE = tuple(n for n in JOINED[BERLIN] if n in PLAYABLE)
GARRISONS = {"S": FRIENDS["S"], "W": FRIENDS["W"], "EG": FRIENDS["EG"], "WG": FRIENDS["WG"]}


@st.composite
def rings(draw: st.DrawFn, name: str) -> dict[str, str]:
    """Berlin's six neighbours more or less full, and units of a German force in its box."""
    placed: dict[str, str] = {}
    for place in BESIDE:
        what = draw(st.sampled_from(("S", "W", "S", "W", "none", "mine", "mine", "full")))
        force = what if what in {"S", "W"} else "EG" if theater(place) == "east" else "WG"
        count = {"none": 0, "full": 2, "mine": 1}.get(what, 1)
        pool = [u for u in GARRISONS[force] if u not in placed]
        for unit in pool[:count]:
            if fits(unit, place, placed):
                placed[unit] = place
    boxed = draw(st.lists(st.sampled_from(MIDDLE[name]), min_size=1, max_size=4, unique=True))
    return placed | {u: f"box-{name.lower()}" for u in boxed}
