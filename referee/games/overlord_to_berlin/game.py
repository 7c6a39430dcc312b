"""The game as the core's ``Book`` takes it: everything of this package put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gamebox.model import Box
from referee.games.overlord_to_berlin import (
    actions,
    attack,
    bombardment,
    combat,
    combine,
    economy,
    final,
    free_attack,
    landings,
    offensive,
    operations,
    piles,
    pockets,
    political,
    retreat,
    sentences,
    spending,
    strategic,
    transfers,
    victory,
)
from referee.games.overlord_to_berlin.arranging import arranged
from referee.games.overlord_to_berlin.cancel import CancelStep, Carry
from referee.games.overlord_to_berlin.dice import DiceStep, KeepStep, Outcome, RerollDie, RerollStep
from referee.games.overlord_to_berlin.interrupts import MystificationStep, PropagandaStep
from referee.games.overlord_to_berlin.invariants import broken
from referee.games.overlord_to_berlin.land import SIDES, compile_land
from referee.games.overlord_to_berlin.layout import compile_layout
from referee.games.overlord_to_berlin.losses import LossStep
from referee.games.overlord_to_berlin.overstack import RedistributeStep
from referee.games.overlord_to_berlin.position import NOBODY, Pos, Sealed
from referee.games.overlord_to_berlin.roster import compile_formations, compile_units
from referee.games.overlord_to_berlin.sequence import Begin, OverStep, PhaseStep
from referee.games.overlord_to_berlin.setting import Setting
from referee.games.overlord_to_berlin.terms import AMENDMENTS, TRACKS, compile_cards, compile_charts, compile_terms, options
from referee.games.overlord_to_berlin.view import view
from referee.games.overlord_to_berlin.wrong import wrong_hand, wrong_step
from referee.rules.book import Book
from referee.rules.model import Action, Frame, Reason
from referee.rules.options import apply_amendments, apply_options, latest
from referee.rules.step import Step

BEGIN: dict[str, Begin] = {
    "draw_national": political.begin_national,
    "draw_operational": political.begin_operational,
    "event": political.begin_event,
    "reinforcements": economy.begin_reinforcements,
    "income": economy.begin_income,
    "bombardment": bombardment.begin,
    "automatic": piles.begin,
    "spending": spending.begin,
    "combine": combine.begin,
    "strategic": strategic.begin,
    "transfers": transfers.begin,
    "operations": operations.begin,
    "combine_again": combine.begin_again,
    "pockets": pockets.begin,
    "capitulation": final.begin_capitulation,
    "paratroop_dice": final.begin_paratroop_dice,
    "operationals_back": final.begin_operationals_back,
    "formations_face_up": final.begin_formations_face_up,
    "verdict": victory.begin_verdict,
}
"""Step of the order of play -> what begins with it, one chapter each."""

OUTCOMES: dict[str, Outcome] = {
    "event": political.event_thrown,
    "war-end": political.war_end_thrown,
    "bombardment": bombardment.thrown,
    "paratroops": final.paratroops_thrown,
    "pocket": pockets.outcome,
    "combat": combat.thrown,
    "free-attack": combat.thrown,
    "leave": retreat.leave,
}
"""Key of a throw -> who reads the dice."""

CARRY: dict[str, Carry] = {
    "move": operations.carry_move,
    "land": landings.carry_land,
    "croatia": landings.carry_croatia,
    "sail": landings.carry_sail,
    attack.VERB: attack.carried,
    attack.OFFENSIVE_VERB: attack.carried,
}
"""Verb of a declared PA -> who carries it out when it was not cancelled (R-F56)."""

COMBAT: dict[str, operations.Chapter] = {
    "attack": operations.Chapter(attack.judge, attack.declared, attack.choices),
    operations.FREE_ATTACK: operations.Chapter(free_attack.judge, free_attack.apply, free_attack.choices),
    operations.OFFENSIVE: operations.Chapter(offensive.judge, offensive.apply, offensive.choices),
}
"""What opens combats in the operational step: ``attack``, and effects of cards (``operations.FREE_ATTACK``, ``operations.OFFENSIVE``)."""


class OverlordToBerlin:
    """The scenario with its switches, compiled from the box."""

    id = "overlord-to-berlin"

    def __init__(self, setting: Setting, chosen: frozenset[str], data: str, start: Pos, rules: int = latest(AMENDMENTS)) -> None:
        self.setting = setting
        self.options = chosen
        self.data = data
        self.rules = rules
        g = setting
        self.layout = compile_layout(g)
        self._start = start
        self._names = actions.Names(g.units.ids, g.gfs.ids, g.land.places.names[: g.land.size], g.cards.ids, TRACKS, SIDES)
        steps: dict[str, Any] = {
            "phase": PhaseStep(g, BEGIN),
            "combine": combine.CombineStep(g),
            "strategic": strategic.StrategicStep(g),
            "transfers": transfers.TransferStep(g),
            "operations": operations.OperationsStep(g, COMBAT),
            "leave-behind": pockets.LeaveBehindStep(g),
            "cancel": CancelStep(g, CARRY),
            "over": OverStep(g),
            "dice": DiceStep(g),
            "reroll": RerollStep(g, OUTCOMES),
            "reroll-die": RerollDie(g),
            "keep": KeepStep(g),
            "propaganda": PropagandaStep(g),
            "draw": political.DrawStep(g),
            "finland": political.FinlandStep(g),
            "manchuria": political.ManchuriaStep(g),
            "bombard": bombardment.BombardStep(g),
            "automatic": piles.AutomaticStep(g),
            "pile": piles.PileStep(g),
            "levy": piles.LevyStep(g),
            "spend": spending.SpendStep(g),
            "liberation": final.LiberationStep(g),
            "mystification": MystificationStep(g),
            "combat": combat.CombatStep(g),
            "stratagems": combat.StratagemsStep(g),
            "loss": LossStep(g),
            "ask": retreat.AskStep(g),
            "retreat": retreat.RetreatStep(g),
            "redistribute": RedistributeStep(g),
            "offensive": offensive.OffensiveStep(g),
        }
        self.steps: Mapping[str, Step[Pos]] = steps

    @property
    def scenario(self) -> str:
        """The scenario's id."""
        return self.setting.terms.scenario

    @property
    def players(self) -> tuple[str, ...]:
        """The sides: every action says whose it is (1)."""
        return SIDES

    def start(self) -> Pos:
        """The printed set-up (14), before the draws of the first turn."""
        return self._start

    def arranged(self, **layout: Any) -> Pos:
        """A position laid out by hand; see ``arranging.arranged``. Raises KeyError for names that there are not."""
        return arranged(self.setting, self._start, **layout)

    def parse(self, text: str) -> Action:
        """An action from its notation. Raises NotationError."""
        return actions.parse(text, self._names)

    def sentence(self, reason: Reason) -> str:
        """A reason as one sentence."""
        return sentences.sentence(reason)

    def unit(self, piece: str) -> int:
        """The engine's number of a unit, or of a formation after all units. Raises KeyError."""
        g = self.setting
        return g.units.index[piece] if piece in g.units.index else len(g.units.ids) + g.gfs.index[piece]

    def subject(self, a: Action) -> int | None:
        """The unit or formation that an action is about (the first of several), None for the others."""
        named = getattr(a, "unit", None) or getattr(a, "gf", None) or next(iter(getattr(a, "gfs", ())), None)
        return self.unit(named) if named else None

    def wrong_step(self, p: Pos, a: Action) -> Reason:
        """Why the action does not fit the step."""
        return wrong_step(self.setting, p, a)

    def wrong_hand(self, p: Pos, a: Action) -> Reason:
        """Why the player may not decide this."""
        return wrong_hand(self.setting, p, a)

    def view(self, p: Pos, side: str | None) -> Pos:
        """What that side may see."""
        return view(self.setting, p, side)

    def broken(self, p: Pos) -> Iterator[str]:
        """Invariants that do not hold."""
        return broken(self.setting, p)


def set_up(g: Setting, box: Box) -> Pos:
    """14: every counter where the set-up has it, R-F23 for who controls what, and the card of 14.2."""
    land, gfs, units = g.land, g.gfs, g.units
    rows = [r for r in box["setups"] if r.text("setup") == g.terms.setup]
    lies = {r.text("piece"): r.text("printed") if g.terms.printed_setup and r.text("printed") else r.text("place") for r in rows}
    turned = {r.text("piece") for r in rows if r.text("state") == "reduced"}
    inside = land.places.inside
    hidden = [bytearray([inside] * len(units.ids)) for _ in SIDES]
    down = [0, 0, 0]
    at = bytearray([inside] * len(units.ids))
    for unit, name in enumerate(units.ids):
        place, side = land.places.index[lies[name]], units.side[unit]
        if place == g.reserve(side) or land.places.display <= place < land.places.display + len(gfs.ids):
            hidden[side][unit] = place
            down[side] |= 1 << unit if name in turned else 0
        else:
            at[unit] = place
    hands = g.cards.start
    no_gf = bytes(len(gfs.ids))
    west, soviet, axis = (Sealed(True, bytes(hidden[s]), down[s], hands[s]) for s in range(3))
    start = tuple(track[0] for track in g.terms.tracks)
    return Pos(
        turn=g.terms.first_turn,
        agenda=(Frame("phase", ()),),
        phase=-1,
        control=land.start_control,
        gf_at=bytes(land.places.index[lies[name]] for name in gfs.ids),
        at=bytes(at),
        sealed=(west, soviet, axis),
        pr=(start[0], start[1], start[2], start[3]),
        held=tuple(((hand & g.cards.national[s]).bit_count(), 0) for s, hand in enumerate(hands)),
        pa=no_gf,
        extra=no_gf,
        group=bytes([NOBODY] * len(gfs.ids)),
        fought=bytes(land.size),
        baltic=bytes([NOBODY] * len(land.baltic)),
    )


def compile_game(
    box: Box, scenario: str = "campaign", chosen: frozenset[str] = frozenset(), *, lenient: bool = False, rules: int | None = None
) -> OverlordToBerlin:
    """The game from its box, in the newest rules version or in an older one.

    Raises UsageError for a switch or rules version that cannot be played.
    """
    terms = apply_amendments(compile_terms(box, scenario), AMENDMENTS, rules)
    terms = apply_options(terms, chosen, options(box), scenario)
    g = Setting(
        compile_land(box, lenient=lenient), compile_formations(box), compile_units(box), compile_cards(box), compile_charts(box), terms
    )
    return OverlordToBerlin(g, chosen, box.data_hash, set_up(g, box), latest(AMENDMENTS) if rules is None else rules)


def book(
    box: Box, scenario: str = "campaign", options: frozenset[str] = frozenset(), *, lenient: bool = False, rules: int | None = None
) -> Book[Pos]:
    """The game as a ``Book``; raises what ``compile_game`` does."""
    return Book(compile_game(box, scenario, options, lenient=lenient, rules=rules))
