"""How a Combat Phase on a table maps to actions: which die was for which attack, and whether what was done is what the result asks.

A die is explained by what the players declared (table talk, chat) and by what then happened to the pieces: the attacks that it may
have been for (``reading_attacks``) are tried with the results that it may have (``reading_results``), and the best reading is told. A
die that nothing follows and nobody announced is for fun.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from referee.games.battle_for_germany.actions import Advance, Attack, Lose, Move, Retreat
from referee.games.battle_for_germany.combat import declared
from referee.games.battle_for_germany.odds import column, defenders, effects, strengths
from referee.games.battle_for_germany.position import S, altered, at_rest, board
from referee.games.battle_for_germany.reading_attacks import GUESSED, Act, Throw, Throws, told_face
from referee.games.battle_for_germany.reading_movement import Marches
from referee.games.battle_for_germany.reading_open import Todo, attack_on, attacks_wait, die_waits, result_waits
from referee.games.battle_for_germany.reading_results import PARA, RESULTS, Results, Trial, misfit
from referee.games.battle_for_germany.reading_words import Declaration
from referee.games.battle_for_germany.setting import HOME_LINE, HOME_YUGOSLAVIA
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import COMBAT, SECOND_COMBAT, Phase
from referee.rules.events import Spot
from referee.rules.model import Action, Frame, Verdict
from referee.rules.reading import LAWFUL, Ruled, Stint

_LEGAL: Final = Verdict.LEGAL
_ILLEGAL: Final = Verdict.ILLEGAL
_DOUBTFUL: Final = Verdict.DOUBTFUL
_UNCLEAR: Final = Verdict.UNCLEAR
"""By names of the module: members of an enumeration are slow to come by."""
_ANSWERED: Final[dict[type[Action], tuple[str, tuple[str, ...]]]] = {
    Advance: ("advance", ("6.5", "6.5.a")),
    Retreat: ("retreat", ("6.2.1.p1", "6.2.1.a1")),
    Lose: ("lose", ("6.2.c",)),
}
"""Answers to a result: what a finding calls them, and what lawful ones rest on."""
_BUDGET: Final = 400


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


def _clean(reading: Reading) -> bool:
    """What was done is all that the die asks for."""
    return reading.attack.verdict is _LEGAL and reading.trial is not None and not reading.trial.breaches


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
        self.throws = Throws(reader, stint)
        self.results = Results(reader, self.force)
        self.dice = 0
        self.guessed = 0
        """Units of which nobody said, and nothing showed, that they took part in an attack that is read so. Bits."""
        self.vacated: set[int] = set()
        """Hexes that enemies left without a die that explains it."""
        self.been: dict[str, list[tuple[int, Spot]]] | None = None
        """Piece -> (the last step so far, where it was put), once asked."""

    def read(self, p: Pos) -> Pos:
        """Every die and every act of the phase, in order."""
        throws, before = self.throws.cut(p)
        self.dice = len(throws)
        for act in before:
            p = self._loose(p, act, ())
        later = [a for t in throws for a in t.acts]
        fought: list[Reading] = []
        following = iter(throws)
        for t in following:
            later = later[len(t.acts) :]
            reading = self._explain(p, t, later)
            if reading is not None and not t.acts and (other := self._for_another(p, t, reading, throws, later)) is not None:
                reading = other
            if reading is not None and not t.acts and (again := self._thrown_again(p, t, reading, throws, later)) is not None:
                t, reading = again
                next(following)
                later = later[len(t.acts) :]
            if reading is None and t.told:
                pass
            elif reading is None:
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
            attacks_wait(self.r, self.stint, p, self.throws.unrolled(p), fought=[x.units for x in fought])
        return p

    def _thrown_again(
        self, p: Pos, t: Throw, reading: Reading, throws: Sequence[Throw], later: list[Act]
    ) -> tuple[Throw, Reading] | None:
        """Two dice behind one announcement, nothing done between them, and what was done asks for the second: which of them counts is
        for the players to say."""
        at = next((k for k, x in enumerate(throws) if x is t), -1) + 1
        if not t.declarations or _clean(reading) or at >= len(throws) or throws[at].declarations or throws[at].told:
            return None
        second = Throw(throws[at].event, t.declarations, throws[at].acts)
        again = self._explain(p, second, later[len(second.acts) :])
        if again is None or not _clean(again):
            return None
        dice = f"{t.event.faces[0]} and {second.event.faces[0]}" if t.event.faces else f"one untold and {second.event.faces[0]}"
        where = " and ".join(map(self.g.hex_name, again.targets))
        asks = f"which die counts for the attack on {where}? Two were thrown for it, {dice}, and the second was carried out ({again.text})"
        again.attack = self.r.unclear(asks, "6.1.p3", "6.1.p4")
        return second, again

    def _for_another(self, p: Pos, t: Throw, reading: Reading, throws: Sequence[Throw], later: list[Act]) -> Reading | None:
        """Two attacks announced together and their dice thrown one behind the other before anything was done: where only the other
        order of the dice fits what was done, the players are asked; None where the dice stand."""
        at = next((k for k, x in enumerate(throws) if x is t), -1) + 1
        if not t.declarations or at >= len(throws) or _clean(reading) or reading.trial is None:
            return None
        following = throws[at]
        if not following.declarations or following.declarations[0].step > t.event.step:
            return None
        both = (t.declarations, following.declarations)
        following.declarations, t.declarations = both
        swapped = self._explain(p, t, later)
        fits = swapped is not None and _clean(swapped)
        second = self._explain(swapped.p, following, later[len(following.acts) :]) if swapped is not None and fits else None
        if swapped is not None and second is not None and _clean(second):
            dice = " and ".join(str(x.event.faces[0]) if x.event.faces else "one untold" for x in (t, following))
            asks = f"which die was for which attack? The dice {dice} fit what was done only in the other order ({swapped.text})"
            swapped.attack = self.r.unclear(asks, "6.1.p3", "6.1.p4")
            return swapped
        t.declarations, following.declarations = both
        return None

    # -- explaining one die ------------------------------------------------------------------------------------------------

    def _explain(self, p: Pos, t: Throw, later: list[Act]) -> Reading | None:
        base = at_rest(p)
        base.__dict__.update(p.__dict__)
        said = t.declarations[0] if t.declarations else None
        candidates, pinned = self.throws.candidates(base, t)
        best: Reading | None = None
        for units, targets, named, cost in candidates[:_BUDGET]:
            reading = self._try(base, t, units, targets, named, later, said, cost)
            if best is None or reading.score < best.score:
                best = reading
                if reading.score[:4] == (0, 0, 0, 0):
                    break
        if best is not None and t.told:
            self._told_only(best, base, t)
        if best is not None and id(t.event) in self.throws.afterwards and best.attack.verdict is not _ILLEGAL:
            where = " and ".join(map(self.g.hex_name, best.targets))
            asks = f"was the attack on {where} carried out before its die was thrown? The {t.event.faces[0]} stands behind it ({best.text})"
            best.attack = self.r.unclear(asks, "6.1.p3", "6.1.p4")
            if best.trial is None or best.trial.breaches:
                best.trial, best.p, best.todos = None, base, ()
        if best is not None and said is not None and best.score[4] >= GUESSED:
            best.guessed = True
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

    def _told_only(self, best: Reading, base: Pos, t: Throw) -> None:
        """An attack for which no die button was pressed: what words say of the die accuses nobody, and none at all is asked for."""
        broken = best.trial is None or bool(best.trial.breaches)
        if best.attack.verdict is _ILLEGAL and best.trial is None:
            return  # whatever was rolled
        where = " and ".join(map(self.g.hex_name, best.targets))
        if not t.event.faces:
            read = f"; read as {best.trial.result}" if best.trial is not None and not broken else ""
            best.attack = self.r.unclear(f"what was rolled for the attack on {where}? There is no die for it{read}", "6.1.p3", "6.1.p4")
        elif broken or best.attack.verdict is not _LEGAL:
            told = best.attack.message or best.text
            asks = f"what was rolled for the attack on {where}? Chat tells of a {t.event.faces[0]}, by which {told}"
            best.attack = self.r.unclear(asks, "6.1.p3", "6.1.p4")
        if broken:
            best.trial, best.p, best.todos = None, base, ()

    def _without(self, best: Reading, base: Pos, word: str) -> None:
        """An attack of which one name was not understood: what was read may be right, but accuses nobody."""
        best.guessed = True
        broken = best.trial is not None and any(b.ruled.verdict is not _LEGAL for b in best.trial.breaches)
        if best.attack.verdict is _LEGAL and not broken:
            return
        told = best.attack.message or best.text
        best.trial, best.p, best.todos = None, base, ()
        best.attack = self.r.unclear(f"which unit is {word!r} in this attack? As read without it, {told}", "6.1.p3", *best.attack.rules)

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
        """One candidate for a die; also without the fortifications that may have been destroyed before the log begins."""
        reading = self._tried(p, t, units, targets, named, later, said, cost)
        if not self.r.forts_unsure or reading.score[:3] == (0, 0, 0):
            return reading
        forts = self.g.land.forts
        held = [n for n in targets if "fortified" in effects(self.g, p, n, units)]
        if not held:
            return reading
        # nothing kept beside the position: strengths are
        razed = replace(p, forts_gone=p.forts_gone | sum({forts[n] for n in held}))
        without = self._tried(razed, t, units, targets, named, later, said, cost)
        if without.score[:3] >= reading.score[:3]:
            return reading
        where = " and ".join(map(self.g.hex_name, held))
        asks = f"does the fortification in {where} still stand? The log begins later than the game; without it {without.text}"
        without.attack = self.r.unclear(asks, "6.4.c1", "6.4.c3", "6.1.p2")
        without.score = (without.score[0], 1, *without.score[2:])
        return without

    def _tried(
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
        die = t.event.faces[0] if t.event.faces else 0
        attacked = tuple([u for n in targets for u in defenders(g, p, n, named) if p.force[u] != self.force])
        mine = [a for a in t.acts if a.unit in units or a.unit in attacked]
        touched = {a.unit for a in mine}
        late = [] if cost else [a for a in later if (a.unit in units or a.unit in attacked) and a.unit not in touched and not a.used]
        if ruled.verdict is _ILLEGAL:
            if ruled.codes == {"attacked-already"} and self._second_may_be(p, units):
                asks = "was this an attack of the second Combat Phase?"
                use = "" if g.terms.markers else "is option 18.1 in use, and "
                ruled = self.r.unclear(use + asks, "18.1.p8", "6.3.c1")
            elif ruled.codes == {"attacked-already"} and all(self.guessed >> u & 1 for u in units if p.attacked >> u & 1):
                names = " and ".join(self.r.label(u) for u in units if p.attacked >> u & 1)
                ruled = self.r.unclear(f"did {names} take part in an attack before this one? Nobody said so", "6.3.c1", "6.1.p3")
            reading = Reading(units, targets, named, action, ruled, None, f"die {die}", p)
            reading.score = (1, 0, 0, len(t.acts), cost)
            return reading
        attack, defending = strengths(g, p, units, targets, named)
        index = column(g, attack, defending)
        stands = declared(g, p, units, targets, named, rolled=True)
        if index < 0 or not die:
            trials = [self.results.carry_out(stands, units, targets, named, attacked, r, mine, late) for r in RESULTS]
            fits = min(trials, key=lambda x: (misfit(x, mine), x.result != t.result))
            reading = Reading(units, targets, named, action, ruled, fits, f"{attack}:{defending}, die {die or 'unknown'}", fits.p)
            reading.score = (0, 0, 1, self._spare(t, fits), cost)
            return reading
        odds = g.charts.columns[index]
        result = g.charts.crt[odds, die]
        text = f"{attack}:{defending} = {odds}, die {die}: {result}"
        strict = self.results.carry_out(stands, units, targets, named, attacked, result, mine, late)
        reading = Reading(units, targets, named, action, ruled, strict, text, strict.p)
        if not strict.breaches:
            reading.score = (0, 0, int(ruled.verdict is not _LEGAL), self._spare(t, strict), cost)
            return reading
        others = self.results.others(p, units, targets, named, said, attack, index, die)
        best: Trial = strict
        why: tuple[str, ...] = ()
        waits = t is self.throws.last and not self.stint.end_step and not mine
        for other, basis in () if waits else others:  # where nothing was done yet, nothing speaks for another result
            trial = self.results.carry_out(stands, units, targets, named, attacked, other, mine, late)
            if misfit(trial, mine) < misfit(best, mine):
                best, why = trial, basis
        reading.trial, reading.p = best, best.p
        missing = [b for b in best.breaches if b.act is None]
        if t is self.throws.last and not self.stint.end_step:
            # the log stops at this die: what it asks for can still be done, and may be the other player's to do (R-G120)
            reading.todos = tuple(b.todo for b in missing if b.todo is not None)
            missing = [b for b in missing if b.todo is None]
        settled = self.stint.end_step and mine and {strict.result, *(r for r, _ in others)} >= set(RESULTS)
        if missing and settled and all(b.ruled.verdict is _ILLEGAL for b in best.breaches):
            # every result that a table can hold was tried, something was done, and none of them asks for that
            part = any(a.to >= g.land.size for a in mine) and any(u not in touched for u in attacked)
            rules = (*(("6.3.d1", "6.3.d2") if part else ()), *missing[0].ruled.rules, PARA[best.result])
            reading.attack = Ruled(_ILLEGAL, rules, (), f"{text}; no result asks for what was done: {missing[0].ruled.message}")
            reading.trial, reading.p = best, best.p
            reading.score = (1, 0, 0, self._spare(t, best), cost)
            return reading
        cell = (f"crt {odds}|{die} result",) if (odds, die) not in g.charts.crt_certain else ()
        doubt = tuple(dict.fromkeys((*why, *cell, *self.results.terrain(p, units, targets))))
        if reading.todos and others:
            reading.doubt = doubt
        if reading.todos and len(reading.todos) == len(best.breaches):
            pass  # nothing is wrong yet
        elif best is not strict or (others and missing):
            nearest = f"done was {best.result}"
            if missing:
                nearest = missing[0].ruled.message if best is strict else f"what was done is nearest to {best.result}"
            text_now = f"{text} on our tables; {nearest}"
            paras = ("6.1.p4", PARA[result])
            reading.attack = Ruled(_DOUBTFUL, (*paras, *(r for b in missing for r in b.ruled.rules)), doubt, text_now)
            if ruled.verdict is _DOUBTFUL:
                reading.attack = ruled
        elif missing:
            first = missing[0].ruled
            reading.attack = Ruled(_ILLEGAL, (*first.rules, PARA[result]), first.basis, f"{text}; {first.message}")
        wrong = sum(b.ruled.verdict is _ILLEGAL for b in best.breaches if b.act is not None)
        wrong += reading.attack.verdict is _ILLEGAL
        reading.score = (wrong, 0, int(reading.attack.verdict is _DOUBTFUL), self._spare(t, best), cost)
        return reading

    @staticmethod
    def _spare(t: Throw, trial: Trial) -> int:
        """How many acts behind the die this result leaves unexplained."""
        return sum([a not in trial.used for a in t.acts])

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
        if reading.guessed:
            acted = {a.unit for a in trial.used} if trial is not None else set()
            self.guessed |= sum(1 << u for u in set(reading.units) - acted)
        origins = {g.hex_name(reading.p.at[u]) if trial is None else self._origin(t, u) for u in reading.units}
        frm = origins.pop() if len(origins) == 1 else ", ".join(sorted(origins))
        rules: tuple[str, ...] = ("6.1.p1", "6.1.p2", "6.1.p3", "6.3.c2", self.phase.para)
        if trial is not None:
            rules = (*rules, PARA[trial.result], *(("6.2.1.p1", "6.2.1.b3") if trial.result in ("AR", "DR") else ()))
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
            elif (asks := self._answers(p, act)) and ruled.verdict is not _LEGAL:
                ruled = self.r.unclear(asks, "6.1.p3", "3.0", "6.2.1.p1", "6.5")
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

    def _answers(self, p: Pos, act: Act) -> str:
        """What is to be asked of a unit of the phasing force that went one hex, where it may have answered to an attack that the log
        does not tell whole: one of which the die was rolled before the log begins, or one that its player spoke of; else ""."""
        g, unit = self.g, act.unit
        if act.to not in g.land.touching[p.at[unit]]:
            return ""
        went = f"{self.r.label(unit)} went from {g.hex_name(p.at[unit])} to {g.hex_name(act.to)}"
        foes, occ = g.enemies(p, self.force), board(p, g.land).occ
        fought, left = (any(foes >> p.force[u] & 1 for n in g.land.near[h] for u in occ.get(n, ())) for h in (p.at[unit], act.to))
        # who advances went where an enemy stood, and he is beside it now, or off the map
        if self.stint.begins_inside and (fought or left or any(foes >> f & 1 and p.at[u] >= g.land.size for u, f in enumerate(p.force))):
            return f"{went}: was its attack rolled before this log begins?"
        if not fought:
            return ""
        for e in self.stint.events:
            if e.kind == "chat" and e.step < act.net.last and not e.undone:
                if told_face(e.text):
                    return f"{went}: did it take part in the attack of which chat tells the die at step {e.step}?"
                mentions = self.throws.words.heard(e.text).mentions
                if g.roster.ids[unit] in {u for m in mentions for u in m.units}:
                    return f"{went}: did it take part in an attack? Chat at step {e.step} may name it"
        return ""

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
