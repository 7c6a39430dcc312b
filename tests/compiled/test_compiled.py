"""What mypyc makes of the sources must do what the sources do: the list, what mypyc takes otherwise than Python, and the same bytes.

Most of this needs no compiler. ``make test-fast`` runs it, with all tests of the rules, on the compiled modules (REFEREE_COMPILED names
where they are).
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILED = os.environ.get("REFEREE_COMPILED", "")
TABLE = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["compiled"]

EATERS = frozenset("tuple list set frozenset dict sum any all sorted min max next bytes bytearray bool".split())
"""Built-in functions that take what a generator expression gives before they return."""
EATING = frozenset("join update extend fromkeys".split())
"""Methods that do."""


def fitting(key: str) -> dict[str, set[Path]]:
    return {pattern: set(ROOT.glob(pattern)) for pattern in TABLE[key]}


def listed() -> list[Path]:
    return sorted(set().union(*fitting("modules").values()) - set().union(*fitting("without").values()))


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def parents(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            yield child, node


def eaten_at_once(expression: ast.AST, parent: ast.AST) -> bool:
    if isinstance(parent, ast.Starred):
        return True
    if not isinstance(parent, ast.Call) or expression not in parent.args:
        return False
    func = parent.func
    return func.id in EATERS if isinstance(func, ast.Name) else isinstance(func, ast.Attribute) and func.attr in EATING


def test_every_line_of_the_list_names_modules() -> None:
    for key in ("modules", "without"):
        for pattern, paths in fitting(key).items():
            assert paths and all(path.suffix == ".py" for path in paths), f"[tool.compiled] {key}: {pattern!r}"
    wanted = {"referee.rules.book", "referee.rules.graph", "referee.table.vassal", "modgen.formats.vassal.sequence"}
    assert wanted <= {module_of(path) for path in listed()}


@pytest.mark.parametrize("path", listed(), ids=module_of)
def test_a_compiled_module_holds_nothing_that_mypyc_takes_otherwise(path: Path) -> None:
    """mypyc evaluates a generator expression at once where Python waits: one that is kept or handed on would be a list there, which
    cannot be asked for its next. It leaves out what stands behind the bases of a class (``frozen=True``), so that a value's base must
    have it; works a cached property out anew each time; and cannot make ``x in (*a, b)`` or a generic dataclass."""
    tree = ast.parse(path.read_text("utf-8"))
    for node, parent in parents(tree):
        if isinstance(node, ast.GeneratorExp) and isinstance(parent, ast.Return | ast.YieldFrom | ast.IfExp):
            raise AssertionError(f"{path.name}:{node.lineno}: return iter([...]), or a loop with yield: mypyc makes a list of this")
        if isinstance(node, ast.GeneratorExp) and isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
            name = parent.targets[0].id
            asked = [
                n.lineno
                for n in ast.walk(tree)
                if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "next" and ast.unparse(n.args[0]) == name
            ]
            assert not asked, f"{path.name}:{asked[0]}: {name} is a list where mypyc compiled it"
        if isinstance(node, ast.ClassDef) and node.keywords:
            bases = [ast.unparse(base) for base in node.bases]
            assert "msgspec.Struct" not in bases, f"{path.name}:{node.lineno}: derive {node.name} from gamebox.value.Value"
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(made) for made in node.decorator_list):
            generic = any(ast.unparse(base).startswith("Generic[") for base in node.bases)
            assert not generic, f"{path.name}:{node.lineno}: mypyc cannot make {node.name}, a generic dataclass"
        if isinstance(node, ast.Attribute | ast.Name | ast.alias):
            word = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else node.name
            assert word != "cached_property", f"{path.name}:{node.lineno}: mypyc makes a plain property of this"
        if isinstance(node, ast.Compare):
            for operator, against in zip(node.ops, node.comparators, strict=True):
                if isinstance(operator, ast.In | ast.NotIn) and isinstance(against, ast.Tuple | ast.List):
                    starred = any(isinstance(item, ast.Starred) for item in against.elts)
                    assert not starred, f"{path.name}:{node.lineno}: give the tuple a name; mypyc cannot compile this"


@pytest.mark.skipif(not COMPILED, reason="make test-fast compiles; this runs the sources")
@pytest.mark.parametrize("path", listed(), ids=module_of)
def test_the_module_under_test_is_the_compiled_one_and_of_these_sources(path: Path) -> None:
    loaded = Path(str(import_module(module_of(path)).__file__))
    assert loaded.is_relative_to(COMPILED) and loaded.suffix in (".so", ".pyd")
    assert (Path(COMPILED) / path.relative_to(ROOT)).read_bytes() == path.read_bytes()


@pytest.mark.skipif(not COMPILED, reason="make test-fast compiles; this runs the sources")
def test_compiled_code_and_sources_write_the_same_bytes() -> None:
    """Records of whole games, what refused and allowed in them, and the audits of every log of the tests."""

    def written(*first: str) -> bytes:
        where = {**os.environ, "PYTHONPATH": os.pathsep.join((*first, str(ROOT))), "PYTHONHASHSEED": "0" if first else "1"}
        run = subprocess.run([sys.executable, "-P", "-m", "tests.compiled.outcomes"], cwd=ROOT, env=where, capture_output=True, check=True)
        return run.stdout

    ours, theirs = written(COMPILED), written()
    assert len(ours) > 500_000
    for number, (a, b) in enumerate(zip(ours.splitlines(), theirs.splitlines(), strict=False), 1):
        assert a == b, f"line {number}"
    assert ours == theirs


SAME = """
import random, sys
from referee.rules import graph
dice, size = random.Random(5), 60
print(graph.__file__, file=sys.stderr)
for case in range(300):
    pairs = sorted({tuple(sorted(dice.sample(range(size), 2))) for _ in range(150)})
    edges = [[] for _ in range(size)]
    for a, b in pairs:
        edges[a].append((b, dice.randint(1, 3)))
        edges[b].append((a, dice.randint(1, 3)))
    edges = tuple(map(tuple, edges))
    marks = [bytes(dice.random() < part for _ in range(size)) for part in (0.1, 0.3)]
    m = graph.Profile(dice.randint(1, 9), marks[0], marks[1], bool(case % 2), bytes(dice.randint(0, 3) for _ in range(size)))
    start, goal = dice.sample(range(size), 2)
    bound = graph.lower_bounds(graph.turned(edges), goal, 16)
    for found in (graph.reach(edges, start, m), graph.corridor(edges, start, goal, m, bound)):
        print(m, bound.hex(), found and (found.start, found.cost, found.before))
"""


@pytest.mark.slow
def test_one_module_compiles_and_finds_the_same_ways(tmp_path: Path) -> None:
    """The search alone, which takes seconds, where the whole list takes minutes."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None or not (Path(sysconfig.get_paths()["include"]) / "Python.h").is_file():
        pytest.skip(f"there is no C compiler {compiler!r} with Python's headers here")
    module = Path("referee/rules/graph.py")
    for name in (module, "referee/__init__.py", "referee/rules/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes() if name == module else b"")
    build = f"""
from setuptools import setup
from mypyc.build import mypycify
setup(name="one", packages=[], ext_modules=mypycify(["--strict", {module.as_posix()!r}], opt_level="0", debug_level="0"))
"""
    (tmp_path / "setup.py").write_text(build, "utf-8")
    made = subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr

    def told(first: Path) -> tuple[str, str]:
        where = {**os.environ, "PYTHONPATH": str(first)}
        run = subprocess.run([sys.executable, "-P", "-c", SAME], cwd=tmp_path, env=where, capture_output=True, text=True, check=True)
        return run.stdout, run.stderr.strip()

    (ours, loaded), (theirs, source) = told(tmp_path), told(ROOT)
    assert Path(loaded).suffix in (".so", ".pyd") and Path(source).suffix == ".py"
    assert ours == theirs
    assert ours.count("Profile(") == 600 and ours.count("None") < 300
