"""The same data gives the same bytes: whatever the time zone, the locale, the order of hashes, the folder, the processors."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bench.synthetic import GAME, write
from modgen.art import drawing, png
from modgen.art.drawing import Drawing, Window, part_of, render_strip, render_whole
from modgen.art.svg import Canvas, render
from modgen.build import build

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    root = tmp_path_factory.mktemp("expected")
    write(root / "data", counters=60)
    return build(GAME, data=root / "data", out=root / "out").file.read_bytes()


@pytest.mark.parametrize(
    ("surroundings", "folder", "alone"),
    [
        ({"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONHASHSEED": "1"}, "a", False),
        ({"TZ": "America/Adak", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "2"}, "Ein Ordner, mit é", True),
        ({"TZ": "UTC", "LC_ALL": "POSIX", "PYTHONHASHSEED": "0", "PYTHONUTF8": "0", "HOME": "/nonexistent"}, "b/c/d", True),
    ],
    ids=["far east", "Turkish and one processor", "bare"],
)
def test_the_surroundings_leave_no_trace(
    expected: bytes, tmp_path: Path, surroundings: dict[str, str], folder: str, alone: bool
) -> None:
    here = tmp_path / folder
    write(here / "data", counters=60)

    def on_one_processor() -> None:
        if alone and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])

    done = subprocess.run(
        [sys.executable, "-m", "modgen.cli", "build", GAME, "--data", "data", "--out", "here"],
        cwd=here,
        env={**os.environ, **surroundings, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        preexec_fn=on_one_processor,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    made = (here / "here" / f"{GAME}.vmod").read_bytes()
    assert made == expected
    assert str(tmp_path).encode() not in made
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert {info.date_time for info in archive.infolist()} == {(2026, 11, 30, 0, 0, 0)}
        assert not any(str(tmp_path).encode() in archive.read(name) for name in archive.namelist())


# -- boards in strips


def noise(width: int, height: int, seed: int) -> Image.Image:
    """Pixels that no two rows share."""
    places = [(x, y) for y in range(height) for x in range(width)]
    bands = [bytes((x * x * 7 + y * 131 + seed * k) % 251 for x, y in places) for k in (1, 5, 9)]
    return Image.merge("RGB", [Image.frombytes("L", (width, height), band) for band in bands])


@given(width=st.integers(1, 40), cuts=st.lists(st.integers(1, 30), min_size=1, max_size=5), seed=st.integers(0, 99))
def test_strips_packed_apart_are_one_picture(width: int, cuts: list[int], seed: int) -> None:
    """Read by PIL, and by the format's own rules: its checks are right (PNG 5.3, RFC 1950)."""
    height = sum(cuts)
    picture = noise(width, height, seed)
    strips, top = [], 0
    for number, high in enumerate(cuts):
        strips.append(png.strip(picture.crop((0, top, width, top + high)), last=number + 1 == len(cuts)))
        top += high
    data = png.joined(width, height, strips)
    read = Image.open(io.BytesIO(data))
    assert (read.mode, read.size, read.tobytes()) == ("RGB", picture.size, picture.tobytes())
    at, packed = 8, b""
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, held = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length) == (zlib.crc32(kind + held),)
        packed += held if kind == b"IDAT" else b""
        at += 12 + length
    assert len(zlib.decompress(packed)) == height * (3 * width + 1)


def test_a_board_in_strips_is_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = Canvas(600, 500)
    for n in range(12):
        canvas.circle(50 * n, 40 * n + 20, 30, fill=f"#{n * 20:02x}8040")
        canvas.text(300, 40 * n + 30, f"A word {n}", 22, rotate=5 * n)
    whole = Drawing("b.png", str(canvas), 600, 500, "#eeeeee")
    small = io.BytesIO()
    noise(20, 15, 3).save(small, "PNG")
    laid = Drawing("b.png", str(canvas), 600, 500, "#eeeeee", under=(small.getvalue(), (20, 30, 560, 440)))
    for one in (whole, laid):
        monkeypatch.setattr(drawing, "STRIP_PIXELS", 1 << 30)
        assert len(one.strips) == 1
        plain = Image.open(io.BytesIO(render_whole(one)))
        monkeypatch.setattr(drawing, "STRIP_PIXELS", 600 * 70)
        assert len(one.strips) == 8 and sum(high for _, high in one.strips) == 500
        cut = Image.open(io.BytesIO(render_whole(one)))
        apart = ImageChops.difference(plain, cut).convert("L")
        # The edge of a turned letter is rounded otherwise at another height of the renderer's own picture; nothing else may differ.
        assert plain.size == cut.size == (600, 500)
        assert sum(apart.histogram()[40:]) < 30 and sum(apart.histogram()[3:]) < 600
        assert render_whole(one) == png.joined(600, 500, [render_strip(one, number) for number in range(8)])


def test_words_far_from_a_part_are_left_out_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = Canvas(900, 900)
    for n in range(30):
        anchor = ("start", "middle", "end")[n % 3]
        canvas.text(450, 30 * n, "WIDE WORDS", 14, rotate=12 * n, spacing=n % 3 * 4.0, halo="#ffffff", anchor=anchor)
    canvas.group(['<text x="0" y="0" transform="translate(5 5)" font-size="20">in a group</text>'], transform="translate(0 400)")
    svg = str(canvas)
    for part in ((0, 0, 900, 120), (0, 395, 900, 60), (100, 700, 300, 200)):
        cut = part_of(svg, part)
        assert "in a group" in cut and cut.count("<text") < svg.count("<text")
        monkeypatch.setattr(drawing, "_near", lambda body, _: body)
        assert render(cut) == render(part_of(svg, part))
        monkeypatch.undo()


def test_a_picture_of_windows_shows_the_parts_in_order() -> None:
    canvas = Canvas(100, 100)
    canvas.rect(0, 0, 50, 100, fill="#ff0000")
    canvas.rect(50, 0, 50, 100, fill="#0000ff")
    windows = (Window((0, 0, 40, 40), 0, 0), Window((60, 0, 10, 10), 5, 5))
    picture = Image.open(io.BytesIO(render_whole(Drawing("w.png", str(canvas), 40, 40, windows=windows)))).convert("RGB")
    assert [picture.getpixel(at) for at in ((1, 1), (7, 7), (16, 16))] == [(255, 0, 0), (0, 0, 255), (255, 0, 0)]
