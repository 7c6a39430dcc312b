"""What waits for somebody where a log stops: results not yet carried out, attacks without their die, dice without their attack.

Nothing here is a breach: only the next phase, the next attack or the next log can make one of it. It is told to the player whose it
is (R-G120): losses are the attacker's to carry out, retreats are the decision of the retreating units' owner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.games.battle_for_germany.actions import Attack
from referee.games.battle_for_germany.changes import box_of
from referee.games.battle_for_germany.position import at_rest, board
from referee.games.battle_for_germany.reading_sheet import Sheet
from referee.games.battle_for_germany.reading_words import Declaration, alone
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import COMBAT, SECOND_COMBAT
from referee.rules.model import Verdict
from referee.rules.reading import Ruled, Stint


@dataclass(frozen=True, slots=True)
class Todo:
    """One thing that a result still asks for: who must, which units it concerns, where they may go, in words."""

    force: int
    units: tuple[int, ...]
    frm: str
    to: str
    text: str
    rules: tuple[str, ...]
    rulings: tuple[str, ...] = ()


def must_go(r: Sheet, p: Pos, unit: int, force: int, rules: tuple[str, ...], *, cornered: bool) -> Todo:
    """A unit that is eliminated and still stands; ``cornered``: because it has no hex to retreat to."""
    why = ", for it has no hex to retreat to" if cornered else ""
    return Todo(force, (unit,), _hexes(r, p, (unit,)), _box(r, p, unit), f"{r.label(unit)} is still to be removed{why}", rules)


def must_pay(r: Sheet, p: Pos, units: Sequence[int], owed: int) -> Todo:
    """Attackers that must still pay an exchange (6.2.c)."""
    left = tuple(u for u in units if p.at[u] < r.g.land.size) or tuple(units)
    names = " and ".join(r.label(u) for u in left)
    text = f"{names} is still to be removed" if len(left) == 1 else f"of {names}, {owed} printed attack strength is still to be removed"
    return Todo(p.force[left[0]], left, _hexes(r, p, left), _box(r, p, left[0]), text, ("6.2.c",), ("R-G55",))


def must_retreat(r: Sheet, p: Pos, unit: int, hexes: Iterable[int], rules: tuple[str, ...]) -> Todo:
    """A unit that must still retreat into one of these hexes."""
    where = ", ".join(r.g.hex_name(n) for n in hexes)
    return Todo(p.force[unit], (unit,), _hexes(r, p, (unit,)), where, f"{r.label(unit)} is still to retreat", rules, ("R-G51",))


def attack_on(g: Setting, p: Pos, by: str, units: Sequence[int], targets: Sequence[int], named: Sequence[int] = ()) -> Attack:
    """The attack in one line; ``named``: the units attacked alone (18/6.3), in place of their hexes."""
    ids, names = g.roster.ids, g.land.names
    if named:
        alone = [p.at[u] for u in named]
        aims = [*[names[n] for n in targets if n not in alone], *[ids[u] for u in named]]
    else:
        aims = [names[n] for n in targets]
    return Attack(by, tuple(sorted([ids[u] for u in units])), tuple(sorted(aims)))


def _hexes(r: Sheet, p: Pos, units: Iterable[int]) -> str:
    return ", ".join(sorted({r.g.hex_name(p.at[u]) for u in units}))


def _box(r: Sheet, p: Pos, unit: int) -> str:
    return r.g.hex_name(box_of(r.g, p, unit))


def result_waits(r: Sheet, stint: Stint, step: int, text: str, todos: Sequence[Todo], doubt: Sequence[str]) -> None:
    """Writes down what one die (``text``: its odds and result) still asks for; ``doubt``: the cells that the result rests on."""
    said = "; ".join(t.text for t in todos)
    for i, t in enumerate(todos):
        ruled = Ruled(Verdict.DOUBTFUL if doubt else Verdict.ILLEGAL, t.rules, (*doubt, *t.rulings), f"{text}; {t.text}")
        note = f"step {step}: {text}; where the log ends, {said}" if i == 0 else ""
        r.wait(stint, ruled, "duty", t.units, step, t.force, note=note, frm=t.frm, to=t.to)


def die_waits(r: Sheet, stint: Stint, step: int, faces: Sequence[int], *, fun: bool) -> None:
    """A die that belongs to no action; unless the players took it back, the phase's player is asked."""
    shown = ", ".join(map(str, faces))
    note = f"step {step}: a die ({shown}) that belongs to no action"
    if fun:
        r.note(note, r.phase(stint).force)
        return
    asked = r.unclear(f"who attacked what? A die ({shown}) was thrown, and no attack was declared for it", "6.1.p3")
    r.wait(stint, asked, "roll", (), step, r.phase(stint).force, note=note)


def attacks_wait(r: Sheet, stint: Stint, p: Pos, said: Sequence[Declaration], *, fought: Sequence[tuple[int, ...]]) -> None:
    """Attacks that were declared and have no die where the log stops. Words that are no whole attack, or that speak of one already
    fought, are passed over: announcing binds nobody (R-G44)."""
    occ = board(p, r.g.land).occ
    told: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    used: set[int] = {u for units in fought for u in units}
    for d in said:
        units = tuple(sorted({options[0] for options in d.units}))
        foes = r.g.enemies(p, r.phase(stint).force)
        held = all(any(foes >> p.force[u] & 1 for u in occ.get(n, ())) for n in d.targets)
        if not units or not d.targets or not d.exact or d.foreign or not held or used & set(units) or (units, d.targets) in told:
            continue
        told.add((units, d.targets))
        action = attack_on(r.g, p, r.phase(stint).owner, units, d.targets, alone(r.g, p, d.targets, d.named))
        if (
            r.phase_kind(p) in (COMBAT, SECOND_COMBAT)
            and r.court.rule(at_rest(p), action).verdict is Verdict.ILLEGAL
            and not d.marked
        ):
            continue
        names, where = " and ".join(r.label(u) for u in units), " and ".join(map(r.g.hex_name, d.targets))
        ruled = r.unclear(f"is the attack of {names} on {where} still to be made? It was declared, and no die follows", "6.1.p3")
        note = f"step {d.step}: the attack of {names} on {where} was declared, and the log ends before its die"
        r.wait(
            stint,
            ruled,
            "attack",
            units,
            d.step,
            r.phase(stint).force,
            note=note,
            frm=_hexes(r, p, units),
            to=", ".join(map(r.g.hex_name, d.targets)),
            action=action,
        )
