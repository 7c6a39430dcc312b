"""What a build depends on, as hashes: when none of it has changed, neither has the module.

Whatever is read from files is hashed by its bytes; our own code by the text of its files, so that a change of ours is never missed;
libraries by their versions.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import gamebox
import modgen
from modgen.art.maker import FOLDER as ART
from modgen.art.maker import Own

if TYPE_CHECKING:
    from modgen.art.drawing import Drawing

LIBRARIES = ("pillow", "resvg", "fonttools", "font-source-sans-pro", "lxml", "msgspec")
_CODE = (".py", ".json")
_INPUT = (".csv", ".toml")
MOST_FILES, MOST_BYTES = 10_000, 300_000_000
"""In a folder, and in a file: beyond them no build is looked up, for no build reads so much."""


def hash_of(*parts: object) -> str:
    """A SHA-256 over plain values: texts, numbers, lists and mappings of them, None; never over their mere printed forms."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def bytes_hash(data: bytes) -> str:
    """The SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


@cache
def code_key() -> str:
    """Everything that makes modules: our own code, the libraries, Python and zlib."""
    return hash_of(_sources(Path(gamebox.__path__[0])), _sources(Path(modgen.__path__[0])), _surroundings())


@cache
def art_key() -> str:
    """Everything that makes pixels of a drawing: the code of the drawing, the fonts and the libraries."""
    from modgen.art.fonts import files

    fonts = {Path(file).name: bytes_hash(Path(file).read_bytes()) for file in files()}
    return hash_of(_sources(Path(modgen.__path__[0]) / "art"), fonts, _surroundings())


def _surroundings() -> list[str]:
    return [*(f"{name} {version(name)}" for name in LIBRARIES), f"zlib {zlib.ZLIB_RUNTIME_VERSION}", "python {}.{}".format(*sys.version_info)]


def _sources(folder: Path) -> dict[str, str]:
    """Path below the folder -> hash of every file of code. Data that lies in an installed package is no code."""
    return {
        path.relative_to(folder).as_posix(): bytes_hash(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.suffix in _CODE and "_data" not in path.relative_to(folder).parts
    }


def drawing_key(picture: Drawing | Own) -> str:
    """The name under which the picture of a drawing, or one of a maker's own, is kept."""
    return "picture-" + hash_of(art_key(), picture_facts(picture))


def picture_facts(picture: Drawing | Own) -> list[object]:
    """All that a picture follows from, its file's name apart."""
    if isinstance(picture, Own):
        return [picture.source.digest, picture.width, picture.height, picture.fixed]
    under = None if picture.under is None else [bytes_hash(picture.under[0]), *picture.under[1]]
    over = None if picture.over is None else [picture.over.source.digest, *picture.over.fit.numbers, *picture.over.over]
    windows = [[*window.part, window.x, window.y] for window in picture.windows]
    return [picture.svg, picture.width, picture.height, picture.paper, under, over, windows]


def module_key(game: Path, *laid_over: Path | None) -> str | None:
    """The name under which it is kept what came of a game's folder; None where not all files can be read: the build will say why.

    ``laid_over``: the folders (or zips) of corrections and of art.
    """
    try:
        own = {**_files(game, _INPUT), **{f"{ART}/{name}": hashed for name, hashed in _files(game / ART).items()}}
        return "module-" + hash_of(code_key(), game.name, own, [None if folder is None else _files(folder) for folder in laid_over])
    except OSError:
        return None


def _files(folder: Path, suffixes: tuple[str, ...] = ("",)) -> Mapping[str, str]:
    """Name -> hash of every file in a folder, or of the one file. Raises OSError also for more than any build reads."""
    if folder.is_file():
        return {"": _file(folder)}
    paths = [path for path in islice(folder.iterdir(), MOST_FILES + 1) if path.name.endswith(suffixes) and path.is_file()] if folder.is_dir() else []
    if len(paths) > MOST_FILES:
        raise OSError("too many files")
    return {path.name: _file(path) for path in sorted(paths)}


def _file(path: Path) -> str:
    if path.stat().st_size > MOST_BYTES:
        raise OSError("too large a file")
    return bytes_hash(path.read_bytes())
