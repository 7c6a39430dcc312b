"""The kept playthroughs: the same games come out today, ruling by ruling."""

from __future__ import annotations

import pytest

from tests.games.fotb.playthroughs import FOLDER, GAMES, playthrough

pytestmark = pytest.mark.whole_game


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_as_it_was_kept(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    for number, (line, now) in enumerate(zip(kept, playthrough(name).splitlines(), strict=True), 1):
        assert line == now, f"{name}.txt:{number}"
    assert kept[-1].startswith(("== axis, ", "== allies, "))


def test_no_other_file_is_kept() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(GAMES)
