"""Options: which go where and with which, and in what order they are applied."""

from __future__ import annotations

import pytest

from referee.rules.options import Option, UsageError, apply_options


def adding(name: str, **more: frozenset[str]) -> Option[tuple[str, ...]]:
    return Option(name, lambda terms: (*terms, name), more.pop("scenarios", frozenset({"long", "short"})), **more)


KNOWN = (
    adding("b"),
    adding("a", needs=frozenset({"b"})),
    adding("c", excludes=frozenset({"b"})),
    adding("d", scenarios=frozenset({"long"})),
)


def test_options_are_applied_in_the_order_of_the_rulebook_whatever_order_they_are_named_in() -> None:
    assert apply_options((), ["a", "b"], KNOWN, "short") == ("b", "a")
    assert apply_options((), ["b", "a", "a"], KNOWN, "short") == ("b", "a")
    assert apply_options(("x",), [], KNOWN, "short") == ("x",)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        (["z"], "option 'z' is not playable here; there are: b, a, c, d"),
        (["d"], "option 'd' has no place in scenario 'short'; it belongs to: long"),
        (["a"], "option 'a' needs b as well"),
        (["c", "b"], "option 'c' does not go with b"),
    ],
)
def test_a_wrong_choice_says_what_is_allowed(chosen: list[str], told: str) -> None:
    with pytest.raises(UsageError) as error:
        apply_options((), chosen, KNOWN, "short")
    assert str(error.value) == told
