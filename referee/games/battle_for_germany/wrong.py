"""Actions that do not fit at all: names that do not exist, the wrong phase (3.0), something else still pending."""

from __future__ import annotations

from typing import Final

from referee.games.battle_for_germany.actions import (
    Advance,
    Attack,
    Deed,
    Evacuate,
    Exit,
    Group,
    Join,
    Lose,
    Marker,
    Move,
    PutAshore,
    Replace,
    Retreat,
    SetUp,
    Take,
    Target,
)
from referee.games.battle_for_germany.position import S, W
from referee.games.battle_for_germany.setting import Setting, rate_columns, rates_of
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import COMBAT, MOVEMENT, REPLACEMENT, SECOND_COMBAT, SECOND_MOVEMENT
from referee.rules.model import Action, Reason, cite

PHASE_OF: Final[dict[type[Action], str]] = {
    Move: MOVEMENT,
    Exit: MOVEMENT,
    Evacuate: MOVEMENT,
    Attack: COMBAT,
    Target: COMBAT,
    Join: COMBAT,
    Replace: REPLACEMENT,
    Marker: REPLACEMENT,
}
"""The kind of phase each freely chosen action belongs to (3.0)."""

SECOND_OF: Final[dict[type[Action], str]] = {Move: SECOND_MOVEMENT, Attack: SECOND_COMBAT, Target: SECOND_COMBAT, Join: SECOND_COMBAT}
"""The kind of phase that 18.1 adds for them."""

ANSWERS: Final[dict[type[Action], str]] = {
    SetUp: "8.0.p1",
    Group: "18.1.p16",
    Take: "9.0.a1",
    PutAshore: "8.0.p6",
    Lose: "6.2.c",
    Retreat: "6.2.1.p1",
    Advance: "6.5",
}
"""Actions that only answer something pending, and the paragraph that asks for them."""

FREE: Final = ("replacement", "movement", "combat", "second-combat", "second-movement")
"""The steps in which the phasing player does as he likes."""

PENDING: Final[dict[str, str]] = {"take": "9.0.a1 R-G80", "landing": "8.0.p6", "group": "18.1.p16"}
"""Steps outside combat that must be answered before anything else, and the paragraph that asks for the answer."""


def unknown_names(g: Setting, a: Deed) -> list[Reason]:
    """A unit or a place that the game does not have."""
    index, nodes, size = g.roster.index, g.land.nodes, g.land.size
    units, places = a.names()
    found: list[Reason] = []
    for unit in units:
        if unit not in index:
            found.append(Reason("no-such-unit", cite("2.5"), (("unit", unit),)))
    for place in places:
        if nodes.get(place, size) < size:
            continue
        if place in index and isinstance(a, (Attack, Target)):
            continue  # a unit attacked alone (18/6.3)
        # a unit may begin in a box, but goes to hexes only
        if place not in nodes or not isinstance(a, (Move, Exit)) or place != a.start:
            found.append(Reason("no-such-hex", cite("2.2"), (("hex", place),)))
    return found


def wrong_step(g: Setting, p: Pos, a: Action) -> Reason:
    """Why this action cannot be taken now: its phase is another one (3.0), or nothing asks for it."""
    kind = PHASE_OF.get(type(a))
    phase = g.phase(p) if p.phase >= 0 else None
    now = phase.name if phase else "set-up"
    verb = str(a).split()[1]
    if kind is None:
        return Reason("not-asked", cite(ANSWERS.get(type(a), "3.0.p1")), (("verb", verb), ("phase", now), ("step", p.frame.step)))
    pieces: tuple[str, ...] = getattr(a, "units", (getattr(a, "unit", ""),))
    unit = g.roster.index.get(pieces[0]) if pieces else None
    force = p.force[unit] if unit is not None else phase.force if phase else -1
    own = next((ph for ph in g.terms.phases if ph.kind == kind and ph.force == force), None)
    facts = (("verb", verb), ("unit", pieces[0] if pieces else ""), ("phase", now), ("own", own.name if own else ""))
    if isinstance(a, Join) and p.frame.step in ("combat", "second-combat"):
        return Reason("no-attack-open", cite("6.3.c2 R-G44"), facts)
    if phase and p.frame.step not in FREE:
        asks = PENDING.get(p.frame.step)
        code, para = ("waits", asks) if asks else ("pending", "6.1.p4 R-G44")
        return Reason(code, cite(para), (*facts, ("step", p.frame.step)))
    if isinstance(a, Replace) and own and phase and (phase.force, phase.kind) == (force, MOVEMENT):
        # the phase is passed by itself once the rate is used (R-G118): say so, and not only that it is over
        received = zip(rates_of(g, p.turn, force), rate_columns(g, force), strict=True)
        rate = " and ".join(str(number) for number, columns in received if columns) or "0"
        return Reason("replacement-over", cite(own.para, "7.2.p1 R-G65"), (*facts, ("rate", rate), ("turn", str(p.turn))))
    second = next((ph for ph in g.terms.phases if ph.kind == SECOND_OF.get(type(a)) and ph.force == force), None)
    if own and second:  # 18.1 gives it two phases
        own_name = ("own", f"{own.name} and the {second.name}")
        return Reason("wrong-phase", cite(own.para, second.para), (*facts[:3], own_name))
    return Reason("wrong-phase", cite(own.para if own else "3.0.p1"), facts)


def wrong_hand(g: Setting, p: Pos, a: Action) -> Reason:
    """An action by the player whose decision it is not (3.0.p1, R-G120), because the units are the other one's (2.5.a, 2.5.b)."""
    whose: tuple[str, ...] = ()
    if p.frame.by and g.terms.players == 2:
        whose = {g.owner(W): ("2.5.a R-G120",), g.owner(S): ("2.5.b R-G120",)}.get(p.frame.by[0], ())
    elif p.frame.by:
        whose = ("16.0 R-G120",) if g.terms.players == 3 else ("17.0 R-G120",)
    return Reason("not-yours", cite("3.0.p1 R-G120", *whose), (("by", a.by), ("whose", ", ".join(p.frame.by))))
