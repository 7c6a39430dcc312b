"""Shared by all tests: the collected marks, so that a test can hold that they are well made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

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


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Holds a lock against the other processes of this test run, where the system has such locks."""
    try:
        from fcntl import LOCK_EX, flock
    except ImportError:
        yield
        return
    with path.open("w") as lock:
        flock(lock, LOCK_EX)
        yield


@pytest.fixture(scope="session")
def build_once(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Callable[[str], Path]:
    """Game -> its module, built once for a whole run, be it in several processes. Only to be read."""
    from modgen.build import build  # not above: most tests need nothing that draws

    own = tmp_path_factory.getbasetemp()
    folder = own.parent if hasattr(request.config, "workerinput") else own

    def made(game: str) -> Path:
        out = folder / f"built-{game}"
        with _alone(folder / f"built-{game}.lock"):
            if not (out / f"{game}.vmod").exists():
                build(game, out=out)
        return out / f"{game}.vmod"

    return made


@pytest.fixture(scope="session")
def built_module(build_once: Callable[[str], Path]) -> Path:
    """The sample game's module. Only to be read."""
    return build_once("battle-for-germany")


@pytest.fixture(scope="session")
def marks(request: pytest.FixtureRequest) -> tuple[Mark, ...]:
    """The rule and example marks of every collected test."""
    return request.config.stash[MARKS]
