"""13.1 and 13.2: Berlin has fallen. The Germans leave at the end of that player turn; the SS may stay, under the Western player."""

from __future__ import annotations

from msgspec.structs import replace

from referee.games.battle_for_germany.changes import recount_holders
from referee.games.battle_for_germany.position import W
from referee.games.battle_for_germany.setting import Setting, german
from referee.games.battle_for_germany.state import Pos


def after_berlin(p: Pos) -> bool:
    """Whether the Germans have left: no boundary, other enemies (13.1.p1, 13.1.p3)."""
    return p.regime == 1


def germans_leave(g: Setting, p: Pos) -> Pos:
    """13.1.p2, R-G96: at the end of the player turn in which Berlin fell all Germans go, to no box, and their boxes close.

    With 13.2 the SS on the map join the Western force (13.2.p1, 13.2.p2, R-G98). The boundary lapses, and with it all that hangs on
    it; from the next player turn on S and W are enemies (13.1.p1), unless the event races for VPs (13.1.a2, R-G97). In any other
    case the position as it is.
    """
    if not g.terms.berlin_ends_it or after_berlin(p) or p.berlin_first[0] < 0:
        return p
    at, force = list(p.at), bytearray(p.force)
    theirs = 0
    for unit, node in enumerate(p.at):
        if not german(p.force[unit]):
            continue
        theirs |= 1 << unit
        if g.terms.ss_stay and g.roster.ss >> unit & 1 and node < g.land.size:
            force[unit] = W
        else:
            at[unit] = g.land.off
    q = replace(
        p,
        at=tuple(at),
        force=bytes(force),
        regime=1,
        moved=p.moved & ~theirs,
        attacked=p.attacked & ~theirs,
        doubled=p.doubled & ~theirs,
        locked=p.locked & ~theirs,
    )
    return recount_holders(g, q)
