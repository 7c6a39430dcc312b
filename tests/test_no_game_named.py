"""Games are found as folders of data/ and packages of referee/games/: no other code names one, so a fourth needs no code.

The whole source, comments included, is searched for the games' ids and short names; identifiers and texts, documentation aside,
for the sides, nations and cities of every game's tables.
"""

from __future__ import annotations

import ast
import csv
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
REFEREE = (
    "__init__.py",
    "cli.py",
    "cli_records.py",
    "cli_show.py",
    "cli_legal.py",
    "cli_options.py",
    "picture",
    "rules",
    "table",
    "audit",
    "service",
)
NAMELESS = ("gamebox", "modgen", *(f"referee/{part}" for part in REFEREE))

# Column of a table -> its values are names that belong to one game. Side codes of one letter are no words.
NAME_COLUMNS = {"sides": ("side", "name"), "nations": ("nation",), "cities": ("name",)}
# Words of these tables that are plain English too.
PLAIN = frozenset({"off", "split", "nice", "most", "neutral", "allied", "west", "none", "all", "both", "side", "public"})


def sources() -> list[Path]:
    found: list[Path] = []
    for entry in NAMELESS:
        path = ROOT / entry
        found += [path] if path.suffix == ".py" else sorted(path.rglob("*.py"))
    return [path for path in found if path.exists()]


def games() -> Iterator[tuple[Path, set[str]]]:
    """Each game's folder with its ids: folder, package, short name."""
    for toml in sorted((ROOT / "data").glob("*/game.toml")):
        short = str(tomllib.loads(toml.read_text("utf-8")).get("short", "")).lower()
        folder = toml.parent
        yield folder, {folder.name, folder.name.replace("-", "_"), folder.name.replace("-", " "), *([short] if short else [])}
    for package in sorted((ROOT / "referee/games").glob("*/__init__.py")):
        name = package.parent.name
        yield package.parent, {name, name.replace("_", "-"), name.replace("_", " ")}


@cache
def ids() -> frozenset[str]:
    return frozenset(name for _, names in games() for name in names)


@cache
def names() -> frozenset[str]:
    """Sides, nations and cities of all games, lower case."""
    found: set[str] = set()
    for folder, _ in games():
        for table, columns in NAME_COLUMNS.items():
            path = folder / f"{table}.csv"
            if not path.exists():
                continue
            with path.open(encoding="utf-8-sig", newline="") as lines:
                for row in csv.DictReader(lines):
                    found.update(value.strip().lower() for column in columns if (value := row.get(column)))
    return frozenset(name for name in found if len(name) > 2 and name not in PLAIN)


def documentation(tree: ast.Module) -> set[tuple[int, int]]:
    """Where the docstrings start: texts that stand alone as statements."""
    return {
        (node.value.lineno, node.value.col_offset)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }


def words(text: str) -> str:
    """Identifiers and texts as words with blanks: ``WEST_GERMAN`` and ``west-german`` read ``west german``."""
    return re.sub(r"[\W_]+", " ", text.lower()).strip()


def test_the_search_finds_what_it_should() -> None:
    assert ids(), "no game found"
    assert words("SU_1_Balt") == "su 1 balt"


@cache
def any_of(found: frozenset[str]) -> re.Pattern[str]:
    """Any of these as whole words, the longest first."""
    return re.compile(r"(?<![a-z0-9])(" + "|".join(map(re.escape, sorted(found, key=lambda name: (-len(name), name)))) + r")(?![a-z0-9])")


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_game_is_named(path: Path) -> None:
    text = path.read_text("utf-8")
    place = path.relative_to(ROOT)
    wrong = [
        f"{place}:{number}: names the game {match.group(1)!r}"
        for number, line in enumerate(text.splitlines(), 1)
        for match in any_of(ids()).finditer(line.lower())
    ]
    if found := frozenset(map(words, names())):
        pattern = any_of(found)
        docs = documentation(ast.parse(text))
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.NAME, tokenize.STRING) and token.start not in docs:
                hits = pattern.finditer(words(token.string))
                wrong += [f"{place}:{token.start[0]}: names {hit.group(1)!r} of a game's tables" for hit in hits]
    assert not wrong, "\n".join(wrong)
