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

    __slots__ = ("exact", "foreign", "marked", "named", "numbers", "odds", "sole_number", "step", "sure", "targets", "units", "unread")

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


_STRENGTHS: Final = re.compile(r"(?<!\w)\d{1,2}\s*-\s*\d{1,2}\s*-\s*\d{1,2}\b")
_PIECES: Final = re.compile(r"([,;+/&():]|\d{4}(?<!\d\d{4})(?!\d))")
"""What parts the pieces of a line, hexes among it."""
_JOINED: Final = re.compile(r"([^\W\d_]{2,})\s+(?:and|und|et|i|y|oraz|plus)\s+$", re.IGNORECASE)
_JOINS: Final = re.compile(r"\b(?:and|und|et|i|y|oraz|plus)\s+([^\W\d_]{2,})", re.IGNORECASE)
_ACTS: Final = frozenset(("move", "place", "remove"))
_place = itemgetter(0)
_JOINING: Final = frozenset(("and", "und", "et", "i", "y", "oraz", "plus"))
"""Without one of these words neither of them can be found in ASCII letters; seen at once, where the two take long."""
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
            bare = piece if strong is None else _STRENGTHS.sub(" ", piece)
            found: list[str] = _WORD.findall(bare)
            if not found or any(map(str.isdigit, bare)):
                continue
            if strong and (called := _WORD.findall(piece[: strong.start()])):  # a name with strengths behind it
                return str(called[-1])
            before, behind = i > 0 and bool(named[i - 1]), i + 1 < len(named) and bool(named[i + 1])
            if (marks[i] in ("+", "/", "&") and before) or (marks[i + 1] in ("+", "/", "&") and behind):
                return found[0] if before else found[-1]
            # one small word between a comma and a hex is "on" in some language
            aimed = marks[i + 1].isdigit() and (len(found) > 1 or found[0].isupper())
            listed = marks[i] == "," and before and (aimed or (marks[i + 1] == "," and behind))
            first = i == 0 and marks[1] == "," and behind and len(found) == 1 and found[0].isupper() and found[0] != "OK"
            if listed or first:
                return found[0]
        elif listed_on:
            joined, joins = _JOINED.search(piece[: named[i][0]]), _JOINS.search(piece[named[i][-1] :])
            if joined or joins:
                return str((joined or joins or [""])[1])
    return ""


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
        self._loose: list[tuple[int, ...]] = []
        """Bare numbers behind a hex: attackers of the next group if another hex follows, else a sum or a comment."""
        self.current = self._open()

    def _open(self) -> Declaration:
        return Declaration(self.step, self.line.odds, self.line.numbers)

    def _push(self) -> None:
        if self.current.targets:
            self.done.append(self.current)
        self.current = self._open()

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
        if not now.targets and not self.done and now.units:
            now.targets = tuple(sorted(set(self.attacked)))
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
            if e.kind in _ACTS and not e.undone:
                last_act = max(last_act, e.step)
        found: list[Declaration] = []
        attackers: dict[str, int] = {}
        targets: dict[str, str] = {}
        for e in said:
            if e.kind == "talk":
                self._talk(e, attackers, targets)
            elif (e.step >= last_act or as_of is not None) and not e.text.startswith("*"):
                found.extend(self._line(p, e, as_of))
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
        self.text = e.text
        if not line.hexes and not line.mentions:
            return []
        p = self._as_of(p, e.step if as_of is None else as_of)
        found = self._grouped(p, line, e.step, self.force)
        unread = unread_name(e.text, line)
        for d in found:
            d.unread = unread
        if any([h not in e.text for h in line.hexes]):  # a place named by its city is not as sure as a hex number
            for d in found:
                d.exact = False
        index = self.g.roster.index
        if any([bool(d.units) for d in found]) or any(p.force[index[u]] == self.force for m in line.mentions for u in m.units):
            return found
        # attackers named in full who are of another force than the phase's
        for force in range(len(FORCES)):
            others = self._grouped(p, line, e.step, force) if force != self.force else []
            if others and all(d.units and d.exact for d in others):
                for d in others:
                    d.foreign = True
                return others
        return found

    def _grouped(self, p: Pos, line: Line, step: int, force: int) -> list[Declaration]:
        """The attacks of a line when its attackers are of this force."""
        here, nodes = board(p, self.g.land), self.g.land.nodes
        hexes = [(at, nodes[h]) for h, at in zip(line.hexes, line.hex_at, strict=True)]
        held = [(at, n) for at, n in hexes if any([p.force[u] != force for u in here.there(n)])]
        found = self._in_order(p, line, step, force, held)
        open_ = [h for h in hexes if h not in held] if len(held) < len(hexes) else []
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
        tokens: list[tuple[int, int | Mention]] = list(hexes)
        tokens += [(m.at, m) for m in line.mentions]
        tokens.sort(key=_place)
        groups = _Groups(step, line)
        index, near, size, at, its = self.g.roster.index, self.g.land.near, self.g.land.size, p.at, p.force
        for _, token in tokens:
            if isinstance(token, int):
                groups.aim(token)
                continue
            units = [u for u in [index[name] for name in token.units] if at[u] < size]
            own = tuple([u for u in units if its[u] == force])
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
                groups.attacked.append(aimed)
                groups.foes.append(foe)
                continue
            if named_foe:
                groups.attacked.append(at[units[0]])
                groups.foes.append(units[0])
                continue
            begun = bool(groups.current.targets or groups.attacked)
            close = any([n in near[at[u]] for u in own for n in groups.current.targets])
            loose = not groups.hex_first and bool(groups.current.targets) and not exact
            if own and (not begun or close or loose or (exact and units[0] in own)):
                groups.attacker(own, exact=(exact and own[0] == units[0]) or len(own) == 1, close=close)
            elif foes and (exact or len(foes) == 1):
                groups.attacked.append(at[foes[0]])
                groups.foes.append(foes[0])
        found = groups.close()
        for d in found:
            d.named = tuple(groups.foes)
            d.sole_number = groups.hex_first and len(d.units) == len(line.mentions) == 1 and not line.mentions[0].exact
        return [self._only_possible(p, d) for d in found]

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
            if e.kind in _ACTS and not e.undone and e.piece in index:
                unit = index[e.piece]
                found.append((step, unit, self.r.node(unit, e.to) if e.kind != "remove" else off))
        return found
