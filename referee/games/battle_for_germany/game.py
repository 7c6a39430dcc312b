"""The game as the core's ``Book`` takes it: everything of this package put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from gamebox.model import Box
from referee.games.battle_for_germany import actions, sentences
from referee.games.battle_for_germany.advance import AdvanceStep
from referee.games.battle_for_germany.changes import identity_at, recount_holders
from referee.games.battle_for_germany.combat import CombatRoll, CombatStep, DeclareStep, LoseStep
from referee.games.battle_for_germany.courland import EvacuationRoll, LandingStep, SetUpStep
from referee.games.battle_for_germany.exits import TakeStep
from referee.games.battle_for_germany.invariants import broken
from referee.games.battle_for_germany.land import compile_land
from referee.games.battle_for_germany.layout import compile_layout
from referee.games.battle_for_germany.movement import MovementStep
from referee.games.battle_for_germany.position import EG, FORCES, HOLD_GERMAN, WG, Pos, S, W, compile_roster
from referee.games.battle_for_germany.replacements import ReplacementStep
from referee.games.battle_for_germany.retreat import RetreatStep
from referee.games.battle_for_germany.sequence import OverStep, TurnStep, begin_phase, fix_garrisons
from referee.games.battle_for_germany.setting import HOME_YUGOSLAVIA, Setting, compile_wards, german
from referee.games.battle_for_germany.terms import AMENDMENTS, OPTIONS, compile_charts, compile_terms
from referee.games.battle_for_germany.wrong import wrong_hand, wrong_step
from referee.rules.book import Book, Step
from referee.rules.model import Action, Frame, Reason
from referee.rules.options import apply_amendments, apply_options, latest


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
            "replacement": ReplacementStep(g),
            "movement": MovementStep(g),
            "take": TakeStep(g),
            "evacuation": EvacuationRoll(g),
            "landing": LandingStep(g),
            "combat": CombatStep(g),
            "declare": DeclareStep(g),
            "combat-roll": CombatRoll(g),
            "lose": LoseStep(g),
            "retreat": RetreatStep(g),
            "advance": AdvanceStep(g),
            "turn": TurnStep(g),
            "over": OverStep(g),
        }
        self._at: tuple[int, ...] = ()

    @property
    def scenario(self) -> str:
        """The scenario's id."""
        return self.setting.terms.scenario

    def start(self) -> Pos:
        """The printed set-up, with the four Courland units still to be placed (8.0, 12.1)."""
        g = self.setting
        frame = Frame("set-up", (g.owner(2),))
        return Pos(
            turn=g.terms.first_turn,
            agenda=(frame,),
            at=self._at,
            force=g.roster.force,
            holders=bytes([HOLD_GERMAN]) * len(g.land.cities),
        )

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
        """A position laid out by hand, at the start of one phase: ``force`` S, W, EG or WG; ``kind`` replacement, movement, combat.

        ``places``: piece id -> hex or box id (``box-s`` ...); units not named are out of the game. What such a layout cannot
        tell is as at the scenario's start (city holders German but for R-G89's first two tests, fortifications whole); Germans
        are of the theater they stand in, Fronts in capitals are garrisons, units across the Yugoslav border crossed this turn.
        Not settled: an empty phase is not passed. Raises KeyError for an unknown piece, place or phase.
        """
        g = self.setting
        index = next((i for i, ph in enumerate(g.terms.phases) if ph.kind == kind and ph.force == FORCES.index(force)), None)
        if index is None:
            raise KeyError(f"{force} {kind}")
        at = [g.land.off] * len(g.roster.ids)
        for piece, place in places.items():
            at[g.roster.index[piece]] = g.land.nodes[place]
        identity = bytes(
            {g.land.box_eg: EG, g.land.box_wg: WG}.get(node, f) if german(f) and node >= g.land.size else identity_at(g, f, node)
            for f, node in zip(g.roster.force, at, strict=True)
        )
        abroad = tuple((u, turn) for u, node in enumerate(at) if node < g.land.size and not g.wards(identity[u], u)[node] & HOME_YUGOSLAVIA)
        p = Pos(turn, (), tuple(at), identity, bytes([HOLD_GERMAN]) * len(g.land.cities), abroad=abroad)
        p = self._stood_there(p)
        return begin_phase(g, fix_garrisons(g, recount_holders(g, p)), index)

    def _stood_there(self, p: Pos) -> Pos:
        """What a layout does tell: whoever stands in a fortified hex, a port or Berlin has entered it (6.4.c1, 8.0.p6, R-G87)."""
        land = self.setting.land
        forts, ports, seen = p.forts_gone, p.ports_entered, p.berlin_seen
        for unit, node in enumerate(p.at):
            if p.force[unit] not in (S, W):
                continue
            forts |= land.forts.get(node, 0) if p.force[unit] == W else 0
            ports |= 1 << land.ports.index(node) if node in land.ports else 0
            seen |= 1 << p.force[unit] if node == land.berlin else 0
        first = (S if seen & 1 << S else W, p.turn, 0) if seen else p.berlin_first
        return replace(p, forts_gone=forts, ports_entered=ports, berlin_seen=seen, berlin_first=first)

    def set_places(self, at: tuple[int, ...]) -> None:
        """The set-up, unit by unit."""
        self._at = at


def compile_game(
    box: Box, scenario: str = "historical", options: frozenset[str] = frozenset(), *, lenient: bool = False, rules: int | None = None
) -> BattleForGermany:
    """The game from its box, in the newest rules version or in an older one.

    Raises UsageError for a scenario, option or rules version that cannot be played.
    """
    land = compile_land(box, lenient=lenient)
    roster = compile_roster(box)
    terms = apply_amendments(compile_terms(box, scenario), AMENDMENTS, rules)
    terms = apply_options(terms, options, OPTIONS, scenario)
    terms = replace(terms, lenient=lenient)
    setting = Setting(land, roster, compile_charts(box), terms, compile_wards(land, boundary=terms.boundary))
    game = BattleForGermany(setting, options, box.data_hash, latest(AMENDMENTS) if rules is None else rules)
    places = dict(box.setup(terms.setup))
    game.set_places(tuple(land.nodes.get(places[u], land.unplaced) if u in places else land.off for u in roster.ids))
    return game


def book(
    box: Box, scenario: str = "historical", options: frozenset[str] = frozenset(), *, lenient: bool = False, rules: int | None = None
) -> Book[Pos]:
    """The game as a ``Book``; raises what ``compile_game`` does."""
    return Book(compile_game(box, scenario, options, lenient=lenient, rules=rules))
