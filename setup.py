"""Puts data/ into the wheel as gamebox/_data, and on request compiles the busiest modules; everything else stands in pyproject.toml.

A checkout keeps data/ at its root, where people edit it; an installed wheel has nothing beside its packages.
gamebox.load.data_root() looks in both places.

With the environment variable ``REFEREE_COMPILE=1`` the wheel also holds the modules of ``[tool.compiled]`` as machine code, made by mypyc
out of the very same sources, which stay beside it for tracebacks. Such a wheel is for one Python and one kind of machine.
"""

import os
import shutil
import sys
import sysconfig
import tomllib
from multiprocessing.pool import ThreadPool
from pathlib import Path
from shutil import copyfile
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
SKIP = {"__pycache__", ".DS_Store"}
BUILT = Path("build/compiling")
"""Where C and object files go, and what mypy remembers of the sources."""


def data_files() -> list[tuple[Path, str]]:
    """Every file of data/ with its path inside the wheel, sorted."""
    found = [path for path in (ROOT / "data").rglob("*") if path.is_file() and not SKIP.intersection(path.parts)]
    return [(path, f"gamebox/_data/{path.relative_to(ROOT / 'data').as_posix()}") for path in sorted(found)]


class BuildWithData(build_py):
    """build_py that also copies data/; an editable install reads the checkout's own data/ and copies nothing."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for source, inside in data_files():
            target = Path(self.build_lib) / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            copyfile(source, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        outputs = list(super().get_outputs(include_bytecode))
        if self.editable_mode:
            return outputs
        return outputs + [str(Path(self.build_lib) / inside) for _, inside in data_files()]


class BuildOutOfTree(build_ext):
    """build_ext for a wheel only: machine code beside sources that are still edited would hide every later change to them.

    It compiles as many C files at a time as the machine has processors.
    """

    def run(self) -> None:
        if self.editable_mode or self.inplace:
            raise SystemExit("REFEREE_COMPILE is for wheels (make fast): machine code in a checkout would hide what is changed there later")
        super().run()

    def build_extensions(self) -> None:
        compiler = self.compiler

        def compile_all(sources: Any, output_dir: Any = None, macros: Any = None, include_dirs: Any = None, debug: Any = 0,
                        extra_preargs: Any = None, extra_postargs: Any = None, depends: Any = None) -> list[str]:  # fmt: skip
            defined, objects, after, before, build = compiler._setup_compile(
                output_dir, macros, include_dirs, sources, depends, extra_postargs
            )
            options = compiler._get_cc_args(before, debug, extra_preargs)

            def one(made: str) -> None:
                source, suffix = build[made]
                compiler._compile(made, source, suffix, options, after, defined)

            with ThreadPool(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()) as pool:
                pool.map(one, sorted(build, key=lambda made: -Path(build[made][0]).stat().st_size), chunksize=1)
            return list(objects)

        compiler.compile = compile_all
        super().build_extensions()


def compiled_modules() -> list[str]:
    """The files that ``[tool.compiled]`` of pyproject.toml names, sorted. Raises SystemExit for a name or pattern that no file fits."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["compiled"]
    found: dict[str, set[str]] = {}
    for key in ("modules", "without"):
        found[key] = set()
        for pattern in table[key]:
            fits = {path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern)}
            if not fits:
                raise SystemExit(f"pyproject.toml: [tool.compiled] {key}: no file fits {pattern!r}")
            found[key] |= fits
    return sorted(found["modules"] - found["without"])


def compiled() -> list[Extension]:
    """The extension modules. Raises SystemExit when something that they need is missing."""
    try:
        from mypyc.build import mypycify
    except ImportError:
        raise SystemExit("REFEREE_COMPILE needs mypy in this environment: pip install mypy (make venv does)") from None
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if os.name == "posix" and shutil.which(compiler) is None:
        raise SystemExit(f"REFEREE_COMPILE needs a C compiler, and there is no {compiler!r}; on Debian and Ubuntu: apt install gcc")
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    if not header.is_file():
        raise SystemExit(f"REFEREE_COMPILE needs Python's headers: there is no {header}; on Debian and Ubuntu: apt install python3-dev")
    options = ["--strict", "--cache-dir", str(BUILT / "mypy")]
    level = os.environ.get("REFEREE_COMPILE_LEVEL", "2")
    found: list[Extension] = mypycify(
        [*options, *compiled_modules()],
        opt_level=level,
        debug_level="0",
        multi_file=True,
        target_dir=str(BUILT / "c"),
        group_name="modgen_referee",
    )
    return found


# setup.py is also run to ask what a build needs: only a build compiles.
BUILDS = {"bdist_wheel", "build", "build_ext", "editable_wheel"}
COMPILING = os.environ.get("REFEREE_COMPILE") == "1" and not BUILDS.isdisjoint(sys.argv)

setup(
    cmdclass={"build_py": BuildWithData, **({"build_ext": BuildOutOfTree} if COMPILING else {})},
    ext_modules=compiled() if COMPILING else [],
    options={"build": {"build_base": str(BUILT)}} if COMPILING else {},
)
