"""``referee verify``: one clear line a finding, and exit codes that a script can rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from referee.audit import verify as verify_module
from referee.audit.selfplay import selfplay
from referee.cli import main

SCHEMA = json.loads((Path(__file__).resolve().parent.parent / "docs/schema/verify-1.json").read_text("utf-8"))


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["referee", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("game")
    selfplay("battle-for-germany", games=1, seed=4, plans=("border",), record=folder, processes=1)
    return next(folder.iterdir()).read_text("utf-8")


def test_exit_codes_tell_what_verifies_what_does_not_and_what_cannot_be_read(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, none = tmp_path / "good.record", tmp_path / "bad.record", tmp_path / "none.record"
    good.write_text(text, "utf-8", newline="")
    bad.write_text(text.replace("note plan border", "note plan bolder"), "utf-8", newline="")
    assert run(monkeypatch, "verify", good) == 0
    told = capsys.readouterr()
    assert told.out.startswith(f"{good.as_posix()}: verified: battle-for-germany, historical, rules 1: ")
    assert (len(told.out.splitlines()), told.err) == (1, "")
    assert run(monkeypatch, "verify", bad) == 1
    told = capsys.readouterr()
    line = text.splitlines().index(next(line for line in text.splitlines() if line.startswith("actions"))) + 1
    assert told.out == f"{bad.as_posix()}:{line}:11: the chain breaks here: the header, lines 1 to {line}, is not what was recorded\n"
    assert run(monkeypatch, "verify", none) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"referee: {none.as_posix()}: no such file or directory\n")


def test_a_bad_file_does_not_lose_the_others(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("a.record", "b.record", "c.record", "d.record")]
    for path, content in zip(files, (text, "record 9\n", text.replace(" result Soviet", " result Sowjet"), text), strict=True):
        path.write_text(content, "utf-8", newline="")
    assert run(monkeypatch, "verify", *files, tmp_path) == 2
    told = capsys.readouterr()
    assert told.out.count(": verified: ") == 2
    assert told.out.splitlines()[-1] == "2 verified, 1 failed, 2 unreadable"
    assert told.err.splitlines()[0].startswith(
        f"referee: {files[1].as_posix()}:1:1: a record begins with 'record 1' or 'record 2', not 'record 9'"
    )
    assert len(told.err.splitlines()) == 2
    assert run(monkeypatch, "verify", "--json", *files) == 2
    found: Any = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert [file["verified"] for file in found["files"]] == [True, False, True]
    assert found["summary"] == {"verified": 2, "failed": 1, "unreadable": 1}
    assert [file["path"] for file in found["unreadable"]] == [files[1].as_posix()]


def test_a_fault_of_the_referee_does_not_lose_the_others_either(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def verify(path: Path, name: str, **more: Any) -> Any:
        if path.stem == "odd":
            raise KeyError("sky")
        return real(path, name, **more)

    real = verify_module.verify_file
    monkeypatch.setattr(verify_module, "verify_file", verify)
    odd, good = tmp_path / "odd.record", tmp_path / "good.record"
    good.write_text(text, "utf-8", newline="")
    assert run(monkeypatch, "verify", odd, good) == 2
    told = capsys.readouterr()
    assert ": verified: " in told.out
    assert told.err == f"referee: {odd.as_posix()}: internal error (KeyError: 'sky'); REFEREE_DEBUG=1 shows where\n"
