"""The committed contract: generated code as regenerated, the audit document's schema, and the two in step."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from referee.service.gen import referee_pb2 as pb
from tests.service.sample import document

ROOT = Path(__file__).resolve().parents[2]
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs/schema/audit-1.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_committed_code_is_what_the_protos_generate(tmp_path: Path) -> None:
    names = runpy.run_path(str(ROOT / "protos/generate.py"))["generate"](tmp_path)
    committed = ROOT / "referee/service/gen"
    assert names == sorted(path.name for path in committed.iterdir() if path.suffix in {".py", ".pyi"}), "run `make protos`"
    for name in names:
        assert (tmp_path / name).read_text("utf-8") == (committed / name).read_text("utf-8"), f"{name}: run `make protos`"


def test_the_schema_is_a_schema_and_takes_a_document() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    VALIDATOR.validate(document())


def test_the_schema_leaves_room_to_grow() -> None:
    grown = document()
    grown["chain"] = {}
    grown["files"][0]["players"] = ["a"]
    grown["files"][0]["actions"][0]["severity"] = "minor"
    VALIDATOR.validate(grown)


@pytest.mark.parametrize("break_it", ["version", "verdict", "missing", "count"])
def test_the_schema_refuses_what_readers_rely_on(break_it: str) -> None:
    broken = json.loads(json.dumps(document()))
    if break_it == "version":
        broken["version"] = 2
    elif break_it == "verdict":
        broken["files"][0]["actions"][0]["verdict"] = "fine"
    elif break_it == "missing":
        del broken["files"][0]["actions"][0]["message"]
    else:
        broken["summary"]["legal"] = -1
    assert not VALIDATOR.is_valid(broken)


def json_names(message: Any) -> set[str]:
    return {field.json_name for field in message.DESCRIPTOR.fields}


def test_the_messages_have_the_schemas_fields() -> None:
    defs = SCHEMA["$defs"]
    assert json_names(pb.AuditDocument) == set(SCHEMA["properties"])
    assert json_names(pb.AuditedFile) == set(defs["file"]["properties"])
    assert json_names(pb.AuditedAction) == set(defs["action"]["properties"])
    assert json_names(pb.Basis) == set(defs["basis"]["properties"])
    assert json_names(pb.Summary) == set(defs["summary"]["properties"])
    verdicts = {name.removeprefix("VERDICT_").lower() for name in pb.Verdict.DESCRIPTOR.values_by_name}
    assert verdicts - {"unspecified"} == set(defs["verdict"]["enum"])


def test_every_text_and_list_of_a_request_is_bounded() -> None:
    from referee.service.gen import limits_pb2
    from referee.service.limits import DEFAULT_BYTES, DEFAULT_ITEMS

    assert (DEFAULT_BYTES, DEFAULT_ITEMS) == (1024, 1024)
    for name in ("CheckRequest", "LegalActionsRequest", "AuditHeader", "AuditFile", "GameSpec"):
        for field in pb.DESCRIPTOR.message_types_by_name[name].fields:
            if field.type == field.TYPE_STRING:
                assert field.GetOptions().Extensions[limits_pb2.limit].max_bytes, f"{name}.{field.name} has no limit of its own"
