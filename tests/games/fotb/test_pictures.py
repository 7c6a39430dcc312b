"""Pictures of zone positions: every counter once and where it belongs, none over another or over a name, and nothing that is hidden."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gamebox.load import data_root, load_box
from modgen.art import plan
from modgen.layout.layout import read_layout
from referee.games.overlord_to_berlin.depicting import Depiction
from referee.games.overlord_to_berlin.position import Pos, alter
from referee.picture.common import ART, REACHED, WAY, Paint
from referee.picture.placing import Area, Box, arranged, pile, shapes
from referee.picture.zones import ARROWS, ROLES, TIGHT, ZonePicture
from referee.rules.model import PUBLIC
from referee.rules.scene import Scene
from tests.games.fotb.layout import AXIS, BOOK, SOVIET, WEST, G, lay
from tests.games.fotb.test_readers_of_positions import GAME, READERS, Run, played, written
from tests.games.fotb.twins import twin

BOX = load_box("overlord-to-berlin")
LAYOUT = read_layout(data_root() / BOX.id / "module.toml", BOX)
SHOWS = Depiction(BOOK.game, BOX)  # type: ignore[arg-type]
DRAWN = re.compile(r'<g transform="translate\((-?[\d.]+) (-?[\d.]+)\) scale\(([\d.]+)\)" data-piece="([^"]+)">')


@cache
def scene(p: Pos, reader: str | None = PUBLIC) -> Scene:
    return SHOWS.scene(BOOK.view(p, reader))


@cache
def picture(p: Pos, reader: str | None = PUBLIC) -> tuple[ZonePicture, str]:
    made = ZonePicture(BOX, LAYOUT, scene(p, reader), ["Caption"], Paint())
    return made, made.draw()


def squares(svg: str) -> list[tuple[str, Box]]:
    """Every counter in a picture and the square that it covers; those on displays in the display's own measure."""
    return [(piece, (float(x), float(y), float(k) * ART, float(k) * ART)) for x, y, k, piece in DRAWN.findall(svg)]


def touch(a: Box, b: Box) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def inside(a: Box, b: Box) -> bool:
    return b[0] <= a[0] and b[1] <= a[1] and a[0] + a[2] <= b[0] + b[2] and a[1] + a[3] <= b[1] + b[3]


def positions() -> Iterator[Any]:
    """Set-up, turns 1 to 3 of two games, a combat, a zone that must be cleared."""
    yield pytest.param(BOOK.start(), id="set-up")
    for plan_ in ("crusade", "counter"):
        passed = played(plan_, 700)[1]
        for number in (150, 420, 690):
            yield pytest.param(passed[number], id=f"{plan_}-{number}")
    yield pytest.param(next(p for p in played("crusade", 700)[1] if p.combat is not None and p.combat.supporters), id="combat")
    pockets = "+ 4: ax-64k- ax-67k / + 10: ax-80k / ax-1a 4: ax-81k / ax-7a 4: ax-84k / we-1us 4: we-viius / we-3us 4: we-vus"
    yield pytest.param(lay("west_action operations west", pockets), id="pockets")


@pytest.mark.parametrize("p", [*positions()])
def test_every_counter_on_the_map_lies_in_its_zone_clear_of_names_and_of_the_others(p: Pos) -> None:
    made, svg = picture(p)
    found: dict[str, list[Box]] = {}
    for piece, square in squares(svg):
        found.setdefault(piece, []).append(square)
    zones = set(made.names)
    on_map = {unit.piece: unit.place for unit in scene(p).units if unit.place in zones and not any(m.startswith("in:") for m in unit.marks)}
    assert on_map.keys() >= {G.gfs.ids[gf] for gf, at in enumerate(p.gf_at) if at < G.land.size}
    for piece, zone in on_map.items():
        (square,) = found[piece]
        x, y, w, h = square
        place = made.zones.look.places[zone]
        held = all(made.zones.holds(zone, px, py) for px, py in itertools.product((x, x + w / 2, x + w), (y, y + h / 2, y + h)))
        assert held or (place.box is not None and inside(square, tuple(map(float, place.box)))), f"{piece} is not in {zone}"  # type: ignore[arg-type]
        assert not any(touch(square, title) for title in made.titles.values()), f"{piece} lies over a name"
        assert w >= TIGHT[-1] - 0.1
    for (one, a), (other, b) in itertools.combinations(((piece, found[piece][0]) for piece in on_map), 2):
        assert not touch(a, b), f"{one} lies over {other}"
    assert not any(lying.piled for lying in made.on_map)


@pytest.mark.parametrize("p", [q for q in positions() if q.id in ("set-up", "counter-690", "combat")])
@pytest.mark.parametrize("reader", [PUBLIC, "axis", "west", None])
def test_everything_that_a_reader_may_see_is_drawn_once_and_nothing_else(p: Pos, reader: str | None) -> None:
    told = scene(p, reader)
    _, svg = picture(p, reader)
    # Units of others that a combat shows are told in the caption: their display is not drawn.
    seen = [u.piece for u in told.units if u.force in told.displays or not any(mark.startswith("in:") for mark in u.marks)]
    assert Counter(piece for piece, _ in squares(svg)) == Counter(seen)


@pytest.mark.parametrize("p", [q for q in positions() if q.id in ("crusade-690", "counter-420")])
def test_counters_beside_the_map_lie_in_the_box_of_their_place_or_below_the_board(p: Pos) -> None:
    made, svg = picture(p)
    on_map = {lying.unit.piece for lying in made.on_map}
    rects = {area.id: area.rect for area in LAYOUT.board.boxes}
    places = {unit.piece: unit.place for unit in scene(p).units}
    beside = [(piece, square) for piece, square in squares(svg) if piece not in on_map]
    assert beside
    for piece, square in beside:
        x, y, w, h = rects[places[piece]]
        assert inside(square, (x, y + plan.HEADER - 1, w, h - plan.HEADER + 1)) or square[1] > LAYOUT.board.height, piece
    for (one, a), (other, b) in itertools.combinations(beside, 2):
        assert not touch(a, b), f"{one} lies over {other}"


# ---------------------------------------------------------------------------------------------------------------------------
# Placing


@pytest.mark.parametrize("zone", [name for name in G.land.places.names[: G.land.size]])
def test_every_zone_has_room_for_as_many_formations_as_the_rules_let_stand_there(zone: str) -> None:
    """7.1: both sides at their limits, side by side and clear of every name; where a pocket can be left, with two units besides."""
    made, _ = picture(BOOK.start())
    number = G.land.zone(zone)
    for foe in (WEST, SOVIET):
        counts = [G.stacking(AXIS, number), G.stacking(foe, number)]
        if G.land.atlantic >> number & 1:
            counts.append(2)
        side, found = made.block_places(zone, counts)
        assert not any(shape.piled for shape, _ in found), f"{zone}: {counts} need piles"
        assert side >= TIGHT[-1] and [len(shape.corners) for shape, _ in found] == counts


def test_blocks_keep_clear_of_what_is_taken_and_of_each_other() -> None:
    area = Area([[(0, 0), (300, 0), (300, 120), (0, 120)]]).without([(0, 0, 300, 30)])
    found = arranged(area, [list(shapes(2, 40)), list(shapes(2, 40))], [(100, 60), (100, 60)])
    assert found is not None
    (one, a), (other, b) = found
    first, second = (*a, one.width, one.height), (*b, other.width, other.height)
    assert not touch(first, second) and first[1] >= 30 and second[1] >= 30
    assert inside(first, (0, 30, 300, 90)) and inside(second, (0, 30, 300, 90))


def test_what_has_no_room_is_not_placed_and_a_pile_takes_less() -> None:
    area = Area([[(0, 0), (110, 0), (110, 110), (0, 110)]])
    assert arranged(area, [list(shapes(6, 60))], [(50, 50)]) is None
    assert arranged(area, [[pile(3, 60)]], [(50, 50)]) is not None and pile(3, 60).piled


def test_an_area_with_a_hole_has_no_room_in_it() -> None:
    area = Area([[(0, 0), (240, 0), (240, 240), (0, 240)], [(60, 60), (180, 60), (180, 180), (60, 180)]])
    assert all(not touch((x, y, 48, 48), (66, 66, 108, 108)) for x, y in area.room(48, 48))
    assert list(area.room(48, 48)) and not list(area.room(100, 100))


# ---------------------------------------------------------------------------------------------------------------------------
# What else is shown


def test_markers_stand_in_the_cells_of_their_tracks_and_say_what_goes_beyond() -> None:
    p = lay("soviet_action operations soviet", "ax-4pz 37: ax-13k / so-balt1 37: so-43a", pr="axis 45 soviet 3 england 7 italy 2")
    p = alter(p, event=(7, 2, 9))
    laid = {mark.marker: (mark.at, mark.word) for mark in scene(p).laid}
    assert laid["marker-pr-axis"] == ("Axis PR 3", "45") and laid["marker-pr-soviet"] == ("Soviet PR 3", "")
    assert laid["marker-pr-england"] == ("England PR 7", "") and laid["marker-pr-italy"] == ("Italy PR 2", "")
    assert (laid["marker-event-west"][0], laid["marker-event-soviet"][0]) == ("West event 6-8", "Soviet event 2")
    cells = {cell.name for track in LAYOUT.board.tracks for _, cell, _ in plan.track_cells(BOX, track)}
    known = {marker.id for marker in LAYOUT.counters.markers}
    zones, pieces = set(G.land.places.names), set(G.gfs.ids)
    holds = {hold.name for hold in LAYOUT.board.holds}
    for q in (p, *played("crusade", 700)[1][::40]):
        for mark in scene(q).laid:
            assert mark.marker in known
            assert mark.at in cells | zones | pieces | holds or re.fullmatch(r"Turn [2-9]", mark.at), mark


def test_every_zone_has_its_holder_and_the_contested_are_striped() -> None:
    p = lay("soviet_action operations soviet", "ax-4pz 37: ax-13k / so-balt1 37: so-43a / so-bielo3 44: so-5a", control="west: 1 2")
    held = {zone.zone: zone for zone in scene(p).held}
    assert len(held) == G.land.size and held["1"].holder == "west" and held["44"].holder == "soviet"
    assert set(held["37"].there) == {"axis", "soviet"} and held["44"].there == ("soviet",)
    _, svg = picture(p)
    assert svg.count('fill="url(#contested-') == 1
    assert "Western Allies control" in svg and ">contested<" in svg


def test_what_is_fought_and_what_is_on_its_way_is_framed_and_has_an_arrow() -> None:
    passed = played("crusade", 700)[1]
    fight = next(p for p in passed if p.combat is not None and p.combat.supporters)
    parts = dict(scene(fight).roles)
    assert set(parts.values()) == {"attacker", "supporter", "defender"} and not scene(fight).ways
    _, svg = picture(fight)
    assert scene(fight).acting == (G.land.name(fight.combat.zone),)  # type: ignore[union-attr]
    for role, colour in ROLES.items():
        # Besides the frames the legend has one, the red of attackers also the outline of the zone.
        there = sum(part == role for part in parts.values())
        assert len(re.findall(rf'<rect [^>]*rx="5" fill="{colour}"/>', svg)) == (there + 1 if there else 0)
    going = next(p for p in passed if p.frame.step == "cancel" and scene(p).ways)
    (way,) = scene(going).ways
    assert way.kind == "move" and all(dict(scene(going).roles)[piece] == "mover" for piece in way.pieces)
    assert picture(going)[1].count('<polygon points="') > picture(BOOK.start())[1].count('<polygon points="')
    assert f'stroke="{ARROWS["move"]}"' in picture(going)[1] and f'stroke="{ARROWS["move"]}"' not in picture(BOOK.start())[1]


def test_piles_are_counted_for_everybody_and_named_to_those_who_hold_them() -> None:
    p = lay("soviet_action operations soviet", "ax-4pz 37: ax-13k / so-balt1 37: so-43a", hands="axis: ax-szorkeny op-surprise")
    for reader, names in ((PUBLIC, ()), ("soviet", ()), ("axis", ("Szorkeny", "Surprise"))):
        piles = {pile_.place: pile_ for pile_ in scene(p, reader).piles}
        assert piles["axis-hand"].count == 2 and set(piles["axis-hand"].names) == set(names)
        assert piles["axis-stratagems"].count == G.cards.national[AXIS].bit_count() - 1
        assert piles["operational-stratagems"].count == G.cards.operational.bit_count() - 1
    assert "Szorkeny" in picture(p, "axis")[1] and "Szorkeny" not in picture(p, "soviet")[1] + picture(p)[1]


# ---------------------------------------------------------------------------------------------------------------------------
# The command


@pytest.mark.parametrize("reader", READERS)
def test_what_is_hidden_changes_no_byte_of_a_picture(run: Run, tmp_path: Path, reader: str) -> None:
    passed = played("counter", 700)[1]
    for p in (passed[420], next(p for p in passed if p.shown)):
        made = []
        for q in (p, twin(p, reader, random.Random(reader))):
            code, _, err = run("show", written(q, tmp_path), *GAME, "--for", reader, "--svg", tmp_path / "a.svg")
            assert code == 0, err
            made.append((tmp_path / "a.svg").read_bytes())
        assert made[0] == made[1]
        hidden = {u.piece for u in scene(p, None).units} - {u.piece for u in scene(p, reader).units}
        assert hidden and not any(f'data-piece="{piece}"'.encode() in made[0] for piece in hidden)


def test_a_picture_is_rendered_to_the_same_bytes_whatever_is_hidden(run: Run, tmp_path: Path) -> None:
    p = played("counter", 700)[1][420]
    made = []
    for q in (p, twin(p, PUBLIC, random.Random(3))):
        assert run("show", written(q, tmp_path), *GAME, "--png", tmp_path / "a.png")[0] == 0
        made.append((tmp_path / "a.png").read_bytes())
    assert made[0] == made[1] and made[0].startswith(b"\x89PNG")


def test_a_picture_says_for_whom_it_is_and_what_it_shows(run: Run, tmp_path: Path) -> None:
    code, out, err = run("show", written(BOOK.start(), tmp_path), *GAME, "--for", "axis", "--svg", tmp_path / "a.svg")
    assert (code, err, out) == (0, "", (tmp_path / "a.svg").as_posix() + "\n")
    text = (tmp_path / "a.svg").read_text("utf-8")
    assert "for axis: what others hide is left out" in text and ">AXIS DISPLAY<" in text and ">SOVIET DISPLAY<" not in text
    assert str(tmp_path) not in text


def test_the_way_of_a_formation_can_be_painted(run: Run, tmp_path: Path) -> None:
    p = lay("soviet_action operations soviet", "ax-4pz 37: ax-13k / so-bielo3 44: so-5a", pr="soviet 3")
    words = ("legal", written(p, tmp_path), *GAME, "--unit", "so-bielo3")
    assert run(*words, "--svg", tmp_path / "a.svg")[0] == 0
    reach = (tmp_path / "a.svg").read_text("utf-8")
    assert "What Bielo 3 (so-bielo3) may do" in reach and ">in reach<" in reach
    # Zones that run on beyond the frame of the map are painted inside it.
    assert len(re.findall(rf'<path [^>]*clip-path="url\(#map\)" fill="{REACHED}"', reach)) == 4 and f'<line [^>]*"{WAY}"' not in reach
    assert run(*words, "--to", "37", "--svg", tmp_path / "b.svg")[0] == 0
    way = (tmp_path / "b.svg").read_text("utf-8")
    assert len(re.findall(rf'<line [^>]*stroke="{WAY}"', way)) == 1 and way.count(f'fill="{REACHED}"') == 2


def test_a_picture_for_a_folder_that_there_is_not_is_refused(run: Run, tmp_path: Path) -> None:
    code, out, err = run("show", written(BOOK.start(), tmp_path), *GAME, "--png", tmp_path / "none" / "a.png")
    assert (code, out) == (2, "") and err.count("\n") == 1 and "no such folder" in err
