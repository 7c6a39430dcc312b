"""The words of an event's rules sheet: what every option and switch means, why some do not go together, who decides, what is limited.

Our own words; numbers come from the box. Nothing here is read by a rule.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gamebox.model import Box
from referee.games.battle_for_germany.standing import victory_rule

READINGS: dict[str, tuple[str, str]] = {
    "6.2.1/vacant-first": (
        "a retreat goes to a hex on the unit's own side, vacant or not, before any across a border",
        "a retreat goes to a vacant hex, on whichever side, before any with friends in it",
    ),
    "6.4/three-effects": ("three terrain effects multiply a defence by 4", "three terrain effects multiply a defence by 5"),
    "12.3/east-box": (
        "under 12.3 both German boxes are one pile, at both rates",
        "under 12.3 only the East German box is drawn on, at both rates",
    ),
    "13.1/race": (
        "once Berlin has fallen and the Germans have left, Soviets and Western Allies fight",
        "once Berlin has fallen and the Germans have left, nobody fights: a race for cities",
    ),
    "14.0/occupied": ("cities count for whoever controls them, occupied or not", "only cities with a unit in them count"),
    "17.3/own-front": (
        "each Ally may attack both Germans, across the boundary too",
        "Soviets attack East Germans only, Western Allies West Germans only",
    ),
}
"""Switch -> its reading when off, its reading when on."""

NOTES = ("Counters: the 1994 set-up chart serves both counter sets, that of 1975 too; the chart of 1975 is not in the rulebook [R-G21]",)
"""What holds of the whole game and should be known before an event."""

OPTIONS: dict[str, str] = {
    "12.3": "no compulsory West German attacks on turn 1; all German replacements arrive as East Germans",
    "13.2": "when the Germans leave, the SS stay under the Western player, at half attack and movement, and score nothing",
    "18.1": "supply markers give units within range a second Combat and Movement Phase, and tire them for their next player turn",
    "18/5.3": "Commonwealth and US-French units do not stack together, but for one mixed stack a front",
    "18/6.3": "single units of a stack may be attacked",
    "18/8.0": "all four Courland units may try to evacuate, one a turn, from turn 1",
    "18/12.2": "the two compulsory West German attacks of turn 1 must be at 1:1 or better",
}
"""Option -> what it changes."""

_WHY = {
    ("18/12.2", "12.3"): "12.3 lifts the attacks that 18/12.2 is about",
    ("13.2", "13.1/race"): "when nobody fights after Berlin, the SS have no enemy left to fight on against",
}
_WHERE = {
    "12.3": "the compulsory attacks that it lifts are made there alone",
    "12.3/east-box": "12.3 is played there alone",
    "18/12.2": "the compulsory attacks are made there alone",
    "13.1/race": "only there play goes on after Berlin",
    "13.2": "only there play goes on after Berlin",
    "14.0/occupied": "it is a reading of that scenario's victory rule",
    "17.3/own-front": "only with four players may an Ally meet the other German",
    "18/5.3": "without Western Allied units there are no groups",
    "18/8.0": "without Germans nobody stands in Courland",
}


def senseless(one: str, other: str) -> str:
    """Why two options exclude each other, "" when nothing is known beside the data."""
    return _WHY.get((one, other)) or _WHY.get((other, one), "")


def misplaced(option: str) -> str:
    """Why an option belongs to its scenarios only."""
    return _WHERE.get(option, "")


def _number(box: Box, name: str) -> str:
    return box["constants"][name].text("value")


def deciders(box: Box, scenario: str) -> Iterator[str]:
    """Who runs what, and who decides in doubt (R-G120)."""
    row = box["scenarios"][scenario]
    column = {2: "owner_two_player", 3: "owner_three_player", 4: "owner_four_player"}[row.int("players")]
    owned: dict[str, list[str]] = {}
    for side in box["sides"]:
        if side.key in row.items("sides"):
            owned.setdefault(side.text(column), []).append(side.text("name"))
    yield "; ".join(f"the {owner} player runs {' and '.join(forces)}" for owner, forces in owned.items())
    yield "retreats: owner of the losing unit; advance: owner of the victor; exchange: owner of the attackers; dice: the phasing player"
    if {"EG", "WG"} & set(row.items("sides")):
        yield "units that go with a German exit, and the Courland die: the owner of that German unit"


def limits(box: Box, scenario: str, options: Collection[str]) -> Iterator[str]:
    """The numbers that matter at the table."""
    row = box["scenarios"][scenario]
    sides = set(row.items("sides"))
    germans, supply = bool(sides & {"EG", "WG"}), "18.1" in options
    yield "the 1994 set-up chart serves the counters of 1975 too [R-G21]"
    yield f"{_number(box, 'stacking_limit')} units a hex, no two Fronts together; checked when a Movement Phase ends [5.1, R-G33]"
    yield (
        f"attacks from {_number(box, 'odds_lowest')} up; more than {_number(box, 'odds_highest')} is {_number(box, 'odds_highest')}; "
        f"a retreat is {_number(box, 'retreat_length')} hex [6.1, 6.2, R-G3, R-G17]"
    )
    first = row.int("first_turn")
    yield (
        f"replacements from turn {first + 1 if first == 1 else first} on by the turn track, weakest first but for Western Allies"
        + (f"; Germans then move times {_number(box, 'replacement_move_factor')}" if germans else "")
        + " [7.2]"
    )
    if germans:
        each = "18/8.0" in options
        tries = f"{_number(box, 'courland_attempts_18_8_0' if each else 'courland_attempts')} {'a turn' if each else 'a game'}"
        start = _number(box, "courland_first_turn_18_8_0" if each else "courland_first_turn")
        yield f"Courland: evacuations tried {tries}, from turn {start}; a die of {_number(box, 'courland_loss_die')} destroys [8.0]"
        east = ", by the east edge only" if scenario == "collapse" else ""
        yield (
            f"a German exit needs {_number(box, 'exit_cost')} MPs at the edge{east} and takes up to {_number(box, 'exit_removals')} "
            "units of that front along [9.0]"
        )
    if row.flag("victory_points"):
        yield "Soviet capitals score only under a Front, which then never leaves [10.0]"
    else:
        yield "the first Front that stops in a capital never leaves it [10.0]"
    if scenario in ("historical", "expanded") and "12.3" not in options:
        odds = " at 1:1 or better" if "18/12.2" in options else ""
        yield f"West Germans make {_number(box, 'mandated_attacks')} attacks{odds} on turn 1, if they can [12.2, R-G62]"
    if scenario == "three_player":
        yield (
            f"{_number(box, 'triple_moves')} German unit a Movement Phase, outside enemy ZOC, may move times "
            f"{_number(box, 'triple_move_factor')}, into no enemy ZOC [16.3]"
        )
    if scenario == "rsws":
        yield f"before play a die: 1 to {_number(box, 'rsws_no_soviet_turn_die')} cancels the Soviet player turn 11 [15.2]"
    if supply:
        western = f", {_number(box, 'supply_markers_western')} Western each turn" if "W" in sides else ""
        yield (
            f"supply: {_number(box, 'supply_markers_soviet')} Soviet markers, at most {_number(box, 'supply_markers_soviet_per_turn')} "
            f"a turn{western}; range {_number(box, 'supply_range')} hexes"
            f"{'; seven again on turn 11' if scenario == 'expanded' else ''} [18.1]"
        )
    if "18/5.3" in options:
        yield f"{_number(box, 'mixed_stacks_per_front')} stack of both Western groups a front [18/5.3]"
    if scenario == "collapse":
        yield (
            "only the map east of the boundary is used: a German thrown west stays East German and is back at the end of its next "
            "Movement Phase, or lost; Soviets never go west [14.0, R-G100]"
        )
        yield "no German enters Berlin [5.2]"
    elif row.flag("theater_boundary"):
        yield "no German crosses the boundary or enters Berlin; an Ally forced over it goes home in its next Movement Phase or dies [5.2]"
    elif germans:
        yield "no boundary; Berlin is open to the Germans [16.3]"
    yield "Yugoslavs stay in Yugoslavia, all other Soviet units out of it; who is thrown over that border has a deadline [5.3, R-G41]"


def victory(box: Box, scenario: str, options: Collection[str]) -> Iterator[str]:
    """How the scenario is won."""
    row = box["scenarios"][scenario]
    yield victory_rule(scenario, row.int("last_turn"))
    if row.flag("victory_points"):
        yield (
            "A city is held by who stands in it; else by the only side (Soviet, Western, German) whose ZOC reaches it; else by who "
            "passed last; else as before [11.0, R-G89]."
        )
    if scenario == "expanded":
        yield "When Berlin falls, the Germans leave at the end of that player turn and the boundary lapses [13.1, R-G1, R-G96]."
