"""How a position and an action look on a table: where each counter lies, what the tracker shows, what a player would say.

The other direction of ``reading``; used to write played games as client logs.
"""

from __future__ import annotations

from referee.games.battle_for_germany.actions import Attack, Evacuate, Exit
from referee.games.battle_for_germany.game import BattleForGermany
from referee.games.battle_for_germany.position import Pos, board
from referee.rules.model import Action


def places(game: BattleForGermany, p: Pos) -> dict[str, str]:
    """Piece id -> hex, box id, or "" for a piece that is not on the table."""
    g = game.setting
    return {g.roster.ids[u]: "" if node == g.land.unplaced else g.hex_name(node) for u, node in enumerate(p.at)}


def clock(game: BattleForGermany, p: Pos) -> tuple[int, str]:
    """Turn and phase as the tracker shows them; before turn 1 and after the end as at the first and the last phase."""
    g = game.setting
    if p.phase < 0:
        return g.terms.first_turn, g.terms.phases[0].name
    return p.turn, g.phase(p).name


def stops(game: BattleForGermany, a: Action) -> tuple[tuple[str, str], ...]:
    """(piece, hex) drops on the way of an action before its effect: an exiting unit goes to its exit hex first."""
    return ((a.unit, a.to),) if isinstance(a, Exit) and a.start != a.to else ()


def leaving(game: BattleForGermany, p: Pos) -> tuple[str, ...]:
    """The pieces that go off when the phase ends because an exit named them (9.0.a3): taken off before the tracker is stepped."""
    return tuple(unit for i, unit in enumerate(game.setting.roster.ids) if p.flipped >> i & 1)


def announcement(game: BattleForGermany, p: Pos, a: Action) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """(chat line, attackers, (attacked piece, hex) pairs) of an action that players announce; all empty for the others."""
    g = game.setting
    if isinstance(a, Evacuate):
        return f"{g.roster.label(g.roster.index[a.unit])} is evacuated", (), ()
    if not isinstance(a, Attack):
        return "", (), ()
    occ = board(p, g.land).occ
    hit = tuple((g.roster.ids[u], n) for n in a.targets for u in occ.get(g.land.nodes[n], ()))
    said = f"{', '.join(g.roster.label(g.roster.index[u]) for u in a.units)} on {' and '.join(a.targets)}"
    return said, a.units, hit
