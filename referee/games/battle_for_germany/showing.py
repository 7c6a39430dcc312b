"""How a position and an action look on a table: where each counter lies, what the tracker shows, what a player would say.

The other direction of ``reading``; used to write played games as client logs.
"""

from __future__ import annotations

from referee.games.battle_for_germany.actions import Attack, Evacuate, Exit, Group, Marker
from referee.games.battle_for_germany.game import BattleForGermany
from referee.games.battle_for_germany.position import board
from referee.games.battle_for_germany.state import Pos
from referee.rules.events import Lies
from referee.rules.model import Action, Roll


def places(game: BattleForGermany, p: Pos) -> dict[str, str]:
    """Piece id -> hex, box id, or "" for a piece that is not on the table."""
    g = game.setting
    return {g.roster.ids[u]: "" if node == g.land.unplaced else g.hex_name(node) for u, node in enumerate(p.at)}


def apart(game: BattleForGermany, p: Pos, piece: str) -> bool:
    """The piece is in no box and in no hex: it does not belong to the scenario."""
    return p.at[game.setting.roster.index[piece]] == game.setting.land.off


def clock(game: BattleForGermany, p: Pos) -> tuple[int, str]:
    """Turn and phase as the tracker shows them; before turn 1 and after the end as at the first and the last phase."""
    g = game.setting
    if p.phase < 0:
        return g.terms.first_turn, g.terms.phases[0].name
    return p.turn, g.phase(p).name


def lies(game: BattleForGermany, p: Pos) -> dict[str, Lies]:
    """Every counter on the one map; no markers."""
    return {piece: Lies(place) for piece, place in places(game, p).items()}


def actor(game: BattleForGermany, p: Pos, a: Action) -> str:
    """The player who carries an action out on the table."""
    return a.by


def throws(game: BattleForGermany, p: Pos, a: Roll) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    """(player, die button of the module, "" = its first, faces) of each throw that makes up a roll."""
    return ((a.by, "", a.faces),)


def together(game: BattleForGermany, a: Action) -> tuple[str, ...]:
    """The counters that one drag takes along; every unit moves alone."""
    return ()


def stops(game: BattleForGermany, a: Action) -> tuple[tuple[str, str], ...]:
    """(piece, hex) drops on the way of an action before its effect: an exiting unit goes to its exit hex first."""
    return ((a.unit, a.to),) if isinstance(a, Exit) and a.start != a.to else ()


def leaving(game: BattleForGermany, p: Pos) -> tuple[str, ...]:
    """The pieces that go off when the phase ends because an exit named them (9.0.a3): taken off before the tracker is stepped."""
    return tuple(unit for i, unit in enumerate(game.setting.roster.ids) if p.flipped >> i & 1)


def announcement(game: BattleForGermany, p: Pos, a: Action) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """(chat line, lines of table talk as verb and fields) of an action that players announce; both empty for the others."""
    g = game.setting

    def label(piece: str) -> str:
        return g.roster.label(g.roster.index[piece])

    def where(piece: str) -> str:
        return g.hex_name(p.at[g.roster.index[piece]])

    if isinstance(a, Evacuate):
        return f"{label(a.unit)} is evacuated", ()
    if isinstance(a, Marker):
        return f"supply marker under {label(a.unit)} in {where(a.unit)}", (("SUP", a.unit, where(a.unit)),)
    if isinstance(a, Group):
        return f"the supply is for the {_GROUP_WORDS[a.group]}", (("GRP", a.group),)
    if not isinstance(a, Attack):
        return "", ()
    occ = board(p, g.land).occ
    hit: list[tuple[str, str]] = []
    aims: list[str] = []
    for target in a.targets:
        if target in g.roster.index:  # one unit of a stack (18/6.3)
            hit.append((target, where(target)))
            aims.append(f"{label(target)} alone in {where(target)}")
        else:
            hit.extend((g.roster.ids[u], target) for u in occ.get(g.land.nodes[target], ()))
            aims.append(target)
    said = f"{', '.join(map(label, a.units))} on {' and '.join(aims)}"
    return said, (*(("ATT", u, where(u)) for u in a.units), *(("TGT", u, n) for u, n in hit))


_GROUP_WORDS = {"commonwealth": "Commonwealth", "us": "US"}
