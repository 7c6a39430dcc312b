"""Charts by the layout: what a template says, how lines are made of rows, what is marked as ours, and that no word is cut."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from gamebox.load import data_root
from gamebox.model import Box
from modgen.art import charts
from modgen.art.drawing import render_whole
from modgen.art.fonts import face
from modgen.art.words import span
from modgen.layout.charts import Template
from modgen.layout.layout import Layout, read_layout
from modgen.layout.reading import LayoutErrors

from .conftest import GAME

LAYOUT = data_root() / GAME / "module.toml"


def drawn(page: str, box: Box, tmp_path: Path) -> charts.Chart:
    """The chart that a layout with this page more makes of it."""
    path = tmp_path / "module.toml"
    path.write_text(LAYOUT.read_text("utf-8") + page, "utf-8")
    return charts.charts(box, read_layout(path, box))[-1]


def words(chart: charts.Chart) -> list[list[str]]:
    return [[cell.text for cell in row] for row in chart.grids[0].rows]


def test_a_template_is_text_with_columns_in_it() -> None:
    assert Template.of("plain").pieces == (("plain", "", ()),)
    assert Template.of("{die}").pieces == (("", "die", ()), ("", "", ()))
    both = Template.of("to {hex:cities.name} ({n:sign}) MP")
    assert both.pieces == (("to ", "hex", ("cities.name",)), (" (", "n", ("sign",)), (") MP", "", ()))
    assert Template.of("{turn:turns.weather:label}").pieces[0] == ("", "turn", ("turns.weather", "label"))
    assert both.columns == ("hex", "n")


def test_rows_that_share_a_value_make_one_line_and_numbers_are_in_order(box: Box, tmp_path: Path) -> None:
    chart = drawn(
        """
[[chart]]
id = "units"
title = "Units by MA"
[[chart.part]]
table = "units"
where = { side = "W" }
rows = "move"
columns = [{ title = "MA", show = "{move}" }, { title = "Strengths", show = "{attack}-{defense}", join = " / " }]
""",
        box,
        tmp_path,
    )
    expected: dict[int, list[str]] = {}
    for row in box["units"]:
        if row.text("side") == "W":
            said = expected.setdefault(row.int("move"), [])
            if (strengths := f"{row.text('attack')}-{row.text('defense')}") not in said:
                said.append(strengths)
    assert words(chart) == [["MA", "Strengths"], *([str(move), " / ".join(expected[move])] for move in sorted(expected))]


def test_an_empty_column_leaves_the_cell_empty_and_the_first_case_that_fits_speaks(box: Box, tmp_path: Path) -> None:
    chart = drawn(
        """
[[chart]]
id = "moves"
title = "Moves"
[[chart.part]]
table = "terrain"
columns = [
  { title = "Kind", show = "{kind:label}" },
  { title = "MP", show = "{enter_cost} MP" },
  { title = "Closed", cases = [{ where = { passable = "0" }, show = "closed" }, { show = "open" }] },
]
words = { clear = "open country" }
""",
        box,
        tmp_path,
    )
    said = {row[0]: row[1:] for row in words(chart)}
    assert said["Open country"] == ["1 MP", "open"]
    assert said["Broken"] == ["2 MP", "open"]
    assert said["Lake hexside"] == ["", "closed"]
    assert said["Exit"] == ["", "open"]


def test_another_table_and_the_names_of_pieces_can_be_asked(box: Box, layout: Layout, tmp_path: Path) -> None:
    chart = drawn(
        """
[[chart]]
id = "setup"
title = "Set-up"
[[chart.part]]
table = "setups"
where = { setup = "hist" }
columns = [{ show = "{piece:piece}" }, { show = "{piece:units.move}" }]
""",
        box,
        tmp_path,
    )
    first = next(row for row in box["setups"] if row.text("setup") == "hist")
    piece = box.piece(first.text("piece"))
    assert piece is not None
    assert words(chart)[1] == [layout.named(piece), str(piece.row.int("move"))]


def test_words_of_both_kinds_in_one_cell_keep_their_kind(box: Box, tmp_path: Path) -> None:
    chart = drawn(
        """
[[chart]]
id = "results"
title = "Results"
[[chart.part]]
table = "crt"
where = { odds = "1:1" }
rows = "odds"
columns = [{ title = "Odds", show = "{odds}" }, { title = "By die", show = "{die}: {result}" }]
""",
        box,
        tmp_path,
    )
    cell = chart.grids[0].rows[1][1]
    said = {run.text: run.certain for run in cell.runs if run.text != ", "}
    rows = [row for row in box["crt"] if row.text("odds") == "1:1"]
    assert said == {f"{row.text('die')}: {row.text('result')}": row.source("result").certain for row in rows}
    assert set(said.values()) == {True, False} and not cell.certain
    assert chart.grids[0].rows[1][0].certain  # the first column only names the line


def test_bands_of_numbers_are_told_as_people_do(box: Box, tmp_path: Path) -> None:
    chart = drawn(
        """
[[chart]]
id = "bands"
title = "Bands"
[[chart.part]]
table = "scenarios"
columns = [{ show = "{scenario}" }, { show = "{first_turn:..last_turn}" }, { show = "{setup:..setup}" }]
""",
        box,
        tmp_path,
    )
    said = {row[0]: row[1:] for row in words(chart)[1:]}
    for row in box["scenarios"]:
        assert said[row.key] == [f"{row.text('first_turn')} to {row.text('last_turn')}", row.text("setup")]


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [("1", "3", "1 to 3"), ("4", "5", "4 or 5"), ("6", "6", "6"), ("60", "", "60 or more"), ("", "-60", "\u221260 or less")],
)
def test_a_band_of_numbers(low: str, high: str, told: str) -> None:
    assert span(low, high) == told


def test_what_is_looked_up_is_ours_when_the_row_is_unless_it_only_names_the_line(box: Box, tmp_path: Path) -> None:
    """A reconstructed number of a turn does not make its date ours, but a unit that we let come on a turn is ours there."""
    page = """
[[chart]]
id = "names"
title = "Names"
[[chart.part]]
table = "crt"
where = { odds = "2:1" }
columns = [{ show = "{die}" }, { show = "{die:turns.date}" }, { show = "{die:turns.date}", names = true }]
"""
    rows = drawn(page, box, tmp_path).grids[0].rows[1:]
    assert not any(box["crt"][f"2:1|{die}"].source("die").certain for die in "123456")
    assert [(row[1].certain, row[2].certain) for row in rows] == [(False, True)] * 6


def test_long_cells_are_broken_within_the_page(box: Box, layout: Layout, tmp_path: Path) -> None:
    chart = drawn(
        """
[[chart]]
id = "long"
title = "All units"
width = 700
notes = ["A note that is a good deal longer than the page is wide, so that it has to go on in a second line below, even in a third."]
[[chart.part]]
table = "units"
rows = "side"
columns = [{ title = "Side", show = "{side}" }, { title = "Units", show = "{name} {attack}-{defense}-{move}" }]
""",
        box,
        tmp_path,
    )
    picture = Image.open(io.BytesIO(render_whole(charts.draw_chart(chart, layout)))).convert("L")
    assert picture.width <= 700
    assert len(chart.grids[0].rows[1][1].text) > 400
    # Nothing is drawn in the last pixels of the page: no line runs out of it.
    ink = picture.crop((picture.width - 8, 50, picture.width, picture.height)).getextrema()
    assert ink[0] > 200  # type: ignore[operator]


@pytest.mark.parametrize("room", [60.0, 150.0, 400.0])
def test_wrapped_lines_fit_and_lose_no_word(room: float) -> None:
    text = "Multipliers of a hex add up, less one for each after the first."
    lines = charts.wrapped(text, room, 16)
    assert " ".join(lines) == text
    assert all(face(400).width(line, 16) <= room or " " not in line for line in lines)


PART = '[[chart.part]]\ntable = "crt"\ncolumns = [{ show = "'


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ('id = "X"', r"\[\[chart\]\] 6 id: 'X' is not allowed; small letters"),
        ('id = "crt"', r"\[\[chart\]\] id: 'crt' is here twice"),
        (PART.replace("crt", "crtt") + 'x" }]', "'crtt' is no table of the game"),
        (PART + '{dei}" }]', "'dei' is no column of crt; there are die"),
        (PART + '{die:label2}" }]', "'label2' is no form; there are label"),
        (PART + '{die:turns.dat}" }]', "'turns.dat' is no form; there are label"),
        (PART.replace("show", "sho") + 'x" }]', r"\[\[chart\]\] 6 \[\[part\]\] 1 \[\[columns\]\] 1 sho"),
        ('[[chart.part]]\ntable = "crt"', r"\[\[part\]\] 1 columns: is missing"),
        (PART + 'x" }]\nacross = "die"\ncell = { show = "y" }', "rows: is missing"),
    ],
)
def test_a_fault_in_a_chart_is_named_with_what_is_allowed(box: Box, tmp_path: Path, page: str, said: str) -> None:
    path = tmp_path / "module.toml"
    head = '\n[[chart]]\ntitle = "t"\n' + ("" if page.startswith("id") else 'id = "x"\n')
    path.write_text(LAYOUT.read_text("utf-8") + head + page + "\n", "utf-8")
    with pytest.raises(LayoutErrors, match=said):
        read_layout(path, box)
