"""Counters: what a layout may say of them, what is drawn, and that nothing is drawn that cannot be read or told apart."""

from __future__ import annotations

import io
import itertools
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest
from coloraide import Color
from PIL import Image, ImageDraw, ImageFont

from gamebox.load import BoxError, data_root, load_box
from gamebox.model import Box
from modgen.art import counters, legible, measure, symbols
from modgen.art.counters import colours, marks, page
from modgen.art.counters.pen import Pen, Role
from modgen.art.drawing import render_whole
from modgen.art.fonts import face
from modgen.art.svg import Canvas
from modgen.errors import ArtError
from modgen.layout.counters import (
    LOOKS,
    MARKER_STYLES,
    SLOTS,
    SYMBOLS,
    CounterLayout,
    MarkerFace,
    check_counters,
    face_file,
    marker_stem,
    read_counters,
)
from modgen.layout.layout import Layout, read_layout
from modgen.layout.reading import Against, Reader

from ..gamebox import tiny
from .conftest import GAME

GAMES = [folder.name for folder in sorted(data_root().iterdir()) if (folder / "module.toml").is_file()]

NATIONS = """\
nation,fill,ink,type_fill,source
Blueland,#203a8c,#ffffff,,rulebook colours
Redland,#e2b04a,#000000,#fafafa,rulebook colours
"""
LAYOUT = """
[counters]
size = 52

[[face]]
top_right = "{move}"
name = "{name}"
factors = "{combat}-{move}"
ring = { move = { side = "red" } }
badge = { text = "E", where = { combat = "4" }, fill = "#ffffff", ink = "#b3121a" }

[[face]]
id = "half"
look = "reduced"
where = { side = "red" }
name = "{name}"
factors = "{move}"

[[kind]]
where = { side = "red" }
symbol = "armour"
size = "XX"
label = "Armour"

[[kind]]
symbol = "infantry"
label = "Infantry"

[[marker]]
id = "flag"
name = "Flag"
style = "control"
fill = "#203a8c"
ink = "#ffffff"
text = "B"
group = "Markers"
[[marker.face]]
id = "red"
name = "Other flag"
fill = "#8c2020"

[[mask]]
id = "blue"
name = "unknown"
where = { side = "blue" }
style = "unknown"
fill = "#203a8c"
ink = "#ffffff"
"""


def tiny_box(root: Path, **changed: str) -> Box:
    """The tiny game, with colours for its nations."""
    game = changed.pop("game", tiny.FILES["game.toml"])
    game += """
[tables.nations]
file = "nations.csv"
key = ["nation"]
[tables.nations.columns]
nation = "text"
fill = "colour"
ink = "colour"
type_fill = "colour?"
source = "source"
"""
    nations = changed.pop("nations", NATIONS)
    folder = tiny.write(root, game=game, **changed)
    (folder / "nations.csv").write_text(nations, "utf-8")
    return load_box(tiny.GAME, root=root)


def read(text: str, box: Box) -> tuple[CounterLayout, list[str]]:
    """A layout's counters and every fault found in them."""
    errors: list[BoxError] = []
    top = Reader(tomllib.loads(text), "", errors, "module.toml")
    made = read_counters(top, box)
    top.end()
    if not errors:
        check_counters(made, Against(box, errors, "module.toml"))
    return made, [error.message for error in errors]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return tiny_box(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def small_layout(small: Box, layout: Layout) -> Layout:
    """A fourth game's counters in the frame of another's layout."""
    made, errors = read(LAYOUT, small)
    assert errors == []
    return replace(layout, counters=made)


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> tuple[Box, Layout, list[counters.Drawing]]:
    box = load_box(request.param)
    layout = read_layout(data_root() / request.param / "module.toml", box)
    return box, layout, counters.drawings(box, layout)


def pixels(drawing: counters.Drawing) -> Image.Image:
    return Image.open(io.BytesIO(render_whole(drawing.picture)))


def by_file(drawn: list[counters.Drawing]) -> dict[str, counters.Drawing]:
    return {d.file: d for d in drawn}


def grey(image: Image.Image) -> list[int]:
    """The pixels of a grey picture."""
    return list(image.tobytes())


def said(drawing: counters.Drawing, role: Role) -> list[str]:
    return [p.what for p in drawing.prints if p.role is role]


# --- what a layout says


def test_a_fourth_game_says_all_of_its_counters_in_its_layout(small: Box, small_layout: Layout) -> None:
    red, blue = small.piece("re-2"), small.piece("bl-1")
    assert red is not None and blue is not None
    assert counters.faces(small, small_layout, red) == (("front", "re-2.png"), ("half", "re-2-half.png"))
    assert counters.faces(small, small_layout, blue) == (("front", "bl-1.png"),)
    marker = small_layout.counters.markers[0]
    assert counters.marker_faces(marker) == (("front", "marker-flag.png"), ("red", "marker-flag-red.png"))
    assert (marker.faces[1].style, marker.faces[1].text, marker.faces[1].ink) == ("control", "B", "#ffffff")
    assert small_layout.counters.mask(blue) is small_layout.counters.masks[0] and small_layout.counters.mask(red) is None
    drawn = by_file(counters.drawings(small, small_layout))
    assert {"re-2.png", "re-2-half.png", "bl-1.png", "marker-flag.png", "marker-flag-red.png", "mask-blue.png"} <= set(drawn)
    # The ring parts the factors: what stands before it, and what stands in it.
    assert said(drawn["re-2.png"], Role.FACTORS) == ["4-", "3"]
    assert said(drawn["bl-1.png"], Role.FACTORS) == ["3-4"]
    assert said(drawn["re-2-half.png"], Role.FACTORS) == ["3"]
    assert said(drawn["re-2.png"], Role.TEXT) == ["3", "XX", "E"] and said(drawn["re-1.png"], Role.TEXT) == ["4", "XX"]
    assert said(drawn["re-2.png"], Role.NAME) == ['2, "Old Guard"']
    assert said(drawn["bl-1.png"], Role.SIGN) == ["infantry"] and said(drawn["re-1.png"], Role.SIGN) == ["armour"]


def test_words_of_a_column_are_shortened_and_other_tables_are_asked(small: Box) -> None:
    text = LAYOUT.replace('top_right = "{move}"', 'top_right = "{side}"\nfoot = "{nation:nations.fill} {nation.ink} {label} {id}"')
    text = text.replace("[[face]]\ntop", '[counters.words.side]\nred = "Rd"\n\n[[face]]\ntop', 1)
    made, errors = read(text, small)
    assert errors == []
    drawn = {
        piece.id: counters.draw_unit(small, made, piece, made.faces(piece)[0]) for piece in small.pieces if piece.id in ("re-1", "bl-1")
    }
    assert [p.what for p in drawn["re-1"].prints if p.role is Role.TEXT][:2] == ["Rd", "XX"]
    assert "#203a8c #ffffff Infantry bl-1" in [p.what for p in drawn["bl-1"].prints]
    assert "blue" in [p.what for p in drawn["bl-1"].prints]


def test_markers_are_made_from_rows_of_a_table(small: Box) -> None:
    text = LAYOUT + """
[[marker]]
rows = "results"
where = { die = "2" }
id = "r{die}-{result}-{odds}"
name = "{odds}: {result}"
style = "card"
fill = "#203a8c"
ink = "#ffffff"
text = "{result}"
note = "at {odds}"
count = "{die}"
group = "Results"
width = 100
height = 80
"""
    made, errors = read(text.replace("{odds}", "{result}") + "", small)
    assert errors == ["[[marker]]: 'r2-miss-miss' is here twice; every marker has an id of its own"]
    made, errors = read(text.replace('id = "r{die}-{result}-{odds}"', 'id = "r{die}-{result}"').replace('die = "2"', 'odds = "1:1"'), small)
    assert errors == []
    assert [(m.id, m.name, m.count, m.text, m.faces[0].note) for m in made.markers[1:]] == [
        ("r1-hit", "1:1: hit", 1, "hit", "at 1:1"),
        ("r2-miss", "1:1: miss", 2, "miss", "at 1:1"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('symbol = "armour"', 'symbol = "amour"', r"\[\[kind\]\] 1 symbol: 'amour' is not allowed; one of infantry, armour, .*, none"),
        ('style = "control"', 'style = "flag"', r"\[\[marker\]\] 1 style: 'flag' is not allowed; one of action, airfield"),
        ('look = "reduced"', 'look = "half"', r"\[\[face\]\] 2 look: 'half' is not allowed; one of plain, reduced, used, removed, hidden"),
        ('name = "{name}"\nfactors = "{move}"', 'nmae = "{name}"', r"\[\[face\]\] 2 nmae: no such setting; did you mean 'name'"),
        ('factors = "{combat}-{move}"', 'factors = "{kombat}"', r"\[\[face\]\] 'front' of design 'unit' factors: 'kombat' is no column"),
        ('top_right = "{move}"', 'top_right = "{nation.colour}"', r"top_right: 'colour' is no column of nations; there are fill, ink"),
        ('top_right = "{move}"', 'top_right = "{nation:land.fill}"', r"top_right: 'land' is no table of the game; there are counters"),
        ("ring = { move", "ring = { speed", r"ring: 'speed' is no column of the pieces; there are combat, move"),
        ('where = { combat = "4" }', 'where = { kombat = "4" }', r"badge: 'kombat' is no column of the pieces"),
        ('[[kind]]\nwhere = { side = "red" }', '[[kind]]\nwhere = { sid = "red" }', r"\[\[kind\]\] where: 'sid' is no column"),
        ('label = "Infantry"', 'label = "Infantry"\ndesign = "leader"', r"\[\[kind\]\] design: 'leader' is no design of a \[\[face\]\]"),
        ('size = "XX"', 'size = "XX"\nband = "red"', r"\[\[kind\]\] 1 band: 'red' is not allowed; a colour like #a0b0c0"),
        ('size = "XX"', 'size = "{XX"', r"\[\[kind\]\] size: '\{XX' has a brace without its other half"),
        ('name = "{name}"\nfactors = "{move}"', 'name = "name}"', r"\[\[face\]\] 'half' of .* name: 'name\}' has a brace without"),
        ('size = "XX"', 'size = "{sice}"', r"\[\[kind\]\] size: 'sice' is no column of the pieces"),
        ('symbol = "infantry"\n', 'symbol = "infantry"\nwhere = { side = "none" }\n', r"no kind fits bl-1; the last one may have no test"),
        ('id = "half"', 'id = "front"', r"\[\[face\]\] of design 'unit': 'front' is here twice"),
        ('id = "half"', 'id = "Half"', r"'Half' is no id that a picture can be named by"),
        ('[[face]]\ntop_right', '[[face]]\nid = "back"\ntop_right', r"\[\[face\]\] of design 'unit': bl-1 has no face 'front' first"),
        ('id = "red"\n', 'id = "red one"\n', r"'red one' is no id that a picture can be named by"),
        ("size = 52", "size = 52\nwords = { side = 3 }", r"\[counters.words\] side: 3 is not allowed; a table of texts"),
        ("size = 52", "size = 52\nlimits = { text = true }", r"\[limits\] text: True is not allowed; a number"),
        ("size = 52", "size = 52\nlimits = { contrast = 3 }", r"\[limits\] contrast: no such setting; there are distance, factors"),
        ('group = "Markers"', 'group = "Markers"\ncount = "{die}"', r"\[\[marker\]\] 1 count: is a text; a whole number, or with rows"),
        ('group = "Markers"', 'group = "Markers"\nrows = "result"', r"\[\[marker\]\] 1 rows: 'result' is no table of the game; there are"),
        ('name = "Flag"', 'name = "{die}"', r"\[\[marker\]\] 1 rows: is missing, and '\{die\}' has braces; rows names the table"),
        ('name = "Flag"', 'rows = "results"\nname = "{die"', r"\[\[marker\]\] 1 rows: '\{die' has a brace without its other half"),
        ('name = "Flag"', 'rows = "results"\nname = "{od}"', r"\[\[marker\]\] 1 rows: 'od' is no column of results; there are odds"),
        ('name = "Flag"', 'rows = "results"\nwhere = { die = "9" }\nname = "Flag"', r"\[\[marker\]\] 1 where: no row of results passes"),
    ],
)
def test_a_fault_in_the_counters_of_a_layout_is_named_with_what_is_allowed(small: Box, old: str, new: str, told: str | None) -> None:
    assert old in LAYOUT
    _, errors = read(LAYOUT.replace(old, new, 1), small)
    if told is None:
        assert errors == []
    else:
        assert any(re.search(told, error) for error in errors), errors


def test_pictures_whose_names_differ_only_in_case_or_not_at_all_are_refused(small: Box) -> None:
    twin = LAYOUT + '\n[[marker]]\nid = "flag-red"\nname = "x"\nstyle = "turn"\nfill = "#000000"\nink = "#ffffff"\ngroup = "Markers"\n'
    _, errors = read(twin, small)
    assert errors == [
        "marker flag-red front and marker flag red would have the same picture marker-flag-red.png; names must differ in more than case"
    ]
    _, errors = read(LAYOUT.replace('id = "flag"', 'id = "Flag-RED"') + twin.removeprefix(LAYOUT), small)
    assert "marker flag-red front and marker Flag-RED front would have the same picture marker-flag-red.png" in " ".join(errors)
    assert marker_stem("marker-turn") == "marker-turn" and face_file("a", "front") == "a.png"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"nations": NATIONS.replace("Redland", "Redlands")}, "[counters]: 'Redland' is no row of nations; it has no colours"),
        ({}, None),
    ],
)
def test_a_nation_without_colours_is_told(tmp_path: Path, changed: dict[str, str], told: str | None) -> None:
    _, errors = read(LAYOUT, tiny_box(tmp_path, **changed))
    assert errors == ([told] if told else [])


def test_a_game_without_colours_is_told(tmp_path: Path) -> None:
    tiny.write(tmp_path)
    _, errors = read(LAYOUT, load_box(tiny.GAME, root=tmp_path))
    assert errors == ["[counters]: the game has no table nations with columns fill and ink, the colours of its counters"]


# --- what is drawn


def test_every_symbol_and_every_style_is_drawn_and_no_two_look_alike() -> None:
    seen: dict[bytes, str] = {}
    for name in SYMBOLS:
        pen = Pen("test")
        pen.symbol(name, 20, 30, 64, 42, "#000000", "#d0d0d0", 3)
        picture = render_whole(counters._done("x.png", pen, 104, 104).picture)
        assert seen.setdefault(picture, name) == name
    assert set(marks.STYLES) == set(MARKER_STYLES)
    for style in MARKER_STYLES:
        drawn = marks.draw_marker(MarkerFace("front", "x", style, "#305080", "#ffffff", "A", "what it does"), "marker x")
        picture = render_whole(counters._done("x.png", drawn, 104, 104).picture)
        assert seen.setdefault(picture, style) == style
        assert drawn.prints, style


def test_a_marker_of_another_shape_holds_its_picture_in_the_middle() -> None:
    item = MarkerFace("front", "x", "control", "#305080", "#ffffff", "A", "")
    wide = marks.draw_marker(item, "marker x", 208, 104)
    image = Image.open(io.BytesIO(render_whole(counters._done("x.png", wide, 208, 104).picture)))
    box = image.getchannel("A").getbbox()
    assert box is not None and abs((box[0] + box[2]) / 2 - 104) <= 1 and box[2] - box[0] < 104
    card = marks.draw_marker(replace(item, style="card"), "marker x", 208, 104)
    full = Image.open(io.BytesIO(render_whole(counters._done("x.png", card, 208, 104).picture)))
    assert full.getchannel("A").getbbox() == (0, 0, 208, 104)


def test_symbols_stay_in_their_box() -> None:
    """So no symbol runs into the words around it: only people, aircraft and tanks may be a little higher."""
    for name in SYMBOLS:
        if name == "none":
            continue
        pen = Pen("test")
        pen.symbol(name, 20, 32, 64, 40, "#000000", "#ffffff", 3)
        image = Image.open(io.BytesIO(render_whole(counters._done("x.png", pen, 104, 104).picture)))
        box = image.getchannel("A").getbbox()
        assert box is not None
        over = 6 if name in symbols.FIGURES else 2
        assert box[0] >= 20 - over and box[1] >= 32 - over and box[2] <= 84 + over and box[3] <= 72 + over, (name, box)


def near(colour: str, count: dict[tuple[int, ...], int]) -> int:
    """How many pixels have this colour, but for rounding."""
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return sum(n for pixel, n in count.items() if pixel[3] == 255 and all(abs(a - b) <= 2 for a, b in zip(pixel[:3], wanted, strict=True)))


def test_what_is_measured_is_what_is_drawn(game: tuple[Box, Layout, list[counters.Drawing]]) -> None:
    """Every colour that a print is said to have is in the picture, ink and ground."""
    for drawing in game[2]:
        image = pixels(drawing).convert("RGBA")
        assert image.size == (drawing.width, drawing.height)
        count = {pixel: n for n, pixel in image.getcolors(image.width * image.height) or [] if isinstance(pixel, tuple)}
        assert drawing.prints, drawing.what
        for printed in drawing.prints:
            for colour in (printed.ink, printed.ground):
                assert near(colour, count) >= 3, f"{drawing.what}: {printed}: {colour} is not drawn"


def test_no_word_leaves_its_counter(game: tuple[Box, Layout, list[counters.Drawing]]) -> None:
    """The outermost pixels of a square counter are its edge, and nothing else."""
    box, layout, drawn = game
    for drawing in drawn:
        if not drawing.piece:
            continue
        image = pixels(drawing).convert("RGB")
        side = image.width
        edge = [image.getpixel((at, 1)) for at in range(3, side - 3)] + [image.getpixel((side - 2, at)) for at in range(3, side - 3)]
        spread = [max(e[i] for e in line) - min(e[i] for e in line) for line in (edge[: side - 6], edge[side - 6 :]) for i in range(3)]  # type: ignore[index]
        assert max(spread) <= 2, drawing.what
    assert sum(bool(d.piece) for d in drawn) >= len(box.pieces) and layout.counters.size * counters.SCALE == drawn[0].width


def test_reduced_and_other_sides_look_clearly_different_from_the_front(game: tuple[Box, Layout, list[counters.Drawing]]) -> None:
    """At half the size shown, a third of a counter's side and more has another colour than the front."""
    box, layout, drawn = game
    files = by_file(drawn)
    for piece in box.pieces:
        front, *others = (pixels(files[file]).convert("RGB").resize((26, 26)) for _, file in counters.faces(box, layout, piece))
        for other in others:
            apart = [abs(a - b) for a, b in zip(front.tobytes(), other.tobytes(), strict=True)]
            changed = sum(sum(apart[at : at + 3]) > 36 for at in range(0, len(apart), 3))
            assert changed >= 26 * 26 // 4, (piece.id, changed)


def test_every_marker_of_a_game_has_a_counter(game: tuple[Box, Layout, list[counters.Drawing]]) -> None:
    box, layout, _ = game
    if "markers" in box.tables:
        have = {m.id: m for m in layout.counters.markers}
        assert {row.key for row in box["markers"]} <= set(have)
        for row in box["markers"]:
            if "back" in row.values and row.text("back"):
                assert [f.name for f in have[row.key].faces] == [row.text("name"), row.text("back")]
            if "count" in row.values:
                assert have[row.key].count == row.int("count")
    if "stratagems" in box.tables:
        cards = {m.id: m for m in layout.counters.markers if m.style == "card"}
        assert set(cards) == {row.key for row in box["stratagems"]}
        # Every pool has one back: the second side of its cards, or the mask that they lie under.
        fronts: dict[str, set[str]] = {}
        backs: dict[str, set[MarkerFace]] = {}
        for row in box["stratagems"]:
            fronts.setdefault(row.text("pool"), set()).add(cards[row.key].fill)
            backs.setdefault(row.text("pool"), set()).update(cards[row.key].faces[1:])
        covers = [mask.face for mask in layout.counters.masks if mask.face.style == "card-back"]
        for pool, (fill,) in fronts.items():
            own = backs[pool] or {face for face in covers if face.fill == fill}
            assert len(own) == 1, pool
        assert len({fill for (fill,) in fronts.values()}) == len(fronts)


# --- what is measured


def test_the_counters_of_every_game_can_be_read_and_told_apart(game: tuple[Box, Layout, list[counters.Drawing]]) -> None:
    box, layout, drawn = game
    assert legible.faults(box, layout, drawn) == []
    roles = {p.role for d in drawn for p in d.prints}
    assert roles == set(Role)


def test_distances_are_those_of_ciede2000_and_visions_those_of_machado() -> None:
    """Against another implementation, over the corners and the inside of the cube of colours."""
    grid = [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in itertools.product((0, 96, 178, 255), repeat=3)]
    for a, b in itertools.pairwise([*grid, *grid[::7], *grid[::11]]):
        assert measure.distance(a, b) == pytest.approx(Color(a).delta_e(b, method="2000"), abs=0.06), (a, b)
        assert measure.contrast(a, b) == pytest.approx(Color(a).contrast(b, method="wcag21"), abs=0.01)
    for vision, name in (("protanopia", "protan"), ("deuteranopia", "deutan"), ("tritanopia", "tritan")):
        for a, b in itertools.pairwise(grid[::3]):
            seen = [Color(c).filter(name, 1, method="machado").clip("srgb") for c in (a, b)]
            assert measure.distance(a, b, vision) == pytest.approx(seen[0].delta_e(seen[1], method="2000"), abs=0.3), (vision, a, b)


def test_the_pairs_that_the_formula_was_published_with() -> None:
    """Sharma, Wu and Dalal 2005, the hardest of their test pairs, given in CIELAB."""
    pairs = [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
        ((50.0, 2.4900, -0.0010), (50.0, -2.4900, 0.0011), 7.2195),
        ((50.0, -0.0010, 2.4900), (50.0, 0.0011, -2.4900), 4.7461),
        ((50.0, 2.5000, 0.0), (61.0, -5.0, 29.0), 22.8977),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ]
    for a, b, apart in pairs:
        assert measure.apart(a, b) == pytest.approx(apart, abs=0.0001)


def painted(root: Path, layout: Layout, nations: str, text: str = LAYOUT) -> list[str]:
    """The faults of the tiny game's counters when its nations are painted like this."""
    box = tiny_box(root, nations=nations)
    made, errors = read(text, box)
    assert errors == []
    dressed = replace(layout, counters=made)
    return [str(fault) for fault in legible.faults(box, dressed, counters.drawings(box, dressed))]


def test_faint_print_stops_the_build_and_is_told_once_where_the_colours_stand(tmp_path: Path, layout: Layout) -> None:
    told = painted(tmp_path, layout, NATIONS.replace("#203a8c,#ffffff", "#8090c0,#ffffff"))
    assert told[0] == "pocket-war/nations.csv:2:1: Blueland: #ffffff on #8090c0 has a contrast of 3.1; at least 4.5 is needed"
    assert sum("#ffffff on #8090c0" in line for line in told) == 1


def test_a_faint_symbol_marker_and_badge_are_told_too(tmp_path: Path, layout: Layout) -> None:
    told = painted(tmp_path, layout, NATIONS.replace("#fafafa", "#404040"))
    assert any("the sign 'armour': #000000 on #404040 has a contrast of 2.0; at least 3.0 is needed" in line for line in told)
    text = LAYOUT.replace('fill = "#8c2020"', 'fill = "#c0c0c0"').replace('ink = "#b3121a"', 'ink = "#e0a0a0"')
    told = painted(tmp_path / "b", layout, NATIONS, text)
    assert any(line.startswith("battle-for-germany/module.toml") or "marker flag red: the text 'B'" in line for line in told)
    assert any("counters.csv:4:1: units re-2 front: the text 'E': #e0a0a0 on #ffffff" in line for line in told)


def test_the_print_of_reduced_sides_is_measured_on_their_own_ground(small: Box, small_layout: Layout) -> None:
    drawn = by_file(counters.drawings(small, small_layout))
    front = {p.ground for p in drawn["re-1.png"].prints if p.role in (Role.NAME, Role.FACTORS)}
    half = {p.ground for p in drawn["re-1-half.png"].prints if p.role in (Role.NAME, Role.FACTORS)}
    assert front == {"#e2b04a"} and len(half) == 2 and not half & front
    pairs = [("#203a8c", "#ffffff"), ("#e2b04a", "#000000"), ("#3577ad", "#ffffff"), ("#f7f6f0", "#000000"), ("#101010", "#ffffff")]
    for fill, ink in pairs:
        pale, stripe = colours.paler(fill, ink, 4.5), colours.stripe(colours.paler(fill, ink, 4.5))
        assert measure.contrast(pale, ink) >= 4.5 and measure.contrast(stripe, colours.readable(stripe)) >= 4.5
        assert measure.distance(pale, stripe) >= 8


def test_sides_that_look_alike_are_told_with_pair_vision_and_both_values(tmp_path: Path, layout: Layout) -> None:
    """Red and green of one lightness: alike to people without red or green cones, and to them only."""
    nations = NATIONS.replace("#203a8c,#ffffff", "#a06040,#ffffff").replace("#e2b04a,#000000,#fafafa", "#5d7a2c,#ffffff,")
    told = [line for line in painted(tmp_path, layout, nations) if "look alike" in line]
    assert len(told) == 1
    found = re.fullmatch(
        r"pocket-war/module\.toml: counters of Blueland \(front, #a06040\) and of Redland \((\w+), (#\w{6})\) look alike: to people with "
        r"(\w+) they are (\d+\.\d) apart; at least 8\.0 is needed",
        told[0],
    )
    assert found is not None and found[3] in ("protanopia", "deuteranopia")
    assert float(found[4]) == pytest.approx(measure.distance("#a06040", found[2], found[3]), abs=0.05)
    assert measure.distance("#a06040", "#5d7a2c") > 20
    one_side = tiny.FILES["counters.csv"].replace(",blue,", ",red,")
    box = tiny_box(tmp_path / "one", nations=nations, counters=one_side)
    made, _ = read(LAYOUT, box)
    assert legible.alike(box, replace(layout, counters=made)) == [], "of one side they may look alike"


def test_nations_of_one_ground_are_held_apart_by_the_grounds_of_their_symbols(tmp_path: Path, layout: Layout) -> None:
    same = NATIONS.replace("#203a8c,#ffffff,,", "#e2b04a,#000000,#3050c0,")
    assert not [line for line in painted(tmp_path, layout, same) if "look alike" in line]
    near_ = same.replace("#3050c0", "#f0f0f0")
    assert [line for line in painted(tmp_path / "b", layout, near_) if "look alike" in line]


def test_counters_that_are_too_small_to_read_at_half_size_stop_the_build(tmp_path: Path, layout: Layout) -> None:
    told = painted(tmp_path, layout, NATIONS, LAYOUT.replace("size = 52", "size = 36"))
    assert any(
        re.search(r"counters\.csv:2:1: units bl-1 front: the factors '3-4': is \d\.\d pixels high at half size; at least 5\.0", line)
        for line in told
    )
    assert any(re.search(r"the name '1': is 2\.\d pixels high at half size; at least 2\.9 is needed", line) for line in told)


def test_a_name_that_is_narrowed_too_much_stops_the_build(tmp_path: Path, layout: Layout) -> None:
    box = tiny_box(tmp_path, counters=tiny.FILES["counters.csv"].replace("re-1,1,", "re-1,Grenadiers of the Old Guard,"))
    made, _ = read(LAYOUT, box)
    dressed = replace(layout, counters=made)
    told = [str(f) for f in legible.faults(box, dressed, counters.drawings(box, dressed))]
    wanted = r"re-1 front: the name 'Grenadiers of the Old Guard': is narrowed to \d\d% of its width; at least 60% is needed"
    assert any(re.search(wanted, line) for line in told)


def figures(height: float) -> list[Image.Image]:
    """The ten figures as they look with capitals of this height in pixels: drawn large and made small, as a client does."""
    font = ImageFont.truetype(str(face(700).file), 264)
    out = []
    for figure in "0123456789":
        large = Image.new("L", (200, 240), 0)
        ImageDraw.Draw(large).text((20, 200), figure, 255, font, anchor="ls")
        scale = height / (264 * face(700).cap)
        out.append(large.resize((max(round(200 * scale), 1), max(round(240 * scale), 1)), Image.Resampling.BOX))
    return out


def least_apart(height: float) -> float:
    """How much the two figures that are most alike differ, in full pixels of black on white."""
    drawn = [grey(image) for image in figures(height)]
    return min(sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 255 for a, b in itertools.combinations(drawn, 2))


def test_the_least_height_of_factors_is_one_at_which_figures_differ(layout: Layout) -> None:
    """Measured, not guessed: at the limit the likest two figures differ by two full pixels; at three fifths of it by less than one."""
    limit = layout.counters.limits.factors
    assert least_apart(limit) >= 2.0
    assert least_apart(limit * 0.6) < 1.0


# --- letters


def test_a_letter_without_a_glyph_stops_the_build_and_is_told_with_its_place(tmp_path: Path, layout: Layout) -> None:
    box = tiny_box(tmp_path, counters=tiny.FILES["counters.csv"].replace("re-1,1,", "re-1,Łódź \N{HEAVY BLACK HEART},"))
    made, errors = read(LAYOUT, box)
    assert errors == []
    with pytest.raises(ArtError, match=r"^units re-1 front: name: the font .* has no glyph for '❤' \(U\+2764\) in 'Łódź ❤'$"):
        counters.drawings(box, replace(layout, counters=made))


def test_a_marker_without_a_glyph_is_told(small: Box, layout: Layout) -> None:
    made, errors = read(LAYOUT.replace('text = "B"', 'text = "\N{ANCHOR}"'), small)
    assert errors == []
    with pytest.raises(ArtError, match=r"^marker flag front: text: .*\(U\+2693\)"):
        counters.drawings(small, replace(layout, counters=made))


def test_the_family_has_the_letters_of_the_games_and_their_countries() -> None:
    letters = "żŻłŁüÜčČńŃäößéèêëçšžřěůőűășțđćęąóśź" + "".join(chr(c) for c in range(0x410, 0x450)) + "ЁёІіЇїЄєЎў×–—’„“·½"
    for weight in (400, 600, 700, 900):
        face(weight).check(letters, "letters")


def test_every_text_of_the_three_boxes_can_be_set(game: tuple[Box, Layout, list[counters.Drawing]]) -> None:
    """Names that a later board, chart or marker may show."""
    for table in game[0].tables.values():
        for row in table:
            for column, value in row.values.items():
                if column in ("name", "title", "text", "label", "short", "place") and isinstance(value, str):
                    face(700).check(value, f"{table.name} {row.key} {column}")


def test_words_as_outlines_look_like_words_set_as_text() -> None:
    """The counters set words as shapes; the renderer's own text is what they must look like."""
    pen = Pen("test", 200, 60)
    pen.rect(0, 0, 200, 60, "#ffffff")
    pen.words(100, 40, "12 Łódź-8", 36, "#000000", "#ffffff")
    shapes = Image.open(io.BytesIO(render_whole(counters._done("x.png", pen, 200, 60).picture))).convert("L")
    canvas = Canvas(200, 60, "#ffffff")
    canvas.text(100, 40, "12 Łódź-8", 36, weight=700)
    text = Image.open(io.BytesIO(canvas.png())).convert("L")
    different = sum(abs(a - b) > 96 for a, b in zip(grey(shapes), grey(text), strict=True))
    ink = sum(v < 128 for v in grey(text))
    assert different < ink * 0.12, (different, ink)


# --- the page of all counters


def overlaps(boxes: list[tuple[str, float, float, float, float]]) -> Iterator[tuple[str, str]]:
    for (a, ax, ay, aw, ah), (b, bx, by, bw, bh) in itertools.combinations(boxes, 2):
        if ax < bx + bw and bx < ax + aw and ay < by + bh and by < ay + ah:
            yield a, b


def test_the_page_shows_every_face_once_and_nothing_covers_anything(game: tuple[Box, Layout, list[counters.Drawing]]) -> None:
    box, layout, drawn = game
    sizes = {d.file: (d.width, d.height) for d in drawn}
    for width in (1400, 2400):
        arranged = page.arrange(box, layout, sizes, width)
        shown = [file for file, _, _ in arranged.placed]
        small = {counters.ATTACK, counters.TARGET, counters.ANSWERED, counters.FOUGHT, counters.WAS_FOUGHT, counters.MOVED}
        assert sorted(shown) == sorted(set(sizes) - small)
        boxes: list[tuple[str, float, float, float, float]] = [(f, x, y, sizes[f][0], sizes[f][1]) for f, x, y in arranged.placed]
        boxes += [(c.text, c.x, c.y - c.size * 0.7, face(c.weight).width(c.text, c.size), c.size * 0.9) for c in arranged.captions]
        assert list(overlaps(boxes)) == []
        assert all(x >= page.MARGIN and x + w <= width - page.MARGIN and y + h <= arranged.height for _, x, y, w, h in boxes)


# --- the page about counters


def test_the_page_about_counters_names_everything_that_a_layout_can_say(layout: Layout) -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "counters.md").read_text("utf-8")
    for word in (*SYMBOLS, *MARKER_STYLES, *LOOKS, *SLOTS):
        assert f"`{word}`" in text, word
    for limit in fields(layout.counters.limits):
        found = re.search(rf"^    {limit.name} = ([\d.]+)", text, re.MULTILINE)
        assert found is not None and float(found[1]) == getattr(read("[counters]\nsize = 52", load_box(GAME))[0].limits, limit.name)
