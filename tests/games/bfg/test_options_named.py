"""Options that a line of chat names by number."""

import re

from hypothesis import given
from hypothesis import strategies as st

from referee.games.battle_for_germany.reading_sheet import options_in, options_in_lines

_BY_ITSELF = re.compile(r"(?<![\d.:])(?:1[238]\.\d|18/\d+\.\d)(?![\d:])")
"""A number of the rulebook with no more of a number, or of a time of day, around it."""


@given(st.text(alphabet="1238/.: x", max_size=24))
def test_an_option_is_a_number_by_itself(line: str) -> None:
    assert options_in(line) == set(_BY_ITSELF.findall(line))


def test_options_by_number() -> None:
    assert options_in("12.3, 18/8.0 and 18/6.3; not 112.3, 1.12.3, at 18:12.3 or 12.34") == {"12.3", "18/8.0", "18/6.3"}


LINES = st.text(alphabet="1238/.: éx", max_size=8) | st.sampled_from(["Option Hitler?", "regel", "partial", "kurland: agreed"])


@given(st.lists(LINES, max_size=5))
def test_an_option_is_named_by_a_line_alone(lines: list[str]) -> None:
    assert options_in_lines(lines) == {option for line in lines for option in options_in(line)}
