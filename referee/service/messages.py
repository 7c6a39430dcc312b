"""Plain values to messages and back; nothing is decided here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.service.backend import Answer, At, Spec
from referee.service.gen import referee_pb2 as pb

_VERDICTS: Mapping[str, pb.Verdict.ValueType] = {
    "legal": pb.VERDICT_LEGAL,
    "illegal": pb.VERDICT_ILLEGAL,
    "doubtful": pb.VERDICT_DOUBTFUL,
    "unclear": pb.VERDICT_UNCLEAR,
}


def spec(message: pb.GameSpec) -> Spec:
    """Which game is meant."""
    return Spec(message.game, message.scenario, frozenset(message.options))


def at(message: pb.PositionSpec) -> At:
    """Which position is meant."""
    return At(message.text, tuple(message.played.actions))


def check_response(answer: Answer) -> pb.CheckResponse:
    """The ruling on one action."""
    reasons = [
        pb.Reason(code=reason.code, paragraphs=reason.paragraphs, rulings=reason.rulings, options=reason.options, sentence=reason.sentence)
        for reason in answer.reasons
    ]
    ruling = pb.Ruling(verdict=_VERDICTS[answer.verdict], reasons=reasons)
    return pb.CheckResponse(ruling=ruling, action=answer.action, position=answer.position)


def audit_document(document: Mapping[str, Any]) -> pb.AuditDocument:
    """The audit document, field for field."""
    return pb.AuditDocument(
        version=document["version"],
        files=[_file(file) for file in document["files"]],
        notes=document.get("notes", ()),
        summary=_summary(document["summary"]),
    )


def _file(file: Mapping[str, Any]) -> pb.AuditedFile:
    return pb.AuditedFile(
        path=file["path"],
        game=file["game"],
        scenario=file["scenario"],
        actions=[_action(action) for action in file["actions"]],
        notes=file["notes"],
        summary=_summary(file["summary"]),
    )


def _action(action: Mapping[str, Any]) -> pb.AuditedAction:
    return pb.AuditedAction(
        step=action["step"],
        turn=action["turn"],
        phase=action["phase"],
        side=action["side"],
        kind=action["kind"],
        notation=action["notation"],
        pieces=action["pieces"],
        from_place=action["from"],
        to_place=action["to"],
        verdict=_VERDICTS.get(action["verdict"], pb.VERDICT_UNCLEAR),
        rules=action["rules"],
        basis=[pb.Basis(name=basis["name"], source=basis.get("source", "")) for basis in action["basis"]],
        message=action["message"],
        instead=action.get("instead", ""),
    )


def _summary(summary: Mapping[str, int]) -> pb.Summary:
    return pb.Summary(legal=summary["legal"], illegal=summary["illegal"], doubtful=summary["doubtful"], unclear=summary["unclear"])
