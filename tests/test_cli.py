"""The command line ``referee``: arguments, output and errors, with the judging done by rote."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import socket
import subprocess
import sys
import types
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import grpc
import jsonschema
import pytest

from modgen import cli as modgen_cli
from modgen.formats.errors import FormatError
from referee import cli
from tests.service.sample import document

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "data/battle-for-germany/samples"


class Document:
    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value

    def as_json(self) -> dict[str, Any]:
        return self.value


class Report(Document):
    def __init__(self, value: dict[str, Any], problems: tuple[str, ...]) -> None:
        super().__init__(value)
        self.problems = problems

    def lines(self) -> list[str]:
        return [f"{self.value['games']} games", *self.problems]


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Puts rote functions where the audit's are; what they were called with."""
    calls: list[tuple[Any, ...]] = []

    def audit_file(source: Path, name: str, **more: Any) -> Document:
        calls.append((source, name, more))
        if source.name == "broken.vlog":
            raise FormatError(f"{name}: savedGame", "is not a VASSAL save; it must begin with !VCSK")
        if source.name == "crash.vlog":
            raise RuntimeError("oh")
        value = document(name)
        if source.name == "illegal.vlog":
            value["files"][0]["actions"] = [*value["files"][0]["actions"][:1], {**value["files"][0]["actions"][1], "verdict": "illegal"}]
            value["files"][0]["summary"] = {"legal": 1, "illegal": 1, "doubtful": 0, "unclear": 0}
        return Document(value)

    def selfplay(game: str, **more: Any) -> Report:
        calls.append((game, more))
        return Report({"games": more["games"]}, ("bad",) if game == "bad" else ())

    run = types.ModuleType("referee.audit.run")
    run.audit_file = run.check_file = audit_file  # type: ignore[attr-defined]
    play = types.ModuleType("referee.audit.selfplay")
    play.selfplay = selfplay  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "referee.audit.run", run)
    monkeypatch.setitem(sys.modules, "referee.audit.selfplay", play)
    return calls


def referee(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> int:
    """Runs the command in this process; its exit code."""
    monkeypatch.setattr(sys, "argv", ["referee", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return end.value.code if isinstance(end.value.code, int) else 0


def logs(tmp_path: Path, *names: str) -> list[Path]:
    for name in names:
        (tmp_path / name).write_bytes(b"")
    return [tmp_path / name for name in names]


def test_an_audit_prints_a_line_an_action_and_a_count(
    judged: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (log,) = logs(tmp_path, "a.vlog")
    assert referee(monkeypatch, "audit", log) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("a.vlog: tiny, one")
    assert lines[1] == "  step 5  turn 1  movement  red move r-1 @ 0101 > 0102: legal"
    assert lines[2] == (
        "  step 9  turn 1  movement  red move r-2 @ 0101 > 0109: doubtful [5.0] r-2 cannot reach 0109; "
        "rests on hexes 0105 terrain (reconstructed relief); R-G5"
    )
    assert lines[3:] == ["  note: a note", "1 legal, 0 illegal, 1 doubtful, 0 unclear"]


def test_a_sentence_is_shown_without_the_citations_that_stand_beside_it() -> None:
    assert cli.why({"message": "a [b] c [5.0 (R-G1), 6.1]"}) == "a [b] c"
    assert cli.why({"message": "plain"}) == "plain"


def test_an_illegal_action_makes_exit_code_1_and_findings_leaves_the_legal_out(
    judged: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert referee(monkeypatch, "audit", "--findings", *logs(tmp_path, "a.vlog", "illegal.vlog")) == 1
    out = capsys.readouterr().out
    assert "step 5" not in out and out.count("step 9") == 2
    assert out.splitlines()[-1] == "2 legal, 1 illegal, 1 doubtful, 0 unclear"


def test_the_arguments_reach_the_audit(judged: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    log, module, mapping = logs(tmp_path, "a.vlog", "m.vmod", "m.csv")
    words = [
        "--game",
        "tiny",
        "--scenario",
        "one",
        "-o",
        "18.1, 12.3",
        "-o",
        "5.3",
        "--module",
        module,
        "--map",
        mapping,
        "--overlay",
        tmp_path,
        "--for",
        "red",
    ]
    referee(monkeypatch, "audit", log, *words)
    ((source, name, more),) = judged
    assert (source, name) == (log, log.as_posix())
    assert more == {
        "game": "tiny",
        "scenario": "one",
        "options": frozenset({"18.1", "12.3", "5.3"}),
        "module": module,
        "mapping": mapping,
        "overlay": tmp_path,
        "progress": None,
        "reader": "red",
    }


def test_a_check_is_for_one_side(judged: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (log,) = logs(tmp_path, "a.vlog")
    assert referee(monkeypatch, "check", log, "--side", "red") == 0
    assert judged[0][2]["side"] == "red"
    assert referee(monkeypatch, "check", log) == 2


def test_json_is_one_document_that_the_schema_takes(
    judged: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert referee(monkeypatch, "audit", "--json", *logs(tmp_path, "a.vlog", "illegal.vlog")) == 1
    value = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(json.loads((ROOT / "docs/schema/audit-1.json").read_text("utf-8"))).validate(value)
    assert len(value["files"]) == 2
    assert value["summary"] == {"legal": 2, "illegal": 1, "doubtful": 1, "unclear": 0}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["audit", "none.vlog"], "referee: none.vlog: no such file or folder\n"),
        (["audit", "a.vlog", "--module", "none.vmod"], "referee: none.vmod: no such file or folder\n"),
        (["audit", "broken.vlog"], "referee: broken.vlog: savedGame: is not a VASSAL save; it must begin with !VCSK\n"),
        (["audit", "crash.vlog"], "referee: internal error (RuntimeError: oh); REFEREE_DEBUG=1 shows where\n"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    judged: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    told: str,
) -> None:
    logs(tmp_path, "a.vlog", "broken.vlog", "crash.vlog")
    monkeypatch.chdir(tmp_path)
    assert referee(monkeypatch, *words) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", told)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("referee audit", "missing argument 'FILE...'; see referee audit --help"),
        ("referee nonsense", "no such command 'nonsense'; see referee --help"),
        ("referee check a.vlog", "missing option '--side'; see referee check --help"),
        ("referee adopt a.vmod", "missing option '--game'"),
        ("referee audit --nope", "no such option: --nope; see referee audit --help"),
        ("referee selfplay tiny --games 0", "invalid value for '--games': "),
        ("referee selfplay tiny --games many", "invalid value for '--games': "),
        ("referee serve --port 70000", "invalid value for '--port': "),
        ("modgen build", "name a game, or --all for every game; see modgen build --help"),
        ("modgen nonsense", "no such command 'nonsense'; see modgen --help"),
        ("modgen check", "GAME, --module FILE or both are expected; see modgen check --help"),
        ("modgen fmt tiny --what", "no such option: --what"),
        ("modgen dump", "missing argument 'FILE'"),
        ("modgen dump a b", "got unexpected extra argument"),
        ("modgen picture tiny", "missing option '--out'"),
        ("modgen picture tiny --out a.png --width 5", "invalid value for '--width': "),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, told: str
) -> None:
    program, *_ = words.split()
    monkeypatch.setattr(sys, "argv", words.split())
    with pytest.raises(SystemExit) as end:
        (cli if program == "referee" else modgen_cli).main()
    captured = capsys.readouterr()
    assert (end.value.code, captured.out, captured.err.count("\n")) == (2, "", 1)
    assert captured.err.startswith(f"{program}: {told}")


@pytest.mark.parametrize("program", ["referee", "modgen"])
def test_a_program_called_without_anything_shows_its_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], program: str
) -> None:
    monkeypatch.setattr(sys, "argv", [program])
    with pytest.raises(SystemExit) as end:
        (cli if program == "referee" else modgen_cli).main()
    captured = capsys.readouterr()
    assert end.value.code == 2 and captured.err.startswith(f"Usage: {program} ") and "Commands:" in captured.err


@pytest.mark.parametrize(
    "words",
    [
        ["referee", "audit", "--game", "battle-for-germany"],
        ["referee", "check", "--side", "soviet", "--game", "battle-for-germany"],
        ["referee", "adopt", "--game", "battle-for-germany"],
        ["modgen", "dump"],
        ["referee", "audit", "--game", "battle-for-germany", str(SAMPLES / "01-t1-red-moves.vlog"), "--module"],
        ["referee", "audit", "--game", "battle-for-germany", str(SAMPLES / "01-t1-red-moves.vlog"), "--map"],
        ["modgen", "check", "battle-for-germany", "--overlay"],
    ],
    ids=" ".join,
)
def test_a_file_without_read_permission_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str]
) -> None:
    locked = tmp_path / "locked.vlog"
    locked.write_bytes(b"x")
    opened = io.open

    def refuse(file: Any, *more: Any, **by_name: Any) -> Any:
        if str(file) == str(locked):
            raise PermissionError(13, "Permission denied", str(locked))
        return opened(file, *more, **by_name)

    monkeypatch.setattr(io, "open", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr(os, "access", lambda path, mode, **_: str(path) != str(locked))
    monkeypatch.setattr(sys, "argv", [*words, str(locked)])
    with pytest.raises(SystemExit) as end:
        (cli if words[0] == "referee" else modgen_cli).main()
    captured = capsys.readouterr()
    assert (end.value.code, captured.out, captured.err.count("\n")) == (2, "", 1), captured.err
    assert captured.err.startswith(f"{words[0]}: ") and "locked.vlog" in captured.err and "permission denied" in captured.err.lower()


@pytest.mark.parametrize(
    "words",
    [
        ["referee", "audit", "--game", "battle-for-germany", str(SAMPLES / "01-t1-red-moves.vlog")],
        ["referee", "check", "--game", "battle-for-germany", "--side", "soviet", str(SAMPLES / "01-t1-red-moves.vlog")],
        ["referee", "adopt", "--game", "battle-for-germany", str(SAMPLES / "bfg-club.vmod")],
        ["modgen", "check", "battle-for-germany"],
        ["modgen", "build", "battle-for-germany"],
        ["modgen", "picture", "battle-for-germany", "--out", "x.png"],
    ],
    ids=" ".join,
)
def test_an_empty_overlay_is_bad_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str]
) -> None:
    (tmp_path / "fixes").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [*words, "--overlay", "fixes"])
    with pytest.raises(SystemExit) as end:
        (cli if words[0] == "referee" else modgen_cli).main()
    captured = capsys.readouterr()
    told = f"{words[0]}: fixes: no table file in this overlay; allowed: a folder or a zip of table files\n"
    assert (end.value.code, captured.out, captured.err) == (2, "", told)
    assert [path.name for path in tmp_path.iterdir()] == ["fixes"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a file that is always full")
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    "words",
    [
        ["referee.cli", "--help"],
        ["referee.cli", "--version"],
        ["referee.cli", "adopt", str(SAMPLES / "bfg-club.vmod"), "--game", "battle-for-germany"],
        ["modgen.cli", "dump", str(SAMPLES / "bfg-club.vmod")],
        ["modgen.cli", "check", "battle-for-germany", "--json"],
    ],
    ids=" ".join,
)
def test_a_full_standard_output_is_named(words: list[str], buffered: str) -> None:
    with open("/dev/full", "wb") as full:
        environment = {**os.environ, "PYTHONUNBUFFERED": buffered}
        run = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, env=environment)
    last = run.stderr.splitlines()[-1]
    assert (run.returncode, last) == (2, f"{words[0].partition('.')[0]}: standard output: no space left on device")
    assert "Traceback" not in run.stderr and "Exception" not in run.stderr


def test_a_reader_that_goes_away_and_an_output_that_is_closed_are_no_errors() -> None:
    words = f"{sys.executable} -m modgen.cli dump {SAMPLES / 'bfg-club.vmod'}"
    for command in (f"{words} | head -1; exit ${{PIPESTATUS[0]}}", f"{words} >&-"):
        run = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
        assert (run.returncode, run.stderr) == (0, "")


def test_the_sample_logs_are_judged_and_the_document_fits_the_schema(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the real audit: one log that has an illegal move in it."""
    words = ["--game", "battle-for-germany", "--module", SAMPLES / "bfg-club.vmod", SAMPLES / "01-t1-red-moves.vlog"]
    assert referee(monkeypatch, "audit", "--json", *words) == 1
    value = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(json.loads((ROOT / "docs/schema/audit-1.json").read_text("utf-8"))).validate(value)
    (file,) = value["files"]
    assert file["path"].endswith("01-t1-red-moves.vlog") and file["actions"]
    assert referee(monkeypatch, "audit", *words) == 1
    counts = value["summary"]
    assert capsys.readouterr().out.splitlines()[-1] == ", ".join(f"{counts[verdict]} {verdict}" for verdict in counts)


def test_a_check_names_a_side_that_is_there(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "battle-for-germany", "--module", SAMPLES / "bfg-club.vmod", SAMPLES / "01-t1-red-moves.vlog"]
    assert referee(monkeypatch, "check", "--side", "soviet", *words) == 1
    assert "illegal" in capsys.readouterr().out
    assert referee(monkeypatch, "check", "--side", "martian", *words) == 2
    assert "there is no side 'martian'; there are: soviet (Soviet, West German); western-allied (East German," in capsys.readouterr().err


def test_a_file_that_is_no_log_keeps_none_of_the_others_from_being_judged(
    judged: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, broken, more = tmp_path / "good.vlog", tmp_path / "broken.vlog", tmp_path / "more.vlog"
    for path in (good, broken, more):
        path.write_bytes(b"x")
    assert referee(monkeypatch, "audit", "--json", good, broken, more) == 2
    told = capsys.readouterr()
    value = json.loads(told.out)
    assert [file["path"] for file in value["files"]] == [good.as_posix(), more.as_posix()]
    assert any(note.startswith(f"not judged: {broken.as_posix()}") for note in value["notes"])
    assert told.err.splitlines() == [f"referee: {broken.as_posix()}: savedGame: is not a VASSAL save; it must begin with !VCSK"]


def test_adopting_another_games_module_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module = tmp_path / "other.vmod"
    with zipfile.ZipFile(module, "w") as archive:
        archive.writestr("buildFile.xml", '<VASSAL.build.GameModule name="other" version="1"/>')
    assert referee(monkeypatch, "adopt", "--game", "battle-for-germany", module) == 2
    told = capsys.readouterr()
    assert not told.out and "no counter of Battle for Germany was found" in told.err


def test_selfplay_tells_its_report_and_fails_on_problems(
    judged: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert referee(monkeypatch, "selfplay", "tiny", "--games", "3", "--seed", "7", "--record", tmp_path, "--plan", "racer") == 0
    assert capsys.readouterr().out == "3 games\n"
    game, more = judged[0]
    assert (game, more["games"], more["seed"], more["record"], more["options"]) == ("tiny", 3, 7, tmp_path, frozenset())
    assert (more["plans"], more["processes"]) == (("racer",), 2)
    assert referee(monkeypatch, "selfplay", "bad", "--json") == 1
    assert json.loads(capsys.readouterr().out) == {"games": 1}
    assert referee(monkeypatch, "selfplay", "bad") == 1
    assert capsys.readouterr().out.endswith("bad\n")


def test_selfplay_of_a_game_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert referee(monkeypatch, "selfplay", "none") == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_adopt_writes_a_mapping_and_tells_what_was_matched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "pieces.csv"
    assert referee(monkeypatch, "adopt", SAMPLES / "bfg-club.vmod", "--game", "battle-for-germany", "--out", out) == 0
    told = capsys.readouterr()
    assert told.out == f"{out}\n" and "119 counters matched" in told.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pieces.csv"]
    assert referee(monkeypatch, "adopt", SAMPLES / "bfg-club.vmod", "--game", "battle-for-germany") == 0
    assert capsys.readouterr().out == out.read_text("utf-8")


@pytest.mark.parametrize(
    ("module", "game", "told"),
    [
        ("none.vmod", "battle-for-germany", "no such file or folder"),
        ("README.md", "battle-for-germany", "is no zip archive"),
        ("01-t1-red-moves.vlog", "battle-for-germany", "a module (.vmod) is expected"),
        ("bfg-club.vmod", "none", "there is no game 'none'"),
    ],
)
def test_adopt_refuses_what_is_no_module_or_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], module: str, game: str, told: str
) -> None:
    assert referee(monkeypatch, "adopt", SAMPLES / module, "--game", game) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("referee: ") and told in captured.err
    assert len(captured.err.splitlines()) == 1


def test_on_a_terminal_the_verdicts_are_a_coloured_table(tmp_path: Path) -> None:
    """In a process of its own, on a real pseudo-terminal."""
    script = tmp_path / "show.py"
    script.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from referee.cli import _print_rich\n"
        "from tests.service.sample import document\n"
        "_print_rich(document('[bold]a.vlog'), False)\n",
        "utf-8",
    )
    here, there = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "160"}
    with subprocess.Popen([sys.executable, str(script)], stdout=there, env=environment) as process:
        os.close(there)
        shown = b""
        while True:
            try:
                piece = os.read(here, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    os.close(here)
    assert process.returncode == 0
    text = shown.decode()
    assert "[bold]a.vlog" in text and "\x1b[33mdoubtful" in text and "\x1b[32m1 legal" in text


def test_serve_tells_its_port_answers_and_stops_on_a_signal() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "referee.cli", "serve", "--port", "0"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None and process.stderr is not None
            line = process.stdout.readline()
            assert line.startswith("listening on 127.0.0.1:"), process.stderr.read()
            with grpc.insecure_channel(line.split()[-1]) as channel:
                grpc.channel_ready_future(channel).result(timeout=10)
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
            assert process.stderr.read() == ""
        finally:
            if process.poll() is None:
                process.kill()


@pytest.mark.parametrize("host", ["127.0.0.1", "999.1.1.1", "no-such-host.invalid"])
def test_serve_says_in_one_line_that_an_address_cannot_be_taken(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ["-m", "referee.cli", "serve", "--host", host, "--port", str(port)]
        run = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=60)
    told = f"referee: cannot listen on {host}:{port}: it is in use, or not an address of this machine\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", told)


def test_the_command_says_its_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert referee(monkeypatch, "--version") == 0
    assert capsys.readouterr().out == f"referee {version('modgen-referee')}\n"
