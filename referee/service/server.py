"""The gRPC server: thin servicers over a backend, with health, reflection, limits, deadlines and a graceful stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from referee.service import messages
from referee.service.backend import Backend
from referee.service.errors import BadRequest, Problem
from referee.service.gen import referee_pb2 as pb
from referee.service.gen import referee_pb2_grpc
from referee.service.guard import Guard, alive
from referee.service.uploads import UploadLimits, receive

SERVICE: str = pb.DESCRIPTOR.services_by_name["Referee"].full_name
BATCH = 256
"""Legal actions in one message."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server is bounded. ``port`` 0 = any free port; sizes in bytes, times in seconds."""

    host: str = "127.0.0.1"
    port: int = 50061
    workers: int = 4
    waiting: int = 32
    """Calls that may wait for a worker; more are refused with RESOURCE_EXHAUSTED."""
    receive_bytes: int = 4 << 20
    send_bytes: int = 64 << 20
    grace: float = 10.0
    """How long running calls may finish after a stop was asked for."""
    longest_audit: float = 900.0
    """An audit without a deadline of its own is ended after this; also one whose caller stopped sending."""
    uploads: UploadLimits = field(default_factory=UploadLimits)


class Servicer(referee_pb2_grpc.RefereeServicer):
    """The three calls: messages to values, backend, values to messages."""

    def __init__(self, backend: Backend, settings: Settings) -> None:
        self._backend = backend
        self._settings = settings

    def Check(self, request: pb.CheckRequest, context: grpc.ServicerContext) -> pb.CheckResponse:
        answer = self._backend.check(
            messages.spec(request.game),
            messages.at(request.position),
            request.action,
            every=request.all_reasons,
            play=request.play,
            alive=alive(context),
        )
        return messages.check_response(answer)

    def LegalActions(self, request: pb.LegalActionsRequest, context: grpc.ServicerContext) -> Iterator[pb.LegalActionsResponse]:
        ask = alive(context)
        actions = self._backend.legal(
            messages.spec(request.game), messages.at(request.position), unit=request.unit, side=request.side, alive=ask
        )
        batch: list[str] = []
        for number, action in enumerate(actions):
            if request.max_actions and number == request.max_actions:
                yield pb.LegalActionsResponse(actions=batch, truncated=True)
                return
            batch.append(action)
            if len(batch) == BATCH:
                yield pb.LegalActionsResponse(actions=batch)
                batch = []
                if not ask():
                    return
        yield pb.LegalActionsResponse(actions=batch)

    def Audit(self, request_iterator: Iterator[pb.AuditRequest], context: grpc.ServicerContext) -> pb.AuditResponse:
        there, late = alive(context), threading.Event()

        def end() -> None:
            late.set()  # before the cancel: the stream of a cancelled call ends as if it were finished
            context.cancel()

        def ask() -> bool:
            return not late.is_set() and there()

        timer = threading.Timer(self._settings.longest_audit, end)
        timer.daemon = True
        timer.start()
        try:
            with receive(request_iterator, self._settings.uploads, ask) as upload:
                return pb.AuditResponse(document=messages.audit_document(self._backend.audit(upload, ask)))
        finally:
            timer.cancel()


class Running:
    """A started server. ``port`` is the one it listens on."""

    def __init__(self, server: grpc.Server, state: health.HealthServicer, port: int, grace: float) -> None:
        self._server = server
        self._health = state
        self.port = port
        self._grace = grace

    def stop(self, grace: float | None = None) -> None:
        """Health says NOT_SERVING, new calls are refused, running ones may finish within the grace; returns when all is over."""
        self._health.enter_graceful_shutdown()
        self._server.stop(self._grace if grace is None else grace).wait()


def start(backend: Backend, settings: Settings) -> Running:
    """Starts serving.

    Raises BadRequest when the address cannot be taken.
    """
    server = grpc.server(
        ThreadPoolExecutor(max_workers=settings.workers, thread_name_prefix="referee"),
        interceptors=[Guard()],
        options=[
            ("grpc.max_receive_message_length", settings.receive_bytes),
            ("grpc.max_send_message_length", settings.send_bytes),
            ("grpc.so_reuseport", 0),
        ],
        maximum_concurrent_rpcs=settings.workers + settings.waiting,
    )
    referee_pb2_grpc.add_RefereeServicer_to_server(Servicer(backend, settings), server)
    state = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(state, server)
    reflection.enable_server_reflection((SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    address = f"[{settings.host}]:{settings.port}" if ":" in settings.host else f"{settings.host}:{settings.port}"
    try:
        port = server.add_insecure_port(address)
    except RuntimeError:
        port = 0
    if not port:
        raise BadRequest(Problem("address", f"cannot listen on {address}: it is in use, or not an address of this machine"))
    server.start()
    for name in ("", SERVICE):
        state.set(name, health_pb2.HealthCheckResponse.SERVING)
    return Running(server, state, port, settings.grace)


def serve(backend: Backend, settings: Settings, started: Callable[[int], Any] = lambda port: None) -> None:
    """Serves until SIGINT or SIGTERM, then stops gracefully. ``started`` is told the port. For the main thread only."""
    asked = threading.Event()
    before = {number: signal.signal(number, lambda *_: asked.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        running = start(backend, settings)
        started(running.port)
        asked.wait()
        running.stop()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
