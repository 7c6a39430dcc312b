"""What odds help adds to the parts of a module: its properties, the buttons of its toolbar."""

from __future__ import annotations

from collections.abc import Iterator

from gamebox.model import Box
from modgen.art.icons import icon_file
from modgen.formats.vassal import sequence
from modgen.formats.vassal.xml import Element
from modgen.layout.layout import Layout
from modgen.layout.odds import Odds
from modgen.layout.odds_column import ColumnOdds
from modgen.vassal import names
from modgen.vassal.buttons import action, clearing, die_command, saying
from modgen.vassal.classes import M
from modgen.vassal.odds import column, ratio, targets
from modgen.vassal.odds.figure import Figure, declared
from modgen.vassal.odds.targets import HERE, NO_TARGETS, SHIFT, TARGETS, attacking

BY_HAND = "By hand"


def figures(box: Box, layout: Layout) -> tuple[Figure, ...]:
    """Every property of the odds help in the order in which they are worked out; none without a section for it.

    Raises :class:`ArtError` for tables that the client's expressions cannot carry.
    """
    odds = layout.odds
    if odds is None:
        return ()
    over = ("clearAll", "clearDeclAll", "oddsOver")
    if isinstance(odds, ColumnOdds):
        listed = Figure(TARGETS, NO_TARGETS, changes=tuple((key, NO_TARGETS) for key in over))
        return (listed, *column.hand(odds), *column.figures(box, layout, odds))
    again = tuple((key, "0") for key in ("oddsReset", *over))
    by_hand = (("oddsUp", "{" + SHIFT + "+1}"), ("oddsDown", "{" + SHIFT + "-1}"), *again)
    return (
        *targets.figures(odds),
        Figure(SHIFT, "0", changes=by_hand),
        *ratio.figures(box, layout, odds),
        Figure(ratio.RESULT, "", changes=(("oddsOutcome", "{" + ratio.outcome(box, layout, odds) + "}"),)),
    )


def talks(box: Box, odds: Odds | ColumnOdds | None) -> Iterator[tuple[str, str]]:
    """(command, expression) of the lines of table talk that it tells."""
    if isinstance(odds, ColumnOdds):
        yield "talkResult", column.talk(box, odds)
    elif odds is not None:
        yield "talkResult", ratio.talk(odds)


def buttons(root: Element, box: Box, layout: Layout) -> None:
    """Odds, Resolve, and what is moved by hand."""
    odds = layout.odds
    if odds is None:
        return
    asked = [figure.key for figure in figures(box, layout) if figure.asked]
    roll = die_command([die.name for die in layout.play.dice].index(odds.die))
    if isinstance(odds, ColumnOdds):
        says, resolved = column.line(box, odds), column.resolved(box, odds)
        told = "roll the dice of both sides"
    else:
        says, resolved = ratio.line(box, odds), ratio.resolved(odds)
        told = "roll its die"
    first: tuple[str, ...] = ()
    what = "the declared attack"
    if isinstance(odds, Odds) and odds.announced:
        # The count goes through all attacks that are announced; the first of them is the one that Resolve resolves.
        first, what = ("oddsFirst",), "the next of the attacks that are announced"
        how = "Count every attack that is announced: strengths, ground, leaders, column"
        action(root, "Odds", "Odds", how, "btnOdds", *first, f"work{ratio.COUNT}", "oddsEach", "oddsFirst", "oddsLoose", icon="odds")
        times = "{" + f"Math.max({ratio.COUNT}, 1)" + "}"
        action(root, "OddsEach", "", "", "oddsEach", *asked, "oddsSay", "oddsNext", times=times)
        saying(root, "OddsLoose", "oddsLoose", "{" + ratio.unmatched(layout) + "}")
    else:
        action(root, "Odds", "Odds", "Count the declared attack: strengths, ground, column", "btnOdds", *asked, "oddsSay", icon="odds")
    saying(root, "OddsSay", "oddsSay", "{" + says + "}")
    then = ("oddsOutcome", "moduleBump", "talkResult", "oddsResolved", "foughtAll", "oddsOver")
    tooltip = f"Count {what}, {told}, and say and note the result"
    if isinstance(odds, ColumnOdds):
        # What is not declared and answered is not thrown for either.
        action(root, "Resolve", "Resolve", tooltip, "btnResolve", *asked, "oddsWaits", "oddsGo", icon="die")
        saying(root, "OddsWaits", "oddsWaits", "{" + column.waits(odds) + "}")
        thrown = (roll, "thrownAttack", roll, "thrownDefence", "oddsLosses")
        action(root, "OddsGo", "", "", "oddsGo", *thrown, *then, times="{" + column.READY + "}")
    else:
        action(root, "Resolve", "Resolve", tooltip, "btnResolve", *first, *asked, roll, *then, icon="die")
    saying(root, "OddsResolved", "oddsResolved", "{" + resolved + "}")
    _by_hand(root, odds)
    when = " || ".join(declared(word) for word in (names.ATTACKS, names.ATTACKED))
    if isinstance(odds, Odds) and odds.announced:
        when = f"({attacking(odds)}) || ({declared(names.ATTACKED)} && LocationName=={HERE})"
    clearing(root, "Declarations resolved", "foughtAll", "fought", "{" + when + "}")


def _by_hand(root: Element, odds: Odds | ColumnOdds) -> None:
    """Buttons for what the help does not know; many of them stand in a menu."""
    if not isinstance(odds, ColumnOdds):
        for text, tooltip, sent, icon in (
            ("Column +1", "The next attack is resolved one column higher", "oddsUp", "plus"),
            ("Column -1", "The next attack is resolved one column lower", "oddsDown", "minus"),
            ("Column as counted", "The next attack is resolved on the column that is counted", "oddsReset", "clear"),
        ):
            action(root, text, text, tooltip, f"btn-{sent}", sent, "oddsByHand", icon=icon)
        saying(root, "OddsByHand", "oddsByHand", '{"** Column moved by "+' + SHIFT + '+" by hand"}')
        return
    items = []
    for what in ("column", "die"):
        for side in column.BY_HAND:
            for word, sign, icon in (("Up", "+1", "plus"), ("Down", "-1", "minus")):
                text = f"{side} {what} {sign}"
                tooltip = f"In the next combat the {side.lower()} has {sign} on its {what}"
                action(root, text, text, tooltip, f"btn-{what}{side}{word}", f"{what}{side}{word}", "oddsByHand", icon=icon)
                items.append(text)
    tooltip = "The next combat is resolved as it is counted"
    action(root, "As counted", "As counted", tooltip, "btn-oddsReset", "oddsReset", "oddsByHand", icon="clear")
    items.append("As counted")
    moved = "+".join(
        f'"{", " if number else ""}{side.lower()} {what} "+{figures_[side]}'
        for number, (what, figures_, side) in enumerate(
            (what, figures_, side) for what, figures_ in (("column", column.BY_HAND), ("die", column.DIE_BY_HAND)) for side in figures_
        )
    )
    saying(root, "OddsByHand", "oddsByHand", '{"** Moved by hand: "+' + moved + "}")
    root.add(
        M + "ToolbarMenu",
        description=BY_HAND,
        text=BY_HAND,
        tooltip="Columns and dice of the next combat, for stratagems and all that the count does not know",
        icon=icon_file("plus"),
        hotkey="",
        menuItems=sequence.encode(items, ","),
    )
