"""The service over a real channel with the real engine behind it, on the sample game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_status import rpc_status

import referee
from gamebox.load import data_root
from referee.audit.run import audit_file
from referee.rules.model import Done
from referee.rules.position_text import PositionError, left_out, position_text
from referee.service.backend import At, Spec
from referee.service.engine import Engine, read_position
from referee.service.errors import BadRequest
from referee.service.gen import referee_pb2 as pb
from referee.service.gen.referee_pb2_grpc import RefereeStub
from referee.service.server import Settings, start

GAME = "battle-for-germany"
SAMPLES = data_root() / GAME / "samples"


@pytest.fixture(scope="module")
def stub() -> Iterator[RefereeStub]:
    running = start(Engine(), Settings(port=0))
    with grpc.insecure_channel(f"127.0.0.1:{running.port}") as channel:
        yield RefereeStub(channel)
    running.stop(0)


@pytest.fixture(scope="module")
def book() -> Any:
    return referee.load(GAME)


@pytest.fixture(scope="module")
def opening(book: Any) -> tuple[list[str], Any]:
    """First legal actions until the first movement begins, as notation, and the position reached."""
    position, played = book.start(), []
    while "move" not in {str(action).split()[1] for action in islice(book.legal(position), 50)}:
        action = next(iter(book.legal(position)))
        played.append(str(action))
        position = book.play(position, action)
    return played, position


def problem(call: pytest.ExceptionInfo[grpc.RpcError]) -> pb.Error:
    status = rpc_status.from_call(call.value)
    assert status is not None
    error = pb.Error()
    assert status.details[0].Unpack(error)
    return error


def spec(**more: Any) -> pb.GameSpec:
    return pb.GameSpec(game=GAME, **more)


def test_played_actions_and_the_text_form_lead_to_the_same_rulings(stub: RefereeStub, book: Any, opening: tuple[list[str], Any]) -> None:
    played, position = opening
    action = next(str(action) for action in book.legal(position) if " move " in str(action))
    forms = [pb.PositionSpec(played=pb.ActionList(actions=played)), pb.PositionSpec(text=position_text(book, position))]
    answers = [stub.Check(pb.CheckRequest(game=spec(), position=form, action=action, play=True), timeout=20) for form in forms]
    assert answers[0] == answers[1]
    assert answers[0].ruling.verdict == pb.VERDICT_LEGAL
    assert read_position(book, answers[0].position) == book.play(position, book.parse(action))


def test_a_refusal_carries_code_paragraph_and_sentence(stub: RefereeStub, book: Any, opening: tuple[list[str], Any]) -> None:
    played, position = opening
    mover = next(str(action) for action in book.legal(position) if " move " in str(action))
    far = f"{mover.split('>')[0]}> 0602"
    history = pb.PositionSpec(played=pb.ActionList(actions=played))
    answer = stub.Check(pb.CheckRequest(game=spec(), position=history, action=far, all_reasons=True, play=True), timeout=20)
    assert answer.ruling.verdict == pb.VERDICT_ILLEGAL and not answer.position
    for reason in answer.ruling.reasons:
        assert reason.code and reason.sentence and reason.paragraphs


def test_legal_actions_are_the_engines_in_its_order(stub: RefereeStub, book: Any, opening: tuple[list[str], Any]) -> None:
    played, position = opening
    history = pb.PositionSpec(played=pb.ActionList(actions=played))
    request = pb.LegalActionsRequest(game=spec(), position=history)
    told = [action for batch in stub.LegalActions(request, timeout=60) for action in batch.actions]
    assert told == [str(action) for action in book.legal(position)]
    unit = next(action.split()[2] for action in told if " move " in action)
    request = pb.LegalActionsRequest(game=spec(), position=history, unit=unit)
    told_of_one = [action for batch in stub.LegalActions(request, timeout=60) for action in batch.actions]
    assert told_of_one == [str(action) for action in book.legal(position, about=book.game.unit(unit))]


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        (pb.CheckRequest(game=pb.GameSpec(game="none"), action="x done"), grpc.StatusCode.NOT_FOUND, "unknown_game"),
        (pb.CheckRequest(game=spec(scenario="none"), action="x done"), grpc.StatusCode.INVALID_ARGUMENT, "bad_choice"),
        (pb.CheckRequest(game=spec(options=["none"]), action="x done"), grpc.StatusCode.INVALID_ARGUMENT, "bad_choice"),
        (pb.CheckRequest(game=spec(), action="gibberish"), grpc.StatusCode.INVALID_ARGUMENT, "bad_notation"),
        (
            pb.CheckRequest(game=spec(), action="soviet done", position=pb.PositionSpec(text="nonsense")),
            grpc.StatusCode.INVALID_ARGUMENT,
            "bad_position",
        ),
        (
            pb.CheckRequest(game=spec(), action="soviet done", position=pb.PositionSpec(played=pb.ActionList(actions=["soviet done"]))),
            grpc.StatusCode.INVALID_ARGUMENT,
            "illegal_history",
        ),
    ],
)
def test_what_cannot_be_judged_says_why(stub: RefereeStub, request_: pb.CheckRequest, status: grpc.StatusCode, code: str) -> None:
    with pytest.raises(grpc.RpcError) as call:
        stub.Check(request_, timeout=20)
    assert (call.value.code(), problem(call).code) == (status, code)
    assert problem(call).message


def test_an_unknown_unit_is_told(stub: RefereeStub) -> None:
    with pytest.raises(grpc.RpcError) as call:
        list(stub.LegalActions(pb.LegalActionsRequest(game=spec(), unit="nobody"), timeout=20))
    assert (call.value.code(), problem(call).code) == (grpc.StatusCode.INVALID_ARGUMENT, "unknown_unit")


def test_an_unknown_side_is_told_with_those_there_are(stub: RefereeStub) -> None:
    with pytest.raises(grpc.RpcError) as call:
        list(stub.LegalActions(pb.LegalActionsRequest(game=spec(), side="nobody"), timeout=20))
    assert (call.value.code(), problem(call).code) == (grpc.StatusCode.INVALID_ARGUMENT, "unknown_side")
    assert list(problem(call).allowed) == ["soviet", "western-allied", "chance"]
    assert list(stub.LegalActions(pb.LegalActionsRequest(game=spec(), side="western-allied"), timeout=60))


SAID_TO_CALLERS = ("gamebox", "modgen/formats", "referee/audit/run.py", *(f"referee/{x}" for x in ("table", "rules", "games", "service")))


def test_nothing_that_a_caller_is_told_speaks_of_command_line_options() -> None:
    """Except in the modules that are of command lines, and in documentation."""
    root = Path(__file__).resolve().parents[2]
    folders = [root / entry for entry in SAID_TO_CALLERS]
    paths = [path for folder in folders for path in (sorted(folder.rglob("*.py")) if folder.is_dir() else [folder])]
    wrong = []
    for path in paths:
        # The tools that look at modules belong to their own command; no service calls them.
        if path.name == "command_line.py" or {"validate", "diff"} & set(path.parts):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                wrong += [f"{path.name}:{node.lineno}: {node.value!r}" for _ in re.findall(r"(?:^|\W)--[a-z]", node.value)]
    assert len(paths) > 50 and not wrong, "\n".join(wrong)


def broken_positions(whole: str) -> Iterator[str]:
    """The text of a position, spoiled one line at a time: left out, twice, cut short, and with its last word changed."""
    lines = whole.splitlines()
    for number, line in enumerate(lines):
        before, after = lines[:number], lines[number + 1 :]
        head, _, last = line.rpartition(" ")
        for changed in ([], [line, line], [line[:-1]], [f"{head} 0101"], [f"{head} -1"], [f"{head} {last}9"]):
            yield "\n".join([*before, *changed, *after])


def test_a_spoiled_position_is_refused_or_judged_and_never_our_mistake(book: Any, opening: tuple[list[str], Any]) -> None:
    _, position = opening
    engine = Engine()
    for text in broken_positions(position_text(book, position)):
        for action in ("soviet done", "soviet move su-1-gds-inf @ 1926 > 2026"):
            try:
                engine.check(Spec(GAME), At(text=text), action, every=True, play=True, alive=lambda: True)
            except PositionError:
                pass
            except BadRequest as error:
                assert error.problems[0].where == "position.text"
        try:
            assert all(list(islice(engine.legal(Spec(GAME), At(text=text), unit="", side="", alive=lambda: True), 20)))
        except (BadRequest, PositionError) as error:
            assert str(error)


def test_every_position_of_a_game_round_trips_through_its_text(book: Any) -> None:
    position = book.start()
    for number in range(120):
        assert read_position(book, position_text(book, position)) == position
        choices = list(islice(book.legal(position), 40))
        if not choices:
            break
        done = [action for action in choices if isinstance(action, Done)]
        position = book.play(position, done[0] if done and number % 3 == 0 else choices[number % len(choices)])


def test_a_view_is_judged_for_its_own_side_and_answers_nothing_that_hangs_on_what_it_leaves_out() -> None:
    """A refusal or a next position worked out without what somebody hides would be false."""
    game, engine, alive = "overlord-to-berlin", Engine(), lambda: True
    book = referee.load(game)
    position = book.start()
    while position.agenda[-1].by != ("west",):
        position = book.play(position, next(book.legal(position)))
    own, other = (At(text=position_text(book, book.view(position, side))) for side in ("west", "axis"))
    spec = Spec(game)
    assert list(engine.legal(spec, own, unit="", side="west", alive=alive)) == [str(a) for a in book.legal(position, by="west")]
    assert engine.check(spec, own, "west done", every=True, play=False, alive=alive).verdict == str(
        book.check(position, book.parse("west done"), every=True).verdict
    )
    refused = (
        ("what west hides", lambda: engine.check(spec, other, "west done", every=True, play=False, alive=alive)),
        ("what west hides", lambda: list(engine.legal(spec, other, unit="", side="", alive=alive))),
        ("what axis hides", lambda: engine.check(spec, own, "west done", every=True, play=True, alive=alive)),
    )
    for told, asked in refused:
        with pytest.raises(BadRequest, match=told) as error:
            asked()
        assert (error.value.problems[0].code, error.value.problems[0].where) == ("view_only", "position.text")
    assert left_out(book.game.layout, position) == () and left_out(book.game.layout, book.view(position, "axis")) == ("west", "soviet")


def upload(log: str, **header: Any) -> Iterator[pb.AuditRequest]:
    """The header, then the module and one log in chunks."""
    yield pb.AuditRequest(header=pb.AuditHeader(game=GAME, **header))
    for role, name in ((pb.AuditFile.ROLE_MODULE, "bfg-club.vmod"), (pb.AuditFile.ROLE_LOG, log)):
        yield pb.AuditRequest(file=pb.AuditFile(role=role, name=name))
        content = (SAMPLES / name).read_bytes()
        for at in range(0, len(content), 4096):
            yield pb.AuditRequest(chunk=content[at : at + 4096])


def test_a_module_that_cannot_be_used_is_refused_without_a_path_of_the_server(stub: RefereeStub) -> None:
    def request(content: bytes) -> Iterator[pb.AuditRequest]:
        yield pb.AuditRequest(header=pb.AuditHeader(game=GAME))
        for role, name, held in (
            (pb.AuditFile.ROLE_MODULE, "club.vmod", content),
            (pb.AuditFile.ROLE_LOG, "a.vlog", (SAMPLES / "01-t1-red-moves.vlog").read_bytes()),
        ):
            yield pb.AuditRequest(file=pb.AuditFile(role=role, name=name))
            yield pb.AuditRequest(chunk=held)

    for content in (b"no archive", (SAMPLES / "01-t1-red-moves.vlog").read_bytes()):
        with pytest.raises(grpc.RpcError) as call:
            stub.Audit(request(content), timeout=60)
        assert (call.value.code(), problem(call).code) == (grpc.StatusCode.INVALID_ARGUMENT, "unreadable_file")
        assert problem(call).where == "module.vmod"
        assert "referee-audit-" not in f"{call.value.details()}{problem(call)}"


def test_an_uploaded_log_gets_the_verdicts_of_the_audit_itself(stub: RefereeStub) -> None:
    name = "01-t1-red-moves.vlog"
    document = stub.Audit(upload(name), timeout=60).document
    wanted = audit_file((SAMPLES / name).read_bytes(), name, game=GAME, module=SAMPLES / "bfg-club.vmod").as_json()
    (file,) = document.files
    assert (file.path, file.game) == (name, GAME)
    told = [(a.step, a.notation, pb.Verdict.Name(a.verdict).removeprefix("VERDICT_").lower(), a.message) for a in file.actions]
    assert told == [(a["step"], a["notation"], a["verdict"], a["message"]) for a in wanted["files"][0]["actions"]]
    assert document.summary.illegal == wanted["summary"]["illegal"] > 0


def test_an_audit_can_be_for_one_side(stub: RefereeStub) -> None:
    document = stub.Audit(upload("02-t1-red-fights.vlog", side="West German"), timeout=60).document
    assert {action.side for action in document.files[0].actions} == {"West German"}


@pytest.mark.parametrize(
    ("header", "code"),
    [({"mapping": "nonsense"}, "bad_mapping"), ({"overlay": {"hexes.csv": "nonsense"}}, "bad_data"), ({"scenario": "none"}, "bad_choice")],
)
def test_what_is_sent_beside_a_log_is_refused_without_a_path_of_the_server(stub: RefereeStub, header: dict[str, Any], code: str) -> None:
    with pytest.raises(grpc.RpcError) as call:
        stub.Audit(upload("01-t1-red-moves.vlog", **header), timeout=60)
    assert (call.value.code(), problem(call).code) == (grpc.StatusCode.INVALID_ARGUMENT, code)
    assert "/tmp" not in str(call.value) and "referee-audit-" not in str(call.value)


def test_a_file_that_is_no_log_is_refused_by_its_own_name(stub: RefereeStub) -> None:
    parts = [
        pb.AuditRequest(header=pb.AuditHeader(game=GAME)),
        pb.AuditRequest(file=pb.AuditFile(role=pb.AuditFile.ROLE_LOG, name="my.vlog")),
        pb.AuditRequest(chunk=b"not a log"),
    ]
    with pytest.raises(grpc.RpcError) as call:
        stub.Audit(iter(parts), timeout=60)
    assert (call.value.code(), problem(call).code) == (grpc.StatusCode.INVALID_ARGUMENT, "unreadable_file")
    assert problem(call).where.startswith("my.vlog")
