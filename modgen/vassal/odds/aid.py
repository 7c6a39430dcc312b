"""What the player aid says of odds help: what it counts, what it takes for granted, how to overrule it."""

from __future__ import annotations

from collections.abc import Sequence

from gamebox.model import Box
from modgen.layout.layout import Layout
from modgen.layout.odds import Lead, Odds, columns
from modgen.layout.odds_column import ColumnOdds
from modgen.vassal.names import KEYS, key_words
from modgen.vassal.odds.targets import RESOLVE


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
        f"({key_words(KEYS['target'])}) on all defenders of the zone. Only a side's own players can declare that it attacks. It says what "
        "a declared combat shows to all: the strength of both sides together, with their columns, and nothing of single units.",
        f"Before that the side attacked answers: one of its players presses {key_words(KEYS['target'])} on each of its formations that is "
        "attacked, which then bears a tick. Until all have answered nothing is counted, said, thrown or kept in the file: so nobody learns "
        "the other side's strength by declaring what he will not do. Who plays both sides declares and answers in one.",
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
    if odds.announced:
        return [*_announced(box, layout, odds), _attackers(box, layout, odds, ground), *_besides(odds), _rounded(named)]
    return [
        f"Odds counts the attack that is declared: {keys} on one unit {hexes}. It says both strengths, what counts in each hex, the odds "
        f"and the column. Resolve counts it too, rolls {odds.die}, and says and notes the result.",
        _attackers(box, layout, odds, ground),
        *_besides(odds),
        _rounded(named),
    ]


def _exceptions(box: Box, layout: Layout, lead: Lead) -> str:
    """What is said of leaders who ride with a unit, and of those who need others."""
    pieces = [piece for piece in box.pieces if lead.where(piece.row)]
    riders = [layout.named(piece) for piece in pieces if lead.rides.tests and lead.rides(piece.row)]
    hex_ = f"{lead.value} to the right for whoever attacks from his own hex, whatever else attacks"
    out = f" {' and '.join(riders)}: {hex_}." if riders else ""
    for leaders, attackers in lead.needs:
        bound = [layout.named(piece) for piece in pieces if leaders(piece.row)]
        others = [layout.named(piece) for piece in box.pieces if attackers(piece.row)]
        if bound:
            out += f" {' and '.join(bound)}: only with one of {', '.join(others)}."
    return out


def _announced(box: Box, layout: Layout, odds: Odds) -> list[str]:
    keys = {word: key_words(KEYS[word]) for word in ("attack", "target", "resolve")}
    out = [
        f"All attacks of a phase can be announced first. For each: select its attackers and press Declare attack ({keys['attack']}), then "
        f"Declare target ({keys['target']}) on the unit attacked; or the target first and then its attackers. The next attack begins with "
        "the next declaration. To add an attacker later, declare him and his target once more, in that same order.",
        "Odds counts every attack that is announced, a line each: both strengths, what counts in the hex, the odds and the column. Resolve "
        f"counts the next one, rolls {odds.die}, and says and notes the result; {RESOLVE} ({keys['resolve']}) on a target does it out of "
        "turn. So an attack takes three clicks with its die. One that is declared and resolved before the next is declared works as well.",
    ]
    if (lead := odds.lead) is not None:
        waits = " or ".join(hex_ for _, hex_ in lead.idle)
        boosted = f", {lead.boosted} with the marker of {lead.boosted_word}" if lead.boosts else ""
        away = [f"while he waits in {waits}"] if waits else []
        away += [f"while he is marked as {' or '.join(lead.words)}, which the players judge"] if lead.words else []
        but = f" Not {', nor '.join(away)}." if away else ""
        out.append(
            f"A leader on the map who has every attacker of an attack in his radius counts without more: {lead.value} to the right"
            f"{boosted}; never more than one for an attack.{but}{_exceptions(box, layout, lead)}"
        )
    return out


def _rounded(named: Sequence[str]) -> str:
    return (
        f"The odds are rounded in the defender's favour. Better than {named[-1]} is {named[-1]}; the chart has nothing below {named[0]}: "
        "then there is no attack, whatever the die says."
    )


def _besides(odds: Odds) -> list[str]:
    also = [f"{h.word} halves an attacker's strength" for h in odds.halvings]
    also += [f"each unit {h.word} loses its fraction" for h in odds.halvings if h.kind == "hexsides"]
    also += [f"{s.word} moves the column" for s in odds.shifts]
    return [f"Besides: {'; '.join(also)}."] if also else []


def _attackers(box: Box, layout: Layout, odds: Odds, ground: str) -> str:
    gone = {g.unless for g in odds.grounds if g.unless}
    marked = " and ".join(f"the marker {m.name}" for m in layout.counters.markers if m.id in gone)
    whose = "of an attack are all units that declared it" if odds.announced else "are all units with the mark"
    return (
        f"Attackers {whose}, defenders all units in the hex{'' if odds.announced else 'es'}. What lies in a hex {ground}. Hexsides count "
        "only if every attacker attacks that hex over one."
        + (f" {marked[:1].upper()}{marked[1:]} is looked for in the hex." if marked else "")
    )
