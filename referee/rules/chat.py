"""Chat as evidence: units, hexes and odds that a player names, in whatever language stands around them. Pure.

Nothing here knows a phrase of any language: a line is read for numbers, names of the box's units, hex numbers and ratios. What is not
named clearly stays open, and the reading decides with the table what was meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeVar

from gamebox.value import Value

T = TypeVar("T")

_STRENGTHS: Final = re.compile(r"(?<!\w)\d{1,2}\s*-\s*\d{1,2}\s*-\s*\d{1,2}\b")
_ODDS: Final = re.compile(r"\b(\d{1,3})\s*[:-]\s*(\d{1,3})\b(?!\s*-\s*\d)")
_HEX: Final = re.compile(r"(\d\d\d\d(?<![\d.]\d{4})(?!\d|\.\d))")
"""Begins with one sign and looks back behind the digits: sought for in a third of the time."""
_ENUMERATOR: Final = re.compile(
    r"(?:^|(?<=[\s,;(#]))"
    r"(?:[a-h]\s?[).]|\d{1,2}\s?(?:[)]|:(?!\d))|(?<=#)\d{1,2}|\d{1,2}\.(?=\s+\d{1,2}\s+[^\W\d_]))(?=\s|$)"
)
"""The number of an item of a list: "a)", "2)", "2:", "#2", "2. 8 Gds"."""
_COUNTED: Final = re.compile(r"\b\d{1,2}:(\s+)(\d{1,3})(?:\s+([^\W\d_]+)|(?=\s*(?:[,+/&]|$)))")
"""A number of a list with a unit behind it ("3: 8 Gds", "2: 47, 58"), or odds."""
_PART: Final = re.compile(r"[^,;+/&]+")
"""What stands between the signs that part a list."""
_RUN: Final = re.compile(r"\d+[^\d,;:+/&]*|[^\d,;:+/&]+")
"""A number with the words behind it, up to the next number or to what parts a list, or words without a number."""
_TOKEN: Final = re.compile(r"\d+|[^\W\d_]+", re.UNICODE)


_ROMAN: Final = re.compile(r"(?<![^\W_])(?<!\d\s)(X{0,3}|XL|LX{0,3})(IX|IV|VI{0,3}|I{1,3})?(?![^\W_])(?:(?=\s*\.?\s+([^\W\d_]+)))?")
"""A number in Roman capitals, 1 to 89, and the word behind it."""
_ROMANS: Final = {"X": 10, "XX": 20, "XXX": 30, "XL": 40, "L": 50, "LX": 60, "LXX": 70, "LXXX": 80} | {
    word: value + 1 for value, word in enumerate(("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"))
}
_BODIES: Final = ("corp", "korp", "arme", "armi", "army", "divi", "brig", "regi", "bata")
"""How the words for bodies of troops begin."""
_ROMAN_WORD: Final = re.compile(r"[IVXL](?<![^\W_][IVXL])[IVXL]*(?![^\W_])")
"""Where a line has none, it has no number in them: few lines do. Looks back behind the letter, as above."""


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


def _hidden(m: re.Match[str]) -> str:
    """As many signs that mean nothing: what stands behind keeps its place."""
    return "#" * len(m.group())


def _where(hexed: tuple[str, int]) -> int:
    return hexed[1]


_MOST_KEPT: Final = 1 << 12


def _kept(known: dict[str, T], word: str, work_out: Callable[[str], T]) -> T:
    """What was worked out for a word before, else now; forgotten when very many different words were said."""
    if word in known:
        return known[word]
    if len(known) >= _MOST_KEPT:
        known.clear()
    known[word] = found = work_out(word)
    return found


class Mention(Value, frozen=True):
    """One naming of a unit: everything it can mean, the best match first; ``exact`` when a name beside the number fixed it."""

    units: tuple[str, ...]
    exact: bool
    at: int


class Part(Value, frozen=True):
    """What a part of a line says wherever it stands, hexes apart; the places are counted from where it begins."""

    mentions: tuple[Mention, ...]
    cities: tuple[tuple[str, int], ...]
    """The hexes of the named places, and where their names stand."""
    odds: tuple[tuple[int, int], ...]
    numbers: tuple[int, ...]
    words: frozenset[str]


class Line(Value, frozen=True):
    """What one line of chat names."""

    mentions: tuple[Mention, ...]
    hexes: tuple[str, ...]
    hex_at: tuple[int, ...]
    odds: tuple[tuple[int, int], ...]
    numbers: tuple[int, ...]
    """Every number of the line besides hexes, strengths and odds: a sum that somebody says may be among them."""
    words: frozenset[str]
    """Every word of the line, whatever it is part of, in small letters and without accents."""
    text: str
    """The line itself, the numbers of units in Roman capitals as digits: places are counted in it."""


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
    _vocabulary: frozenset[str] = frozenset()
    """Every word and whole name that a unit goes by, numbers apart."""
    _spelled: dict[str, frozenset[str]] = field(default_factory=dict)
    """A word said -> the words of the vocabulary that it may spell, once asked: logs say the same few words over and over."""
    _begun: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """A word said -> the units without a number whose name it is or begins, once asked."""
    _goes_with: dict[str, bool] = field(default_factory=dict)
    """"NUMBER WORD" as said -> whether the word can belong to the number, once asked."""
    _meant: dict[str, tuple[tuple[str, ...], bool]] = field(default_factory=dict)
    """"NUMBER WORD ..." as said -> what it means, once asked."""
    _cited: dict[str, str] = field(default_factory=dict)
    """A word said -> the hex of the one place that it names, "" for none, once asked."""
    _parts: dict[str, Part] = field(default_factory=dict)
    """A part of a line with the signs around it -> what it says, once asked: one unit is called the same again and again."""

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
        said = {w for of in (*self.called.values(), *self.kin.values()) for w in of if not w.isdigit()}
        self._vocabulary = frozenset((*said, *(whole for _, whole in self._own.values())))

    def read(self, text: str, is_hex: Callable[[str], bool]) -> Line:
        """Takes a line apart. A mention is a number with the words right behind it, or the name of a unit that has no number."""
        text = self.arabic(text)
        bare = plain(text)
        hexes: list[tuple[str, int]] = []
        cut: list[str] = _HEX.split(bare)
        at = 0
        for i, piece in enumerate(cut):  # every other one is such a number
            if i & 1 and is_hex(piece):
                hexes.append((piece, at))
            at += len(piece)
        bare = "0000".join(cut[::2])  # whatever is attacked, the parts of the line say the same
        mentions: list[Mention] = []
        odds: list[tuple[int, int]] = []
        numbers: list[int] = []
        spoken: frozenset[str] = frozenset()
        cities = False
        for m in _PART.finditer(bare):
            begin, end = m.span()
            at = begin - 1 if begin else 0
            part = _kept(self._parts, bare[at : end + 1], self._part)
            for mention in part.mentions:
                mentions.append(Mention(mention.units, mention.exact, at + mention.at) if at else mention)
            for place, where in part.cities:
                hexes.append((place, at + where))
                cities = True
            odds += part.odds
            numbers += part.numbers
            spoken |= part.words
        if cities:
            hexes.sort(key=_where)
        places = tuple([at for _, at in hexes])
        return Line(tuple(mentions), tuple([h for h, _ in hexes]), places, tuple(odds), tuple(numbers), spoken, text)

    def arabic(self, text: str) -> str:
        """The line with the numbers of units in Roman capitals as digits ("XIX Corps"); what stands behind keeps its place. One letter
        alone is a number only before a word that goes with it ("V US", never "I attack"), and never an X, which is also a sign."""
        return _ROMAN.sub(self._in_digits, text) if _ROMAN_WORD.search(text) else text

    def _in_digits(self, m: re.Match[str]) -> str:
        said = m[1] + (m[2] or "")
        value = str(_ROMANS.get(m[1], 0) + _ROMANS.get(m[2] or "", 0))
        if not said or said == "X" or value not in self._by_number:
            return m.group()
        word = plain(m[3] or "")
        if len(said) == 1 and not (word and (word.startswith(_BODIES) or _kept(self._goes_with, f"{value} {word}", self._may_follow))):
            return m.group()
        return value.ljust(len(said))

    def _part(self, said: str) -> Part:
        """What a part of a line says. Nothing that is sought for reaches over the signs around it, which are there to be looked at."""
        bare = _STRENGTHS.sub(_hidden, said)
        bare = _COUNTED.sub(self._uncounted, bare)
        odds = tuple([(int(m[1]), int(m[2])) for m in _ODDS.finditer(bare)])
        bare = _ENUMERATOR.sub(_hidden, _ODDS.sub(_hidden, _HEX.sub("####", bare)))
        mentions: list[Mention] = []
        cities: list[tuple[str, int]] = []
        numbers: list[int] = []
        for m in _RUN.finditer(bare):
            tokens = [(token.group(), m.start() + token.start()) for token in _TOKEN.finditer(m.group())]
            mentions += self._mentions(tokens)
            for word, at in tokens if self.places else ():
                if not word.isdigit() and len(word) >= 4 and (place := _kept(self._cited, word, self._place)):
                    cities.append((place, at))
            numbers += [int(word) for word, _ in tokens if word.isdigit()]
        return Part(tuple(mentions), tuple(cities), odds, tuple(numbers), frozenset([word for word in words(said) if not word.isdigit()]))

    def _uncounted(self, m: re.Match[str]) -> str:
        """The text without the number of the list, where what follows is a unit's name."""
        number = m[2].lstrip("0")
        named = number in self._by_number
        if named and (_kept(self._goes_with, f"{number} {m[3]}", self._may_follow) if m[3] else len(number) > 1):
            return "#" * (m.start(1) - m.start()) + m.group()[m.start(1) - m.start() :]
        return m.group()

    def _mentions(self, tokens: Sequence[tuple[str, int]]) -> list[Mention]:
        """The units named in a run of words and numbers, each with its place."""
        mentions: list[Mention] = []
        i = 0
        while i < len(tokens):
            word, at = tokens[i]
            number = word.lstrip("0") if word.isdigit() else word
            if number in self._by_number:
                following: list[str] = []
                for name, _ in tokens[i + 1 :]:
                    if name.isdigit() or not _kept(self._goes_with, f"{number} {name}", self._may_follow):
                        break
                    following.append(name)
                units, exact = _kept(self._meant, " ".join((number, *following)), self._numbered)
                mentions.append(Mention(units, exact, at))
                i += 1 + len(following)
                continue
            wordy = _kept(self._begun, word, self._begins)
            if wordy:
                mentions.append(Mention(wordy, len(wordy) == 1, at))
            i += 1
        return mentions

    def _begins(self, word: str) -> tuple[str, ...]:
        """The units without a number whose name the word is, or begins."""
        return tuple(u for u, names in self._wordy.items() if names and (names[0] == word or self._glued(u, names, word)))

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

    def _place(self, word: str) -> str:
        """The hex of the one named place that a word means, "" for none."""
        named = [h for name, h in self.places.items() if word == name or (word[:4] == name[:4] and len(name) > 5 and len(word) > 5)]
        return named[0] if len(named) == 1 else ""

    def _spells(self, word: str) -> frozenset[str]:
        """The words of the vocabulary that a word may spell."""
        return frozenset(w for w in self._vocabulary if same_word(word, w))

    def _fits(self, unit: str, word: str) -> int:
        """How well a word fits a unit: 5 its whole name run together, 4 one word of its name as written, 3 another spelling of either,
        2 and 1 the same for its kin."""
        own, whole = self._own[unit]
        if word == whole:
            return 5
        if word in own:
            return 4
        spelled = _kept(self._spelled, word, self._spells)
        if not spelled.isdisjoint(own) or (len(own) > 1 and whole in spelled):
            return 3
        kin = self.kin.get(unit, ())
        return 2 if word in kin else 1 if not spelled.isdisjoint(kin) else 0

    def _may_follow(self, said: str) -> bool:
        """Whether the word behind a number fits one of the units of that number."""
        number, word = said.split(" ")
        return any(self._fits(u, word) for u in self._by_number[number])

    def _numbered(self, said: str) -> tuple[tuple[str, ...], bool]:
        """What a number with the words behind it means: everything that it can, the best first, and whether a name fixed it."""
        number, *following = said.split(" ")
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
            return tuple(u for _, _, u in scored), False
        # "5 Gds" names the unit that is called just that, not the longer "5 Gds Tk"; the others stay as second meanings
        top = [u for h, s, u in scored if h == hits and s == unsaid]
        rest = [u for h, _, u in scored if h and u not in top]
        return (*top, *rest), len(top) == 1
