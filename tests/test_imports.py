"""Imports run one way, pure code stays pure, and ``import referee`` stays light.

Every module's source is parsed, imports inside functions included.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("gamebox", "modgen", "referee")

PURE_BOX = ("gamebox.model", "gamebox.geometry", "gamebox.ids", "gamebox.tabletalk", "gamebox.value")
DOCUMENT = "referee.document"  # the audit document as plain JSON values

# Layer -> what its modules may import of ours. The most specific layer that matches a module counts.
# An entry allows the module of that name and everything below it; "=x" allows x itself only.
LAYERS: dict[str, tuple[str, ...]] = {
    "gamebox.model": (),
    "gamebox.geometry": PURE_BOX,
    "gamebox.ids": PURE_BOX,
    "gamebox.tabletalk": PURE_BOX,
    "gamebox.value": (),
    "gamebox": ("gamebox",),
    "modgen.formats": ("gamebox", "modgen.formats"),
    "modgen.errors": (),
    "modgen.layout": ("gamebox", "modgen.layout", "modgen.errors"),
    "modgen.art": ("gamebox", "modgen.layout", "modgen.errors", "modgen.art"),
    "modgen": ("gamebox", "modgen"),
    "referee.rules": (*PURE_BOX, "referee.rules"),
    "referee.games": (*PURE_BOX, "referee.rules", "referee.games"),
    DOCUMENT: (),
    "referee.table": ("gamebox", "modgen.formats", "referee.rules", "referee.games", "referee.table", "=referee"),
    "referee.audit": (
        "gamebox",
        "modgen.formats",
        "referee.rules",
        "referee.games",
        "referee.table",
        "referee.audit",
        DOCUMENT,
        "=referee",
    ),
    "referee.service": ("gamebox", "referee", "modgen.formats"),
    "referee.cli": ("gamebox", "referee", "modgen.formats"),
    "referee.cli_records": ("gamebox", "referee"),
    "referee.cli_show": ("gamebox", "referee", "modgen.formats"),
    "referee.cli_legal": ("gamebox", "referee"),
    "referee.cli_options": ("gamebox", "referee", "modgen.formats"),
    "referee.picture": ("gamebox", "modgen.art", "modgen.layout", "modgen.errors", "referee.rules", "referee.picture"),  # it draws
    "referee": ("gamebox", "referee.rules", "referee.games", "=referee"),
}
PURE = (*PURE_BOX, DOCUMENT, "referee.rules", "referee.games")

# What pure code may take from the standard library and from others: values, algorithms, types.
PURE_MAY_IMPORT = frozenset(
    "__future__ abc array bisect collections contextlib copy dataclasses decimal difflib enum fractions functools hashlib heapq itertools "
    "json math msgspec numbers operator re string struct textwrap types typing typing_extensions unicodedata zlib".split()
)
DOES_IO = frozenset({"open", "input", "print", "breakpoint", "exec", "eval", "compile", "__import__"})

HEAVY = ("grpc", "google.protobuf", "lxml", "PIL", "typer", "rich", "sqlalchemy", "coloraide", "fontTools", "resvg", "numpy", "asyncio")


@dataclass(frozen=True, slots=True)
class Module:
    name: str
    path: Path
    tree: ast.Module

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"


def modules() -> Iterator[Module]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = list(path.relative_to(ROOT).with_suffix("").parts)
            if parts[:3] == ["referee", "service", "gen"]:
                continue  # generated
            if parts[-1] == "__init__":
                parts.pop()
            yield Module(".".join(parts), path, ast.parse(path.read_text("utf-8"), str(path)))


MODULES = {module.name: module for module in modules()}


def imports(module: Module) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything imported anywhere in the module; ``from a import b`` is a.b where that is a module of ours."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.name.split(".")
                above = above[: len(above) - node.level + (1 if module.is_package else 0)]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield node.lineno, full if full in MODULES else base


def layer_of(name: str) -> str:
    return max((layer for layer in LAYERS if name == layer or name.startswith(layer + ".")), key=len)


def allowed(target: str, may: tuple[str, ...]) -> bool:
    return any(target == entry[1:] if entry.startswith("=") else target == entry or target.startswith(entry + ".") for entry in may)


def where(module: Module, line: int) -> str:
    return f"{module.path.relative_to(ROOT)}:{line}"


@pytest.mark.parametrize("name", MODULES)
def test_imports_run_one_way(name: str) -> None:
    module = MODULES[name]
    layer = layer_of(name)
    wrong = [
        f"{where(module, line)}: {name} imports {target}; code in {layer} may import of ours only {', '.join(LAYERS[layer]) or 'nothing'}"
        for line, target in imports(module)
        if target.split(".")[0] in PACKAGES and not allowed(target, LAYERS[layer])
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", MODULES)
def test_the_product_imports_neither_tests_nor_benchmarks_nor_the_yardstick(name: str) -> None:
    module = MODULES[name]
    wrong = [
        f"{where(module, line)}: {name} imports {target}"
        for line, target in imports(module)
        if target.split(".")[0] in {"tests", "bench", "docs", "chess", "setup"}
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name in MODULES if allowed(name, PURE)])
def test_pure_code_does_no_input_or_output(name: str) -> None:
    module = MODULES[name]
    wrong = [
        f"{where(module, line)}: {name} imports {target}; pure code takes only {', '.join(sorted(PURE_MAY_IMPORT))}"
        for line, target in imports(module)
        if target.split(".")[0] not in PACKAGES and target.split(".")[0] not in PURE_MAY_IMPORT
    ]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DOES_IO:
            wrong.append(f"{where(module, node.lineno)}: {name} calls {node.func.id}()")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name in MODULES if allowed(name, ("modgen.formats", "referee.table"))])
def test_formats_and_readers_draw_nothing(name: str) -> None:
    module = MODULES[name]
    wrong = [
        f"{where(module, line)}: {name} imports {target}"
        for line, target in imports(module)
        if target.split(".")[0] in {"PIL", "resvg", "fontTools", "coloraide"}
    ]
    assert not wrong, "\n".join(wrong)


def loaded_by(statement: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{statement}\nprint('\\n'.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(run.stdout.split())


@pytest.mark.parametrize("statement", ["import referee", "import gamebox.load"])
def test_importing_the_engine_loads_nothing_heavy(statement: str) -> None:
    if statement.split()[1] not in MODULES:
        pytest.skip("not there")
    found = sorted(name for name in loaded_by(statement) if any(name == heavy or name.startswith(heavy + ".") for heavy in HEAVY))
    assert not found, f"{statement} loads {', '.join(found)}"


@pytest.mark.parametrize("statement", ["import referee.cli", "import modgen.cli"])
def test_the_command_lines_start_without_what_only_some_commands_need(statement: str) -> None:
    if statement.split()[1] not in MODULES:
        pytest.skip("not there")
    heavy = ("grpc", "google.protobuf", "lxml", "PIL", "coloraide", "fontTools", "resvg")
    found = sorted(name for name in loaded_by(statement) if any(name == part or name.startswith(part + ".") for part in heavy))
    assert not found, f"{statement} loads {', '.join(found)}"
