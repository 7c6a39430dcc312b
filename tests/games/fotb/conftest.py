"""Marks of these tests, and the command line for them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import referee
from gamebox.load import load_box
from referee import cli
from referee.audit import opened
from tests.games.fotb.layout import BOOK


def pytest_configure(config: pytest.Config) -> None:
    """``ruling`` names one of our rulings, as rulings.csv has it."""
    config.addinivalue_line("markers", "ruling(id): this test holds what that ruling decides")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs the command in this process: exit code, what it prints, what it says on standard error. The box and the book, which are
    values, are made once for all."""
    monkeypatch.setattr(opened, "load_box", cache(load_box))
    monkeypatch.setattr(referee, "load", lambda game, scenario="", options=(), **more: BOOK)

    def command(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["referee", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        told = capsys.readouterr()
        return (end.value.code if isinstance(end.value.code, int) else 0), told.out, told.err

    return command
