"""Boxes of destroyed units under the names that module makers give them."""

from __future__ import annotations

import pytest

from gamebox.load import load_box
from referee.table.places import Places


@pytest.mark.parametrize(
    ("name", "box"),
    [
        ("Dead WG", "box-wg"),
        ("Dead EG", "box-eg"),
        ("Dead S", "box-s"),
        ("Dead W", "box-w"),
        ("Dead Italy", "box-italy"),
        ("Eliminated Soviets", "box-s"),
        ("Verluste West Germans", "box-wg"),
        ("East German dead pile", "box-eg"),
        ("Dead Pile", ""),
        ("West Germans at sea", ""),
        ("Deadline", ""),
    ],
)
def test_a_box_is_known_by_what_its_name_says(name: str, box: str) -> None:
    assert Places(load_box("battle-for-germany")).named(name) == box
