"""What every part of the reading shares: the table, the names of the counters, and the sheet that findings are written on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from referee.games.battle_for_germany.changes import remove, travel
from referee.games.battle_for_germany.game import BattleForGermany
from referee.games.battle_for_germany.position import FORCE_NAMES
from referee.games.battle_for_germany.setting import Setting, german
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.terms import Phase
from referee.rules.chat import Names, name_words, plain, words
from referee.rules.events import Spot, TableLog
from referee.rules.model import Action, Frame, Verdict
from referee.rules.reading import Court, Finding, Net, Open, Ruled, Stint

_LEGAL: Final = Verdict.LEGAL
_ILLEGAL: Final = Verdict.ILLEGAL
"""To ask an enumeration for a member by its name takes longer than all else that most findings take."""

_OPTION_WORDS: Final = {
    "18/8.0": ("8.0", "hitler", "kurland", "courland", "kurlandi"),
    "18/6.3": ("6.3", "partial", "one unit of a stack", "part of a stack"),
    "18/5.3": ("5.3",),
    "18/12.2": ("12.2",),
    "18.1": ("supply", "nachschub", "zaopatrz"),
}
_OPTION_LIFTS: Final = {
    "12.3": frozenset(("12.2.a",)),
    "18/8.0": frozenset(("8.0.p7",)),
    "18/6.3": frozenset(("6.3.d1", "6.3.d2", "6.3.c1", "6.3.c3", "6.2.1.b3", "6.2.1.p1")),
    "18.1": frozenset(("6.3.c1", "6.3.c3")),
}
"""Option -> the paragraphs whose refusals it may lift."""
_RESULT_PARAS: Final = frozenset(("6.2.a", "6.2.b", "6.2.c", "6.2.d", "6.2.e", "6.1.p4"))
BOX_OF: Final = ("box-s", "box-w", "box-eg", "box-wg", "box-eg")
"""Force -> the box of its destroyed units, where the table does not tell more. One Germany has one pile, in whichever box (R-G106)."""
_CORPS: Final = ("krps", "korps", "corps", "korpus", "ak")
"""What players put behind the bare number of a German corps."""
_OPTION: Final = re.compile(r"1(?<![\d.:]1)(?:[238]\.\d|8/\d+\.\d)(?![\d:])")
"""An option's number, by itself; it begins with the sign that all of them begin with, for that is looked for quickly."""
_OPTIONS_ABOUT: Final = ("option", "opcj", "wariant", "variant", "regel", "reguł", "rule", "agreed", "vereinbart")
_PIECE: Final = re.compile(r"\b[a-z]{2}-[a-z0-9-]*[a-z0-9]")


@lru_cache(maxsize=8)
def _names(game: BattleForGermany, called: tuple[str, ...]) -> Names:
    """The words that units and cities go by where the counters are called so: the same for every log of a module."""
    roster, land = game.setting.roster, game.setting.land
    return Names(
        {u: name_words(name) for u, name in zip(roster.ids, called, strict=True)},
        {
            u: (*words(roster.nation[i]), *words(u), *words(FORCE_NAMES[roster.force[i]]), *(_CORPS if german(roster.force[i]) else ()))
            for i, u in enumerate(roster.ids)
        },
        {w[0]: land.names[n] for n, name in zip(land.cities, land.city_names, strict=True) if len(w := words(name)) == 1},
    )


@lru_cache(maxsize=8)
def _absent(game: BattleForGermany) -> frozenset[int]:
    """The units that a scenario does not have."""
    return frozenset([u for u, node in enumerate(game.start().at) if node == game.setting.land.off])


class Sheet:
    """The state of one log's reading, and the findings so far."""

    def __init__(self, court: Court[Pos], game: BattleForGermany, log: TableLog) -> None:
        self.court = court
        self.game = game
        self.g: Setting = game.setting
        self.log = log
        self.nodes = self.g.land.nodes
        self.first_counts = self.g.terms.berlin_ends_it or self.g.terms.victory == "berlin"
        """Much hangs on who enters Berlin first (13.1, 17.3)."""
        self.phase_names = [phase.name for phase in self.g.terms.phases]
        self.shown: list[str] = []
        """What the tracker was stepped to, as the client calls it."""
        self._hands: dict[str, str] = {"": ""}
        """Seat in the client -> the player of the rules who sits there, "" for one who runs nothing."""
        self.table: dict[str, Spot] = dict(log.start.at)
        self.absent = _absent(game)
        """Units that the scenario does not have."""
        self.stands: list[int] = []
        """Per unit where the table has it, in the engine's numbers; any box for one that is not there."""
        for i, unit in enumerate(self.g.roster.ids):
            spot = self.table.get(unit)
            there = self.nodes.get(spot.name) if spot is not None and spot.known else None
            self.stands.append(self.stand(i, spot) if there is None else there)
        self.notes: list[str] = []
        self.whose_note: dict[str, str] = {}
        """Notes that concern one side only -> that side."""
        self.found: list[Finding] = []
        self.open: list[Open] = []
        """What waits for somebody, as far as it is no breach."""
        self.nets: list[Net] = []
        """What was moved in the stretch that is being read, in order of the last events."""
        self.arrived: dict[int, int] = {}
        """Unit -> log step of its last arrival, for blaming the unit that came last (R-G33)."""
        self.exits: list[tuple[Frame, bool, int]] = []
        """Exits of this phase: what they may name, whether the exit was lawful, its log step."""
        self.takes: dict[int, tuple[int, int, tuple[str, str]]] = {}
        """Units named for removal in this phase: first step, last step, (player, seat)."""
        self.misplaced: dict[int, tuple[int, str]] = {}
        """Of these, the ones that were put into a Destroyed Units box: log step, the box as the client calls it."""
        self.due: dict[int, tuple[str, int]] = {}
        """Units that a rule has eliminated and that may still stand on the table: (paragraph, step)."""
        self.left: set[int] = set()
        """The Germans that left when Berlin had fallen (13.1.p2), whatever still lies on the table."""
        self.swept: set[int] = set()
        """Those of them that are taken off at the end of this stretch: what a die still asked of them is settled so."""
        self.assumed = 0
        """Units that may act in the second phases only if a supply marker lies where nobody said (18.1.p7). Bits."""
        self.served_in = (0, -1)
        """(turn, force) for which it was settled whom the markers serve."""
        self.stood: tuple[int, ...] = ()
        """Where the units stood when the last Replacement Phase of an Ally ended."""
        self.markers_told = False
        """The supply markers of this player turn were placed on the table or in table talk: there are no others."""
        self.named: set[int] = set()
        """Units that were named for an exit that was not lawful."""
        self.thrown: set[int] = set()
        """Units that a retreat in this log has thrown across a border: their deadlines are known."""
        self.returned = (0, 0)
        """(turn in which the log begins, bits of the units that may have returned in it before): such units move double (R-G68)."""
        self.begins_later = False
        """The log begins later than the scenario does."""
        self.forts_unsure = False
        """The log begins when a Western unit may have destroyed fortifications (6.4.c)."""
        self.early: set[tuple[str, int]] = set()
        """(piece, order of the stretch) of moves made before their Movement Phase was shown."""
        self.early_dice: set[int] = set()
        """Steps of dice of attacks that were carried out before their Combat Phase was shown."""
        self.unexplained: set[int] = set()
        """Steps of dice in a Combat Phase of which nobody said what they were for."""
        self.force: bytes = self.g.roster.force
        """The force of each unit at this point of the log."""
        self.options_said = options_in_lines([e.text for e in log.events if e.kind == "chat"])
        """Options that the players name in chat: what hangs on them becomes a question."""
        self.cut: list[Stint] = []
        """The stretches of the log."""
        self.seconds_shown = False
        """The tracker shows the second phases of 18.1."""
        self.at_end = False
        self.inferred = False
        """Nobody stepped the tracker; the phases are our reading."""
        self.tried = 0
        """Evacuations tried in this phase."""
        self.landed: set[int] = set()
        """Units that were evacuated in this phase: landing ends their move (R-G76)."""
        self.markers: list[str] = [s.name for label, s in log.start.markers if supply(label)]
        """Hexes of supply markers (18.1)."""
        roster = self.g.roster
        self.names = _names(game, tuple([log.labels.get(u) or name for u, name in zip(roster.ids, roster.names, strict=True)]))

    def stand(self, unit: int, spot: Spot | None) -> int:
        """Where a unit stands that the table has there (``rest``), in the engine's numbers."""
        if spot is None or not spot.name:
            return self.nodes[self.away(unit)]
        node = self.nodes.get(spot.name) if spot.known else None
        return node if node is not None else self.nodes[self.rest(unit, spot)]

    def away(self, unit: int) -> str:
        """Where a unit is that is not on the table: in its box, or out of a scenario that does not have it."""
        return "off" if unit in self.absent else BOX_OF[self.g.roster.force[unit]]

    def phase(self, stint: Stint) -> Phase:
        """The phase of a stretch."""
        return self.g.terms.phases[stint.phase]

    def add(
        self,
        stint: Stint,
        ruled: Ruled,
        kind: str,
        units: tuple[int, ...],
        first: int,
        last: int,
        *,
        frm: str = "",
        to: str = "",
        action: Action | None = None,
        rules: tuple[str, ...] = (),
        message: str = "",
        mover: tuple[str, str] = ("", ""),
        force: int | None = None,
        asked: Pos | None = None,
    ) -> None:
        """One finding. ``rules`` and ``message``, which names no counter, serve a legal verdict; ``mover``: who did it in the client
        (player, seat)."""
        instead = ""
        if ruled.verdict is not _LEGAL:
            ruled = self._if_the_log_tells(ruled)
            instead = self._instead(ruled, action, asked)
        self.found.append(self._finding(stint, ruled, kind, units, first, last, frm, to, action, rules, message, mover, force, instead))

    def _if_the_log_tells(self, ruled: Ruled) -> Ruled:
        """What is said against an action; one question where it hangs on something that the log does not tell."""
        if ruled.verdict is _ILLEGAL and (option := self._hangs_on(ruled)):
            ruled = self.unclear(f"is option {option} in use? It was named in chat", *ruled.rules)
        if self.inferred and ruled.verdict is _ILLEGAL and all(r.startswith("3.0") for r in ruled.rules):
            ruled = self.unclear(f"which phase was it? The tracker was not used; as we read it, {ruled.message}", *ruled.rules)
        return ruled

    def note(self, text: str, force: int | None = None) -> None:
        """A note; ``force``: the only one that it concerns."""
        self.notes.append(text)
        if force is not None:
            self.whose_note[text] = FORCE_NAMES[force]

    def wait(
        self,
        stint: Stint,
        ruled: Ruled,
        kind: str,
        units: tuple[int, ...],
        step: int,
        force: int,
        *,
        note: str = "",
        frm: str = "",
        to: str = "",
        action: Action | None = None,
    ) -> None:
        """Something that waits for the player of ``force``; ``note``: how the audit of the whole log puts it."""
        found = self._finding(stint, ruled, kind, units, step, step, frm, to, action, (), "", ("", ""), force, "")
        self.open.append(Open(found, self._named(note)))

    def _finding(
        self,
        stint: Stint,
        ruled: Ruled,
        kind: str,
        own: tuple[int, ...],
        first: int,
        last: int,
        frm: str,
        to: str,
        action: Action | None,
        rules: tuple[str, ...],
        message: str,
        mover: tuple[str, str],
        force: int | None,
        instead: str,
    ) -> Finding:
        if force is not None:
            whose = force
        else:
            whose = self.force[own[0]] if own else self.phase(stint).force
        hand = self._hands.get(mover[1])
        if hand is None:
            hand = self._hand(mover[1])
        ids = self.g.roster.ids
        # by their order: with names it takes six times as long (step, first, turn, phase, side, kind, verdict, notation, pieces, ...)
        return Finding(
            last,
            first,
            stint.turn,
            self.phase_names[stint.phase],
            FORCE_NAMES[whose] if whose >= 0 else "",
            kind,
            ruled.verdict,
            str(action) if action is not None else "",
            (ids[own[0]],) if len(own) == 1 else tuple([ids[u] for u in own]),
            frm,
            to,
            _once_each(ruled.rules or rules),
            _once_each(ruled.basis) if ruled.basis else (),
            self._named(ruled.message) if ruled.message else message,
            instead,
            hand != "" and (whose < 0 or hand != self.g.terms.owners[whose]),
            mover[0],
        )

    def _hand(self, seat: str) -> str:
        player = seat.casefold().replace(" ", "-")
        self._hands[seat] = hand = player if player in self.g.terms.owners else ""
        return hand

    def _hangs_on(self, ruled: Ruled) -> str:
        """The option named in chat under which everything that this refusal rests on might be allowed, "" for none."""
        named = [o for o in _OPTION_LIFTS if o in self.options_said]
        if self.tried > 1:
            named = [o for o in named if o != "18/8.0"]  # one attempt a turn even then
        rules = set(ruled.rules)
        return next((o for o in named if rules & _OPTION_LIFTS[o] and rules - _RESULT_PARAS <= _OPTION_LIFTS[o]), "")

    def _instead(self, ruled: Ruled, action: Action | None, asked: Pos | None) -> str:
        """What would have been legal in place of a refused move."""
        if action is None or asked is None or ruled.verdict not in (Verdict.ILLEGAL, Verdict.DOUBTFUL):
            return ""
        return self._named(self.court.book.explain(asked, action).text)

    def _named(self, text: str) -> str:
        """A sentence with the counters called as the players see them."""
        if "-" not in text:
            return text  # every piece's id has one
        return _PIECE.sub(lambda m: self.label(self.g.roster.index[m.group()]) if m.group() in self.g.roster.index else m.group(), text)

    def label(self, unit: int) -> str:
        """A unit as the players see it."""
        return self.log.labels.get(self.g.roster.ids[unit]) or self.g.roster.label(unit)

    def unclear(self, question: str, *rules: str) -> Ruled:
        """The log does not tell: one question."""
        return Ruled(Verdict.UNCLEAR, tuple(rules), (), question)

    def is_hex(self, name: str) -> bool:
        """A four-digit number that is a hex of the map."""
        return self.g.land.nodes.get(name, 10**6) < self.g.land.size

    def _place(self, unit: int, spot: Spot) -> str:
        if spot.known and spot.name in self.nodes:
            return spot.name
        return "unplaced" if self.game.start().at[unit] == self.g.land.unplaced else "off"

    def node(self, unit: int, spot: Spot) -> int:
        """Where a spot is in the engine's numbers; a place the game does not know is out of the game."""
        node = self.nodes.get(spot.name) if spot.known else None
        if node is not None:
            return node
        return self.nodes[self._place(unit, spot)] if spot.name else self.g.land.off

    def rest(self, unit: int, spot: Spot) -> str:
        """Where a unit is when it lies there at the end of a stretch: in a place that the game does not know it counts as destroyed,
        so that its return is never taken for that of a unit that has left the game."""
        place = self._place(unit, spot)
        return self.away(unit) if place == "off" and not spot.known else place

    def force_to(self, p: Pos, unit: int, node: int) -> Pos:
        """The unit stands there, whatever the rules say."""
        if p.at[unit] == node or (p.at[unit] >= self.g.land.size and node >= self.g.land.size and node != self.g.land.off):
            return p
        if node >= self.g.land.size:
            return remove(self.g, p, (unit,), node)
        return travel(self.g, p, unit, (node,))

    def put_back(self, stint: Stint, n: Net, unit: int) -> None:
        """A finding for a piece that ended where it began."""
        ruled = Ruled(Verdict.LEGAL, ("5.0.p1", "4.0.p2", "3.0.p1"), (), "put back where it began: no move")
        self.add(stint, ruled, "put-back", (unit,), n.first, n.last, frm=n.start.name, to=n.end.name, mover=(n.player, n.seat))

    def phase_kind(self, p: Pos) -> str:
        """The kind of the phase being played."""
        return self.g.phase(p).kind


@lru_cache(maxsize=4096)
def _once_each(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names without repetitions, in their order; kept, for few of them are ever told."""
    return tuple(dict.fromkeys(names))


def options_in_lines(lines: Sequence[str]) -> set[str]:
    """The options that any of these chat lines names. One look at all of them tells that none does, as in most logs."""
    if not options_in("\n".join(lines)):
        return set()
    return {option for line in lines for option in options_in(line)}


def options_in(text: str) -> set[str]:
    """The options of the rulebook that a chat line names, by number ("12.3", "option 6.3") or by what they are about."""
    low = plain(text)
    found = set(_OPTION.findall(low))
    if any([word in low for word in _OPTIONS_ABOUT]):
        found.update([option for option, marks in _OPTION_WORDS.items() if any(mark in low for mark in marks)])
    return found


def supply(label: str) -> bool:
    """A marker that clients would call offensive supply (18.1)."""
    return any(part in label.casefold() for part in ("suppl", "nachschub", "zaopat"))
