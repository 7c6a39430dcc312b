"""At positions of whole games the engine lists exactly the actions that the second referee of ``enumerated`` lists."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.games.overlord_to_berlin import players
from referee.games.overlord_to_berlin.duties_of_events import effect
from referee.games.overlord_to_berlin.position import (
    BARRED,
    BOUGHT_USED,
    BY_SEA,
    FREE_USED,
    OFFENSIVE,
    SEA_READY,
    TURNED,
    Pos,
    members,
)
from tests.games.fotb.enumerated import Account, Table, actions
from tests.games.fotb.layout import BOOK, GFS, UNITS, ZONES, G, by, lay, sealed, step, where

SIDES = ("west", "soviet", "axis")
CARD_VERBS = ("play", "lend", "supply", "done", "concede")


def table(p: Pos, side: str = "") -> Table:
    """The position in words, as a question to whoever decides, or to a side."""
    who = side or by(p)
    own = p.sealed[SIDES.index(who)]
    named = dict(zip(("28", "29", "30"), p.baltic, strict=True))
    c = p.combat
    data = p.frame.data
    losing = data[0] if step(p) == "loss" else 0
    tiers = () if c is None else (names(c.defenders),) if losing else (names(c.attackers), names(c.supporters))
    stock = p.pr[2] + sum(own.spent[:2]) if who == "soviet" else 0
    return Table(
        step=step(p),
        by=who,
        turn=p.turn,
        at={gf: _place(p, n) for n, gf in enumerate(GFS)},
        units={unit: where(p, unit) for unit in UNITS},
        control={zone: SIDES[holder] for zone, holder in zip(ZONES, p.control, strict=True)},
        pr=dict(zip(("england", "italy", "soviet", "axis"), p.pr, strict=True)),
        account={gf: account(p, n) for n, gf in enumerate(GFS)},
        waiting_gfs=frozenset(names(p.waiting)),
        waiting_units=frozenset(UNITS[u] for u in members(own.waiting)),
        began={UNITS[u]: G.land.places.names[place] for u, place in own.came},
        began_reserve=frozenset(names(p.began_reserve)),
        landers=frozenset(names(p.landers)),
        landed=p.turn if len(p.landings) >= p.turn else p.turn - 1,
        maskirovka=p.maskirovka,
        event=effect(G, p, SIDES.index(who)),
        croatia_done=p.croatia,
        named={zone: GFS[gf] for zone, gf in named.items() if gf < len(GFS)},
        fuhrer_dead=p.fuhrer_dead,
        zone="" if c is None else ZONES[c.zone],
        tiers=tiers,
        owner="" if c is None else SIDES[c.defender if losing else c.attacker],
        elite_first=c is not None and not losing and c.elite[0] and not c.chosen,
        again=GFS[data[1]] if step(p) == "loss" and data[1] >= 0 else "",
        shown={UNITS[u]: GFS[gf] for u, gf, _ in p.shown},
        defenders=frozenset(() if c is None else names(c.defenders)),
        asked=frozenset(names(data[0])) if step(p) == "ask" else frozenset(),
        may_go=frozenset(names(data[0])) if step(p) == "retreat" else frozenset(),
        stock=stock,
        elsewhere=own.spent[1] if who == "soviet" else 0,
    )


def _place(p: Pos, gf: int) -> str:
    at = p.gf_at[gf]
    return ZONES[at] if at < len(ZONES) else "reserve" if at == G.reserve(G.gfs.side[gf]) else "out"


def account(p: Pos, gf: int) -> Account:
    """The PA of one formation."""
    bits = p.pa[gf]
    flags = [bool(bits & bit) for bit in (FREE_USED, BOUGHT_USED, BARRED, SEA_READY, BY_SEA, TURNED, OFFENSIVE)]
    return Account(*flags, extra=p.extra[gf], group=p.group[gf])


def names(found: int) -> tuple[str, ...]:
    """Formations of a set."""
    return tuple(GFS[gf] for gf in members(found))


def compared(p: Pos) -> bool:
    """Whether the step is known to the second referee, and then both agree."""
    told = None if by(p) not in SIDES else actions(table(p))
    if told is None:
        return False
    listed = {str(a) for a in BOOK.legal(p, by=by(p)) if str(a).split()[1] not in CARD_VERBS}
    assert listed == told, {"only the engine": sorted(listed - told)[:8], "only the second referee": sorted(told - listed)[:8]}
    return True


@pytest.mark.whole_game
@pytest.mark.parametrize("plan", players.PLANS)
def test_engine_and_second_referee_list_the_same_actions(plan: str) -> None:
    dice = random.Random(f"enumerated/{plan}")
    p = players.opening(BOOK, dice, plan)
    met: Counter[str] = Counter()
    for number in range(5000):
        if BOOK.over(p):
            break
        seldom = step(p) in ("loss", "ask", "retreat")
        if (number % 6 == 0 or seldom) and compared(p):
            met[step(p)] += 1
        p = BOOK.play(p, players.choose(BOOK, p, dice, plan))
    assert plan == "fate" or (met["operations"] and met["strategic"]), met


def test_an_exchange_that_only_one_of_the_two_knows_would_be_found() -> None:
    """The comparison itself: a table that says something else than the position is told apart."""
    p = lay("axis_action combine axis", "ax-4pz 37: ax-13k ax-42k / ax-3pz 37: ax-9k / so-balt1 44: so-43a")
    assert compared(p) and actions(table(p))
    other = table(sealed(p, "axis", at=p.sealed[2].at.replace(bytes([G.display(GFS.index("ax-3pz"))]), bytes([G.reserve(2)]))))
    assert actions(other) != {str(a) for a in BOOK.legal(p, by="axis") if str(a).split()[1] not in CARD_VERBS}
