"""Building a module from its data, against packing the finished entries into a zip: how much of the time is more than packing."""

from __future__ import annotations

import io
import zipfile
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.games import GAME
from bench.harness import Ratio, Work, paired
from modgen.build import build

ROUNDS = 3


def _build(out: Path) -> int:
    build(GAME, out=out)
    return 1


def _pack(entries: dict[str, bytes]) -> int:
    with zipfile.ZipFile(io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return 1


def ratios() -> list[Ratio]:
    """Modules a second."""
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
            )
        ]
