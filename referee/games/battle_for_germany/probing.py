"""What nobody would play: tries next to the lawful, most of them refused, so that every check is met from the other side too.

A probe is only checked, never played. It counts for a paragraph when one check alone stands against it, so probes change one
thing about something lawful: another hand, a hex too far, a unit too many. Pure: dice come from outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Protocol, TypeVar

from msgspec.structs import replace

from referee.games.battle_for_germany.actions import (
    Advance,
    Attack,
    Evacuate,
    Exit,
    Join,
    Lose,
    Move,
    PutAshore,
    Replace,
    Retreat,
    SetUp,
    Take,
    Target,
)
from referee.games.battle_for_germany.position import FORCES, S, W, board, units_in
from referee.games.battle_for_germany.replacements import weakest as weakest_of
from referee.games.battle_for_germany.retreat import RetreatStep
from referee.games.battle_for_germany.setting import HOME_LINE, Setting, german
from referee.games.battle_for_germany.state import Pos
from referee.rules.book import Book
from referee.rules.model import CHANCE, Action, Done, Roll

T = TypeVar("T")


class Dice(Protocol):
    """The part of ``random.Random`` that probes use."""

    def random(self) -> float: ...
    def choice(self, seq: Sequence[T], /) -> T: ...
    def randrange(self, start: int, stop: int, /) -> int: ...


def probes(book: Book[Pos], p: Pos, dice: Dice, plan: str) -> Iterator[Action]:
    """Tries around this position; more of them where a plan's scene is about to show something."""
    setting = getattr(book.game, "setting", None)
    assert isinstance(setting, Setting)
    probe = _Probe(book, setting, p, dice)
    step = p.frame.step
    if step in ("movement", "second-movement"):
        yield from probe.movement()
    elif step in ("combat", "second-combat"):
        yield from probe.combat()
    elif step == "replacement":
        yield from probe.replacement()
    elif step == "retreat":
        yield from probe.retreat()
    elif step == "advance":
        yield from probe.advance()
    elif step == "declare":
        yield from probe.declare()
    else:
        yield from probe.answer()
    if dice.random() < 0.1:
        yield from probe.other_hand()
    if step not in ("movement", "combat", "replacement") or dice.random() < 0.1:
        yield Done(probe.by)


class _Probe:
    """One position being tried."""

    def __init__(self, book: Book[Pos], g: Setting, p: Pos, dice: Dice) -> None:
        self.book = book
        self.g = g
        self.p = p
        self.dice = dice
        self.by = p.frame.by[0] if p.frame.by else g.owner(S)
        self.ids = g.roster.ids
        self.names = g.land.names
        self.occ = board(p, g.land).occ
        self.force = g.phase(p).force if p.phase >= 0 else -1

    def own(self) -> list[int]:
        """The units of the phase on the map."""
        size = self.g.land.size
        return [u for u, node in enumerate(self.p.at) if node < size and self.p.force[u] == self.force]

    def other_hand(self) -> Iterator[Action]:
        """Something lawful, by somebody else."""
        players = sorted({*self.g.terms.owners, CHANCE} - {self.by})
        for action in islice(self.book.legal(self.p), 1):
            yield replace(action, by=self.dice.choice(players))

    def movement(self) -> Iterator[Action]:
        p, dice, land = self.p, self.dice, self.g.land
        own = self.own()
        if not own:
            return
        unit = dice.choice(own)
        if dice.random() < 0.1:
            unit = dice.randrange(0, len(self.ids))
        here = p.at[unit]
        if here >= land.size:
            place = self.names[here] if dice.random() < 0.5 else self.names[p.at[dice.choice(own)]]
            yield Move(self.by, self.ids[unit], place, self.names[dice.choice(land.beside_berlin)])
            return
        yield from self.walks(unit)
        across = [u for u in own if not self.g.wards(p, self.force, u)[p.at[u]] & HOME_LINE and not p.moved >> u & 1]
        if across:  # the boundary (5.2.2.p2): anywhere but home
            u = dice.choice(across)
            yield Move(self.by, self.ids[u], self.names[p.at[u]], self.names[dice.choice(land.touching[p.at[u]])])
        for held in (p.moved, p.locked, p.garrison):
            if held and dice.random() < 0.25:
                u = dice.choice(units_in(held))
                if p.at[u] < land.size:
                    yield Move(self.by, self.ids[u], self.names[p.at[u]], self.names[dice.choice(land.touching[p.at[u]])])
        yield from self.departures(unit)
        if dice.random() < 0.02:  # somewhere far, without a way: the referee looks for one
            yield Move(self.by, self.ids[unit], self.names[here], self.names[dice.randrange(0, land.size)])
            yield Move(self.by, self.ids[unit], self.names[dice.choice(land.touching[here])], self.names[dice.choice(land.touching[here])])
        if self.crowds():
            yield Done(self.by)
        if dice.random() < 0.05:
            yield from self.wrong_phase(unit)

    def crowds(self) -> bool:
        """Some hex of the force holds more than it may at the end."""
        front = self.g.roster.front
        return any(
            len(us) > 2 or (len(us) > 1 and sum(front >> u & 1 for u in us) > 1)
            for us in self.occ.values()
            if self.p.force[us[0]] == self.force
        )

    def walks(self, unit: int) -> Iterator[Action]:
        """A step or some in any direction, named hex by hex; displaced units and those beside a border more often."""
        land, dice = self.g.land, self.dice
        here = self.p.at[unit]
        way = [here]
        for _ in range(dice.choice((1, 2, 2, 3, 4))):
            way.append(dice.choice(land.touching[way[-1]]))
        yield Move(self.by, self.ids[unit], self.names[here], self.names[way[-1]], tuple(self.names[n] for n in way[1:-1]))
        if dice.random() < 0.05:  # a step left out
            far = dice.choice(land.touching[dice.choice(land.touching[way[-1]])])
            yield Move(self.by, self.ids[unit], self.names[here], self.names[far], (self.names[way[1]],))

    def departures(self, unit: int) -> Iterator[Action]:
        """Off the map and over the sea, from where one may and from where one may not."""
        g, dice, land = self.g, self.dice, self.g.land
        here = self.p.at[unit]
        name = self.names[here]
        edge = name[:2] == "01" or name[2:] in ("01", "26")
        if edge or dice.random() < 0.01:
            yield Exit(self.by, self.ids[unit], name, name)
        near = dice.choice(land.touching[here])
        if any(table[near] for table in land.exits):
            yield Exit(self.by, self.ids[unit], name, self.names[near])
        if here in land.courland or dice.random() < 0.01:
            yield Evacuate(self.by, self.ids[unit])
        rim = [u for u in self.own() if self.names[self.p.at[u]][:2] == "01" or self.names[self.p.at[u]][2:] in ("01", "26")]
        if rim and german(self.force) and dice.random() < 0.5:
            u = dice.choice(rim)
            yield Exit(self.by, self.ids[u], self.names[self.p.at[u]], self.names[self.p.at[u]])
        if self.p.turn >= g.terms.first_evacuation and self.p.phase >= 0 and dice.random() < 0.3:
            ports = [u for n in sorted(land.courland) for u in self.occ.get(n, ())]
            if ports:
                yield Evacuate(self.by, self.ids[dice.choice(ports)])

    def wrong_phase(self, unit: int) -> Iterator[Action]:
        """What belongs to another phase, or to no phase at all."""
        land, dice = self.g.land, self.dice
        here = self.p.at[unit]
        name = self.ids[unit]
        close = self.names[dice.choice(land.touching[here])] if here < land.size else self.names[land.berlin]
        place = self.names[here] if here < land.size else close
        yield dice.choice(
            (
                Move(self.by, name, place, close),
                Attack(self.by, (name,), (close,)),
                Target(self.by, close),
                Replace(self.by, name, close),
                Take(self.by, name),
                Retreat(self.by, name, close),
                Advance(self.by, name, close),
                Lose(self.by, name),
                PutAshore(self.by, self.names[land.ports[0]]),
                SetUp(self.by, name, self.names[min(land.courland)]),
            )
        )

    def combat(self) -> Iterator[Action]:
        p, dice, land = self.p, self.dice, self.g.land
        own = self.own()
        if not own:
            return
        unit = dice.choice(own)
        mates = [u for u in own if u != unit and land.distance(p.at[u], p.at[unit]) <= 1]
        close = [n for n in land.touching[p.at[unit]] if n in self.occ]
        if close:
            target = dice.choice(close)
            yield Attack(self.by, (self.ids[unit],), (self.names[target],))
            friends = sorted({unit, *([dice.choice(mates)] if mates else [])})
            yield Attack(self.by, self.sorted_ids(friends), (self.names[target],))
            if len(close) > 1:
                yield Attack(self.by, self.sorted_ids(friends), tuple(sorted(self.names[n] for n in close[:2])))
            if len(self.occ[target]) > 1:  # one unit of a stack alone (6.3.d1)
                yield Attack(self.by, self.sorted_ids(friends), (self.ids[dice.choice(self.occ[target])],))
        for u in own:  # the Ally, or the other Germans, next door
            for n in land.near[p.at[u]]:
                if n in self.occ and p.force[self.occ[n][0]] not in (self.force, *self.enemies()) and dice.random() < 0.15:
                    yield Attack(self.by, (self.ids[u],), (self.names[n],))
                    yield Target(self.by, self.names[n])
        used = [u for u in own if p.attacked >> u & 1]
        if used:
            u = dice.choice(used)
            for n in land.touching[p.at[u]]:
                if n in self.occ:
                    yield Attack(self.by, (self.ids[u],), (self.names[n],))
        far = dice.choice(sorted(self.occ))
        yield Attack(self.by, (self.ids[unit],), (self.names[far],))
        yield Attack(self.by, (self.ids[unit],), (self.names[dice.choice(land.touching[p.at[unit]])],))
        stranger = dice.randrange(0, len(self.ids))
        if p.at[stranger] < land.size:
            there = [n for n in land.near[p.at[stranger]] if n in self.occ]
            if there:
                yield Attack(self.by, (self.ids[stranger],), (self.names[dice.choice(there)],))
        if dice.random() < 0.2:
            yield from self.wrong_phase(unit)
        yield Done(self.by)

    def enemies(self) -> tuple[int, ...]:
        return tuple(f for f in range(len(FORCES)) if self.g.enemies(self.p, self.force) >> f & 1)

    def sorted_ids(self, units: Sequence[int]) -> tuple[str, ...]:
        return tuple(sorted(self.ids[u] for u in units))

    def declare(self) -> Iterator[Action]:
        p, dice, land = self.p, self.dice, self.g.land
        targets, joined = p.frame.data[:2]
        assert isinstance(targets, tuple) and isinstance(joined, tuple)
        own = self.own()
        beside = [u for u in own if any(land.distance(p.at[u], n) <= 2 for n in targets)]
        yield Join(self.by, self.ids[dice.choice(beside or own)])
        if joined:
            yield Join(self.by, self.ids[dice.choice(joined)])
        close = [n for t in targets for x in land.touching[t] for n in (x,) if n in self.occ and n not in targets]
        yield Target(self.by, self.names[dice.choice(close or sorted(self.occ))])
        if dice.random() < 0.2:
            yield from self.wrong_phase(dice.choice(own))

    def replacement(self) -> Iterator[Action]:
        p, dice, land = self.p, self.dice, self.g.land
        size = land.size
        boxed = [u for u, node in enumerate(p.at) if node >= size and p.force[u] == self.force]
        own = self.own()
        tables = (land.entry_soviet, land.entry_west, land.entry_italy)
        edge = [n for n in range(size) if any(t[n] for t in tables)]
        home = list(land.beside_berlin) if german(self.force) else [n for n in edge if land.entry_soviet[n]] if self.force == S else edge
        weakest = [u for u in boxed if self.g.roster.attack[u] == weakest_of(self.g, p, self.force)]
        for _ in range(3):
            if boxed:
                u = dice.choice(weakest if weakest and dice.random() < 0.6 else boxed)
                yield Replace(self.by, self.ids[u], self.names[dice.choice(home)])
                full = [n for n in home if n in self.occ]
                if full:
                    yield Replace(self.by, self.ids[u], self.names[dice.choice(full)])
                yield Replace(self.by, self.ids[u], self.names[dice.choice(edge if dice.random() < 0.5 else list(land.beside_berlin))])
                yield Replace(self.by, self.ids[u], self.names[dice.randrange(0, size)])
        others = [u for u, node in enumerate(p.at) if node >= size and p.force[u] != self.force]
        for pool in (own, others):
            if pool:
                yield Replace(self.by, self.ids[dice.choice(pool)], self.names[dice.choice(home)])
        if own and dice.random() < 0.2:
            yield from self.wrong_phase(dice.choice(own))

    def retreat(self) -> Iterator[Action]:
        p, dice, land = self.p, self.dice, self.g.land
        pending = RetreatStep.pending(p)
        for u in pending:
            for node in land.touching[p.at[u]]:
                yield Retreat(self.by, self.ids[u], self.names[node])
            comrades = [v for v in self.occ[p.at[u]] if p.garrison >> v & 1]
            for v in comrades:
                yield from (Retreat(self.by, self.ids[v], self.names[n]) for n in land.near[p.at[v]])
        u = dice.choice(pending)
        beside = [v for n in land.touching[p.at[u]] for v in self.occ.get(n, ())]
        if beside:
            v = dice.choice(beside)
            yield Retreat(self.by, self.ids[v], self.names[dice.choice(land.touching[p.at[v]])])
        if dice.random() < 0.3:
            yield from self.wrong_phase(dice.choice(pending))

    def advance(self) -> Iterator[Action]:
        p, dice, land = self.p, self.dice, self.g.land
        victors, hexes = p.frame.data[0], p.frame.data[1]
        assert isinstance(victors, tuple) and isinstance(hexes, tuple)
        for u in victors:
            for node in hexes:
                yield Advance(self.by, self.ids[u], self.names[node])
            if p.at[u] < land.size:
                yield Advance(self.by, self.ids[u], self.names[dice.choice(land.touching[p.at[u]])])
        for node in hexes:
            bystanders = [u for n in land.touching[node] for u in self.occ.get(n, ()) if u not in victors]
            if bystanders:
                yield Advance(self.by, self.ids[dice.choice(bystanders)], self.names[node])
        if dice.random() < 0.3:
            yield from self.wrong_phase(victors[0])

    def answer(self) -> Iterator[Action]:
        """Around the steps that ask for one thing: a die, a loss, a port, a unit to take along, a unit to set up."""
        p, dice, land = self.p, self.dice, self.g.land
        step = p.frame.step
        unit = dice.randrange(0, len(self.ids))
        if p.frame.by == (CHANCE,):
            key = "combat" if step == "combat-roll" else step
            yield Roll(CHANCE, key, (dice.choice((0, 7, 9)),))
            yield Roll(CHANCE, "evacuation" if key == "combat" else "combat", (3,))
            yield Roll(CHANCE, key, (2, 5))
        elif step == "take":
            for _ in range(2):
                yield Take(self.by, self.ids[dice.randrange(0, len(self.ids))])
            foes = [u for u, node in enumerate(p.at) if node < land.size and p.force[u] in (S, W)]
            if foes:
                yield Take(self.by, self.ids[dice.choice(foes)])
        elif step == "lose":
            yield Lose(self.by, self.ids[unit])
        elif step == "landing":
            yield PutAshore(self.by, self.names[dice.randrange(0, land.size)])
            for node in land.ports:
                yield PutAshore(self.by, self.names[node])
        elif step == "set-up":
            waiting = [u for u, node in enumerate(p.at) if node == land.unplaced]
            for node in (*sorted(land.courland), dice.randrange(0, land.size)):
                yield SetUp(self.by, self.ids[dice.choice(waiting)], self.names[node])
            yield SetUp(self.by, self.ids[unit], self.names[min(land.courland)])
        if dice.random() < 0.3 or step == "over":
            yield from self.wrong_phase(unit)
