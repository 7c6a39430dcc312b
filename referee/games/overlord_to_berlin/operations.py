"""9.4 and 8: the operational step. Formations spend PA to move, to come by sea and to attack; cards are played between two actions.

Every declared PA first passes the window of ``cancel``; attacks, free attacks and Hitler Offensive are carried out by their chapters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import msgspec

from referee.games.overlord_to_berlin import landings, points, stratagems
from referee.games.overlord_to_berlin.actions import Attack, Fill, Land, Move, Play, Sail, TurnOver, Withdraw
from referee.games.overlord_to_berlin.cancel import Declared, declare
from referee.games.overlord_to_berlin.changes import lose_cards, put_gf, settle_control
from referee.games.overlord_to_berlin.duties_of_events import operations_duties
from referee.games.overlord_to_berlin.land import AXIS, SOVIET, WEST
from referee.games.overlord_to_berlin.phasing import PhasingStep, begin_step
from referee.games.overlord_to_berlin.pockets import leave_behind
from referee.games.overlord_to_berlin.position import NOBODY, SEA, TURNED, Pos, alter, members, popped, set_byte
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.stacking import too_many
from referee.games.overlord_to_berlin.strategic import concerned, filled, withdrawn
from referee.games.overlord_to_berlin.supply import ground, supplied, takes_a_place
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.transfers import not_adjacent
from referee.games.overlord_to_berlin.units import gfs_in
from referee.rules.model import Action, Done, Reason, cite

EXTRA_PA = ("extra_pa", "cancel_pa_or_extra_pa")
"""What the cards do that give a PA (R-F21, R-F55)."""
FREE_ATTACK, OFFENSIVE = "free_attack_16_20", "free_combat_pa_plus_2_armor_steps_plus_1"
"""What the cards do that open combats (R-F53, R-F54)."""


class Chapter(msgspec.Struct, frozen=True):
    """A chapter of combat as this step calls it."""

    judge: Callable[[Setting, Pos, Any], Iterator[Reason]]
    """Every reason against the declaration."""
    apply: Callable[[Setting, Pos, Any], Pos]
    """The position after it: a window, or frames of the chapter."""
    choices: Callable[[Setting, Pos, str], Iterator[Action]]
    """The legal declarations of a side."""


def begin(g: Setting, p: Pos, phase: Phase) -> Pos:
    """Step 4 of an action phase: formations that stand in one zone now are a group (R-F90)."""
    group = p.group
    for gf in members(g.gfs.of_side[phase.side]):
        group = set_byte(group, gf, p.gf_at[gf] if g.on_map(p, gf) else NOBODY)
    return begin_step(alter(p, group=group, acting=NOBODY), phase, "operations")


class OperationsStep(PhasingStep):
    """One action after another, in any order, as far as PA go."""

    takes = (Move, Land, Sail, Attack, Play, TurnOver, Fill, Withdraw)

    def __init__(self, g: Setting, combat: dict[str, Chapter]) -> None:
        """``combat``: ``attack``, and the effects of the cards that open combats, each with its chapter."""
        super().__init__(g)
        self.combat = combat

    def judge_here(self, p: Pos, a: Action) -> Iterator[Reason]:
        """The chapter of each action."""
        g = self.g
        if isinstance(a, Move):
            yield from _move_reasons(g, p, a)
        elif isinstance(a, Attack):
            yield from self.combat["attack"].judge(g, p, a)
        elif isinstance(a, Land | Sail | Fill | Withdraw):
            yield from landings.judge(g, p, a)
        elif isinstance(a, TurnOver):
            yield from _turn_over_reasons(g, p, a)
        elif isinstance(a, Play):
            yield from self._play_reasons(p, a)

    def apply_own(self, p: Pos, a: Action) -> Pos:
        """What is declared waits in the window of R-F56; cards act at once; ``done`` ends the step."""
        g = self.g
        if isinstance(a, Done):
            return popped(p)
        if isinstance(a, Move):
            return declare(p, self.side(p), _declared_move(g, p, a))
        if isinstance(a, Attack):
            return self.combat["attack"].apply(g, p, a)
        if isinstance(a, Land | Sail):
            return landings.declared(g, p, a)
        if isinstance(a, Fill):
            return filled(g, p, a)
        if isinstance(a, Withdraw):
            return withdrawn(g, p, a)
        if isinstance(a, TurnOver):
            gf = g.gfs.index[a.gf]
            return alter(p, pa=set_byte(p.pa, gf, p.pa[gf] | TURNED), extra=set_byte(p.extra, gf, 0))
        assert isinstance(a, Play)
        return self._played(p, a)

    def duties(self, p: Pos) -> Iterator[Reason]:
        """What an event wants of the West (PE.West.5, 9, 10)."""
        yield from operations_duties(self.g, p)

    def choices_own(self, p: Pos, about: int | None) -> Iterator[Action]:
        """Moves, landings, attacks, cards, formations to turn over; PA of the usual kinds (others are legal too)."""
        g, by = self.g, p.frame.by[0]
        side = self.side(p)
        for a in self._possible(p, side, by):
            if about in (None, *concerned(g, a)) and not any(True for _ in self.judge_here(p, a)):
                yield a
        for chapter in self.combat.values():
            yield from (a for a in chapter.choices(g, p, by) if about in (None, *concerned(g, a)))

    def _possible(self, p: Pos, side: int, by: str) -> Iterator[Action]:
        g = self.g
        yield from _moves(g, p, side, by)
        yield from landings.possible(g, p, side, by)
        able = sum(g.cards.with_effect(effect) for effect in EXTRA_PA)
        on_map = [g.gfs.ids[gf] for gf in members(g.gfs.of_side[side]) if g.on_map(p, gf)]
        for card in members(p.sealed[side].hand & able):
            yield from (Play(by, g.cards.ids[card], gf) for gf in on_map)
        yield from (TurnOver(by, gf) for gf in on_map)

    def _play_reasons(self, p: Pos, a: Play) -> Iterator[Reason]:
        g = self.g
        card, side = g.cards.index[a.card], self.side(p)
        effect = g.cards.effect[card]
        if effect in self.combat:
            yield from self.combat[effect].judge(g, p, a)
        elif effect not in EXTRA_PA:
            own = stratagems.paragraph(g, card)
            why = ("11.1.c R-F48",) if g.cards.operational >> card & 1 else (own, "11.1.b R-F62")
            yield Reason("no-card-of-operations", cite(*why), (("card", g.cards.names[card]),))
        else:
            if not p.sealed[side].hand >> card & 1:
                para = "11.1.b R-F62" if stratagems.foreign(g, side, card) else "11.4 R-F136"
                yield Reason("card-not-held", cite(para), (("card", g.cards.names[card]),))
            if a.to not in {g.gfs.ids[gf] for gf in members(g.gfs.of_side[side]) if g.on_map(p, gf)}:
                facts = (("card", g.cards.names[card]), ("to", g.called(a.to)))
                named = f"{stratagems.paragraph(g, card)} R-F62"
                yield Reason("extra-pa-for-own", cite(*dict.fromkeys(("8.2.h R-F55", named, "11.6.c R-F62"))), facts)

    def _played(self, p: Pos, a: Play) -> Pos:
        g = self.g
        card = g.cards.index[a.card]
        if g.cards.effect[card] in self.combat:
            return self.combat[g.cards.effect[card]].apply(g, p, a)
        gf = g.gfs.index[a.to]
        return lose_cards(g, alter(p, extra=set_byte(p.extra, gf, p.extra[gf] + 1)), self.side(p), 1 << card)


def _turn_over_reasons(g: Setting, p: Pos, a: TurnOver) -> Iterator[Reason]:
    """8.3: a formation on the map that lies face up."""
    gf = g.gfs.index[a.gf]
    if not g.on_map(p, gf):
        yield Reason("gf-not-on-map", cite("8.3"), (("gf", g.gfs.names[gf]),))
    if points.face_down(p, gf):
        yield Reason("lies-turned", cite("8.3"), (("gf", g.gfs.names[gf]),))


def pa_of_move(g: Setting, p: Pos, side: int, start: int, to: int) -> int:
    """8.1, 9.4, R-F92: how many PA each formation spends: two out of a contested zone into one that holds enemies, else one."""
    here = ground(g, p, side)
    both = here.foes >> start & here.foes >> to & 1
    return g.number("pa_contested_to_contested") if both else g.number("pa_free")


def _plan(g: Setting, p: Pos, a: Move) -> points.Plan:
    gfs = tuple(g.gfs.index[name] for name in a.gfs)
    start, to = g.land.zone(a.start), g.land.zone(a.to)
    return points.plan(g, p, gfs, pa_of_move(g, p, g.side(a.by), start, to), a.kinds, purpose=points.MOVE, zone=to)


def _declared_move(g: Setting, p: Pos, a: Move) -> Declared:
    return Declared("move", _plan(g, p, a), start=g.land.zone(a.start))


def _move_reasons(g: Setting, p: Pos, a: Move) -> Iterator[Reason]:
    """9.4, 7.1, 7.3, 6.2: formations of one group from one zone to the next, within the limit, without the other Ally, in supply
    when all have arrived."""
    gfs = [g.gfs.index[name] for name in a.gfs]
    start, to = g.land.zone(a.start), g.land.zone(a.to)
    side = g.side(a.by)
    elsewhere = [gf for gf in gfs if p.gf_at[gf] != start]
    if elsewhere:
        yield Reason("gf-elsewhere", cite("9.4.a"), (("gf", g.gfs.names[elsewhere[0]]), ("zone", a.start)))
        return
    if len({p.group[gf] for gf in gfs}) > 1:
        yield Reason("not-one-group", cite("8.2.b R-F90"), (("gfs", ", ".join(g.gfs.names[gf] for gf in gfs)),))
    if not g.land.near[start] >> to & 1:
        yield not_adjacent(g, "9.4.a", start, to)
    ally = {WEST: SOVIET, SOVIET: WEST}.get(side)
    shared = ally is not None and bool(gfs_in(g, p, ally, to))
    if shared:
        yield Reason("ally-stands-there", cite("7.3.a R-F14"), (("zone", a.to),))
    yield from too_many(g, side, to, len({*gfs_in(g, p, side, to), *gfs}), "zone-full")
    plan = _plan(g, p, a)
    yield from points.against(g, p, plan)
    if ground(g, p, side).foes >> start & 1:
        for gf, kinds in zip(plan.gfs, plan.kinds, strict=True):
            if SEA in kinds and p.landers >> gf & 1:
                yield Reason("landing-fights", cite("9.5.e R-F97"), (("gf", g.gfs.names[gf]), ("zone", a.start)))
    after = arrived(g, p, gfs, to)
    cut = [gf for gf in gfs if not supplied(g, after, gf)]
    if cut and not shared:
        foes = ground(g, p, side).foes
        free = foes >> start & 1 and not foes >> to & 1
        cites = cite("9.4.c R-F35", "6.2 R-F34") if free else cite("6.2 R-F35")
        yield Reason("no-supply-there", cites, (("gf", g.gfs.names[cut[0]]), ("zone", a.to)))
    elif side == AXIS and takes_a_place(g, p, after, gfs):
        yield Reason("place-is-held", cite("6.2 R-F33", "6.1.e"), (("zone", a.to),))


def arrived(g: Setting, p: Pos, gfs: list[int], to: int) -> Pos:
    """The position after the whole move, control settled (R-F25, R-F35)."""
    for gf in gfs:
        p = put_gf(g, p, gf, to)
    return settle_control(g, p)


def carry_move(g: Setting, p: Pos, declared: Declared, stopped: tuple[int, ...]) -> Pos:
    """What was not stopped arrives; an Axis formation that leaves a port zone may leave a pocket (12.4)."""
    gfs = [gf for gf in declared.plan.gfs if gf not in stopped]
    p = arrived(g, p, gfs, declared.plan.zone)
    return leave_behind(g, p, gfs, declared.start) if g.gfs.side[gfs[0]] == AXIS else p


def _moves(g: Setting, p: Pos, side: int, by: str) -> Iterator[Move]:
    """Every set of formations of one zone to every zone next to it."""
    for zone in range(g.land.size):
        here = gfs_in(g, p, side, zone)
        for count in range(1, len(here) + 1):
            for gfs in combinations(here, count):
                names = tuple(sorted(g.gfs.ids[gf] for gf in gfs))
                yield from (Move(by, names, g.land.name(zone), g.land.name(to)) for to in members(g.land.near[zone]))
