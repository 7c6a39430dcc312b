"""Which piece of a foreign module is which counter of a game: drafted from what both say about themselves.

Evidence, added up for every pair: strengths printed on the counter or in a marker, the designation's number, the words of the
name (abbreviations count), words about the nation, and where the piece is set up. What the words of the module mean
(``Nation`` markers, folders, prototypes) and how far its set-up places can be trusted is learned from the matches themselves, in
a few rounds; then the whole set is assigned at once, each counter to one piece. Nothing here knows a module.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from gamebox.load import bounded
from gamebox.model import Box, Piece
from gamebox.sheets import Line, SheetError, column_of, decode, read_sheet
from modgen.formats.vassal import buildfile, pieces
from modgen.formats.vassal.grid import RegionGrid, ZonedGrid, hex_grids, names_at
from modgen.formats.vassal.turns import Level
from referee.table.places import Places, Where, squeeze

UNIT_MARKER = "UnitId"
"""The marker that holds the piece id in modules of ours."""

SURE, LIKELY = 95, 75
_WEAK = 60
"""The most that a match without two independent pieces of evidence is called."""
_CAUTION = 0.6
"""Scores are no exact odds: how much of a lead is believed."""
_FAMILIAR = 0.4
"""The share of the game's pieces that must be found by good evidence before weak evidence counts: else it is another game's module."""
_ROUNDS = 4
_FEW = 12
"""A module is of a game when its maps name one in so many of the game's places at least: those of a game name nearly all or, having names
of their own or none, no place at all; those of other games none, or most, where both games count their hexes alike."""
_ALMOST_ALL = 0.75
"""Without such places, so many of the counters must surely be the game's: of a game's own module nine in ten are, of another one's six."""
MAX_FOREIGN = 3000
"""So many counters are looked at; a module has no more."""
_COLUMNS = ("kind", "name", "marks", "gpids", "is", "sure", "how")


@dataclass(frozen=True, slots=True)
class Foreign:
    """One counter of a foreign module (or one that a log shows), however many slots it has."""

    name: str
    marks: tuple[tuple[str, str], ...] = ()
    """Marker values, (name, value)."""
    gpids: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    """Folders, prototypes and pictures: words about the piece that are not its name."""
    places: tuple[str, ...] = ()
    """Hexes or boxes it is set up in, as the game knows them."""

    @property
    def key(self) -> str:
        """Name and marker values in one line."""
        marks = " ".join(f"{name}={value}" for name, value in self.marks)
        return f"{self.name} [{marks}]" if marks else self.name


@dataclass(frozen=True, slots=True)
class Match:
    """A foreign counter and the piece it is taken for ("" for none). ``sure`` is 0 to 100; ``how`` names the evidence."""

    foreign: Foreign
    piece: str
    sure: int = 0
    how: str = ""


@dataclass(frozen=True)
class PieceMap:
    """What is what: foreign counters -> piece ids, and more names of places and phases. Read from a CSV or drafted."""

    matches: tuple[Match, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    """Client's name of a place -> hex or box id."""
    phases: Mapping[str, str] = field(default_factory=dict)
    """Client's name of a phase -> force and phase of the game's ``phases`` table, ``S movement``."""

    def find(self, gpid: str, name: str, marks: Iterable[tuple[str, str]] = ()) -> Match | None:
        """The match for a piece on the table: by name and slot, by name and markers, by name alone when it is the only one of it."""
        found = self.slots.get((name, gpid))
        if found is not None:
            return found
        named = self._by_name.get(name, ())
        wanted = set(marks)
        exact = [match for match in named if set(match.foreign.marks) == wanted]
        if len(exact) == 1:
            return exact[0]
        if len(named) == 1 and (not named[0].foreign.marks or not wanted or exact):
            return named[0]
        return None

    @cached_property
    def slots(self) -> dict[tuple[str, str], Match]:
        """(name, slot) -> the first match of that name that has the slot."""
        found: dict[tuple[str, str], Match] = {}
        for match in self.matches:
            for gpid in match.foreign.gpids:
                if gpid:
                    found.setdefault((match.foreign.name, gpid), match)
        return found

    @cached_property
    def _by_name(self) -> dict[str, tuple[Match, ...]]:
        found: dict[str, tuple[Match, ...]] = {}
        for match in self.matches:
            found[match.foreign.name] = (*found.get(match.foreign.name, ()), match)
        return found


@dataclass(frozen=True)
class Adoption:
    """A drafted mapping, and what stayed open."""

    mapping: PieceMap
    module: str
    missing: tuple[str, ...]
    """Piece ids that no foreign counter was found for."""
    notes: tuple[str, ...] = ()
    strange: str = ""
    """What speaks against its being a module of this game at all; "" when nothing does."""

    @property
    def matches(self) -> tuple[Match, ...]:
        """Matched counters only."""
        return tuple(match for match in self.mapping.matches if match.piece)

    @property
    def unmatched(self) -> tuple[Foreign, ...]:
        """Foreign counters that are no piece of the game: markers, or what was not understood."""
        return tuple(match.foreign for match in self.mapping.matches if not match.piece)

    def summary(self) -> list[str]:
        """A few lines for a person: how many were matched, how surely, what to look at."""
        matches = self.matches
        sure = sum(1 for match in matches if match.sure >= SURE)
        lines = [f"{len(matches)} counters matched, {sure} of them surely; {len(self.missing)} pieces of the game not found"]
        lines += [f"look at: {m.foreign.key} = {m.piece} ({m.sure} %: {m.how})" for m in matches if m.sure < SURE]
        if self.missing:
            lines.append("not found in the module: " + ", ".join(self.missing))
        if self.unmatched:
            lines.append("no piece of the game (markers?): " + ", ".join(foreign.key for foreign in self.unmatched))
        return lines + list(self.notes)


# ---------------------------------------------------------------------------------------------- words

_WORD = re.compile(r"[^\W\d_]+|\d+")
_ORDINAL = frozenset({"st", "nd", "rd", "th"})
_ROMAN = re.compile(r"(?=[XVIL])(L?X{0,3}|X?L)(IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}


def _roman(word: str) -> int:
    total = 0
    for sign, after in zip(word, word[1:] + " ", strict=True):
        value = _ROMAN_VALUES[sign]
        total += -value if _ROMAN_VALUES.get(after, 0) > value else value
    return total


@lru_cache(maxsize=65536)
def _words(text: str) -> tuple[frozenset[str], frozenset[int]]:
    """(words in lower case, numbers) of a name; roman numerals count as numbers too, ordinal endings not as words."""
    spaced = re.sub(r"(?<=[a-zäöüß])(?=[A-Z])", " ", text)
    words: set[str] = set()
    numbers: set[int] = set()
    before = ""
    for word in _WORD.findall(spaced):
        if word.isdigit():
            numbers.add(int(word[:9]))
        elif not (before.isdigit() and word.casefold() in _ORDINAL):
            if word.isupper() and _ROMAN.fullmatch(word):
                numbers.add(_roman(word))
            words.add(word.casefold())
        before = word
    return frozenset(words), frozenset(numbers)


@lru_cache(maxsize=262144)
def _alike(a: str, b: str) -> float:
    """How well two words agree: 1 equal, less for an abbreviation (``gds`` guards, ``bde`` brigade), 0 for none."""
    if a == b:
        return 1.0
    short, long = sorted((a, b), key=len)
    if short[0] != long[0]:
        return 0.0
    if long.startswith(short):
        return 0.9 if len(short) >= 3 else 0.6 if len(short) == 2 else 0.3
    stem = 0
    while stem < len(short) and short[stem] == long[stem]:
        stem += 1
    if stem >= 4:
        return 0.8
    if len(short) < 2 or len(long) > 6 * len(short):
        return 0.0
    at = 0
    for sign in long:
        if at < len(short) and sign == short[at]:
            at += 1
    return 0.7 if at == len(short) else 0.0


def _covered(wanted: Iterable[str], given: Iterable[str]) -> float:
    """The sum over the wanted words of how well the best given word agrees."""
    pool = tuple(given)
    return sum(max((_alike(word, other) for other in pool), default=0.0) for word in wanted)


# ------------------------------------------------------------------------------------------ evidence


@dataclass(frozen=True, slots=True)
class _Side:
    """What one counter says about itself, ready to be compared."""

    words: frozenset[str]
    numbers: frozenset[int]
    strengths: tuple[int, ...]
    about: frozenset[str]
    """Words about the nation and kind: ids and flags of ours, markers and folders of theirs."""
    nation: frozenset[str]
    places: frozenset[str]
    context: frozenset[str] = frozenset()
    """Whole marker values, folders, prototypes: tokens whose meaning is learned."""


def _strengths_in(text: str, count: int) -> tuple[tuple[int, ...], str]:
    """(the last run of ``count`` numbers joined by signs, the text without it); an empty tuple when there is none."""
    run = r"(?<![\d])" + r"\s*[-/–—:.|]\s*".join([r"\(?(\d{1,3})\)?"] * count) + r"(?![\d])"
    found = list(re.finditer(run, text))
    if not found:
        return (), text
    last = found[-1]
    return tuple(int(number) for number in last.groups()), text[: last.start()] + " " + text[last.end() :]


def _strength_markers(marks: Sequence[tuple[str, str]], names: Sequence[str]) -> tuple[int, ...]:
    """Strengths from markers named like them (``Attack``, ``Def``, ``MA``)."""
    found: list[int] = []
    for name in names:
        value = next((v for key, v in marks if v.strip().isdigit() and _names_strength(key, name)), None)
        if value is None:
            return ()
        found.append(int(value))
    return tuple(found)


def _names_strength(marker: str, strength: str) -> bool:
    marker, strength = squeeze(marker), squeeze(strength)
    return bool(marker) and (marker[:3] == strength[:3] or (len(marker) <= 2 and marker[0] == strength[0]))


def _ours(box: Box, piece: Piece, places: Mapping[str, frozenset[str]]) -> _Side:
    words, numbers = _words(piece.name)
    nation, _ = _words(f"{piece.nation} {_side_name(box, piece.side)}")
    id_words, id_numbers = _words(" ".join(piece.id.split("-")[1:]))
    flags = {name for name, value in piece.row.values.items() if value == 1 and name not in box.strengths}
    about = frozenset(id_words) | {word for flag in flags for word in flag.split("_")}
    return _Side(words, numbers or id_numbers, piece.strengths, about - words, nation, places.get(piece.id, frozenset()))


def _side_name(box: Box, side: str) -> str:
    row = box.tables["sides"].get(side) if "sides" in box.tables else None
    return row.text("name") if row is not None and "name" in row.values else side


def _theirs(foreign: Foreign, names: Sequence[str]) -> _Side:
    count = len(names)
    strengths, bare = _strengths_in(foreign.name, count) if count else ((), foreign.name)
    if not strengths and count:
        strengths = _strength_markers(foreign.marks, names)
    for text in foreign.context:
        if not strengths and count:
            strengths = _strengths_in(text, count)[0]
    words, numbers = _words(bare)
    texts = [value for _, value in foreign.marks if not value.strip().isdigit()]
    about = {word for text in (*texts, *foreign.context) for word in _words(text)[0]}
    context = frozenset(squeeze(text) for text in (*texts, *foreign.context) if squeeze(text))
    return _Side(words, numbers, strengths, frozenset(about), frozenset(), frozenset(foreign.places), context | words)


class _Learned:
    """What the module's words mean, and how far its set-up can be trusted, as the last round's matches show."""

    def __init__(self) -> None:
        self.nation: dict[tuple[str, str], float] = {}
        self.same_place = 2.0
        self.other_place = 0.0

    def update(self, pairs: Sequence[tuple[_Side, Piece, _Side]]) -> None:
        """Count words against nations, and places against set-ups."""
        nations: dict[str, int] = {}
        words: dict[str, int] = {}
        both: dict[tuple[str, str], int] = {}
        at_place = placed = 0
        for theirs, piece, ours in pairs:
            nations[piece.nation] = nations.get(piece.nation, 0) + 1
            for word in theirs.context:
                words[word] = words.get(word, 0) + 1
                both[word, piece.nation] = both.get((word, piece.nation), 0) + 1
            if theirs.places and ours.places:
                placed += 1
                at_place += bool(theirs.places & ours.places)
        total = max(1, len(pairs))
        self.nation = {}
        for word, count in words.items():
            # A word on one counter only says nothing about nations.
            if count < 2:
                continue
            for nation, expected in nations.items():
                share = (both.get((word, nation), 0) + 0.5 * expected / total) / (count + 0.5)
                self.nation[word, nation] = max(-3.0, min(3.0, math.log(share * total / expected)))
        rate = (at_place + 0.5) / (placed + 1.0)
        self.same_place = max(0.5, min(4.0, math.log(max(rate, 0.02) / 0.02)))
        self.other_place = max(-3.0, math.log(max(1.0 - rate, 0.03) / 0.98)) if placed else 0.0


@dataclass(frozen=True, slots=True)
class _Fixed:
    """The evidence that no learning changes. The flags say what agrees; ``nameless`` that neither side has a number."""

    score: float
    strengths: bool = False
    number: bool = False
    name: bool = False
    nation: bool = False
    nameless: bool = False

    def strong(self, place: bool) -> bool:
        """Whether two things agree that have nothing to do with each other, one of them the counter's own."""
        if self.strengths:
            return self.number or self.name or self.nation or place
        if self.number or (self.nameless and self.name):
            return self.nation or place or (self.number and self.name)
        return False

    def words(self, theirs: _Side, ours: _Side) -> list[str]:
        """What agrees, for people."""
        numbers = " ".join(map(str, sorted(ours.numbers & theirs.numbers)))
        both = sorted(ours.places & theirs.places)
        told = (
            (self.strengths, "strengths " + "-".join(map(str, ours.strengths))),
            (self.number, f"number {numbers}"),
            (self.name, "name"),
            (self.nation, "nation"),
            (bool(both), "set up in " + " ".join(both)),
        )
        return [word for agrees, word in told if agrees]


_IMPOSSIBLE = _Fixed(-99.0)


def _fixed(theirs: _Side, ours: _Side) -> _Fixed:
    score = 0.0
    strengths = number = False
    if theirs.strengths and ours.strengths:
        differ = sum(a != b for a, b in zip(theirs.strengths, ours.strengths, strict=False))
        strengths = not differ
        score += 6.0 if strengths else -3.0 - 1.5 * differ
    if ours.numbers and theirs.numbers:
        number = bool(ours.numbers & theirs.numbers)
        score += 5.0 if ours.numbers == theirs.numbers else 2.5 if number else -8.0
    elif ours.numbers or theirs.numbers:
        score -= 2.5
    if score < -9.0:
        # No name can make up for another number and other strengths.
        return _IMPOSSIBLE
    named = _covered(ours.words, theirs.words)
    score += 2.5 * named - 1.0 * (len(ours.words) - named)
    kinds = _covered(theirs.words, ours.words | ours.about | ours.nation)
    score += 0.8 * kinds - 0.4 * (len(theirs.words) - kinds)
    nation = _covered(ours.nation, theirs.about | theirs.words)
    score += 3.0 * nation / len(ours.nation) if ours.nation else 0.0
    return _Fixed(score, strengths, number, named >= 0.6, nation >= 0.6, not (ours.numbers or theirs.numbers))


# ------------------------------------------------------------------------------------------- matching


def match(foreigns: Sequence[Foreign], box: Box) -> tuple[Match, ...]:
    """The likeliest assignment of foreign counters to the game's pieces, each piece at most once, in the order given."""
    return _match(tuple(foreigns), box.data_hash, _Held(box))


class _Held:
    """Keeps a box out of the cache's key: the data hash stands for it."""

    def __init__(self, box: Box) -> None:
        self.box = box

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.box.id == self.box.id


@lru_cache(maxsize=32)
def _match(foreigns: tuple[Foreign, ...], data_hash: str, held: _Held) -> tuple[Match, ...]:
    box = held.box
    setup_places = _setup_places(box)
    ours = [_ours(box, piece, setup_places) for piece in box.pieces]
    theirs = [_theirs(foreign, box.strengths) for foreign in foreigns]
    fixed = [[_fixed(t, o) for o in ours] for t in theirs]
    learned = _Learned()
    scores: list[dict[int, float]] = []
    chosen: dict[int, int] = {}
    strong: dict[int, int] = {}
    for _ in range(_ROUNDS):
        scores = [_scores(t, row, ours, box.pieces, learned) for t, row in zip(theirs, fixed, strict=True)]
        before, chosen = chosen, _assign(scores)
        strong = {i: j for i, j in chosen.items() if fixed[i][j].strong(bool(theirs[i].places & ours[j].places))}
        if chosen == before:
            break
        learned.update([(theirs[i], box.pieces[j], ours[j]) for i, j in sorted(strong.items())])
    if len(strong) < _FAMILIAR * len(box.pieces):
        # Few counters of the game, or another game's: numbers and words agree by chance, printed strengths hardly.
        strong = chosen = {i: j for i, j in strong.items() if fixed[i][j].strengths}
    owners = {j: i for i, j in chosen.items()}
    settled = frozenset(chosen)
    out: list[Match] = []
    for i, foreign in enumerate(foreigns):
        if i not in chosen:
            out.append(Match(foreign, ""))
            continue
        j = chosen[i]
        margin = _margin(i, j, scores, owners, settled)
        sure = max(1, min(99 if i in strong else _WEAK, round(100 / (1 + math.exp(-margin * _CAUTION)))))
        out.append(Match(foreign, box.pieces[j].id, sure, ", ".join(fixed[i][j].words(theirs[i], ours[j]))))
    return tuple(out)


def _scores(theirs: _Side, fixed: Sequence[_Fixed], ours: Sequence[_Side], own: Sequence[Piece], learned: _Learned) -> dict[int, float]:
    """Piece index -> score, only where there is more for a match than against it."""
    found: dict[int, float] = {}
    by_nation: dict[str, float] = {}
    for j, evidence in enumerate(fixed):
        score = evidence.score
        if score < -6.0:
            continue
        nation = own[j].nation
        if nation not in by_nation:
            words = [learned.nation[word, nation] for word in theirs.context if (word, nation) in learned.nation]
            # The clearest word for and the clearest against: repetitions of one fact must not add up.
            by_nation[nation] = max((w for w in words if w > 0), default=0.0) + min((w for w in words if w < 0), default=0.0)
        total = score + by_nation[nation]
        if theirs.places and ours[j].places:
            total += learned.same_place if theirs.places & ours[j].places else learned.other_place
        if total > 2.0:
            found[j] = total
    return found


def _margin(i: int, j: int, scores: Sequence[Mapping[int, float]], owners: Mapping[int, int], settled: frozenset[int]) -> float:
    """How much the whole assignment would lose if this counter were another piece: the cheapest exchange."""
    best = scores[i][j]
    for other, score in scores[i].items():
        if other == j:
            continue
        owner = owners.get(other)
        loss = scores[i][j] - score
        if owner is not None:
            loss += scores[owner].get(other, 0.0) - max(0.0, scores[owner].get(j, 0.0))
        best = min(best, loss)
    for rival, row in enumerate(scores):
        # A counter that is nothing so far could be this piece instead.
        if rival != i and j in row and rival not in settled:
            best = min(best, scores[i][j] - row[j])
    return best


def _setup_places(box: Box) -> dict[str, frozenset[str]]:
    """Piece id -> every hex it is set up in, in any set-up; regions stand for their hexes."""
    regions: dict[str, tuple[str, ...]] = {}
    for row in box.tables.get("regions", ()):
        regions[row.key] = tuple(word for column in row.values for word in row.items(column))
    found: dict[str, set[str]] = {}
    for row in box.tables.get("setups", ()):
        if row.values.get("place") and row.values.get("piece"):
            place = row.text("place")
            found.setdefault(row.text("piece"), set()).update(regions.get(place, (place,)))
    return {piece: frozenset(places) for piece, places in found.items()}


def _assign(scores: Sequence[Mapping[int, float]]) -> dict[int, int]:
    """The assignment with the highest sum; who gains nothing stays alone. Worked out group by group of rivals."""
    chosen: dict[int, int] = {}
    for rows, columns in _groups(scores):
        if len(rows) == 1 and len(columns) == 1:
            chosen[rows[0]] = columns[0]
            continue
        cost = [[-scores[i].get(j, 0.0) for j in columns] + [0.0] * len(rows) for i in rows]
        for a, b in enumerate(_hungarian(cost)):
            if b < len(columns) and columns[b] in scores[rows[a]]:
                chosen[rows[a]] = columns[b]
    return chosen


def _groups(scores: Sequence[Mapping[int, float]]) -> Iterator[tuple[list[int], list[int]]]:
    holders: dict[int, list[int]] = {}
    for i, row in enumerate(scores):
        for j in row:
            holders.setdefault(j, []).append(i)
    seen: set[int] = set()
    for first in range(len(scores)):
        if first in seen or not scores[first]:
            continue
        rows, columns, queue = [], set[int](), [first]
        seen.add(first)
        while queue:
            i = queue.pop()
            rows.append(i)
            for j in scores[i]:
                if j not in columns:
                    columns.add(j)
                    for other in holders[j]:
                        if other not in seen:
                            seen.add(other)
                            queue.append(other)
        yield sorted(rows), sorted(columns)


def _hungarian(cost: Sequence[Sequence[float]]) -> list[int]:
    """Column of each row in the cheapest assignment (rows <= columns): shortest augmenting paths with potentials."""
    n, m = len(cost), len(cost[0])
    u, v = [0.0] * (n + 1), [0.0] * (m + 1)
    owner = [0] * (m + 1)
    way = [0] * (m + 1)
    for row in range(1, n + 1):
        owner[0] = row
        at = 0
        least = [math.inf] * (m + 1)
        used = [False] * (m + 1)
        while True:
            used[at] = True
            i, delta, nearest = owner[at], math.inf, 0
            line, potential = cost[i - 1], u[i]
            for j in range(1, m + 1):
                if not used[j]:
                    reduced = line[j - 1] - potential - v[j]
                    if reduced < least[j]:
                        least[j], way[j] = reduced, at
                    if least[j] < delta:
                        delta, nearest = least[j], j
            for j in range(m + 1):
                if used[j]:
                    u[owner[j]] += delta
                    v[j] -= delta
                else:
                    least[j] -= delta
            at = nearest
            if owner[at] == 0:
                break
        while at:
            owner[at] = owner[way[at]]
            at = way[at]
    out = [0] * n
    for j in range(1, m + 1):
        if owner[j]:
            out[owner[j] - 1] = j - 1
    return out


# ------------------------------------------------------------------------------------------ a module


def adopt(module: Path | bytes | buildfile.Module, box: Box) -> Adoption:
    """Draft a mapping for a foreign module. Raises FormatError when the file is no module."""
    read = module if isinstance(module, buildfile.Module) else buildfile.read_module(module)
    places = Places(box)
    foreigns = foreigns_of_module(read, places)
    notes: list[str] = list(read.notes)
    if len(foreigns) > MAX_FOREIGN:
        notes.append(f"the module has {len(foreigns)} counters; only the first {MAX_FOREIGN} were looked at")
        foreigns = foreigns[:MAX_FOREIGN]
    matches = _own(foreigns, box) or match(foreigns, box)
    found = {m.piece for m in matches}
    missing = tuple(piece.id for piece in box.pieces if piece.id not in found)
    mapping = PieceMap(matches, _places(read, places), _phases(read, box))
    strange = [name for name in _zones(read) if not places.named(name) and name not in {m.name for m in read.maps}]
    if strange:
        notes.append("places beside the map that are no box of the game (write them into the mapping if they are): " + ", ".join(strange))
    return Adoption(mapping, read.name, missing, tuple(notes), _strange(read, matches, box, places))


def _strange(module: buildfile.Module, matches: Sequence[Match], box: Box, places: Places) -> str:
    """Why this seems to be another game's module, "" when it does not: so few counters are surely the game's, or not almost all, and its
    maps name places, but hardly one of the game's."""
    sure = len([match for match in matches if match.sure >= LIKELY])
    of = min(len(matches), len(box.pieces))
    told = f"of its {len(matches)} counters {sure or 'none'} can surely be {'a piece' if sure < 2 else 'pieces'} of {box.title}"
    if not sure or sure * _FEW < of:
        return told
    if sure >= of * _ALMOST_ALL or not places.hexes:
        return ""
    names = _locations(module)
    known = {place for name in names if (place := places.named(name)) in places.hexes}
    if not names or len(known) * _FEW >= len(places.hexes):
        return ""
    return f"{told}, and of the {len(names)} places on its maps {len(known) or 'none'} {'is' if len(known) < 2 else 'are'} of its map"


def _locations(module: buildfile.Module) -> set[str]:
    """The names of all places on a module's maps that its grids give, hex by hex and region by region."""
    found: set[str] = set()
    for board in (board for each in module.maps for board in each.boards):
        for numbered in hex_grids(board.grid):
            found.update(names_at(board.grid, x, y)[0] for x, y in numbered.names().values())
        grid = board.grid
        zones = grid.zones if isinstance(grid, ZonedGrid) else ()
        found.update(zone.name for zone in zones)
        for inner in (grid, grid.background if isinstance(grid, ZonedGrid) else None, *(zone.grid for zone in zones)):
            if isinstance(inner, RegionGrid):
                found.update(region for region, _, _ in inner.regions)
    return found - {""}


def _own(foreigns: Sequence[Foreign], box: Box) -> tuple[Match, ...]:
    """Matches by our own marker, when the module has it; () otherwise."""
    ids = {piece.id for piece in box.pieces}
    marked = [dict(foreign.marks).get(UNIT_MARKER, "") for foreign in foreigns]
    if not any(mark in ids for mark in marked):
        return ()
    return tuple(Match(f, mark, 100, UNIT_MARKER) if mark in ids else Match(f, "") for f, mark in zip(foreigns, marked, strict=True))


def foreigns_of_module(module: buildfile.Module, places: Places) -> list[Foreign]:
    """The counters of a module: at-start slots first, palette slots of the same name and markers joined to them."""
    grouped: dict[tuple[str, tuple[tuple[str, str], ...]], list[buildfile.Slot]] = {}
    for slot in module.slots:
        piece = module.expanded(slot)
        grouped.setdefault((piece.name or slot.name, _marks(piece)), []).append(slot)
    found: list[Foreign] = []
    for (name, marks), slots in grouped.items():
        stands = [slot for slot in slots if slot.at_start]
        spare = [slot for slot in slots if not slot.at_start]
        if len(stands) <= 1:
            found.append(_foreign(module, name, marks, slots, places))
        else:
            found += [_foreign(module, name, marks, [slot], places) for slot in stands]
            found += [_foreign(module, name, marks, [slot], places) for slot in spare[: max(0, len(spare) - len(stands))]]
    return found


def _foreign(
    module: buildfile.Module, name: str, marks: tuple[tuple[str, str], ...], slots: Sequence[buildfile.Slot], places: Places
) -> Foreign:
    context: dict[str, None] = {}
    spots: list[str] = []
    for slot in slots:
        for word in slot.path if not slot.at_start else ():
            context[word] = None
        for trait in slot.piece.traits:
            if trait.id == "prototype":
                context[trait.fields[0]] = None
        if slot.piece.basic.image:
            context[_stem(slot.piece.basic.image)] = None
        on = module.map(slot.map) if slot.at_start else None
        if on is not None:
            location = on.locate(slot.x, slot.y)
            spot = places.spot(Where(location.name, location.zone, on.name))
            if spot.known and spot.name:
                spots.append(spot.name)
    gpids = tuple(dict.fromkeys(slot.gpid for slot in slots if slot.gpid))
    return Foreign(name, marks, gpids, tuple(context), tuple(dict.fromkeys(spots)))


def _stem(image: str) -> str:
    return image.rpartition(".")[0] or image


_NO_WORDS = frozenset({"layer"})


def _marks(piece: pieces.Piece) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in piece.markers().items() if squeeze(name) not in _NO_WORDS)


def foreign_of_piece(piece: pieces.Piece, place: str = "") -> Foreign:
    """A counter as a log shows it: name, markers, slot, picture and what its traits say of boxes; prototypes are expanded there."""
    context: dict[str, None] = {}
    for trait in piece.traits:
        if trait.id == "sendto":
            for word in (trait.field("zone"), trait.field("region")):
                if word and not word.startswith("{"):
                    context[word] = None
    if piece.basic.image:
        context[_stem(piece.basic.image)] = None
    return Foreign(piece.name, _marks(piece), (piece.basic.gpid,) if piece.basic.gpid else (), tuple(context), (place,) if place else ())


def _places(module: buildfile.Module, places: Places) -> dict[str, str]:
    """Zones and maps of the module that are boxes of the game."""
    found = {name: places.named(name) for name in _zones(module)}
    return {name: place for name, place in found.items() if place and place not in places.hexes}


def _zones(module: buildfile.Module) -> list[str]:
    """The names of the module's maps and zones."""
    names: dict[str, None] = {}
    for each in module.maps:
        names[each.name] = None
        for board in each.boards:
            grid = board.grid
            if isinstance(grid, ZonedGrid):
                for zone in grid.zones:
                    names[zone.name] = None
    return list(names)


def _phases(module: buildfile.Module, box: Box) -> dict[str, str]:
    """Phase names of the module's trackers -> force and phase of the row of the game's ``phases`` table whose words agree best."""
    if "phases" not in box.tables:
        return {}
    rows: dict[str, frozenset[str]] = {}
    for row in box.tables["phases"]:
        texts = [row.text(column) for column in ("player_turn", "phase") if column in row.values]
        texts += [_side_name(box, row.text("force"))] if "force" in row.values else []
        both = "force" in row.values and "phase" in row.values
        key = f"{row.text('force')} {row.text('phase')}".strip() if both else row.key
        rows.setdefault(key, frozenset(word for text in texts for word in _words(text.replace("_", " "))[0]))
    found: dict[str, str] = {}
    for tracker in module.trackers:
        for level in _levels(tracker.levels):
            for value in level.values:
                words = _words(value)[0] - {"phase"}
                if not words:
                    continue
                best, chosen = 1.3, ""
                for key, have in rows.items():
                    score = _covered(words, have) / len(words) + _covered(have, words) / max(1, len(have))
                    if score > best:
                        best, chosen = score, key
                if chosen:
                    found[value] = chosen
    return found


def _levels(levels: Iterable[Level]) -> Iterator[Level]:
    for level in levels:
        yield level
        yield from _levels(level.below)


# ------------------------------------------------------------------------------------------------ CSV


def write_csv(adoption: Adoption | PieceMap) -> str:
    """The mapping as CSV: one row a counter, place or phase; ``is`` is empty for what is no piece of the game.

    Edit ``is``; ``sure`` and ``how`` are for you to read.
    """
    mapping = adoption.mapping if isinstance(adoption, Adoption) else adoption
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for m in sorted(mapping.matches, key=lambda m: (not m.piece, m.piece, m.foreign.key, m.foreign.gpids)):
        marks = ";".join(f"{name}={value}" for name, value in m.foreign.marks)
        writer.writerow(("piece", m.foreign.name, marks, " ".join(m.foreign.gpids), m.piece, m.sure or "", m.how))
    for kind, words in (("place", mapping.places), ("phase", mapping.phases)):
        for name, value in sorted(words.items()):
            writer.writerow((kind, name, "", "", value, "", ""))
    return out.getvalue()


class MappingErrors(Exception):
    """Everything wrong with a mapping's CSV: ``errors`` holds one ``file:line:column: ...`` each."""

    def __init__(self, errors: Sequence[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = tuple(errors)


def read_csv(path: Path, box: Box, *, where: str | None = None) -> PieceMap:
    """Read a mapping. Raises MappingErrors with all errors, each with file, line, column and what is allowed."""
    name = where if where is not None else path.as_posix()
    try:
        text, oddities = decode(bounded(path))
        sheet = read_sheet(text, _COLUMNS, oddities)
    except OSError as error:
        raise MappingErrors([f"{name}: cannot be read: {error.strerror or error}"]) from None
    except SheetError as error:
        raise MappingErrors([f"{name}:{error.line}:{error.column}: {error.message}"]) from None
    errors: list[str] = []
    header = {column: index for index, column in enumerate(sheet.header.cells)}
    if missing := [column for column in ("kind", "name", "is") if column not in header]:
        what = f"column {missing[0]} is" if len(missing) == 1 else f"columns {', '.join(missing)} are"
        raise MappingErrors([f"{name}:{sheet.header.number}:1: the {what} missing; allowed: {', '.join(_COLUMNS)}"])
    ids = {piece.id for piece in box.pieces}
    places = Places(box)
    matches: list[Match] = []
    names: dict[str, str] = {}
    phases: dict[str, str] = {}
    users: dict[str, tuple[int, str]] = {}

    for line in sheet.lines:
        cells = {column: line.cells[index] if index < len(line.cells) else "" for column, index in header.items()}

        def wrong(column: str, message: str, line: Line = line) -> None:
            errors.append(f"{name}:{line.number}:{column_of(sheet, line, header[column])}: {message}")

        kind, value = cells["kind"], cells["is"]
        if kind == "piece":
            if value and value not in ids:
                wrong("is", f"`{value}` is no piece of {box.title}; allowed: a piece id such as {min(ids, default='')}, or nothing")
            elif not cells["name"]:
                wrong("name", "is empty; allowed: the counter's name in the module")
            else:
                first, known = users.setdefault(value, (line.number, cells["name"])) if value else (0, "")
                if value and first != line.number and (known != cells["name"] or not cells.get("gpids")):
                    wrong("is", f"`{value}` is used in line {first} already; allowed: each piece once")
                matches.append(Match(_read_foreign(cells), value, _percent(cells.get("sure", "")), cells.get("how", "")))
        elif kind == "place":
            if not places.named(value):
                boxes = ", ".join(sorted(set(places.aliases.values())))
                wrong("is", f"`{value}` is no hex or box of {box.title}; allowed: {boxes}, or a hex")
            else:
                names[cells["name"]] = places.named(value)
        elif kind == "phase":
            phases[cells["name"]] = value
        else:
            wrong("kind", f"`{kind}`; allowed: piece, place, phase")
    if errors:
        raise MappingErrors(errors)
    return PieceMap(tuple(matches), names, phases)


def _read_foreign(cells: Mapping[str, str]) -> Foreign:
    marks = tuple((key, value) for pair in cells.get("marks", "").split(";") if pair for key, _, value in (pair.partition("="),))
    return Foreign(cells["name"], marks, tuple(cells.get("gpids", "").split()))


def _percent(text: str) -> int:
    return int(text) if text.isdecimal() and int(text) <= 100 else 0
