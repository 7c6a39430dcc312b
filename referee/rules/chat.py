"""Chat as evidence: units, hexes and odds that a player names, in whatever language stands around them. Pure.

Nothing here knows a phrase of any language: a line is read for numbers, names of the box's units, hex numbers and ratios. What is not
named clearly stays open, and the reading decides with the table what was meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

_STRENGTHS = re.compile(r"\b\d{1,2}\s*-\s*\d{1,2}\s*-\s*\d{1,2}\b")
_ODDS = re.compile(r"\b(\d{1,3})\s*[:-]\s*(\d{1,3})\b(?!\s*-\s*\d)")
_HEX = re.compile(r"(?<![\d.])\d{4}(?!\d|\.\d)")
_ENUMERATOR = re.compile(r"(?:^|(?<=[\s,;(#]))(?:[a-h]\s?[).]|\d{1,2}\s?(?:[)]|:(?!\d)))(?=\s|$)")
_CUT = re.compile(r"[,;:+/&]")
_TOKEN = re.compile(r"\d+|[^\W\d_]+", re.UNICODE)


def plain(text: str) -> str:
    """Lower case, without accents."""
    low = text.casefold()
    return low if low.isascii() else "".join(c for c in unicodedata.normalize("NFKD", low) if not unicodedata.combining(c))


def words(text: str) -> tuple[str, ...]:
    """Numbers and words of a name or a line, in order: ``10 Gds`` -> ("10", "gds")."""
    return tuple(_TOKEN.findall(plain(text)))


def name_words(text: str) -> tuple[str, ...]:
    """The words of a counter's name without its strengths: ``8 (US) 4-8-6`` -> ("8", "us")."""
    return words(_STRENGTHS.sub(" ", plain(text)))


@dataclass(frozen=True, slots=True)
class Mention:
    """One naming of a unit: everything it can mean, the best match first; ``exact`` when a name beside the number fixed it."""

    units: tuple[str, ...]
    exact: bool
    at: int


@dataclass(frozen=True, slots=True)
class Line:
    """What one line of chat names."""

    mentions: tuple[Mention, ...] = ()
    hexes: tuple[str, ...] = ()
    hex_at: tuple[int, ...] = ()
    odds: tuple[tuple[int, int], ...] = ()
    numbers: tuple[int, ...] = ()
    """Every number of the line besides hexes, strengths and odds: a sum that somebody says may be among them."""


def abbreviates(short: str, long: str) -> bool:
    """``short`` is made of letters of ``long`` in their order, beginning with the same one, and holds no vowel (``gtk`` of gdstk)."""
    if len(short) < 2 or len(short) >= len(long) or short[0] != long[0] or any(c in "aeiouy" for c in short):
        return False
    rest = iter(long)
    return all(c in rest for c in short)


@lru_cache(maxsize=1 << 13)
def same_word(a: str, b: str) -> bool:
    """Two spellings of one word: equal; one begins the other (three letters or more); four letters in common at the start; or
    a consonant abbreviation (``gds`` for guards, ``bde`` for brigade)."""
    if a == b:
        return True
    short, long = sorted((a, b), key=len)
    if len(short) >= 3 and long.startswith(short):
        return True
    if len(short) >= 4 and long[:4] == short[:4]:
        return True
    return len(long) >= 4 and abbreviates(short, long)


@dataclass(slots=True)
class Names:
    """The names by which a game's units can be called. ``called[unit]``: the words of its own name; ``kin[unit]``: words that
    help to tell it (nation, side), but are no part of the name."""

    called: dict[str, tuple[str, ...]]
    kin: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    """Named places: one plain word -> its hex."""
    _by_number: dict[str, list[str]] = field(default_factory=dict)
    _wordy: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _own: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    """unit -> the words of its name that are no numbers, apart and run together."""
    _fit: dict[tuple[str, str], int] = field(default_factory=dict)
    """(unit, word) -> how well it fits, once asked: a log says the same few words over and over."""

    def __post_init__(self) -> None:
        shared = Counter(word for names in self.called.values() for word in set(names))
        for unit, names in self.called.items():
            numbers = [w for w in names if w.isdigit()]
            own_words = tuple(w for w in names if not w.isdigit())
            self._own[unit] = own_words, "".join(own_words)
            for number in numbers:
                self._by_number.setdefault(number, []).append(unit)
            if not numbers:
                # from its first word that no other unit is called by: "EG HG" goes by "hg", "HG Pz Krps" too
                own = next((at for at, word in enumerate(names) if shared[word] == 1), 0)
                self._wordy[unit] = names[own:]

    def read(self, text: str, is_hex: Callable[[str], bool]) -> Line:
        """Takes a line apart. A mention is a number with the words right behind it, or the name of a unit that has no number."""
        bare = plain(text)
        hexes = [(m.group(), m.start()) for m in _HEX.finditer(bare) if is_hex(m.group())]
        hexes += self._cities(bare)
        hexes.sort(key=lambda h: h[1])
        bare = _STRENGTHS.sub(lambda m: "#" * len(m.group()), bare)
        odds = tuple((int(m[1]), int(m[2])) for m in _ODDS.finditer(bare))
        for pattern in (_HEX, _ODDS, _ENUMERATOR):
            bare = pattern.sub(lambda m: "#" * len(m.group()), bare)
        tokens = [(m.group(), m.start()) for m in _TOKEN.finditer(bare)]
        mentions: list[Mention] = []
        i = 0
        while i < len(tokens):
            word, at = tokens[i]
            number = word.lstrip("0") if word.isdigit() else word
            if number in self._by_number:
                following: list[str] = []
                for name, place in tokens[i + 1 :]:
                    between = bare[tokens[i + len(following)][1] + len(tokens[i + len(following)][0]) : place]
                    if name.isdigit() or _CUT.search(between) or not any(self._fits(u, name) for u in self._by_number[number]):
                        break
                    following.append(name)
                mentions.append(self._numbered(number, following, at))
                i += 1 + len(following)
                continue
            wordy = [u for u, names in self._wordy.items() if names and (names[0] == word or self._glued(u, names, word))]
            if wordy:
                mentions.append(Mention(tuple(wordy), len(wordy) == 1, at))
            i += 1
        numbers = tuple(int(t) for t, _ in tokens if t.isdigit())
        return Line(tuple(mentions), tuple(h for h, _ in hexes), tuple(a for _, a in hexes), odds, numbers)

    def _glued(self, unit: str, names: tuple[str, ...], word: str) -> bool:
        """The word is the name run together, as far as it goes, with or without what it is beside its name ("hgpz" for HG or HG Pz)."""
        first = names[0]
        if len(word) <= len(first) or not word.startswith(first):
            return False
        return "".join(names).startswith(word) or self._of_kin(unit, word[len(first) :])

    def _of_kin(self, unit: str, rest: str) -> bool:
        """The letters are one or more words that go with the unit's name."""
        kin = [w for w in (*self.called[unit], *self.kin.get(unit, ())) if len(w) > 1 and not w.isdigit()]
        if any(rest == w or (len(rest) > 2 and same_word(rest, w)) for w in kin):
            return True
        return any(rest.startswith(w) and self._of_kin(unit, rest[len(w) :]) for w in kin)

    def _cities(self, bare: str) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        for m in _TOKEN.finditer(bare) if self.places else ():
            word = m.group()
            if word.isdigit() or len(word) < 4:
                continue
            named = [h for name, h in self.places.items() if word == name or (word[:4] == name[:4] and len(name) > 5 and len(word) > 5)]
            if len(named) == 1:
                found.append((named[0], m.start()))
        return found

    def _fits(self, unit: str, word: str) -> int:
        """How well a word fits a unit: 5 its whole name run together, 4 one word of its name as written, 3 another spelling of either,
        2 and 1 the same for its kin."""
        known = self._fit.get((unit, word))
        if known is None:
            known = self._fit[unit, word] = self._how_well(unit, word)
        return known

    def _how_well(self, unit: str, word: str) -> int:
        own, whole = self._own[unit]
        if word == whole:
            return 5
        if word in own:
            return 4
        if any(same_word(word, w) for w in own) or (len(own) > 1 and same_word(word, whole)):
            return 3
        kin = self.kin.get(unit, ())
        return 2 if word in kin else 1 if any(same_word(word, w) for w in kin if not w.isdigit()) else 0

    def _numbered(self, number: str, following: list[str], at: int) -> Mention:
        scored: list[tuple[int, int, str]] = []
        for unit in self._by_number[number]:
            own, whole = self._own[unit]
            hits = sum(self._fits(unit, word) for word in following)
            said_whole = any(word == whole or (len(own) > 1 and abbreviates(word, whole)) for word in following)
            unsaid = 0 if said_whole else sum(not any(same_word(w, f) for f in following) for w in own)
            scored.append((-hits, unsaid, unit))
        scored.sort()
        hits, unsaid, _ = scored[0]
        if not following or not hits:
            return Mention(tuple(u for _, _, u in scored), False, at)
        # "5 Gds" names the unit that is called just that, not the longer "5 Gds Tk"; the others stay as second meanings
        top = [u for h, s, u in scored if h == hits and s == unsaid]
        rest = [u for h, _, u in scored if h and u not in top]
        return Mention((*top, *rest), len(top) == 1, at)
