"""Reasons as plain sentences in our own words, one template a check. Chapters keep their templates here, in order of the code."""

from __future__ import annotations

from referee.rules.model import Reason

TEMPLATES: dict[str, str] = {
    "baltic-has-place": "{gf} has the place of zone {zone} already",
    "baltic-is-axis": "the Baltic zones supply formations of the Axis, which names them; not the {by} side",
    "baltic-named": "somebody has been named for zone {zone}; that changes only at the start of a side's action phase",
    "baltic-no-line": "{gf} has no line of own or contested zones to zone {zone}",
    "baltic-not-needed": "{gf} is not a formation on the map without a line to the Vaterland, so the Baltic does not supply it",
    "baltic-not-now": "who is supplied from the Baltic is named between two actions, not now: {action}",
    "card-not-held": "{card} is not in the hand of that side",
    "card-without-target": "{card} is played without a formation or zone",
    "game-over": "the game has ended: {result}",
    "gf-cut-off": "{gf} is out of supply, so {unit} cannot join it",
    "gf-full": "{gf} has no room for {unit}",
    "gf-not-on-map": "{gf} is no formation of that side on the map",
    "keep-awaited": "the old or the new throw must be kept first",
    "lend-is-western": "the Western Allies lend, not the {by} side",
    "lend-operational": "{card} is no operational stratagem, so it is not lent",
    "lent-already": "a stratagem was lent this turn already",
    "losses-being-chosen": "{card} cannot be played while losses are chosen",
    "mystification-idle": "{card} has no unit of the Reserve and no formation to act on",
    "mystification-late": "{card} is played from the draws to the start of the own action phase",
    "mystification-not-now": "Mystification is played between two actions, not now: {action}",
    "no-reroll-card": "{card} throws no die again",
    "no-such-die": "there is no die {die}: {dice} were thrown",
    "no-such-roll": "{faces} is no throw here: {dice} dice of {sides} faces are wanted",
    "not-destroyed": "{unit} is not among the destroyed units of that side",
    "not-in-reserve": "{unit} is not in the Reserve of that side",
    "not-worn-in-reserve": "{unit} does not lie reduced in the Reserve of that side",
    "nothing-paid": "nothing is paid for {unit} here, so no track is named",
    "nothing-to-do": "nothing is done by hand here",
    "propaganda-idle": "{card} has no destroyed unit and no reduced unit in the Reserve to act on",
    "rethrown-already": "{card} has thrown die {die} again before",
    "roll-awaited": "the dice for {key} are awaited",
    "steps-given": "the stratagem gives no more than {left} steps now",
    "window-open": "the dice just thrown can still be thrown again; {action} comes when play goes on",
    "wrong-hand": "{by} does not decide this; it is for {who}",
    "wrong-step": "{action} is nothing for this moment, which is for {step}",
}


def sentence(reason: Reason) -> str:
    """The reason as one sentence with its citations; a code without a template is an error of ours and shows as itself."""
    template = TEMPLATES.get(reason.code)
    text = template.format_map(dict(reason.facts)) if template else reason.code
    cites = ", ".join(map(str, reason.cites))
    return f"{text} [{cites}]" if cites else text
