"""State: what must be remembered, what of it is hidden, and small readings of both.

Everything hidden lies in ``Pos.sealed``, one ``Sealed`` a side, and nowhere else (0.2, 0.6, R-F136). A view has a placeholder for
what its reader may not see; rules judge an action on the view of whoever acts.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from referee.rules.model import Frame, Position

NOBODY = 255
"""No formation, no zone, no group (in fields that are bytes)."""

FREE, BOUGHT, CARD, SEA = "free", "bought", "card", "sea"
"""Kinds of PA (8.1, R-F89): the free one, the one paid with a PR, one of a stratagem, the second one after a landing or an arrival
by sea, which costs no PR (9.5, 9.7)."""
KINDS = (FREE, CARD, SEA, BOUGHT)
"""In the order in which unnamed ones are spent."""

FREE_USED, BOUGHT_USED, BARRED, SEA_READY, TURNED, SPENT, OFFENSIVE, BY_SEA = 1, 2, 4, 8, 16, 32, 64, 128
"""Bits of ``Pos.pa``: free PA spent or lost; bought PA spent; no purchase any more this phase (R-F56); the second PA from the sea is
there; turned over (8.3); has spent any PA in this step (R-F90); its next attack is that of Hitler Offensive (R-F54); landed or arrived
by sea in this phase, or tried to, and buys nothing (R-F97, R-F101)."""


class Sealed(msgspec.Struct, frozen=True):
    """What only the owner may see (R-F136). In a view of somebody else: ``known`` False and everything else as here by default."""

    known: bool = False
    at: bytes = b""
    """Per unit of the game its place (a display or the side's Reserve), ``inside`` for all that are not in one of these."""
    reduced: int = 0
    """Units inside with their reduced side up."""
    hand: int = 0
    """The cards held, national and operational."""
    waiting: int = 0
    """Units that their owner sent from the map to the Reserve in this action phase (R-F83)."""
    came: tuple[tuple[int, int], ...] = ()
    """(unit, place), by unit: those that were put from one display to another in this transfer step, and the display in which each lay
    when it began; of a pocket that has joined a formation, its zone (R-F86, R-F118)."""
    credit: tuple[int, ...] = ()
    """Tracks on which half a PR is paid and not used (5.7, R-F71)."""
    spent: tuple[int, int, int, int] = (0, 0, 0, 0)
    """PR spent this turn in the colour that an event names, and elsewhere (R-F125); on steps from the Italy marker (R-F124); 1 if
    the PR of which one step is left counts in the colour so far."""
    owed: tuple[int, int] = (0, 0)
    """How many units of the Reserve Axis event 5 or 9 wants in a colour, and the set of those that count (R-F128)."""
    steps: int = 0
    """The defender's steps at the start of the running combat (R-F11)."""
    lent: int = 0
    """The card that was lent this turn, as a set of one (11.9): known to the Allied sides."""
    given: int = 0
    """Steps that a stratagem being carried out still gives (11.5, R-F54, R-F58): a restoration among them is not seen."""
    set_aside: int = 0
    """Those of Hitler Offensive while Propaganda, which may be played at any moment, is carried out in its midst (R-F58)."""


HIDDEN = Sealed()


class Combat(msgspec.Struct, frozen=True):
    """The running combat as both sides know it (R-F102). Sets of formations and cards are bits; pairs are attacker, defender."""

    zone: int
    attacker: int
    defender: int
    """The sides."""
    attackers: int
    """The attacking formations: one, two in a landing (R-F98)."""
    supporters: int
    """The attacker's formations that support; in a free attack and for the defender none."""
    defenders: int
    free: bool = False
    """A free attack (R-F53): no reply, no cards, no retreat."""
    landing: bool = False
    """The landing combat (9.6, R-F99)."""
    offensive: bool = False
    """+1 of Hitler Offensive (11.5)."""
    totals: tuple[int, int] = (0, 0)
    """Strengths, announced (10.2, 10.5)."""
    elite: tuple[bool, bool] = (False, False)
    """Who has the elite bonus (10.9)."""
    cards: tuple[int, int] = (0, 0)
    """The stratagems laid (10.5)."""
    drops: tuple[int, int] = (0, 0)
    """Corps of paratroops laid (12.3)."""
    dice: tuple[int, int] = (-1, -1)
    """The dice thrown, -1 = not yet."""
    losses: tuple[int, int] = (0, 0)
    """Steps that the sides must still lose, supply not counted (10.2)."""
    order: int = -1
    """-1 simultaneous; 0 or 1: who fires first (10.4, R-F49)."""
    stage: int = 0
    """How far it has come; see ``combat``."""
    taken: tuple[int, int] = (0, 0)
    """Steps lost so far (10.8)."""
    chosen: int = 0
    """Losses chosen so far in the running result: even = the owner's turn (10.3)."""


class Pos(Position, frozen=True, dict=True):
    """A position. Sets of zones, formations, units and cards are ints used as bits; sides are 0 West, 1 Soviets, 2 Axis."""

    phase: int
    """Index into the phases of the scenario; -1 before the first."""
    control: bytes
    """Zone -> the side that controls it (R-F23)."""
    gf_at: bytes
    """Formation -> zone, its side's Reserve, the arrivals, or the removed."""
    at: bytes
    """Unit -> its public place: pile, destroyed, removed, arrivals, paratroops, a zone (a pocket there, 12.4); ``inside`` = hidden in a
    display or the Reserve."""
    sealed: tuple[Sealed, Sealed, Sealed]
    """All hidden facts, by side."""
    reduced: int = 0
    """Pocket units with their reduced side up."""
    pr: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Resource points: England, Italy, Soviets, Axis (5.1)."""
    held: tuple[tuple[int, int], ...] = ((0, 0), (0, 0), (0, 0))
    """Side -> how many national and operational cards it holds: public (R-F136)."""
    used_cards: int = 0
    """Operational cards played this turn: they are not drawn again before the next (R-F47)."""
    event: tuple[int, int, int] = (0, 0, 0)
    """Side -> the dice total of this turn's event, 0 = not thrown (3.1)."""
    pa: bytes = b""
    """Formation -> bits of its account of PA (8.1)."""
    extra: bytes = b""
    """Formation -> PA of stratagems that it has not spent (R-F55)."""
    group: bytes = b""
    """Formation -> the group it acts with: the zone where it began the operational step, or a number of its own (R-F90)."""
    acting: int = NOBODY
    """The group whose formations act by turns now (8.2)."""
    waiting: int = 0
    """Formations that their owner sent to the Reserve in this action phase (R-F83)."""
    began_reserve: int = 0
    """Formations that were in the Reserve when this action phase began (9.7, R-F101)."""
    fought: bytes = b""
    """Zone -> combats this turn, free attacks too (R-F11)."""
    landings: tuple[int, ...] = ()
    """The zones of the landings of turns 1 and 2, NOBODY = none (9.5, R-F95)."""
    wall: int = 0
    """Zones where the next combat of western formations in this phase is the landing combat (R-F99)."""
    landers: int = 0
    """Formations that landed by 9.5 in this phase."""
    mulberry: int = NOBODY
    """The zone that pays 2 as long as the West stays there without a break (5.5, R-F70)."""
    mulberry_gone: bool = False
    """The zone was fixed once, at the end of a phase of the West: no other will ever be (R-F70)."""
    pr_lost: int = 0
    """PR that the Soviet event of this turn takes from the stock after income (R-F78)."""
    croatia: bool = False
    """The landing of PE.West.9 was made this turn (R-F124)."""
    lent: bool = False
    """A card was lent this turn (11.9)."""
    roosevelt: bool = False
    """Two dice of bombardment for good (PE.West.2)."""
    fuhrer_dead: bool = False
    """PE.Axis.2: leave to retreat is no more needed, 5, 9, 10 are void (R-F130)."""
    manchuria: bool = False
    """PE.Soviet.12 has happened (R-F127)."""
    peace: bool = False
    """The West has left the war (R-F132)."""
    capitulated: tuple[str, ...] = ()
    """Nations that have capitulated, in order (12.1)."""
    used_corps: int = 0
    """Corps of paratroops used this turn (12.3)."""
    dropped: int = 0
    """Zones where a corps was dropped this turn (12.3)."""
    returns: tuple[tuple[int, int], ...] = ()
    """(corps, turn from which it is usable again), ascending (R-F114)."""
    yugoslavia_lost: bool = False
    """Both garrison zones were Allied at the same time (the other reading of R-F20)."""
    baltic: bytes = b""
    """Baltic zone -> the formation that the Axis named for it, NOBODY = none (R-F33)."""
    flak: int = 0
    """Bombardment cards of this turn: 1 8th Air Force, 2 FLAK (R-F65)."""
    maskirovka: int = 0
    """Guards that may still go by Maskirovka in this step (R-F60)."""
    combat: Combat | None = None
    shown: tuple[tuple[int, int, int], ...] = ()
    """(unit, formation, 1 if reduced): units of the running combat that both sides see (R-F102)."""
    result: str = ""


def sealed(p: Pos, side: int, **changes: object) -> tuple[Sealed, Sealed, Sealed]:
    """The hidden facts with those of one side changed."""
    a, b, c = p.sealed
    own = replace(p.sealed[side], **changes)
    return (own, b, c) if side == 0 else (a, own, c) if side == 1 else (a, b, own)


def alter(p: Pos, **changes: object) -> Pos:
    """The position with some fields changed; nothing derived is kept."""
    return replace(p, **changes)


def seal(p: Pos, side: int, **changes: object) -> Pos:
    """The position with hidden facts of one side changed."""
    return replace(p, sealed=sealed(p, side, **changes))


def pushed(p: Pos, frame: Frame) -> Pos:
    """The position with one more frame on top."""
    return replace(p, agenda=(*p.agenda, frame))


def popped(p: Pos) -> Pos:
    """The position without its top frame."""
    return replace(p, agenda=p.agenda[:-1])


def with_top(p: Pos, frame: Frame) -> Pos:
    """The position with another frame in place of the top one."""
    return replace(p, agenda=(*p.agenda[:-1], frame))


def set_byte(table: bytes, at: int, value: int) -> bytes:
    """A byte table with one value changed."""
    return table[:at] + bytes((value,)) + table[at + 1 :]


def members(found: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while found:
        low = found & -found
        yield low.bit_length() - 1
        found ^= low
