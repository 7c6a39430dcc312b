"""The structural validator: what in a finished module the engine would refuse, drop without a word, or read otherwise than meant.

``validate`` looks at any module, whoever made it. ``CHECKS`` lists what is held; every check is a small function in the module of
its concern. Nothing is run and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from modgen.formats.vassal.archive import DEFAULT_LIMITS, Limits
from modgen.formats.vassal.validate import (
    boards,
    expressions,
    keys,
    names,
    orders,
    pictures,
    pieces,
    play,
    properties,
    setups,
    structure,
    traits,
)
from modgen.formats.vassal.validate.model import Check, Found, Severity, Subject

VERSION = 1
"""Of the JSON form."""

_CONCERNS: Mapping[str, tuple[Check, ...]] = {
    "Components": structure.CHECKS,
    "Names": names.CHECKS,
    "Pictures and files": pictures.CHECKS,
    "Boards and places": boards.CHECKS,
    "Pieces": pieces.CHECKS,
    "Traits": traits.CHECKS,
    "Keys": keys.CHECKS,
    "Expressions": expressions.CHECKS,
    "Properties": properties.CHECKS,
    "Key commands and send-to": orders.CHECKS,
    "Play": play.CHECKS,
    "Set-ups": setups.CHECKS,
}

CHECKS: Mapping[str, Check] = {check.id: check for check in chain.from_iterable(_CONCERNS.values())}
"""What is held, in the order of reports: id -> check."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, and everywhere it is: findings that differ only in their place are one. ``allowed`` may be empty."""

    check: str
    severity: Severity
    places: tuple[str, ...]
    what: str
    allowed: str = ""

    @property
    def where(self) -> str:
        """The first place."""
        return self.places[0]


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in a module; findings in the order of checks, errors first."""

    file: str
    name: str
    version: str
    vassal_version: str
    findings: tuple[Finding, ...]
    other: tuple[str, str] = ("", "")
    """The module's two free fields."""

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """The findings of one severity."""
        return tuple(finding for finding in self.findings if finding.severity is severity)

    @property
    def clean(self) -> bool:
        """Whether there is nothing above a note."""
        return len(self.of(Severity.NOTE)) == len(self.findings)

    def as_json(self) -> dict[str, Any]:
        """The report as plain values (docs/schema/module-check-1.json)."""
        return {
            "version": VERSION,
            "file": self.file,
            "module": {"name": self.name, "version": self.version, "vassal_version": self.vassal_version},
            "checks": len(CHECKS),
            "findings": [
                {
                    "check": finding.check,
                    "severity": str(finding.severity),
                    "where": finding.where,
                    "places": list(finding.places),
                    "what": finding.what,
                    "allowed": finding.allowed,
                }
                for finding in self.findings
            ],
            "summary": {f"{severity}s": len(self.of(severity)) for severity in Severity},
        }


def validate(
    source: Path | bytes, *, where: str | None = None, limits: Limits = DEFAULT_LIMITS, checks: Iterable[Check] | None = None
) -> Report:
    """Look at a module. ``checks``: only these.

    Raises FormatError when the file is no module, or too large or too broken to be read.
    """
    with Subject(source, where, limits) as subject:
        found: dict[tuple[int, str, str, str], list[str]] = {}
        order = list(Severity)
        for check in CHECKS.values() if checks is None else checks:
            for one in check.look(subject):
                severity = one.severity or check.severity
                places = found.setdefault((order.index(severity), check.id, one.what, one.allowed), [])
                if one.where not in places:
                    places.append(one.where)
        module = subject.module
        findings = [
            Finding(check_id, order[severity], tuple(places), what, allowed)
            for (severity, check_id, what, allowed), places in sorted(found.items(), key=lambda item: item[0][0])
        ]
        return Report(
            subject.where,
            module.name,
            module.version,
            module.vassal_version,
            tuple(findings),
            (subject.root.get("ModuleOther1"), subject.root.get("ModuleOther2")),
        )


def text(report: Report) -> str:
    """The report for people: a line a finding with its first place, a count at the end. The JSON form has all places."""
    lines = [f"{report.file}: {report.name} {report.version}, for VASSAL {report.vassal_version}"]
    for finding in report.findings:
        more = f" (and {len(finding.places) - 1} more)" if len(finding.places) > 1 else ""
        allowed = f"; allowed: {finding.allowed}" if finding.allowed else ""
        lines.append(f"{finding.severity}: {finding.where}{more}: {finding.what}{allowed} [{finding.check}]")
    counts = ", ".join(f"{len(report.of(severity))} {severity}{'s' if len(report.of(severity)) != 1 else ''}" for severity in Severity)
    lines.append(f"{len(CHECKS)} checks: {counts}")
    return "\n".join(lines) + "\n"


def page() -> str:
    """The user page that lists the checks (docs/module-checks.md)."""
    lines = [
        "# What `modgen check --module` looks at",
        "",
        "    modgen check --module FILE",
        "",
        "looks at a finished VASSAL module, ours or anybody's, without running it. Each finding says where it is, what is wrong, what is",
        "allowed, and which of the checks below found it. An *error* cannot work; a *warning* works, but hardly as meant; a *note* is",
        "worth knowing. Errors and warnings make the exit code 1.",
        "",
        "VASSAL itself says nothing of most of this: it drops what it does not know and goes on.",
    ]
    for title, checks in _CONCERNS.items():
        lines += ["", f"## {title}", "", "| check | severity | what must hold | if not |", "| --- | --- | --- | --- |"]
        lines += [f"| `{check.id}` | {check.severity} | {check.holds} | {check.because} |" for check in checks]
    return "\n".join(lines) + "\n"


__all__ = ["CHECKS", "VERSION", "Check", "Finding", "Found", "Report", "Severity", "Subject", "page", "text", "validate"]
