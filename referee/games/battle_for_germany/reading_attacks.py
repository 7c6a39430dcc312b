"""The dice of a Combat Phase: what was announced before each, what was done after it, and which attacks it may have been for.

Where nothing was declared, every set of attackers that could have done what followed may have been; whether a candidate is lawful and
fits what was done is asked in ``reading_combat``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from referee.games.battle_for_germany.odds import printed_defence
from referee.games.battle_for_germany.position import board
from referee.games.battle_for_germany.reading_movement import Marches
from referee.games.battle_for_germany.reading_words import ACTS, Declaration, Declarations, alone
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import SECOND_COMBAT
from referee.rules.chat import words
from referee.rules.events import TableEvent
from referee.rules.reading import Net, Stint, net

_HEDGES: Final = frozenset(
    "if would could maybe perhaps joke lol test testing ignore fun misclick oops "
    "wenn wurde vielleicht spass probe gdyby moze zart si".split()
)
"""Words that make an announcement or a die no attack, in the languages of the players we have met; they only ever save from a finding."""
_NO: Final = frozenset("no nah nope nie nein non niet".split())

_DIE: Final = re.compile(
    r"\b(?:\d?[dwk]6|dic?e|dé|roll\w*|threw|throw\w*|ge?wür?fel\w*|wür?f\w*|gewuerfelt|wuerf\w*|rzut\w*|rzuci\w*|wyrzuc\w*|kost\w*|kość"
    r"|jet|lanc\w*|кубик\w*|брос\w*|выпал\w*)\b",
    re.IGNORECASE,
)
"""A word for a die or for throwing it."""
_FACE: Final = re.compile(r"(?<![\w.:+-])[1-6](?![\w+]|\s*[:-]\s*\d)")
_RESULT: Final = re.compile(r"\b(?:DE|AE|EX|DR|AR)\b|\b(?:Ex)\b")
"""A result of the table, in the letters of the chart."""

Candidate = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int]
"""Who attacks, which hexes, the units attacked alone (18/6.3), and how far it is from what was said (the smaller the nearer)."""


GUESSED: Final = 2
"""How far a candidate of which nobody said who attacks is from what was said."""


class Act:
    """What became of one piece between two dice."""

    __slots__ = ("net", "to", "unit", "used")

    def __init__(self, unit: int, net: Net, to: int) -> None:
        self.unit = unit
        self.net = net
        self.to = to
        self.used = False


class Throw:
    """One die of the phase, with what was announced before it and what was done after it."""

    __slots__ = ("acts", "declarations", "event", "hedged", "result", "told")

    def __init__(self, event: TableEvent, declarations: list[Declaration], acts: list[Act]) -> None:
        self.event = event
        self.declarations = declarations
        self.acts = acts
        self.hedged = False
        """Somebody took it back or only tried."""
        self.told = False
        """No die button was pressed: the face, if any (``event.faces``), or the result stands in chat alone."""
        self.result = ""
        """The result that was told in the letters of the chart, where no face was."""


def told_face(text: str) -> int:
    """The face of a die that a line of chat tells of ("rolled a 5", "1d6: 5"); 0 where it tells of none."""
    if (said := _DIE.search(text)) is None:
        return 0
    faces = _FACE.findall(text, said.end()) or _FACE.findall(text)
    return int(faces[-1]) if faces else 0


class Throws:
    """Finds the dice of one Combat Phase and what each may have been for."""

    def __init__(self, reader: Marches, stint: Stint) -> None:
        self.r = reader
        self.g = reader.g
        self.stint = stint
        self.phase = reader.phase(stint)
        self.force = self.phase.force
        self.words = Declarations(reader, stint, self.force)
        self.last: Throw | None = None
        self.dieless: list[Declaration] = []
        """Attacks of a list announced at once for which no die is left."""
        self.claimed: dict[int, set[int]] = {}
        """Identity of a declaration that a die is for -> the attackers that it names."""
        self.afterwards: set[int] = set()
        """Identities of the dice that were thrown when their attack was carried out already."""

    # -- what was said and done ---------------------------------------------------------------------------------------------

    def cut(self, p: Pos) -> tuple[list[Throw], list[Act]]:
        """The dice in order, and what was done before the first."""
        pieces: list[list[TableEvent]] = [[]]
        dice: list[TableEvent] = []
        for e in self.stint.events:
            if e.kind == "roll" and not e.undone and len(e.faces) == 1 and 1 <= e.faces[0] <= 6:
                dice.append(e)
                pieces.append([])
            else:
                pieces[-1].append(e)
        undied, said = self._without_a_die(p, pieces, dice)
        parts = [self._acts(part) for part in pieces]
        throws = [Throw(e, said[i], parts[i + 1]) for i, e in enumerate(dice)]
        for t in throws:
            if id(t.event) in undied:
                t.told, t.result = True, undied[id(t.event)]
        for i, t in enumerate(throws):
            t.hedged = self._hedged(pieces[i], pieces[i + 1], t.declarations)
        for i, t in enumerate(throws[:-1]):
            if not t.declarations and t.acts and throws[i + 1].declarations and (told := self._told_after(p, t, pieces[i + 1])):
                t.declarations = [told]
                throws[i + 1].declarations = [d for d in throws[i + 1].declarations if d.step > told.step]
        for i, t in enumerate(throws):
            if not t.declarations:
                continue
            follow = 0
            while i + follow + 1 < len(throws) and not throws[i + follow + 1].declarations:
                follow += 1
            last_line = [d for d in t.declarations if d.step == t.declarations[-1].step]
            several = t.declarations if len(last_line) == 1 and follow >= len(t.declarations) - 1 else last_line
            for k in range(1, min(len(several), follow + 1)):  # several attacks announced at once, then their dice
                throws[i + k].declarations = [several[k]]
            if i + follow + 1 == len(throws):
                self.dieless = several[follow + 1 :]
            t.declarations = several[:1]
        if throws and not throws[-1].declarations:
            throws[-1].declarations = self.words.among(p, pieces[-1], dice[-1].step)[:1]
        self._in_another_order(p, throws)
        self.claimed = {id(d): {units[0] for units in d.units} for t in throws for d in t.declarations if d.units and not d.foreign}
        self.last = throws[-1] if throws else None
        return throws, parts[0]

    def _without_a_die(
        self, p: Pos, pieces: list[list[TableEvent]], dice: list[TableEvent]
    ) -> tuple[dict[int, str], list[list[Declaration]]]:
        """Cuts the stretches between the dice where an attack was declared and carried out though no die button was pressed: with a
        die of the table, of a dice server or of a bot, whose face or result is told in chat or not at all. Each is put among the dice
        as one without faces where none was told; given back are these by identity, with the results that were told, and what was
        declared in each stretch."""
        told: dict[int, str] = {}
        said: list[list[Declaration]] = []
        i = 0
        while i < len(pieces):
            at = self._first_undied(p, pieces, dice, i, fought=not i or bool(said[-1]))
            if at >= 0:
                piece = pieces[i]
                e = piece[at]
                begin = max((k for k, x in enumerate(piece[:at]) if x.kind in ACTS and not x.undone), default=-1) + 1
                lines = [x for x in piece[begin:at] if x.kind == "chat" and not x.undone]
                face = next((n for x in reversed(lines) if (n := told_face(x.text))), 0)
                results = [m for x in lines for m in _RESULT.findall(x.text)]
                die = TableEvent(e.step, "roll", e.player, e.seat, faces=(face,) if face else ())
                told[id(die)] = results[-1].upper() if results else ""
                dice.insert(i, die)
                pieces[i : i + 1] = [piece[:at], piece[at:]]
            said.append(self.words.among(p, pieces[i]))
            i += 1
        return told, said

    def _first_undied(self, p: Pos, pieces: list[list[TableEvent]], dice: Sequence[TableEvent], i: int, *, fought: bool) -> int:
        """Where in a stretch between two dice the first act stands that carries out an attack declared in it, -1 for nowhere. It does
        not where the die before the stretch has no attack yet (``fought``), or the one behind it none but this."""
        piece = pieces[i]
        if not fought or not any([e.kind in ("chat", "talk") for e in piece]):
            return -1
        said = False
        for k, e in enumerate(piece):
            if e.undone:
                continue
            said = said or e.kind in ("chat", "talk")
            if e.kind not in ACTS or e.piece not in self.g.roster.index:
                continue
            if said and e.frm != e.to:
                unit = self.g.roster.index[e.piece]
                node = self.r.node(unit, e.frm)
                found = self.words.among(p, piece[:k])
                if any(d.units and not d.foreign and (node in d.targets or any(unit in u for u in d.units)) for d in found):
                    last = max(d.step for d in found)
                    doubted = any(x.kind == "chat" and x.player and x.step > last and self._taken_back(x) for x in piece[:k])
                    if not doubted and (i == len(dice) or self.words.among(p, piece[k:])):
                        return k
                    if not doubted and not any(x.kind in ACTS and not x.undone for x in pieces[i + 1]):
                        self.afterwards.add(id(dice[i]))  # only this die can have been for it: it was thrown behind what it asks for
                        pieces[i : i + 2] = [piece[:k], [*piece[k:], *pieces[i + 1]]]
                        return -1
            said = False
        return -1

    def _in_another_order(self, p: Pos, throws: Sequence[Throw]) -> None:
        """Attacks announced together are made in any order (R-G44): a die is for the one that was carried out behind it."""
        for i, t in enumerate(throws):
            if not t.declarations or not t.acts or any(self._in(d, a) for d in t.declarations for a in t.acts):
                continue
            for other in throws[i + 1 :]:
                d = other.declarations[0] if other.declarations else None
                if d is not None and d.step < t.event.step and all(self._in(d, a) for a in t.acts):
                    t.declarations, other.declarations = other.declarations, t.declarations
                    break
            else:
                d = next((d for d in self.dieless if all(self._in(d, a) for a in t.acts)), None)
                if d is not None:
                    self.dieless = [*t.declarations, *[x for x in self.dieless if x is not d]]
                    t.declarations = [d]

    def _in(self, d: Declaration, act: Act) -> bool:
        """The piece belongs to the attack: as one that was named, or by the hex where it stood."""
        return any(act.unit in units for units in d.units) or self.r.node(act.unit, act.net.start) in d.targets

    def unrolled(self, p: Pos) -> list[Declaration]:
        """The attacks that were declared behind the last die, or in a list of which not all were rolled for, and not taken back."""
        rest = [e for e in self.stint.events if self.last is None or e.step > self.last.event.step]
        found = [*self.dieless, *self.words.among(p, rest)]
        doubted = [e.step for e in self.stint.events if e.kind == "chat" and e.player and not e.undone and self._taken_back(e)]
        return [d for d in found if d.marked or not any(step >= d.step for step in doubted)]

    def _told_after(self, p: Pos, t: Throw, after: Sequence[TableEvent]) -> Declaration | None:
        """The attack that was named only when its result had been carried out: all who acted behind the die are in it."""
        said = self.words.among(p, after, t.event.step)[:1]
        for d in said:
            named = {units[0] for units in d.units}
            if named and all(a.unit in named or p.at[a.unit] in d.targets for a in t.acts):
                return d
        return None

    def _taken_back(self, e: TableEvent) -> bool:
        """The line makes what was announced no attack."""
        spoken = self.words.heard(e.text).words
        return not _HEDGES.isdisjoint(spoken) or (not _NO.isdisjoint(spoken) and len(set(words(e.text))) <= 2)

    def _hedged(self, before: Sequence[TableEvent], after: Sequence[TableEvent], said: Sequence[Declaration]) -> bool:
        """The lines from the announcement to the die, and the one behind the die, take it back."""
        since = said[-1].step if said else 10**9
        for e in before:
            if e.kind == "chat" and e.player and e.step >= since and not e.undone and self._taken_back(e):
                return True
        for e in after:
            if e.kind == "chat" and e.player and not e.undone:
                return not _HEDGES.isdisjoint(self.words.heard(e.text).words)
        return False

    def _acts(self, events: Sequence[TableEvent]) -> list[Act]:
        found: list[Act] = []
        for n in net(events, self.g.roster.index):
            unit = n.unit
            if unit in self.r.left:
                self.r.gone_for_good(self.stint, n, unit)
                continue
            if n.still:
                self.r.put_back(self.stint, n, unit)
            else:
                found.append(Act(unit, n, self.r.node(unit, n.end)))
        return found

    # -- which attacks a die may have been for -------------------------------------------------------------------------------

    def candidates(self, p: Pos, t: Throw) -> tuple[list[Candidate], bool]:
        """The attacks that a die may have been for, the likeliest first; and whether the sum that was said left one set of attackers
        where nobody named any."""
        found: list[Candidate] = []
        pinned = False
        said = t.declarations[0] if t.declarations else None
        if said is not None:
            # a unit that is named may be attacked alone, or stand for its hex
            part = alone(self.g, p, said.targets, said.named)
            aims = [part] if said.marked or not part else [part, ()]
            if said.units:
                choices = self._choices(p, said)
                first = tuple(sorted({units[0] for units in choices}))
                for units in self._by_sum(p, said, first, part) or self._meant(choices, first):
                    for named in aims:
                        found.append((units, said.targets, named, 0))
                if said.trailing or said.stacked or said.spare:
                    found += [(units, said.targets, named, 1) for named in aims for units in self._more_or_less(p, said, first)]
                if said.sole_number:
                    found += [(units, said.targets, (), 1) for units in self._summed(p, said, t.acts)]
                if not said.exact and any(p.force[a.unit] == self.force and a.unit not in first for a in t.acts):
                    # loosely named, and others did what a result asks for
                    found += [(units, said.targets, named, GUESSED) for named in aims for units in self._sets(p, said.targets, t.acts)]
            else:
                sets = self._unclaimed_first(self._sets(p, said.targets, t.acts))
                sums = {a for a, _ in said.odds} | set(said.numbers)
                summed = [s for s in sets if sum(self.g.roster.attack[u] for u in s) in sums]
                pinned = len(summed) == 1
                found += [(units, said.targets, named, 1) for named in aims for units in summed or sets]
        elif t.acts:
            for targets in self._aims(p, t.acts):
                for named in self._parts(p, targets, t.acts):
                    found += [(units, targets, named, GUESSED) for units in self._unclaimed_first(self._sets(p, targets, t.acts))]
        return found, pinned

    def _unclaimed_first(self, sets: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Sets of attackers of whom nobody was named for another die of the phase, then the others."""
        claimed = set().union(*self.claimed.values())
        return sorted(sets, key=lambda units: not claimed.isdisjoint(units)) if claimed else list(sets)

    def _choices(self, p: Pos, said: Declaration) -> list[tuple[int, ...]]:
        """What each name of a declaration can mean; adjacent units first where it fits several."""
        near = self.g.land.near
        found: list[tuple[int, ...]] = []
        for units in said.units:
            if len(units) > 1:
                close = [u for u in units if all(n in near[p.at[u]] for n in said.targets)]
                units = (*close, *[u for u in units if u not in close])
            found.append(units)
        return found

    @staticmethod
    def _meant(choices: Sequence[tuple[int, ...]], first: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The sets of attackers that a declaration can mean, ``first`` and then those that differ from it in one name."""
        found = [first]
        for i, units in enumerate(choices):
            for other in units[1:]:
                found.append(tuple(sorted({*[c[0] for k, c in enumerate(choices) if k != i], other})))
        return found

    def _more_or_less(self, p: Pos, said: Declaration, named: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The attackers with units that were named behind what they attack, and without some of those for which only a hex stands."""
        near = self.g.land.near
        joining = [u for u in said.trailing if u not in named and all(n in near[p.at[u]] for n in said.targets)]
        loose = {u for units, sure in zip(said.units, said.sure, strict=True) if not sure for u in units}
        staying = [u for u in named if u in said.stacked or u in said.spare or (said.stacked and u in loose)]
        if joining and loose.issuperset(named):  # the numbers before were none of units
            yield tuple(sorted(joining))
        for more in range(len(joining), -1, -1):
            for fewer in range(len(staying) + 1):
                for came in combinations(joining, more):
                    for went in combinations(staying, fewer):
                        units = tuple(sorted({*named, *came}.difference(went)))
                        if units and units != named:
                            yield units

    def _by_sum(self, p: Pos, said: Declaration, named: tuple[int, ...], part: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The attackers by the sum that was said, where the names that could be read do not make it and one set of adjacent units
        with these names in it does. ``part``: the units attacked alone."""
        strength = self.g.roster.attack
        defending = printed_defence(self.g, p, said.targets, part)
        if defending not in said.numbers and not any([d == defending for _, d in said.odds]):
            return []
        sums = {a for a, d in said.odds if (a, d) != (1, 1)} | set(said.numbers)
        if sum([strength[u] for u in named]) in sums:
            return []
        fits = [s for s in self._sets(p, said.targets, ()) if set(named) <= set(s) and sum(strength[u] for u in s) in sums]
        return fits if len(fits) == 1 else []

    def _summed(self, p: Pos, said: Declaration, acts: Sequence[Act]) -> list[tuple[int, ...]]:
        """The sets of attackers with the sum that was said, where the bare number is a sum and no unit's name."""
        strength = self.g.roster.attack
        return [s for s in self._sets(p, said.targets, acts) if sum(strength[u] for u in s) in said.numbers]

    def _aims(self, p: Pos, acts: Sequence[Act]) -> list[tuple[int, ...]]:
        """The hexes that a die may have been for, from what happened after it."""
        foes = self.g.enemies(p, self.force)
        hit = sorted({p.at[a.unit] for a in acts if foes >> p.force[a.unit] & 1 and p.at[a.unit] < self.g.land.size})
        if hit:
            return [tuple(hit), *((n,) for n in hit if len(hit) > 1)]
        occ = board(p, self.g.land).occ
        own = [p.at[a.unit] for a in acts if p.force[a.unit] == self.force and p.at[a.unit] < self.g.land.size]
        near = sorted({n for h in own for n in self.g.land.near[h] if n in occ and foes >> p.force[occ[n][0]] & 1})
        return [(n,) for n in near]

    def _parts(self, p: Pos, targets: tuple[int, ...], acts: Sequence[Act]) -> list[tuple[int, ...]]:
        """18/6.3: whole hexes, or only the units to which something happened."""
        occ = board(p, self.g.land).occ
        hit = tuple(sorted(a.unit for a in acts if p.at[a.unit] in targets))
        alone = tuple(u for u in hit if not set(occ.get(p.at[u], ())) <= set(hit))
        return [(), alone] if self.g.terms.partial and alone else [()]

    def _sets(self, p: Pos, targets: tuple[int, ...], acts: Sequence[Act]) -> Iterator[tuple[int, ...]]:
        """Sets of possible attackers, all of them first; those that moved or fell are in every set."""
        occ = board(p, self.g.land).occ
        close = set(self.g.land.near[targets[0]]).intersection(*(self.g.land.near[n] for n in targets[1:]))
        spent = p.attacked | p.tired | (~p.eligible if self.phase.kind == SECOND_COMBAT else 0)
        able = sorted(u for n in close for u in occ.get(n, ()) if p.force[u] == self.force and not spent >> u & 1)
        must = [a.unit for a in acts if a.unit in able]
        free = [u for u in able if u not in must]
        for size in range(len(free), -1, -1):
            for more in combinations(free, size):
                units = tuple(sorted((*must, *more)))
                if units:
                    yield units
