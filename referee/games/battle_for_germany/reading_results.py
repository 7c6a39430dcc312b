"""What a die asks for: the results that the tables may hold, and each of them carried out against what was done on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from referee.games.battle_for_germany.actions import Advance, Lose, Retreat
from referee.games.battle_for_germany.changes import remove
from referee.games.battle_for_germany.combat import carry_out
from referee.games.battle_for_germany.odds import column, effects, printed_defence, strengths
from referee.games.battle_for_germany.position import altered
from referee.games.battle_for_germany.reading_attacks import Act
from referee.games.battle_for_germany.reading_movement import Marches
from referee.games.battle_for_germany.reading_open import Todo, must_go, must_pay, must_retreat
from referee.games.battle_for_germany.reading_words import Declaration
from referee.games.battle_for_germany.retreat import RetreatStep, retreat_hexes
from referee.games.battle_for_germany.state import Pos
from referee.rules.model import Action, Frame, Verdict
from referee.rules.reading import Ruled

_LEGAL: Final = Verdict.LEGAL
_ILLEGAL: Final = Verdict.ILLEGAL
_DOUBTFUL: Final = Verdict.DOUBTFUL
"""By names of the module: members of an enumeration are slow to come by."""
RESULTS: Final = ("DE", "EX", "DR", "AR", "AE")
_MOST_ORDERED: Final = 4
"""Of how many retreating units every order is tried."""
PARA: Final = {"DE": "6.2.a", "AE": "6.2.b", "EX": "6.2.c", "AR": "6.2.d", "DR": "6.2.e"}
"""Result -> the paragraph that says what it asks for."""


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


def misfit(trial: Trial, acts: Sequence[Act]) -> tuple[int, int]:
    """How badly a result fits: wrong acts, acts it does not explain and (twice) units that stand though it eliminates them; then
    whether anything else was left undone."""
    standing = sum(b.kind == "stands" for b in trial.breaches)
    wrong = sum(b.act is not None for b in trial.breaches)
    return wrong + sum(a not in trial.used for a in acts) + 2 * standing, int(bool(trial.breaches))


class Results:
    """Carries results out for one Combat Phase of ``force``."""

    def __init__(self, reader: Marches, force: int) -> None:
        self.r = reader
        self.g = reader.g
        self.force = force

    # -- which results there may be ------------------------------------------------------------------------------------------

    def terrain(self, p: Pos, units: Sequence[int], targets: Sequence[int]) -> tuple[str, ...]:
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

    def others(
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
            basis = self.terrain(p, units, targets) if k != index else ()
            if (odds, die) in g.charts.crt_certain:
                found.append((g.charts.crt[odds, die], basis))
            else:
                found.extend((r, (f"crt {odds}|{die} result", *basis)) for r in RESULTS)
        strict = g.charts.crt[g.charts.columns[index], die]
        return [f for f in dict.fromkeys(found) if f[0] != strict or f[1]] if len(found) > 1 else [f for f in found if f[0] != strict]

    # -- carrying one result out -------------------------------------------------------------------------------------------

    def carry_out(
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
        """One result against what was done. Units retreat one by one in the order that their owner chooses (R-G47), and who was dragged
        first says little: where they do not fit as they were dragged, the other orders are tried."""
        trial = self._carried_out(p, units, targets, named, attacked, result, acts, late)
        if result not in ("AR", "DR") or not any(type(b.action) is Retreat for b in trial.breaches):
            return trial
        going = [a for a in acts if a.to < self.g.land.size and a.unit in (units if result == "AR" else attacked)]
        if not 2 <= len(going) <= _MOST_ORDERED:
            return trial
        rest = [a for a in acts if a not in going]
        for order in permutations(going):
            other = self._carried_out(p, units, targets, named, attacked, result, [*order, *rest], late)
            if len(other.breaches) < len(trial.breaches):
                trial = other
                if not trial.breaches:
                    break
        return trial

    def _carried_out(
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
                    rules = (PARA[result], *(("6.2.1.b3",) if cornered else ()))
                    todo = must_go(self.r, p, u, p.force[u] if cornered else self.force, rules, cornered=cornered)
                    ruled = Ruled(_ILLEGAL, rules, (), " ".join(text.split()))
                    trial.breaches.append(Breach(ruled, None, kind="stands", todo=todo))
            elif act is not None and act not in late and act.to >= g.land.size and not gone:
                trial.breaches.append(
                    Breach(
                        Ruled(_ILLEGAL, (PARA[result],), (), f"{self.r.label(u)} was removed, which {result} does not ask for"),
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
                    rules = (PARA[trial.result], "6.2.1.p1")
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
