"""Cards: drawn, played, lent and put back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.games.overlord_to_berlin import reading_acts as can
from referee.games.overlord_to_berlin.land import SIDE_NAMES, SIDES, SOVIET, WEST
from referee.games.overlord_to_berlin.position import alter, seal
from referee.games.overlord_to_berlin.reading_search import Way
from referee.games.overlord_to_berlin.reading_table import CARD, CHAT, SILENT, TALK, Act, Facts
from referee.games.overlord_to_berlin.reading_verdicts import Refusal
from referee.games.overlord_to_berlin.reading_words import Words
from referee.games.overlord_to_berlin.showing import DECKS, OPERATIONAL_DECK, PLAYED
from referee.rules.model import Verdict
from referee.rules.reading import Ruled


class Cards(Words):
    """Reads what was done with cards."""

    def _draw(self, found: list[Act], at: int) -> int:
        """Cards drawn one after another are one draw; of several pools several."""
        first = found[at]
        run, n = [first], at + 1
        while n < len(found) and (found[n].kind in SILENT or (found[n].kind, found[n].frm, found[n].to) == (CARD, first.frm, first.to)):
            if found[n].kind == CARD:
                run.append(found[n])
            n += 1
        if all(self.stands(act) for act in run):
            for act in run:
                self.facts.take(act)
            self._skip(found, at, n)
            return n
        for size in range(len(run), 0, -1):
            some = run[:size]
            result = self._find(lambda q, some=some: can.drawn(self.g, q, some), self.facts)  # type: ignore[misc]
            if not isinstance(result, list):
                for act in some:
                    self.facts.take(act)
                self._commit(some[-1], result)
                if size == len(run):
                    self._skip(found, at, n)
                return at + size if size < len(run) else n
        if self._drawn_too_little(found, at, run):
            return at + len(run)
        if self._put_back_later(found, at):
            return at + 1
        for act in run:
            self.facts.take(act)
        self._another_draw(run)
        self._skip(found, at, n)
        return n

    def _drawn_too_little(self, found: list[Act], at: int, run: Sequence[Act]) -> bool:
        """Fewer cards than are drawn now: the others come later in this stretch, and all are one draw; or they do not come at all: who
        takes fewer gains nothing by it, and play goes on."""
        first, q = run[0], self._windows_closed()
        if q.frame.step != "draw":
            return False
        side, count, operational = q.frame.data
        pool = OPERATIONAL_DECK if operational else DECKS[int(str(side))]
        if (first.frm, first.to) != (pool, f"{SIDES[int(str(side))]}-hand") or len(run) >= int(str(count)):
            return False
        others = [a for a in found[at + 1 :] if (a.kind, a.frm, a.to) == (CARD, first.frm, first.to) and a not in run]
        others = others[: int(str(count)) - len(run)]
        whole = [*run, *others]
        if len(whole) == count:
            result = self._find(lambda q: can.drawn(self.g, q, whole), self.facts)
            if isinstance(result, list):
                return False
            found[at:] = [a for a in found[at:] if a not in others]
            for act in whole:
                self.facts.take(act)
            self._commit(run[-1], result)
            return True
        self.p = q
        for act in run:
            self.facts.take(act)
            self.put(act)
        self.p = self.book.settled(alter(self.p, agenda=self.p.agenda[:-1]))
        said = f"step {first.step}: {SIDE_NAMES[int(str(side))]} draw {len(run)} of {count} cards"
        self.note(said)
        self.short[first.frm, first.to] = int(str(count)) - len(run)
        self.add(Ruled(Verdict.LEGAL), "draw", int(str(side)), first, pieces=tuple(a.piece for a in run), secret=True)
        return True

    def _another_draw(self, run: Sequence[Act]) -> None:
        """Cards that no draw of this step is for: those that were missing earlier, or too many; a question while a draw of the same pool
        is still to come."""
        first = run[0]
        side, operational = self.side_of(first), first.frm == OPERATIONAL_DECK
        for act in run:
            self.put(act)
        missing = self.short.get((first.frm, first.to), 0)
        self.short[first.frm, first.to] = max(0, missing - len(run))
        step = "draw_operational" if operational else "draw_national"
        to_come = any(ph.step == step and ph.side == side for ph in self.g.terms.phases[max(self.p.phase, 0) :])
        pieces = tuple(act.piece for act in run)
        if len(run) <= missing:
            ruled = Ruled(Verdict.LEGAL)
        elif to_come or first.frm not in (OPERATIONAL_DECK, *DECKS):
            ruled = self.unclear("why were these cards drawn? No draw of this step is for so many of this pool", "3.1")
        else:
            names = " and ".join(map(self.label, pieces))
            para = "3.1.b" if operational else "3.1.a"
            said = f"{names}: {len(run) - missing} more than is drawn"
            ruled = self._as_far_as_told(Ruled(Verdict.ILLEGAL, (para,), (), said, frozenset(("drawn-too-many",))), side)
        self.add(ruled, "draw", side, first, pieces=pieces, secret=True)

    def _put_back_later(self, found: list[Act], at: int) -> bool:
        """A card that is put back into its deck in the same phase was not drawn."""
        act = found[at]
        phases = self.g.terms.phases
        lists = [found, *(later for stint, later in self.coming if phases[stint.phase].phase == phases[self.phase].phase)]
        for list_ in lists:
            for n in range(at + 1 if list_ is found else 0, len(list_)):
                later = list_[n]
                if later.kind == CARD and later.pieces == act.pieces:
                    if later.to != act.frm:
                        return False
                    del list_[n]
                    self._put_back(act)
                    return True
        return False

    def _card(self, found: Sequence[Act], at: int, after: Facts) -> None:
        g, act = self.g, found[at]
        aims = list(dict.fromkeys((*self.aims, *self._coming(found, at), *self._zones(self.targets))))
        for later in found[at + 1 :]:
            if later.kind == TALK and later.words[0] == "AGAIN" and len(later.words) > 1 and later.words[1].isdecimal():
                self.die = int(later.words[1])
            elif later.kind not in SILENT and later.kind != TALK:
                break
        ways, refused = self._ways(lambda q: can.card(g, q, act, aims=aims, die=self.die), after)
        if not ways and act.to == PLAYED and act.frm.endswith("-hand"):
            ways, refused = self._untold(act, after, refused)
        free = self.p.combat is not None and self.p.combat.free
        if not ways and not free and self._unfinished():
            ways, refused = self._ways(lambda q: can.card(g, q, act, aims=aims, die=self.die), after)
        laid = act.to == PLAYED and bool(g.cards.operational >> g.cards.index[act.piece] & 1)
        if not ways and laid and not free and not self.loose and self._guess(found, at, act):
            ways, refused = self._ways(lambda q: can.card(g, q, act, aims=aims, die=self.die), after)
        self.facts.take(act)
        if ways:
            self.aims, self.die = [], 0
            self._commit(act, self._likeliest(ways, act, found[at + 1 :]))
            return
        hands = [f"{side}-hand" for side in SIDES]
        if act.to != PLAYED and (act.frm, act.to) == (hands[SOVIET], hands[WEST]) and self._lent_back(act):
            return
        if act.to != PLAYED and (act.frm, act.to) != (hands[WEST], hands[SOVIET]):
            self.put(act)  # back into its deck: nobody gains by it
            return
        if self.loose:
            self.put(act)
            return
        self._judge(act, refused)
        self.put(act)

    def _lent_back(self, act: Act) -> bool:
        """The card that was lent goes back before it was of any use: nothing was lent (11.9)."""
        card = 1 << self.g.cards.index[act.piece]
        if not self.p.sealed[WEST].lent & card:
            return False
        self._put_back(act)
        self.put(act)
        self.p = alter(seal(seal(self.p, WEST, lent=0), SOVIET, lent=0), lent=False)
        return True

    def _untold(self, act: Act, after: Facts, refused: list[Refusal]) -> tuple[list[Way], list[Refusal]]:
        """A card of which nobody said what it is for: every zone and formation is thought of, also those that lie turned over, as nobody
        turns one up for it."""
        g = self.g
        everything = (*g.gfs.ids, *g.land.places.names[: g.land.size])
        ways, more = self._ways(lambda q: can.card(g, q, act, aims=everything, die=0), after, every=True)
        return ways, refused or more

    def _coming(self, found: Sequence[Act], at: int) -> Iterator[str]:
        """What a card just played is said to be for in the words that follow it."""
        for later in found[at + 1 :]:
            if later.kind == TALK and later.words[0] in ("AIM", "TGT") and len(later.words) > 1:
                yield from (later.words[1],) if later.words[0] == "AIM" else self._zones((later.words[1],))
            elif later.kind not in (*SILENT, TALK, CHAT):
                return

    def _zones(self, gfs: Iterable[str]) -> Iterator[str]:
        """The zones in which formations stand."""
        for name in gfs:
            place = self.p.gf_at[self.g.gfs.index[name]] if name in self.g.gfs.index else self.g.land.size
            if place < self.g.land.size:
                yield self.g.land.name(place)
