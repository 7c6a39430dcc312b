"""Holds requests to the bounds that stand beside their fields in the .proto files (option ``limit``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from referee.service.errors import BadRequest, Problem, TooLarge
from referee.service.gen import limits_pb2

DEFAULT_BYTES = 1024
DEFAULT_ITEMS = 1024


def hold(message: Message) -> None:
    """Raises BadRequest for a required field that is not set, TooLarge for a field over its bound; names the field."""
    missing = tuple(_missing(message, ""))
    if missing:
        raise BadRequest(*missing)
    large = tuple(_large(message, ""))
    if large:
        raise TooLarge(*large)


def _limit(field: Any) -> limits_pb2.Limit:
    limit: limits_pb2.Limit = field.GetOptions().Extensions[limits_pb2.limit]
    return limit


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def _submessages(message: Message, path: str) -> Iterator[tuple[Message, str]]:
    for field, value in message.ListFields():
        if field.type != FieldDescriptor.TYPE_MESSAGE or _is_map(field):
            continue
        name = f"{path}{field.name}"
        if field.is_repeated:
            yield from ((item, f"{name}[{index}].") for index, item in enumerate(value))
        else:
            yield value, f"{name}."


def _missing(message: Message, path: str) -> Iterator[Problem]:
    present = {field.name for field, _ in message.ListFields()}
    for field in message.DESCRIPTOR.fields:
        if _limit(field).required and field.name not in present:
            yield Problem("missing", f"{path}{field.name} must be given", f"{path}{field.name}")
    for inner, place in _submessages(message, path):
        yield from _missing(inner, place)


def _large(message: Message, path: str) -> Iterator[Problem]:
    for field, value in message.ListFields():
        limit = _limit(field)
        most_bytes, most_items = limit.max_bytes or DEFAULT_BYTES, limit.max_items or DEFAULT_ITEMS
        name = f"{path}{field.name}"
        if field.is_repeated and len(value) > most_items:
            yield Problem("too_many", f"{name} has {len(value)} elements; at most {most_items} are allowed", name)
        elif _is_map(field):
            for key in sorted(value):
                yield from _text(key, DEFAULT_BYTES, f"{name} key")
                yield from _text(value[key], most_bytes, f"{name}[{key[:64]!r}]")
        elif field.type in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES):
            for index, item in enumerate(value if field.is_repeated else [value]):
                yield from _text(item, most_bytes, f"{name}[{index}]" if field.is_repeated else name)
    for inner, place in _submessages(message, path):
        yield from _large(inner, place)


def _text(value: str | bytes, most: int, name: str) -> Iterator[Problem]:
    size = len(value.encode("utf-8") if isinstance(value, str) else value)
    if size > most:
        yield Problem("too_long", f"{name} has {size} bytes; at most {most} are allowed", name)
