"""Cards: drawn out of a deck into a hand, played before everybody's eyes, put back, handed on.

A deck that lies face down gives its cards out masked, for the side of whoever draws. In the hand, on its side's own display, the mask
is taken off again: the display is hidden as a whole, and whoever takes over the side must see the cards. No report names a card before
it is played.
"""

from __future__ import annotations

from modgen.formats.vassal.traits import make
from modgen.layout.abilities import Card, Menu
from modgen.vassal import names
from modgen.vassal.abilities.hiding import cover
from modgen.vassal.abilities.part import Bench, Entry, Part, joined, press, said
from modgen.vassal.idioms import Trait, dynamic, either, neither, quoted, report, trigger
from modgen.vassal.names import command

COVER = Menu("Turn face down or up", "", "")
PLAY = Menu("Play (shows it to all)", "", "")
BACK = Menu("Back to the deck", "", "")


def draw_order(hand: str) -> str:
    """The order to go from the deck into a hand, by the box's id."""
    return f"draw-{hand}"


def _go(bench: Bench, key: str, place: str) -> Trait:
    to = bench.spot(place)
    return make("sendto", key=command(key), map=to.map, x=to.across, y=to.at, x_offset=0, y_offset=0), ";;"


def _bound(bench: Bench, key: str, place: str) -> tuple[tuple[str, str], ...]:
    to = bench.spot(place)
    return ((command(key), to.name),) if to.gaps else ()


def card(bench: Bench) -> Part:
    """Everything that a card can do; its mask stands outermost."""
    item = bench.prototype.card
    if item is None:
        return Part()
    deck, shown = bench.area(item.deck).name, bench.spot(item.shown).name
    hands = [bench.spot(hand).name for hand in item.hands]
    in_hand, in_play = either("LocationName", hands), "{" + f"LocationName=={quoted(shown)}" + "}"
    seen = "{" + f"{neither('LocationName', hands)[1:-1]} && ObscuredToOthers!=true" + "}"
    unseen = "{" + f"{in_hand[1:-1]} || ObscuredToOthers==true" + "}"
    covering = command("maskMenu")
    back = command(f"order-{item.order}") if item.order else press(BACK, "cardBack")
    common = Part(
        outer=(cover(bench, item.mask, COVER, "mask"),),
        says=(
            report(command("playSay"), f"$CardFrom$: $BasicName$ is played. ${names.SAYS}$"),
            report(command("backSay"), f"$BasicName$ goes back: {deck}"),
            report(command("quietBackSay"), f"A card goes back: {deck}"),
        ),
        menus=(
            trigger(PLAY.text, press(PLAY, "play"), in_hand, *(command(c) for c in ("cardNote", "uncover", "playGo", "playSay"))),
            trigger(BACK.text, back, "", command("backShown"), command("backHidden")),
            # In its deck a card must not be covered: whoever draws it next could not move it.
            trigger("", command("backShown"), seen, command("cardBackGo"), command("backSay")),
            trigger("", command("backHidden"), unseen, command("uncover"), command("cardBackGo"), command("quietBackSay")),
            trigger("", command("uncover"), "{ObscuredToOthers==true}", covering),
        ),
        inner=(
            dynamic("CardFrom", "", (command("cardNote"), "{LocationName}")),
            _go(bench, "playGo", item.shown),
            (make("return", menu="", key=command("cardBackGo"), old_deck=deck, prompt="", select=False, deck=deck), ""),
        ),
        aid=(
            Entry("", PLAY.text, f"from the hand to {shown}; the log says what it does"),
            Entry("", BACK.text, f"into {deck}"),
            Entry("", COVER.text, "hides it from the other sides, and shows it again"),
        ),
        hides=((in_play, press(PLAY, "play")),),
        orders=((item.order, back),) if item.order else (),
    )
    return joined((common, *(_draw(bench, deck, hand) for hand in item.hands), *_lend(bench, item)))


def _draw(bench: Bench, deck: str, hand: str) -> Part:
    order = draw_order(hand)
    key = command(f"order-{order}")
    return Part(
        says=(report(command(f"{order}Say"), f"A card is drawn: {deck}, into {bench.spot(hand).name}"),),
        menus=(trigger("", key, "", command(f"{order}Go"), command(f"{order}Say"), command("uncover")),),
        inner=(_go(bench, f"{order}Go", hand),),
        orders=((order, key),),
        bound=_bound(bench, f"{order}Go", hand),
    )


def _lend(bench: Bench, item: Card) -> list[Part]:
    out = []
    for number, (giver, taker, menu) in enumerate(item.lend, 1):
        key, pressed = f"lend{number}", press(menu, f"lend{number}")
        where = "{" + f"LocationName=={quoted(bench.spot(giver).name)}" + "}"
        away = "{" + f"LocationName!={quoted(bench.spot(giver).name)}" + "}"
        out.append(
            Part(
                says=(said(menu, f"{key}Say", f"A card is handed on: {bench.spot(giver).name} to {bench.spot(taker).name}"),),
                menus=(trigger(menu.text, pressed, where, command("uncover"), command(f"{key}Go"), command(f"{key}Say")),),
                inner=(_go(bench, f"{key}Go", taker),),
                bound=_bound(bench, f"{key}Go", taker),
                aid=(Entry(names.pressed(menu.key), menu.text, "the other sides hear that a card passed, not which"),),
                hides=((away, pressed),),
            )
        )
    return out
