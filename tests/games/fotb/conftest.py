"""Marks of these tests."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """``ruling`` names one of our rulings, as rulings.csv has it."""
    config.addinivalue_line("markers", "ruling(id): this test holds what that ruling decides")
