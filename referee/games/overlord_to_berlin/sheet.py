"""The words of an event's rules sheet: what every switch means, who decides, what is limited, how the game is won.

Our own words; numbers come from the box. Nothing here is read by a rule.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gamebox.model import Box

READINGS: dict[str, tuple[str, str]] = {
    "armee-4-in-40": ("4.Armee begins in 37, where the example has it", "4.Armee begins in 40, as the set-up list prints it"),
    "escort-uncontested": (
        "the escort needs a western formation in or next to the Vaterland, contested or not",
        "the escort needs a western formation there in a zone without Axis formations",
    ),
    "landing-combat-landers-only": (
        "wall and first fire hold in the first western combat in the landing zone, whoever attacks",
        "wall and first fire hold in the first attack of the formations that landed, and in no other",
    ),
    "left-end-die": (
        "a shift past the left end of the table stops at the first column",
        "each column past the left end is one less on the die, down to row 0",
    ),
    "peace-soviets-alone": (
        "after a separate peace only a German surrender still wins for the Allies",
        "after a separate peace the black and red targets alone win for the Allies",
    ),
    "pocket-any-coast": ("pockets are left in port zones", "pockets are left on any Atlantic, Mediterranean or Adriatic coast"),
    "pocket-roll-besieged": (
        "every pocket unit has its die",
        "no die for a pocket in a zone that the Axis controls and no Allied formation is in",
    ),
    "retreat-together": ("each defending formation retreats or stays by itself", "all formations of the zone retreat, or none"),
    "three-seats": ("the Allied player sees what West and Soviets hide", "West and Soviets hide from each other as well"),
    "west-keeps-pr": ("western PR that are not spent lapse", "western PR that are not spent stay on their marker"),
    "yugoslav-loss-permanent": (
        "the garrison of Yugoslavia is tested each turn",
        "once 21 and 22 have been Allied at the same time the Axis loses its points every turn",
    ),
}
"""Switch -> its reading when off, its reading when on."""

NOTES = ("Values of units, capacities, frontiers and parts of the combat table are reconstructed: `data/` says of every cell which.",)
"""What holds of the whole game and should be known before an event."""

OPTIONS: dict[str, str] = {}
"""The rulebook has no optional rules (14.1)."""


def senseless(one: str, other: str) -> str:
    """Why two options exclude each other: none do."""
    return ""


def misplaced(option: str) -> str:
    """Why an option belongs to its scenarios only: there is one scenario."""
    return ""


def _number(box: Box, name: str) -> int:
    return abs(box["constants"][name].int("value"))


def deciders(box: Box, scenario: str) -> Iterator[str]:
    """Who runs what, and who decides in doubt (R-F104, R-F43, R-F108)."""
    owned: dict[str, list[str]] = {}
    for side in box["sides"]:
        owned.setdefault(side.text("owner_two_players"), []).append(side.text("name"))
    yield "; ".join(f"the {owner} player runs {' and '.join(forces)}" for owner, forces in owned.items())
    yield "losses: owner and enemy by turns, the owner first; retreats: the owner; windows after a die or a declared PA: open to all sides"


def limits(box: Box, scenario: str, options: Collection[str]) -> Iterator[str]:
    """The numbers that matter at the table."""
    less = _number(box, "stacking_alps")
    yield (
        f"formations a zone: Axis {_number(box, 'stacking_axis')}, Soviets {_number(box, 'stacking_soviet')}, West "
        f"{_number(box, 'stacking_west')}; in the Alps {less} fewer [7.1, R-F80]"
    )
    yield f"a PR buys {_number(box, 'steps_per_pr')} steps, or the second PA of one formation [5.7, R-F71, R-F89]"
    yield (
        f"leave to retreat on {_number(box, 'leave_to_retreat')} or more, +{_number(box, 'leave_to_retreat_bonus')} at most once "
        "[10.8, R-F11, R-F109]"
    )
    yield f"each Baltic zone supplies {_number(box, 'baltic_gfs')} Axis formation [6.1, R-F17, R-F33]"
    yield (
        f"a port gives {_number(box, 'pr_port')} PR, {_number(box, 'pr_port_hindered')} less if contested or with a pocket; "
        f"the Mulberry {_number(box, 'pr_mulberry')} [5.4, 5.5, R-F69, R-F70]"
    )
    yield (
        f"without {_number(box, 'garrison_units')} units in one formation in 21 or 22 the Axis loses "
        f"{_number(box, 'pr_axis_no_garrison')} PR a turn [12.2, R-F76]"
    )
    yield f"a pocket unit loses a step on {_number(box, 'pocket_step')} or more, +{_number(box, 'pocket_bonus')} under siege [12.4, R-F117]"


def victory(box: Box, scenario: str, options: Collection[str]) -> Iterator[str]:
    """How the game is won (13, R-F133, R-F134)."""
    last = box["scenarios"][scenario].int("last_turn")
    yield (
        f"After turn {last} the Allies win if the West controls or contests every blue target and the Soviets every black and red one; "
        "else the Axis. Three ones on the Axis table's three dice end the war at once for the Allies [13, R-F24, R-F133, R-F134]."
    )
