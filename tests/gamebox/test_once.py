"""Results that are kept: asked by the same objects, and by no others."""

from __future__ import annotations

from gamebox.once import KEPT, once


def test_the_same_objects_are_answered_from_what_is_kept_and_equal_ones_are_not() -> None:
    asked: list[object] = []

    @once
    def length(values: list[int], more: list[int]) -> int:
        asked.append(values)
        return len(values) + len(more)

    one, two, more = [1, 2], [1, 2], [3]
    assert [length(one, more), length(one, more), length(one, more=more), length(two, more)] == [3, 3, 3, 3]
    assert [values is one for values in asked] == [True, True, False]
    assert length.__name__ == "length"


def test_only_the_last_few_results_are_kept() -> None:
    asked: list[object] = []

    @once
    def same(value: object) -> object:
        asked.append(value)
        return value

    values = [object() for _ in range(KEPT + 1)]
    for value in values:
        assert same(value) is value
    assert same(values[-1]) is values[-1] and len(asked) == KEPT + 1
    assert same(values[0]) is values[0] and len(asked) == KEPT + 2


def test_what_raises_is_asked_again() -> None:
    asked: list[int] = []

    @once
    def never(value: object) -> None:
        asked.append(1)
        raise ValueError

    value = object()
    for _ in range(2):
        try:
            never(value)
        except ValueError:
            continue
    assert len(asked) == 2
