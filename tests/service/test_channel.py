"""The service over a real channel, with a backend that answers by rote."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import grpc
import pytest
from google.rpc import status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from referee.service.gen import referee_pb2 as pb
from referee.service.gen.referee_pb2_grpc import RefereeStub
from referee.service.server import SERVICE, Running, Settings, start
from referee.service.uploads import UploadLimits
from tests.service.sample import FakeBackend, document

GAME = pb.GameSpec(game="tiny")


@pytest.fixture
def backend() -> FakeBackend:
    return FakeBackend()


@pytest.fixture
def running(backend: FakeBackend) -> Iterator[Running]:
    uploads = UploadLimits(log_bytes=1000, module_bytes=2000, logs=2, total_log_bytes=1500)
    server = start(backend, Settings(port=0, grace=5, longest_audit=2, uploads=uploads))
    yield server
    server.stop(0)


@pytest.fixture
def channel(running: Running) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(f"127.0.0.1:{running.port}") as open_channel:
        yield open_channel


@pytest.fixture
def stub(channel: grpc.Channel) -> RefereeStub:
    return RefereeStub(channel)


def refused(call: pytest.ExceptionInfo[grpc.RpcError]) -> tuple[grpc.StatusCode, list[pb.Error]]:
    """The status code and the typed details of a failed call."""
    status: status_pb2.Status | None = rpc_status.from_call(call.value)
    errors = []
    for detail in status.details if status else ():
        error = pb.Error()
        assert detail.Unpack(error)
        errors.append(error)
    return call.value.code(), errors


def test_a_legal_action_is_told_so_with_the_position_after_it(stub: RefereeStub, backend: FakeBackend) -> None:
    answer = stub.Check(pb.CheckRequest(game=GAME, action="red move r-1 @ 0101 > 0102", play=True), timeout=5)
    assert answer.ruling.verdict == pb.VERDICT_LEGAL and not answer.ruling.reasons
    assert (answer.action, answer.position) == ("red move r-1 @ 0101 > 0102", "position")


def test_an_illegal_action_is_an_answer_with_reasons_and_no_error(stub: RefereeStub) -> None:
    answer = stub.Check(pb.CheckRequest(game=GAME, action="red move r-2 @ 0101 > 0109"), timeout=5)
    (reason,) = answer.ruling.reasons
    assert answer.ruling.verdict == pb.VERDICT_ILLEGAL
    assert (reason.code, list(reason.paragraphs), list(reason.rulings)) == ("too-far", ["5.0"], ["R-G5"])
    assert (list(reason.options), reason.sentence) == (["18.1"], "r-2 cannot reach 0109.")


def test_the_request_reaches_the_backend_whole(stub: RefereeStub, backend: FakeBackend) -> None:
    game = pb.GameSpec(game="tiny", scenario="one", options=["b", "a"])
    position = pb.PositionSpec(played=pb.ActionList(actions=["red done"]))
    stub.Check(pb.CheckRequest(game=game, position=position, action="blue done", all_reasons=True), timeout=5)
    ((spec, at, action, every, play),) = backend.asked
    assert (spec.game, spec.scenario, spec.options) == ("tiny", "one", frozenset({"a", "b"}))
    assert (at.text, at.played, action, every, play) == ("", ("red done",), "blue done", True, False)


@pytest.mark.parametrize(
    ("request_", "status", "code", "where"),
    [
        (pb.CheckRequest(), grpc.StatusCode.INVALID_ARGUMENT, "missing", "game"),
        (pb.CheckRequest(game=pb.GameSpec(), action="x"), grpc.StatusCode.INVALID_ARGUMENT, "missing", "game.game"),
        (pb.CheckRequest(game=GAME), grpc.StatusCode.INVALID_ARGUMENT, "missing", "action"),
        (pb.CheckRequest(game=GAME, action="x" * 4097), grpc.StatusCode.RESOURCE_EXHAUSTED, "too_long", "action"),
        (pb.CheckRequest(game=GAME, action="ü" * 2049), grpc.StatusCode.RESOURCE_EXHAUSTED, "too_long", "action"),
        (
            pb.CheckRequest(game=pb.GameSpec(game="tiny", options=["x"] * 257), action="x"),
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "too_many",
            "game.options",
        ),
        (
            pb.CheckRequest(game=GAME, position=pb.PositionSpec(played=pb.ActionList(actions=["a", "b" * 5000])), action="x"),
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "too_long",
            "position.played.actions[1]",
        ),
        (pb.CheckRequest(game=pb.GameSpec(game="chess"), action="x"), grpc.StatusCode.NOT_FOUND, "unknown_game", "game.game"),
        (pb.CheckRequest(game=GAME, action="gibberish"), grpc.StatusCode.INVALID_ARGUMENT, "bad_notation", ""),
    ],
)
def test_a_bad_request_says_what_is_wrong_and_where(
    stub: RefereeStub, request_: pb.CheckRequest, status: grpc.StatusCode, code: str, where: str
) -> None:
    with pytest.raises(grpc.RpcError) as call:
        stub.Check(request_, timeout=5)
    got, errors = refused(call)
    assert (got, errors[0].code, errors[0].where) == (status, code, where)
    assert errors[0].message


def test_our_own_mistake_tells_nothing_of_what_is_inside(stub: RefereeStub) -> None:
    with pytest.raises(grpc.RpcError) as call:
        stub.Check(pb.CheckRequest(game=GAME, action="crash"), timeout=5)
    status, errors = refused(call)
    assert (status, errors[0].code) == (grpc.StatusCode.INTERNAL, "internal")
    assert "secret" not in str(call.value)


def test_a_passed_deadline_stops_the_work(stub: RefereeStub, backend: FakeBackend) -> None:
    with pytest.raises(grpc.RpcError) as call:
        stub.Check(pb.CheckRequest(game=GAME, action="sleep"), timeout=0.3)
    assert call.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    for _ in range(100):
        if backend.gave_up:
            break
        time.sleep(0.02)
    assert backend.gave_up == 1


def test_legal_actions_come_in_batches_in_order(stub: RefereeStub) -> None:
    batches = [list(batch.actions) for batch in stub.LegalActions(pb.LegalActionsRequest(game=GAME, unit="r-7"), timeout=5)]
    assert [len(batch) for batch in batches] == [256, 256, 88]
    assert batches[0][:2] == ["red move r-7 @ 0101 > 0000", "red move r-7 @ 0101 > 0001"]


def test_legal_actions_can_be_cut_and_say_so(stub: RefereeStub) -> None:
    batches = list(stub.LegalActions(pb.LegalActionsRequest(game=GAME, max_actions=300), timeout=5))
    assert sum(len(batch.actions) for batch in batches) == 300
    assert [batch.truncated for batch in batches] == [False, True]
    whole = list(stub.LegalActions(pb.LegalActionsRequest(game=GAME, max_actions=600), timeout=5))
    assert not any(batch.truncated for batch in whole)


def file(role: pb.AuditFile.Role.ValueType, name: str, *chunks: bytes) -> list[pb.AuditRequest]:
    return [pb.AuditRequest(file=pb.AuditFile(role=role, name=name)), *(pb.AuditRequest(chunk=chunk) for chunk in chunks)]


LOG, MODULE = pb.AuditFile.ROLE_LOG, pb.AuditFile.ROLE_MODULE
HEADER = pb.AuditRequest(header=pb.AuditHeader(game="tiny"))


def test_an_audit_takes_logs_module_mapping_and_overlay_and_answers_the_document(stub: RefereeStub, backend: FakeBackend) -> None:
    header = pb.AuditHeader(game="tiny", scenario="one", options=["a"], mapping="piece,id\n", overlay={"hexes.csv": "hex\n"}, side="red")
    parts = [
        pb.AuditRequest(header=header),
        *file(LOG, "a.vlog", b"12", b"34"),
        *file(MODULE, "m.vmod", b"m" * 700, b"n" * 700),
        *file(LOG, "b.vlog"),
    ]
    answer = stub.Audit(iter(parts), timeout=5).document
    (upload,) = backend.asked
    assert list(upload.logs) == [("a.vlog", b"1234"), ("b.vlog", b"")]
    assert (upload.game, upload.scenario, upload.options, upload.side) == ("tiny", "one", frozenset({"a"}), "red")
    assert (backend.module, backend.mapping, backend.overlay) == (b"m" * 700 + b"n" * 700, "piece,id\n", {"hexes.csv": "hex\n"})
    assert not upload.module.exists()

    wanted = document("a.vlog")
    assert (answer.version, [f.path for f in answer.files]) == (1, ["a.vlog"])
    doubtful = answer.files[0].actions[1]
    assert (doubtful.step, doubtful.from_place, doubtful.to_place, doubtful.verdict) == (9, "0101", "0109", pb.VERDICT_DOUBTFUL)
    assert [(b.name, b.source) for b in doubtful.basis] == [("hexes 0105 terrain", "reconstructed relief"), ("R-G5", "")]
    assert list(answer.files[0].notes) == ["a note"]
    assert {name: getattr(answer.summary, name) for name in ("legal", "illegal", "doubtful", "unclear")} == wanted["summary"]


@pytest.mark.parametrize(
    ("parts", "status", "code"),
    [
        ([], grpc.StatusCode.INVALID_ARGUMENT, "missing"),
        ([HEADER], grpc.StatusCode.INVALID_ARGUMENT, "missing"),
        (file(LOG, "a.vlog", b"1"), grpc.StatusCode.INVALID_ARGUMENT, "out_of_order"),
        ([HEADER, HEADER], grpc.StatusCode.INVALID_ARGUMENT, "out_of_order"),
        ([HEADER, pb.AuditRequest(chunk=b"1")], grpc.StatusCode.INVALID_ARGUMENT, "out_of_order"),
        ([HEADER, pb.AuditRequest()], grpc.StatusCode.INVALID_ARGUMENT, "empty_part"),
        ([HEADER, *file(LOG, "")], grpc.StatusCode.INVALID_ARGUMENT, "missing"),
        ([HEADER, *file(pb.AuditFile.ROLE_UNSPECIFIED, "a")], grpc.StatusCode.INVALID_ARGUMENT, "unknown_role"),
        ([HEADER, *file(MODULE, "m"), *file(MODULE, "n")], grpc.StatusCode.INVALID_ARGUMENT, "two_modules"),
        ([HEADER, *file(LOG, "a", b"x" * 600, b"x" * 600)], grpc.StatusCode.RESOURCE_EXHAUSTED, "too_large"),
        ([HEADER, *file(LOG, "a", b"x" * 900), *file(LOG, "b", b"x" * 900)], grpc.StatusCode.RESOURCE_EXHAUSTED, "too_large"),
        ([HEADER, *file(LOG, "a"), *file(LOG, "b"), *file(LOG, "c")], grpc.StatusCode.RESOURCE_EXHAUSTED, "too_many"),
        ([HEADER, *file(MODULE, "m", b"x" * 2001)], grpc.StatusCode.RESOURCE_EXHAUSTED, "too_large"),
        (
            [pb.AuditRequest(header=pb.AuditHeader(overlay={"../evil.csv": ""})), *file(LOG, "a")],
            grpc.StatusCode.INVALID_ARGUMENT,
            "bad_name",
        ),
    ],
)
def test_a_bad_upload_is_refused(
    stub: RefereeStub, backend: FakeBackend, parts: list[pb.AuditRequest], status: grpc.StatusCode, code: str
) -> None:
    with pytest.raises(grpc.RpcError) as call:
        stub.Audit(iter(parts), timeout=5)
    got, errors = refused(call)
    assert (got, errors[0].code) == (status, code)
    assert not backend.asked


def test_an_audit_stops_at_the_callers_deadline(stub: RefereeStub, backend: FakeBackend) -> None:
    parts = [pb.AuditRequest(header=pb.AuditHeader(scenario="sleep")), *file(LOG, "a")]
    with pytest.raises(grpc.RpcError) as call:
        stub.Audit(iter(parts), timeout=0.3)
    assert call.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED


def test_an_upload_that_never_ends_is_ended_and_not_audited(stub: RefereeStub, backend: FakeBackend) -> None:
    release = threading.Event()

    def parts() -> Iterator[pb.AuditRequest]:
        yield HEADER
        yield from file(LOG, "a", b"x")
        release.wait(20)

    with pytest.raises(grpc.RpcError) as call:
        stub.Audit(parts())
    release.set()
    assert call.value.code() == grpc.StatusCode.CANCELLED
    assert not backend.asked


def test_health_tells_that_it_serves(channel: grpc.Channel) -> None:
    health = health_pb2_grpc.HealthStub(channel)
    for service in ("", SERVICE):
        assert health.Check(health_pb2.HealthCheckRequest(service=service), timeout=5).status == health_pb2.HealthCheckResponse.SERVING


def test_reflection_lists_the_service_under_its_true_name(channel: grpc.Channel) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    requests = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_by_filename="referee/v1/referee.proto"),
    ]
    listed, described = stub.ServerReflectionInfo(iter(requests), timeout=5)
    assert SERVICE == "referee.v1.Referee"
    assert SERVICE in [service.name for service in listed.list_services_response.service]
    assert described.file_descriptor_response.file_descriptor_proto


def test_a_stop_lets_running_calls_finish_and_refuses_new_ones(backend: FakeBackend) -> None:
    entered, release = threading.Event(), threading.Event()
    rote = backend.check

    def slow(*args: object, **kwargs: object) -> object:
        entered.set()
        release.wait(5)
        return rote(*args, **kwargs)  # type: ignore[arg-type]

    backend.check = slow  # type: ignore[method-assign, assignment]
    server = start(backend, Settings(port=0, grace=5))
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        call = RefereeStub(channel).Check.future(pb.CheckRequest(game=GAME, action="red done"), timeout=5)
        assert entered.wait(5)
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        time.sleep(0.1)
        with pytest.raises(grpc.RpcError) as late:
            RefereeStub(channel).Check(pb.CheckRequest(game=GAME, action="red done"), timeout=5)
        release.set()
        assert call.result().ruling.verdict == pb.VERDICT_LEGAL
        stopping.join(5)
    assert not stopping.is_alive()
    assert late.value.code() == grpc.StatusCode.UNAVAILABLE


def test_an_address_in_use_is_told(running: Running, backend: FakeBackend) -> None:
    with pytest.raises(Exception, match="cannot listen on"):
        start(backend, Settings(port=running.port))
