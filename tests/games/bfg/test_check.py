"""What must hold of every answer, whatever is asked: no exception, a paragraph for every refusal, duties that explain ``done``."""

from __future__ import annotations

import random

import pytest

from referee.rules.model import NotationError
from tests.games.bfg.facts import HEXES, UNITS, rows
from tests.games.bfg.layout import BOOK, allowed, attack, check, cited, lay, legal, members, on, play, refused, rule, ruling, step
from tests.games.bfg.test_mutations import samples

PARAGRAPHS = {row["id"] for row in rows("rules")} | {row["section"] for row in rows("rules")}
RULINGS = {row["id"] for row in rows("rulings")}


def nonsense(dice: random.Random) -> str:
    """One well-formed line about anything."""
    by = dice.choice(("soviet", "western-allied", "chance", "nobody"))
    unit, other = dice.sample(sorted(UNITS), 2)
    a, b, c = dice.sample(sorted(HEXES), 3)
    verbs = (
        f"{by} done",
        f"{by} roll {dice.choice(('combat', 'evacuation', 'weather'))} {dice.randint(0, 9)}",
        f"{by} setup {unit} > {a}",
        f"{by} replace {unit} > {a}",
        f"{by} move {unit} @ {a} > {b}",
        f"{by} move {unit} @ {a} > {b} via {c}",
        f"{by} exit {unit} @ {a} > {b}",
        f"{by} exit {unit} @ {a} > {b} via {c}",
        f"{by} take {unit}",
        f"{by} evacuate {unit}",
        f"{by} land > {a}",
        f"{by} attack {unit},{other} > {a},{b}",
        f"{by} target > {a}",
        f"{by} join {unit}",
        f"{by} lose {unit}",
        f"{by} retreat {unit} > {a}",
        f"{by} advance {unit} > {a}",
    )
    return dice.choice(verbs)


@pytest.mark.whole_game
def test_nonsense_is_refused_with_a_paragraph_and_never_raises() -> None:
    dice = random.Random(3)
    steps = set()
    for p, _, _ in samples()[::9]:
        steps.add(step(p))
        for _ in range(5):
            line = nonsense(dice)
            if line.startswith("nobody"):
                with pytest.raises(NotationError):
                    BOOK.parse(line)
                continue
            ruling_ = check(p, line)
            if " weather " in line:
                assert not ruling_.legal, line
            if not ruling_.legal:
                assert ruling_.reasons, line
                for reason in ruling_.reasons:
                    assert reason.cites and BOOK.sentence(reason), (line, reason)
                    assert {c.para for c in reason.cites} <= PARAGRAPHS, (line, reason)
                    assert {c.ruling for c in reason.cites if c.ruling} <= RULINGS, (line, reason)
            assert str(BOOK.parse(str(BOOK.parse(line)))) == str(BOOK.parse(line))
    assert steps >= {"movement", "combat", "declare", "combat-roll", "retreat", "advance", "lose", "replacement", "take"}


@pytest.mark.whole_game
def test_duties_are_why_done_is_refused() -> None:
    for p, _, _ in samples()[::4]:
        for by in p.agenda[-1].by:
            if by == "chance":
                continue
            done = check(p, f"{by} done")
            duties = BOOK.duties(p)
            assert done.legal == (not duties), (step(p), done, duties)
            assert {r.code for r in duties} <= {r.code for r in done.reasons}


def test_only_the_first_reason_is_given_unless_all_are_asked_for() -> None:
    p = lay("S movement", "su-1-gds-inf 2516, eg-24-pz 2515, we-5-us 2004, wg-1-ss 2105")
    line = "western-allied move wg-1-ss @ 2105 > 3526"
    every, first = check(p, line), check(p, line, every=False)
    assert len(first.reasons) == 1 and first.reasons[0] in every.reasons and len(every.reasons) > 1


@ruling("R-G13")
@ruling("R-G86")
@rule("10.0.a1")
def test_a_capital_without_a_front_costs_nothing_but_points() -> None:
    # Any Soviet-side unit may hold Warsaw for turns on end; only a Front becomes a garrison.
    for unit in ("su-1-gds-inf", "su-1-pol", "su-1-rom"):
        p = play(lay("S movement", f"{unit} 2722, eg-2 0522", turn=4), f"soviet move {unit} @ 2722 > 2723", "soviet done")
        while not (p.turn == 5 and step(p) == "movement" and p.agenda[-1].by == ("soviet",)):
            p = play(p, f"{p.agenda[-1].by[0]} done")
        assert not members(p.garrison)
        allowed(p, "soviet done", f"soviet move {unit} @ 2723 > 2722")


@ruling("R-G88")
@ruling("R-G23")
@rule("5.0.a3")
def test_both_allies_are_never_in_berlin_at_once() -> None:
    p = lay("W movement", "su-1-gds-inf 2613, we-5-us 2612, wg-63 1301")
    refused(p, "western-allied move we-5-us @ 2612 > 2613", "5.0.a3")
    p = lay("S movement", "we-5-us 2613, su-1-gds-inf 2714, eg-2 0522")
    refused(p, "soviet move su-1-gds-inf @ 2714 > 2613", "5.0.a3")
    # A Soviet retreat does not go there either.
    p = attack(lay("EG combat", "su-1-pol 2514, we-5-us 2613, eg-24-pz 2515, eg-39-pz 2515"), "eg-24-pz eg-39-pz", "2514", 4)
    assert "soviet retreat su-1-pol > 2613" not in legal(p) and on(p, "2613") == {"we-5-us"}


def test_a_layout_draws_what_stands_on_it() -> None:
    # A Western unit in a fortified hex has destroyed it, an Ally in a port or in Berlin has entered it.
    p = lay("W movement", "we-5-us 1805, we-4-us 2613, su-1-gds-inf 2815")
    assert p.forts_gone.bit_count() == 1 and p.ports_entered.bit_count() == 1 and p.berlin_seen.bit_count() == 1
    assert not lay("W movement", "wg-63 1805, su-1-gds-inf 1806").forts_gone


def test_a_refusal_names_no_ban_that_does_not_apply() -> None:
    # S on EG is no fight of Germans; nothing can be joined before an attack is opened.
    units = "su-1-gds-inf 2516, eg-24-pz 2515, we-5-us 2004, wg-1-ss 2105"
    assert cited(lay("WG combat", units), "soviet attack su-1-gds-inf > 2515") == {"3.0.a6"}
    assert cited(lay("EG combat", units), "soviet attack su-1-gds-inf > 2515") == {"3.0.b6"}
    refused(lay("S combat", units), "soviet join su-1-gds-inf", "6.3.c2")
