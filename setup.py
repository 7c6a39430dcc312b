"""Puts data/ into the wheel as gamebox/_data; everything else stands in pyproject.toml.

A checkout keeps data/ at its root, where people edit it; an installed wheel has nothing beside its packages.
gamebox.load.data_root() looks in both places.
"""

from pathlib import Path
from shutil import copyfile

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
SKIP = {"__pycache__", ".DS_Store"}


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


setup(cmdclass={"build_py": BuildWithData})
