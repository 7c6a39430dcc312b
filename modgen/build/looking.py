"""``modgen picture``: small pictures of a board or of counters, for pages about a module."""

from __future__ import annotations

import io
from pathlib import Path

from modgen.build.report import BuildError

WHAT = ("board", "counters")


def picture(game: str, what: str, width: int, *, overlay: Path | None = None, data: Path | None = None) -> bytes:
    """A picture of a game's board (``what`` = board) or counters as PNG, ``width`` pixels wide, for pages about the module.

    Raises what ``build`` raises, and BuildError for a picture that there is not.
    """
    if what not in WHAT:
        raise BuildError(f"no picture of {what!r}; there are {' and '.join(WHAT)}")
    from PIL import Image

    from modgen.art.board import draw_board
    from modgen.art.counters.page import draw_page
    from modgen.build.cache import Cache
    from modgen.build.work import sound
    from modgen.build.studio import Ordered, Studio
    from modgen.vassal.maps import BOARD_FILE

    box, layout, drawn = sound(game, overlay, data)
    wanted = [draw_board(box, layout).drawing(BOARD_FILE)] if what == "board" else [counter.picture for counter in drawn]
    with Studio() as studio:
        studio.begin(order := Ordered(Cache(None)), wanted)
        made = studio.finish(order)
    image = Image.open(io.BytesIO(made[BOARD_FILE])) if what == "board" else draw_page(box, layout, made)
    out = io.BytesIO()
    small = image.convert("RGB").resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    # A palette: a third of the size, and nobody plays on this picture.
    small.quantize(256, method=Image.Quantize.FASTOCTREE).save(out, "PNG", compress_level=9)
    return out.getvalue()
