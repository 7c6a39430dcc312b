"""Where things lie, in the game's words: hexes, boxes and off-table places from what a client calls them.

With the client's module its own grid names every pixel. Without it, ``GuessedMap`` learns from a log: the engine writes the names
of some places beside their pixels, and the game's own grid, laid through these, names the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from gamebox.geometry import GeometryError, Hexes, hexes
from gamebox.model import Box
from gamebox.value import Value
from referee.table.events import NOWHERE, Spot

PLACE_TABLES: Final = ("hexes", "zones", "areas")
BOX_TABLES: Final = ("boxes",)
_DEAD: Final = tuple("dead destroy elimin lost loss casualt kill tot verlust vernicht zniszcz pertes perdu mort".split())
"""How words for destroyed units begin, in the languages of the module makers we have met."""
_SLOT: Final = re.compile(r"(.+) box(?: \d+)?")
"""The box of a display is called after what it holds, and its slots are numbered."""
_FILL: Final = frozenset(("box", "pile", "pool", "units", "unit", "the", "of", "corps", "counters"))
_WORD: Final = re.compile(r"(?<![\w-])\w+(?![\w-])")
_NOTHING: Final = re.compile(r"(?!)")
_MOSTLY: Final = 8
"""So few counters in their set-up hexes are no proof of where the grid lies."""
_MOST_SPOTS: Final = 1 << 13
UNNAMED: Final = "offboard"
"""The client's word for a place that nothing names."""


def squeeze(text: str) -> str:
    """A name for comparing: letters and digits only, lower case."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


class Where(Value, frozen=True):
    """A place in the client's words. Any part may be ""."""

    name: str
    zone: str = ""
    map: str = ""


class Locator(Protocol):
    """Names a map's pixels in the client's words."""

    def where(self, map_name: str, x: int, y: int) -> Where:
        """The place of a pixel."""
        ...


class Places:
    """The game's places. ``extra`` are more names for them: client's word -> hex or box id (a mapping's own)."""

    def __init__(self, box: Box, extra: Mapping[str, str] | None = None) -> None:
        self.hexes: frozenset[str] = frozenset(row.key for name in PLACE_TABLES for row in box.tables.get(name, ()))
        if not self.hexes and box.grid is not None:
            self.hexes = frozenset(hexes(box.grid).names)
        self._own = {name: name for name in self.hexes}
        """The names as the box has them: whoever looks one up finds the very same text at once, an equal one sign by sign."""
        self._by_name: dict[str, str] = {}
        self._spots: dict[Where, Spot] = {}
        self._patterns: tuple[tuple[str, re.Pattern[str]], ...] | None = None
        self._any_box = _NOTHING
        self.aliases: dict[str, str] = {}
        """Every name of a box as written -> the box's id."""
        for table in BOX_TABLES:
            for row in box.tables.get(table, ()):
                names = (row.key, *(word for column in ("name", "aliases") if column in row.values for word in row.items(column)))
                for name in names:
                    self.aliases.setdefault(name, row.key)
                    self._by_name.setdefault(squeeze(name), row.key)
        self._box_words: dict[str, frozenset[str]] = {}
        for table in BOX_TABLES:
            for row in box.tables.get(table, ()):
                if "side" in row.values and row.text("side") and "name" in row.values:
                    words = re.findall(r"[^\W\d_]+", row.text("name").casefold())
                    near = {word.rstrip("s") for word in words}
                    self._box_words[row.key] = frozenset({*words, *near, "".join(w[0] for w in words), row.text("side").casefold()})
        for table in PLACE_TABLES:
            for row in box.tables.get(table, ()):
                if row.values.get("name"):
                    self._by_name.setdefault(squeeze(row.text("name")), row.key)
                    self._by_name.setdefault(squeeze(row.key + row.text("name")), row.key)  # "37 Minsk"
        for name, place in (extra or {}).items():
            self.aliases[name] = place
            self._by_name[squeeze(name)] = place

    def named(self, name: str) -> str:
        """The hex or box id that goes by this name, "" when none does."""
        if name in self.hexes:
            return name
        key = squeeze(name)
        if not key:
            return ""
        found = self._by_name.get(key)
        if found is not None:
            return found
        slot = _SLOT.fullmatch(name)
        if slot and (found := self._by_name.get(squeeze(slot[1]))) is not None:
            return found
        # Some modules write 12-21 or 12.21 for hex 1221.
        return key if key in self.hexes and key.isdigit() else self._box_of_the_dead(name)

    def _box_of_the_dead(self, name: str) -> str:
        """A box of destroyed units under a name of the module maker's own ("Dead EG", "Verluste West Germans"), "" if in doubt."""
        words = [word for word in re.findall(r"[^\W\d_]+", name.casefold())]
        rest = [word for word in words if not word.startswith(_DEAD) and word not in _FILL]
        if not rest or len(rest) == len(words):
            return ""
        fits = [box for box, own in self._box_words.items() if all(word in own for word in rest)]
        return fits[0] if fits else ""

    def spot(self, where: Where) -> Spot:
        """The place as the game knows it, or what the client calls it with ``known`` False."""
        found = self._spots.get(where)
        if found is None:
            if len(self._spots) >= _MOST_SPOTS:  # places are kept for all logs of a game: words of all modules would gather
                self._spots.clear()
            found = self._spots[where] = self._spot(where)
        return found

    def _spot(self, where: Where) -> Spot:
        for word in (where.name, where.zone):
            found = self.named(word)
            if found:
                return Spot(self._own.get(found, found))
        found = self._by_name.get(squeeze(where.map), "") if where.map else ""
        if found:
            return Spot(found)
        name = (where.name if where.name != UNNAMED else "") or where.zone or where.map
        return Spot(name, known=False) if name else NOWHERE

    def _boxes_named(self, text: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """What finds each box's name in a text, the longest names first; shorter ones than four letters are no names. Made when asked;
        none where one look at the text finds no box at all."""
        if self._patterns is None:
            names = sorted((name for name in self.aliases if len(name) >= 4), key=lambda name: (-len(name), name))
            words = [r"(?<!\w)" + re.escape(name) + r"(?!\w)" for name in names]
            self._patterns = tuple([(name, re.compile(word, re.IGNORECASE)) for name, word in zip(names, words, strict=True)])
            self._any_box = re.compile("|".join(words), re.IGNORECASE) if words else _NOTHING
        return self._patterns if self._any_box.search(text) else ()

    def mentions(self, text: str) -> list[tuple[int, str, str]]:
        """(position, place, name as written) of every hex number and box name in a text, in order, longest names first."""
        found: list[tuple[int, str, str]] = []
        taken: list[tuple[int, int]] = []
        for alias, pattern in self._boxes_named(text):
            for match in pattern.finditer(text):
                if not any([match.start() < end and start < match.end() for start, end in taken]):
                    taken.append(match.span())
                    found.append((match.start(), self.aliases[alias], match[0]))
        for match in _WORD.finditer(text):
            if match[0] in self.hexes and not any([match.start() < end and start < match.end() for start, end in taken]):
                found.append((match.start(), match[0], match[0]))
        return sorted(found)


@dataclass(frozen=True, slots=True)
class Fit:
    """The game's grid laid over a client's pixels: distance between hexes in a line and between lines, and the first centre."""

    size: tuple[float, float]
    origin: tuple[float, float]


class GuessedMap:
    """Names pixels from pairs of pixel and name that a log holds. Use ``learn``, then ``settle``, then ``where``."""

    def __init__(self, box: Box, places: Places) -> None:
        self._places = places
        self._hexes: Hexes | None = None
        if box.grid is not None:
            try:
                self._hexes = hexes(box.grid)
            except GeometryError:
                self._hexes = None
        self._pairs: dict[str, dict[tuple[int, int], dict[str, int]]] = {}
        self._names: dict[str, dict[tuple[int, int], str]] = {}
        self._hints: dict[str, dict[tuple[int, int], str]] = {}
        self.fits: dict[str, Fit] = {}

    def learn(self, map_name: str, x: int, y: int, name: str) -> None:
        """The log says that this pixel is called so."""
        if name and map_name:
            names = self._pairs.setdefault(map_name, {}).setdefault((x, y), {})
            names[name] = names.get(name, 0) + 1

    def hint(self, map_name: str, x: int, y: int, name: str) -> None:
        """This pixel may be called so: believed only off the grid, where nothing else names it."""
        if name and map_name and self._places.named(name):
            self._hints.setdefault(map_name, {}).setdefault((x, y), name)

    def settle(self) -> None:
        """Fit the grid to what was learned, map by map."""
        for map_name, pairs in sorted(self._pairs.items()):
            names = {pixel: min(found.items(), key=lambda item: (-item[1], item[0]))[0] for pixel, found in pairs.items()}
            self._names[map_name] = names
            fit = self._fit({pixel: name for pixel, name in names.items() if name in self._places.hexes})
            if fit is not None:
                self.fits[map_name] = fit

    def _fit(self, names: Mapping[tuple[int, int], str]) -> Fit | None:
        grid = self._hexes
        if grid is None:
            return None
        points = [(*pixel, *grid.centre(name, (1.0, 1.0))) for pixel, name in sorted(names.items()) if name in grid.names]
        horizontal = _line([(u, x) for x, _, u, _ in points])
        vertical = _line([(v, y) for _, y, _, v in points])
        ratio = 3**0.5 / 2 if grid.grid.orientation == "pointy" else 2 / 3**0.5
        if horizontal is None and vertical is None:
            return None
        if horizontal is None and vertical is not None:
            horizontal = _through([(u, x) for x, _, u, _ in points], vertical[0] / ratio)
        if vertical is None and horizontal is not None:
            vertical = _through([(v, y) for _, y, _, v in points], horizontal[0] * ratio)
        if horizontal is None or vertical is None:
            return None
        (width, left), (height, top) = horizontal, vertical
        size = (width, height) if grid.grid.orientation == "pointy" else (height, width)
        return Fit(size, (left, top))

    def suppose(self, map_name: str, pairs: Sequence[tuple[int, int, str]]) -> int:
        """Fit a map that has no fit yet to (x, y, hex) that are mostly right; the number that agree, 0 when it is not believed."""
        if map_name in self.fits or self._hexes is None or len(pairs) < _MOSTLY:
            return 0
        fit = self._fit({(x, y): name for x, y, name in pairs if name in self._places.hexes})
        if fit is None:
            return 0
        agree = sum(self._hexes.hex_at(x, y, fit.size, fit.origin) == name for x, y, name in pairs)
        if agree < max(_MOSTLY, 0.6 * len(pairs)):
            return 0
        self.fits[map_name] = fit
        return agree

    def where(self, map_name: str, x: int, y: int) -> Where:
        """The place of a pixel: as the log names it, else the hex of the fitted grid, else the pixel itself."""
        names = self._names.get(map_name, {})
        exact = names.get((x, y))
        if exact is not None:
            return Where(exact, "", map_name)
        fit = self.fits.get(map_name)
        if fit is not None and self._hexes is not None:
            found = self._hexes.hex_at(x, y, fit.size, fit.origin)
            if found is not None and found in self._places.hexes:
                return Where(found, "", map_name)
        reach = max(fit.size) if fit else 40.0
        near = self._near_box(names, x, y, reach) or self._near_box(self._hints.get(map_name, {}), x, y, reach)
        return Where(near or f"{map_name} {x},{y}", "", map_name)

    def _near_box(self, names: Mapping[tuple[int, int], str], x: int, y: int, reach: float) -> str:
        """A box beside the map is larger than a hex: counters are spread about in it."""
        best, name = (2.5 * reach) ** 2, ""
        for (px, py), found in sorted(names.items()):
            distance = float((px - x) ** 2 + (py - y) ** 2)
            if distance < best and found not in self._places.hexes and self._places.named(found):
                best, name = distance, found
        return name


def _line(points: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """(slope, intercept) of the rising line that most points lie on, or None when fewer than two different abscissae do."""
    distinct = sorted(set(points))
    best: tuple[int, float, list[tuple[float, float]]] | None = None
    for (u1, x1), (u2, x2) in _pairs(distinct):
        slope = (x2 - x1) / (u2 - u1)
        if slope <= 1.0:
            continue
        near = max(2.0, 0.2 * slope)
        inside = [(u, x) for u, x in distinct if abs(x1 + slope * (u - u1) - x) <= near]
        if best is not None and len(inside) < best[0]:
            continue
        error = sum([abs(x1 + slope * (u - u1) - x) for u, x in inside])
        if best is None or (len(inside), -error) > (best[0], -best[1]):
            best = (len(inside), error, inside)
        if len(inside) == len(distinct):
            break  # no other pair has more on its line, nor others
    if best is None or (best[0] < len(distinct) * 0.5):
        return None
    inside = best[2]
    n = len(inside)
    mean_u, mean_x = sum(u for u, _ in inside) / n, sum(x for _, x in inside) / n
    spread = sum((u - mean_u) ** 2 for u, _ in inside)
    slope = sum((u - mean_u) * (x - mean_x) for u, x in inside) / spread
    return slope, mean_x - slope * mean_u


def _pairs(points: Sequence[tuple[float, float]]) -> Iterable[tuple[tuple[float, float], tuple[float, float]]]:
    """Pairs of points apart, at most a few hundred, the far ones first: they fix a line best."""
    step = max(1, len(points) // 24)
    sample = points[::step]
    found = [(a, b) for i, a in enumerate(sample) for b in sample[i + 1 :] if b[0] - a[0] > 0.4]
    return sorted(found, key=lambda pair: (pair[0][0] - pair[1][0], pair))


def _through(points: Sequence[tuple[float, float]], slope: float) -> tuple[float, float] | None:
    if not points or slope <= 1.0:
        return None
    offsets = sorted(x - slope * u for u, x in points)
    return slope, offsets[len(offsets) // 2]
