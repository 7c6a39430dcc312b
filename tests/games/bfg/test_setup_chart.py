"""The printed set-up chart, typed in apart from data/: every counter with its strengths and both starting hexes."""

from __future__ import annotations

import re

import pytest

from tests.games.bfg.facts import UNITS, rows
from tests.games.bfg.layout import rule, ruling

CHART = {
    "Soviet Union": """
        1_Balt 8-20-3 3524 -
        2_Balt 8-20-3 3723 3322
        3_Balt 8-20-3 3725 -
        1_BR 8-20-3 2624 2613
        2_BR 8-20-3 2925 -
        3_BR 8-20-3 3225 2723
        1_Ukr 8-20-3 2224 2418
        2_Ukr 8-20-3 1422 1617
        3_Ukr 8-20-3 1220 1522
        4_Ukr 8-20-3 1724 1918
        1_Gds 7-7-4 1926 2912
        2_Gds 7-7-4 3125 2315
        3_Gds 7-7-4 2425 2216
        4_Gds 7-7-4 1221 1520
        5_Gds 7-7-4 2425 1318
        6_Gds 7-7-4 3325 2513
        7_Gds 7-7-4 1523 1719
        8_Gds 7-7-4 2526 2314
        10_Gds 7-7-4 3025 2712
        11_Gds 7-7-4 3325 3322
        1_Gds 6-4-6 2526 2314
        3_Gds 6-4-6 2325 1918
        5_Gds 6-4-6 2824 1617
        6_Gds 6-4-6 1523 -
        2_Tk 6-4-6 2624 2912
        4_Tk 6-4-6 2325 2712
    """,
    "Communist Poland": """
        1_Pol_C 3-4-4 2724 2718
        2_Pol_C 3-4-4 2724 2718
    """,
    "Bulgaria": """
        1_Bul 2-5-4 1524 1318
    """,
    "Yugoslavia": """
        1_YS 5-6-4 0824 1018
        2_YS 5-6-4 0325 0917
        3_YS 5-6-4 0525 0817
        4_YS 5-6-4 0224 -
    """,
    "Romania": """
        1_Rom 3-5-4 1123 -
        4_Rom 3-5-4 1322 -
    """,
    "United States": """
        4_US 4-8-6 0510 1115
        6_US 4-8-6 1605 1714
        8_US 4-8-6 1904 2012
        13_US 4-8-6 2204 2512
        15_US 4-8-6 1706 1413
        2_US 6-6-7 0511 1115
        7_US 6-6-7 2104 2313
        12_US 6-6-7 1705 1516
        19_US 6-6-7 2204 2512
        5_US 7-4-8 2104 2313
        20_US 7-4-8 1705 1516
    """,
    "Britain": """
        1_Br 4-8-6 2401 2911
        5_Br 4-8-6 0612 1211
        12_Br 4-8-6 2203 2711
        13_Br 4-8-6 0512 0811
        8_Br 6-6-7 2303 2810
        30_Br 7-4-8 2303 2407
    """,
    "Canada": """
        1_Cn 4-8-6 0612 1211
        2_Cn 7-4-8 2401 2911
    """,
    "France": """
        2_Fr 4-8-6 1405 1312
        1_Fr 6-6-7 1505 1413
    """,
    "Polish Exiles": """
        2_Pol_E 4-8-6 0512 1113
    """,
    "West German": """
        1_LW 4-9-4 0610 -
        2_LW 5-11-4 2502 -
        13_SS 6-7-6 1806 -
        1_SS 8-6-8 2005 -
        2_SS 8-6-8 2005 -
        12_SS 8-5-8 2304 -
        63 2-3-4 1506 -
        64 2-3-4 1606 -
        65 4-5-5 1906 -
        67 3-5-4 2105 -
        73 1-3-4 0712 -
        74 5-6-5 2205 -
        75 2-4-4 0609 -
        80 4-5-5 1805 -
        81 4-5-5 2205 -
        82 4-5-5 1806 -
        85 2-4-4 1805 -
        90 2-3-4 1606 -
        76 3-5-5 0712 -
        14 4-6-5 0611 -
        47 6-5-6 1905 -
        58 5-3-6 1905 -
    """,
    "East German": """
        HG 6-4-5 3223 -
        9_SS 3-6-4 1522 -
        11_SS 3-4-4 1823 -
        4_SS 4-3-8 2722 -
        3_SS 7-5-8 courland -
        15_SS 2-3-6 0923 -
        21 2-4-4 0524 -
        49 3-7-5 2024 -
        2 3-5-4 courland -
        6 3-5-4 3024 -
        8 2-3-4 2525 -
        9 4-5-5 3423 -
        10 2-4-4 courland -
        16 3-5-4 courland -
        17 1-2-4 1622 -
        20 2-3-4 2623 -
        23 3-4-4 2623 -
        26 4-6-4 3224 -
        27 2-3-4 3024 -
        29 3-4-5 1622 -
        34 3-4-4 0324 -
        42 3-4-4 2223 -
        55 3-4-4 2823 -
        59 2-4-4 1824 -
        68 4-5-5 0823 -
        72 3-3-4 1021 -
        4 3-2-7 1320 -
        3 4-3-6 1019 -
        24 7-5-8 1823 -
        39 7-5-8 3224 -
        40 5-4-6 3423 -
        56 4-3-5 2424 -
        41 5-5-5 2823 -
        46 4-3-5 2424 -
        48 4-3-5 2223 -
        57 5-3-7 1421 -
        GD 7-5-8 3223 -
        1 3-5-6 1421 -
    """,
    "Hungary": """
        1_Hun 3-5-4 1722 -
        3_Hun 3-5-4 1219 -
    """,
}
"""Nation -> lines of unit, strengths, hex in the Historical Scenario, hex in Red Star/White Star (- for none)."""

PARAGRAPHS = dict(zip(CHART, (f"SC.{n}" for n in range(1, 14)), strict=True))


@pytest.mark.parametrize("nation", [pytest.param(n, marks=rule(p)) for n, p in PARAGRAPHS.items()])
@ruling("R-G21")
def test_the_box_has_the_printed_chart(nation: str) -> None:
    hist = {row["piece"]: row["place"] for row in rows("setups") if row["setup"] == "hist"}
    rsws = {row["piece"]: row["place"] for row in rows("setups") if row["setup"] == "rsws"}
    mine = [u for u in UNITS.values() if u.nation == nation]
    found = []
    for unit in mine:
        number = re.sub(r"-(inf|tk|pz|geb|cav)$", "", unit.piece.split("-", 1)[1])
        found.append((number, f"{unit.attack}-{unit.defense}-{unit.move}", hist.get(unit.piece, "-"), rsws.get(unit.piece, "-")))
    printed = []
    for line in CHART[nation].split("\n"):
        if line.strip():
            name, strengths, first, second = line.split()
            printed.append((_short(name), strengths, first, second))
    assert sorted(found) == sorted(printed)
    assert all(unit.front == (f"{unit.attack}-{unit.defense}-{unit.move}" == "8-20-3") for unit in mine)


def _short(name: str) -> str:
    """``1_Pol_C`` -> ``1-pol``: as piece ids write it, without the formation's kind."""
    text = name.lower().replace("_", "-").replace("-pol-c", "-pol").replace("-pol-e", "-pol").replace("-ys", "-yug")
    return text.removesuffix("-tk")
