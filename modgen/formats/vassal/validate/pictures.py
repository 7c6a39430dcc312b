"""Pictures, pages, sounds and set-ups that are named: they must be in the module, and be what they are named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from posixpath import dirname, join, normpath

from modgen.formats.errors import FormatError
from modgen.formats.vassal import engine, sequence
from modgen.formats.vassal.buildfile import image_size
from modgen.formats.vassal.engine import Kind
from modgen.formats.vassal.pieces import Piece, Trait
from modgen.formats.vassal.validate.model import Check, Found, Severity, Subject, listed, quoted
from modgen.formats.vassal.validate.structure import typed

_SAFE, _MOST = 40_000_000, 80_000_000
_IMG = re.compile(r"<img\b[^>]*?\bsrc\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))", re.IGNORECASE)
_PAGES = ("module.documentation.HelpFile", "widget.HtmlChart")
_FILES = (
    ("module.documentation.BrowserPDFFile", "pdfFile"),
    ("module.documentation.Tutorial", "logfile"),
    ("module.PredefinedSetup", "file"),
)


def of_trait(trait: Trait) -> Iterator[str]:
    """The pictures that a trait names; empty ones and those it takes by default are left out."""
    fields = trait.fields
    match trait.id:
        case "emb2" if len(fields) > 15:
            yield from (name for name in sequence.decode(trait.field("images"), ",") if name)
        case "obs":
            yield from (name for name in fields[1:2] if name)
            yield from (style[1:] for style in fields[3:4] if style.startswith("G") and len(style) > 1)
        case "markmoved":
            yield from (name for name in fields[:1] if name)
        case "piece":
            yield from (name for name in fields[2:3] if name)
        case _:
            pass


def of_piece(piece: Piece) -> Iterator[str]:
    """The pictures that a piece's traits name."""
    for trait in piece.traits:
        yield from of_trait(trait)


def named(subject: Subject) -> Iterator[tuple[str, str]]:
    """(place, name) of every picture that components and traits name."""
    for found, name, _, value in typed(subject, Kind.IMAGE):
        if value.strip():
            yield f"{subject.place(found)}, {name}", value.strip()
    for definition in subject.definitions:
        for where, trait in definition.traits():
            for image in of_trait(trait):
                yield where, image


def _drawn(subject: Subject) -> set[str]:
    """Pictures that the module draws itself."""
    return {found.get("name") for found in subject.all("module.gamepieceimage.GamePieceImage")}


def _is_there(subject: Subject, image: str) -> bool:
    return f"images/{image}" in subject.entries or f"images/{image}.gif" in subject.entries


def _missing(subject: Subject) -> Iterator[Found]:
    drawn = _drawn(subject)
    lower = {name.lower(): name for name in subject.names if name.startswith("images/")}
    for where, image in named(subject):
        if image.startswith("/") or image in drawn or _is_there(subject, image):
            continue
        hint = ""
        if (other := lower.get(f"images/{image}".lower())) is not None:
            hint = f"there is {other.removeprefix('images/')}: large and small letters count"
        elif "." not in image:
            hint = "the name with its extension"
        elif image.startswith("images/") and image in subject.entries:
            hint = "the name without images/"
        yield Found(where, f"the picture {image} is not in the module", hint or "a file in images/")


def _built_in(subject: Subject) -> Iterator[Found]:
    for where, image in named(subject):
        if image.startswith("/") and image.removeprefix("/images/") not in engine.PICTURES:
            yield Found(where, f"{image} is none of the engine's pictures that are known here")


def pages(subject: Subject) -> Iterator[tuple[str, str, bool]]:
    """(place, file, whether it is a chart) of every page of help or charts that lies in the module."""
    for found in subject.all(*_PAGES):
        chart = engine.short(found) == "widget.HtmlChart"
        file = found.get("fileName").strip()
        if file and (chart or found.get("fileType", "archive") == "archive"):
            yield subject.place(found), file, chart


def _page_pictures(subject: Subject) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """(place, page, picture, the entries it may be) of every picture in a page."""
    for where, file, chart in pages(subject):
        if file not in subject.entries:
            continue
        try:
            text = subject.archive.read(file).decode("utf-8", "replace")
        except FormatError:
            continue
        for match in _IMG.finditer(text):
            image = next(group for group in match.groups() if group is not None).strip()
            if not image or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|/|#", image):
                continue
            beside = normpath(join(dirname(file), image))
            yield where, file, image, (f"images/{image}",) if chart else (beside, f"images/{image}")


def _page_missing(subject: Subject) -> Iterator[Found]:
    for where, file, image, entries in _page_pictures(subject):
        if not any(name in subject.entries for name in entries):
            yield Found(where, f"the page {file} shows the picture {image}, which is not in the module", " or ".join(entries))


def used(subject: Subject) -> set[str]:
    """Every entry that something in the module names."""
    images = {image for _, image in named(subject)}
    for setup in subject.setups:
        if setup.save is not None:
            for piece in setup.save.pieces.values():
                images.update(of_piece(piece))
    entries = {name for image in images for name in (f"images/{image}", f"images/{image}.gif")}
    for *_, names in _page_pictures(subject):
        entries.update(names)
    return entries


def _unused(subject: Subject) -> Iterator[Found]:
    wanted = used(subject)
    idle = [name.removeprefix("images/") for name in dict.fromkeys(subject.names) if name.startswith("images/") and name not in wanted]
    if idle:
        yield Found("images", f"{len(idle)} of the module's pictures are named nowhere: {listed(idle)}")


def _files(subject: Subject) -> Iterator[Found]:
    wanted = [(where, file) for where, file, _ in pages(subject)]
    for kind, name in _FILES:
        for found in subject.all(kind):
            loads = kind != "module.PredefinedSetup" or (found.get("useFile", "true") == "true" and found.get("isMenu") != "true")
            if loads:
                wanted.append((subject.place(found), found.get(name).strip()))
    for where, file in wanted:
        if not file:
            yield Found(where, "names no file", "a file of the module")
        elif file not in subject.entries:
            yield Found(where, f"the file {file} is not in the module", "a path inside the module")


def _sounds(subject: Subject) -> Iterator[Found]:
    wanted = [(subject.place(found), value) for found, _, _, value in typed(subject, Kind.SOUND)]
    for definition in subject.definitions:
        wanted += [(where, trait.field("format")) for where, trait in definition.traits() if trait.id == "playSound"]
    for where, clip in wanted:
        plain = clip.strip() and not clip.startswith(("/", "{")) and "$" not in clip and "." in clip
        if plain and not {clip, f"sounds/{clip}"} & subject.entries:
            yield Found(where, f"the sound {clip} is not in the module", "a file in sounds/")


def _form(subject: Subject) -> Iterator[Found]:
    for name in dict.fromkeys(subject.names):
        if not name.startswith("images/"):
            continue
        try:
            data = subject.archive.head(name)
        except FormatError as error:
            yield Found(name, error.what)
            continue
        vector = b"<svg" in data[:4096]
        if not vector and image_size(data) is None and not data.startswith(b"\xff\xd8"):
            yield Found(name, "is no picture that the engine can show", "PNG, GIF, JPEG or SVG")
        elif vector != name.lower().endswith(".svg"):
            yield Found(
                name, "is an SVG picture under another name" if vector else "is no SVG picture", "SVG pictures, and only they, end in .svg"
            )


def _boards(subject: Subject) -> Iterator[Found]:
    for found in subject.all("module.map.boardPicker.Board"):
        image = found.get("image")
        if f"images/{image}" not in subject.entries:
            continue
        try:
            size = image_size(subject.archive.read(f"images/{image}"))
        except FormatError:
            continue
        pixels = size[0] * size[1] if size else 0
        if size is None:
            yield Found(subject.place(found), f"the size of its picture {image} cannot be told", "a picture with a width and a height")
        elif pixels > _SAFE:
            much = f"its picture has {size[0]} x {size[1]} pixels, {pixels / 1e6:.0f} million"
            severe = pixels > _MOST
            yield Found(
                subject.place(found),
                much + (": more than clients with little memory can open" if severe else ""),
                f"up to {_SAFE // 1_000_000} million everywhere, {_MOST // 1_000_000} million at most",
                Severity.WARNING if severe else Severity.NOTE,
            )


def _entries(subject: Subject) -> Iterator[Found]:
    for name, count in Counter(subject.names).items():
        if count > 1:
            yield Found(quoted(name), f"is {count} times in the archive: which one counts depends on the reader", "one entry a name")
    same: dict[str, str] = {}
    for name in dict.fromkeys(subject.names):
        before = same.setdefault(name.lower(), name)
        if before != name:
            what = f"{before} and {name} differ only in large and small letters: on many disks they are one file"
            yield Found(name, what, "names that differ otherwise")


CHECKS = (
    Check(
        "picture-missing", Severity.ERROR, "every picture that is named is in the module", "the engine shows nothing in its place", _missing
    ),
    Check("picture-built-in", Severity.NOTE, "pictures named /images/... are the engine's own", "others are not found", _built_in),
    Check("picture-unused", Severity.NOTE, "every picture of the module is named somewhere", "it only makes the file larger", _unused),
    Check("picture-form", Severity.ERROR, "pictures are what their names say", "the engine cannot show them", _form),
    Check("page-picture", Severity.WARNING, "pictures of help pages and charts are in the module", "the page has a hole", _page_missing),
    Check("board-size", Severity.WARNING, "boards are of a size that every client can open", "an empty board, or out of memory", _boards),
    Check("file-missing", Severity.ERROR, "pages, tutorials and set-ups that are named are in the module", "the menu entry fails", _files),
    Check("sound-missing", Severity.WARNING, "sounds that are named are in the module", "silence", _sounds),
    Check("entry-twice", Severity.WARNING, "no two files of the module have the same name", "one of them is lost", _entries),
)
