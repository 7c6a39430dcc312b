"""What a side may see (0.2, R-F135, R-F136): its own hidden facts, those of the other Ally with two players, no others."""

from __future__ import annotations

from referee.games.overlord_to_berlin.land import SIDES
from referee.games.overlord_to_berlin.position import HIDDEN, Pos, alter
from referee.games.overlord_to_berlin.setting import Setting


def view(g: Setting, p: Pos, side: str | None) -> Pos:
    """The position with every hidden fact that the side may not know replaced by the same placeholder; None: all of it. Who
    is no side (``PUBLIC``) knows nothing that is hidden."""
    if side is None:
        return p
    sees = g.sees(SIDES.index(side)) if side in SIDES else ()
    kept: dict[tuple[int, ...], Pos] = p.__dict__.setdefault("views", {})
    if sees not in kept:
        hidden = tuple(s if i in sees else HIDDEN for i, s in enumerate(p.sealed))
        kept[sees] = alter(p, sealed=hidden)
    return kept[sees]
