"""What the players of a Combat Phase said: the attacks that chat lines and the module's own marks declare.

"A + B on 1, C on 2" are two attacks, "A and B on 1 and 2" is one on two hexes, "1: A, B" names its hex first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from msgspec.structs import replace

from gamebox.tabletalk import TalkError
from gamebox.tabletalk import decode as parse_talk
from referee.games.battle_for_germany.position import FORCES, Board, board
from referee.games.battle_for_germany.reading_movement import Marches
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos
from referee.rules.chat import Line, Mention
from referee.rules.events import TableEvent
from referee.rules.reading import Stint


class Declaration:
    """An attack as somebody announced it, or as the module's own marks do (``marked``); ``odds`` and ``numbers``: those of its line."""

    __slots__ = (
        "exact",
        "foreign",
        "marked",
        "named",
        "numbers",
        "odds",
        "sole_number",
        "spare",
        "stacked",
        "step",
        "sure",
        "targets",
        "trailing",
        "units",
        "unread",
    )

    def __init__(self, step: int, odds: tuple[tuple[int, int], ...] = (), numbers: tuple[int, ...] = (), *, marked: bool = False) -> None:
        self.step = step
        self.units: list[tuple[int, ...]] = []
        """Per attacker everything that its name can mean, the best first."""
        self.sure: list[bool] = []
        """Per entry of ``units`` whether a name fixed it."""
        self.exact = True
        """A name fixed them all."""
        self.targets: tuple[int, ...] = ()
        self.named: tuple[int, ...] = ()
        """The attacked units that are named."""
        self.odds = odds
        self.numbers = numbers
        self.foreign = False
        """By units of another force than the phase's: an attack only if something came of it."""
        self.unread = ""
        """A word of the line that stands where a unit's name would and is none that we know."""
        self.marked = marked
        self.sole_number = False
        """A hex and behind it one bare number: a unit's, or the sum of the attackers."""
        self.stacked: frozenset[int] = frozenset()
        """Those of ``units`` for which only their hex stands ("2104 + 19 US on 2105"): some of them may have stayed out."""
        self.spare: frozenset[int] = frozenset()
        """Those of ``units`` for which a bare number stands that is no item of a list ("need a 3"): it may be none of a unit."""
        self.trailing: tuple[int, ...] = ()
        """Units named behind what is attacked ("A on 1 with B"): they may have taken part."""


_STRENGTHS: Final = re.compile(r"(?<!\w)\d{1,2}\s*-\s*\d{1,2}\s*-\s*\d{1,2}\b")
_PIECES: Final = re.compile(r"([,;+/&():]|\d\d\d\d(?<!\d\d{4})(?!\d))")
"""What parts the pieces of a line, hexes among it."""
_JOINED: Final = re.compile(r"([^\W\d_]{2,})\s+(?:and|und|et|i|y|oraz|plus)\s+$", re.IGNORECASE)
_JOINS: Final = re.compile(r"\b(?:and|und|et|i|y|oraz|plus)\s+([^\W\d_]{2,})", re.IGNORECASE)
ACTS: Final = frozenset(("move", "place", "remove"))
_APART: Final = re.compile(r"[,;+/&.]|\b(?:and|und|et|i|y|oraz|plus|with|mit|avec|con|z)\b", re.IGNORECASE)
"""Between a unit and a hex: they are two things, and the hex is not where the unit stands."""
_WITHOUT: Final = re.compile(r"\b(?:not|without|except|nicht|ohne|sans|sauf|bez|nie|sin|senza|zonder|niet)\b[^,;.:()]*", re.IGNORECASE)
_STAYS: Final = re.compile(
    r"\b(?:stays?|holds?|remains?|bleibt|bleiben|zostaje|zostają|restent?|reste|quedan?|blijft|blijven)\b", re.IGNORECASE
)
_OUT: Final = frozenset(
    "not without except nicht ohne sans sauf bez nie sin senza zonder niet stay stays hold holds remain remains bleibt bleiben "
    "zostaje zostaja reste restent queda quedan blijft blijven".split()
)
"""The words of both, as a line's words are written: they are looked for only where one of them is said."""
_NEARBY: Final = frozenset(
    "near by beside next around towards toward north south east west outside bei nahe neben richtung nordlich sudlich ostlich westlich "
    "um kolo obok przy pod blisko pres cerca vicino".split()
)
"""Beside the name of a city: what is meant may stand in another hex."""
_ALSO: Final = re.compile(
    r"(?:\s+\w+)?\s*[,;]\s*[^,;.!?]*?\b(?:too|also|as well|likewise|auch|ebenso|ebenfalls|też|tez|aussi|también|tambien|ook)\b",
    re.IGNORECASE,
)
"""Who else stays, behind one who does: "A stays, B too"."""
_SENTENCE: Final = re.compile(r"[;!?]|(?:(?<!\d)|(?<=\d{4}))\.")
_CLAUSE: Final = re.compile(r"[,;!?()]|(?:(?<!\d)|(?<=\d{4}))\.")
_ADDED: Final = re.compile(r"\d{1,2}(?:\s*\+\s*\d{1,2})+\s*=\s*\d{1,3}|\(\s*\d{1,2}(?:\s*\+\s*\d{1,2})+(?=\s*[=:)])[^()]*\)?")
"""Strengths added up: "7+6=13", "(7+6)"."""
_BEFORE: Final = re.compile(r"(?:[,+/&]|\b(?:and|und|et|i|y|oraz|plus|e))\s*$", re.IGNORECASE)
_BEHIND: Final = re.compile(r"\d+\.?\s*(?:[+/&]|,\s*\d|(?:and|und|et|i|y|oraz|plus|e)\b)", re.IGNORECASE)
"""What makes a bare number an item of a list."""
_FROM: Final = re.compile(r"\b(?:from|by|with|aus|von|durch|mit|z|ze|od|par|avec|depuis|da|de|desde|con)\s*$", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d{1,2}(?!\s*\.?\s*[^\W\d_])")
_FOUR: Final = re.compile(r"\d{4}")
_place = itemgetter(0)
_JOINING: Final = frozenset(("and", "und", "et", "i", "y", "oraz", "plus"))
"""Without one of these words neither of them can be found in ASCII letters; seen at once, where the two take long."""
_AND: Final = frozenset("+/&")
_NAME_LENGTH: Final = 16
"""Characters from a number to the strengths of its unit."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


def unread_name(text: str, line: Line) -> str:
    """A word that stands in a list of units where a name would, and is read as none; "" when there is none.

    Such a word never accuses: it only keeps an attack from being judged on the units that were understood.
    """
    cut: list[str] = _PIECES.split(text)
    pieces, marks = cut[::2], ["", *cut[1::2], ""]  # before piece i stands marks[i], behind it marks[i + 1]
    places = [m.at for m in line.mentions]
    begin = 0
    named: list[Sequence[int]] = []
    """Per piece where in it units are named."""
    for i, piece in enumerate(pieces):
        begin += len(marks[i])
        named.append([at - begin for at in places if begin <= at < begin + len(piece)])
        begin += len(piece)
    listed_on = not text.isascii() or not _JOINING.isdisjoint(line.words)
    for i, piece in enumerate(pieces):
        if not named[i]:
            if not piece or piece.isspace():
                continue
            strong = _STRENGTHS.search(piece) if "-" in piece else None
            called: list[str] = [] if strong is None else _WORD.findall(piece[: strong.start()])
            ahead, follows = marks[i], marks[i + 1]
            before, behind = i > 0 and bool(named[i - 1]), i + 1 < len(named) and bool(named[i + 1])
            joined = (ahead in _AND and before) or (follows in _AND and behind)
            listed = ahead == "," and before and follows == "," and behind
            aimed = ahead == "," and before and follows.isdigit()
            first = i == 0 and follows == "," and behind
            if not (called or joined or listed or aimed or first):
                continue
            bare = piece if strong is None else _STRENGTHS.sub(" ", piece)
            found: list[str] = _WORD.findall(bare)
            if not found or any(map(str.isdigit, bare)):
                continue
            if called:  # a name with strengths behind it
                return called[-1]
            if joined:
                return found[0] if before else found[-1]
            # one small word between a comma and a hex is "on" in some language
            aimed = aimed and (len(found) > 1 or found[0].isupper())
            first = first and len(found) == 1 and found[0].isupper() and found[0] != "OK"
            if listed or aimed or first:
                return found[0]
        elif listed_on:
            for here, following in zip(named[i], named[i][1:], strict=False):
                if between := _JOINS.search(piece[here:following]):
                    return str(between[1])
            join = _JOINED.search(piece[: named[i][0]]) or _JOINS.search(piece[named[i][-1] :])
            if join:
                return str(join[1])
    return ""


def left_out(text: str) -> list[tuple[int, int]]:
    """Where a line speaks of units that do not take part ("not with A", "A and B stay out"): (begin, end) of each such stretch.

    They are only no longer the attackers that are read first: where what was done asks for them, they did take part.
    """
    found = [m.span() for m in _WITHOUT.finditer(text)]
    for m in _STAYS.finditer(text):
        begin = max((x.end() for x in _SENTENCE.finditer(text, 0, m.start())), default=0)
        if _FOUR.search(text, begin, m.start()):  # what is attacked stands in the same sentence
            begin = max((x.end() for x in _CLAUSE.finditer(text, 0, m.start())), default=0)
        also = _ALSO.match(text, m.end())
        found.append((begin, also.end() if also else m.end()))
    return found


def alone(g: Setting, p: Pos, hexes: Sequence[int], foes: Sequence[int]) -> tuple[int, ...]:
    """Where 18/6.3 is played: the named units that do not make up all that stands in their hex."""
    if not g.terms.partial:
        return ()
    here = board(p, g.land)
    return tuple(sorted(u for u in set(foes) if p.at[u] in hexes and not set(here.there(p.at[u])) <= set(foes)))


class _Groups:
    """Puts the attacks of one chat line together while it is read from left to right."""

    def __init__(self, step: int, line: Line) -> None:
        self.step = step
        self.line = line
        self.done: list[Declaration] = []
        self.hex_first = False
        self.attacked: list[int] = []
        self.foes: list[int] = []
        """The attacked units that are named."""
        self.ahead: list[int] = []
        """The hexes of those that are named before the attackers of the group ("8 Krps: A, B; 46 Pz: C")."""
        self.fresh: list[int] = []
        """The hexes of those that are named behind the attackers of the group."""
        self._loose: list[tuple[int, ...]] = []
        """Bare numbers behind a hex: attackers of the next group if another hex follows, else a sum or a comment."""
        self.current = self._open()

    def _open(self) -> Declaration:
        return Declaration(self.step, self.line.odds, self.line.numbers)

    def _push(self) -> None:
        if self.current.targets:
            self.done.append(self.current)
        self.current = self._open()
        self.ahead, self.fresh = [], []

    def foe(self, node: int, unit: int) -> None:
        """An attacked unit is named, in the hex that is attacked with it."""
        self.attacked.append(node)
        self.foes.append(unit)
        now = self.current
        if now.units and not now.targets and self.ahead and node not in self.ahead:
            now.targets = tuple(sorted(set(self.ahead)))
            self._push()
        (self.fresh if self.current.units else self.ahead).append(node)

    def aim(self, node: int) -> None:
        """A hex that can be attacked is named."""
        now = self.current
        if not now.units and not now.targets and not self.done:
            self.hex_first = True
        if (self.hex_first and now.units and now.targets) or (self._loose and now.targets):
            self._push()
            self.current.units, self.current.exact = list(self._loose), not self._loose
            self.current.sure = [False] * len(self._loose)
        self._loose = []
        self.current.targets = tuple(sorted({*self.current.targets, node}))

    def attacker(self, units: tuple[int, ...], *, exact: bool, close: bool) -> None:
        """A unit of the phasing force is named: everything it can mean, the best first."""
        now = self.current
        if not self.hex_first and now.units and not now.targets and self.fresh:  # "A on 8 Krps, B on ..."
            now.targets = tuple(sorted(set(self.fresh)))
            self._push()
            now = self.current
        if not self.hex_first and now.units and now.targets:
            if not exact:
                self._loose.append(units)
                return
            self._push()
            now = self.current
            now.units, now.sure, now.exact = list(self._loose), [False] * len(self._loose), not self._loose
            self._loose = []
        elif now.targets and not exact and not close:
            return
        now.units.append(units)
        now.sure.append(exact)
        now.exact = now.exact and exact

    def close(self) -> list[Declaration]:
        """The attacks of the line."""
        now = self.current
        if not now.targets and now.units:
            now.targets = tuple(sorted({*self.ahead, *self.fresh} if self.done else set(self.attacked)))
        if now.units and not now.targets and self.done:  # "A on 1 with B"
            self.done[-1].trailing = tuple(units[0] for units in now.units)
        return [*self.done, now] if now.targets else self.done


class _Moment:
    """How far the acts of the phase were gone through from one position: lines are mostly read in their order."""

    __slots__ = ("at", "board", "count", "p", "step")

    def __init__(self, p: Pos, here: Board) -> None:
        self.p = p
        self.step = 0
        self.count = 0
        self.at = list(p.at)
        self.board = here


class Declarations:
    """Reads what one Combat Phase's players announced."""

    def __init__(self, reader: Marches, stint: Stint, force: int) -> None:
        self.r = reader
        self.g = reader.g
        self.stint = stint
        self.force = force
        self.text = ""
        """The chat line being read."""
        self.gone: list[tuple[int, int, int]] | None = None
        """Who went where in the phase, once asked."""
        self.moment: _Moment | None = None
        self.lines: dict[str, Line] = {}
        """What the lines of chat name, once asked."""

    def heard(self, text: str) -> Line:
        """What a line of chat names: it may declare an attack, and stands before one die and behind another."""
        line = self.lines.get(text)
        if line is None:
            line = self.lines[text] = self.r.names.read(text, self.r.is_hex)
        return line

    def among(self, p: Pos, events: Sequence[TableEvent], as_of: int | None = None) -> list[Declaration]:
        """The attacks declared in a stretch of events: the marks' where there are any, else those of the chat behind the last act.

        ``as_of``: read the words against the position just before this step, wherever they stand.
        """
        said = [e for e in events if e.kind in ("chat", "talk") and not e.undone]
        if not said:
            return []
        last_act = 0
        for e in events:
            if e.kind in ACTS and not e.undone:
                last_act = max(last_act, e.step)
        found: list[Declaration] = []
        attackers: dict[str, int] = {}
        targets: dict[str, str] = {}
        for e in said:
            if e.kind == "talk":
                self._talk(e, attackers, targets)
            elif (e.step >= last_act or as_of is not None) and not e.text.startswith("*"):
                line = self._line(p, e, as_of)
                if found and not line and e.player:
                    self._joined_by(p, found[-1], e.text)
                found.extend(line)
        if not attackers:
            return found
        units = [self.g.roster.index[u] for u in attackers if u in self.g.roster.index]
        hexes = tuple(sorted({self.g.land.nodes[h] for h in targets.values() if self.r.is_hex(h)}))
        if units and hexes:
            named = tuple(self.g.roster.index[u] for u in targets if u in self.g.roster.index)
            marks = Declaration(min(attackers.values()), marked=True)
            marks.units, marks.sure = [(u,) for u in units], [True] * len(units)
            marks.targets, marks.named = hexes, named
            found = [marks]
        return found

    def _joined_by(self, p: Pos, d: Declaration, text: str) -> None:
        """Who is named in a line of its own behind an attack ("plus 1 Gds Tk", "B joins"): they may have taken part."""
        index, near = self.g.roster.index, self.g.land.near
        for m in self.heard(text).mentions:
            units = [u for u in map(index.__getitem__, m.units) if p.force[u] == self.force and all(n in near[p.at[u]] for n in d.targets)]
            if units and units[0] not in d.trailing:
                d.trailing += (units[0],)

    @staticmethod
    def _talk(e: TableEvent, attackers: dict[str, int], targets: dict[str, str]) -> None:
        try:
            line = parse_talk(e.text)
        except TalkError:
            return
        piece = line.field("piece")
        match line.verb:
            case "ATT":
                attackers[piece] = e.step
            case "TGT":
                targets[piece] = line.field("place")
            case "CLR":
                for named in (attackers, targets):
                    if piece == "*":
                        named.clear()
                    else:
                        named.pop(piece, None)
            case _:
                pass

    def _line(self, p: Pos, e: TableEvent, as_of: int | None = None) -> list[Declaration]:
        """The attacks that one chat line declares: groups of attackers of the phasing force and hexes (or units) attacked.

        "A + B on 1, C on 2" are two attacks, "A and B on 1 and 2" is one on two hexes, "1: A, B" names its hex first. Hexes of the
        attackers' own units only say where they stand; a hex that nobody holds is no target.
        """
        line = self.heard(e.text)
        self.text = line.text
        if not line.hexes and not line.mentions:
            return []
        p = self._as_of(p, e.step if as_of is None else as_of)
        found = self._grouped(p, line, e.step, self.force)
        unread = unread_name(self.text, line) or self._stranger(p, line)
        for d in found:
            d.unread = unread
        if any([h not in e.text for h in line.hexes]):
            for d in found:
                d.exact = d.exact and self._surely_there(p, d, line)
        index = self.g.roster.index
        if any([bool(d.units) for d in found]) or any(p.force[index[u]] == self.force for m in line.mentions for u in m.units):
            return found
        # attackers named in full who are of another force than the phase's
        for force in range(len(FORCES)):
            others = self._grouped(p, line, e.step, force) if force != self.force else []
            full = all(m.exact for m in line.mentions if any(p.force[index[u]] == force for u in m.units))
            if others and full and all(d.units and d.exact for d in others):
                for d in others:
                    d.foreign = True
                return others
        return found

    def _surely_there(self, p: Pos, d: Declaration, line: Line) -> bool:
        """An attack on a place that is named by its city is as sure as on a hex number where all units named as attacked stand in it,
        or none is named and all attackers are next to it; not where a hex is named beside it, or what is near the city."""
        near, nodes = self.g.land.near, self.g.land.nodes
        numbers = {nodes[h] for h in line.hexes if h in self.text}
        if numbers.intersection(d.targets):
            return numbers.issuperset(d.targets)
        if not _NEARBY.isdisjoint(line.words):
            return False
        if d.named:
            return all(p.at[u] in d.targets for u in d.named)
        return all(n in near[p.at[units[0]]] for units in d.units for n in d.targets)

    def _stranger(self, p: Pos, line: Line) -> str:
        """A name that fits only units that neither act nor can be attacked in this phase and are nowhere near ("8 Corps" for 8 (Br),
        read as 8 Krps); "" when there is none."""
        index, near, its = self.g.roster.index, self.g.land.near, p.force
        ours = self.g.enemies(p, self.force) | 1 << self.force
        strange = [m for m in line.mentions if m.exact and not ours >> its[index[m.units[0]]] & 1]
        if not strange:
            return ""
        beside = {p.at[index[u]] for m in line.mentions for u in m.units if its[index[u]] == self.force}
        at_hand = {self.g.land.nodes[h] for h in line.hexes}.union(*[near[n] for n in beside if n < self.g.land.size])
        for m in strange:
            if not any(ours >> its[index[u]] & 1 or p.at[index[u]] in at_hand for u in m.units):
                return self.text[m.at :].split(",")[0].strip()
        return ""

    def _grouped(self, p: Pos, line: Line, step: int, force: int) -> list[Declaration]:
        """The attacks of a line when its attackers are of this force."""
        here, nodes = board(p, self.g.land), self.g.land.nodes
        hexes = [(at, nodes[h]) for h, at in zip(line.hexes, line.hex_at, strict=True)]
        held = [(at, n) for at, n in hexes if any([p.force[u] != force for u in here.there(n)])]
        found = self._in_order(p, line, step, force, held)
        open_ = [h for h in hexes if not here.there(h[1])] if len(held) < len(hexes) else []
        if open_ and (far := self._far(p, found)):
            # a list made ahead may name hexes that the enemy enters only later in the phase
            ahead = self._in_order(p, line, step, force, held + open_)
            if self._far(p, ahead) < far:
                return ahead
        return found

    def _far(self, p: Pos, attacks: Sequence[Declaration]) -> int:
        """How many of the named attackers are next to nothing, or not to all, of what they attack."""
        near = self.g.land.near
        return sum(not any(all(n in near[p.at[u]] for n in d.targets) for u in units) for d in attacks for units in d.units)

    def _in_order(self, p: Pos, line: Line, step: int, force: int, hexes: Sequence[tuple[int, int]]) -> list[Declaration]:
        """The attacks of a line on these (place in the line, hex), read from left to right."""
        tokens: list[tuple[int, int | Mention | tuple[int, ...]]] = list(hexes)
        tokens += [(m.at, m) for m in line.mentions]
        stacks = self._stacks(p, line, aimed=bool(hexes)) if force == self.force and len(line.hexes) > len(hexes) else []
        tokens += stacks
        tokens.sort(key=_place)
        groups = _Groups(step, line)
        index, near, size, at, its = self.g.roster.index, self.g.land.near, self.g.land.size, p.at, p.force
        out = [] if _OUT.isdisjoint(line.words) else left_out(self.text)
        sums: list[tuple[int, int]] = []
        if "+" in self.text and ("=" in self.text or "(" in self.text):  # behind names the numbers of a sum are no units
            named_at = min([m.at for m in line.mentions if m.exact], default=len(self.text))
            sums = [m.span() for m in _ADDED.finditer(self.text, named_at)]
        aside: list[int] = []
        spare: set[int] = set()
        before = (-1, 0)
        for place, token in tokens:
            if out and not isinstance(token, int) and any([begin <= place < end for begin, end in out]):
                named = token if isinstance(token, tuple) else [u for u in map(index.__getitem__, token.units) if at[u] < size]
                aside += [u for u in named if its[u] == force][:1]
                continue
            bare = not isinstance(token, tuple) and not isinstance(token, int) and not token.exact
            if bare and (any([begin <= place < end for begin, end in sums]) or self._its_strength(*before, place)):
                continue
            if isinstance(token, int):
                groups.aim(token)
                continue
            if isinstance(token, tuple):
                for u in token:
                    groups.attacker((u,), exact=False, close=True)
                continue
            units = [u for u in [index[name] for name in token.units] if at[u] < size]
            own = tuple([u for u in units if its[u] == force])
            if own and (token.exact or len(own) == 1):
                before = own[0], place
            if token.exact and own and len(own) == len(units):  # whatever it means, it is an attacker
                groups.attacker(own, exact=True, close=False)
                continue
            foes = [u for u in units if its[u] != force]
            exact = token.exact and bool(units) and (units[0] in own or bool(self.g.enemies(p, force) >> its[units[0]] & 1))
            aimed = next((n for at, n in hexes if at > token.at), -1) if self.g.terms.partial else -1
            there = [u for u in foes if at[u] == aimed] if foes else foes
            named_foe = exact and bool(own) and units[0] in foes and bool(groups.current.units)
            foe = -1 if not there or (exact and units[0] in own) else self._foe_meant(p, token, there, own, aimed)
            if foe >= 0:
                groups.foe(aimed, foe)
                continue
            if named_foe:
                groups.foe(at[units[0]], units[0])
                continue
            begun = bool(groups.current.targets or (groups.ahead or groups.fresh if groups.done else groups.attacked))
            close = any([n in near[at[u]] for u in own for n in groups.current.targets])
            loose = not groups.hex_first and bool(groups.current.targets or groups.fresh) and not exact
            if own and not token.exact and not (_BEFORE.search(self.text[:place]) or _BEHIND.match(self.text, place)):
                spare.update(own)
            if own and (not begun or close or loose or (exact and units[0] in own)):
                groups.attacker(own, exact=(exact and own[0] == units[0]) or len(own) == 1, close=close)
            elif foes and (exact or len(foes) == 1):
                groups.foe(at[foes[0]], foes[0])
        found = [part for d in groups.close() for part in self._parted(p, d)]
        stacked = frozenset([u for _, units in stacks for u in units])
        for d in found:
            d.stacked = stacked
            d.spare = frozenset(spare)
            d.trailing += tuple(aside)
            d.named = tuple(groups.foes)
            d.sole_number = groups.hex_first and len(d.units) == len(line.mentions) == 1 and not line.mentions[0].exact
        return [self._only_possible(p, d) for d in found]

    def _stacks(self, p: Pos, line: Line, *, aimed: bool) -> list[tuple[int, tuple[int, ...]]]:
        """The hexes of a line that stand for the stack of the phasing force in them, with their places: no unit in them is named,
        and the unit named before one is another item of the list ("8 Gds (2526)" only says where it stands). Where no hex is
        attacked (``aimed``), it stands before the unit that is, or behind "from": "8 US hits 1905" is an attack on 1905.
        """
        index, here, nodes = self.g.roster.index, board(p, self.g.land), self.g.land.nodes
        own = [(m.at, units) for m in line.mentions if (units := [u for u in map(index.__getitem__, m.units) if p.force[u] == self.force])]
        spoken = {u for _, units in own for u in units}
        foe = min((m.at for m in line.mentions if m.exact and p.force[index[m.units[0]]] != self.force), default=len(self.text))
        found: list[tuple[int, tuple[int, ...]]] = []
        before = 0
        for name, at in zip(line.hexes, line.hex_at, strict=True):
            there = here.there(nodes[name])
            last = max((place for place, _ in own if before <= place < at), default=-1)
            before = at
            if not aimed and foe < at and not _FROM.search(self.text[:at]):
                continue
            apart = last < 0 or _APART.search(self.text, last, at) is not None
            if there and apart and all([p.force[u] == self.force and u not in spoken for u in there]):
                found.append((at, tuple(there)))
        return found

    def _parted(self, p: Pos, d: Declaration) -> list[Declaration]:
        """ "A on 1, then 2 by B": two attacks, where B is next to 2 and an attacker before it is not."""
        near = self.g.land.near
        first = [units[0] for units in d.units]
        theirs = tuple([n for n in d.targets if any(n not in near[p.at[u]] for u in first)]) if d.trailing else ()
        if not theirs or len(theirs) == len(d.targets) or not all(n in near[p.at[u]] for n in theirs for u in d.trailing):
            return [d]
        other = Declaration(d.step, d.odds, d.numbers)
        other.units, other.sure, other.targets = [(u,) for u in d.trailing], [True] * len(d.trailing), theirs
        d.targets, d.trailing = tuple([n for n in d.targets if n not in theirs]), ()
        return [d, other]

    def _its_strength(self, unit: int, named: int, at: int) -> bool:
        """The number there is the attack strength of the unit named right before it: "8 Gds 7, 1 Gds Tk (6)"."""
        number = _NUMBER.match(self.text, at)
        if unit < 0 or number is None or int(number[0]) != self.g.roster.attack[unit]:
            return False
        between = self.text[named + 1 : at]
        return not _APART.search(between) and not _FOUR.search(between)

    def _foe_meant(self, p: Pos, token: Mention, there: Sequence[int], own: Sequence[int], aimed: int) -> int:
        """The enemy in the hex behind a loose name (18/6.3), -1 where the name means an attacker: by the strengths beside it, else by
        who is near."""
        roster = self.g.roster
        beside = _STRENGTHS.search(self.text, token.at)
        if beside is not None and beside.start() - token.at <= _NAME_LENGTH:
            said = tuple(map(int, re.findall(r"\d+", beside.group())))
            fits = [u for u in (*own, *there) if (roster.attack[u], roster.defence[u], roster.move[u]) == said]
            if fits:
                return fits[0] if len(fits) == 1 and fits[0] in there else -1
        near = any(aimed in self.g.land.near[p.at[u]] for u in own)
        return there[0] if len(there) == 1 and not near else -1

    def _only_possible(self, p: Pos, d: Declaration) -> Declaration:
        """Bare numbers are units only where such a unit is next to what is attacked; else they were a sum, or nothing."""
        if d.exact or not d.targets:
            return d
        near = self.g.land.near
        units = [
            options if sure else tuple(u for u in options if all(n in near[p.at[u]] for n in d.targets))
            for options, sure in zip(d.units, d.sure, strict=True)
        ]
        d.sure = [sure for options, sure in zip(units, d.sure, strict=True) if options]
        d.units = [options for options in units if options]
        d.exact = all(d.sure)
        return d

    def _as_of(self, p: Pos, step: int) -> Pos:
        """The position with every unit where the table has it just before a step."""
        if self.gone is None:
            self.gone = self._acts()
        now = self.moment
        if now is None or now.p is not p or now.step > step:
            now = self.moment = _Moment(p, board(p, self.g.land))
        now.step = step
        at, size = now.at, self.g.land.size
        for when, unit, node in self.gone[now.count :]:
            if when >= step:
                break
            now.count += 1
            if node != at[unit]:
                now.board = now.board.after(unit, at[unit], node if node < size else -1, {}, [])
                at[unit] = node
        there = tuple(at)
        if there == p.at:
            return p
        q = replace(p, at=there)
        q.__dict__["board"] = now.board
        return q

    def _acts(self) -> list[tuple[int, int, int]]:
        """Who went where in the phase: (the last step so far, unit, node)."""
        found: list[tuple[int, int, int]] = []
        index, off = self.g.roster.index, self.g.land.off
        step = 0
        for e in self.stint.events:
            step = max(step, e.step)
            if e.kind in ACTS and not e.undone and e.piece in index:
                unit = index[e.piece]
                found.append((step, unit, self.r.node(unit, e.to) if e.kind != "remove" else off))
        return found
