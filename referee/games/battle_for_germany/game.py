"""The game as the core's ``Book`` takes it: everything of this package put together."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from gamebox.model import Box
from referee.games.battle_for_germany import actions, sentences
from referee.games.battle_for_germany.advance import AdvanceStep
from referee.games.battle_for_germany.changes import recount_holders
from referee.games.battle_for_germany.combat import CombatRoll, CombatStep, DeclareStep, LoseStep
from referee.games.battle_for_germany.courland import EvacuationRoll, LandingStep, SetUpStep
from referee.games.battle_for_germany.exits import TakeStep
from referee.games.battle_for_germany.explaining import ExplainedMovement
from referee.games.battle_for_germany.invariants import broken
from referee.games.battle_for_germany.land import compile_land
from referee.games.battle_for_germany.layout import compile_layout
from referee.games.battle_for_germany.position import EG, FORCES, HOLD_GERMAN, HOLD_S, HOLD_W, WG, S, W, compile_roster
from referee.games.battle_for_germany.replacements import ReplacementStep
from referee.games.battle_for_germany.retreat import RetreatStep
from referee.games.battle_for_germany.sequence import OverStep, SkipRoll, TurnStep, begin_phase, fix_garrisons
from referee.games.battle_for_germany.setting import HOME_YUGOSLAVIA, Setting, compile_kinds, compile_regimes
from referee.games.battle_for_germany.state import Pos
from referee.games.battle_for_germany.supply import GroupStep
from referee.games.battle_for_germany.terms import AMENDMENTS, compile_charts, compile_terms, options, without_supply
from referee.games.battle_for_germany.wrong import wrong_hand, wrong_step
from referee.rules.book import Book
from referee.rules.model import CHANCE, Action, Frame, Reason
from referee.rules.options import apply_amendments, apply_options, latest
from referee.rules.step import Step


class BattleForGermany:
    """One scenario with its options, compiled from the box."""

    id = "battle-for-germany"

    def __init__(self, setting: Setting, options: frozenset[str], data: str, rules: int = latest(AMENDMENTS)) -> None:
        self.setting = setting
        self.options = options
        self.data = data
        self.rules = rules
        g = setting
        self.layout = compile_layout(g)
        self._places = frozenset(g.land.names[: g.land.size])
        self.steps: Mapping[str, Step[Pos]] = {
            "set-up": SetUpStep(g),
            "turn11": SkipRoll(g),
            "replacement": ReplacementStep(g),
            "movement": ExplainedMovement(g),
            "take": TakeStep(g),
            "evacuation": EvacuationRoll(g),
            "landing": LandingStep(g),
            "combat": CombatStep(g),
            "group": GroupStep(g),
            "second-combat": CombatStep(g),
            "second-movement": ExplainedMovement(g),
            "declare": DeclareStep(g),
            "combat-roll": CombatRoll(g),
            "lose": LoseStep(g),
            "retreat": RetreatStep(g),
            "advance": AdvanceStep(g),
            "turn": TurnStep(g),
            "over": OverStep(g),
        }
        self._at: tuple[int, ...] = ()
        self._holders = b""

    @property
    def scenario(self) -> str:
        """The scenario's id."""
        return self.setting.terms.scenario

    @property
    def players(self) -> tuple[str, ...]:
        """Who runs the forces (R-G120)."""
        return tuple(dict.fromkeys(filter(None, self.setting.terms.owners)))

    def start(self) -> Pos:
        """The printed set-up, with the four Courland units still to be placed (8.0, 12.1); Red Star/White Star waits for its die
        (15.2.b)."""
        g = self.setting
        frame = Frame("turn11", (CHANCE,)) if g.terms.skip_die else Frame("set-up", (g.owner(EG),))
        return Pos(turn=g.terms.first_turn, agenda=(frame,), at=self._at, force=g.roster.force, holders=self._holders)

    def parse(self, text: str) -> Action:
        """An action from its notation. Raises NotationError."""
        return actions.parse(text, self.setting.roster.index, self._places)

    def sentence(self, reason: Reason) -> str:
        """A reason as one sentence."""
        return sentences.sentence(reason)

    def unit(self, piece: str) -> int:
        """The engine's number of a piece. Raises KeyError."""
        return self.setting.roster.index[piece]

    def subject(self, a: Action) -> int | None:
        """The unit an action is about (the first of several), None for the others."""
        named = getattr(a, "unit", None) or next(iter(getattr(a, "units", ())), None)
        return self.setting.roster.index.get(named) if named else None

    def wrong_step(self, p: Pos, a: Action) -> Reason:
        """Why the action does not fit the step."""
        return wrong_step(self.setting, p, a)

    def wrong_hand(self, p: Pos, a: Action) -> Reason:
        """Why the player may not decide this."""
        return wrong_hand(self.setting, p, a)

    def view(self, p: Pos, side: str | None) -> Pos:
        """Everything is open in this game."""
        return p

    def broken(self, p: Pos) -> Iterator[str]:
        """Invariants that do not hold."""
        return broken(self.setting, p)

    def arranged(self, places: Mapping[str, str], *, turn: int, force: str, kind: str) -> Pos:
        """A position laid out by hand, at the start of one phase: ``force`` S, W, EG, WG, with three players G;
        ``kind`` replacement, movement, combat, under 18.1 second_combat and second_movement.

        ``places``: piece id -> hex or box id (``box-s`` ...); units not named are out of the game. What such a layout cannot
        tell is as at the scenario's start (city holders German but for R-G89's first two tests, fortifications whole); Germans
        are of the theater they stand in, Fronts in capitals are garrisons, units across the Yugoslav border crossed this turn.
        Not settled: an empty phase is not passed; a counter may lie where no unit can stand, as on a table. Raises KeyError for an
        unknown piece, place or phase.
        """
        roster, land = self.setting.roster, self.setting.land
        at = [land.off] * len(roster.ids)
        for piece, place in places.items():
            at[roster.index[piece]] = land.nodes[place]
        return self.standing(at, turn=turn, force=force, kind=kind)

    def standing(self, at: Sequence[int], *, turn: int, force: str, kind: str) -> Pos:
        """The same by the engine's numbers: per unit the node where it is. Raises KeyError for an unknown phase."""
        g, size = self.setting, self.setting.land.size
        index = next((i for i, ph in enumerate(g.terms.phases) if ph.kind == kind and ph.force == FORCES.index(force)), None)
        if index is None:
            raise KeyError(f"{force} {kind}")
        boxes = {g.land.box_eg: EG, g.land.box_wg: WG}
        becomes, wards, yugoslav = g.regimes[0].identity, g.regimes[0].ward, g.roster.yugoslav
        identity = bytes(
            [boxes.get(node, f) if node >= size and f in (EG, WG) else becomes[f][node] for f, node in zip(g.roster.force, at, strict=True)]
        )
        abroad = tuple(
            [(u, turn) for u, node in enumerate(at) if node < size and not wards[identity[u]][yugoslav >> u & 1][node] & HOME_YUGOSLAVIA]
        )
        p = Pos(turn, (), tuple(at), identity, self._holders, abroad=abroad, supply=g.terms.markers)
        p = self._stood_there(p)
        return begin_phase(g, fix_garrisons(g, recount_holders(g, p)), index)

    def _stood_there(self, p: Pos) -> Pos:
        """What a layout does tell: whoever stands in a fortified hex, a port or Berlin has entered it (6.4.c1, 8.0.p6, R-G87)."""
        land = self.setting.land
        forts, ports, seen = p.forts_gone, p.ports_entered, p.berlin_seen
        for unit in [unit for unit, node in enumerate(p.at) if land.noted[node] and p.force[unit] in (S, W)]:
            node = p.at[unit]
            forts |= land.forts.get(node, 0) if p.force[unit] == W else 0
            ports |= 1 << land.ports.index(node) if node in land.ports else 0
            seen |= 1 << p.force[unit] if node == land.berlin else 0
        first = (S if seen & 1 << S else W, p.turn, 0) if seen else p.berlin_first
        return replace(p, forts_gone=forts, ports_entered=ports, berlin_seen=seen, berlin_first=first)

    def set_up(self, at: tuple[int, ...], holders: bytes) -> None:
        """The set-up: the place of every unit, the holder of every city (R-G90, R-G105)."""
        self._at = at
        self._holders = holders


def compile_game(
    box: Box, scenario: str = "historical", chosen: frozenset[str] = frozenset(), *, lenient: bool = False, rules: int | None = None
) -> BattleForGermany:
    """The game from its box, in the newest rules version or in an older one.

    Raises UsageError for a scenario, option or rules version that cannot be played.
    """
    land = compile_land(box, lenient=lenient)
    terms = apply_amendments(compile_terms(box, scenario), AMENDMENTS, rules)
    terms = without_supply(apply_options(terms, chosen, options(box), scenario))
    terms = dataclasses.replace(terms, lenient=lenient)
    roster = compile_roster(box, one_germany=terms.players == 3)
    setting = Setting(land, roster, compile_charts(box), terms, compile_regimes(land, terms), compile_kinds(roster, terms))
    game = BattleForGermany(setting, chosen, box.data_hash, latest(AMENDMENTS) if rules is None else rules)
    places = dict(box.setup(terms.setup))
    there = (u in places and force in terms.forces for u, force in zip(roster.ids, roster.force, strict=True))
    at = tuple(land.nodes.get(places[u], land.unplaced) if on else land.off for u, on in zip(roster.ids, there, strict=True))
    control = {"german": HOLD_GERMAN, "S": HOLD_S, "W": HOLD_W}
    game.set_up(at, bytes(control[box["city_control"][land.names[n]].text(terms.setup)] for n in land.cities))
    return game


def book(
    box: Box, scenario: str = "historical", options: frozenset[str] = frozenset(), *, lenient: bool = False, rules: int | None = None
) -> Book[Pos]:
    """The game as a ``Book``; raises what ``compile_game`` does."""
    return Book(compile_game(box, scenario, options, lenient=lenient, rules=rules))
