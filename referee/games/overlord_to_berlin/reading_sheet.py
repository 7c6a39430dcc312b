"""What every part of the reading shares: the position as read so far, the table, and the sheet that findings are written on."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from referee.games.overlord_to_berlin.actions import OWN
from referee.games.overlord_to_berlin.changes import put_gf, settle_control
from referee.games.overlord_to_berlin.game import OverlordToBerlin
from referee.games.overlord_to_berlin.land import AXIS, SIDES, SOVIET, WEST
from referee.games.overlord_to_berlin.position import Pos, alter, members, seal
from referee.games.overlord_to_berlin.reading_table import CARD, FLIP, GF, UNIT, Act, Facts, facts_of
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.showing import PLAYED, going, phase_name
from referee.games.overlord_to_berlin.stacking import emptied
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.units import is_reduced, place_of
from referee.rules.events import TableLog
from referee.rules.model import CHANCE, Action, Frame, Verdict
from referee.rules.reading import Court, Finding, Open, Ruled

_PIECE = re.compile(r"\b(?:ax|so|we)-[a-z0-9]+")
PLAYERS = ("allied", "allied", "axis")
"""Side -> the player who runs it (1)."""


def sides_at(seat: str) -> tuple[int, ...]:
    """The sides that a seat of the client plays; none for a referee, an observer, or who plays both."""
    low = seat.casefold()
    if "axis" in low:
        return (AXIS,)
    if "soviet" in low:
        return (SOVIET,)
    return (WEST,) if "west" in low else (WEST, SOVIET) if "allied" in low or "allies" in low else ()


def verb_of(a: Action) -> str:
    """The verb of an action's notation."""
    return str(a).split(" ", 2)[1]


def pieces_of(a: Action) -> tuple[str, ...]:
    """The counters and cards that an action names."""
    found: list[str] = []
    for name in ("unit", "gf", "card"):
        if value := getattr(a, name, ""):
            found.append(value)
    found += getattr(a, "gfs", ())
    found += getattr(a, "cards", ())
    return tuple(found)


class Sheet:
    """The state of one log's reading, and the findings so far."""

    def __init__(self, court: Court[Pos], game: OverlordToBerlin, log: TableLog) -> None:
        self.court = court
        self.book = court.book
        self.game = game
        self.g: Setting = game.setting
        self.log = log
        self.facts: Facts = facts_of(self.g, log.start)
        self.notes: list[str] = []
        self.whose_note: dict[str, str] = {}
        self.found: list[Finding] = []
        self.open: list[Open] = []
        self.record: list[Action] = []
        """Everything that was read, ends of steps and windows included: played from the log's start it leads to ``p``."""
        self.broken = False
        """Something was put right by hand on the way: the record does not lead to ``p`` any more."""
        self.turn = 0
        self.phase = 0
        """The step of the order of play that the tracker shows."""
        self.middle = False
        """The log begins in the middle of a game: what was before is known only as far as the table shows it."""
        self.tracks_used = False
        """Somebody has moved a marker of resource points."""

    # --------------------------------------------------------------------------------------------- findings

    def add(
        self,
        ruled: Ruled,
        kind: str,
        side: int,
        act: Act,
        *,
        action: Action | None = None,
        pieces: Iterable[str] = (),
        rules: tuple[str, ...] = (),
        message: str = "",
        instead: str = "",
        secret: bool = False,
    ) -> None:
        """One finding. ``secret``: it speaks of what only the side's player may see."""
        self.found.append(self._finding(ruled, kind, side, act, action, tuple(pieces), rules, message, instead, secret))

    def wait(self, ruled: Ruled, kind: str, side: int, act: Act, *, note: str = "", secret: bool = False) -> None:
        """Something that waits for the player of a side where the log ends; ``note``: how the audit of the whole log puts it."""
        self.open.append(Open(self._finding(ruled, kind, side, act, None, act.pieces, (), "", "", secret), self.named(note)))

    def note(self, text: str, side: int | None = None) -> None:
        """A note; ``side``: the only one that may read it."""
        self.notes.append(self.named(text))
        if side is not None and side >= 0:
            self.whose_note[self.notes[-1]] = SIDES[side]

    def _finding(
        self,
        ruled: Ruled,
        kind: str,
        side: int,
        act: Act,
        action: Action | None,
        pieces: tuple[str, ...],
        rules: tuple[str, ...],
        message: str,
        instead: str,
        secret: bool,
    ) -> Finding:
        seat = act.seat.casefold()
        other = PLAYERS[side] if side >= 0 else ""
        proxy = bool(seat) and ("axis" in seat) != (other == "axis") and seat not in ("solo", "referee")
        said = ruled.message or message
        shown = pieces or act.pieces
        hidden = secret or isinstance(action, OWN) or self._tells(side, said)
        return Finding(
            step=act.step,
            first=act.step,
            turn=self.turn,
            phase=phase_name(self.g.terms.phases[self.phase]),
            side=SIDES[side] if side >= 0 else "",
            kind=kind,
            verdict=ruled.verdict,
            notation="" if action is None else str(action),
            pieces=shown,
            frm=act.frm,
            to=act.to,
            rules=tuple(dict.fromkeys(ruled.rules or rules)),
            basis=tuple(dict.fromkeys(ruled.basis)),
            message=self.named(said),
            instead=self.named(instead),
            by_proxy=proxy,
            player=act.player,
            secret=SIDES[side] if hidden and side >= 0 else "",
        )

    def _tells(self, side: int, text: str) -> bool:
        """Whether a sentence names a unit that only its owner sees, or speaks of what is in a display."""
        inside = self.g.land.places.inside
        own = members(self.g.units.of_side[side]) if side >= 0 else ()
        return any(self.p.at[u] == inside and (self.g.units.names[u] in text or self.g.units.ids[u] in text) for u in own)

    def named(self, text: str) -> str:
        """A sentence with the counters called as the players see them."""
        return _PIECE.sub(lambda m: self.label(m.group()), text)

    def label(self, piece: str) -> str:
        """A unit, formation or card as the players see it; anything else as it is."""
        g = self.g
        if piece in g.units.index:
            return self.log.labels.get(piece) or g.units.names[g.units.index[piece]]
        if piece in g.gfs.index:
            return self.log.labels.get(piece) or g.gfs.names[g.gfs.index[piece]]
        return g.cards.names[g.cards.index[piece]] if piece in g.cards.index else piece

    def unclear(self, question: str, *rules: str) -> Ruled:
        """The log does not tell: one question."""
        return Ruled(Verdict.UNCLEAR, rules, (), question)

    def step_of(self, index: int) -> Phase:
        """A step of the order of play."""
        return self.g.terms.phases[index]

    # ---------------------------------------------------------------------------------------- the position

    p: Pos

    def side_of(self, act: Act) -> int:
        """Whose counters an act is about, -1 when nobody's."""
        g = self.g
        if act.piece in g.gfs.index:
            return g.gfs.side[g.gfs.index[act.piece]]
        if act.piece in g.units.index:
            return g.units.side[g.units.index[act.piece]]
        if act.kind == CARD:
            for place in (act.frm, act.to):
                for side, word in enumerate(SIDES):
                    if place == f"{word}-hand":
                        return side
            card = g.cards.index[act.piece]
            return next((side for side in range(3) if g.cards.national[side] >> card & 1), -1)
        return -1

    def place(self, name: str) -> int:
        """A place by its name, -1 for one that the game does not know."""
        return self.g.land.places.index.get(name, -1)

    def stands(self, act: Act, at: Pos | None = None) -> bool:
        """Whether the position has everything that an act is about as the act leaves it: somebody carried out what the rules do
        anyway, or what was read already. An empty formation goes home by itself, when the step or the combat ends (9.8)."""
        g, p = self.g, self.p if at is None else at
        if act.kind == GF:
            dragged = going(p)
            gfs = [g.gfs.index[name] for name in act.pieces]
            side = g.gfs.side[gfs[0]]
            leaving = emptied(g, p, side) if self.place(act.to) == g.reserve(side) and p.frame.step != "redistribute" else ()
            return all(gf in leaving or dragged.get(gf, p.gf_at[gf]) == self.place(act.to) for gf in gfs)
        if act.kind == UNIT:
            unit = g.units.index[act.piece]
            lies = g.land.places.names[place_of(g, p, unit)]
            return lies == act.to or (act.to.startswith("Turn ") and bool(g.units.paratroops >> unit & 1))
        if act.kind == FLIP:
            unit = g.units.index[act.piece]
            inside = p.at[unit] == g.land.places.inside or p.at[unit] < g.land.size
            return not inside or is_reduced(g, p, unit) == bool(act.value)
        if act.kind == CARD:
            return self._card_lies(p, g.cards.index[act.piece], act.to)
        return False

    def _card_lies(self, p: Pos, card: int, place: str) -> bool:
        g = self.g
        for side, own in enumerate(p.sealed):
            if own.hand >> card & 1:
                return place == f"{SIDES[side]}-hand"
        laid = p.used_cards | (0 if p.combat is None else p.combat.cards[0] | p.combat.cards[1])
        return not place.endswith("-hand") and (place != PLAYED or not (g.cards.operational & ~laid) >> card & 1)

    def put(self, act: Act) -> None:
        """The position takes over where an act leaves its counters, whatever the rules say."""
        g = self.g
        self.broken = True
        if act.kind == GF and self.place(act.to) >= 0:
            for name in act.pieces:
                self.p = put_gf(g, self.p, g.gfs.index[name], self.place(act.to))
            self.p = settle_control(g, self.p)
        elif act.kind == UNIT:
            self.p = self._unit_to(g.units.index[act.piece], act.to)
        elif act.kind == FLIP:
            self.p = self._face(g.units.index[act.piece], bool(act.value))
        elif act.kind == CARD:
            self.p = self._card_to(g.cards.index[act.piece], act.to)

    def _unit_to(self, unit: int, name: str) -> Pos:
        g, p = self.g, self.p
        place, side = self.place(name), g.units.side[unit]
        if place < 0:
            return p
        inside = g.land.places.inside
        hidden = place == g.reserve(side) or g.land.places.display <= place < g.land.places.display + len(g.gfs.ids)
        own = bytearray(p.sealed[side].at)
        own[unit] = place if hidden else inside
        at = bytearray(p.at)
        at[unit] = inside if hidden else place
        back = g.units.ids[unit] in self.facts.back
        bit = 1 << unit
        q = seal(alter(p, at=bytes(at)), side, at=bytes(own), reduced=p.sealed[side].reduced & ~bit | (bit if hidden and back else 0))
        return alter(q, reduced=q.reduced & ~bit | (bit if place < g.land.size and back else 0))

    def _face(self, unit: int, back: bool) -> Pos:
        g, p = self.g, self.p
        bit, side = 1 << unit, g.units.side[unit]
        if p.at[unit] < g.land.size:
            return alter(p, reduced=p.reduced | bit if back else p.reduced & ~bit)
        if p.at[unit] != g.land.places.inside:
            return p
        reduced = p.sealed[side].reduced
        return seal(p, side, reduced=reduced | bit if back else reduced & ~bit)

    def _card_to(self, card: int, name: str) -> Pos:
        g, p = self.g, self.p
        bit = 1 << card
        for side in range(3):
            hand = p.sealed[side].hand
            wanted = hand | bit if name == f"{SIDES[side]}-hand" else hand & ~bit
            if wanted != hand:
                p = seal(p, side, hand=wanted)
        if g.cards.operational & bit:
            p = alter(p, used_cards=p.used_cards | bit if name == PLAYED else p.used_cards & ~bit)
        hands = [own.hand for own in p.sealed]
        held = tuple(((h & g.cards.national[i]).bit_count(), (h & g.cards.operational).bit_count()) for i, h in enumerate(hands))
        return alter(p, held=held)

    def sync(self) -> list[str]:
        """The position with every counter and card where the table has it; what was put right, by piece."""
        g = self.g
        changed: list[str] = []
        for gf, name in enumerate(g.gfs.ids):
            place = self.place(self.facts.at.get(name, ""))
            if place >= 0 and self.p.gf_at[gf] != place:
                self.p = put_gf(g, self.p, gf, place)
                changed.append(name)
        if changed:
            self.p = settle_control(g, self.p)
        for unit, name in enumerate(g.units.ids):
            lies = self.facts.at.get(name, "")
            act = Act(UNIT, 0, (name,), to=lies)
            if self.place(lies) >= 0 and not self.stands(act):
                self.p = self._unit_to(unit, lies)
                changed.append(name)
            back = Act(FLIP, 0, (name,), value=int(name in self.facts.back))
            if not self.stands(back):
                self.p = self._face(unit, name in self.facts.back)
                changed.append(name)
        for card, name in enumerate(g.cards.ids):
            lies = self.facts.at.get(name, "")
            if lies and not self.stands(Act(CARD, 0, (name,), to=lies)):
                self.p = self._card_to(card, lies)
                changed.append(name)
        if self.tracks_used:
            points = tuple(self.facts.points.get(track, value) for track, value in enumerate(self.p.pr))
            if points != self.p.pr:
                self.p = alter(self.p, pr=points)
        self.broken = self.broken or bool(changed)
        return changed

    def begin_at(self, turn: int, phase: int) -> None:
        """The step of the order of play begins, whatever the one before still owes."""
        clean = tuple(replace(s, steps=0) if s.known else s for s in self.p.sealed)
        bare = alter(self.p, turn=turn, phase=phase - 1, agenda=(Frame("phase", ()),), combat=None, shown=(), sealed=clean)
        if self.p.result:
            return
        self.p = self.book.settled(bare)
        self.broken = True

    def abort(self) -> None:
        """A combat or a window that the log leaves unfinished is over; the step goes on."""
        keep = self.p.agenda[:2]
        clean = tuple(replace(s, steps=0) if s.known else s for s in self.p.sealed)
        self.p = self.book.settled(alter(self.p, agenda=keep, combat=None, shown=(), sealed=clean))
        self.broken = True


__all__ = ["CHANCE", "PLAYERS", "Sheet", "pieces_of", "sides_at", "verb_of"]
