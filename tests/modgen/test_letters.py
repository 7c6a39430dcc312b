"""The renderer leaves out letters that the font does not have, without a word: so every text of a module is checked before it is drawn."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gamebox.load import data_root, load_box
from modgen.art import charts, counters
from modgen.art.board import draw_board
from modgen.cli import app
from modgen.errors import ArtError
from modgen.layout.layout import read_layout

from .conftest import GAME

HEART = "\N{HEAVY BLACK HEART}"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A copy of the sample game that may be changed."""
    shutil.copytree(data_root() / GAME, tmp_path / GAME)
    return tmp_path


def plant(games: Path, file: str, old: str, new: str) -> None:
    path = games / GAME / file
    text = path.read_text("utf-8")
    assert old in text, (file, old)
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("cities.csv", ",Berlin,", f",Berlin {HEART},"),
        ("units.csv", "1 Balt,", f"1 {HEART},"),
        ("module.toml", 'text = "COURLAND"', f'text = "COUR{HEART}LAND"'),
        ("module.toml", 'title = "Battle for Germany"', f'title = "Battle {HEART}"'),
        ("module.toml", 'subtitle = "December 1944', f'subtitle = "{HEART} December 1944'),
        ("module.toml", 'name = "Offensive Supply"', f'name = "Offensive {HEART}"'),
        ("module.toml", 'label = "Broken"', f'label = "Broken {HEART}"'),
        ("module.toml", 'text = "TURN"', f'text = "{HEART}"'),
        ("module.toml", 'size = "XXXXX"', f'size = "{HEART}"'),
        ("module.toml", 'heading = "Combat Results Table"', f'heading = "Combat {HEART}"'),
        ("hexsides.csv", ",Rhine,", f",Rhine {HEART},"),
    ],
)
def test_a_letter_that_the_font_lacks_is_found_wherever_it_stands(games: Path, file: str, old: str, new: str) -> None:
    plant(games, file, old, new)
    box = load_box(GAME, root=games)
    layout = read_layout(games / GAME / "module.toml", box)
    with pytest.raises(ArtError) as caught:
        counters.drawings(box, layout)
        draw_board(box, layout)
        for chart in charts.charts(box, layout):
            charts.draw_chart(chart, layout)
    told = str(caught.value)
    assert f"{HEART!r} (U+2764)" in told, told
    # The place, the font, and the text that it stands in.
    place, _, rest = told.partition(": the font Source Sans Pro")
    assert place and rest and re.search(rf"in '.*{HEART}.*'$", rest), told


def test_the_build_stops_at_such_a_letter_and_writes_nothing(games: Path, tmp_path: Path) -> None:
    plant(games, "units.csv", "1 Balt,", f"1 {HEART},")
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["build", GAME, "--data", str(games), "--out", str(out)])
    assert done.exit_code == 2 and "U+2764" in done.output and "units su-1-balt front: name" in done.output
    assert not list(out.rglob("*")) if out.exists() else True
