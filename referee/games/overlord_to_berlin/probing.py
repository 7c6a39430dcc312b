"""What nobody would play: tries next to the lawful, most of them refused, so that every check is met from the other side too.

A probe is only checked, never played. It counts for a paragraph when one check alone stands against it, so probes change one
thing about something lawful: another hand, a zone too far, a formation too many. Pure: dice come from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from referee.games.overlord_to_berlin.actions import (
    KIND_WORDS,
    Ask,
    Attack,
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
from referee.games.overlord_to_berlin.aiming import aimed
from referee.games.overlord_to_berlin.land import SIDES, WEST
from referee.games.overlord_to_berlin.position import Pos, members
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.units import gfs_in
from referee.rules.book import Book
from referee.rules.model import CHANCE, Action, Done, Roll

T = TypeVar("T")


class Dice(Protocol):
    """The part of ``random.Random`` that probes use."""

    def random(self) -> float: ...
    def choice(self, seq: Sequence[T], /) -> T: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...
    def randrange(self, start: int, stop: int, /) -> int: ...


def probes(book: Book[Pos], p: Pos, dice: Dice, plan: str) -> Iterator[Action]:
    """Tries around this position."""
    game: Any = book.game
    probe = _Probe(book, game.setting, p, dice)
    if not p.frame.by:
        yield Done(SIDES[WEST])
        return
    yield from probe.own_kind()
    if dice.random() < 0.4:
        yield from aimed(probe.g, p, probe.by, dice)
    if dice.random() < 0.25:
        yield from probe.bent()
    if dice.random() < 0.15:
        yield probe.anything()
    if dice.random() < 0.15:
        yield from probe.cards()
    if dice.random() < 0.5:
        yield Done(probe.by)


class _Probe:
    """One position being tried."""

    def __init__(self, book: Book[Pos], g: Setting, p: Pos, dice: Dice) -> None:
        self.book = book
        self.g = g
        self.p = p
        self.dice = dice
        self.by = p.frame.by[0] if p.frame.by and p.frame.by[0] != CHANCE else SIDES[dice.randrange(0, 3)]
        self.side = g.side(self.by)
        self.zones = g.land.places.names[: g.land.size]

    def unit(self) -> str:
        """Mostly one of the side's own."""
        own = list(members(self.g.units.of_side[self.side])) if self.dice.random() < 0.9 else range(len(self.g.units.ids))
        return self.g.units.ids[self.dice.choice(own)]

    def gf(self) -> str:
        """Mostly one of the side's own on the map."""
        own = [gf for gf in members(self.g.gfs.of_side[self.side]) if self.g.on_map(self.p, gf) or self.dice.random() < 0.3]
        if not own or self.dice.random() < 0.05:
            return self.dice.choice(self.g.gfs.ids)
        return self.g.gfs.ids[self.dice.choice(own)]

    def zone(self) -> str:
        """Any zone."""
        return self.dice.choice(self.zones)

    def near(self, gf: str) -> str:
        """A zone next to the formation's, mostly."""
        at = self.p.gf_at[self.g.gfs.index[gf]]
        if at >= self.g.land.size or self.dice.random() < 0.1:
            return self.zone()
        return self.zones[self.dice.choice(list(members(self.g.land.near[at])))]

    def card(self) -> str:
        """Mostly one of the hand."""
        hand = list(members(self.p.sealed[self.side].hand))
        return self.g.cards.ids[self.dice.choice(hand)] if hand and self.dice.random() < 0.6 else self.dice.choice(self.g.cards.ids)

    def where(self, gf: str) -> str:
        """The zone of a formation."""
        at = self.p.gf_at[self.g.gfs.index[gf]]
        return self.zones[at] if at < self.g.land.size else self.zone()

    def kinds(self, count: int) -> tuple[str, ...]:
        """PA named by hand, or none named."""
        return tuple(self.dice.choice(KIND_WORDS) for _ in range(count)) if self.dice.random() < 0.5 else ()

    def own_kind(self) -> Iterator[Action]:
        """Tries of the sort that the step is about."""
        makers = _MAKERS.get(self.p.frame.step, ())
        for make in makers:
            if len(makers) == 1 or self.dice.random() < 0.6:
                yield make(self)

    def bent(self) -> Iterator[Action]:
        """Something lawful with one thing changed."""
        found = list(islice(self.book.legal(self.p), 60))
        if not found:
            return
        a = self.dice.choice(found)
        if self.dice.random() < 0.3:
            yield replace(a, by=self.dice.choice([side for side in SIDES if side != a.by]))
        if isinstance(a, Roll | Done):
            if isinstance(a, Roll):
                yield Roll(CHANCE, a.key, (*a.faces, 7) if self.dice.random() < 0.5 else (0,) * len(a.faces))
            return
        changes: list[tuple[str, object]] = []
        if hasattr(a, "unit"):
            changes.append(("unit", self.unit()))
        if hasattr(a, "gf"):
            changes.append(("gf", self.gf()))
        if isinstance(a, Move | Attack | Land):
            changes.append(("gfs", tuple(sorted({*a.gfs, self.gf()}))[:2]))
        if isinstance(a, Move | Place | Retreat | Land | Sail):
            changes.append(("to", self.zone()))
        if isinstance(a, Attack):
            changes.append(("supporters", tuple(sorted({*a.supporters, self.gf()}))))
        if isinstance(a, Move | Attack):
            changes.append(("kinds", self.kinds(self.dice.randrange(1, 3))))
        if changes:
            yield replace(a, **dict([self.dice.choice(changes)]))

    def anything(self) -> Action:
        """An action of any step."""
        makers = _MAKERS[self.dice.choice(tuple(step for step in _MAKERS if step != "draw"))]
        return self.dice.choice(makers)(self)

    def cards(self) -> Iterator[Action]:
        """A card at the wrong moment, on the wrong thing, or of somebody else."""
        target = self.dice.choice((self.gf(), self.zone(), ""))
        yield Play(self.by, self.card(), target)
        yield Play(self.by, self.card(), self.gf())
        yield Lend(SIDES[WEST] if self.dice.random() < 0.8 else self.by, self.dice.choice(self.g.cards.ids))
        yield Reroll(self.by, self.card(), self.dice.randrange(1, 4))
        yield Supply(self.by, self.gf(), self.zones[self.dice.choice(self.g.land.baltic)] if self.dice.random() < 0.9 else self.zone())

    def move(self) -> Action:
        """One formation, or two of one zone, mostly to the next zone."""
        gf = self.gf()
        start = self.where(gf)
        gfs = {gf}
        here = gfs_in(self.g, self.p, self.side, self.g.land.zone(start))
        if len(here) > 1 and self.dice.random() < 0.4:
            gfs.add(self.g.gfs.ids[self.dice.choice(here)])
        return Move(self.by, tuple(sorted(gfs)), start, self.near(gf), self.kinds(self.dice.randrange(1, 3)))

    def attack(self) -> Action:
        """In the zone of a formation, mostly one with enemies."""
        contested = [
            gf
            for gf in members(self.g.gfs.of_side[self.side])
            if self.g.on_map(self.p, gf)
            and any(
                other != gf and self.p.gf_at[other] == self.p.gf_at[gf] and self.g.gfs.side[other] != self.side
                for other in range(len(self.g.gfs.ids))
            )
        ]
        gf = self.g.gfs.ids[self.dice.choice(contested)] if contested and self.dice.random() < 0.9 else self.gf()
        zone = self.where(gf)
        here = [self.g.gfs.ids[x] for x in gfs_in(self.g, self.p, self.side, self.g.land.zone(zone))]
        helpers = self.dice.sample(here, min(len(here), self.dice.randrange(0, 3)))
        gfs = {gf, *(self.dice.sample(here, 1) if here and self.dice.random() < 0.15 else ())}
        helped = tuple(sorted({*helpers} - gfs)) if self.dice.random() < 0.9 else tuple(sorted(helpers))
        return Attack(self.by, tuple(sorted(gfs)), zone, helped, self.kinds(1))


def _sides_unit(make: Callable[..., Action], *more: Callable[[_Probe], object]) -> Callable[[_Probe], Action]:
    return lambda x: make(x.by, x.unit(), *(m(x) for m in more))


def _track(x: _Probe) -> str:
    return x.dice.choice(("england", "italy")) if (x.side == WEST) == (x.dice.random() < 0.9) else x.dice.choice(("", "axis", "soviet"))


def _state(x: _Probe) -> str:
    return x.dice.choice(("full", "reduced"))


def _none(x: _Probe) -> str:
    return "" if x.dice.random() < 0.95 else "italy"


_FILL = _sides_unit(Fill, _Probe.gf)
_RESTORE = _sides_unit(Restore, _track)
_REBUILD = _sides_unit(Rebuild, _state, _track)
_FREE_RESTORE = _sides_unit(Restore, _none)
_FREE_REBUILD = _sides_unit(Rebuild, _state, _none)
_EXCHANGE = _sides_unit(Exchange, _Probe.gf)
_WITHDRAW = _sides_unit(Withdraw)


def _land_or_sail(x: _Probe) -> Action:
    gfs = {x.gf(), *((x.gf(),) if x.dice.random() < 0.4 else ())}
    coasts = [x.zones[zone] for zone in range(x.g.land.size) if x.g.land.landing[zone]] if x.dice.random() < 0.9 else list(x.zones)
    ports = [x.zones[zone] for zone in members(x.g.land.ports)]
    return Land(x.by, tuple(sorted(gfs)), x.dice.choice(coasts)) if x.dice.random() < 0.5 else Sail(x.by, x.gf(), x.dice.choice(ports))


def _on_gf(x: _Probe) -> Action:
    return Play(x.by, x.card(), x.gf() if x.dice.random() < 0.6 else x.zone())


def _declared(x: _Probe) -> Action:
    """A cancelling card of an enemy on what was declared, or on anything."""
    by = SIDES[x.dice.randrange(0, 3)]
    hand = list(members(x.p.sealed[x.g.side(by)].hand))
    card = x.g.cards.ids[x.dice.choice(hand)] if hand and x.dice.random() < 0.6 else x.dice.choice(x.g.cards.ids)
    gfs: Any = x.p.frame.data[1] if x.p.frame.step == "cancel" else ()
    gf = x.g.gfs.ids[x.dice.choice(gfs)] if gfs and x.dice.random() < 0.8 else x.gf()
    return Play(by, card, gf)


def _rethrow(x: _Probe) -> Action:
    by = SIDES[x.dice.randrange(0, 3)]
    hand = list(members(x.p.sealed[x.g.side(by)].hand))
    card = x.g.cards.ids[x.dice.choice(hand)] if hand and x.dice.random() < 0.6 else x.dice.choice(x.g.cards.ids)
    return Reroll(by, card, x.dice.randrange(1, 4))


def _back(x: _Probe) -> Action:
    gf = x.gf()
    return Retreat(x.by, gf, x.near(gf))


def _drawn(x: _Probe) -> Action:
    """As many cards as are wanted, one of them of another pool or out of it."""
    data: Any = x.p.frame.data
    side, count, operational = data
    kind = x.g.cards.operational if operational else x.g.cards.national[side]
    out = x.p.used_cards | x.p.sealed[0].hand | x.p.sealed[1].hand | x.p.sealed[2].hand
    there = list(members(kind & ~out))
    wrong = [card for card in range(len(x.g.cards.ids)) if card not in there and (x.dice.random() < 0.3 or kind >> card & 1)]
    cards = x.dice.sample(there, min(count, len(there)))
    cards[:1] = [x.dice.choice(wrong or [card for card in range(len(x.g.cards.ids)) if card not in there])]
    return Draw(CHANCE, SIDES[side], tuple(sorted(x.g.cards.ids[card] for card in cards)))


_MAKERS: dict[str, tuple[Callable[[_Probe], Action], ...]] = {
    "draw": (_drawn,),
    "finland": (_sides_unit(Remove),),
    "manchuria": (_sides_unit(Remove),),
    "bombard": (lambda x: Play(x.by, x.card(), "" if x.dice.random() < 0.8 else x.zone()),),
    "pile": (_sides_unit(Return), _sides_unit(ToBox)),
    "levy": (_sides_unit(Levy),),
    "spend": (_RESTORE, _REBUILD),
    "liberation": (_FREE_RESTORE,),
    "combine": (_EXCHANGE, lambda x: Recall(x.by, x.gf())),
    "strategic": (_FILL, _WITHDRAW, lambda x: Place(x.by, x.gf(), x.zone()), lambda x: Recall(x.by, x.gf())),
    "transfers": (_sides_unit(Transfer, _Probe.gf), _on_gf, lambda x: Recall(x.by, x.gf()), _sides_unit(Pocket)),
    "operations": (_Probe.move, _Probe.attack, _land_or_sail, _on_gf, lambda x: TurnOver(x.by, x.gf()), _FILL, _WITHDRAW),
    "leave-behind": (_sides_unit(Pocket),),
    "cancel": (_declared,),
    "reroll": (_rethrow,),
    "stratagems": (lambda x: Lay(x.by, x.card()), _sides_unit(Drop)),
    "loss": (_sides_unit(Lose),),
    "ask": (lambda x: Ask(x.by, x.gf()),),
    "retreat": (_back,),
    "redistribute": (_EXCHANGE, lambda x: Recall(x.by, x.gf())),
    "propaganda": (_FREE_RESTORE, _FREE_REBUILD),
    "mystification": (_FILL,),
    "offensive": (_FREE_RESTORE, _FREE_REBUILD, _Probe.attack),
}
"""Step -> tries of its own kind."""
