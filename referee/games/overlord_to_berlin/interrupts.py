"""What may be done between two actions, by whoever likes, in the phase of whoever is on move (R-F43, R-F44): Axis Propaganda,
Mystification (11.5), Lend Lease (11.9), the naming of who is supplied from the Baltic (6.1, R-F33), giving up.

Every step that is an ``OpenStep`` takes these actions besides its own; nobody is asked for them because of what he holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.overlord_to_berlin.actions import Concede, Fill, Lend, Play, Rebuild, Restore, Supply
from referee.games.overlord_to_berlin.changes import flip, lose_cards, put_inside
from referee.games.overlord_to_berlin.duties_of_events import in_reserve, note_mystified
from referee.games.overlord_to_berlin.land import AXIS, SIDES, SOVIET, WEST, flood
from referee.games.overlord_to_berlin.position import NOBODY, Pos, alter, members, popped, pushed, seal, set_byte
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.stratagems import foreign
from referee.games.overlord_to_berlin.supply import baltic_places, ground, supplied
from referee.games.overlord_to_berlin.units import is_reduced, units_in
from referee.games.overlord_to_berlin.wrong import wrong_hand
from referee.rules.model import Action, Done, Frame, Reason, cite

PROPAGANDA, MYSTIFICATION = "rebuild_two_steps_to_reserve", "reserve_to_displays"
"""Effects of the national stratagems that are played between two actions."""


def card_reasons(g: Setting, p: Pos, side: int, card: int) -> Iterator[Reason]:
    """11.4, 11.1: a card is played from the hand, a national stratagem by its side alone."""
    if not p.sealed[side].hand >> card & 1:
        yield Reason("card-not-held", cite("11.1.b R-F62" if foreign(g, side, card) else "11.4 R-F136"), (("card", g.cards.names[card]),))


def between(p: Pos) -> bool:
    """Whether nothing is under way: no combat, no throw, no declared action, no card being carried out (R-F43, R-F57). The piles that
    wait one below another (4.5) are none of these."""
    busy = [frame for frame in p.agenda if frame.step not in ("automatic", "pile")]
    return p.combat is None and len(busy) <= 2 and p.frame.step not in ("reroll", "keep")


def is_interrupt(g: Setting, p: Pos, a: Action) -> bool:
    """Whether the action is one of these."""
    if isinstance(a, Play):
        return bool((g.cards.with_effect(PROPAGANDA) | g.cards.with_effect(MYSTIFICATION)) >> g.cards.index[a.card] & 1)
    return isinstance(a, Concede | Lend | Supply)


def judge(g: Setting, p: Pos, a: Action) -> Iterator[Reason]:
    """Every reason against it."""
    if isinstance(a, Lend):
        yield from _judge_lend(g, p, a)
    elif isinstance(a, Supply):
        yield from _judge_supply(g, p, a)
    elif isinstance(a, Play):
        yield from _judge_play(g, p, a)


def apply(g: Setting, p: Pos, a: Action) -> Pos:
    """The position after it."""
    if isinstance(a, Lend):
        return _lent(g, p, 1 << g.cards.index[a.card])
    if isinstance(a, Supply):
        at = g.land.baltic.index(g.land.zone(a.zone))
        named = bytes(NOBODY if gf == g.gfs.index[a.gf] else gf for gf in p.baltic or bytes([NOBODY] * len(g.land.baltic)))
        return alter(p, baltic=set_byte(named, at, g.gfs.index[a.gf]))
    if isinstance(a, Play):
        card, side = g.cards.index[a.card], g.side(a.by)
        q = lose_cards(g, p, side, 1 << card)
        if g.cards.effect[card] == PROPAGANDA:
            q = seal(q, side, given=g.number("propaganda_steps"), set_aside=q.sealed[side].given)
            return pushed(q, Frame("propaganda", (a.by,)))
        return pushed(q, Frame("mystification", (a.by,)))
    winner = "allies" if g.side(a.by) == AXIS else "axis"
    return alter(p, agenda=(Frame("over", ()),), result=f"{winner}, {a.by} gave up")


def choices(g: Setting, p: Pos, by: str) -> Iterator[Action]:
    """What a side could do of this kind, worked out from its own view; giving up is never listed."""
    side = g.side(by)
    possible: list[Action] = []
    if side == WEST and not p.lent:
        possible += [Lend(by, g.cards.ids[card]) for card in members(p.sealed[WEST].hand & g.cards.operational)]
    for effect in (PROPAGANDA, MYSTIFICATION):
        possible += [Play(by, g.cards.ids[card]) for card in members(p.sealed[side].hand & g.cards.with_effect(effect))]
    if side == AXIS:
        possible += [Supply(by, g.gfs.ids[gf], g.land.name(zone)) for zone in g.land.baltic for gf in _cut_off(g, p)]
    yield from (a for a in possible if not any(True for _ in judge(g, p, a)))


def _judge_lend(g: Setting, p: Pos, a: Lend) -> Iterator[Reason]:
    """11.9, R-F52: the West, once a turn, an operational card of its hand."""
    card = g.cards.index[a.card]
    if a.by != SIDES[WEST]:
        yield Reason("lend-is-western", cite("11.9 R-F52"), (("by", a.by),))
        return
    if p.lent:
        yield Reason("lent-already", cite("11.9 R-F52"))
    yield from card_reasons(g, p, WEST, card)
    if not g.cards.operational >> card & 1:
        yield Reason("lend-operational", cite("11.9 R-F52"), (("card", g.cards.names[card]),))


def _lent(g: Setting, p: Pos, card: int) -> Pos:
    """The card passes; everybody sees that one did (R-F52)."""
    q = seal(p, WEST, hand=p.sealed[WEST].hand & ~card, lent=card)
    q = seal(q, SOVIET, hand=q.sealed[SOVIET].hand | card, lent=card)
    (west, west_of_all), (soviet, soviet_of_all), axis = p.held
    return alter(q, lent=True, held=((west, west_of_all - 1), (soviet, soviet_of_all + 1), axis))


def _cut_off(g: Setting, p: Pos) -> tuple[int, ...]:
    """The formations of the Axis on the map without a line to the Vaterland (R-F33)."""
    net = ground(g, p, AXIS).net
    return tuple(gf for gf in members(g.gfs.of_side[AXIS]) if g.on_map(p, gf) and not net >> p.gf_at[gf] & 1)


def _judge_supply(g: Setting, p: Pos, a: Supply) -> Iterator[Reason]:
    """6.1, R-F33: a Baltic zone that is own or contested, a formation that needs it and has a line to it; between two actions; named
    anew only at the start of a side's action phase."""
    gf, zone = g.gfs.index[a.gf], g.land.zone(a.zone)
    facts = (("gf", g.gfs.names[gf]), ("zone", a.zone))
    if a.by != SIDES[AXIS]:
        yield Reason("baltic-is-axis", cite("6.1.e R-F33"), (("by", a.by),))
        return
    if not between(p):
        yield Reason("baltic-not-now", cite("6.1.e R-F33"), (("action", str(a)),))
    if zone not in g.land.baltic:
        yield Reason("no-baltic-zone", cite("6.1.e R-F17"), facts)
        return
    if gf not in _cut_off(g, p):
        yield Reason("baltic-not-needed", cite("6.1.e R-F33"), facts)
        return
    here = ground(g, p, AXIS)
    open_ = here.own | here.contested
    if not open_ >> zone & 1 or not flood(g.land.near, 1 << zone, open_) >> p.gf_at[gf] & 1:
        yield Reason("baltic-no-line", cite("6.1.e R-F33"), facts)
    places = baltic_places(g, p)
    if places.get(zone) == gf:
        yield Reason("baltic-has-place", cite("6.1.e R-F33"), facts)
    elif p.baltic and p.baltic[g.land.baltic.index(zone)] != NOBODY and g.phase(p).step != "combine":
        yield Reason("baltic-named", cite("6.1.e R-F33"), facts)


def _judge_play(g: Setting, p: Pos, a: Play) -> Iterator[Reason]:
    """11.5: Propaganda at any moment but while losses are chosen (R-F58), Mystification between the draws and the start of the own
    action phase (R-F57); neither without anything to act on (R-F63)."""
    card, side = g.cards.index[a.card], g.side(a.by)
    facts = (("card", g.cards.names[card]),)
    yield from card_reasons(g, p, side, card)
    if a.to:
        yield Reason("card-without-target", cite("11.5.l R-F58" if g.cards.effect[card] == PROPAGANDA else "11.5.k R-F57"), facts)
    if g.cards.effect[card] == PROPAGANDA:
        if p.frame.step == "loss":
            yield Reason("losses-being-chosen", cite("11.5.l R-F58"), facts)
        if not _ruined(g, p, side) and not _worn(g, p, side):
            yield Reason("propaganda-idle", cite("11.5.l R-F63"), facts)
        return
    phase = g.phase(p).phase
    if phase == f"{SIDES[side]}_action" or phase == "final":
        yield Reason("mystification-late", cite("11.5.k R-F57"), facts)
    if not between(p):
        yield Reason("mystification-not-now", cite("11.5.k R-F57"), (("action", str(a)),))
    if not any(True for _ in in_reserve(g, p, side)) or not any(_open_to_fill(g, p, gf) for gf in members(g.gfs.of_side[side])):
        yield Reason("mystification-idle", cite("11.5.k R-F63"), facts)


def _ruined(g: Setting, p: Pos, side: int) -> tuple[int, ...]:
    """A side's destroyed units, in piles or box."""
    graves = (*g.land.places.piles[side], g.land.places.destroyed[side])
    return tuple(u for u in members(g.units.of_side[side]) if p.at[u] in graves)


def _worn(g: Setting, p: Pos, side: int) -> tuple[int, ...]:
    """A side's reduced units in its Reserve."""
    return tuple(u for u in sorted(in_reserve(g, p, side)) if is_reduced(g, p, u))


def _open_to_fill(g: Setting, p: Pos, gf: int) -> bool:
    return g.on_map(p, gf) and supplied(g, p, gf) and len(units_in(g, p, gf)) < g.gfs.capacity[gf]


class OpenStep:
    """A step of a chapter in which interrupts are taken as well. Chapters fill ``judge_own``, ``apply_own``, ``choices_own``."""

    anybody = False
    """Whether the step's own actions too are for every side (windows), and not only for those whom the frame names."""

    def __init__(self, g: Setting) -> None:
        self.g = g

    def others(self, p: Pos) -> tuple[str, ...]:
        """Every side, whatever it holds; the West no more after a separate peace (R-F132)."""
        return SIDES[1:] if p.peace else SIDES

    def judge(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Every reason against an interrupt or an action of the step's own."""
        if is_interrupt(self.g, p, a):
            yield from judge(self.g, p, a)
        elif not self.anybody and a.by not in p.frame.by:
            yield wrong_hand(self.g, p, a)
        else:
            yield from self.judge_own(p, a)

    def apply(self, p: Pos, a: Action) -> Pos:
        """The position after either."""
        if is_interrupt(self.g, p, a):
            return apply(self.g, p, a)
        return self.apply_own(p, a)

    def choices(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Own actions first, then everybody's interrupts. ``p`` is the view of one side: the others' hands in it are hidden."""
        if self.anybody or any(p.sealed[self.g.side(by)].known for by in p.frame.by):
            yield from self.choices_own(p, about)
        if about is None:
            for by in SIDES:
                if p.sealed[self.g.side(by)].known:
                    yield from choices(self.g, p, by)

    def settle(self, p: Pos) -> Pos | None:
        """Waits for an action."""
        return None

    def duties(self, p: Pos) -> Iterator[Reason]:
        """None, unless the chapter says so."""
        return iter(())

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """Every reason against an action of the chapter; ``Done`` never comes here."""
        raise TypeError(f"{type(self).__name__} judges nothing")

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The position after an action of the chapter, ``Done`` included."""
        raise TypeError(f"{type(self).__name__} applies nothing")

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """The legal actions of the chapter."""
        return iter(())

    def lawful(self, p: Pos, possible: Iterator[Action]) -> Iterator[Action]:
        """Those of the actions that nothing speaks against."""
        return (a for a in possible if not any(True for _ in self.judge_own(p, a)))


class PropagandaStep(OpenStep):
    """11.5: two steps for the Axis (R-F58): destroyed units to the Reserve, reduced ones there restored. ``done`` ends it always: how
    many steps were taken need not be seen."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A unit to which it applies, and steps left."""
        g = self.g
        side = g.side(p.frame.by[0])
        if not isinstance(a, Rebuild | Restore):
            yield Reason("wrong-step", cite("11.5.l R-F58"), (("action", str(a)), ("step", "Propaganda")))
            return
        unit = g.units.index[a.unit]
        facts = (("unit", g.units.names[unit]),)
        if a.track:
            yield Reason("nothing-paid", cite("11.5.l R-F58"), facts)
        if isinstance(a, Rebuild):
            if unit not in _ruined(g, p, side):
                yield Reason("not-destroyed", cite("11.5.l R-F58"), facts)
        elif unit not in _worn(g, p, side):
            yield Reason("not-worn-in-reserve", cite("11.5.l R-F58"), facts)
        if steps_given(a) > p.sealed[side].given:
            yield Reason("steps-given", cite("11.5.l R-F58"), (("left", str(p.sealed[side].given)),))

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The unit in the Reserve, or restored there."""
        g, side = self.g, self.g.side(p.frame.by[0])
        if isinstance(a, Done):
            return popped(seal(p, side, given=p.sealed[side].set_aside, set_aside=0))
        assert isinstance(a, Rebuild | Restore)
        q = seal(p, side, given=p.sealed[side].given - steps_given(a))
        unit = g.units.index[a.unit]
        if isinstance(a, Rebuild):
            return put_inside(g, q, unit, g.reserve(side), reduced=a.state == "reduced")
        return flip(g, q, unit, reduced=False)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every unit that can be brought back."""
        g, by = self.g, p.frame.by[0]
        side = g.side(by)
        possible: list[Action] = []
        for unit in _ruined(g, p, side):
            possible += [Rebuild(by, g.units.ids[unit], state) for state in ("reduced", "full") if about in (None, unit)]
        possible += [Restore(by, g.units.ids[unit]) for unit in _worn(g, p, side) if about in (None, unit)]
        yield from self.lawful(p, iter(possible))


def steps_given(a: Rebuild | Restore) -> int:
    """The steps that it takes of what a stratagem gives: two for a unit that comes back full (R-F54, R-F58)."""
    return 2 if isinstance(a, Rebuild) and a.state == "full" else 1


class MystificationStep(OpenStep):
    """11.5: units of the Reserve into formations on the map (R-F57)."""

    def judge_own(self, p: Pos, a: Action) -> Iterator[Reason]:
        """A unit of the Reserve; a formation on the map, in supply, with room (R-F80)."""
        g = self.g
        side = g.side(p.frame.by[0])
        if not isinstance(a, Fill):
            yield Reason("wrong-step", cite("11.5.k R-F57"), (("action", str(a)), ("step", "Mystification")))
            return
        unit, gf = g.units.index[a.unit], g.gfs.index[a.gf]
        facts = (("unit", g.units.names[unit]), ("gf", g.gfs.names[gf]))
        if g.units.side[unit] != side or unit not in in_reserve(g, p, side):
            yield Reason("not-in-reserve", cite("11.5.k R-F57"), facts)
        if g.gfs.side[gf] != side or not g.on_map(p, gf):
            yield Reason("gf-not-on-map", cite("11.5.k R-F57"), facts)
            return
        if not supplied(g, p, gf):
            yield Reason("gf-cut-off", cite("11.5.k R-F57"), facts)
        if len(units_in(g, p, gf)) >= g.gfs.capacity[gf]:
            yield Reason("gf-full", cite("7.2.d R-F82"), facts)

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """The unit in its display; counted for events 5 and 9 (R-F128)."""
        g = self.g
        if isinstance(a, Done):
            return popped(p)
        assert isinstance(a, Fill)
        unit, gf = g.units.index[a.unit], g.gfs.index[a.gf]
        q = note_mystified(g, p, 1 << unit)
        return put_inside(g, q, unit, g.display(gf), reduced=is_reduced(g, p, unit))

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Every unit of the Reserve to every formation that takes it."""
        g, by = self.g, p.frame.by[0]
        side = g.side(by)
        for unit in sorted(in_reserve(g, p, side)):
            if about in (None, unit):
                yield from (Fill(by, g.units.ids[unit], g.gfs.ids[gf]) for gf in members(g.gfs.of_side[side]) if _open_to_fill(g, p, gf))


def side_on_move(g: Setting, p: Pos) -> int:
    """The side whose phase it is; the West where it is nobody's."""
    side = g.phase(p).side
    return side if side >= 0 else WEST


