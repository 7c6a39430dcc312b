"""Options: which go where and with which, and in what order they are applied."""

from __future__ import annotations

import pytest

import referee
from referee.rules.options import Amendment, Option, UnknownRules, UsageError, apply_amendments, apply_options, latest


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


@pytest.mark.parametrize("game", ["battle-for-germany", "overlord-to-berlin"])
def test_a_scenario_that_a_game_has_not_is_refused_with_those_it_has(game: str) -> None:
    first = referee.load(game).game.scenario
    for lenient in (False, True):
        with pytest.raises(UsageError, match=f"^scenario 'nonsense' does not exist; there are: {first}"):
            referee.load(game, "nonsense", lenient=lenient)


def amending(since: int, word: str) -> Amendment[tuple[str, ...]]:
    return Amendment(since, "1.0", "a test", lambda terms: (*terms, word))


LATER = (amending(2, "b"), amending(2, "c"), amending(3, "d"))


def test_an_old_rules_version_is_the_same_without_later_amendments() -> None:
    assert [apply_amendments(("a",), LATER, rules) for rules in (1, 2, 3, None)] == [
        ("a",),
        ("a", "b", "c"),
        ("a", "b", "c", "d"),
        ("a", "b", "c", "d"),
    ]
    assert (latest(()), latest(LATER)) == (1, 3)


@pytest.mark.parametrize(
    ("known", "rules", "told"),
    [
        ((), 2, "rules version 2 is not known; it is newer than this referee; there is: 1"),
        (LATER, 4, "rules version 4 is not known; it is newer than this referee; there are: 1 to 3"),
        (LATER, 0, "rules version 0 is not known; there are: 1 to 3"),
    ],
)
def test_a_rules_version_that_there_is_not_is_refused(known: tuple[Amendment[tuple[str, ...]], ...], rules: int, told: str) -> None:
    with pytest.raises(UnknownRules) as error:
        apply_amendments((), known, rules)
    assert str(error.value) == told


@pytest.mark.parametrize("versions", [(1,), (3,), (2, 4), (3, 2), (2, 3, 2)])
def test_amendments_stand_in_order_and_without_a_gap(versions: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="cannot follow version"):
        latest([amending(since, "x") for since in versions])
