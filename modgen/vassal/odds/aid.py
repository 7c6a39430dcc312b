"""What the player aid says of odds help: what it counts, what it takes for granted, how to overrule it."""

from __future__ import annotations

from gamebox.model import Box
from modgen.layout.layout import Layout
from modgen.layout.odds import Odds, columns
from modgen.layout.odds_column import ColumnOdds
from modgen.vassal.names import KEYS, key_words


def paragraphs(box: Box, layout: Layout) -> list[str]:
    """Plain text, a paragraph each; none for a module without odds help."""
    odds = layout.odds
    if odds is None:
        return []
    if isinstance(odds, ColumnOdds):
        return [*_column(odds), *_common(odds)]
    return [*_ratio(box, layout, odds), *_common(odds)]


def _common(odds: Odds | ColumnOdds) -> list[str]:
    hand = (
        "The menu By hand moves the columns and the dice of the next combat, for stratagems and all else that the help does not know; As "
        "counted takes that back."
        if isinstance(odds, ColumnOdds)
        else "Column +1 and Column -1 move the column of the next combat by hand, for all that the help does not know; Column as counted "
        "takes that back."
    )
    out = [
        f"{hand} A combat that is resolved, the next phase and Clear declarations take it back too.",
        "Resolve also turns the marks of the combat grey, so that the next one begins with its own declarations. Nothing of this is "
        f"required: declare nothing and roll {odds.die}, and the log is judged the same.",
    ]
    if odds.assumes:
        out.append(f"It takes for granted: {'; '.join(odds.assumes)}. It does not ask whether an attack is allowed.")
    return out


def _column(odds: ColumnOdds) -> list[str]:
    keys = f"Declare attack ({key_words(KEYS['attack'])})"
    support = ", and half as a supporter" if odds.supports else ""
    halves = f" It counts half when it is out of supply{support}; fractions are dropped."
    elite = " The bonus for an elite is added to the die: the attacker's own, any defender's." if odds.elite else ""
    return [
        f"Odds counts the combat that is declared: {keys} on the attacker first, then on those that support it, Declare target "
        f"({key_words(KEYS['target'])}) on all defenders of the zone. It says what a declared combat shows to all: the strength of both "
        "sides together, with their columns, and nothing of single units. It tells the strength of the other side too, so press it only "
        "when the combat is declared for good.",
        f"Each declared formation counts what lies in its box of the display.{halves}{elite} What the zone does moves the attacker's "
        "column only; columns stop at both ends of the table, and a die above its last row is its last row.",
        f"Resolve counts it too, rolls {odds.die} for the attacker and again for the defender, and says and notes what each loses. Both "
        "throw at once: where one side fires first, count the other again after its losses.",
    ]


def _ratio(box: Box, layout: Layout, odds: Odds) -> list[str]:
    named = columns(box, odds.chart)
    keys = f"Declare attack ({key_words(KEYS['attack'])}) and Declare target ({key_words(KEYS['target'])})"
    hexes = "in the hex attacked" if odds.targets == 1 else f"in each hex attacked, {odds.targets} at most (more are counted by hand)"
    ground = "multiplies its defence: twice for one effect, and once more for each further one" if odds.effects == "multiply" else (
        "shifts the column to the left, one effect after the other"
    )
    gone = {g.unless for g in odds.grounds if g.unless}
    also = [f"{h.word} halves an attacker's strength" for h in odds.halvings]
    also += [f"units {h.word} lose fractions, those of one hex together" for h in odds.halvings if h.kind == "hexsides"]
    also += [f"{s.word} moves the column" for s in odds.shifts]
    marked = " and ".join(f"the marker {m.name}" for m in layout.counters.markers if m.id in gone)
    return [
        f"Odds counts the attack that is declared: {keys} on one unit {hexes}. It says both strengths, what counts in each hex, the odds "
        f"and the column. Resolve counts it too, rolls {odds.die}, and says and notes the result.",
        f"Attackers are all units with the mark, defenders all units in the hexes. What lies in a hex {ground}. Hexsides count only if "
        "every attacker attacks that hex over one." + (f" {marked[:1].upper()}{marked[1:]} is looked for in the hex." if marked else ""),
        *([f"Besides: {'; '.join(also)}."] if also else []),
        f"The odds are rounded in the defender's favour. Better than {named[-1]} is {named[-1]}; the chart has nothing below {named[0]}: "
        "then there is no attack, whatever the die says.",
    ]
