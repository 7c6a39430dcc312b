"""Where the engine's own files lie."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data/vassal"
SAMPLES = ROOT / "data/battle-for-germany/samples"
CLUB = SAMPLES / "bfg-club.vmod"
SAMPLE = DATA / "sample"
COOKBOOK = DATA / "cookbook"

SAVES = sorted((*DATA.rglob("*.vsav"),))
LOGS = sorted((*DATA.rglob("*.vlog"), *SAMPLES.glob("*.vlog")))
MODULES = sorted((*DATA.rglob("*.vmod"), CLUB))

PASSWORDS = ("alice-secret", "bob-secret", "tango-red-7", "blue-ocean-3", "red-pw")


def name(path: Path) -> str:
    """A short name for test ids."""
    return "/".join(path.parts[-2:])


def module_of(log: Path) -> Path:
    """The module a log was played with."""
    if "sample" in log.parts:
        return SAMPLE / "sample.vmod"
    return COOKBOOK / "cookbook-demo.vmod" if "cookbook" in log.parts else CLUB
