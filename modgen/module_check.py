"""``modgen check GAME --module FILE``: whether a module is that game's, and built from the data as it is now."""

from __future__ import annotations

from dataclasses import replace

from modgen.check import Report as GameReport
from modgen.formats.vassal.validate import Finding, Report, Severity

_PLACE = "buildFile.xml: GameModule"


def against(module: Report, game: GameReport) -> Report:
    """The module's report, with what does not agree with the game's data as further findings.

    The builder writes the game's id and the data's hash into the module's two free fields; a module without them is not ours, and
    nothing is said of it.
    """
    word, data = module.other
    found: list[Finding] = []
    if word.startswith("game ") and word != f"game {game.game}":
        found.append(_finding("game-other", f"the module is of {word}", f"game {game.game}"))
    elif word.startswith("game "):
        if data.startswith("data ") and data != f"data {game.data_hash}":
            found.append(
                _finding("game-data", f"the module was built from {data[:17]}, the game's data is {game.data_hash[:12]}", "modgen build")
            )
        # After a plus the build puts a mark of the content, where the number alone would not tell modules apart.
        if game.module_version and module.version.partition("+")[0] != game.module_version:
            what = f"the module's version is {module.version}, module.toml says {game.module_version}"
            found.append(_finding("game-version", what, "modgen build"))
    order = list(Severity)
    return replace(module, findings=tuple(sorted((*module.findings, *found), key=lambda finding: order.index(finding.severity))))


def _finding(check: str, what: str, allowed: str) -> Finding:
    return Finding(check, Severity.WARNING, (_PLACE,), what, allowed)
