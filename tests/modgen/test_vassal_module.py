"""The module as the engine will read it: only names it knows, nothing that it would drop without a word, nothing that stops it."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from gamebox import tabletalk
from gamebox.model import Box
from modgen.art import plan
from modgen.build import IDENTITY, content_hash
from modgen.formats.vassal import sequence
from modgen.formats.vassal.keys import key
from modgen.formats.vassal.pieces import Piece, Trait, expand, split_traits
from modgen.formats.vassal.xml import Element
from modgen.layout.layout import Layout
from modgen.vassal import help as player_aid
from modgen.vassal import names

from .conftest import GAME, Built

HERE = Path(__file__).parent
COMPONENTS: dict[str, dict[str, list[str]]] = json.loads((HERE / "components.json").read_text("utf-8"))
IDIOMS: list[tuple[str, str]] = json.loads((HERE / "idioms.json").read_text("utf-8"))
M = "VASSAL.build.module."


def definitions(built: Built) -> Iterator[tuple[str, Piece]]:
    """Every piece text of the module: prototypes and slots."""
    yield from ((f"prototype {name}", piece) for name, piece in built.module.prototypes.items())
    yield from ((f"slot {slot.name}", slot.piece) for slot in built.module.slots)


# --- names that the engine knows


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


# --- order and presence (what the engine does not add, or needs first)


def test_the_encoder_comes_first_and_the_boards_before_anything_on_them(built: Built) -> None:
    assert built.root.children[0].name == M + "BasicCommandEncoder"
    for found in built.all("module.Map"):
        order = [child.name for child in found.children]
        assert order[0] == M + "map.BoardPicker"


def test_the_map_has_what_it_takes_to_move_pieces(built: Built) -> None:
    (found,) = built.all("module.Map")
    have = {child.name.rpartition(".")[2] for child in found.children}
    assert {"PieceMover", "KeyBufferer", "MenuDisplayer", "ForwardToKeyBuffer", "ForwardToChatter", "StackExpander"} <= have
    assert {"Scroller", "MapCenterer", "CounterDetailViewer", "Zoomer"} <= have
    assert {"ImageSaver", "GlobalMap", "HighlightLastMoved", "LayeredPieceCollection"} <= have


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


# --- pieces


def test_traits_parse_with_as_many_states_as_types(built: Built) -> None:
    """One state too few stops the whole module."""
    for found in built.root.iter():
        if found.name in ("VASSAL.build.widget.PieceSlot", M + "PrototypeDefinition"):
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


def form(value: str) -> str:
    """What kind of thing stands in a field."""
    if re.fullmatch(r"\d+,\d+(,\w+)?", value):
        return "key"
    if re.fullmatch(r"-?\d+(\.\d+)?", value):
        return "number"
    return value if value in ("true", "false", "") else "value"


def proved() -> dict[str, dict[int, set[str]]]:
    """Trait -> field -> the kinds that ran in the engine; field -1 holds how many fields there were."""
    out: dict[str, dict[int, set[str]]] = {}
    for text, _ in IDIOMS:
        name, _, rest = text.partition(";")
        fields = sequence.decode(rest, ";")
        seen = out.setdefault(name, {})
        seen.setdefault(-1, set()).add(str(len(fields)))
        for at, value in enumerate(fields):
            seen.setdefault(at, set()).add(form(value))
    return out


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
                f"{what}: {trait.text} field {n} is {form(v)}" for n, v in enumerate(fields) if form(v) not in seen[trait.id].get(n, set())
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
    found = [e.get("gpid") for e in built.all("widget.PieceSlot")]
    assert len(found) == len(set(found)) == 126
    assert max(map(int, found)) < int(built.root.get("nextPieceSlotId"))
    assert all(slot.piece.basic.gpid == slot.gpid for slot in built.module.slots)


def test_no_marker_takes_a_name_of_the_engine(built: Built) -> None:
    """PieceId is overwritten with the gpid when a piece is placed."""
    reserved = {"PieceId", "PieceUID", "UniqueID", "LocationName", "CurrentZone", "PlayerSide", "Moved", "PieceName", "BasicName"}
    for what, piece in definitions(built):
        assert not reserved & set(piece.markers()), what


def test_every_unit_says_who_it_is(built: Built, box: Box) -> None:
    units = {p.markers()[names.UNIT]: p for _, p in definitions(built) if names.UNIT in p.markers()}
    assert set(units) == {p.id for p in box.pieces}
    for piece in box.pieces:
        found = units[piece.id].markers()
        assert (found["Side"], found["Nation"]) == (piece.side, piece.nation)
        assert tuple(int(found[w]) for w in ("Attack", "Defense", "Move")) == piece.strengths


def test_units_cannot_be_deleted_and_markers_can(built: Built) -> None:
    for slot in built.module.slots:
        traits = {t.id for t in expand(slot.piece, built.module.prototypes)[0].traits}
        assert ("delete" in traits) == (names.MARKER_ID in slot.piece.markers())
        assert "clone" not in traits


def test_names_of_counters_and_places_are_unique(built: Built) -> None:
    slots = [slot.name for slot in built.module.slots]
    zones = [z.get("name") for z in built.all("module.map.boardPicker.board.mapgrid.Zone")]
    properties = [p.get("name") for p in built.all("module.properties.GlobalProperty")]
    for found in (slots, zones, properties):
        assert len(found) == len(set(found))


def images_of(piece: Piece) -> Iterator[str]:
    for trait in piece.traits:
        if trait.id == "emb2":
            yield from sequence.decode(trait.field("images"), ",")
        elif trait.id == "markmoved":
            yield trait.field("image")
    yield piece.basic.image


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


# --- expressions and keys


def expressions(built: Built) -> Iterator[str]:
    for found in built.root.iter():
        for value in found.attributes.values():
            yield from re.findall(r"\{.*\}", value)
    for _, piece in definitions(built):
        for trait in piece.traits:
            yield from (f for f in trait.fields if f.startswith("{"))
            if trait.id in ("PROP", "setprop"):
                yield from (value for _, value in changers(trait))


def changers(trait: Trait) -> Iterator[tuple[str, str]]:
    """(key, value) of each command of a property trait."""
    for command in sequence.decode(trait.field("commands"), ","):
        menu, pressed, changer = sequence.decode(command, ":")
        parts = sequence.decode(changer, ",")
        assert menu == "" and parts[0] == "P" and len(parts) == 2, "a comma in a changer must be escaped or the value is cut"
        yield pressed, parts[1]


def test_no_expression_uses_what_the_engine_lacks_or_misreads(built: Built) -> None:
    for text in expressions(built):
        assert "'" not in text and "\\\\" not in text
        assert not re.search(r"\b(IsMatch|Replace|Max|Abs|charAt|format|split|GetProperty)\(", text), text
        assert not text.startswith('{""+'), "an empty text added to numbers adds the numbers"
        assert text.count("(") == text.count(")") and text.count('"') % 2 == 0
        assert "!" not in text.replace("!=", ""), "negating a missing property is an error"


def test_no_value_ends_in_a_backslash_or_stands_between_dollars(built: Built) -> None:
    for _, piece in definitions(built):
        for trait in piece.traits:
            if trait.id in ("PROP", "setprop"):
                for _, value in changers(trait):
                    assert not value.endswith("\\") and "$" not in value


def sent_keys(built: Built) -> set[str]:
    out = set()
    for _, piece in definitions(built):
        for trait in piece.traits:
            if trait.id == "macro":
                out |= {key(k).name for k in sequence.decode(trait.field("action_keys"), ",")}
    for found in built.root.iter():
        for name in ("hotkeys", "hotkey"):
            if found.name in (M + "DoActionButton", M + "GlobalKeyCommand") and (name == "hotkeys" or found.name == M + "GlobalKeyCommand"):
                out |= {key(k).name for k in sequence.decode(found.get(name), ",")} if name == "hotkeys" else {key(found.get(name)).name}
    return out - {""}


def heard_keys(built: Built) -> set[str]:
    out = set()
    for _, piece in definitions(built):
        for trait in piece.traits:
            if trait.id in ("PROP", "setprop"):
                out |= {key(k).name for k, _ in changers(trait)}
            elif trait.id == "report":
                out |= {key(k).name for k in sequence.decode(trait.field("keys"), ",")}
            else:
                out |= {key(f).name for f in trait.fields if re.fullmatch(r"\d+,\d+,\w+", f)}
    for found in built.root.iter():
        for name in ("hotkey", "buttonHotkey", "nexthotkey"):
            if name in found.attributes and not (found.name == M + "GlobalKeyCommand" and name == "hotkey"):
                out.add(key(found.get(name)).name)
    return out - {""}


def test_every_command_that_is_sent_is_heard(built: Built) -> None:
    assert sent_keys(built) <= heard_keys(built)


def test_keys_of_players_do_not_collide(built: Built) -> None:
    """One key on two traits triggers both."""
    for name, piece in built.module.prototypes.items():
        pressed = []
        for trait in piece.traits:
            fields = {"macro": ("key",), "markmoved": ("key",), "footprint": ("key",), "delete": ("key",)}.get(trait.id, ())
            pressed += [trait.field(f) for f in fields if key(trait.field(f)).name == ""]
        pressed = [p for p in pressed if p]
        assert len(pressed) == len(set(pressed)), name
        assert "90,130" not in pressed, "Ctrl-Z is the client's own undo"


def evaluate(expression: str, values: dict[str, str]) -> str:
    """A sum of texts and properties, as the engine's expressions add them."""
    assert expression.startswith("{") and expression.endswith("}")
    parts = re.findall(r'"[^"]*"|\w+', expression[1:-1])
    assert "+".join(parts) == expression[1:-1]
    return "".join(p[1:-1] if p.startswith('"') else values[p] for p in parts)


def test_table_talk_is_what_the_reader_expects(built: Built) -> None:
    values = {"TalkN": "7", "UnitId": "su-1-balt", "LocationName": "0309", "GameTurn": "3", "Phase": "Soviet Combat Phase"}
    said = []
    for prototype in built.module.prototypes.values():
        for trait in prototype.traits:
            if trait.id == "setprop" and trait.field("name") == names.TALK:
                said += [evaluate(value, values) for _, value in changers(trait)]
    (talk,) = (p for p in built.all("module.properties.GlobalProperty") if p.get("name") == names.TALK)
    said += [evaluate(sequence.decode(b.get("propChanger"), ",")[1], values) for b in talk.children]
    read = {tabletalk.decode(line).verb: tabletalk.decode(line) for line in said}
    assert read["ATT"].fields == ("su-1-balt", "0309") and read["TGT"].fields == ("su-1-balt", "0309")
    assert read["PH"].fields == ("3", "Soviet Combat Phase")
    assert {tabletalk.decode(line).fields for line in said if "|CLR|" in line} == {("su-1-balt",), ("*",)}
    assert all(tabletalk.encode(tabletalk.decode(line)) == line for line in said)


def test_talk_is_bumped_before_it_is_said(built: Built) -> None:
    for name, piece in built.module.prototypes.items():
        for trait in piece.traits:
            if trait.id == "macro" and "talk" in trait.field("action_keys"):
                sent = [key(k).name for k in sequence.decode(trait.field("action_keys"), ",")]
                assert sent[0] == "bump" and sent[1].startswith("talk"), name


# --- turns and sides


PHASES = [
    f"{who} {what} Phase"
    for who in ("Soviet", "West German", "Western Allied", "East German")
    for what in ("Replacement", "Movement", "Combat")
] + ["Turn Phase"]


@pytest.mark.rule("bfg", "3.0")
def test_the_player_aid_says_how_to_start_and_when_the_game_ends(built: Built, box: Box, layout: Layout) -> None:
    page = built.entries[player_aid.FILE].decode()
    assert 0 < page.index("<h2>How to start</h2>") < page.index("<h2>Keys</h2>")
    lines = re.findall(r"<li>(.*?)</li>", page[: page.index("<h2>Keys</h2>")])
    for setup in layout.play.setups:
        row = box["scenarios"][setup.scenario]
        (line,) = (line for line in lines if f"<b>{setup.name}</b>" in line)
        assert all(seat in line for seat in setup.seats)
        assert f"Ends after turn {row.int('last_turn')} (rule {row.text('section')})" in line
    assert all(any(name in line for line in lines) for name in (*layout.play.players, *layout.play.referees))


def test_the_player_aid_cites_sections_that_the_rules_table_has(box: Box, layout: Layout) -> None:
    cited = {n for text in layout.play.help for group in re.findall(r"\(([\d., ]+)\)", text) for n in group.split(", ")}
    assert len(cited) >= 6
    assert cited <= {row.text("section") for row in box["rules"]}


def test_the_tracker_has_the_phases_of_a_turn_in_order(built: Built) -> None:
    (level,) = built.all("module.turn.ListTurnLevel")
    flags = built.save.turns["TurnTracker0"].rpartition(";")[2].split(",")
    listed = sequence.decode(level.get("list"), ",")
    assert len(flags) == len(listed) and [name for name, on in zip(listed, flags, strict=True) if on == "true"] == PHASES
    (counter,) = built.all("module.turn.CounterTurnLevel")
    assert (counter.get("start"), counter.get("property"), level.get("property")) == ("1", names.TURN, names.PHASE)


def test_the_next_phase_clears_advances_and_talks(built: Built) -> None:
    (button,) = (b for b in built.all("module.DoActionButton") if b.get("name") == "NextPhase")
    sent = [key(k).name for k in sequence.decode(button.get("hotkeys"), ",")]
    assert sent == ["clearAll", "nextPhase", "moduleBump", "talkPhase", "sayEnd"]


def test_no_button_can_go_dead(built: Built) -> None:
    """A gate that closed once would stay closed when the tracker is put back by its own arrow."""
    for found in built.root.iter():
        assert found.get("canDisable", "false") == "false" and found.get("propertyGate") == "", found.get("name")


def test_the_map_opens_at_full_size(built: Built) -> None:
    """The engine counts ``zoomStart`` from the closest level, which is the last of the list."""
    (zoomer,) = built.all("module.map.Zoomer")
    levels = [float(level) for level in zoomer.get("zoomLevels").split(",")]
    assert levels == sorted(levels) and levels[len(levels) - int(zoomer.get("zoomStart"))] == 1.0


def reports(piece: Piece) -> dict[str, str]:
    """Named key -> what the report of that key says."""
    return {key(t.field("keys").replace("\\,", ",")).name: t.field("format") for t in piece.traits if t.id == "report"}


def test_every_report_names_the_unit_and_the_hex(built: Built) -> None:
    """And every way of sending a unit somewhere has one: the engine itself says nothing of it."""
    for name, piece in built.module.prototypes.items():
        said = reports(piece)
        for text in said.values():
            # A marker put down is named by the words themselves.
            assert "$LocationName$" in text and ("$BasicName$" in text or any(m in text for m in ("control", "fortification"))), (name, text)
        for trait in piece.traits:
            if trait.id == "macro":
                sent = [key(k).name for k in sequence.decode(trait.field("action_keys"), ",")]
                if {"elimGo", "elimBack", "exitGo", "lastHex", "flip"} & set(sent):
                    assert sent[-1] in said, (name, trait.field("name"))


def test_a_declaration_can_be_made_again(built: Built) -> None:
    """A unit may be attacked anew while the mark of an earlier combat lies on it."""
    for name, piece in built.module.prototypes.items():
        for trait in piece.traits:
            if trait.id == "macro" and trait.field("name") in ("Declare attack", "Declare target"):
                assert trait.field("filter") == "", name


def test_the_sides_are_the_players_and_the_referees(built: Built) -> None:
    (roster,) = built.all("module.PlayerRoster")
    assert [e.text for e in roster.children] == ["Soviet", "Western Allied", "German", "East German", "West German", "Referee", "Solo"]


def test_the_module_says_what_it_was_built_from(built: Built, box: Box) -> None:
    assert built.root.get("ModuleOther1") == f"game {GAME}" and built.root.get("ModuleOther2") == f"data {box.data_hash}"
    identity = json.loads(built.entries[IDENTITY])
    assert (identity["game"], identity["data"], identity["content"]) == (GAME, box.data_hash, content_hash(built.entries))


# --- the set-up


def test_the_set_up_has_every_unit_on_its_hex(built: Built, box: Box) -> None:
    found = {}
    for piece in built.save.pieces.values():
        unit = piece.markers().get(names.UNIT)
        if unit:
            (only,) = built.module.maps
            found[unit] = only.location_name(piece.basic.x, piece.basic.y)
    places = dict(box.setup("hist"))
    assert len(found) == len(places) == 119
    waiting = {unit for unit, place in found.items() if place == "Courland Set-up"}
    assert len(waiting) == 4 and waiting == {unit for unit, place in places.items() if place == "courland"}
    assert {u: p for u, p in found.items() if u not in waiting} == {u: p for u, p in places.items() if u not in waiting}
    assert len(found) - len(waiting) == 115


def test_pieces_of_the_set_up_are_their_slots_expanded(built: Built) -> None:
    """An unexpanded prototype would look right, but tell no property and lose its state on a refresh."""
    slots = {slot.gpid: slot for slot in built.module.slots}
    for piece in built.save.pieces.values():
        expected, _ = expand(slots[piece.basic.gpid].piece, built.module.prototypes)
        assert [t.text for t in piece.traits] == [t.text for t in expected.traits]
        assert [t.state for t in piece.traits[:-1]] == [t.state for t in expected.traits[:-1]]
        assert not any(t.id == "prototype" for t in piece.traits)
        assert piece.basic.map == "Central Europe" and dict(piece.basic.props) == {"UniqueID": piece.id}


def test_stacks_hold_every_piece_once_where_it_stands(built: Built) -> None:
    members = [m for s in built.save.stacks.values() for m in s.members]
    assert sorted(members) == sorted(built.save.pieces)
    assert len({*built.save.pieces, *built.save.stacks}) == len(built.save.pieces) + len(built.save.stacks)
    order = sequence.decode(built.all("module.map.LayeredPieceCollection")[0].get("layerOrder"), ",")
    for stack in built.save.stacks.values():
        for member in stack.members:
            piece = built.save.pieces[member]
            assert (piece.basic.x, piece.basic.y, piece.basic.map) == (stack.x, stack.y, stack.map)
            assert order[stack.layer] == piece.markers()["Layer"]


@pytest.mark.rule("bfg", "5.1")
def test_no_hex_of_the_set_up_is_over_stacked(built: Built) -> None:
    (only,) = built.module.maps
    for stack in built.save.stacks.values():
        if only.location_name(stack.x, stack.y).isdigit():
            assert len(stack.members) <= 2


def test_the_save_takes_no_side_and_places_nothing_twice(built: Built) -> None:
    assert built.save.setup_placed and not built.save.players
    assert built.save.module is not None and built.save.module.to_bytes() == built.entries["moduledata"]
    texts = [text for _, text in built.save.tokens]
    assert texts[:3] == ["begin_save", "", ""] and texts[-1] == "end_save"
    (board,) = (e.get("name") for e in built.all("module.map.boardPicker.Board"))
    assert f"Central EuropeBoardPicker\t{board}\t0\t0" in texts


def test_the_save_begins_on_turn_one_with_the_first_phase(built: Built, box: Box) -> None:
    assert built.save.turns["TurnTracker0"].startswith("0|1;0;false;-1;0\\;0\\;0\\;true,")
    properties = {name: value for (_, name), value in built.save.properties.items()}
    declared = {p.get("name"): p.get("initialValue") for p in built.all("module.properties.GlobalProperty")}
    assert set(properties) == set(declared)
    assert properties[names.SCENARIO] == "historical" and properties[names.LAST_TURN] == "10" and properties[names.DATA] == box.data_hash


@pytest.mark.rule("bfg", "9.0.p1")
def test_units_can_leave_from_the_exit_hexes_only(built: Built) -> None:
    values = {p.get("name"): p.get("initialValue") for p in built.all("module.properties.GlobalProperty")}
    rows = [f"{r:02}" for r in range(1, 40)]
    expected = (
        {f"{r}01" for r in rows if "16" <= r <= "23"} | {f"{r}26" for r in rows if "09" <= r <= "35"} | {f"01{c}" for c in range(12, 18)}
    )
    assert set(values[names.EXITS].strip(";").split(";")) == expected


@pytest.mark.rule("bfg", "7.1.a")
@pytest.mark.rule("bfg", "7.1.b1")
@pytest.mark.rule("bfg", "7.1.c")
def test_eliminated_units_go_to_the_box_of_the_theater_they_stand_in(built: Built, box: Box, layout: Layout) -> None:
    """The expression of the engine, worked out here for every unit and zone."""
    (only,) = built.module.maps
    expected = {
        "S": {"": "Destroyed Soviets"},
        "W": {"": "Destroyed Western Allies", "Italy": "Destroyed Allies/Italy"},
        "EG": {"East": "Destroyed East Germans", "West": "Destroyed West Germans", "Italy": "Destroyed West Germans"},
        "WG": {"East": "Destroyed East Germans", "West": "Destroyed West Germans", "Italy": "Destroyed West Germans"},
    }
    for slot in built.module.slots:
        markers = slot.piece.markers()
        if names.UNIT not in markers:
            continue
        full = expand(slot.piece, built.module.prototypes)[0]
        (send,) = (t for t in full.traits if t.id == "sendto" and key(t.field("key")).name == "elimGo")
        assert send.field("x") == "{BoxX}" and send.field("dest") == "L"
        for zone, place in expected[markers["Side"]].items():
            y = chosen(send.field("y"), zone)
            assert only.location_name(int(markers["BoxX"]), y) == place, (slot.name, zone)


def chosen(expression: str, zone: str) -> int:
    """A number, or ``{test || test ? y : test ? y : y}`` with ElimZone given."""
    rest = expression.strip("{}")
    while "?" in rest:
        test, _, rest = rest.partition(" ? ")
        value, _, rest = rest.partition(" : ")
        if zone in re.findall(r'ElimZone=="([^"]*)"', test):
            return int(value)
    return int(rest)


# --- bytes


def test_the_same_data_gives_the_same_bytes_anywhere(built: Built, tmp_path: Path) -> None:
    import os

    env = {**os.environ, "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": "C", "PYTHONHASHSEED": "17"}
    command = [sys.executable, "-m", "modgen.cli", "build", GAME, "--out", "elsewhere", "--json"]
    env["PYTHONPATH"] = str(HERE.parent.parent)
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["file"] == f"elsewhere/{GAME}.vmod"
    assert (tmp_path / "elsewhere" / f"{GAME}.vmod").read_bytes() == built.path.read_bytes()


def test_entries_have_one_time_and_the_build_file_comes_first(built: Built) -> None:
    import zipfile

    with zipfile.ZipFile(built.path) as archive:
        infos = archive.infolist()
    assert [i.filename for i in infos[:2]] == ["buildFile.xml", "moduledata"]
    assert len({i.date_time for i in infos}) == 1
    assert [i.filename for i in infos[2:]] == sorted(i.filename for i in infos[2:])


def test_the_board_is_small_enough_for_every_machine(built: Built) -> None:
    width, height = Image.open(io.BytesIO(built.entries["images/board.png"])).size
    assert width * height < 40_000_000


def test_pictures_of_counters_are_twice_the_shown_size(built: Built, layout: Layout) -> None:
    for slot in built.module.slots:
        for trait in slot.piece.traits:
            if trait.id == "emb2":
                assert trait.field("scale") == "0.5"
                for name in sequence.decode(trait.field("images"), ","):
                    assert Image.open(io.BytesIO(built.entries[f"images/{name}"])).size == (
                        2 * layout.counters.size,
                        2 * layout.counters.size,
                    )


def test_elements_hold_no_stray_text(built: Built) -> None:
    def texts(found: Element) -> Iterator[tuple[str, str]]:
        for child in found.iter():
            if child.text.strip():
                yield child.name, child.text

    allowed = {"entry", "VASSAL.build.widget.PieceSlot", M + "PrototypeDefinition"}
    assert {name for name, _ in texts(built.root)} == allowed


def test_set_up_hexes_are_drawn_where_the_save_puts_the_units(built: Built, box: Box, layout: Layout) -> None:
    sheet = plan.sheet(layout, box)
    at = {p.markers().get(names.UNIT): (p.basic.x, p.basic.y) for p in built.save.pieces.values()}
    for unit, place in box.setup("hist"):
        if place.isdigit():
            assert at[unit] == sheet.centre(place)
