"""A maker's own pictures, ``data/<game>/art/`` or a folder of one's own: any picture of a module replaced by a scan or drawing.

A file replaces the picture of the same name (``su-1-balt.png``, ``chart-crt.jpg``); ``board.png`` is a scan of the printed map and has
a calibration beside it, ``board.toml``, by which it is laid under the grid, turned and scaled. Files are looked at by their headers
first: nothing large is ever decoded only to be refused.
"""

from __future__ import annotations

import difflib
import hashlib
import io
import os
import struct
import tomllib
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from gamebox.load import BoxError, bounded_text, toml_error
from modgen.art.calibration import Fit, Pair, fit
from modgen.art.field import Field
from modgen.errors import ArtError
from modgen.layout.reading import Reader, Rect

if TYPE_CHECKING:
    from PIL.Image import Image

FOLDER = "art"
SUFFIXES = (".png", ".jpg", ".jpeg")
BOARD, CALIBRATION = "board", "board.toml"
COVERS = ("map", "board")
MOST_PIXELS, WARN_PIXELS = 80_000_000, 40_000_000
"""Of one picture: beyond the first it is refused, beyond the second a client may run short of memory (cookbook of the client, 8)."""
MOST_BYTES, MOST_FILES = 200_000_000, 5_000
_MODES = frozenset({"1", "L", "LA", "P", "PA", "RGB", "RGBA", "CMYK", "YCbCr"})
_SHAPE = 0.04
"""How unlike in shape a picture may be to the one it replaces."""
_ORIENTATION = 0x0112
"""The tag of EXIF that says how a camera was held (EXIF 4.6.4)."""
_IGNORED = ("readme", "desktop.ini", "thumbs.db", "__macosx", "licence", "license")


@dataclass(frozen=True, slots=True)
class ArtFile:
    """One file, of which only the header was read: its size in pixels, and the SHA-256 of its bytes."""

    path: Path
    shown: str
    width: int
    height: int
    digest: str


@dataclass(frozen=True, slots=True)
class Calibration:
    """What ``board.toml`` says: what the scan covers (the ``map`` inside its frame or the whole ``board``), hexes by name and points of
    the board, each with its place on the scan in pixels from the upper left."""

    shown: str
    covers: str
    points: tuple[tuple[str, tuple[float, float]], ...]
    pairs: tuple[tuple[tuple[float, float], tuple[float, float]], ...]


@dataclass(frozen=True, slots=True)
class Art:
    """A maker's pictures by the name of what they replace (without suffix)."""

    files: Mapping[str, ArtFile]
    calibration: Calibration | None

    def __bool__(self) -> bool:
        return bool(self.files)


@dataclass(frozen=True, slots=True)
class Own:
    """A picture of the maker's own in place of a drawing, rendered into ``file``; ``fixed``: at exactly this size, else at its own."""

    file: str
    source: ArtFile
    width: int
    height: int
    fixed: bool


@dataclass(frozen=True, slots=True)
class Scan:
    """A scan laid over a rectangle of the board."""

    source: ArtFile
    fit: Fit
    over: Rect


NONE = Art({}, None)


# -- reading


def read_art(own_folder: Path, given: Path | None = None) -> Art:
    """The pictures of a game's own folder, if it has one, and of a folder that was named, which go before them.

    Raises :class:`ArtError` with everything that is wrong with any file, one line each, and for a named folder without pictures.
    """
    errors: list[BoxError] = []
    arts = [_read_folder(own_folder, errors)]
    if given is not None:
        before = len(errors)
        arts.append(_read_folder(given, errors))
        if not given.is_dir():
            errors.append(BoxError(given.as_posix(), 0, 0, "no such folder; allowed: a folder of pictures"))
        elif not arts[-1] and len(errors) == before:
            errors.append(BoxError(given.as_posix(), 0, 0, f"no picture in this folder; allowed: {', '.join(SUFFIXES)}, and {CALIBRATION}"))
    if errors:
        raise ArtError("\n".join(map(str, errors)))
    scanned = [art for art in arts if BOARD in art.files]
    return Art({stem: file for art in arts for stem, file in art.files.items()}, scanned[-1].calibration if scanned else None)


def _read_folder(folder: Path, errors: list[BoxError]) -> Art:
    files: dict[str, ArtFile] = {}
    calibration = None
    before = len(errors)
    for path in _listed(folder, errors):
        shown = f"{folder.name}/{path.name}"
        if path.name == CALIBRATION:
            calibration = _calibration(path, shown, errors)
            continue
        stem, suffix = os.path.splitext(path.name)
        if suffix.lower() not in SUFFIXES:
            errors.append(BoxError(shown, 0, 0, f"is no picture; allowed: {', '.join(SUFFIXES)}, and {CALIBRATION}"))
            continue
        try:
            found = _looked_at(path, shown)
        except ArtError as error:
            errors.append(BoxError("", 0, 0, str(error)))
            continue
        if stem in files and suffix.lower() != os.path.splitext(files[stem].path.name)[1].lower():
            errors.append(BoxError(shown, 0, 0, f"is the same picture as {files[stem].shown}; allowed: one of them"))
        files[stem] = found
    if len(errors) == before and BOARD in files and calibration is None:
        what = f"a scan of the board needs a calibration beside it, {CALIBRATION}: where two or more hexes lie on it"
        errors.append(BoxError(files[BOARD].shown, 0, 0, what))
    if len(errors) == before and calibration is not None and BOARD not in files:
        what = f"calibrates a scan that is not there; allowed: {BOARD}.png or {BOARD}.jpg beside it"
        errors.append(BoxError(calibration.shown, 0, 0, what))
    return Art(files, calibration)


def _listed(folder: Path, errors: list[BoxError]) -> list[Path]:
    try:
        if not folder.is_dir():
            return []
        with os.scandir(folder) as entries:
            paths = [folder / entry.name for _, entry in zip(range(MOST_FILES + 1), entries, strict=False)]
    except OSError as error:
        errors.append(BoxError(folder.name, 0, 0, f"cannot be read ({error.strerror}); allowed: a readable folder"))
        return []
    paths = sorted(path for path in paths if not path.name.startswith(".") and not path.name.lower().startswith(_IGNORED))
    if len(paths) > MOST_FILES:
        errors.append(BoxError(folder.name, 0, 0, f"more than {MOST_FILES} files; is this the folder of pictures?"))
        return []
    by_fold: dict[str, Path] = {}
    for path in paths:
        twin = by_fold.setdefault(path.name.casefold(), path)
        if twin is not path:
            what = f"differs from {twin.name} only in capital letters; Windows and macOS take them for one file: rename one"
            errors.append(BoxError(f"{folder.name}/{path.name}", 0, 0, what))
    return paths


def _looked_at(path: Path, shown: str) -> ArtFile:
    """A picture by its header and the hash of its bytes. Raises :class:`ArtError` for what cannot be used."""
    try:
        if not path.is_file():
            raise ArtError(f"{shown}: is no file; allowed: {', '.join(SUFFIXES)}, and {CALIBRATION}")
        length = path.stat().st_size
        if length > MOST_BYTES:
            raise ArtError(f"{shown}: {length} bytes; at most {MOST_BYTES} are read")
        with path.open("rb") as file:
            size = picture_size(file)
            if size is None:
                raise ArtError(f"{shown}: is no PNG and no JPEG, whatever its name says; save the picture as one of them")
            file.seek(0)
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ArtError(f"{shown}: cannot be read ({error.strerror}); allowed: a readable picture") from None
    width, height = size
    if width * height > MOST_PIXELS or not width * height:
        raise ArtError(
            f"{shown}: {width} x {height} pixels are {width * height / 1e6:.0f} million; at most {MOST_PIXELS // 1_000_000} million are "
            "allowed, since clients keep a picture in memory: scale it down"
        )
    return ArtFile(path, shown, *_as_seen(path, shown, size), digest)


def _as_seen(path: Path, shown: str, size: tuple[int, int]) -> tuple[int, int]:
    """The size of a picture as its camera says it is to be held; its pixels are still not decoded."""
    from PIL import Image

    try:
        with warnings.catch_warnings(), Image.open(path, formats=("PNG", "JPEG")) as image:
            warnings.simplefilter("ignore")
            if image.mode not in _MODES:
                raise ArtError(f"{shown}: pixels of the kind {image.mode} are not read; save it with 8 bits a colour")
            return (size[1], size[0]) if image.getexif().get(_ORIENTATION, 1) in range(5, 9) else size
    except (OSError, SyntaxError, ValueError, struct.error, EOFError) as error:
        raise ArtError(f"{shown}: is damaged ({_why(error)}); save the picture again") from None


def _why(error: Exception) -> str:
    """What a library says of a file, without the file's own address in memory."""
    text = str(error)
    return text if text and "<" not in text else "it cannot be read to its end" if text else type(error).__name__


def picture_size(file: BinaryIO) -> tuple[int, int] | None:
    """(width, height) of a PNG or JPEG by its header (PNG 11.2.2, JPEG B.2.2); None for anything else. Nothing is decoded."""
    head = file.read(24)
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR":
        wide, high = struct.unpack(">II", head[16:24])
        return wide, high
    if not head.startswith(b"\xff\xd8"):
        return None
    file.seek(2)
    while len(marker := file.read(4)) == 4 and marker[0] == 0xFF:
        kind, length = marker[1], struct.unpack(">H", marker[2:])[0]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            frame = file.read(5)
            if len(frame) < 5:
                return None
            high, wide = struct.unpack(">HH", frame[1:])
            return wide, high
        file.seek(length - 2, os.SEEK_CUR)
    return None


def _calibration(path: Path, shown: str, errors: list[BoxError]) -> Calibration | None:
    try:
        text = bounded_text(path, "utf-8-sig")
        data = tomllib.loads(text)
    except OSError as error:
        errors.append(BoxError(shown, 0, 0, f"cannot be read ({error.strerror}); allowed: a readable file"))
        return None
    except UnicodeDecodeError as error:
        errors.append(BoxError(shown, 0, 0, f"is no UTF-8 ({error.reason} at byte {error.start})"))
        return None
    except tomllib.TOMLDecodeError as error:
        errors.append(toml_error(shown, text, error))
        return None
    before = len(errors)
    top = Reader(data, "", errors, shown)
    covers = top.text("covers", "map", COVERS)
    points = top.table("points") if "points" in data else Reader({}, "[points]", errors, shown)
    places = tuple((name, _point(points, name)) for name in points.data)
    pairs = []
    for reader in top.listed("pair") if "pair" in data else []:
        pairs.append((_point(reader, "board"), _point(reader, "scan")))
        reader.end()
    top.used |= {"points", "pair"}
    top.end()
    return Calibration(shown, covers, places, tuple(pairs)) if len(errors) == before else None


def _point(reader: Reader, key: str) -> tuple[float, float]:
    allowed = "a point [x, y] in pixels from the upper left"
    value = reader.get(key, list, allowed, None, lambda v: len(v) == 2 and all(_is_number(x) for x in v))
    return (float(value[0]), float(value[1])) if value is not None else (0.0, 0.0)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6


# -- what they replace


def own(art: Art, file: str, width: int, height: int, fixed: bool) -> Own | None:
    """The maker's picture in place of a drawing of this file and size, if there is one. ``fixed``: the place that it is shown in has
    that size.

    Raises :class:`ArtError` when it has another shape.
    """
    source = art.files.get(os.path.splitext(file)[0])
    if source is None or source is art.files.get(BOARD):
        return None
    if not fixed:
        return Own(file, source, source.width, source.height, False)
    if abs(source.width * height / (source.height * width) - 1) > _SHAPE:
        raise ArtError(
            f"{source.shown}: {source.width} x {source.height} pixels; {file} is {width} x {height}: a picture of that shape is needed"
        )
    return Own(file, source, width, height, True)


def coarse(pictures: Iterable[Own]) -> list[str]:
    """Warnings of pictures that have far fewer pixels than they are shown with."""
    return [
        f"{own.source.shown}: {own.source.width} x {own.source.height} pixels are few for a picture of {own.width} x {own.height}: it will "
        "look blurred"
        for own in pictures
        if own.fixed and own.source.width * 1.5 < own.width
    ]


def scan(art: Art, field: Field, frame: Rect, size: tuple[int, int], step: float) -> Scan | None:
    """The scan of the board, fitted by its calibration to the places of a map within ``frame`` on a board of ``size`` pixels.

    ``step``: pixels between two neighbouring places. Raises :class:`ArtError` for points that do not agree or are none of the board's,
    and for a scan that does not reach to the corners of what it covers.
    """
    source, calibration = art.files.get(BOARD), art.calibration
    if source is None or calibration is None:
        return None
    known = set(field.names())
    pairs, errors = [], []
    for name, spot in calibration.points:
        if name in known:
            x, y = field.centre(name)
            pairs.append(Pair(name, (float(x), float(y)), spot))
        else:
            near = difflib.get_close_matches(name, sorted(known), 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            errors.append(f"{calibration.shown}: [points] {name}: no such place of the map{hint}")
    pairs += [Pair(f"the board's {board[0]:g}, {board[1]:g}", board, spot) for board, spot in calibration.pairs]
    for pair in pairs:
        if not (0 <= pair.scan[0] <= source.width and 0 <= pair.scan[1] <= source.height):
            what = f"{pair.scan[0]:g}, {pair.scan[1]:g} is not on the scan of {source.width} x {source.height} pixels"
            errors.append(f"{calibration.shown}: {pair.name}: {what}")
    if errors:
        raise ArtError("\n".join(errors))
    made = fit(pairs, step, calibration.shown)
    over = frame if calibration.covers == "map" else (0, 0, *size)
    _refuse_short(source, calibration, made, over, step)
    return Scan(source, made, over)


def _refuse_short(source: ArtFile, calibration: Calibration, made: Fit, over: Rect, step: float) -> None:
    x, y, w, h = over
    corners = {"upper left": (x, y), "upper right": (x + w, y), "lower left": (x, y + h), "lower right": (x + w, y + h)}
    for name, corner in corners.items():
        u, v = made(*corner)
        short = max(-u, -v, u - source.width, v - source.height) / made.scale
        if short > step:
            raise ArtError(
                f"{calibration.shown}: the scan ends {short:.0f} pixels before the {name} corner of the {calibration.covers}; at most "
                f"{step:.0f} are allowed: is it the whole {calibration.covers}, and are the points right?"
            )


def unknown(art: Art, known: Iterable[str]) -> list[str]:
    """What is wrong with files that replace nothing, one line each; ``known`` are the pictures of the module."""
    stems = {os.path.splitext(file)[0] for file in known}
    folded = {stem.casefold(): stem for stem in stems}
    out = []
    for stem, file in art.files.items():
        if stem in stems:
            continue
        if stem.casefold() in folded:
            out.append(f"{file.shown}: differs from {folded[stem.casefold()]} only in capital letters: rename it")
            continue
        near = difflib.get_close_matches(stem, sorted(stems), 1, 0.4)
        out.append(f"{file.shown}: no picture of the module is called so" + (f"; did you mean {near[0]}?" if near else ""))
    return out


def boards_too_large(sizes: Iterable[tuple[str, int, int]]) -> tuple[list[str], list[str]]:
    """(refusals, warnings) for boards given as (name, width, height)."""
    refused, warned = [], []
    for name, width, height in sizes:
        what = f"{name}: {width} x {height} pixels are {width * height / 1e6:.0f} million"
        if width * height > MOST_PIXELS:
            refused.append(f"{what}; at most {MOST_PIXELS // 1_000_000} million are allowed, since clients keep a board in memory")
        elif width * height > WARN_PIXELS:
            warned.append(f"{what}; beyond {WARN_PIXELS // 1_000_000} million, players with little memory may see an empty board")
    return refused, warned


# -- pixels


def render_own(picture: Own) -> bytes:
    """A maker's picture as PNG, at the size asked for. Raises :class:`ArtError` when it is damaged or has changed since it was read."""
    from PIL import Image

    image = opened(picture.source)
    if picture.fixed and image.size != (picture.width, picture.height):
        # With its transparency worked in: the colour of clear pixels must not bleed into the edges.
        image = image.convert("RGBa" if image.mode == "RGBA" else image.mode)
        image = image.resize((picture.width, picture.height), Image.Resampling.LANCZOS)
        image = image.convert("RGBA") if image.mode == "RGBa" else image
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()


def opened(source: ArtFile) -> Image:
    """A maker's picture, RGB or RGBA, turned as its camera says. Raises :class:`ArtError` when it is damaged, and when it is not the one
    whose header was read."""
    from PIL import Image, ImageOps

    try:
        data = source.path.read_bytes()
    except OSError as error:
        raise ArtError(f"{source.shown}: cannot be read ({error.strerror}); allowed: a readable picture") from None
    if hashlib.sha256(data).hexdigest() != source.digest:
        raise ArtError(f"{source.shown}: was changed while it was read; build again")
    try:
        with warnings.catch_warnings():
            # Its size was looked at before; what a file says beside its pixels does not matter here.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
                image.load()
                turned = ImageOps.exif_transpose(image)
                clear = turned.mode in ("RGBA", "LA", "PA") or "transparency" in turned.info
                return turned.convert("RGBA" if clear else "RGB")
    except (OSError, SyntaxError, ValueError, struct.error, EOFError, MemoryError) as error:
        raise ArtError(f"{source.shown}: is damaged ({_why(error)}); save the picture again") from None


@lru_cache(maxsize=1)
def _reduced(source: ArtFile, by: float) -> Image:
    """A scan as RGB, made smaller by a factor: laid on as it is, a scan of many pixels would flicker."""
    from PIL import Image

    image = opened(source)
    if image.mode == "RGBA":
        ground = Image.new("RGB", image.size, "#ffffff")
        ground.paste(image, (0, 0), image)
        image = ground
    size = (max(1, round(image.width / by)), max(1, round(image.height / by)))
    return image if by <= 1 else image.resize(size, Image.Resampling.LANCZOS)


def lay_over(out: Image, part: Rect, laid: Scan) -> None:
    """Lays a scan over a part of the board, as far as it covers it. Raises :class:`ArtError` when the scan is damaged."""
    from PIL import Image

    left, top = max(laid.over[0], part[0]), max(laid.over[1], part[1])
    wide = min(laid.over[0] + laid.over[2], part[0] + part[2]) - left
    high = min(laid.over[1] + laid.over[3], part[1] + part[3]) - top
    if wide <= 0 or high <= 0:
        return
    by = laid.fit.scale if laid.fit.scale > 1.2 else 1.0
    source = _reduced(laid.source, by)
    across, down = source.width / laid.source.width, source.height / laid.source.height
    a, b, c, d, e, f = laid.fit.numbers
    u, v = laid.fit(left, top)
    del c, f
    where = (a * across, b * across, u * across, d * down, e * down, v * down)
    picture = source.transform((wide, high), Image.Transform.AFFINE, where, Image.Resampling.BICUBIC)
    # Where the scan ends before the map does, the drawing stays.
    mask = Image.new("L", source.size, 255).transform((wide, high), Image.Transform.AFFINE, where, Image.Resampling.NEAREST)
    out.paste(picture, (left - part[0], top - part[1]), mask)
