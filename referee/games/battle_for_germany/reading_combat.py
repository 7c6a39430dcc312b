"""How a Combat Phase on a table maps to actions: which die was for which attack, and whether what was done is what the result asks.

A die is explained by what the players declared (table talk, chat) and by what then happened to the pieces. Where nothing was
declared, every set of attackers that could have done it is tried; a die that nothing follows and nobody announced is for fun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from referee.games.battle_for_germany.actions import Advance, Attack, Lose, Move, Retreat
from referee.games.battle_for_germany.changes import remove
from referee.games.battle_for_germany.combat import carry_out, declared
from referee.games.battle_for_germany.odds import column, defenders, effects, printed_defence, strengths
from referee.games.battle_for_germany.position import S, altered, at_rest, board
from referee.games.battle_for_germany.reading_movement import Marches
from referee.games.battle_for_germany.reading_open import (
    Todo,
    attack_on,
    attacks_wait,
    die_waits,
    must_go,
    must_pay,
    must_retreat,
    result_waits,
)
from referee.games.battle_for_germany.reading_words import Declaration, Declarations, alone
from referee.games.battle_for_germany.retreat import RetreatStep, retreat_hexes
from referee.games.battle_for_germany.setting import HOME_LINE, HOME_YUGOSLAVIA
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import COMBAT, SECOND_COMBAT, Phase
from referee.rules.chat import words
from referee.rules.events import Spot, TableEvent
from referee.rules.model import Action, Frame, Verdict
from referee.rules.reading import LAWFUL, Net, Ruled, Stint, net

_LEGAL: Final = Verdict.LEGAL
_ILLEGAL: Final = Verdict.ILLEGAL
_DOUBTFUL: Final = Verdict.DOUBTFUL
_UNCLEAR: Final = Verdict.UNCLEAR
"""By names of the module: members of an enumeration are slow to come by."""
_HEDGES: Final = frozenset(
    "if would could maybe perhaps joke lol test testing ignore fun misclick oops "
    "wenn wurde vielleicht spass probe gdyby moze zart si".split()
)
"""Words that make an announcement or a die no attack, in the languages of the players we have met; they only ever save from a finding."""
_NO: Final = frozenset("no nah nope nie nein non niet".split())
RESULTS: Final = ("DE", "EX", "DR", "AR", "AE")
_PARA: Final = {"DE": "6.2.a", "AE": "6.2.b", "EX": "6.2.c", "AR": "6.2.d", "DR": "6.2.e"}
_ANSWERED: Final[dict[type[Action], tuple[str, tuple[str, ...]]]] = {
    Advance: ("advance", ("6.5", "6.5.a")),
    Retreat: ("retreat", ("6.2.1.p1", "6.2.1.a1")),
    Lose: ("lose", ("6.2.c",)),
}
"""Answers to a result: what a finding calls them, and what lawful ones rest on."""
_BUDGET: Final = 400
"""Sets of attackers tried for one undeclared die."""


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

    __slots__ = ("acts", "declarations", "event", "hedged")

    def __init__(self, event: TableEvent, declarations: list[Declaration], acts: list[Act]) -> None:
        self.event = event
        self.declarations = declarations
        self.acts = acts
        self.hedged = False
        """Somebody took it back or only tried."""


@dataclass(slots=True)
class Breach:
    """One thing that does not fit a result: a wrong act, or (``act`` None) something owed and not done."""

    ruled: Ruled
    act: Act | None
    action: Action | None = None
    kind: str = ""
    todo: Todo | None = None
    """What is owed, where it is something that can still be done."""


class Trial:
    """One result carried out against what was done."""

    __slots__ = ("breaches", "done", "late", "p", "result", "used")

    def __init__(self, result: str, p: Pos, late: Sequence[Act]) -> None:
        self.result = result
        self.p = p
        self.breaches: list[Breach] = []
        self.done: list[tuple[Action, Act]] = []
        self.used: list[Act] = []
        self.late = late
        """Acts behind later dice: they may pay what is owed, but an advance belongs to the last combat before it."""


class Reading:
    """One explanation of a die: who attacked what, in one line too (``action``), the verdict on the attack, and what followed.
    ``named``: the units attacked alone (18/6.3)."""

    __slots__ = ("action", "attack", "doubt", "guessed", "named", "p", "score", "targets", "text", "todos", "trial", "units")

    def __init__(
        self,
        units: tuple[int, ...],
        targets: tuple[int, ...],
        named: tuple[int, ...],
        action: Attack,
        attack: Ruled,
        trial: Trial | None,
        text: str,
        p: Pos,
    ) -> None:
        self.units = units
        self.targets = targets
        self.named = named
        self.action = action
        self.attack = attack
        self.trial = trial
        self.text = text
        self.p = p
        self.score = (0, 0, 0, 0, 0)
        """(illegal, unclear, doubtful, acts left over, cost): the smaller the better."""
        self.guessed = False
        """Nobody said who attacked."""
        self.todos: tuple[Todo, ...] = ()
        """What the result still asks for where the log stops."""
        self.doubt: tuple[str, ...] = ()
        """The reconstructed cells that the result rests on."""


def _misfit(trial: Trial, acts: Sequence[Act]) -> tuple[int, int]:
    """How badly a result fits: wrong acts, acts it does not explain and (twice) units that stand though it eliminates them; then
    whether anything else was left undone."""
    standing = sum(b.kind == "stands" for b in trial.breaches)
    wrong = sum(b.act is not None for b in trial.breaches)
    return wrong + sum(a not in trial.used for a in acts) + 2 * standing, int(bool(trial.breaches))


def _step_of(done: tuple[Action, Act]) -> int:
    return done[1].net.last


def _put_down(stint: Stint) -> dict[str, list[tuple[int, Spot]]]:
    """Where each piece was put in a stretch: (the last step so far, place)."""
    found: dict[str, list[tuple[int, Spot]]] = {}
    step = 0
    for e in stint.events:
        step = max(step, e.step)
        if e.kind in ("move", "place") and not e.undone:
            found.setdefault(e.piece, []).append((step, e.to))
    return found


class Battle:
    """Reads one Combat Phase."""

    def __init__(self, reader: Marches, stint: Stint) -> None:
        self.r = reader
        self.g = reader.g
        self.stint = stint
        self.phase = reader.phase(stint)
        self.force = self.phase.force
        self.by = self.phase.owner
        self.words = Declarations(reader, stint, self.force)
        self.dice = 0
        self.last: Throw | None = None
        self.unrolled: list[Declaration] = []
        """Attacks of a list announced at once for which no die is left."""
        self.vacated: set[int] = set()
        """Hexes that enemies left without a die that explains it."""
        self.been: dict[str, list[tuple[int, Spot]]] | None = None
        """Piece -> (the last step so far, where it was put), once asked."""

    # -- gathering ---------------------------------------------------------------------------------------------------------

    def read(self, p: Pos) -> Pos:
        """Every die and every act of the phase, in order."""
        throws, before = self._cut(p)
        self.dice = len(throws)
        self.last = throws[-1] if throws else None
        for act in before:
            p = self._loose(p, act, ())
        later = [a for t in throws for a in t.acts]
        fought: list[Reading] = []
        for t in throws:
            later = later[len(t.acts) :]
            reading = self._explain(p, t, later)
            if reading is None:
                self.r.unexplained.add(t.event.step)
                die_waits(self.r, self.stint, t.event.step, t.event.faces, fun=t.hedged)
            else:
                p = self._tell(t, reading)
                if reading.todos:
                    result_waits(self.r, self.stint, t.event.step, reading.text, reading.todos, reading.doubt)
                fought.append(reading)
            for act in t.acts:
                if not act.used:
                    p = self._loose(p, act, fought)
        if not self.stint.end_step:
            attacks_wait(self.r, self.stint, p, self._unrolled(p), fought=[x.units for x in fought])
        return p

    def _unrolled(self, p: Pos) -> list[Declaration]:
        """The attacks that were declared behind the last die, or in a list of which not all were rolled for, and not taken back."""
        rest = [e for e in self.stint.events if self.last is None or e.step > self.last.event.step]
        found = [*self.unrolled, *self.words.among(p, rest)]
        doubted = [e.step for e in self.stint.events if e.kind == "chat" and e.player and not e.undone and self._taken_back(e)]
        return [d for d in found if d.marked or not any(step >= d.step for step in doubted)]

    def _cut(self, p: Pos) -> tuple[list[Throw], list[Act]]:
        pieces: list[list[TableEvent]] = [[]]
        dice: list[TableEvent] = []
        for e in self.stint.events:
            if e.kind == "roll" and not e.undone and len(e.faces) == 1 and 1 <= e.faces[0] <= 6:
                dice.append(e)
                pieces.append([])
            else:
                pieces[-1].append(e)
        parts = [self._acts(part) for part in pieces]
        said = [self.words.among(p, part) for part in pieces]
        throws = [Throw(e, said[i], parts[i + 1]) for i, e in enumerate(dice)]
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
                self.unrolled = several[follow + 1 :]
            t.declarations = several[:1]
        if throws and not throws[-1].declarations:
            throws[-1].declarations = self.words.among(p, pieces[-1], dice[-1].step)[:1]
        return throws, parts[0]

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

    # -- explaining one die ------------------------------------------------------------------------------------------------

    def _explain(self, p: Pos, t: Throw, later: list[Act]) -> Reading | None:
        base = at_rest(p)
        base.__dict__.update(p.__dict__)
        candidates: list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int]] = []
        said = t.declarations[0] if t.declarations else None
        pinned = False
        if said is not None:
            # a unit that is named may be attacked alone, or stand for its hex
            part = alone(self.g, base, said.targets, said.named)
            aims = [part] if said.marked or not part else [part, ()]
            if said.units:
                choices = self._choices(base, said)
                first = tuple(sorted({units[0] for units in choices}))
                for units in self._by_sum(base, said, first, part) or self._meant(choices, first):
                    for named in aims:
                        candidates.append((units, said.targets, named, 0))
                if said.trailing or said.stacked or said.spare:
                    candidates += [(units, said.targets, named, 1) for named in aims for units in self._more_or_less(base, said, first)]
                if said.sole_number:
                    candidates += [(units, said.targets, (), 1) for units in self._summed(base, said, t.acts)]
            else:
                sets = list(self._sets(base, said.targets, t.acts))
                sums = {a for a, _ in said.odds} | set(said.numbers)
                summed = [s for s in sets if sum(self.g.roster.attack[u] for u in s) in sums]
                pinned = len(summed) == 1
                candidates += [(units, said.targets, named, 1) for named in aims for units in summed or sets]
        elif t.acts:
            for targets in self._aims(base, t.acts):
                for named in self._parts(base, targets, t.acts):
                    candidates += [(units, targets, named, 2) for units in self._sets(base, targets, t.acts)]
        best: Reading | None = None
        for units, targets, named, cost in candidates[:_BUDGET]:
            reading = self._try(base, t, units, targets, named, later, said, cost)
            if best is None or reading.score < best.score:
                best = reading
                if reading.score[:4] == (0, 0, 0, 0):
                    break
        if best is not None and (said is None or not said.units) and not pinned:
            best.guessed = True
            broken = best.trial is not None and any(b.ruled.verdict is not _LEGAL for b in best.trial.breaches)
            wrong = best.attack.verdict is _ILLEGAL or broken
            if said is None and (wrong or best.trial is None or not best.trial.used):
                return None
            if best.attack.verdict is _DOUBTFUL and said is None:
                asks = f"which attack was the die of {t.event.faces[0]} for? Read as {best.text}"
                best.attack = Ruled(_UNCLEAR, best.attack.rules, best.attack.basis, asks + "; is that right?")
            if wrong:
                best.trial, best.p, best.todos = None, base, ()
                best.attack = self.r.unclear(f"which attack was the die of {t.event.faces[0]} for, and who took part?", "6.1.p3")
        if (
            best is not None
            and (t.hedged or (said is not None and said.foreign))
            and not any(a.unit in best.units or p.at[a.unit] in best.targets for a in t.acts)
        ):
            return None
        if best is not None and said is not None and best.attack.verdict is _ILLEGAL and not said.exact:
            best.attack = self.r.unclear("which units took part in this attack?", *best.attack.rules)
            best.guessed = True
        if best is not None and said is not None and not said.stacked.isdisjoint(best.units):
            best.guessed = True
        if best is not None and said is not None and said.unread:
            self._without(best, base, said.unread)
        if best is not None and self.r.assumed and best.attack.verdict is _LEGAL:
            served = [u for u in best.units if self.r.assumed >> u & 1]
            if served:
                best.attack = self.r.marker_asked(self.force, served[0])
        return best

    def _without(self, best: Reading, base: Pos, word: str) -> None:
        """An attack of which one name was not understood: what was read may be right, but accuses nobody."""
        best.guessed = True
        broken = best.trial is not None and any(b.ruled.verdict is not _LEGAL for b in best.trial.breaches)
        if best.attack.verdict is _LEGAL and not broken:
            return
        told = best.attack.message or best.text
        best.trial, best.p, best.todos = None, base, ()
        best.attack = self.r.unclear(f"which unit is {word!r} in this attack? As read without it, {told}", "6.1.p3", *best.attack.rules)

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

    def _try(
        self,
        p: Pos,
        t: Throw,
        units: tuple[int, ...],
        targets: tuple[int, ...],
        named: tuple[int, ...],
        later: list[Act],
        said: Declaration | None,
        cost: int,
    ) -> Reading:
        g = self.g
        action = attack_on(g, p, self.by, units, targets, named)
        ruled = self.r.court.rule(p, action)
        die = t.event.faces[0]
        attacked = tuple([u for n in targets for u in defenders(g, p, n, named) if p.force[u] != self.force])
        mine = [a for a in t.acts if a.unit in units or a.unit in attacked]
        touched = {a.unit for a in mine}
        late = [] if cost else [a for a in later if (a.unit in units or a.unit in attacked) and a.unit not in touched and not a.used]
        if ruled.verdict is _ILLEGAL:
            if ruled.codes == {"attacked-already"} and self._second_may_be(p, units):
                asks = "was this an attack of the second Combat Phase?"
                use = "" if g.terms.markers else "is option 18.1 in use, and "
                ruled = self.r.unclear(use + asks, "18.1.p8", "6.3.c1")
            reading = Reading(units, targets, named, action, ruled, None, f"die {die}", p)
            reading.score = (1, 0, 0, len(t.acts), cost)
            return reading
        attack, defending = strengths(g, p, units, targets, named)
        index = column(g, attack, defending)
        stands = declared(g, p, units, targets, named, rolled=True)
        if index < 0:
            trials = [self._carry_out(stands, units, targets, named, attacked, r, mine, late) for r in RESULTS]
            fits = min(trials, key=lambda x: _misfit(x, mine))
            reading = Reading(units, targets, named, action, ruled, fits, f"{attack}:{defending}, die {die}", fits.p)
            reading.score = (0, 0, 1, self._spare(t, fits), cost)
            return reading
        odds = g.charts.columns[index]
        result = g.charts.crt[odds, die]
        text = f"{attack}:{defending} = {odds}, die {die}: {result}"
        strict = self._carry_out(stands, units, targets, named, attacked, result, mine, late)
        reading = Reading(units, targets, named, action, ruled, strict, text, strict.p)
        if not strict.breaches:
            reading.score = (0, 0, int(ruled.verdict is not _LEGAL), self._spare(t, strict), cost)
            return reading
        others = self._other_results(p, units, targets, named, said, attack, index, die)
        best: Trial = strict
        why: tuple[str, ...] = ()
        for other, basis in others:
            trial = self._carry_out(stands, units, targets, named, attacked, other, mine, late)
            if _misfit(trial, mine) < _misfit(best, mine):
                best, why = trial, basis
        reading.trial, reading.p = best, best.p
        missing = [b for b in best.breaches if b.act is None]
        if t is self.last and not self.stint.end_step:
            # the log stops at this die: what it asks for can still be done, and may be the other player's to do (R-G120)
            reading.todos = tuple(b.todo for b in missing if b.todo is not None)
            missing = [b for b in missing if b.todo is None]
        settled = self.stint.end_step and mine and {strict.result, *(r for r, _ in others)} >= set(RESULTS)
        if missing and settled and all(b.ruled.verdict is _ILLEGAL for b in best.breaches):
            # every result that a table can hold was tried, something was done, and none of them asks for that
            part = any(a.to >= g.land.size for a in mine) and any(u not in touched for u in attacked)
            rules = (*(("6.3.d1", "6.3.d2") if part else ()), *missing[0].ruled.rules, _PARA[best.result])
            reading.attack = Ruled(_ILLEGAL, rules, (), f"{text}; no result asks for what was done: {missing[0].ruled.message}")
            reading.trial, reading.p = best, best.p
            reading.score = (1, 0, 0, self._spare(t, best), cost)
            return reading
        cell = (f"crt {odds}|{die} result",) if (odds, die) not in g.charts.crt_certain else ()
        doubt = tuple(dict.fromkeys((*why, *cell, *self._terrain(p, units, targets))))
        if reading.todos and others:
            reading.doubt = doubt
        if reading.todos and len(reading.todos) == len(best.breaches):
            pass  # nothing is wrong yet
        elif best is not strict or (others and missing):
            nearest = f"done was {best.result}"
            if missing:
                nearest = missing[0].ruled.message if best is strict else f"what was done is nearest to {best.result}"
            text_now = f"{text} on our tables; {nearest}"
            paras = ("6.1.p4", _PARA[result])
            reading.attack = Ruled(_DOUBTFUL, (*paras, *(r for b in missing for r in b.ruled.rules)), doubt, text_now)
            if ruled.verdict is _DOUBTFUL:
                reading.attack = ruled
        elif missing:
            first = missing[0].ruled
            reading.attack = Ruled(_ILLEGAL, (*first.rules, _PARA[result]), first.basis, f"{text}; {first.message}")
        wrong = sum(b.ruled.verdict is _ILLEGAL for b in best.breaches if b.act is not None)
        wrong += reading.attack.verdict is _ILLEGAL
        reading.score = (wrong, 0, int(reading.attack.verdict is _DOUBTFUL), self._spare(t, best), cost)
        return reading

    @staticmethod
    def _spare(t: Throw, trial: Trial) -> int:
        """How many acts behind the die this result leaves unexplained."""
        return sum([a not in trial.used for a in t.acts])

    def _terrain(self, p: Pos, units: Sequence[int], targets: Sequence[int]) -> tuple[str, ...]:
        """The reconstructed cells behind the multipliers of these hexes."""
        cells: list[str] = []
        for n in targets:
            for effect in effects(self.g, p, n, units):
                if (effect, n) in self.g.land.certain_terrain:
                    continue
                name = self.g.hex_name(n)
                if effect == "river":
                    pairs = sorted({"|".join(sorted((self.g.hex_name(p.at[u]), name))) for u in units})
                    cells.extend(f"hexsides {pair}|river feature" for pair in pairs)
                else:
                    cells.append(f"features {name}|fortified feature" if effect == "fortified" else f"hexes {name} terrain")
        return tuple(cells)

    def _other_results(
        self,
        p: Pos,
        units: tuple[int, ...],
        targets: tuple[int, ...],
        named: tuple[int, ...],
        said: Declaration | None,
        attack: int,
        index: int,
        die: int,
    ) -> list[tuple[str, tuple[str, ...]]]:
        """The results that the printed tables may hold instead: other columns where terrain is reconstructed and nobody named the
        odds, any result in a cell that is not printed."""
        g = self.g
        if self.r.court.lenient is None:
            return []
        defending = strengths(g, p, units, targets, named)[1]
        agreed = said is not None and any((a, d) == (attack, defending) or f"{a}:{d}" == g.charts.columns[index] for a, d in said.odds)
        best = index
        if not agreed:
            least = sum(
                printed_defence(g, p, (n,), named) * (1 + sum((e, n) in g.land.certain_terrain for e in effects(g, p, n, units)))
                for n in targets
            )
            best = max(index, column(g, attack, least))
        found: list[tuple[str, tuple[str, ...]]] = []
        for k in range(index, best + 1):
            odds = g.charts.columns[k]
            basis = self._terrain(p, units, targets) if k != index else ()
            if (odds, die) in g.charts.crt_certain:
                found.append((g.charts.crt[odds, die], basis))
            else:
                found.extend((r, (f"crt {odds}|{die} result", *basis)) for r in RESULTS)
        strict = g.charts.crt[g.charts.columns[index], die]
        return [f for f in dict.fromkeys(found) if f[0] != strict or f[1]] if len(found) > 1 else [f for f in found if f[0] != strict]

    # -- carrying one result out -------------------------------------------------------------------------------------------

    def _carry_out(
        self,
        p: Pos,
        units: tuple[int, ...],
        targets: tuple[int, ...],
        named: tuple[int, ...],
        attacked: tuple[int, ...],
        result: str,
        acts: Sequence[Act],
        late: Sequence[Act],
    ) -> Trial:
        """One result against what was done: ``acts`` behind the die, ``late`` what its units did after later dice (taken only for
        what is still owed)."""
        g = self.g
        trial = Trial(result, p, late)
        q = self._settle(carry_out(g, p, units, targets, result, named))
        pool = [*acts, *late]
        while len(q.agenda) > 1:
            q = self._settle(self._answer(q, pool, trial))
        for u in (*units, *attacked):
            act = next((a for a in pool if a.unit == u), None) if pool else None
            gone = q.at[u] >= g.land.size
            if gone and p.at[u] < g.land.size:
                removal = next((a for a in pool if a.unit == u and a.to >= g.land.size), None)
                if removal is not None:
                    pool.remove(removal)
                    trial.used.append(removal)
                elif act is not None and act not in late and result in ("AR", "DR"):
                    pool.remove(act)
                    trial.used.append(act)
                    action = Retreat(g.owner(p.force[u]), g.roster.ids[u], g.hex_name(act.to))
                    trial.breaches.append(Breach(self.r.court.rule(carry_out(g, p, units, targets, result, named), action), act, action))
                    q = self.r.force_to(q, u, act.to)
                elif u not in self.r.swept and not any(a.unit == u and a.to >= g.land.size for a in trial.used):
                    cornered = result in ("AR", "DR")
                    text = f"{self.r.label(u)} {'had no hex to retreat to and' if cornered else ''} is eliminated, and was not removed"
                    rules = (_PARA[result], *(("6.2.1.b3",) if cornered else ()))
                    todo = must_go(self.r, p, u, p.force[u] if cornered else self.force, rules, cornered=cornered)
                    ruled = Ruled(_ILLEGAL, rules, (), " ".join(text.split()))
                    trial.breaches.append(Breach(ruled, None, kind="stands", todo=todo))
            elif act is not None and act not in late and act.to >= g.land.size and not gone:
                trial.breaches.append(
                    Breach(
                        Ruled(_ILLEGAL, (_PARA[result],), (), f"{self.r.label(u)} was removed, which {result} does not ask for"),
                        None,
                    )
                )
        trial.p = q
        return trial

    def _settle(self, p: Pos) -> Pos:
        steps = self.r.game.steps
        while len(p.agenda) > 1:
            following = steps[p.agenda[-1].step].settle(p)
            if following is None:
                return p
            p = following
        return p

    def _answer(self, q: Pos, pool: list[Act], trial: Trial) -> Pos:
        """Answers the pending choice with what was done on the table; what is missing or wrong becomes a breach."""
        g, frame = self.g, q.agenda[-1]
        names = g.roster.ids
        if frame.step == "lose":
            units, owed = frame.data
            assert isinstance(units, tuple) and isinstance(owed, int)
            for act in pool:
                if act.unit in units and act.to >= g.land.size:
                    return self._taken(q, Lose(frame.by[0], names[act.unit]), act, pool, trial)
            if owed > 0 and not self.r.swept.intersection(units):
                text = f"the exchange is not paid: attackers worth {owed} more printed attack strength must go"
                ruled = Ruled(_ILLEGAL, ("6.2.c",), ("R-G55",), text)
                trial.breaches.append(Breach(ruled, None, todo=must_pay(self.r, q, units, owed)))
            return altered(q, agenda=q.agenda[:-1])
        if frame.step == "retreat":
            pending = RetreatStep.pending(q)
            for act in pool:
                if act.unit in pending and act.to < g.land.size:
                    retreat = Retreat(g.owner(q.force[act.unit]), names[act.unit], g.hex_name(act.to))
                    return self._taken(q, retreat, act, pool, trial)
            for act in pool:
                if act.unit in pending:
                    pool.remove(act)
                    trial.used.append(act)
                    open_ = retreat_hexes(g, q, act.unit)
                    if open_:
                        where = ", ".join(g.hex_name(n) for n in open_)
                        sure = self.r.court.lenient is None or any(g.land.sure_land[n] for n in open_)
                        basis = () if sure else tuple(f"hexes {g.hex_name(n)} playable" for n in open_)
                        verdict = _ILLEGAL if sure else _DOUBTFUL
                        text = f"{self.r.label(act.unit)} was eliminated though it could retreat to {where}"
                        trial.breaches.append(Breach(Ruled(verdict, ("6.2.1.b3", "6.2.1.p1"), basis, text), act))
                    rest = tuple(u for u in pending if u != act.unit)
                    gone = remove(g, q, (act.unit,))
                    return altered(gone, agenda=(*q.agenda[:-1], Frame("retreat", frame.by, (rest,))))
            for u in pending:
                if u not in self.r.swept and (free := retreat_hexes(g, q, u)):
                    rules = (_PARA[trial.result], "6.2.1.p1")
                    ruled = Ruled(_ILLEGAL, rules, (), f"{self.r.label(u)} must retreat and did not")
                    trial.breaches.append(Breach(ruled, None, todo=must_retreat(self.r, q, u, free, rules)))
            return altered(q, agenda=q.agenda[:-1])
        victors, hexes = frame.data[:2]
        assert isinstance(victors, tuple) and isinstance(hexes, tuple)
        for act in pool:
            if act.unit in victors and act.to in hexes and act not in trial.late:
                advance = Advance(g.owner(q.force[act.unit]), names[act.unit], g.hex_name(act.to))
                return self._taken(q, advance, act, pool, trial)
        return altered(q, agenda=q.agenda[:-1])

    def _taken(self, q: Pos, action: Action, act: Act, pool: list[Act], trial: Trial) -> Pos:
        """The position after an answer that was given on the table; a wrong one becomes a breach."""
        pool.remove(act)
        trial.used.append(act)
        ruled = self.r.court.rule(q, action)
        if ruled.verdict is _LEGAL:
            trial.done.append((action, act))
        else:
            trial.breaches.append(Breach(ruled, act, action))
        return self.r.game.steps[q.agenda[-1].step].apply(q, action)

    # -- telling -----------------------------------------------------------------------------------------------------------

    def _tell(self, t: Throw, reading: Reading) -> Pos:
        """The findings of one explained die; its acts are used up."""
        g, stint = self.g, self.stint
        trial = reading.trial
        action = reading.action
        first = last = t.event.step
        for d in t.declarations:
            first = min(first, d.step)
        for a in trial.used if trial is not None else ():
            if a.to >= g.land.size:
                last = max(last, a.net.last)
        origins = {g.hex_name(reading.p.at[u]) if trial is None else self._origin(t, u) for u in reading.units}
        frm = origins.pop() if len(origins) == 1 else ", ".join(sorted(origins))
        rules: tuple[str, ...] = ("6.1.p1", "6.1.p2", "6.1.p3", "6.3.c2", self.phase.para)
        if trial is not None:
            rules = (*rules, _PARA[trial.result], *(("6.2.1.p1", "6.2.1.b3") if trial.result in ("AR", "DR") else ()))
        if t.event.step in self.r.early_dice and reading.attack.verdict is _LEGAL:
            where = " and ".join(map(g.hex_name, reading.targets))
            reading.attack = self.r.unclear(
                f"was the tracker forgotten? The attack on {where} was rolled before the {self.phase.name} was shown ({reading.text})",
                "3.0",
                "6.1.p1",
            )
        self.r.add(
            stint,
            reading.attack,
            "attack",
            reading.units,
            first,
            last,
            frm=frm,
            to=", ".join([g.hex_name(n) for n in reading.targets]),
            action=action,
            rules=rules,
            message=reading.text,
            mover=(t.event.player, t.event.seat),
        )
        if trial is None:
            p = declared(g, reading.p, reading.units, reading.targets, reading.named)
            p = at_rest(p)
            occ = board(reading.p, g.land).occ
            concerned = {*reading.units, *(u for n in reading.targets for u in occ.get(n, ()))}
            for act in t.acts:
                if act.unit in concerned:
                    act.used = True
                    p = self.r.force_to(p, act.unit, act.to)
            return p
        for act in trial.used:
            act.used = True
        for made, act in sorted(trial.done, key=_step_of) if len(trial.done) > 1 else trial.done:
            kind, rules = _ANSWERED[type(made)]
            self._tell_act(made, act, LAWFUL, kind, rules)
        for b in trial.breaches:
            if b.act is not None:
                self._tell_act(b.action, b.act, b.ruled, _ANSWERED[type(b.action)][0] if b.action else "remove", ())
        p = at_rest(trial.p)
        for made, act in trial.done:
            if type(made) is Retreat and act.to < g.land.size:
                ward = g.wards(p, p.force[act.unit], act.unit)
                if ward[act.to] != HOME_LINE | HOME_YUGOSLAVIA:
                    self.r.thrown.add(act.unit)
        for act in trial.used:
            p = self.r.force_to(p, act.unit, act.to)
        self.r.force = p.force
        return p

    def _origin(self, t: Throw, unit: int) -> str:
        if self.been is None:
            self.been = _put_down(self.stint)
        piece = self.g.roster.ids[unit]
        spot = self.r.table.get(piece)
        for step, to in self.been.get(piece, ()):
            if step >= t.event.step:
                break
            spot = to
        return spot.name if spot is not None else ""

    def _tell_act(self, action: Action | None, act: Act, ruled: Ruled, kind: str, rules: tuple[str, ...]) -> None:
        n = act.net
        self.r.add(
            self.stint,
            ruled,
            kind,
            (act.unit,),
            n.first,
            n.last,
            frm=n.start.name,
            to=n.end.name,
            action=action,
            rules=rules,
            mover=(n.player, n.seat),
        )

    def _loose(self, p: Pos, act: Act, fought: Sequence[Reading]) -> Pos:
        """An act that no die explains."""
        g, unit, n = self.g, act.unit, act.net
        act.used = True
        mover = (n.player, n.seat)
        where = g.hex_name(p.at[unit])
        if p.force[unit] != self.force and p.at[unit] < g.land.size:
            self.vacated.add(p.at[unit])
        to = g.hex_name(act.to) if act.to < g.land.size else n.end.name
        if p.at[unit] >= g.land.size:
            if act.to < g.land.size:
                ask = self.r.unclear(f"where does {self.r.label(unit)} come from, now in {to}?", self.phase.para)
                self.r.add(self.stint, ask, "place", (unit,), n.first, n.last, frm=n.start.name, to=to, mover=mover)
            return self.r.force_to(p, unit, act.to)
        asked = at_rest(p)
        if act.to < g.land.size and p.force[unit] == self.force:
            action: Action = Move(self.by, g.roster.ids[unit], where, to)
            ruled = self.r.court.rule(asked, action)
            target = next((r for r in reversed(fought) if act.to in r.targets), None)
            if target is not None and not target.guessed and act.to in g.land.near[p.at[unit]] and not board(p, g.land).occ.get(act.to):
                action = Advance(self.by, g.roster.ids[unit], to)
                frame = Frame("advance", (self.by,), (target.units, target.targets, ()))
                ruled = self.r.court.rule(altered(asked, agenda=(*asked.agenda, frame)), action)
                if ruled.verdict is _LEGAL:
                    ruled = Ruled(_LEGAL, ("6.5", "6.5.a"))
            elif target is not None and not target.guessed and act.to in g.land.near[p.at[unit]] and p.at[unit] not in target.targets:
                action = Advance(self.by, g.roster.ids[unit], to)
                held = any(p.force[u] != self.force for u in board(p, g.land).occ.get(act.to, ()))
                taken = f"{to} has been entered already: one victorious unit may advance into it, {self.r.label(unit)} is another"
                text = f"{to} was not vacated, so {self.r.label(unit)} cannot advance into it" if held else taken
                ruled = Ruled(_ILLEGAL, ("6.5",), ("R-G53",), text)
            elif act.to in self.vacated and act.to in g.land.near[p.at[unit]] and target is None:
                ruled = self.r.unclear(
                    f"which attack let {self.r.label(unit)} advance from {where} to {to}, and what was its die?", "6.5", "6.1.p3"
                )
            elif (ban := self._never(asked, unit, act.to)) is not None:
                action, ruled = Advance(self.by, g.roster.ids[unit], to), ban
            elif (self.r.unexplained or any(r.guessed for r in fought)) and g.land.distance(p.at[unit], act.to) == 1:
                ruled = self.r.unclear(f"which attack let {self.r.label(unit)} go from {where} to {to}?", "6.5.a", "3.0")
            elif self._second_move(p, unit, act.to):
                moved = f"{self.r.label(unit)} moved {where} to {to} in the Combat Phase"
                asks = f"was it in the second Movement Phase? {moved}" if g.terms.markers else f"is option 18.1 in use? {moved}"
                ruled = self.r.unclear(asks, "18.1.p9", "3.0")
            else:
                ruled = Ruled(ruled.verdict, (*ruled.rules, "3.0"), ruled.basis, ruled.message, ruled.codes)
            kind = "advance" if isinstance(action, Advance) else "move"
            self.r.add(self.stint, ruled, kind, (unit,), n.first, n.last, frm=where, to=to, action=action, mover=mover)
        elif unit in self.r.due:
            self.r.vanish(p, self.stint, n, unit, act.to)
        elif act.to >= g.land.size and p.force[unit] == self.force == S and any(u == unit for u, _ in p.abroad):
            para = "5.3.1.p2" if g.yugoslav(unit) else "5.3.2.p2"
            gone = Ruled(_LEGAL, (para,), (), "across the Yugoslav border at the end of the Soviet Combat Phase: destroyed")
            self.r.add(self.stint, gone, "remove", (unit,), n.first, n.last, frm=where, to=to, mover=mover)
        elif unit in self.r.named:
            text = f"step {n.last}: {self.r.label(unit)}, named for an exit that was not lawful, is taken off the map"
            self.r.note(text, p.force[unit])
        elif act.to < g.land.size and g.land.distance(p.at[unit], act.to) > max(1, self._attacks_on(unit, p.at[unit], fought)):
            text = f"{self.r.label(unit)} went from {where} to {to} in the Combat Phase: no retreat and no advance is that long"
            ruled = Ruled(_ILLEGAL, (self.phase.para, "3.0", "6.2.1.p1", "6.5"), ("R-G3",), text)
            self.r.add(self.stint, ruled, "move", (unit,), n.first, n.last, frm=where, to=to, mover=mover)
        else:
            verb = "moved" if act.to < g.land.size else "was taken off the map"
            ruled = self.r.unclear(
                f"why {self.r.label(unit)} {verb} ({where} to {to or 'nowhere'}): which attack was it?", "6.1.p4", self.phase.para
            )
            kind = "move" if act.to < g.land.size else "remove"
            # who attacked what is the phasing player's to say, whoever owns the unit
            self.r.add(self.stint, ruled, kind, (unit,), n.first, n.last, frm=where, to=to, mover=mover, force=self.force)
        return self.r.force_to(p, unit, act.to)

    def _attacks_on(self, unit: int, at: int, fought: Sequence[Reading]) -> int:
        """How many dice can have driven this unit: those of attacks on its hex or with it, and those whose attack nobody told."""
        told = sum(r.guessed or at in r.targets or unit in r.units for r in fought)
        return told + self.dice - len(fought)

    def _never(self, p: Pos, unit: int, to: int) -> Ruled | None:
        """The verdict on an advance that no attack could have made lawful: over a border, into Berlin, by a garrison (R-G54, R-G85)."""
        if to not in self.g.land.touching[p.at[unit]] or to in board(p, self.g.land).occ:
            return None
        frame = Frame("advance", (self.by,), ((unit,), (to,), ()))
        ruled = self.r.court.rule(altered(p, agenda=(*p.agenda, frame)), Advance(self.by, self.g.roster.ids[unit], self.g.hex_name(to)))
        return None if ruled.verdict is _LEGAL else ruled

    def _marker_near(self, p: Pos, units: Sequence[int]) -> bool:
        """A supply marker lies within three hexes of one of the units, so option 18.1 may be in use (R-G111)."""
        nodes = [self.g.land.nodes[h] for h in self.r.markers if self.r.is_hex(h)]
        return any(self.g.land.distance(p.at[u], n) <= 3 for u in units for n in nodes if p.at[u] < self.g.land.size)

    def _second_may_be(self, p: Pos, units: Sequence[int]) -> bool:
        """The act may belong to a second phase of 18.1 that the tracker does not show."""
        if self.g.terms.markers:
            return self.phase.kind == COMBAT and not self.r.seconds_shown and any(ph.kind == SECOND_COMBAT for ph in self._own_phases())
        return self._marker_near(p, units)

    def _own_phases(self) -> list[Phase]:
        return [ph for ph in self.g.terms.phases if ph.force == self.force]

    def _second_move(self, p: Pos, unit: int, to: int) -> bool:
        """The move would be lawful in the second Movement Phase of 18.1, as far as its length and the marker go."""
        half = self.g.roster.move[unit] // 2
        eligible = self.force != S or self.g.roster.nation[unit] == "Soviet Union"
        return eligible and self._second_may_be(p, (unit,)) and self.g.land.distance(p.at[unit], to) <= half
