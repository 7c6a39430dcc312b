"""What odds help adds to the parts of a module: its properties, the buttons of its toolbar, what a declaration does besides."""

from __future__ import annotations

from collections.abc import Iterator

from gamebox.model import Box
from modgen.formats.vassal.xml import Element
from modgen.layout.layout import Layout
from modgen.layout.odds import Odds
from modgen.vassal import names
from modgen.vassal.buttons import action, clearing, die_command, saying
from modgen.vassal.odds import ratio
from modgen.vassal.odds.figure import Figure, declared
from modgen.vassal.odds.targets import SHIFT, TARGETS

NO_TARGETS = ";"


def figures(box: Box, layout: Layout) -> tuple[Figure, ...]:
    """Every property of the odds help in the order in which they are worked out; none without a section for it.

    Raises :class:`ArtError` for tables that the client's expressions cannot carry.
    """
    odds = layout.odds
    if odds is None:
        return ()
    forget = tuple((key, NO_TARGETS) for key in ("clearAll", "clearDeclAll", "oddsOver"))
    again = tuple((key, "0") for key in ("oddsReset", "clearAll", "clearDeclAll", "oddsOver"))
    by_hand = (("oddsUp", "{" + SHIFT + "+1}"), ("oddsDown", "{" + SHIFT + "-1}"), *again)
    return (
        Figure(TARGETS, NO_TARGETS, changes=forget),
        Figure(SHIFT, "0", changes=by_hand),
        *ratio.figures(box, layout, odds),
        Figure(ratio.RESULT, "", changes=(("oddsOutcome", "{" + ratio.outcome(box, layout, odds) + "}"),)),
    )


def talks(odds: Odds | None) -> Iterator[tuple[str, str]]:
    """(command, expression) of the lines of table talk that it tells."""
    if odds is not None:
        yield "talkResult", ratio.talk(odds)


def _roll(layout: Layout, odds: Odds) -> str:
    """The command that rolls the die of combats."""
    return die_command([die.name for die in layout.play.dice].index(odds.die))


def buttons(root: Element, box: Box, layout: Layout) -> None:
    """Odds, Resolve, and the column one up, one down, back."""
    odds = layout.odds
    if odds is None:
        return
    asked = [figure.key for figure in figures(box, layout) if figure.asked]
    action(root, "Odds", "Odds", "Count the declared attack: strengths, ground, column", "btnOdds", *asked, "oddsSay", icon="odds")
    saying(root, "OddsSay", "oddsSay", "{" + ratio.line(box, odds) + "}")
    then = ("oddsOutcome", "moduleBump", "talkResult", "oddsResolved", "foughtAll", "oddsOver")
    tooltip = "Count the declared attack, roll its die, and say and note the result"
    action(root, "Resolve", "Resolve", tooltip, "btnResolve", *asked, _roll(layout, odds), *then, icon="die")
    saying(root, "OddsResolved", "oddsResolved", "{" + ratio.resolved(odds) + "}")
    by_hand = '{"** Column moved by "+' + SHIFT + '+" by hand"}'
    for name, text, tooltip, sent, icon in (
        ("OddsUp", "Column +1", "The next attack is resolved one column higher", "oddsUp", "plus"),
        ("OddsDown", "Column -1", "The next attack is resolved one column lower", "oddsDown", "minus"),
        ("OddsReset", "Column as counted", "The next attack is resolved on the column that is counted", "oddsReset", "clear"),
    ):
        action(root, name, text, tooltip, f"btn{name}", sent, "oddsByHand", icon=icon)
    saying(root, "OddsByHand", "oddsByHand", by_hand)
    when = " || ".join(declared(word) for word in (names.ATTACKS, names.ATTACKED))
    clearing(root, "Declarations resolved", "foughtAll", "fought", "{" + when + "}")
