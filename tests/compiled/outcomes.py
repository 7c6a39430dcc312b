"""What the referee writes when it plays and judges, in full: the same bytes must come from its sources and from what is compiled of them.

``python -P -m tests.compiled.outcomes``: games of every game against itself as records, with everything that self-play counts of them (the
tries that were refused, and by which paragraphs), and the audits of all logs of the tests. Which of both it is that writes is the path's
business: what comes first in PYTHONPATH.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gamebox.load import games
from modgen.formats.errors import FormatError
from referee.audit.run import audit_file
from referee.audit.selfplay import selfplay
from referee.rules.options import UsageError

ROOT = Path(__file__).resolve().parents[2]
GAMES, SEED = 3, 7


def played(game: str) -> Iterator[str]:
    """The report and the records of a few games, by as many plans, under options drawn for each."""
    with tempfile.TemporaryDirectory() as folder:
        report = selfplay(game, games=GAMES, seed=SEED, record=Path(folder), processes=1, any_options=True)
        yield json.dumps(report.as_json(), ensure_ascii=False, indent=1)
        for path in sorted(Path(folder).glob("*.record")):
            yield path.read_text("utf-8")


def judged() -> Iterator[str]:
    """Every log that lies about in tests and data, with the module beside it where there is one and without; refusals too."""
    logs = sorted(path for top in ("data", "tests") for path in (ROOT / top).rglob("*.v[ls][oa][gv]"))
    for path in logs:
        name = path.relative_to(ROOT).as_posix()
        for module in (None, *sorted(path.parent.glob("*.vmod"))):
            yield f"{name} {module.name if module else ''}"
            try:
                document = audit_file(path, name, game="battle-for-germany" if "overlord" not in name else None, module=module)
            except (FormatError, UsageError) as refused:
                yield f"{type(refused).__name__}: {refused}"
            else:
                yield json.dumps(document.as_json(), ensure_ascii=False, indent=1)


def refereed() -> list[str]:
    """The games with rules."""
    return [name for name in games() if (ROOT / "referee/games" / name.replace("-", "_")).is_dir()]


def main() -> int:
    """Writes everything to the standard output."""
    for game in refereed():
        for text in played(game):
            print(text)
    for text in judged():
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
