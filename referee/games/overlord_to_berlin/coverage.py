"""Which paragraphs' checks looked at a legal action and bit: for the table of self-play, never for rulings.

A check bites where the position could have made it refuse: a second formation in the zone for stacking, an enemy near for supply, a
card in the hand for the card's own check, a display with a unit too many in reach for capacity. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from referee.games.overlord_to_berlin import attack, operations, points
from referee.games.overlord_to_berlin.actions import (
    Ask,
    Attack,
    Disband,
    Draw,
    Drop,
    Exchange,
    Fill,
    Land,
    Lay,
    Lend,
    Levy,
    Lose,
    Move,
    Place,
    Play,
    Pocket,
    Rebuild,
    Recall,
    Remove,
    Reroll,
    Restore,
    Retreat,
    Return,
    Sail,
    Supply,
    ToBox,
    Transfer,
    TurnOver,
    Withdraw,
)
from referee.games.overlord_to_berlin.duties_of_events import effect
from referee.games.overlord_to_berlin.land import AXIS, SOVIET, WEST
from referee.games.overlord_to_berlin.position import BOUGHT, CARD, FREE, SEA, Pos
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.stratagems import CANCEL, EXTRA_PA, FREE_ATTACK, RETHROW, paragraph
from referee.games.overlord_to_berlin.supply import ground
from referee.games.overlord_to_berlin.units import gfs_in, units_in
from referee.rules.book import Book
from referee.rules.model import Action, Done

_EVENTS = {
    "pr_only_commonwealth": "PE.West.5",
    "pr_only_us_fr": "PE.West.10",
    "pr_majority_black": "PE.Soviet.5.a",
    "pr_majority_red": "PE.Soviet.9-10.a",
    "reserve_half_red": "PE.Axis.5",
    "reserve_half_black": "PE.Axis.9",
    "reserve_fill_blue": "PE.Axis.10",
}


def examiner(book: Book[Pos]) -> Callable[[Pos, Action], Iterable[str]]:
    """(position, legal action) -> the paragraphs, each once."""
    game: Any = book.game
    examined = _Examined(game.setting)

    def look(p: Pos, a: Action) -> Iterable[str]:
        return tuple(dict.fromkeys(examined.look(p, a)))

    return look


class _Examined:
    """One book's examiner."""

    def __init__(self, g: Setting) -> None:
        self.g = g
        self.chapters: dict[type[Action], Callable[[Pos, Any], Iterator[str]]] = {
            Draw: self._draw,
            Remove: lambda p, a: iter(("PE.Soviet.2.a" if p.frame.step == "finland" else "PE.Soviet.12.a",)),
            Disband: lambda p, a: iter(("PE.Soviet.12.a",)),
            Play: self._play,
            Reroll: lambda p, a: iter(("11.4", *self._described(a.card, RETHROW))),
            Lend: lambda p, a: iter(("11.9", "11.4")),
            Lay: lambda p, a: iter(("10.2.b", "11.1.c", "11.4")),
            Drop: self._drop,
            Return: lambda p, a: iter(("4.5.a", "4.5.c", "4.5.j")),
            ToBox: lambda p, a: iter(("4.5.a", "4.5.e", "4.5.c")),
            Levy: lambda p, a: iter(("4.4.a", "4.4.b")),
            Restore: self._steps,
            Rebuild: self._steps,
            Exchange: self._exchange,
            Fill: self._fill,
            Withdraw: lambda p, a: iter(("9.2.b", "9.7.b" if p.frame.step == "operations" else "9.2.b")),
            Place: self._place,
            Transfer: self._transfer,
            Supply: lambda p, a: iter(("6.1.e",)),
            Move: self._move,
            Land: self._land,
            Sail: self._sail,
            Attack: self._attack,
            TurnOver: lambda p, a: iter(("8.3",)),
            Pocket: lambda p, a: iter(("12.4.b" if p.frame.step == "transfers" else "12.4.a",)),
            Lose: self._lose,
            Ask: lambda p, a: iter(("10.8.a", "10.6.a", "10.6.b")),
            Retreat: self._retreat,
            Recall: lambda p, a: iter(("7.2.b" if p.frame.step == "redistribute" else "9.2.b", "7.2.d")),
            Done: self._done,
        }

    def look(self, p: Pos, a: Action) -> Iterator[str]:
        """The paragraphs of one action."""
        chapter = self.chapters.get(type(a))
        if chapter is None:
            return
        yield from chapter(p, a)
        if p.frame.step in ("combine", "strategic", "transfers", "operations", "leave-behind"):
            yield "1.f"

    def _side(self, a: Action) -> int:
        return self.g.side(a.by)

    def _draw(self, p: Pos, a: Draw) -> Iterator[str]:
        yield "11.1.a"
        if any(p.sealed[side].hand for side in (WEST, SOVIET, AXIS)) or p.used_cards:  # cards are out: some could not be drawn
            yield "11.2.a"

    def _play(self, p: Pos, a: Play) -> Iterator[str]:
        yield "11.4"
        what = self.g.cards.effect[self.g.cards.index[a.card]]
        if p.frame.step == "cancel":
            yield from self._described(a.card, CANCEL)
        else:
            yield from {
                "free_attack_16_20": ("11.1.b", *self._described(a.card, FREE_ATTACK)),
                "free_combat_pa_plus_2_armor_steps_plus_1": ("11.1.b", "11.5.d"),
                "extra_pa": ("8.2.h", "11.1.b", *self._described(a.card, EXTRA_PA)),
                "cancel_pa_or_extra_pa": ("8.2.h", "11.1.b", *self._described(a.card, EXTRA_PA)),
                "rebuild_two_steps_to_reserve": ("11.5.l", "11.5.k"),
                "reserve_to_displays": ("11.5.k", "11.5.l"),
            }.get(what, ())
        if p.frame.step == "bombard":
            yield from ("5.3.e", "11.1.b")
        elif p.frame.step == "transfers":
            yield "11.6.b"

    def _described(self, card: str, like: str) -> tuple[str, str]:
        return paragraph(self.g, self.g.cards.index[card]), like

    def _drop(self, p: Pos, a: Drop) -> Iterator[str]:
        yield from ("12.3.a", "12.3.b")
        if p.returns or p.used_corps:
            yield "12.3.d"

    def _steps(self, p: Pos, a: Restore | Rebuild) -> Iterator[str]:
        step = p.frame.step
        if step == "propaganda":
            yield "11.5.l"
        elif step == "offensive":
            yield "11.5.f"
            if isinstance(a, Rebuild):
                yield "7.2.d"
        elif step == "liberation":
            yield from ("12.1.h", "12.1.i")
        else:
            yield from ("4.1", "5.7.a", "12.1.b", "4.3.a" if isinstance(a, Rebuild) else "4.2")
            if self._side(a) == WEST:
                yield from ("5.4.k", "5.4.h")
            yield from self._event(p, self._side(a))

    def _event(self, p: Pos, side: int) -> Iterator[str]:
        word = effect(self.g, p, side)
        if word in _EVENTS:
            yield _EVENTS[word]
        elif word == "must_attack_croatia":
            yield from ("PE.West.9.a", "PE.West.9.b", "PE.West.9.c")

    def _exchange(self, p: Pos, a: Exchange) -> Iterator[str]:
        yield from ("7.2.a", "7.2.b") if p.frame.step == "redistribute" else ("7.4", "7.2.c")

    def _fill(self, p: Pos, a: Fill) -> Iterator[str]:
        if p.frame.step == "mystification":
            yield from ("11.5.k", "7.2.d")
            return
        yield "9.2.a"
        if p.sealed[self._side(a)].waiting:
            yield "9.2.c"
        if p.frame.step == "operations":
            yield "9.7.b"

    def _place(self, p: Pos, a: Place) -> Iterator[str]:
        yield from ("9.2.e", "9.2.f")
        if p.waiting & self.g.gfs.of_side[self._side(a)]:
            yield "9.2.c"

    def _transfer(self, p: Pos, a: Transfer) -> Iterator[str]:
        g = self.g
        unit = g.units.index[a.unit]
        if p.at[unit] < g.land.size:
            yield "12.4.b"
            return
        yield from ("7.4", "9.3.b")
        here = p.sealed[self._side(a)].at[unit] - g.land.places.display
        if p.gf_at[here] != p.gf_at[g.gfs.index[a.gf]]:
            yield from ("9.3.a", "9.3.c", "9.3.e")
            if g.units.guards >> unit & 1:
                yield "11.6.b"

    def _pa(self, p: Pos, plan: points.Plan) -> Iterator[str]:
        """8: the checks of the PA that are spent."""
        yield from ("8.1.b", "8.3")
        for gf, kinds in zip(plan.gfs, plan.kinds, strict=True):
            for kind in kinds:
                if kind == FREE:
                    yield "8.1.a"
                elif kind == CARD:
                    yield "8.2.h"
                elif kind == SEA:
                    yield from ("9.5.h", "9.7.f")
                elif kind.startswith(BOUGHT):
                    yield from ("8.1.c", "8.1.i", "5.7.c", "11.5.j", "9.5.h", "9.7.f")
                    if self.g.gfs.side[gf] == WEST:
                        yield "5.4.h"
                    yield from self._event(p, self.g.gfs.side[gf])

    def _stacking(self, p: Pos, side: int, zone: int, coming: int) -> Iterator[str]:
        if gfs_in(self.g, p, side, zone) or coming > 1:
            yield "7.1.c" if self.g.land.alps >> zone & 1 else "7.1.b" if side == WEST else "7.1.a"

    def _move(self, p: Pos, a: Move) -> Iterator[str]:
        g, side = self.g, self._side(a)
        start, to = g.land.zone(a.start), g.land.zone(a.to)
        yield "9.4.a"
        if len(a.gfs) > 1:
            yield "8.2.b"
        yield from self._stacking(p, side, to, len(a.gfs))
        ally = {WEST: SOVIET, SOVIET: WEST}.get(side)
        if ally is not None and any(gfs_in(g, p, ally, zone) for zone in range(g.land.size) if g.land.near[to] >> zone & 1):
            yield "7.3.a"
        gfs = tuple(g.gfs.index[name] for name in a.gfs)
        count = operations.pa_of_move(g, p, side, start, to)
        yield from self._pa(p, points.plan(g, p, gfs, count, a.kinds, purpose=points.MOVE, zone=to))
        here = ground(g, p, side)
        if here.foes & g.land.near[to]:
            yield "6.2"
        if here.foes >> start & 1 and not here.foes >> to & 1:
            yield "9.4.c"

    def _land(self, p: Pos, a: Land) -> Iterator[str]:
        yield from ("9.5.a", "9.5.b", "9.7.b", "8.1.a")
        if len(a.gfs) > 1:
            yield from ("9.5.c", "7.1.d")
        yield from self._event(p, WEST)

    def _sail(self, p: Pos, a: Sail) -> Iterator[str]:
        yield from ("9.7.a", "9.7.b", "8.1.a")
        yield from self._stacking(p, WEST, self.g.land.zone(a.to), 1)

    def _attack(self, p: Pos, a: Attack) -> Iterator[str]:
        g = self.g
        if p.frame.step == "offensive":
            yield from ("11.5.d", "11.5.e")
        yield "10.1.a"
        if a.supporters:
            yield from ("10.1.f", "10.12.a", "8.2.f")
        if len(a.gfs) > 1 or len(gfs_in(g, p, self._side(a), g.land.zone(a.zone))) > 1:
            yield from ("10.1.e", "9.5.f")
        plan = attack.planned(g, p, a)
        if any(SEA in kinds and p.landers >> gf & 1 for gf, kinds in zip(plan.gfs, plan.kinds, strict=True)):
            yield "9.5.e"
        yield from self._pa(p, plan)

    def _lose(self, p: Pos, a: Lose) -> Iterator[str]:
        g, c = self.g, p.combat
        assert c is not None
        yield from ("10.3.a", "10.2.e")
        who, again = p.frame.data
        if again != -1:
            yield "6.3.c"
        if who == 0 and c.elite[0] and not c.chosen and g.units.elite >> g.units.index[a.unit] & 1:
            yield from ("10.3.c", "10.9.b")

    def _retreat(self, p: Pos, a: Retreat) -> Iterator[str]:
        yield from ("10.6.a", "10.6.b", "6.2")
        if self._side(a) == AXIS and not p.fuhrer_dead:
            yield "10.8.a"

    def _done(self, p: Pos, a: Done) -> Iterator[str]:
        """Ended although something could have been owed."""
        g = self.g
        step = p.frame.step
        if a.by not in p.frame.by:
            return
        side = self._side(a)
        if step in ("combine", "strategic", "transfers", "redistribute"):
            own = [gf for gf in range(len(g.gfs.ids)) if g.gfs.side[gf] == side and g.on_map(p, gf)]
            if any(len(units_in(g, p, gf)) >= g.gfs.capacity[gf] for gf in own):
                yield "7.2.d"
            if step == "strategic":
                for gf in own:
                    if len(gfs_in(g, p, side, p.gf_at[gf])) >= g.stacking(side, p.gf_at[gf]):
                        yield from self._stacking(p, side, p.gf_at[gf], 1)
            if step == "redistribute":
                yield "7.2.b"
        if step in ("strategic", "operations", "spend"):
            yield from self._event(p, side)
        yield from {
            "finland": ("PE.Soviet.2.a",),
            "manchuria": ("PE.Soviet.12.a",),
            "ask": ("10.6.a",),
            "retreat": ("10.6.a",),
            "pile": ("4.5.c",),
            "liberation": ("12.1.h",),
        }.get(step, ())
