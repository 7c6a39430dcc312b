"""``modgen picture``: small pictures of a board or of counters, for pages about a module."""

from __future__ import annotations

import io
from pathlib import Path

from gamebox.load import data_root
from modgen.build.report import BuildError

WHAT = ("board", "counters")


def picture(
    game: str, what: str, width: int, *, overlay: Path | None = None, art: Path | None = None, data: Path | None = None
) -> bytes:
    """A picture of a game's board (``what`` = board) or counters as PNG, ``width`` pixels wide, for pages about the module.

    Raises what ``build`` raises, and BuildError for a picture that there is not.
    """
    if what not in WHAT:
        raise BuildError(f"no picture of {what!r}; there are {' and '.join(WHAT)}")
    from PIL import Image

    from modgen.art.counters.page import draw_page
    from modgen.art.maker import FOLDER, read_art
    from modgen.build import contents
    from modgen.build.cache import Cache
    from modgen.build.studio import Ordered, Studio
    from modgen.build.work import sound
    from modgen.vassal.maps import BOARD_FILE

    box, layout, drawn = sound(game, overlay, data)
    own = read_art((data if data is not None else data_root()) / game / FOLDER, art)
    wanted = contents.board_pictures(box, layout, own)[:1] if what == "board" else contents.counter_pictures(drawn, own)
    with Studio() as studio:
        studio.begin(order := Ordered(Cache(None)), wanted)
        made = studio.finish(order)
    image = Image.open(io.BytesIO(made[BOARD_FILE])) if what == "board" else draw_page(box, layout, made)
    out = io.BytesIO()
    small = image.convert("RGB").resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    # A palette: a third of the size, and nobody plays on this picture.
    small.quantize(256, method=Image.Quantize.FASTOCTREE).save(out, "PNG", compress_level=9)
    return out.getvalue()
