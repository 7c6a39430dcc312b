"""Lines as actions are written are read the short way; it must say what the long way says, of right lines and of wrong ones."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from referee.games.battle_for_germany.actions import any_order, parse
from referee.rules.model import Action, NotationError

UNITS = ("s-a", "s-b", "w-a")
PLACES = frozenset(("0101", "0102", "0203"))
VERBS = "setup marker group replace move exit take evacuate land attack target join lose retreat advance done roll walk".split()
WORDS = (*UNITS, "0101", "0102", "0203", "0999", "x-x", "0101,0102", "0102,0102", "s-a,s-b", "s-b,s-a", "@", ">", "via", "with", "a!", "3")


def told(read: Callable[[str], Action], line: str) -> tuple[str, str]:
    try:
        return repr(read(line)), ""
    except NotationError as error:
        return str(error), error.word


@given(
    st.sampled_from(("soviet", "chance", "s;o")),
    st.sampled_from(VERBS),
    st.one_of(
        st.lists(st.sampled_from(WORDS), max_size=8),
        st.tuples(*(st.sampled_from(x) for x in (UNITS, ("@",), WORDS, (">",), WORDS))).map(list),
        st.tuples(*(st.sampled_from(x) for x in (UNITS, ("@",), WORDS, (">",), WORDS, ("via",), WORDS))).map(list),
        st.tuples(*(st.sampled_from(x) for x in (UNITS, (">",), WORDS))).map(list),
        st.tuples(*(st.sampled_from(x) for x in ((">",), WORDS))).map(list),
    ),
)
def test_the_short_way_says_what_the_long_way_says(by: str, verb: str, rest: list[str]) -> None:
    line = " ".join((by, verb, *rest))
    assert told(lambda x: parse(x, UNITS, PLACES), line) == told(lambda x: any_order(x, UNITS, PLACES), line)
