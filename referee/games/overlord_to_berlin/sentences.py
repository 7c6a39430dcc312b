"""Reasons as plain sentences in our own words, one template a check. Chapters keep their templates here, in order of the code."""

from __future__ import annotations

from referee.rules.model import Reason

TEMPLATES: dict[str, str] = {
    "card-not-held": "{card} is not in the hand of that side",
    "game-over": "the game has ended: {result}",
    "keep-awaited": "the old or the new throw must be kept first",
    "no-reroll-card": "{card} throws no die again",
    "no-such-die": "there is no die {die}: {dice} were thrown",
    "no-such-roll": "{faces} is no throw here: {dice} dice of {sides} faces are wanted",
    "nothing-to-do": "nothing is done by hand here",
    "rethrown-already": "{card} has thrown die {die} again before",
    "roll-awaited": "the dice for {key} are awaited",
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
