"""Every game's module as the engine will read it: only names it knows, nothing that it would drop without a word, nothing that stops it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator

import pytest
from PIL import Image

from modgen.build import IDENTITY, content_hash
from modgen.formats.vassal import sequence
from modgen.formats.vassal.keys import key
from modgen.formats.vassal.pieces import Piece, Trait, expand, split_traits
from modgen.formats.vassal.xml import Element
from modgen.layout.places import zone_name
from modgen.vassal import help as player_aid
from modgen.vassal import names

from .acting import Actor
from .acting import Table as Play
from .conftest import GAMES, Builder, Built
from .looking import COMPONENTS, IDIOMS, M, changers, definitions, expressions, form, heard_keys, images_of, proved, reports, sent_keys

SLOTS = ("VASSAL.build.widget.PieceSlot", "VASSAL.build.widget.CardSlot")

READ = {("return", 0, "")}
"""Forms of fields that were read in the engine's source, not run: an entry without words stays out of the menu, its key is heard."""


@pytest.fixture(scope="module", params=GAMES)
def built(request: pytest.FixtureRequest, builder: Builder) -> Built:
    return builder(request.param)


def test_every_class_and_attribute_is_one_of_the_engines(built: Built) -> None:
    wrong = []
    for found in built.root.iter():
        known = COMPONENTS.get(found.name)
        if known is None:
            wrong.append(f"class {found.name}")
            continue
        wrong += [f"{found.name} {name}" for name in found.attributes if name not in known["attributes"]]
    assert not wrong


def test_every_component_stands_where_the_engine_allows_it(built: Built) -> None:
    wrong = []
    for parent in built.root.iter():
        allowed = COMPONENTS[parent.name]["children"]
        wrong += [f"{child.name} in {parent.name}" for child in parent.children if child.name not in allowed]
    assert not wrong


def test_numbers_and_flags_are_what_the_engine_reads(built: Built) -> None:
    """A word in a numeric attribute drops the component."""
    numeric = {
        "x0",
        "y0",
        "hOff",
        "vOff",
        "hLeading",
        "vLeading",
        "originx",
        "originy",
        "nDice",
        "nSides",
        "start",
        "gpid",
        "width",
        "height",
    }
    flags = {
        "sideways",
        "snapTo",
        "useParentGrid",
        "stagger",
        "hDescend",
        "vDescend",
        "reversible",
        "useFile",
        "isMenu",
        "canDisable",
        "doHotkey",
    }
    for found in built.root.iter():
        for name, value in found.attributes.items():
            if name in numeric:
                assert re.fullmatch(r"-?\d+", value), (found.name, name, value)
            if name in flags:
                assert value in ("true", "false"), (found.name, name, value)


def test_the_encoder_comes_first_and_the_boards_before_anything_on_them(built: Built) -> None:
    assert built.root.children[0].name == M + "BasicCommandEncoder"
    for found in (*built.all("module.Map"), *built.all("module.PrivateMap")):
        order = [child.name for child in found.children]
        assert order[0] == M + "map.BoardPicker"


def test_the_map_has_what_it_takes_to_move_pieces(built: Built) -> None:
    main, *others = built.all("module.Map")
    for found in (main, *others, *built.all("module.PrivateMap")):
        have = {child.name.rpartition(".")[2] for child in found.children}
        assert {"PieceMover", "KeyBufferer", "MenuDisplayer", "ForwardToKeyBuffer", "ForwardToChatter", "StackExpander"} <= have
        assert {"Scroller", "MapCenterer", "CounterDetailViewer", "Zoomer", "LayeredPieceCollection"} <= have
    assert {"ImageSaver", "GlobalMap", "HighlightLastMoved"} <= {child.name.rpartition(".")[2] for child in main.children}


def test_no_key_command_has_an_empty_condition(built: Built) -> None:
    assert not [e.name for e in built.root.iter() if "condition" in e.attributes]


def test_the_engine_version_lets_it_read_the_build_file(built: Built) -> None:
    major, minor = map(int, built.root.get("VassalVersion").split(".")[:2])
    assert (3, 5) <= (major, minor) <= (3, 7)
    assert b"<VassalVersion>" + built.root.get("VassalVersion").encode() in built.entries["moduledata"]


def test_hex_numbers_keep_their_leading_zero(built: Built) -> None:
    (options,) = built.all("module.GlobalOptions")
    assert options.get("storeLeadingZeroIntegersAsStrings") == "true"
    assert options.get("autoReport") == "Always"


def test_traits_parse_with_as_many_states_as_types(built: Built) -> None:
    """One state too few stops the whole module."""
    for found in built.root.iter():
        if found.name in (*SLOTS, M + "PrototypeDefinition"):
            command = sequence.decode(found.text, "/")
            assert command[:2] == ["+", "null"]
            types = sequence.split_nested(command[2], "\t", stop="piece;")
            assert len(sequence.split_nested(command[3], "\t")) == len(types), found.get("name")
            assert types[-1].startswith("piece;")


def test_piece_texts_survive_the_engines_own_writing(built: Built) -> None:
    """Traits that end in a backslash, or start and end with a quote, would not."""
    for what, piece in definitions(built):
        types, states = split_traits(piece.type, piece.state)
        assert [t.text for t in piece.traits] == types, what
        assert [t.state for t in piece.traits] == states, what
        for trait in piece.traits:
            assert not trait.text.endswith("\\"), what


def test_every_trait_is_written_like_one_that_ran_in_the_engine(built: Built) -> None:
    seen, wrong = proved(), []
    for what, piece in definitions(built):
        for trait in piece.traits:
            if trait.id in ("piece", "mark", "prototype"):
                continue
            assert trait.id in seen, f"{what}: no such trait was ever run: {trait.id}"
            fields = list(trait.fields)
            if str(len(fields)) not in seen[trait.id][-1]:
                wrong.append(f"{what}: {trait.id} with {len(fields)} fields")
            wrong += [
                f"{what}: {trait.text} field {n} is {form(v)}"
                for n, v in enumerate(fields)
                if form(v) not in seen[trait.id].get(n, set()) and (trait.id, n, form(v)) not in READ
            ]
    assert not wrong, "\n".join(dict.fromkeys(wrong))


def test_every_state_is_that_of_a_fresh_trait(built: Built) -> None:
    fresh = {(text.partition(";")[0], state) for text, state in IDIOMS}
    for what, piece in definitions(built):
        for trait in piece.traits:
            if trait.id not in ("piece", "mark", "prototype", "PROP"):
                assert (trait.id, trait.state) in fresh, (what, trait)


def test_prototypes_that_are_used_exist(built: Built) -> None:
    for slot in built.module.slots:
        assert expand(slot.piece, built.module.prototypes)[1] == ()


def test_gpids_are_unique_and_below_the_next(built: Built) -> None:
    found = [e.get("gpid") for e in (*built.all("widget.PieceSlot"), *built.all("widget.CardSlot"))]
    assert len(found) == len(set(found)) == len(built.box.pieces) + len(built.layout.counters.markers)
    assert max(map(int, found)) < int(built.root.get("nextPieceSlotId"))
    assert all(slot.piece.basic.gpid == slot.gpid for slot in built.module.slots)


def test_no_marker_takes_a_name_of_the_engine(built: Built) -> None:
    """PieceId is overwritten with the gpid when a piece is placed."""
    reserved = {"PieceId", "PieceUID", "UniqueID", "LocationName", "CurrentZone", "PlayerSide", "Moved", "PieceName", "BasicName"}
    for what, piece in definitions(built):
        assert not reserved & set(piece.markers()), what


def test_every_unit_says_who_it_is(built: Built) -> None:
    units = {p.markers()[names.UNIT]: p for _, p in definitions(built) if names.UNIT in p.markers()}
    assert set(units) == {p.id for p in built.box.pieces}
    for piece in built.box.pieces:
        found = units[piece.id].markers()
        assert (found["Side"], found["Nation"]) == (piece.side, piece.nation)
        assert tuple(int(found[column.capitalize()]) for column in piece.columns) == piece.strengths


def test_only_markers_can_be_deleted_but_those_of_tracks_and_cards(built: Built) -> None:
    stay = {p.name for p in built.layout.play.prototypes if p.card is not None or (p.along is not None and "delete" not in p.can)}
    for slot in built.module.slots:
        traits = {t.id for t in expand(slot.piece, built.module.prototypes)[0].traits}
        used = {t.fields[0] for t in slot.piece.traits if t.id == "prototype"}
        assert ("delete" in traits) == (names.MARKER_ID in slot.piece.markers() and not used & stay), slot.name
        assert "clone" not in traits


def test_names_of_counters_and_places_are_unique(built: Built) -> None:
    slots = [slot.name for slot in built.module.slots]
    properties = [p.get("name") for p in built.all("module.properties.GlobalProperty")]
    boards = built.all("module.map.boardPicker.Board")
    zones = [[z.get("name") for z in board.iter() if z.name.endswith(".mapgrid.Zone")] for board in boards]
    for found in (slots, properties, [b.get("name") for b in boards], *zones):
        assert len(found) == len(set(found))


def test_a_name_on_two_boards_is_the_same_place(built: Built) -> None:
    """A report names the place alone: only a box of the game may lie both on the board and on a card of the set-up window."""
    boxes = {row.text("name") for row in built.box["boxes"]} if "boxes" in built.box.tables else set()
    boxes |= {name for cards in [built.layout.cards] if cards is not None for name in [cards.window]}
    found: dict[str, str] = {}
    for board in built.all("module.map.boardPicker.Board"):
        for zone in board.iter():
            if zone.name.endswith(".mapgrid.Zone") and found.setdefault(zone.get("name"), board.get("name")) != board.get("name"):
                assert zone.get("name") in boxes, zone.get("name")


def test_every_picture_is_there_with_its_extension(built: Built) -> None:
    wanted = {name for _, piece in definitions(built) for name in images_of(piece) if name}
    wanted |= {e.get("image") for e in built.all("module.map.boardPicker.Board")} | {e.get("fileName") for e in built.all("widget.Chart")}
    wanted |= {e.get("fileName") for e in built.all("module.documentation.AboutScreen")}
    wanted |= {e.get("icon") for e in built.root.iter() if e.get("icon") and not e.get("icon").startswith("/images/")}
    assert {f"images/{name}" for name in wanted} <= set(built.entries)
    drawn = {name for name in built.entries if name.startswith("images/")}
    assert drawn == {f"images/{name}" for name in wanted}, "no picture is carried along for nothing"
    pages = [e.get("fileName") for e in (*built.all("widget.HtmlChart"), *built.all("module.documentation.HelpFile"))]
    setups = [e.get("file") for e in built.all("module.PredefinedSetup")]
    assert {*pages, *setups} <= set(built.entries)


def test_no_expression_uses_what_the_engine_lacks_or_misreads(built: Built) -> None:
    for text in expressions(built):
        assert "'" not in text and "\\\\" not in text
        assert not re.search(r"\b(IsMatch|Replace|Max|Abs|charAt|format|split|GetProperty)\(", text), text
        assert not text.startswith('{""+'), "an empty text added to numbers adds the numbers"
        assert text.count("(") == text.count(")") and text.count('"') % 2 == 0
        assert "!" not in text.replace("!=", ""), "negating a missing property is an error"


def test_no_expression_reads_a_name_that_is_a_class_of_java(built: Built) -> None:
    """BeanShell imports java.lang, java.util, java.io, java.net, java.awt and javax.swing by itself: a bare Box may be javax.swing.Box."""
    classes = set(
        "Action Array Boolean Border Box Button Byte Calendar Canvas Character Checkbox Choice Class Color Component Composite Container "
        "Currency Cursor Date Dialog Dictionary Dimension Double Error Event Exception File Float Font Frame Graphics Icon Image Insets "
        "Integer Iterator Label Layout List Locale Long Map Menu Number Object Observer Package Paint Panel Point Polygon Popup Process "
        "Proxy Queue Random Reader Record Rectangle Renderer Robot Scanner Scrollbar Set Shape Short Socket Spring Stack Stroke System "
        "Taskbar Thread Timer Toolkit Transparency Vector Void Window Writer".split()
    )
    for text in expressions(built):
        read = set(re.findall(r"\b[A-Za-z_]\w*", re.sub(r'"[^"]*"', "", text))) - set(re.findall(r"(\w+)[.(]", text))
        assert not read & classes, (read & classes, text)


def test_no_value_ends_in_a_backslash_or_stands_between_dollars(built: Built) -> None:
    for _, piece in definitions(built):
        for trait in piece.traits:
            if trait.id in ("PROP", "setprop"):
                for _, value in changers(trait):
                    assert not value.endswith("\\") and "$" not in value


def test_every_command_that_is_sent_is_heard(built: Built) -> None:
    assert sent_keys(built) <= heard_keys(built)


def test_keys_of_players_do_not_collide(built: Built) -> None:
    """One key on two traits triggers both; two triggers may share one where for every seat only one of them can act."""
    seats = (*built.layout.play.players, *built.layout.play.referees, "")
    for name, piece in built.module.prototypes.items():
        pressed = []
        shared: dict[str, list[Trait]] = {}
        for trait in piece.traits:
            if trait.id == "macro" and "PlayerSide" in trait.field("filter") and key(trait.field("key")).name == "":
                shared.setdefault(trait.field("key"), []).append(trait)
            elif trait.id in ("macro", "markmoved", "footprint", "delete", "obs", "sendto", "placemark", "return"):
                pressed += [trait.field("key")] if key(trait.field("key")).name == "" else []
        pressed = [p for p in pressed if p] + list(shared)
        for traits in shared.values():
            tests = [re.findall(r'PlayerSide([=!]=)"([^"]*)"', t.field("filter")) for t in traits]
            for seat in seats if len(traits) > 1 else ():
                found = [(test[0][0] == "==", seat in {s for _, s in test}) for test in tests]
                assert sum(among == listed for among, listed in found) == 1, (name, seat)
        assert len(pressed) == len(set(pressed)), name
        assert "90,130" not in pressed, "Ctrl-Z is the client's own undo"


def test_talk_is_bumped_before_it_is_said(built: Built) -> None:
    for name, piece in built.module.prototypes.items():
        for trait in piece.traits:
            if trait.id == "macro" and "talk" in trait.field("action_keys"):
                sent = [key(k).name for k in sequence.decode(trait.field("action_keys"), ",")]
                # A line that tells the number of an attack comes behind the mark that gets it.
                told = [word for word in sent if word == "bump" or (word.startswith("talk") and not word.endswith("Say"))]
                assert sent[0] == "bump" and told[::2] == ["bump"] * (len(told) // 2), name
                assert all(word.startswith("talk") for word in told[1::2]) and len(told) % 2 == 0, name


def test_the_player_aid_says_how_to_start_and_when_the_game_ends(built: Built) -> None:
    box, layout = built.box, built.layout
    page = built.entries[player_aid.FILE].decode()
    assert 0 < page.index("<h2>How to start</h2>") < page.index("<h2>Keys</h2>")
    lines = re.findall(r"<li>(.*?)</li>", page[: page.index("<h2>Keys</h2>")])
    for setup in layout.play.setups:
        row = box["scenarios"][setup.scenario]
        (line,) = (line for line in lines if f"<b>{setup.name}</b>" in line)
        assert all(seat in line for seat in setup.seats)
        assert f"Ends after turn {row.int('last_turn')} (rule {row.text('section')})" in line
    assert all(any(name in line for line in lines) for name in (*layout.play.players, *layout.play.referees))


def test_the_next_phase_clears_advances_and_talks(built: Built) -> None:
    (button,) = (b for b in built.all("module.DoActionButton") if b.get("name") == "NextPhase")
    sent = [key(k).name for k in sequence.decode(button.get("hotkeys"), ",")]
    ends = [name for name in sent if name.startswith("ends_")]
    # Where either side may play first, what a game has none of is passed over, and whose phase it is is worked out.
    halves = ["passOver", "workPhase"] if built.layout.play.phases.halves is not None else []
    expected = ["sayCleared", "clearAll", "nextPhase", *halves, *ends, "moduleBump", "talkPhase"]
    assert sent[: len(expected)] == expected and sent[-1] == "sayEnd"
    assert ("sayNews" in sent) == bool(built.layout.play.notices)


def test_no_button_can_go_dead(built: Built) -> None:
    """A gate that closed once would stay closed when the tracker is put back by its own arrow."""
    for found in built.root.iter():
        assert found.get("canDisable", "false") == "false" and found.get("propertyGate") == "", found.get("name")


def test_every_button_says_in_a_sentence_what_it_does(built: Built) -> None:
    """Buttons with a face: the words begin with a capital letter and do more than repeat the name."""
    for found in built.root.iter():
        face = next((found.get(name) for name in ("text", "buttonText", "buttonName", "icon", "iconName") if found.get(name)), "")
        tips = {value for name, value in found.attributes.items() if name.lower().endswith("tooltip") and value}
        if face and found.name.startswith(M) and "Widget" not in found.name and found.name != M + "PrototypeDefinition":
            assert tips, (found.name, face)
        for tip in tips:
            assert tip[0].isupper() and tip.rstrip(".") != face and " the The " not in tip and " the On " not in tip, tip


def test_the_map_opens_at_full_size(built: Built) -> None:
    """The engine counts ``zoomStart`` from the closest level, which is the last of the list."""
    for zoomer in built.all("module.map.Zoomer"):
        levels = [float(level) for level in zoomer.get("zoomLevels").split(",")]
        assert levels == sorted(levels) and levels[len(levels) - int(zoomer.get("zoomStart"))] == 1.0


def test_every_report_names_the_unit_and_the_hex(built: Built) -> None:
    """And every way of sending a unit somewhere has one: the engine itself says nothing of it. Of what the other side does not see,
    less is said: see the tests of leaks."""
    open_to_all = {p.name for p in built.layout.play.prototypes if not p.secret and p.card is None}
    for name, piece in built.module.prototypes.items():
        said = reports(piece)
        for heard, text in said.items() if name in open_to_all else ():
            # A marker put down is named by the words themselves.
            named = "$BasicName$" in text or "$PieceName$" in text or heard.startswith("place_")
            assert "$LocationName$" in text and named, (name, text)
        for trait in piece.traits:
            # Those without words in the menu are steps of others, or what a button asks of all pieces at once.
            if trait.id == "macro" and trait.field("menu"):
                sent = [key(k).name for k in sequence.decode(trait.field("action_keys"), ",")]
                if {"elimGo", "elimBack", "exitGo", "lastHex", "flip"} & set(sent):
                    assert sent[-1] in said, (name, trait.field("name"))


def test_a_declaration_can_be_made_again(built: Built) -> None:
    """A unit may be attacked anew while the mark of an earlier combat lies on it."""
    for name, piece in built.module.prototypes.items():
        for trait in piece.traits:
            if trait.id == "macro" and trait.field("name") in ("Declare attack", "Declare target"):
                assert names.DECLARED not in trait.field("filter"), name


def test_nothing_is_declared_and_no_marker_put_down_outside_of_play(built: Built) -> None:
    """In boxes, piles, pools, tracks and other windows the menu shows these entries as not possible, and their keys do nothing."""
    board = built.layout.board
    fields = {z.name for z in board.zones} if board.areas is None else {zone_name(board, built.box, p) for p in board.areas.places}
    asked: dict[str, tuple[int, int]] = {}
    for setup, save in built.saves.items():
        table = Play(built, save, built.layout.play.referees[0] if built.layout.play.referees else built.layout.play.players[0])
        for actor in table.there():
            prototype = next(t.fields[0] for t in built_slot(built, actor).traits if t.id == "prototype")
            can = next(p for p in built.layout.play.prototypes if p.name == prototype)
            entries = [place.menu.text for place in can.places] + [talk.menu.text for talk in can.talks if can.card is None]
            entries += ["Declare attack", "Declare target"] if "declare" in can.can else []
            inside = (table.look(actor, "CurrentZone") or "") in fields
            counted = asked.setdefault(prototype, (0, 0))
            asked[prototype] = (counted[0] + inside, counted[1] + (not inside))
            if entries and (counted[inside] < 2 or setup == next(iter(built.saves))):
                offered = set(table.menu(actor))
                assert not inside or offered.issuperset(set(entries) - {"Declare target"}), (prototype, entries)
                assert inside or not offered.intersection(entries), (prototype, actor.name, table.where(actor))
    assert any(inside and outside for inside, outside in asked.values())


def built_slot(built: Built, actor: Actor) -> Piece:
    """The piece as its slot of the palette defines it."""
    key_ = names.UNIT if actor.marker(names.UNIT) else names.MARKER_ID
    return next(s.piece for s in built.module.slots if s.piece.markers().get(key_) == actor.marker(key_))


def test_only_hexes_of_the_map_are_named(built: Built) -> None:
    """The client's grid goes on beyond the map, where a counter would be reported in a hex that there is not."""
    if "hexes" not in built.box.tables:
        pytest.skip("the map is made of zones")
    known = built.box["hexes"].by_key
    form_of = re.compile("|".join({re.sub(r"\d", r"\\d", re.sub(r"[A-Z]", "[A-Z]", name)) for name in known}))
    main = next(m for m in built.module.maps if m.name == built.layout.board.map)
    across, down = range(2, built.layout.board.width, 19), range(2, built.layout.board.height, 17)
    found = {main.location_name(x, y, built.save.boards.get(main.name)) for x in across for y in down}
    assert "" not in found and "offboard" not in found
    hexes = {name for name in found if form_of.fullmatch(name)}
    assert hexes == set(known), hexes ^ set(known)


def test_cleared_marks_are_told_only_when_there_were_any(built: Built) -> None:
    """The next phase counts them before it takes them off."""
    table = Play(built, built.save, built.layout.play.players[0])
    assert table.says("sayCleared") == ""
    (clear,) = (b for b in built.all("module.GlobalKeyCommand") if b.get("name") == "Clear all marks")
    assert clear.get("reportFormat") == ""
    actor = next(a for a in table.there() if any(t.id == "markmoved" for t in a.traits))
    at = next(n for n, t in enumerate(actor.traits) if t.id == "markmoved")
    actor.states[at] = "true"
    assert table.says("sayCleared") == "The marks of this phase are cleared"


def test_the_module_says_what_it_was_built_from(built: Built) -> None:
    box = built.box
    assert built.root.get("ModuleOther1") == f"game {box.id}" and built.root.get("ModuleOther2") == f"data {box.data_hash}"
    identity = json.loads(built.entries[IDENTITY])
    assert (identity["game"], identity["data"], identity["content"]) == (box.id, box.data_hash, content_hash(built.entries))


def test_pieces_of_the_set_ups_are_their_slots_expanded(built: Built) -> None:
    """An unexpanded prototype would look right, but tell no property and lose its state on a refresh."""
    slots = {slot.gpid: slot for slot in built.module.slots}
    maps = {e.get("mapName") for e in (*built.all("module.Map"), *built.all("module.PrivateMap"))}
    for save in built.saves.values():
        for piece in save.pieces.values():
            expected, _ = expand(slots[piece.basic.gpid].piece, built.module.prototypes)
            assert [t.text for t in piece.traits] == [t.text for t in expected.traits]
            for found, fresh in zip(piece.traits[:-1], expected.traits[:-1], strict=True):
                turned = found.id == "emb2" and found.field("name") == names.FACE
                assert found.state == fresh.state or turned, piece.name
            assert not any(t.id == "prototype" for t in piece.traits)
            assert piece.basic.map in maps and dict(piece.basic.props) == {"UniqueID": piece.id}


def test_stacks_and_decks_hold_every_piece_once_where_it_stands(built: Built) -> None:
    order = sequence.decode(built.all("module.map.LayeredPieceCollection")[0].get("layerOrder"), ",")
    for save in built.saves.values():
        holders = (*save.stacks.values(), *save.decks.values())
        assert sorted(m for holder in holders for m in holder.members) == sorted(save.pieces)
        ids = {*save.pieces, *save.stacks, *save.decks}
        assert len(ids) == len(save.pieces) + len(holders)
        for holder in holders:
            for member in holder.members:
                basic = save.pieces[member].basic
                assert (basic.x, basic.y, basic.map) == (holder.x, holder.y, holder.map)
        for stack in save.stacks.values():
            assert {order[stack.layer]} == {save.pieces[member].markers()["Layer"] for member in stack.members}


def test_the_saves_take_no_side_and_place_nothing_twice(built: Built) -> None:
    maps = {
        e.get("mapName"): [b.get("name") for b in e.iter() if b.name.endswith(".Board")]
        for e in (*built.all("module.Map"), *built.all("module.PrivateMap"))
    }
    for save in built.saves.values():
        assert save.setup_placed and not save.players
        assert save.module is not None and save.module.to_bytes() == built.entries["moduledata"]
        texts = [text for _, text in save.tokens]
        assert texts[:3] == ["begin_save", "", ""] and texts[-1] == "end_save"
        for name, boards in maps.items():
            assert sum(f"{name}BoardPicker\t{board}\t0\t0" in texts for board in boards) == 1, name


def test_entries_have_one_time_and_the_build_file_comes_first(built: Built) -> None:
    import zipfile

    with zipfile.ZipFile(built.path) as archive:
        infos = archive.infolist()
    assert [i.filename for i in infos[:2]] == ["buildFile.xml", "moduledata"]
    assert len({i.date_time for i in infos}) == 1
    assert [i.filename for i in infos[2:]] == sorted(i.filename for i in infos[2:])


def test_the_board_is_small_enough_for_every_machine(built: Built) -> None:
    for board in built.all("module.map.boardPicker.Board"):
        width, height = Image.open(io.BytesIO(built.entries[f"images/{board.get('image')}"])).size
        assert width * height < 40_000_000


def test_pictures_of_counters_are_twice_the_shown_size(built: Built) -> None:
    """But for masks, which the client draws as they are."""
    size = built.layout.counters.size
    own = {m.id: (m.width or size, m.height or size) for m in built.layout.counters.markers}

    def drawn(name: str) -> tuple[int, int]:
        return Image.open(io.BytesIO(built.entries[f"images/{name}"])).size

    for slot in built.module.slots:
        wide, high = own.get(slot.piece.markers().get(names.MARKER_ID, ""), (size, size))
        for trait in expand(slot.piece, built.module.prototypes)[0].traits:
            if trait.id == "emb2" and trait.field("name") == names.FACE:
                assert trait.field("scale") == "0.5"
                assert {drawn(name) for name in sequence.decode(trait.field("images"), ",")} == {(2 * wide, 2 * high)}
            if trait.id == "obs":
                assert drawn(trait.field("image")) == (wide, high)


def test_elements_hold_no_stray_text(built: Built) -> None:
    def texts(found: Element) -> Iterator[tuple[str, str]]:
        for child in found.iter():
            if child.text.strip():
                yield child.name, child.text

    assert {name for name, _ in texts(built.root)} <= {"entry", "setup", *SLOTS, M + "PrototypeDefinition"}
