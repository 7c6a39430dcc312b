"""``data/<game>/releases.csv``: which content each version had that people were given. Rows are only ever added.

Clients keep pictures by a module's name and version, and players tell modules apart by them, so one version must never have two
contents. A version without a row is still being worked on and may change freely; one with a row is out, and a build with other
content under that version is refused.

What is compared is not the finished bytes, which follow the rounding of a processor and the libraries that pack pictures, but what they
are made of: texts, and the drawings' descriptions. So a release can be built again anywhere.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from gamebox.load import BoxError
from modgen.art.drawing import Drawing
from modgen.art.maker import Own
from modgen.build.keys import hash_of, picture_facts
from modgen.formats.vassal.buildfile import BUILD_FILE
from modgen.vassal.ledger import Ledger, LedgerError, read_rows, shown

FILE = "releases.csv"
PARTS = ("data", "build file", "help", "set-ups", "board", "charts", "counters", "rest")
"""What a content is compared by, as it is called when it differs."""
HEADER = ("version", "date", "vassal", "gpids", "ledger", *(part.replace(" ", "_") for part in PARTS))
DRAFT = "-dev"
"""What the version of a module ends in while it is being worked on."""
_VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}(-[a-z][a-z0-9.]*)?", re.ASCII)
_SHORT = 16
_PARTS = {".vsav": "set-ups", ".html": "help"}


@dataclass(frozen=True, slots=True)
class Release:
    """A version that is out: its date and client as in module.toml, the highest gpid it gave out, the ledger's rows up to there as a
    hash, and its content as a hash for each of ``PARTS``."""

    version: str
    date: str
    vassal: str
    gpids: int
    ledger: str
    parts: Mapping[str, str]

    def differs(self, parts: Mapping[str, str]) -> list[str]:
        """The parts in which a content is another."""
        return [part for part in PARTS if parts[part] != self.parts[part]]


def is_version(text: str) -> bool:
    """Whether a module.toml may have this version: ``1.2.0``, ``1.2.0-dev``, ``2.0-beta1``."""
    return _VERSION.fullmatch(text) is not None


def read_releases(path: Path) -> tuple[Release, ...]:
    """Read the file; a missing one means that nothing is out.

    Raises :class:`LedgerError` with every row that is none, and for versions given twice.
    """
    faults: list[BoxError] = []
    out: list[Release] = []
    for line, row in read_rows(path, HEADER, faults):
        version, date, vassal, gpids, ledger, *parts = row
        if not is_version(version) or not gpids.isdecimal() or not all(re.fullmatch(r"[0-9a-f]{16}", part) for part in (ledger, *parts)):
            what = f"{','.join(row)!r} is no row that `modgen release` wrote; rows are only added, and by it alone"
            faults.append(BoxError(shown(path), line, 1, what))
        elif any(release.version == version for release in out):
            faults.append(BoxError(shown(path), line, 1, f"{version} is here twice; a version is released once"))
        else:
            out.append(Release(version, date, vassal, int(gpids), ledger, dict(zip(PARTS, parts, strict=True))))
    if faults:
        raise LedgerError(faults)
    return tuple(out)


def moved(releases: Iterable[Release], ledger: Ledger) -> tuple[BoxError, ...]:
    """The errors of a ledger whose rows are not those that were released."""
    return tuple(
        BoxError(
            shown(ledger.path),
            0,
            0,
            f"the rows up to {release.gpids} are not those that were released as {release.version}: old saves would swap units. Put them "
            "back as they were; a counter that was renamed keeps its slot's name in the ledger",
        )
        for release in releases
        if ledger.fingerprint(release.gpids) != release.ledger
    )


def last_gpid(releases: Iterable[Release]) -> int:
    """The highest number that people have got."""
    return max((release.gpids for release in releases), default=0)


def text_of(releases: Iterable[Release]) -> str:
    """The file's text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for release in releases:
        about = (release.version, release.date, release.vassal, release.gpids, release.ledger)
        writer.writerow((*about, *(release.parts[part] for part in PARTS)))
    return out.getvalue()


def described(data: str, texts: Mapping[str, bytes], drawings: Mapping[str, Iterable[Drawing | Own]]) -> dict[str, str]:
    """The content of a module as a hash for each of ``PARTS``, from its data hash, its entries that are no pictures, and its drawings
    by part."""
    groups: dict[str, dict[str, str]] = {part: {} for part in PARTS}
    groups["data"][""] = data
    for name, content in texts.items():
        part = "build file" if name == BUILD_FILE else _PARTS.get(Path(name).suffix, "rest")
        groups[part][name] = _unpacked(content) if part == "set-ups" else _hash(content)
    for part, made in drawings.items():
        for drawing in made:
            groups[part][drawing.file] = description(drawing)
    return {part: hash_of(held)[:_SHORT] for part, held in groups.items()}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _unpacked(save: bytes) -> str:
    """A save by what is in it: how it is packed is the library's affair."""
    with zipfile.ZipFile(io.BytesIO(save)) as archive:
        return hash_of({name: _hash(archive.read(name)) for name in archive.namelist()})


_EMBEDDED = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=]*")


def description(picture: Drawing | Own) -> str:
    """What a picture shows, as a hash: its drawing, without the textures in it, whose pixels follow the processor's rounding, and with
    the text of the code that makes them."""
    if isinstance(picture, Own):
        return hash_of(picture_facts(picture))
    textured = picture.paper is not None or "data:image/png;base64," in picture.svg
    under = None if picture.under is None else (b"", picture.under[1])
    plain = replace(picture, svg=_EMBEDDED.sub("", picture.svg), under=under)
    return hash_of(picture_facts(plain), _textures() if textured else None)


def _textures() -> str:
    code = resources.files("modgen.art").joinpath("textures.py").read_text("utf-8")
    return _hash(code.encode("utf-8"))
