"""Income, garrison, escort, piles and the verdict on positions laid out by chance, against a reckoning of our own from the tables."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.overlord_to_berlin.bombardment import damage
from referee.games.overlord_to_berlin.victory import verdict
from tests.games.fotb.layout import GFS, UNITS, G, Pos, altered, holder, in_use, rule, ruling, step, units, unsettled, where, zone

DATA = Path(__file__).resolve().parents[3] / "data/overlord-to-berlin"


def rows(name: str) -> list[dict[str, str]]:
    """A table as it is written."""
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


ZONES = {row["zone"]: row for row in rows("zones")}
SIDES = ("west", "soviet", "axis")
SIDE_OF = {row["piece"]: row["side"] for row in (*rows("formations"), *rows("units"))}
NEAR: dict[str, set[str]] = {name: set() for name in ZONES}
for pair in rows("adjacency"):
    NEAR[pair["zone_a"]].add(pair["zone_b"])
    NEAR[pair["zone_b"]].add(pair["zone_a"])
KIND = {row["piece"]: row["class"] for row in rows("units")}
ELITE = {row["piece"] for row in rows("units") if row["elite"] == "1"}
MINOR = {row["piece"] for row in rows("units") if row["nation"] in ("Romania", "Hungary")}
MAP_UNITS = [u for u in UNITS if KIND[u] != "none"]


@st.composite
def positions(draw: st.DrawFn) -> dict[str, Any]:
    """Formations here and there, each with a unit or several; pockets; zones of all sides."""
    names = sorted(ZONES, key=int)
    control = {name: draw(st.sampled_from(SIDES)) for name in draw(st.lists(st.sampled_from(names), max_size=25, unique=True))}
    pool = {side: draw(st.permutations([u for u in MAP_UNITS if SIDE_OF[u] == side])) for side in SIDES}
    left = {side: list(found) for side, found in pool.items()}
    stands: dict[str, set[str]] = {}
    forces = []
    for gf in draw(st.lists(st.sampled_from(GFS), max_size=14, unique=True)):
        side, at = SIDE_OF[gf], draw(st.sampled_from(names))
        other = {"west": "soviet", "soviet": "west"}.get(side)
        if other in stands.get(at, set()):
            continue
        stands.setdefault(at, set()).add(side)
        held = [left[side].pop() for _ in range(min(draw(st.integers(1, 4)), len(left[side])))]
        forces.append(f"{gf} {at}: {' '.join(held)}")
    germans = [u for u in left["axis"] if u not in MINOR][:2]
    for unit in germans:
        forces.append(f"+ {draw(st.sampled_from(['1', '2', '3', '4', '6', '10', '21']))}: {unit}")
    told = " / ".join(f"{side}: {' '.join(n for n, h in control.items() if h == side)}" for side in SIDES)
    return {"forces": " / ".join(forces), "control": told}


def stands_in(p: Pos, name: str) -> set[str]:
    """The sides with formations in a zone."""
    return {SIDE_OF[gf] for gf in GFS if zone(p, gf) == name}


def begun(p: Pos, step_name: str, side: str) -> Pos:
    """The position just after a step of the order of play has begun."""
    at = next(i for i, ph in enumerate(G.terms.phases) if ph.step == step_name and SIDES[ph.side] == side and ph.side >= 0)
    q = in_use().game.steps["phase"].settle(altered(p, phase=at - 1))
    return q  # type: ignore[no-any-return]


@rule("5.2.a")
@rule("5.2.b")
@rule("5.2.c")
@rule("5.4.f")
@rule("5.4.g")
@rule("5.6.b")
@rule("12.2.a")
@rule("12.4.c")
@ruling("R-F69")
@ruling("R-F76")
@ruling("R-F77")
@given(positions())
@settings(max_examples=120)
def test_incomes_are_those_of_the_tables(layout: dict[str, Any]) -> None:
    p = unsettled("economic income west", layout["forces"], control=layout["control"])
    pockets = {where(p, u) for u in UNITS if where(p, u) in ZONES}
    here = {name: stands_in(p, name) for name in ZONES}
    for track in ("england", "italy"):
        expected = 0
        for name, row in ZONES.items():
            if row["port"] == "1" and row["pr_track"] == track:
                west, axis = "west" in here[name], "axis" in here[name]
                held = holder(p, name) == "west" and not axis
                if held or (west and axis):
                    expected += 1 if axis or name in pockets else 2
        q = begun(p, "income", "west")
        assert q.pr[("england", "italy").index(track)] == expected, track
    oil = [name for name, row in ZONES.items() if row["economic"] == "1"]
    own = sum(holder(p, name) == "soviet" and "axis" not in here[name] for name in oil)
    assert begun(p, "income", "soviet").pr[2] == 5 + own
    paying = [name for name, row in ZONES.items() if row["vaterland"] == "1" or row["economic"] == "1"]
    points = sum(holder(p, name) == "axis" or "axis" in here[name] for name in paying)
    guards = any(
        SIDE_OF[gf] == "axis" and zone(p, gf) in ("21", "22") and len(units(p, gf).split()) >= 3
        for gf in GFS
    )
    assert begun(p, "income", "axis").pr[3] == max(0, points - (0 if guards else 2))


@rule("5.3.c")
@rule("5.3.d")
@ruling("R-F64")
@ruling("R-F65")
@given(positions(), st.lists(st.integers(1, 6), min_size=3, max_size=3), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=120)
def test_the_bombardment_is_that_of_the_ruling(layout: dict[str, Any], dice: list[int], roosevelt: bool, air: bool, flak: bool) -> None:
    p = unsettled("economic bombardment west", layout["forces"], control=layout["control"], roosevelt=roosevelt, flak=air + 2 * flak)
    faces = dice[: 1 + roosevelt + air]
    total = sum(faces) - (min(faces) if air else 0)
    total = total // 2 if flak else total
    bases = {name for name, row in ZONES.items() if row["vaterland"] == "1"}
    bases |= {other for name in bases for other in NEAR[name]}
    escort = any("west" in stands_in(p, name) for name in bases)
    assert damage(G, p, tuple(faces)) == total + escort


@rule("4.5.c")
@rule("4.5.e")
@rule("4.5.j")
@ruling("R-F73")
@given(st.sampled_from(SIDES), st.data())
@settings(max_examples=60)
def test_piles_come_apart_by_the_formula_whatever_the_owner_picks(side: str, data: st.DataObject) -> None:
    own = [u for u in MAP_UNITS if SIDE_OF[u] == side and u not in MINOR]
    lost = data.draw(st.lists(st.sampled_from(own), max_size=16, unique=True))
    keep = next(u for u in own if u not in lost)
    stands = {"west": "we-5us 10", "soviet": "so-ukr1 46", "axis": "ax-4pz 37"}[side]
    p = unsettled(f"economic automatic {side}", f"{stands}: {keep}" + (f" / + pile: {' '.join(lost)}" if lost else ""))
    p = in_use().settled(p)
    while step(p) == "pile":
        options = [a for a in in_use().legal(p) if str(a).split()[1] in ("return", "box")]
        p = in_use().play(p, data.draw(st.sampled_from(options)))
    for kind in ("infantry", "armor"):
        names = [u for u in lost if KIND[u] == kind]
        n = len(names)
        back = min(n // 3, sum(u not in ELITE for u in names))
        out = (n // 3 + 2 * n // 3) - back if n >= 3 else 0
        found = Counter(where(p, u) for u in names)
        assert (found["reserve"], found["destroyed"], found["pile"]) == (back, out, n - back - out), kind
        assert not any(where(p, u) == "reserve" and u in ELITE for u in names)


@rule("13.b")
@rule("13.c")
@ruling("R-F24")
@given(positions(), st.sampled_from(SIDES))
@settings(max_examples=80)
def test_the_verdict_is_that_of_the_sectors(layout: dict[str, Any], most: str) -> None:
    named = layout["control"].replace("/", " ").split()
    rest = [name for name in ZONES if name not in named]
    blue = [n for n in rest if ZONES[n]["sector"] == "west"]
    other = [n for n in rest if ZONES[n]["sector"] in ("northeast", "southeast")]
    control = layout["control"]
    if most != "axis":
        control += f" / west: {' '.join(blue)} / soviet: {' '.join(other)}"
    merged: dict[str, list[str]] = {}
    for part in control.split("/"):
        side, _, names = part.strip().partition(":")
        merged.setdefault(side, []).extend(names.split())
    told = " / ".join(f"{side}: {' '.join(names)}" for side, names in merged.items())
    p = unsettled("final verdict", layout["forces"], control=told, turn=7)
    wanted = {"west": "west", "northeast": "soviet", "southeast": "soviet"}
    held = all(
        holder(p, name) == wanted[row["sector"]] or wanted[row["sector"]] in stands_in(p, name)
        for name, row in ZONES.items()
        if row["sector"] in wanted
    )
    assert verdict(G, p).startswith("allies" if held else "axis")
