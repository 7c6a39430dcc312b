"""Shared by all tests: the collected marks, so that a test can hold that they are well made."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import settings

# The same examples in every run, and no failure because a machine is busy.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")


@dataclass(frozen=True, slots=True)
class Mark:
    """One ``rule`` or ``example`` mark as written on a test."""

    name: str
    args: tuple[object, ...]
    kwargs: tuple[str, ...]
    test: str


MARKS: pytest.StashKey[tuple[Mark, ...]] = pytest.StashKey()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[MARKS] = tuple(
        Mark(mark.name, mark.args, tuple(sorted(mark.kwargs)), item.nodeid)
        for item in items
        for name in ("rule", "example")
        for mark in item.iter_markers(name)
    )


@pytest.fixture(scope="session")
def marks(request: pytest.FixtureRequest) -> tuple[Mark, ...]:
    """The rule and example marks of every collected test."""
    return request.config.stash[MARKS]
