"""Displays, decks and what may be said of them, for every game that hides pieces: nothing hidden reaches the other side's chat."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from gamebox.load import data_root
from modgen.formats.vassal import sequence
from modgen.formats.vassal.keys import key
from modgen.formats.vassal.pieces import Piece, Trait
from modgen.formats.vassal.saves import read_save
from modgen.layout.abilities import Prototype
from modgen.vassal import names
from tests.formats.files import SAMPLE

from .acting import Actor, Table, named
from .conftest import GAMES, Builder, Built
from .looking import changers, reports

HIDING = tuple(game for game in GAMES if "[[display]]" in (data_root() / game / "module.toml").read_text("utf-8"))
PLACE = re.compile(r"\$(LocationName|ElimFrom|OldLocationName|CurrentZone|location|previousLocation)\$")
NAME = re.compile(r"\$(BasicName|PieceName|newPieceName|oldPieceName|pieceName)\$")


@pytest.fixture(scope="module", params=HIDING)
def built(request: pytest.FixtureRequest, builder: Builder) -> Built:
    return builder(request.param)


def secret(built: Built) -> Iterator[tuple[Prototype, Piece]]:
    """The prototypes of pieces that the other side does not see."""
    return ((p, built.module.prototypes[p.name]) for p in built.layout.play.prototypes if p.secret)


def cards(built: Built) -> Iterator[tuple[Prototype, Piece]]:
    """The prototypes of cards."""
    return ((p, built.module.prototypes[p.name]) for p in built.layout.play.prototypes if p.card is not None)


def goes(piece: Piece) -> Iterator[tuple[str, Trait]]:
    """The key of each menu entry that sends a piece somewhere, and the trait that does it."""
    sends = {named(t.field("key")): t for t in piece.traits if t.id == "sendto"}
    for trait in piece.traits:
        if trait.id == "sendto" and trait.field("menu"):
            yield named(trait.field("key")), trait
        elif trait.id == "macro" and trait.field("menu"):
            for one in sequence.decode(trait.field("action_keys"), ","):
                if named(one) in sends:
                    yield named(trait.field("key")), sends[named(one)]


def spoken(piece: Piece, pressed: str) -> list[str]:
    """What is said when a key is pressed, by the reports of it and of the keys that its triggers send."""
    said = {named(k): t.field("format") for t in piece.traits if t.id == "report" for k in sequence.decode(t.field("keys"), ",")}
    keys = [pressed] + [
        named(one)
        for t in piece.traits
        if t.id == "macro" and named(t.field("key")) == pressed
        for one in sequence.decode(t.field("action_keys"), ",")
    ]
    return [said[one] for one in keys if one in said]


# --- windows


def test_displays_open_for_their_seats_only(built: Built) -> None:
    windows = {e.get("mapName"): e for e in built.all("module.PrivateMap")}
    assert set(windows) == {d.name for d in built.layout.displays}
    for display in built.layout.displays:
        window = windows[display.name]
        assert window.get("visible") == "false"
        seats = sequence.decode(window.get("side"), ",")
        assert tuple(seats) == display.seats and set(built.layout.play.referees) <= set(seats)
        assert set(seats) < {*built.layout.play.players, *built.layout.play.referees}


def test_moves_into_a_display_are_told_without_a_name_and_inside_not_at_all(built: Built) -> None:
    for window in built.all("module.PrivateMap"):
        assert window.get("moveWithinFormat") == window.get("createFormat") == ""
        assert not re.search(r"\$(?!message)", window.get("moveToFormat"))
        assert window.get("changeFormat") == "$message$", "reports of pieces on it would be swallowed"
    (main,) = built.all("module.Map")
    assert "$previousLocation$" not in main.get("moveToFormat"), "the display's boxes would be named"


def test_a_list_of_a_side_is_for_those_who_see_its_display(built: Built) -> None:
    """A common list would name what lies on the other side's display."""
    main = built.layout.board.map
    sees = {d.side: set(d.seats) for d in built.layout.displays}
    for listed in built.all("module.Inventory"):
        sides = {side for side in sees if f'"{side}"' in listed.get("include")}
        if f'CurrentMap=="{main}"' in listed.get("include"):
            continue
        seats = set(sequence.decode(listed.get("sides"), ",")) - {""}
        assert sides and seats and all(seats <= sees[side] for side in sides), listed.get("name")


# --- what is said


def test_reports_of_hidden_pieces_name_no_place_but_open_ones(built: Built) -> None:
    """Where a unit comes from is never said; where it goes is, if everybody sees that place or it is told by the rules."""
    main = built.layout.board.map
    rooms = {room.name for d in built.layout.displays for room in d.rooms}
    for prototype, piece in secret(built):
        told = [text for text in reports(piece).values() if PLACE.search(text)]
        for pressed, send in goes(piece):
            words = [text for text in spoken(piece, pressed) if PLACE.search(text)]
            if send.field("map") != main:
                target = re.findall(r'CountLocation\("([^"]*)"', send.field("x"))
                assert not words or set(target) <= rooms, (prototype.name, words)
            told = [text for text in told if text not in words]
        assert not told, (prototype.name, told)
        assert not any("ElimFrom" in text or "OldLocationName" in text for text in reports(piece).values()), prototype.name


def test_what_happens_inside_a_display_is_not_told(built: Built) -> None:
    displays = {d.name for d in built.layout.displays}
    for prototype, piece in secret(built):
        quiet = [(pressed, send) for pressed, send in goes(piece) if send.field("map") in displays and send.field("menu")]
        assert quiet, prototype.name
        for pressed, _ in quiet:
            assert not spoken(piece, pressed), prototype.name
        (restored,) = (text for heard, text in reports(piece).items() if heard == "restoreSay")
        assert not NAME.search(restored) and not PLACE.search(restored) and prototype.secret in restored


def test_hidden_pieces_and_cards_tell_the_log_nothing_by_table_talk(built: Built) -> None:
    """The client writes such a line with true names whatever the mask: cards have it only where they lie played."""
    for prototype, piece in secret(built):
        assert not [t for t in piece.traits if t.id == "setprop"], prototype.name
    for prototype, piece in cards(built):
        assert prototype.card is not None
        tells = {named(k) for t in piece.traits if t.id == "setprop" for k, _ in changers(t)}
        assert bool(tells) == bool(prototype.talks), prototype.name
        for trait in piece.traits:
            if trait.id == "macro" and tells.intersection(named(k) for k in sequence.decode(trait.field("action_keys"), ",")):
                assert trait.field("filter") == f'{{LocationName=="{prototype.card.shown}"}}', prototype.name


def test_no_report_names_a_card_but_when_it_is_played_or_lies_open(built: Built) -> None:
    for prototype, piece in cards(built):
        naming = {heard for heard, text in reports(piece).items() if NAME.search(text)}
        # Table talk of a card is of one that lies played.
        assert {heard for heard in naming if not heard.startswith("talk")} == {"playSay", "backSay"}, prototype.name
        for trait in piece.traits:
            if trait.id == "macro" and "backSay" in [key(k).name for k in sequence.decode(trait.field("action_keys"), ",")]:
                assert "ObscuredToOthers!=true" in trait.field("filter")


# --- masks and decks


def test_masks_stand_outermost_and_belong_to_a_side(built: Built) -> None:
    for prototype, piece in built.module.prototypes.items():
        masks = [n for n, t in enumerate(piece.traits) if t.id == "obs"]
        assert masks in ([], [0]), prototype
        for n in masks:
            assert piece.traits[n].field("access") == "side:" and piece.traits[n].field("style") == "I"
            assert f"images/{piece.traits[n].field('image')}" in built.entries


def test_a_deck_is_written_as_the_engine_writes_one(built: Built) -> None:
    """Field by field like the deck of a save that the engine wrote, but for what its component says."""
    genuine = sequence.decode(next(iter(read_save(SAMPLE / "sample-start.vsav").decks.values())).type, ";")
    own = {3, 4, 6, 13, 14, 21, 48, 49}  # size, how it is shuffled, name, words of the shuffle, how high it is drawn, who may draw
    components = {e.get("name"): e for e in built.all("module.map.DrawPile")}
    for save in built.saves.values():
        assert {d.name for d in save.decks.values()} == set(components)
        for deck in save.decks.values():
            fields = sequence.decode(deck.type, ";")
            assert len(fields) == len(genuine)
            assert [f for n, f in enumerate(fields) if n not in own] == [f for n, f in enumerate(genuine) if n not in own]
            made = components[deck.name]
            assert fields[3:5] == [made.get("width"), made.get("height")] and fields[5:7] == [made.get("faceDown"), made.get("shuffle")]
            assert fields[21] == made.get("maxStack")
            assert fields[48:] == [made.get("deckRestrictAccess"), made.get("deckOwners")]
            assert deck.face_down and (deck.x, deck.y) == (int(made.get("x")), int(made.get("y")))


def test_every_card_has_its_slot_in_its_deck(built: Built) -> None:
    slots = {e.get("gpid"): pile.get("name") for pile in built.all("module.map.DrawPile") for e in pile.children}
    for save in built.saves.values():
        inside = {m: d.name for d in save.decks.values() for m in d.members}
        hands = {p.id for p in save.pieces.values() if p.basic.map in {d.name for d in built.layout.displays}}
        for piece in save.pieces.values():
            if piece.basic.gpid in slots:
                assert inside.get(piece.id, slots[piece.basic.gpid]) == slots[piece.basic.gpid]
                assert (piece.id in inside) != (piece.id in hands)


# --- played out


def table(built: Built, seat: str) -> Table:
    return Table(built, built.save, seat)


def drawn(play: Table, built: Built, hand: str) -> list[Actor]:
    name = hand_place(built, hand)
    return [a for a in play.actors.values() if a.map == name[0] and play.where(a) == name[1]]


def hand_place(built: Built, hand: str) -> tuple[str, str]:
    """(map, place) of a hand by its box."""
    (found,) = ((d.name, room.name) for d in built.layout.displays for room in d.rooms if room.id == hand)
    return found


def seats_of(built: Built, deck: str) -> tuple[str, ...]:
    return next(d.seats for d in built.layout.play.decks if d.box == deck)


def test_cards_are_drawn_into_the_hand_unseen_and_named_only_when_played(built: Built) -> None:
    for draw in built.layout.play.draws:
        play = table(built, seats_of(built, draw.deck)[0])
        before = {a.id for a in drawn(play, built, draw.hand)}
        said = play.button(draw.text)
        new = [a for a in drawn(play, built, draw.hand) if a.id not in before]
        assert len(new) == draw.cards == len(said)
        for card in new:
            assert not card.masked and not any(card.name in line for line in said)
            assert len({(a.x, a.y) for a in drawn(play, built, draw.hand)}) == len(drawn(play, built, draw.hand)), "side by side"
        card = new[0]
        (line,) = play.choose(card, "Play (shows it to all)")
        assert card.name in line and card.marker(names.SAYS) in line and play.where(card) in {h.name for h in built.layout.board.holds}
        assert "Play (shows it to all)" not in play.menu(card)
        (line,) = play.choose(card, "Back to the deck")
        assert card.name in line and card.deck and not card.masked
        if len(new) > 1:
            (line,) = play.choose(new[1], "Back to the deck")
            assert new[1].name not in line and new[1].deck, "what was never shown is not named"


def test_nobody_draws_from_the_others_deck(built: Built) -> None:
    closed = [d for d in built.layout.play.draws if set(built.layout.play.players) - set(seats_of(built, d.deck))]
    assert closed
    for draw in closed:
        for seat in set(built.layout.play.players) - set(seats_of(built, draw.deck)):
            play = table(built, seat)
            assert play.button(draw.text) == []


def test_a_card_drawn_by_mouse_can_be_shown_and_put_back_by_its_side(built: Built) -> None:
    """Masked for its side it stays unknown to the others, and in its deck it must not be masked: nobody else could move it."""
    draw = built.layout.play.draws[0]
    mine, other = seats_of(built, draw.deck)[0], next(s for s in built.layout.play.players if s not in seats_of(built, draw.deck))
    play = table(built, mine)
    play.button(draw.text)
    card = drawn(play, built, draw.hand)[0]
    card.masked = mine
    play.seat = other
    assert play.menu(card) == []
    play.press(card, next(t.field("key") for t in card.traits if t.id == "obs"))
    assert card.masked == mine
    play.seat = mine
    (line,) = play.choose(card, "Back to the deck")
    assert card.name not in line and card.deck and not card.masked


def test_a_card_dragged_into_its_hand_is_unmasked_there_and_goes_back_with_the_others(built: Built) -> None:
    """The engine hands a card that is dragged out of a deck over masked, and gives what ends a move on a map that map's key."""
    held = {hand_place(built, hand)[0] for prototype, _ in cards(built) if prototype.card is not None for hand in prototype.card.hands}
    windows = {w.get("mapName"): w for w in built.all("module.PrivateMap")}
    assert held <= set(windows)
    assert {name for name, window in windows.items() if window.get("moveKey")} == held
    draw = built.layout.play.draws[0]
    mine = seats_of(built, draw.deck)[0]
    play = table(built, mine)
    play.button(draw.text)
    card = drawn(play, built, draw.hand)[0]
    card.masked = mine
    key = windows[card.map].get("moveKey")
    play.press(card, key)
    assert not card.masked
    play.press(card, key)
    assert not card.masked, "a card that lies open stays so when it is moved about in the hand"


def test_a_card_is_handed_on_unnamed(built: Built) -> None:
    for prototype, _ in cards(built):
        assert prototype.card is not None
        for giver, taker, menu in prototype.card.lend:
            play = table(built, built.layout.play.players[0])
            draw = next(d for d in built.layout.play.draws if d.hand == giver and d.deck == prototype.card.deck)
            before = {a.id for a in drawn(play, built, giver)}
            play.button(draw.text)
            card = next(a for a in drawn(play, built, giver) if a.id not in before)
            (line,) = play.choose(card, menu.text)
            assert card.name not in line and play.where(card) == hand_place(built, taker)[1]
            assert menu.text not in play.menu(card)


def test_all_cards_of_the_turn_go_back_at_once(built: Built) -> None:
    for order in built.layout.play.orders:
        decks = {p.card.deck for p in built.layout.play.prototypes if p.card is not None and p.card.order == order.order}
        for deck in decks:
            play = table(built, built.layout.play.referees[0])
            name = next(b.name for b in built.layout.board.boxes if b.id == deck)
            full = sum(a.deck == name for a in play.actors.values())
            for draw in built.layout.play.draws:
                play.button(draw.text)
            assert sum(a.deck == name for a in play.actors.values()) < full
            others = sum(bool(a.deck) and a.deck != name for a in play.actors.values())
            said = play.button(order.text)
            assert sum(a.deck == name for a in play.actors.values()) == full
            assert sum(bool(a.deck) and a.deck != name for a in play.actors.values()) == others, "the others stay in hand"
            assert not any(a.name in line for a in play.actors.values() if a.marker(names.SAYS) for line in said)


def test_units_take_the_next_free_slot_of_a_formation(built: Built) -> None:
    for display in built.layout.displays:
        play = table(built, display.seats[0])
        units = [a for a in play.actors.values() if a.map == display.name and a.marker(names.UNIT)]
        prototype = built.layout.play.prototype(next(p for p in built.box.pieces if p.id == units[0].marker(names.UNIT)))
        regions = play.regions(display.name)
        for send in (s for s in prototype.sends if s.under and s.quiet):
            slots = [xy for name, xy in regions.items() if re.fullmatch(re.escape(f"{send.menu.text} box ") + r"\d+", name)]
            box = f"{send.menu.text} box"
            there = [u for u in units if play.where(u) == box]
            assert {(u.x, u.y) for u in there} <= set(slots) and len(there) <= len(slots), box
            for unit in [u for u in units if play.where(u) != box][: len(slots) - len(there)]:
                said = play.choose(unit, send.menu.text)
                assert said == [] and play.where(unit) == box
            inside = [(u.x, u.y) for u in units if play.where(u) == box]
            assert sorted(inside) == sorted(slots), box
            play = table(built, display.seats[0])
            units = [a for a in play.actors.values() if a.map == display.name and a.marker(names.UNIT)]


def test_a_unit_is_reduced_eliminated_and_rebuilt_in_the_open(built: Built) -> None:
    for prototype, _ in secret(built):
        unit_id = next(p.id for p in built.box.pieces if built.layout.play.prototype(p) is prototype)
        play = table(built, built.layout.play.referees[-1])
        unit = play.of(unit_id)
        if unit.map == built.layout.board.map:
            continue
        while unit.level > 1:
            assert play.choose(unit, "Restore a step") == [f"{prototype.secret}: a step is restored"]
        home = (unit.map, unit.x, unit.y)
        place = play.where(unit)
        (line,) = play.choose(unit, "Lose a step")
        assert unit.level == 2 and unit.name in line and place not in line
        (line,) = play.choose(unit, "Lose a step")
        assert prototype.eliminate is not None
        (dead,) = {b.name for b in built.layout.board.boxes if b.id in dict(prototype.eliminate.boxes).values()}
        assert play.where(unit) == dead in line and place not in line
        assert not {"Lose a step", "Eliminate"} & set(play.menu(unit)), "the dead lose nothing"
        assert not [s.menu.text for s in prototype.sends if s.under and s.menu.text in play.menu(unit)], "nor join a formation"
        (line,) = play.choose(unit, "Bring back")
        assert (unit.map, unit.x, unit.y) == home and place not in line
        for entry, level in (("Rebuild at full strength", 1), ("Rebuild reduced", 2)):
            play.choose(unit, "Eliminate")
            (line,) = play.choose(unit, entry)
            assert unit.level == level and unit.map == home[0] and unit.name in line and play.where(unit) in line


def test_markers_step_along_their_tracks(built: Built) -> None:
    placed = {p.markers().get(names.MARKER_ID) for p in built.save.pieces.values()}
    stepping = [(p, m) for p in built.layout.play.prototypes if p.along is not None for m in p.markers if m in placed]
    assert stepping
    for prototype, marker_id in stepping:
        along = prototype.along
        assert along is not None
        play = table(built, built.layout.play.players[0])
        marker = play.of(marker_id)
        if play.where(marker) not in play.regions(marker.map):
            play.choose(marker, along.up.text)
        seen = [play.where(marker)]
        while along.up.text in play.menu(marker) and (len(seen) == 1 or play.where(marker) != seen[0]):
            (line,) = play.choose(marker, along.up.text)
            seen.append(play.where(marker))
            assert line.endswith(seen[-1])
        if along.around:
            assert seen.pop() == seen[0], "round the end"
            marker.x, marker.y = play.regions(marker.map)[seen[-1]]
        assert len(set(seen)) == len(seen) > 4
        for place in reversed(seen[:-1]):
            play.choose(marker, along.down.text)
            assert play.where(marker) == place
        assert along.down.text not in play.menu(marker)
        marker.x, marker.y = -50, -50
        play.choose(marker, along.up.text)
        assert play.where(marker) == seen[0], "from beside the track onto its first cell"


def test_a_strength_is_counted_by_faces_and_told_by_its_own_side_only(built: Built) -> None:
    box, rng = built.box, random.Random(1944)
    telling = [(p, piece) for p in built.layout.play.prototypes if p.strength is not None for piece in box.pieces]
    for prototype, piece in telling:
        item = prototype.strength
        if item is None or built.layout.play.prototype(piece) is not prototype:
            continue
        play = table(built, item.seats[0])
        formation = play.of(piece.id)
        display, place = formation.marker("OwnBoxMap"), formation.marker("OwnBox")
        units = [a for a in play.actors.values() if a.map == display and a.marker("Full")]
        for unit in units:
            for _ in range(rng.randrange(2)):
                if "Lose a step" in play.menu(unit) and unit.level == 1:
                    play.choose(unit, "Lose a step")
        inside = [u for u in units if play.where(u) == place]
        rows = {p.id: p.row for p in box.pieces}
        total = sum(rows[u.marker(names.UNIT)].int(("full", "reduced")[u.level - 1]) for u in inside)
        elite = any(rows[u.marker(names.UNIT)].int("elite") for u in inside)
        (line,) = play.choose(formation, item.menu.text)
        whole, half = (column(built, item.table, item.high, item.named, value) for value in (total, total // 2))
        assert f"strength {total} (column {whole}), half {total // 2} (column {half})" in line, line
        assert line.endswith("with an elite" if elite else "without elites") and formation.name in line
        assert not any(u.name in line for u in inside)
        for other in {*built.layout.play.players} - set(item.seats):
            play.seat = other
            assert item.menu.text not in play.menu(formation)
            before = len(play.chat)
            play.press(formation, next(t.field("key") for t in formation.traits if t.id == "macro" and t.field("menu") == item.menu.text))
            assert len(play.chat) == before, "nor by its key"


def column(built: Built, table_name: str, high: str, named_by: str, value: int) -> str:
    """The column of a strength, by the table itself."""
    if value < 1:
        return "none"
    rows = list(built.box[table_name])
    return next(r.text(named_by) for r in rows if not r.text(high) or value <= r.int(high))
