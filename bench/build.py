"""Building modules from their data.

Against packing the finished entries into a zip: how much of the time is more than packing. And in seconds, by the clock, as a maker waits
for them: every game at once from nothing, again with nothing changed, and a made-up box of a thousand counters on a small map.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import zipfile
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import synthetic
from bench.games import GAME
from bench.harness import Ratio, Seconds, Work, paired
from gamebox.load import data_root, games
from modgen.build import build

ROUNDS = 3
COUNTERS = 1000
ROOT = Path(__file__).resolve().parents[1]


def _build(out: Path) -> int:
    build(GAME, out=out, cached=False)
    return 1


def _pack(entries: dict[str, bytes]) -> int:
    with zipfile.ZipFile(io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return 1


def ratios() -> list[Ratio | Seconds]:
    """Modules a second, then seconds a build."""
    with TemporaryDirectory() as folder:
        out = Path(folder)
        _build(out)
        with zipfile.ZipFile(out / f"{GAME}.vmod") as archive:
            entries = {name: archive.read(name) for name in archive.namelist()}
        return [
            paired(
                Work("module built", "modules", partial(_build, out)),
                Work("its entries zipped", "modules", partial(_pack, entries)),
                ROUNDS,
            ),
            *_waits(out),
        ]


def _waits(folder: Path) -> list[Seconds]:
    chosen = [game for game in games() if (data_root() / game / "module.toml").is_file()]
    many = ", ".join(chosen)
    fresh, kept = folder / "fresh", folder / "kept"
    data = folder / "data"
    synthetic.write(data, COUNTERS)
    _command(*chosen, "--out", str(kept))
    found = [
        Seconds.of(f"{many}: from nothing", ROUNDS, partial(_command, *chosen, "--out", str(fresh)), partial(_remove, fresh)),
        Seconds.of(f"{many}: nothing changed", ROUNDS, partial(_command, *chosen, "--out", str(kept))),
    ]
    found += [Seconds.of(f"{game}: nothing changed", ROUNDS, partial(_command, game, "--out", str(kept))) for game in chosen]
    made_up = partial(_command, synthetic.GAME, "--data", str(data), "--out", str(fresh))
    found.append(Seconds.of(f"a made-up box of {COUNTERS} counters: from nothing", ROUNDS, made_up, partial(_remove, fresh)))
    return found


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _command(*words: str) -> None:
    """The command as a maker runs it, Python's own start included. Raises CalledProcessError when it refuses."""
    subprocess.run([sys.executable, "-m", "modgen.cli", "build", *words], cwd=ROOT, check=True, capture_output=True)
