"""14: everything stands where the list of the set-up has it; what a counter tells; who plays whom; the order of an action phase."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from referee.games.overlord_to_berlin.position import FREE_USED, TURNED
from tests.games.fotb.layout import (
    BOOK,
    GFS,
    PHASES,
    UNITS,
    G,
    allowed,
    go_on,
    home,
    lay,
    legal,
    phase,
    play,
    pr,
    reduced,
    refused,
    rule,
    ruling,
    run,
    step,
    throw,
    units,
    verbs,
    where,
    zone,
)

DATA = Path(__file__).resolve().parents[3] / "data" / "overlord-to-berlin"
START = BOOK.game.start()


def _called(table: str, column: str) -> dict[str, str]:
    """Printed name -> id."""
    with (DATA / f"{table}.csv").open(encoding="utf-8", newline="") as lines:
        return {row[column]: row["piece"] for row in csv.DictReader(lines)}


FORMATIONS, CORPS = _called("formations", "name"), _called("units", "printed")


def stands(formation: str, at: str, list_: str, worn: bool) -> None:
    """The formation in the zone, with just these units, all of them reduced or none."""
    gf = FORMATIONS[formation.replace(". Pz", ".Pz")]
    assert zone(START, gf) == at
    theirs = [CORPS[name.strip()] for name in list_.split(",") if name.strip()]
    assert sorted(units(START, gf).replace("-", " -").replace(" -", "-").split()) == sorted(u + "-" * worn for u in theirs)


class TestSetUp:
    """14.6 to 14.8, line by line as printed but for the rulings named."""

    @pytest.mark.parametrize(
        ("formation", "at", "list_", "worn"),
        [
            pytest.param("1.Armee", "2", "80.K, 86.K", False, marks=rule("14.6.a")),
            pytest.param("2.Armee", "41", "8.K, 20.K, 23.K", True, marks=rule("14.6.b")),
            pytest.param("4.Armee", "37", "12.K, 27.K, 39.Pz.K", True, marks=rule("14.6.c")),
            pytest.param("6.Armee", "49", "7.K, 30.K, 44.K, 52.K", True, marks=rule("14.6.d")),
            pytest.param("7.Armee", "1", "84.K, 2.Fj.K, 1 ss.Pz.K, 47.PzK", False, marks=rule("14.6.e")),
            pytest.param("8.Armee", "48", "4.K, 40.Pz.K, 4. ROM. K", True, marks=rule("14.6.f")),
            pytest.param("9.Armee", "38", "35.K, 55.K, 41.Pz.K", True, marks=rule("14.6.g")),
            pytest.param("10.Armee", "9", "76.Pz.K, 51.Ge.K", False, marks=rule("14.6.h")),
            pytest.param("14.Armee", "9", "1.Fj.K, 14.Pz.K", False, marks=rule("14.6.i")),
            pytest.param("15.Armee", "4", "64.K, 67.K, 81.K, 82.K, 89.K", False, marks=rule("14.6.j")),
            pytest.param("16.Armee", "30", "1.K, 2.K, 10.K, 50.K, 6.ss.K", True, marks=rule("14.6.k")),
            pytest.param("17.Armee", "39", "5.K, 49.Ge.K", True, marks=rule("14.6.l")),
            pytest.param("18.Armee", "29", "26.K, 28.K, 38.K, 43.K, 3.ss.PzK", True, marks=rule("14.6.m")),
            pytest.param("19.Armee", "3", "62.K, 4.Lw.K", False, marks=rule("14.6.n")),
            pytest.param("1.FJ.Armee", "6", "88.K", False, marks=rule("14.6.o")),
            pytest.param("1.Pz.Armee", "40", "59.K, 3.Pz.K, 24.Pz.K, 46.Pz.K, 48.Pz.K", True, marks=rule("14.6.p")),
            pytest.param("2.Pz.Armee", "21", "69.K, 5.ss.Ge.K, 15.Ge.K, 21.Ge.K", False, marks=rule("14.6.q")),
            pytest.param("3.Pz.Armee", "37", "6.K, 9.K, 53.K", True, marks=rule("14.6.r")),
            pytest.param("4.Pz.Armee", "39", "13.K, 42.K, 56.Pz.K", True, marks=rule("14.6.s")),
        ],
    )
    def test_a_formation_of_the_Axis_stands_as_listed(self, formation: str, at: str, list_: str, worn: bool) -> None:
        stands(formation, at, list_, worn)

    @pytest.mark.parametrize(
        ("formation", "at", "list_", "worn"),
        [
            pytest.param("Ukr 1", "46", "13A, 3GdA, 5GdA, 1GTkA, 3GTkA", False, marks=rule("14.8.a")),
            pytest.param("Ukr 2", "47", "27A, 40A, 4GdA, 7GdA, 6GTkA", False, marks=rule("14.8.b")),
            pytest.param("Ukr 3", "47", "37A, 46A, 5SHK", False, marks=rule("14.8.c")),
            pytest.param("Ukr 4", "46", "18A, 38A, 1GdA, 4GTkA", False, marks=rule("14.8.d")),
            pytest.param("Bielo 1", "45", "3A, 48A, 65A, 8GdA, 2GTkA", False, marks=rule("14.8.e")),
            pytest.param("Bielo 2", "45", "33A, 49A, 50A", False, marks=rule("14.8.f")),
            pytest.param("Bielo 3", "44", "5A, 31A, 39A, 11GdA, 5GTkA", False, marks=rule("14.8.g")),
            pytest.param("Balt 1", "44", "43A, 51A, 4SHK, 2GdA", False, marks=rule("14.8.h")),
            pytest.param("Balt 2", "36", "22A, 3SHK", False, marks=rule("14.8.i")),
            pytest.param("Balt 3", "36", "8A, 42A, 54A, 67A, 2SHK", False, marks=rule("14.8.j")),
        ],
    )
    def test_a_front_of_the_Soviets_stands_as_listed(self, formation: str, at: str, list_: str, worn: bool) -> None:
        stands(formation, at, list_, worn)

    @pytest.mark.parametrize(
        ("formation", "at", "list_", "worn"),
        [
            pytest.param("5 US Army", "9", "II US, IV US, XIII UK", False, marks=rule("14.7.c")),
            pytest.param("8 UK Army", "9", "I CAN, II POL, V UK", False, marks=rule("14.7.h")),
        ],
    )
    def test_an_army_of_the_West_stands_as_listed(self, formation: str, at: str, list_: str, worn: bool) -> None:
        stands(formation, at, list_, worn)

    @pytest.mark.parametrize(
        ("formation", "list_"),
        [
            pytest.param("1 US Army", "V US, VII US, XIX US", marks=rule("14.7.a")),
            pytest.param("3 US Army", "", marks=rule("14.7.b")),
            pytest.param("2 UK Army", "I UK, 30 UK, II CAN", marks=rule("14.7.g")),
            pytest.param("1 CA Army", "", marks=rule("14.7.i")),
        ],
    )
    def test_an_army_waits_in_the_Reserve(self, formation: str, list_: str) -> None:
        gf = FORMATIONS[formation]
        assert home(START, gf)
        assert sorted(units(START, gf).split()) == sorted(CORPS[name.strip()] for name in list_.split(",") if name.strip())


@rule("0.4.c")
@rule("0.5.b")
def test_a_formation_is_known_by_its_name_and_has_a_capacity_and_a_country() -> None:
    for gf, row in zip(GFS, csv.DictReader((DATA / "formations.csv").open(encoding="utf-8", newline="")), strict=True):
        n = G.gfs.index[gf]
        assert (G.gfs.names[n], G.gfs.capacity[n], G.gfs.nation[n]) == (row["name"], int(row["capacity"]), row["nation"])
    p = lay("axis_action combine axis", "ax-4pz 37: ax-13k / ax-3pz 37: ax-9k ax-6k / so-balt1 44: so-43a")
    allowed(p, "axis exchange ax-9k > ax-4pz")  # the display bears the formation's name


@rule("0.4.d")
@rule("0.5.h")
def test_a_unit_has_a_value_on_either_side_the_reduced_one_lower() -> None:
    for unit in UNITS:
        n = G.units.index[unit]
        if not G.units.paratroops >> n & 1:
            assert 0 < G.units.reduced[n] < G.units.full[n], unit


@rule("0.5.d")
@rule("8.3")
def test_a_formation_whose_PA_are_spent_lies_on_its_back_and_acts_no_more() -> None:
    p = lay("axis_action operations axis", "ax-4pz 24: ax-13k / so-balt1 44: so-43a", pr="axis 0")
    p = go_on(play(p, "axis move ax-4pz @ 24 > 23"))
    spent = p.pa[GFS.index("ax-4pz")]
    assert spent & FREE_USED
    p = play(p, "axis turn-over ax-4pz") if not spent & TURNED else p
    assert p.pa[GFS.index("ax-4pz")] & TURNED
    refused(p, "axis move ax-4pz @ 23 > 24", "8.3")


@rule("0.7.f")
@pytest.mark.parametrize(("start", "to"), [("12", "13"), ("13", "20"), ("19", "20")])
def test_terrain_costs_nothing_to_enter(start: str, to: str) -> None:
    p = lay("axis_action operations axis", f"ax-4pz {start}: ax-13k / so-balt1 44: so-43a")
    assert f"axis move ax-4pz @ {start} > {to}" in legal(p, "axis")
    q = go_on(play(p, f"axis move ax-4pz @ {start} > {to}"))
    assert zone(q, "ax-4pz") == to and q.pa[GFS.index("ax-4pz")] & FREE_USED


@rule("0.1.b")
def test_zones_are_clear_difficult_or_alps() -> None:
    rows = list(csv.DictReader((DATA / "zones.csv").open(encoding="utf-8", newline="")))
    for n, row in enumerate(rows):
        assert (bool(G.land.difficult >> n & 1), bool(G.land.alps >> n & 1)) == {
            "clear": (False, False),
            "difficult": (True, False),
            "alps": (True, True),
        }[row["terrain"]]


@rule("0.1.g")
@rule("7.1.d")
def test_two_can_land_at_1_and_4_and_one_elsewhere() -> None:
    arrows = {G.land.name(zone): G.land.landing[zone] for zone in range(G.land.size) if G.land.landing[zone]}
    assert arrows == {"1": 2, "4": 2, "2": 1, "3": 1, "6": 1, "21": 1}


@rule("1.a")
@rule("8.1.a")
def test_one_PA_moves_a_formation_or_lets_it_fight() -> None:
    here = "so-balt1 37: so-43a so-51a / ax-4a 37: ax-12k / so-bielo3 44: so-5a / ax-3pz 38: ax-9k"
    p = lay("soviet_action operations soviet", here, pr="soviet 0")
    fought = throw(go_on(go_on(go_on(play(p, "soviet attack so-balt1 @ 37")))), 1, 1)
    moved = go_on(play(p, "soviet move so-balt1 @ 37 > 44"))
    refused(fought if step(fought) == "operations" else _over(fought), "soviet attack so-balt1 @ 37 via free", "8.1.a")
    refused(moved, "soviet move so-balt1 @ 44 > 37 via free", "8.1.a")


def _over(p):  # type: ignore[no-untyped-def]
    """The combat played to its end, as little as possible done."""
    while step(p) != "operations":
        who = p.agenda[-1].by[0]
        lines = sorted(legal(p, who))
        p = play(p, f"{who} done" if f"{who} done" in lines else lines[0])
    return p


@rule("1.b")
def test_a_PR_rebuilds_restores_and_buys_a_PA() -> None:
    ruins = "ax-4pz 24: ax-13k- / + pile: ax-9k / so-balt1 44: so-43a"
    p = lay("economic spending axis", ruins, pr="axis 3")
    while p.agenda[-1].by != ("axis",):
        p = go_on(p)
    p = play(p, "axis restore ax-13k", "axis rebuild ax-9k > reduced")
    assert pr(p, "axis") == 2 and not reduced(p, "ax-13k") and where(p, "ax-9k") == "reserve"
    q = lay("axis_action operations axis", ruins, pr="axis 3")
    q = go_on(play(q, "axis move ax-4pz @ 24 > 23 via bought"))
    assert pr(q, "axis") == 2


@rule("1.f")
def test_nobody_handles_the_counters_of_another_side() -> None:
    forces = "ax-4pz 37: ax-13k / ax-3pz 37: ax-9k / so-balt1 44: so-43a / we-8uk 9: we-vuk / so-bielo3 44: so-5a"
    p = lay("soviet_action combine soviet", forces)
    allowed(p, "soviet exchange so-43a > so-bielo3")
    refused(p, "soviet exchange ax-13k > ax-3pz", "1.f", only=True)
    refused(p, "soviet exchange we-vuk > so-balt1", "1.f", only=True)


@rule("1.g")
def test_every_unit_of_the_Soviets_is_Soviet() -> None:
    assert {nation for nation, side in zip(G.units.nation, G.units.side, strict=True) if side == 1} == {"Soviet Union"}


@rule("1.h")
@ruling("R-F135")
def test_the_Allied_player_sees_both_his_sides() -> None:
    view = BOOK.view(START, "west")
    assert view.sealed[1] == START.sealed[1] and view.sealed[0] == START.sealed[0] and not view.sealed[2].known


@pytest.mark.parametrize(
    ("side", "last"),
    [
        pytest.param("west", ["combine_again", "pockets"], marks=[rule("2.f"), rule("2.g"), rule("2.h"), rule("2.i"), ruling("R-F41")]),
        pytest.param("soviet", ["combine_again"], marks=[rule("2.j"), ruling("R-F41")]),
        pytest.param("axis", ["combine_again"], marks=[rule("2.k"), ruling("R-F41")]),
    ],
)
def test_an_action_phase_combines_redeploys_transfers_operates_and_combines_again(side: str, last: list[str]) -> None:
    its = [name.split()[1] for name in PHASES if name.startswith(f"{side}_action")]
    assert its == ["combine", "strategic", "transfers", "operations", *last]
    forces = "ax-4pz 37: ax-13k / so-balt1 44: so-43a / so-bielo3 44: so-5a / we-8uk 9: we-vuk / we-5us 9: we-iius / ax-3pz 37: ax-9k"
    p = lay(f"{side}_action combine {side}", forces)
    met = []
    while phase(p).startswith(f"{side}_action"):
        met.append(step(p))
        if step(p) == "strategic":
            assert "withdraw" in verbs(p, side) and "move" not in verbs(p, side)
        if step(p) == "operations":
            assert "move" in verbs(p, side) and "exchange" not in verbs(p, side)
        p = play(p, f"{side} done")
    assert met == ["combine", "strategic", "transfers", "operations", "combine"]


@rule("2.i")
@rule("12.4.e")
@rule("12.4.d")
def test_the_West_throws_for_each_pocket_at_the_end_of_its_phase_and_nothing_else_hurts_it() -> None:
    p = lay("west_action operations west", "ax-4pz 37: ax-13k / we-1us 4: we-vus / + 4: ax-64k / so-balt1 44: so-43a", control="west: 4")
    refused(p, "west attack we-1us @ 4", "10.1.a")
    p = run(p, "west_action pockets west")
    assert step(p) == "dice" and p.agenda[-1].data[0] == "pocket"
    assert reduced(throw(p, 4), "ax-64k") and not reduced(throw(p, 3), "ax-64k")


@rule("5.7.d")
def test_entering_and_leaving_the_Reserve_costs_no_PR() -> None:
    p = lay("axis_action strategic axis", "ax-4pz 24: ax-13k ax-42k / + reserve: ax-8k / so-balt1 44: so-43a", pr="axis 2")
    q = play(p, "axis fill ax-8k > ax-4pz", "axis withdraw ax-13k")
    assert pr(q, "axis") == 2 and (where(q, "ax-8k"), where(q, "ax-13k")) == ("ax-4pz", "reserve")
