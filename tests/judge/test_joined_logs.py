"""Two logs joined in one saved game: the second's steps are judged on the second's table, never on the first's."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from modgen.formats.errors import FormatError
from modgen.formats.vassal import obfuscation, saves
from modgen.formats.vassal.dump import dump
from referee.audit.run import audit_file
from tests.judge.scenarist import desk, make_logs

FIRST, SECOND = make_logs.LOGS / "c06-western-replacements.vlog", make_logs.LOGS / "b01-kurland-t3.vlog"


def joined(path: Path, files: list[Path]) -> Path:
    texts = []
    for source in files:
        with zipfile.ZipFile(source) as archive:
            entries = {name: archive.read(name) for name in archive.namelist()}
        text, form = obfuscation.reveal(entries["savedGame"])
        texts.append(text)
    entries["savedGame"] = obfuscation.conceal("\x1b".join(texts), form)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def audited(path: Path, module: Path | None) -> dict[str, Any]:
    file: dict[str, Any] = audit_file(path, "t", game="battle-for-germany", module=module).as_json()["files"][0]
    return file


@pytest.mark.parametrize("module", [desk.MODULE, None], ids=["module", "log alone"])
def test_each_part_is_judged_as_it_is_alone(tmp_path: Path, module: Path | None) -> None:
    both = audited(joined(tmp_path / "both.vlog", [FIRST, SECOND]), module)
    first, second = audited(FIRST, module), audited(SECOND, module)
    steps = len(saves.read_log(FIRST).steps)
    later = [{**a, "step": a["step"] + steps, "first_step": a["first_step"] + steps} for a in second["actions"]]
    assert both["actions"] == [*first["actions"], *later]
    assert f"a new position is loaded at step {steps + 1}; judged from there" in both["notes"]
    assert not any("belong to no step" in note for note in both["notes"])


def test_the_parts_are_read_apart_and_written_as_they_were(tmp_path: Path) -> None:
    log = saves.read_log(joined(tmp_path / "both.vlog", [FIRST, SECOND]))
    (load,) = log.loads
    assert [step.number for step in (*log.steps, *load.steps)] == list(range(1, len(log.steps) + len(load.steps) + 1))
    assert load.start.pieces.keys() == saves.read_log(SECOND).start.pieces.keys()
    assert not log.stray and not load.stray
    assert log.text == "\x1b".join((saves.read_log(FIRST).text, saves.read_log(SECOND).text))


def test_the_text_twin_tells_every_part_and_no_password(tmp_path: Path) -> None:
    text = dump(joined(tmp_path / "both.vlog", [FIRST, SECOND]))
    assert f"load after step {len(saves.read_log(FIRST).steps)}" in text
    for player in (desk.RED, desk.BLUE, desk.SOLO):
        assert player.id not in text


def test_a_file_that_loads_on_and_on_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds 17 positions; at most 16 are read"):
        saves.read_log(joined(tmp_path / "many.vlog", [SECOND] * 17))
