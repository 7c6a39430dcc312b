"""11.0 told city by city: who holds it and by which test of R-G89, what it scores, and who would win if the game ended now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.games.battle_for_germany.position import FORCE_NAMES, HOLD_W, HOLDER_NAMES, HOLDER_OF, board
from referee.games.battle_for_germany.setting import Setting
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.victory import CityCount, count_cities, outcome
from referee.rules.scene import Ground, Standing

_RULES: Final = {
    "collapse": "After the last turn whoever has more VPs wins, the Germans scoring their cities too; a tie is a draw "
    "[14.0, R-G94, R-G101].",
    "three_player": "Unless a Soviet or Western unit stands in Berlin after the last turn, the German wins; else the Soviet or the Western "
    "player with more VPs, a tie being a draw [16.3, R-G94].",
    "four_player": "No VPs: after the last turn the Ally that entered Berlin first wins; the East German wins too if no Soviet unit "
    "ever did, the West German if no Western one did; if both Allies did, the first wins alone [17.3, R-G108].",
    "rsws": "After the last turn whoever has more VPs wins; a tie is a draw [15.2, R-G94].",
}
_USUAL: Final = "After the last turn whoever has more VPs wins; a tie is a draw [11.0, R-G94]."


def victory_rule(scenario: str, last_turn: int) -> str:
    """How a scenario is won, in our own words."""
    return _RULES.get(scenario, _USUAL).replace("the last turn", f"turn {last_turn}", 1)


def standing(g: Setting, p: Pos, since: Mapping[str, str], worth: Mapping[str, str]) -> Standing:
    """The count as things stand. ``since``: hex -> when its holder last changed; ``worth``: hex -> what its VPs rest on."""
    counted = count_cities(g, p)
    rows = tuple(_ground(g, p, city, count, since, worth) for city, count in enumerate(counted) if not g.out_of_play(g.land.cities[city]))
    scoring: list[str] = [name for name in ("Soviet", "Western Allied") if name in _in_play(g, p)]
    scoring += sorted({c.side for c in counted if c.side} - set(scoring))
    totals = tuple((side, sum(c.points for c in counted if c.side == side)) for side in scoring)
    by_berlin = g.terms.scenario in ("three_player", "four_player")
    return Standing(
        rows=rows,
        totals=totals if g.terms.scenario != "four_player" else (),
        rule=victory_rule(g.terms.scenario, g.terms.last_turn),
        result=p.result or outcome(g, p),
        why=_berlin(g, p) if by_berlin else "",
    )


def _in_play(g: Setting, p: Pos) -> set[str]:
    size = g.land.size
    return {FORCE_NAMES[p.force[u]] for u, node in enumerate(p.at) if node < size} | {HOLDER_NAMES[h] for h in p.holders}


def _berlin(g: Setting, p: Pos) -> str:
    there = board(p, g.land).occ.get(g.land.berlin, ())
    now = f"in Berlin now: {_named(g, there)}" if there else "nobody stands in Berlin"
    first, turn, _ = p.berlin_first
    entered = [FORCE_NAMES[f] for f in range(2) if p.berlin_seen >> f & 1]
    ever = f"first in Berlin: {FORCE_NAMES[first]}, turn {turn}" if first >= 0 else "no Ally was ever in Berlin"
    return f"{now}; {ever}" + ("; both Allies were in Berlin" if len(entered) > 1 else "")


def _named(g: Setting, units: tuple[int, ...]) -> str:
    return ", ".join(f"{g.roster.label(u)} ({g.roster.ids[u]})" for u in units)


def _ground(g: Setting, p: Pos, city: int, count: CityCount, since: Mapping[str, str], worth: Mapping[str, str]) -> Ground:
    test, why = _test(g, p, city, since.get(count.hex, ""))
    capital = bool(g.land.capital[g.land.cities[city]])
    soviet_capital = capital and count.holder == "Soviet"
    note = "" if count.why == "held" else count.why
    return Ground(
        hex=count.hex,
        name=count.name,
        worth=g.land.city_vps[city],
        capital=capital,
        holder=count.holder,
        test=test,
        why=why,
        points=count.points,
        side=count.side,
        note="under a Front" if soviet_capital and count.points and not note else note,
        rules=("11.0", "R-G89", *(("10.0", "R-G93") if soviet_capital else ())),
        source=worth.get(count.hex, ""),
    )


_NOBODY: Final = len(HOLDER_NAMES)
"""Whom the SS make a holder once they have joined the Western player (13.2, R-G99)."""


def _claims(g: Setting, p: Pos, unit: int) -> int:
    """The holder that a unit makes (11.0); the SS, once the other Germans have left, make none, and keep the Soviets out."""
    joined = p.regime and g.halved(p, unit)
    return _NOBODY if joined else HOLDER_OF[p.force[unit]]


def _test(g: Setting, p: Pos, city: int, since: str) -> tuple[str, str]:
    """Which test of R-G89 gives the holder, and the sentence for it."""
    node, occ = g.land.cities[city], board(p, g.land).occ
    holder = p.holders[city]
    told = since or f"{HOLDER_NAMES[holder]} units passed last, or it was theirs from the start"
    test = "passed" if since and not since.startswith("unchanged") else "unchanged"
    if there := occ.get(node):
        if any(_claims(g, p, u) == holder for u in there):
            return "occupied", f"occupied by {_named(g, there)}"
        return test, f"{_named(g, there)} in it gives control to nobody; {told}"
    reach: dict[int, list[str]] = {}
    for near in g.land.near[node]:
        for unit in occ.get(near, ()):
            reach.setdefault(_claims(g, p, unit), []).append(f"{g.roster.label(unit)} in {g.hex_name(near)}")
    if set(reach) - ({_NOBODY} if holder == HOLD_W else set()) == {holder}:
        return "zoc", f"only {HOLDER_NAMES[holder]} ZOC reaches it: {', '.join(reach[holder])}"
    if not reach:
        kept = "no ZOC reaches it"
    elif len(reach) == 1:
        kept = f"the ZOC of {', '.join(next(iter(reach.values())))} gives control to nobody"
    else:
        titles = (*HOLDER_NAMES, "SS")
        whose = "; ".join(f"{titles[h]}: {', '.join(units)}" for h, units in sorted(reach.items()))
        kept = f"ZOC of several sides reaches it ({whose})"
    return test, f"{kept}; {told}"
