"""What is shipped: the wheel with the data in it, the lock, the entry points, the font."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def copy_of_checkout(to: Path) -> Path:
    """The files that git knows or would take, so that what lies about in the checkout changes nothing."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    for name in filter(None, listed.decode().split("\0")):
        source, target = ROOT / name, to / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    return to


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = copy_of_checkout(tmp_path_factory.mktemp("checkout"))
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(source)], check=True, capture_output=True
    )
    (built,) = out.glob("*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_carries_every_file_of_data_and_nothing_of_the_house(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
        for path in sorted((ROOT / "data").rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                name = f"gamebox/_data/{path.relative_to(ROOT / 'data').as_posix()}"
                assert name in inside
                assert archive.read(name) == path.read_bytes()
    tops = {name.split("/")[0] for name in inside}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"gamebox", "modgen", "referee"}
    assert "gamebox/py.typed" in inside and "referee/service/gen/referee_pb2.py" in inside


@pytest.mark.slow
def test_the_installed_wheel_finds_its_data_and_its_commands_start(wheel: Path, tmp_path: Path) -> None:
    """In a fresh environment that sees the dependencies of this one, but neither the checkout nor its editable install."""
    place = tmp_path / "env"
    venv.create(place, with_pip=False)
    python = place / "bin/python"
    site = Path(
        subprocess.run([python, "-c", "import site; print(site.getsitepackages()[0])"], capture_output=True, text=True).stdout.strip()
    )
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    ours = next(path for path in map(Path, sys.path) if path.name == "site-packages")
    # addsitedir would run the editable install's .pth too: a plain path does not.
    (site / "dependencies.pth").write_text(f"{ours}\n", "utf-8")

    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    show = "import gamebox, gamebox.load as l; print(gamebox.__file__); print(l.data_root()); print(*l.games())"
    run = subprocess.run([python, "-c", show], cwd=tmp_path, capture_output=True, text=True, env=clean, check=True)
    package, data, games = run.stdout.splitlines()
    assert Path(package).is_relative_to(site) and Path(data).is_relative_to(site)
    assert games.split() == sorted(path.parent.name for path in (ROOT / "data").glob("*/game.toml"))
    for command in PROJECT["scripts"]:
        subprocess.run([place / "bin" / command, "--help"], cwd=tmp_path, env=clean, check=True, capture_output=True)
    samples = Path(data) / "battle-for-germany/samples"
    words = ["--game", "battle-for-germany", "--module", samples / "bfg-club.vmod", samples / "01-t1-red-moves.vlog"]
    judged = subprocess.run([place / "bin/referee", "audit", *words], cwd=tmp_path, env=clean, capture_output=True, text=True)
    assert (judged.returncode, judged.stderr) == (1, "") and judged.stdout.splitlines()[-1].endswith("unclear")


def locked(name: str) -> dict[str, str]:
    """Package -> version of a lock file, each held by hashes."""
    entries = re.split(r"\n(?=\S)", (ROOT / name).read_text("utf-8").strip())
    versions = {}
    for entry in entries:
        match = re.match(r"([a-z0-9][a-z0-9.-]*)==([^\s;]+)", entry)
        assert match, f"{name}: {entry.splitlines()[0]!r} is not pinned to a version"
        assert "--hash=sha256:" in entry, f"{name}: {match[1]} has no hash"
        versions[match[1]] = match[2]
    return versions


def test_the_lock_pins_everything_that_the_project_names_with_hashes() -> None:
    pinned = locked("requirements.lock")
    wanted = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
    missing = {re.split(r"[<>=\[ ]", line)[0] for line in wanted} - set(pinned)
    assert not missing, f"make lock: {', '.join(sorted(missing))} are not in requirements.lock"


def test_the_yardstick_is_for_the_benchmarks_only() -> None:
    assert "chess" not in locked("requirements.lock")
    assert locked("requirements-bench.lock") == {"chess": "1.10.0"}


def test_the_lock_names_no_server() -> None:
    for name in ("requirements.lock", "requirements-bench.lock"):
        assert "://" not in (ROOT / name).read_text("utf-8")


def test_the_font_has_the_letters_of_the_units_names() -> None:
    import font_source_sans_pro
    from fontTools.ttLib import TTFont

    files = Path(font_source_sans_pro.__file__).parent / "files"
    for weight in ("Regular", "Semibold", "Bold"):
        glyphs = TTFont(files / f"SourceSansPro-{weight}.ttf").getBestCmap()
        missing = [
            letter
            for letter in "żłüčßéÉőșțěřŽĐАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя"
            if ord(letter) not in glyphs
        ]
        assert not missing, f"{weight}: {''.join(missing)}"
