"""A maker's own pictures: what they replace, how a scan comes to lie under the grid, and what is refused."""

from __future__ import annotations

import io
import math
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from typer.testing import CliRunner

from bench.synthetic import GAME, write
from gamebox.load import load_box
from modgen.art import maker, plan
from modgen.art.calibration import Pair, fit
from modgen.art.sheet import Sheet
from modgen.build import build
from modgen.cli import app
from modgen.errors import ArtError
from modgen.formats.vassal.buildfile import read_module
from modgen.layout.layout import read_layout

TURN = 0.6
"""Degrees that the made-up scan lies askew."""
SCALE = 1.6
"""Its pixels for one of the board."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def art(tmp_path: Path) -> Path:
    folder = tmp_path / "my-art"
    folder.mkdir()
    return folder


def sheet(data: Path) -> Sheet:
    box = load_box(GAME, root=data)
    return plan.sheet(read_layout(data / GAME / "module.toml", box), box)


def on_scan(x: float, y: float) -> tuple[float, float]:
    """Where a point of the board lies on the made-up scan: turned, larger, and shifted."""
    angle = math.radians(TURN)
    x, y = x - 40, y - 40
    return SCALE * (x * math.cos(angle) - y * math.sin(angle)) + 31, SCALE * (x * math.sin(angle) + y * math.cos(angle)) + 25


def scanned(data: Path, path: Path) -> dict[str, tuple[float, float]]:
    """A scan of a green map with a red dot in every hex's middle; where the dots are."""
    field = sheet(data)
    spots = {name: on_scan(*field.centre(name)) for name in field.names()}
    width, height = (int(max(spot[axis] for spot in spots.values()) + 75) for axis in (0, 1))
    picture = Image.new("RGB", (width, height), "#20a040")
    pen = ImageDraw.Draw(picture)
    for x, y in spots.values():
        pen.ellipse((x - 9, y - 9, x + 9, y + 9), fill="#e01010")
    picture.save(path)
    return spots


def calibrate(art: Path, spots: dict[str, tuple[float, float]], names: str = "0101 0106 0501 0506 0303", covers: str = "map") -> None:
    points = "\n".join(f'"{name}" = [{spots[name][0]:.1f}, {spots[name][1]:.1f}]' for name in names.split())
    (art / "board.toml").write_text(f'covers = "{covers}"\n\n[points]\n{points}\n', "utf-8")


def board(module: Path) -> Image.Image:
    with zipfile.ZipFile(module) as archive:
        return Image.open(io.BytesIO(archive.read("images/board.png"))).convert("RGB")


def red_middle(picture: Image.Image, x: int, y: int, reach: int = 14) -> tuple[float, float]:
    """The middle of what is red around a point."""
    part = picture.crop((x - reach, y - reach, x + reach, y + reach))
    red = [(i % part.width, i // part.width) for i, (r, g, b) in enumerate(part.get_flattened_data()) if r > 150 and g < 90 and b < 90]
    assert len(red) > 20
    return sum(i for i, _ in red) / len(red) + x - reach + 0.5, sum(j for _, j in red) / len(red) + y - reach + 0.5


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_a_scan_lies_under_the_grid_as_its_calibration_says(data: Path, art: Path, tmp_path: Path, suffix: str) -> None:
    """The client's own grid names the dots of the scan, wherever they are on the board."""
    calibrate(art, scanned(data, art / f"board.{suffix}"))
    made = build(GAME, data=data, art=art, out=tmp_path / "out")
    picture, field = board(made.file), sheet(data)
    table = read_module(made.file).map("Main Map")
    assert table is not None
    for name in field.names():
        x, y = field.centre(name)
        u, v = red_middle(picture, x, y)
        assert math.dist((u, v), (x, y)) < 1.0 and table.location_name(round(u), round(v)) == name
    assert made.version.startswith("1.0.0+")
    # What stands beside the map is still the drawing's.
    drawn = board(build(GAME, data=data, out=tmp_path / "plain").file)
    x, y, w, h = read_layout(data / GAME / "module.toml", load_box(GAME, root=data)).board.legend_rect
    assert picture.crop((x, y, x + w, y + h)).tobytes() == drawn.crop((x, y, x + w, y + h)).tobytes()


def test_a_scan_of_the_whole_board_leaves_nothing_of_the_drawing(data: Path, art: Path, tmp_path: Path) -> None:
    layout = read_layout(data / GAME / "module.toml", load_box(GAME, root=data))
    Image.new("RGB", (layout.board.width * 2, layout.board.height * 2), "#20a040").save(art / "board.png")
    corners = [(0, 0), (layout.board.width, 0), (0, layout.board.height)]
    pairs = "".join(f"[[pair]]\nboard = [{x}, {y}]\nscan = [{2 * x}, {2 * y}]\n" for x, y in corners)
    (art / "board.toml").write_text(f'covers = "board"\n{pairs}', "utf-8")
    assert board(build(GAME, data=data, art=art, out=tmp_path / "out").file).getcolors() == [
        (layout.board.width * layout.board.height, (0x20, 0xA0, 0x40))
    ]


def test_any_picture_is_replaced_by_the_file_of_its_name(data: Path, art: Path, tmp_path: Path) -> None:
    Image.new("RGB", (208, 208), "#0000ff").save(art / "red-1.png")
    Image.new("RGBA", (104, 104), (0, 255, 0, 128)).save(art / "marker-turn.png")
    Image.new("RGB", (300, 200), "#ff00ff").save(art / "about.jpg", quality=95)
    (art / "README.txt").write_text("mine", "utf-8")
    made = build(GAME, data=data, art=art, out=tmp_path / "out")
    with zipfile.ZipFile(made.file) as archive:
        unit, marker, about = (Image.open(io.BytesIO(archive.read(f"images/{name}.png"))) for name in ("red-1", "marker-turn", "about"))
        assert (unit.size, unit.getpixel((50, 50))) == ((104, 104), (0, 0, 255))
        assert (marker.mode, marker.getpixel((50, 50))) == ("RGBA", (0, 255, 0, 128))
        assert about.size == (300, 200)
        others = archive.read("images/red-2.png")
    with zipfile.ZipFile(build(GAME, data=data, out=tmp_path / "plain").file) as archive:
        assert archive.read("images/red-2.png") == others


def test_a_games_own_art_is_part_of_the_game(data: Path, art: Path, tmp_path: Path) -> None:
    own = data / GAME / "art"
    own.mkdir()
    Image.new("RGB", (104, 104), "#0000ff").save(own / "red-1.png")
    made = build(GAME, data=data, out=tmp_path / "a")
    assert made.version == "1.0.0"
    Image.new("RGB", (104, 104), "#ff0000").save(art / "red-1.png")
    over = build(GAME, data=data, art=art, out=tmp_path / "b")
    for path, colour in ((made.file, (0, 0, 255)), (over.file, (255, 0, 0))):
        with zipfile.ZipFile(path) as archive:
            assert Image.open(io.BytesIO(archive.read("images/red-1.png"))).getpixel((9, 9)) == colour


def test_a_photograph_is_turned_as_its_camera_says(data: Path, art: Path, tmp_path: Path) -> None:
    picture = Image.new("RGB", (208, 208), "#0000ff")
    picture.paste("#ff0000", (0, 0, 208, 104))
    exif = Image.Exif()
    exif[0x0112] = 3
    picture.save(art / "red-1.jpg", exif=exif, quality=95)
    with zipfile.ZipFile(build(GAME, data=data, art=art, out=tmp_path / "out").file) as archive:
        red, _, blue = Image.open(io.BytesIO(archive.read("images/red-1.png"))).getpixel((50, 90))  # type: ignore[misc]
        assert red > 200 > blue


def test_a_picture_with_few_pixels_is_warned_of(data: Path, art: Path, tmp_path: Path) -> None:
    Image.new("RGB", (40, 40), "#0000ff").save(art / "red-1.png")
    (warning,) = build(GAME, data=data, art=art, out=tmp_path / "out").warnings
    assert warning == "my-art/red-1.png: 40 x 40 pixels are few for a picture of 104 x 104: it will look blurred"


# -- refusals: each one line, exit code 2, nothing written


def png_header(width: int, height: int) -> bytes:
    """A PNG that says it is this large and holds nothing."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(head)) + chunk + struct.pack(">I", zlib.crc32(chunk))


def small(path: Path, size: tuple[int, int] = (104, 104), mode: str = "RGB") -> None:
    Image.new(mode, size).save(path)


def cut_off(path: Path) -> None:
    out = io.BytesIO()
    Image.effect_noise((104, 104), 50).save(out, "PNG")
    path.write_bytes(out.getvalue()[:-3000])


CASES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no such picture": (lambda a: small(a / "red-11.png"), "my-art/red-11.png: no picture of the module is called so; did you mean red-1?"),
    "capital letters": (lambda a: small(a / "Red-1.png"), "my-art/Red-1.png: differs from red-1 only in capital letters: rename it"),
    "a space": (lambda a: small(a / "red 1.png"), "my-art/red 1.png: no picture of the module is called so; did you mean red-1?"),
    "twins": (
        lambda a: (small(a / "red-1.png"), small(a / "red-1.PNG")),
        "my-art/red-1.png: differs from red-1.PNG only in capital letters; Windows and macOS take them for one file: rename one",
    ),
    "two kinds": (
        lambda a: (small(a / "red-1.png"), small(a / "red-1.jpg")),
        "my-art/red-1.png: is the same picture as my-art/red-1.jpg; allowed: one of them",
    ),
    "no picture": (
        lambda a: (a / "red-1.svg").write_text("<svg/>"),
        "my-art/red-1.svg: is no picture; allowed: .png, .jpg, .jpeg, and board.toml",
    ),
    "not what it says": (
        lambda a: (a / "red-1.png").write_text("hello"),
        "my-art/red-1.png: is no PNG and no JPEG, whatever its name says; save the picture as one of them",
    ),
    "a folder": (lambda a: (a / "red-1.png").mkdir(), "my-art/red-1.png: is no file; allowed: .png, .jpg, .jpeg, and board.toml"),
    "cut off": (lambda a: cut_off(a / "red-1.png"), "my-art/red-1.png: is damaged ("),
    "16 bits": (
        lambda a: small(a / "red-1.png", mode="I;16"),
        "my-art/red-1.png: pixels of the kind I;16 are not read; save it with 8 bits a colour",
    ),
    "another shape": (
        lambda a: small(a / "red-1.png", (200, 100)),
        "my-art/red-1.png: 200 x 100 pixels; red-1.png is 104 x 104: a picture of that shape is needed",
    ),
    "huge": (
        lambda a: (a / "board.png").write_bytes(png_header(30_000, 30_000)),
        "my-art/board.png: 30000 x 30000 pixels are 900 million; at most 80 million are allowed, since clients keep a picture in memory: "
        "scale it down",
    ),
    "no calibration": (
        lambda a: small(a / "board.png"),
        "my-art/board.png: a scan of the board needs a calibration beside it, board.toml: where two or more hexes lie on it",
    ),
    "no scan": (
        lambda a: (a / "board.toml").write_text("[points]\n"),
        "my-art/board.toml: calibrates a scan that is not there; allowed: board.png or board.jpg beside it",
    ),
    "empty": (lambda a: None, "my-art: no picture in this folder; allowed: .png, .jpg, .jpeg, and board.toml"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_be_used_is_told_in_one_line_and_nothing_is_written(data: Path, art: Path, tmp_path: Path, case: str) -> None:
    make, said = CASES[case]
    make(art)
    done = CliRunner().invoke(app, ["build", GAME, "--data", str(data), "--art", str(art), "--out", str(tmp_path / "out")])
    assert done.exit_code == 2 and done.stderr.count("\n") == 1, done.stderr
    assert said.removeprefix("my-art") in done.stderr if case == "empty" else done.stderr.startswith(f"modgen: {said}"), done.stderr
    assert not list((tmp_path / "out").glob("*")) or not (tmp_path / "out" / f"{GAME}.vmod").exists()


def test_a_folder_that_is_not_there_is_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ArtError, match="nowhere: no such folder; allowed: a folder of pictures"):
        build(GAME, data=data, art=tmp_path / "nowhere", out=tmp_path / "out")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[points]\n"0101" = [80, 80]\n', "1 of the points that a fit needs; at least two, in opposite corners of the map"),
        ('[points]\n"0101" = [80, 80]\n"0106" = [450, 80]\n', "the points lie in one row or column; take them from opposite corners"),
        ('[points]\n"0101" = [80, 80]\n"0107" = [450, 80]\n', "[points] 0107: no such place of the map; did you mean 0"),
        ('[points]\n"0101" = [80, 80]\n"0506" = [9000, 80]\n', "0506: 9000, 80 is not on the scan of "),
        ('[points]\n"0101" = "here"\n', "[points] 0101: 'here' is not allowed; a point [x, y] in pixels from the upper left"),
        ('covers = "all"\n', "covers: 'all' is not allowed; one of map, board"),
        ("points = [\n", "2:1: not readable as TOML"),
        ('[points]\n"0101" = [80, 80]\n"0506" = [260, 330]\n', "; the scan would be squeezed by "),
        ('[points]\n"0101" = [480, 330]\n"0506" = [80, 80]\n', "; the scan would be "),
    ],
)
def test_a_wrong_calibration_is_told_with_its_place(data: Path, art: Path, tmp_path: Path, text: str, said: str) -> None:
    scanned(data, art / "board.png")
    (art / "board.toml").write_text(text, "utf-8")
    with pytest.raises(ArtError) as caught:
        build(GAME, data=data, art=art, out=tmp_path / "out")
    assert str(caught.value).startswith("my-art/board.toml:") and said in str(caught.value) and "\n" not in str(caught.value)
    assert not (tmp_path / "out" / f"{GAME}.vmod").exists()


def test_the_point_that_is_off_is_named(data: Path, art: Path, tmp_path: Path) -> None:
    spots = scanned(data, art / "board.png")
    calibrate(art, spots | {"0106": spots["0105"]})
    with pytest.raises(ArtError, match=r"the points do not lie as on the board: 0106 at .* is 4\d pixels off, and 5 are allowed"):
        build(GAME, data=data, art=art, out=tmp_path / "out")


def test_a_scan_of_half_the_map_is_refused(data: Path, art: Path, tmp_path: Path) -> None:
    spots = scanned(data, art / "board.png")
    picture = Image.open(art / "board.png")
    picture.crop((0, 0, picture.width // 2, picture.height)).save(art / "board.png")
    calibrate(art, spots, "0101 0102 0501 0502")
    with pytest.raises(ArtError, match=r"the scan ends \d+ pixels before the upper right corner of the map; at most 48 are allowed"):
        build(GAME, data=data, art=art, out=tmp_path / "out")


def test_a_huge_scan_is_never_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "board.png").write_bytes(png_header(30_000, 30_000))
    (tmp_path / "board.toml").write_text('[points]\n"0101" = [1, 1]\n', "utf-8")
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("opened"))
    with pytest.raises(ArtError, match="900 million"):
        maker.read_art(tmp_path)


def test_boards_beyond_a_clients_memory_are_refused_and_large_ones_warned_of() -> None:
    refused, warned = maker.boards_too_large([("a", 6000, 6000), ("b", 7000, 7000), ("c", 10000, 9000)])
    assert refused == ["c: 10000 x 9000 pixels are 90 million; at most 80 million are allowed, since clients keep a board in memory"]
    assert warned == ["b: 7000 x 7000 pixels are 49 million; beyond 40 million, players with little memory may see an empty board"]


def test_the_size_of_a_picture_is_read_from_its_header() -> None:
    for kind in ("PNG", "JPEG"):
        out = io.BytesIO()
        Image.new("RGB", (37, 21)).save(out, kind, **({"progressive": True, "exif": b"Exif\0\0" + bytes(500)} if kind == "JPEG" else {}))
        out.seek(0)
        assert maker.picture_size(out) == (37, 21)
    for text in (b"", b"GIF89a", b"\xff\xd8", b"\xff\xd8\xff\xc0\0\x11\x08", b"\x89PNG\r\n\x1a\n" + bytes(16)):
        assert maker.picture_size(io.BytesIO(text)) is None


# -- the fit


@given(
    scale=st.floats(0.3, 5),
    turn=st.floats(-8, 8),
    squeeze=st.floats(0.9, 1.1),
    shift=st.tuples(st.floats(-500, 500), st.floats(-500, 500)),
    count=st.integers(4, 12),
    seed=st.integers(0, 999),
)
def test_the_fit_finds_any_scan_again(scale: float, turn: float, squeeze: float, shift: tuple[float, float], count: int, seed: int) -> None:
    angle = math.radians(turn)

    def scan(x: float, y: float) -> tuple[float, float]:
        return (
            scale * squeeze * (x * math.cos(angle)) - scale * y * math.sin(angle) + shift[0],
            scale * squeeze * (x * math.sin(angle)) + scale * y * math.cos(angle) + shift[1],
        )

    points = [(0.0, 0.0), (2000.0, 0.0), (0.0, 1500.0), (2000.0, 1500.0)]
    dice = random.Random(seed)
    points += [(dice.uniform(0, 2000), dice.uniform(0, 1500)) for _ in range(count - 4)]
    made = fit([Pair(str(n), p, scan(*p)) for n, p in enumerate(points)], 70, "t")
    for x, y in ((1000.0, 700.0), (-50.0, 1600.0)):
        assert math.dist(made(x, y), scan(x, y)) < 1e-4 * scale * 2000
    assert made.off < 1e-6 * 2000


@given(wrong=st.integers(0, 5), by=st.floats(60, 400), way=st.floats(0, 6.28))
def test_a_wrong_point_among_six_is_named(wrong: int, by: float, way: float) -> None:
    points = [(0.0, 0.0), (2000.0, 0.0), (0.0, 1500.0), (2000.0, 1500.0), (1000.0, 400.0), (700.0, 1100.0)]
    pairs = [Pair(f"p{n}", p, (2 * p[0] + 10, 2 * p[1] + 20)) for n, p in enumerate(points)]
    x, y = pairs[wrong].scan
    pairs[wrong] = Pair(f"p{wrong}", points[wrong], (x + 2 * by * math.cos(way), y + 2 * by * math.sin(way)))
    with pytest.raises(ArtError, match=rf"p{wrong} at .* pixels off, and 7 are allowed"):
        fit(pairs, 70, "t")
