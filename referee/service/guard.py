"""The one place between gRPC and plain Python: requests held to their limits, our errors told as status codes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import grpc
from google.rpc import status_pb2
from grpc_status import rpc_status

from referee.service.errors import OURS, Problem, Stopped, status_of
from referee.service.gen import referee_pb2 as pb
from referee.service.limits import hold

LOG = logging.getLogger("referee.service")
SERVICE = "/referee.v1."


def alive(context: grpc.ServicerContext) -> Callable[[], bool]:
    """A question to ask during long work: is the caller still there, with time left?"""

    def ask() -> bool:
        if not context.is_active():
            return False
        left = context.time_remaining()
        return left is None or left > 0

    return ask


def fail(context: grpc.ServicerContext, error: Exception) -> NoReturn:
    """Ends the call with the status of this error and its problems as details."""
    status, problems = status_of(error)
    if (status, problems) == OURS:
        LOG.error("a call failed", exc_info=error)
    if isinstance(error, Stopped):
        left = context.time_remaining()
        if left is not None and left <= 0:
            status = grpc.StatusCode.DEADLINE_EXCEEDED
    answer = status_pb2.Status(code=status.value[0], message="; ".join(_line(problem) for problem in problems))
    for problem in problems:
        answer.details.add().Pack(pb.Error(code=problem.code, where=problem.where, message=problem.message, allowed=problem.allowed))
    context.abort_with_status(rpc_status.to_status(answer))
    raise AssertionError("abort_with_status returned")


def _line(problem: Problem) -> str:
    allowed = f" (allowed: {', '.join(problem.allowed)})" if problem.allowed else ""
    return (f"{problem.where}: " if problem.where and problem.where not in problem.message else "") + problem.message + allowed


def _held(requests: Iterator[Any]) -> Iterator[Any]:
    for request in requests:
        hold(request)
        yield request


class Guard(grpc.ServerInterceptor):
    """Wraps every method of ours; health and reflection pass untouched."""

    def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], grpc.RpcMethodHandler[Any, Any] | None],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        handler = continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(SERVICE):
            return handler
        if handler.unary_unary:
            return grpc.unary_unary_rpc_method_handler(
                _answers(handler.unary_unary, streamed=False), handler.request_deserializer, handler.response_serializer
            )
        if handler.unary_stream:
            return grpc.unary_stream_rpc_method_handler(
                _streams(handler.unary_stream, streamed=False), handler.request_deserializer, handler.response_serializer
            )
        if handler.stream_unary:
            return grpc.stream_unary_rpc_method_handler(
                _answers(handler.stream_unary, streamed=True), handler.request_deserializer, handler.response_serializer
            )
        assert handler.stream_stream is not None
        return grpc.stream_stream_rpc_method_handler(
            _streams(handler.stream_stream, streamed=True), handler.request_deserializer, handler.response_serializer
        )


def _checked(request: Any, streamed: bool) -> Any:
    if streamed:
        return _held(request)
    hold(request)
    return request


def _answers(method: Callable[[Any, grpc.ServicerContext], Any], *, streamed: bool) -> Callable[[Any, grpc.ServicerContext], Any]:
    def call(request: Any, context: grpc.ServicerContext) -> Any:
        try:
            return method(_checked(request, streamed), context)
        except Exception as error:
            problem = error
        fail(context, problem)

    return call


def _streams(
    method: Callable[[Any, grpc.ServicerContext], Iterator[Any]], *, streamed: bool
) -> Callable[[Any, grpc.ServicerContext], Iterator[Any]]:
    def call(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        try:
            yield from method(_checked(request, streamed), context)
            return
        except Exception as error:
            problem = error
        fail(context, problem)

    return call
