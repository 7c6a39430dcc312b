"""11.3: the printed example of Operation Bagration, from the set-up to Vilnius, played line by line.

The set-up has every German of the east on its reduced side (14.3); the example finds three of them full, so it is a laid-out position
(R-F3, F-16): the set-up with those three restored and with the cards that the example plays.
"""

from __future__ import annotations

from typing import Any

from referee.games.overlord_to_berlin import odds
from referee.games.overlord_to_berlin.position import TURNED
from referee.rules.model import Frame
from tests.games.fotb.layout import (
    BOOK,
    GFS,
    PHASES,
    G,
    altered,
    bits,
    by,
    example,
    go_on,
    hand,
    holder,
    home,
    play,
    pr,
    reduced,
    rule,
    sealed,
    step,
    throw,
    units,
    where,
    zone,
)

FULL = "ax-6k ax-27k ax-39pzk"


def before() -> Any:
    """Turn 1, the Soviets' operations begin; everything where the set-up has it but for the three units of F-16."""
    p = BOOK.game.start()
    soviet, axis = "so-organ so-joukov op-engineers op-fanaticism op-elastic", "op-fortifications op-antitank op-surprise"
    p = sealed(p, "axis", reduced=p.sealed[2].reduced & ~bits(FULL), hand=bits(axis))
    p = sealed(p, "soviet", hand=bits(soviet))
    p = altered(
        p,
        agenda=(Frame("phase", ()),),
        phase=PHASES.index("soviet_action operations soviet") - 1,
        pr=(0, 2, 5, 9),
        held=((0, 0), (2, 3), (0, 3)),
        pa=bytes(len(GFS)),
        extra=bytes(len(GFS)),
    )
    assert not BOOK.broken(p)
    return BOOK.settled(p)


def points(p: Any, gf: str) -> int:
    """What a formation is worth."""
    return odds.gf_strength(G, p, GFS.index(gf))


def turned(p: Any, gf: str) -> bool:
    """Whether it lies turned over."""
    return bool(p.pa[GFS.index(gf)] & TURNED)


@rule("11.3.c")
@rule("11.3.d")
@rule("11.3.e")
@rule("11.3.f")
@rule("11.3.g")
@rule("11.3.h")
@rule("11.3.i")
@rule("11.3.j")
@rule("11.3.k")
@example("F-19")
def test_bagration_from_the_set_up_to_vilnius() -> None:
    p = before()
    assert units(p, "ax-4a") == "ax-12k- ax-27k ax-39pzk" and units(p, "ax-3pz") == "ax-53k- ax-6k ax-9k-"
    assert (points(p, "so-bielo3"), points(p, "so-balt1")) == (20, 13)
    assert not odds.elites(G, p, (GFS.index("so-bielo3"),))

    # Both fronts of zone 44 go to 37 with their free PA.
    p = go_on(play(p, "soviet move so-balt1,so-bielo3 @ 44 > 37"))
    assert zone(p, "so-balt1") == zone(p, "so-bielo3") == "37" and holder(p, 37) == "axis"

    # Stalin's Organ: column 16-20, die 6: three losses, by turns, no reply, no stratagem, no retreat.
    p = play(p, "soviet play so-organ > 37")
    assert step(p) == "dice"
    p = throw(p, 6)
    assert p.combat.losses == (0, 3)
    for line in ("axis lose ax-9k", "soviet lose ax-39pzk", "axis lose ax-6k"):
        assert by(p) == line.split()[0]
        p = play(p, line)
    assert step(p) == "operations" and by(p) == "soviet" and p.combat is None
    assert where(p, "ax-9k") == "pile" and reduced(p, "ax-39pzk") and reduced(p, "ax-6k")
    assert "so-organ" not in hand(p, "soviet")

    # Bielo 3 attacks with a bought PA, Balt 1 supports: 20 + 6 against 12.
    p = go_on(play(p, "soviet attack so-bielo3 @ 37 with so-balt1"))
    assert pr(p, "soviet") == 4 and p.combat.totals == (26, 12) and p.combat.elite == (False, False)
    p = play(p, "soviet lay op-engineers", "soviet done", "axis lay op-fortifications", "axis done")
    p = throw(p, 2, 5)
    assert odds.shifts(G, p.combat, 0) == (("op-fortifications", -1),) and odds.shifts(G, p.combat, 1) == ()
    assert odds.die_bonuses(G, p.combat, 0) == (("op-engineers", 1),)
    assert p.combat.losses == (2, 2)
    for line in ("axis lose ax-27k", "soviet lose ax-39pzk", "soviet lose so-39a", "axis lose so-5gtka"):
        assert by(p) == line.split()[0]
        p = play(p, line)
    assert reduced(p, "ax-27k") and where(p, "ax-39pzk") == "pile"
    assert step(p) == "ask" and by(p) == "axis"
    p = go_on(p)
    assert turned(p, "so-bielo3") and not turned(p, "so-balt1") and points(p, "so-bielo3") == 16

    # Balt 1 attacks with a bought PA, Bielo 3 supports though it is turned over: 13 + 8 against 8.
    p = go_on(play(p, "soviet attack so-balt1 @ 37 with so-bielo3"))
    assert pr(p, "soviet") == 3 and p.combat.totals == (21, 8)
    p = throw(play(p, "soviet lay op-fanaticism", "soviet done", "axis done"), 4, 3)
    assert p.combat.losses == (1, 4)
    for line in ("axis lose ax-6k", "soviet lose ax-12k", "axis lose ax-53k", "soviet lose ax-27k", "soviet lose so-51a"):
        assert by(p) == line.split()[0]
        p = play(p, line)
    assert home(p, "ax-4a") and home(p, "ax-3pz") and holder(p, 37) == "soviet"
    assert units(p, "so-balt1") == "so-2gda so-43a so-4shk so-51a-" and units(p, "so-bielo3") == "so-11gda so-31a so-39a- so-5a so-5gtka-"
    assert [where(p, u) for u in "ax-6k ax-9k ax-12k ax-27k ax-39pzk ax-53k".split()] == ["pile"] * 6
    assert turned(p, "so-balt1") and step(p) == "operations" and p.combat is None and not p.shown

    # Joukov: a third PA for Bielo 3, without PR, and Vilnius falls.
    p = go_on(play(p, "soviet play so-joukov > so-bielo3", "soviet move so-bielo3 @ 37 > 31"))
    assert zone(p, "so-bielo3") == "31" and holder(p, 31) == "soviet" and pr(p, "soviet") == 3
    assert hand(p, "soviet") == {"op-elastic"} and hand(p, "axis") == {"op-antitank", "op-surprise"}
    assert turned(p, "so-bielo3")
