"""Lines that are no action, and actions that cannot be meant: one clear line each that says what is wrong and what is allowed.

A word that the game does not have, a part that is missing or too many, is a mistake of notation; who may do what, when and with what, is
for the rules to say, and a refusal names its paragraph.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from referee.rules.model import NotationError
from tests.games.fotb.layout import BOOK, check, go_on, lay, play

SOVIET = "soviet_action operations soviet"
FRONT = "so-balt1 44: so-2gda so-4shk / so-bielo3 44: so-5a so-5gtka / ax-4a 37: ax-12k ax-27k / ax-3pz 37: ax-6k / we-8uk 9: we-vuk"
FIGHT = "so-balt1 37: so-2gda so-4shk / ax-4a 37: ax-12k ax-27k / we-8uk 9: we-vuk"

# A line and what its mistake is called, whole or as far as the line is long.
MISTAKES = [
    ("soviet move so-balt1 @ 44 > 99", "'99' is no zone of this game; there are: 1 to 54"),
    ("soviet move so-balt1 @ 99 > 37", "'99' is no zone of this game; there are: 1 to 54"),
    ("soviet move so-balt1 @ 44 > Vilnius", "'Vilnius' is no zone of this game; there are: 1 to 54"),
    ("soviet move so-balt1 @ 44 > 0", "'0' is no zone of this game; there are: 1 to 54"),
    ("soviet move so-balt1 @ 044 > 37", "'044' is no zone of this game; there are: 1 to 54"),
    ("soviet move so-balt1 @ 44 > 044", "'044' is no zone of this game; there are: 1 to 54"),
    ("soviet move so-balt1 @ 44", "move reads 'BY move FORMATION,FORMATION @ FROM > TO [via KIND,KIND]', not 'soviet move so-balt1 @ 44'"),
    ("soviet move so-balt1 > 37", "move reads 'BY move FORMATION,FORMATION @ FROM > TO [via KIND,KIND]', not 'soviet move so-balt1 > 37'"),
    ("soviet move so-balt1", "move reads 'BY move FORMATION,FORMATION @ FROM > TO [via KIND,KIND]', not 'soviet move so-balt1'"),
    ("soviet move", "move reads 'BY move FORMATION,FORMATION @ FROM > TO [via KIND,KIND]', not 'soviet move'"),
    ("soviet", "an action reads BY VERB ..., not 'soviet'"),
    ("move so-balt1 @ 44 > 37", "an action begins with who acts: 'BY move ...', not 'move'"),
    ("soviet move so-balt1 44 37", "'44' cannot stand here; after the units come, once each, '@ FROM', '> TO', 'via A,B', 'with C,D'"),
    ("soviet move so-balt1 @ 44 > 37 now", "'now' cannot stand here; after the units come, once each, '@ FROM', '> TO', 'via A,B', 'with"),
    ("soviet move so-balt1 @ 44 > 37 via", "behind 'via' a name is missing"),
    ("soviet move so-balt1 @ 44 > 37 via gratis", "'gratis' is no kind of PA of this game; there are: free, card, sea, bought, bought-en"),
    ("soviet move so-balt1,so-balt1 @ 44 > 37", "'so-balt1' is here twice; allowed: once"),
    ("soviet move so-balt1,so-bielo3,so-balt2,so-ukr1 @ 44 > 37", "move takes at most 3 formations, not 4"),
    ("soviet move so-balt9 @ 44 > 37", "'so-balt9' is no formation of this game; spelled alike: so-balt3, so-balt2, so-balt1"),
    ("soviet move so-2gda @ 44 > 37", "'so-2gda' is a unit, no formation"),
    ("soviet move so-joukov @ 44 > 37", "'so-joukov' is a stratagem, no formation"),
    ("SOVIET move so-balt1 @ 44 > 37", "'SOVIET' is no side of this game; there are: west, soviet, axis"),
    ("soviets move so-balt1 @ 44 > 37", "'soviets' is no side of this game; there are: west, soviet, axis"),
    ("russian move so-balt1 @ 44 > 37", "'russian' is no side of this game; there are: west, soviet, axis"),
    ("allied move so-balt1 @ 44 > 37", "'allied' is no side of this game; there are: west, soviet, axis"),
    ("soviet march so-balt1 @ 44 > 37", "'march' is no action here; there are: draw, remove, disband, play, reroll, keep, lend, lay, dro"),
    ("soviet attack so-balt1 > 37", "attack reads 'BY attack FORMATION[,FORMATION] @ ZONE [via KIND] [with FORMATION,FORMATION]', not 's"),
    ("soviet attack @ 37", "attack reads 'BY attack FORMATION[,FORMATION] @ ZONE [via KIND] [with FORMATION,FORMATION]', not 'soviet att"),
    ("soviet attack so-balt1,so-balt1 @ 37", "'so-balt1' is here twice; allowed: once"),
    ("soviet attack so-balt1 @ 37 with so-bielo3,so-bielo3", "'so-bielo3' is here twice; allowed: once"),
    ("soviet attack so-balt1 @ 37 with ax-12k", "'ax-12k' is a unit, no formation"),
    ("soviet attack so-balt1 @ 37 with", "behind 'with' a name is missing"),
    ("soviet attack so-balt1 @ 37 with so-bielo3 with so-balt2", "'with' cannot stand here; after the units come, once each, '@ FROM', '"),
    ("soviet attack so-balt1,so-bielo3,so-balt2 @ 37", "attack takes at most 2 formations, not 3"),
    ("soviet land so-balt1 @ 44 > 1", "land reads 'BY land FORMATION,FORMATION > ZONE', not 'soviet land so-balt1 @ 44 > 1'"),
    ("soviet transfer so-balt1 > so-bielo3", "'so-balt1' is a formation, no unit"),
    ("soviet restore so-2gda @ oil", "'oil' is no track of this game; there are: england, italy, soviet, axis"),
    ("soviet rebuild so-2gda", "rebuild reads 'BY rebuild UNIT [@ TRACK] > full|reduced', not 'soviet rebuild so-2gda'"),
    ("soviet rebuild so-2gda > half", "'half' is no strength of this game; there are: full, reduced"),
    ("soviet play so-joukov > so-ukr9", "'so-ukr9' is no zone or formation of this game; spelled alike: so-ukr4, so-ukr3, so-ukr2"),
    ("soviet play so-zhukov > so-balt1", "'so-zhukov' is no stratagem of this game; spelled alike: so-joukov"),
    ("soviet play joukov > so-balt1", "'joukov' is no stratagem of this game; spelled alike: so-joukov"),
    ("soviet play so-organ > 99", "'99' is no zone of this game; there are: 1 to 54"),
    ("soviet play so-joukov,so-organ > so-balt1", "play takes 1 stratagem, not 2"),
    ("soviet play so-joukov > so-balt1,so-bielo3", "play reads 'BY play CARD [> ZONE or FORMATION]', not 'soviet play so-joukov > so-bal"),
    ("soviet reroll so-propaganda > 4", "'4' is no die of this game; there are: 1, 2, 3"),
    ("soviet reroll so-propaganda > x", "'x' is no die of this game; there are: 1, 2, 3"),
    ("soviet keep > both", "'both' is no throw to keep of this game; there are: old, new"),
    ("soviet keep", "keep reads 'BY keep > old|new', not 'soviet keep'"),
    ("soviet turn-over so-2gda", "'so-2gda' is a unit, no formation"),
    ("soviet turn-over", "turn-over reads 'BY turn-over FORMATION', not 'soviet turn-over'"),
    ("soviet lose so-2gda,so-4shk", "lose takes 1 unit, not 2"),
    ("soviet done done", "'BY done' is all; 'done' cannot stand behind it"),
    ("soviet done now", "'BY done' is all; 'now' cannot stand behind it"),
    ("soviet Done", "'Done' is no action here; spelled alike: done"),
    ("soviet concede now", "concede reads 'BY concede', not 'soviet concede now'"),
    ("done", "an action reads BY VERB ..., not 'done'"),
    ("chance roll combat", "a roll reads 'chance roll KEY 3' or 'chance roll KEY 3,5', not 'chance roll combat'"),
    ("chance roll combat -1", "a roll reads 'chance roll KEY 3' or 'chance roll KEY 3,5', not 'chance roll combat -1'"),
    ("chance roll combat 1.5", "a roll reads 'chance roll KEY 3' or 'chance roll KEY 3,5', not 'chance roll combat 1.5'"),
    ("chance roll combat 3 5", "a roll reads 'chance roll KEY 3' or 'chance roll KEY 3,5', not 'chance roll combat 3 5'"),
    ("chance roll", "a roll reads 'chance roll KEY 3' or 'chance roll KEY 3,5', not 'chance roll'"),
    ("chance draw so-joukov,so-joukov @ soviet", "'so-joukov' is here twice; allowed: once"),
    ("chance draw so-joukov @ germany", "'germany' is no side of this game; there are: west, soviet, axis"),
    ("chance draw so-joukov", "draw reads 'chance draw CARD,CARD @ SIDE', not 'chance draw so-joukov'"),
    ("soviet fill so-bielo3 > so-2gda", "'so-bielo3' is a formation, no unit"),
    ("soviet levy ax-volkssturm", "'ax-volkssturm' is no unit of this game"),
    ("soviet drop we-1abn", "'we-1abn' is no unit of this game"),
    ("soviet disband so-2gda", "'so-2gda' is a unit, no formation"),
    ("soviet lay op-artillery,op-surprise", "lay takes 1 stratagem, not 2"),
    ("chance roll combat 3,1000", "a roll reads 'chance roll KEY 3' or 'chance roll KEY 3,5', not 'chance roll combat 3,1000'"),
    ("chance roll combat 03,4", "a roll reads 'chance roll KEY 3' or 'chance roll KEY 3,5', not 'chance roll combat 03,4'"),
    ("axis reroll ax-szorkeny", "reroll reads 'BY reroll CARD > DIE', not 'axis reroll ax-szorkeny'"),
    ("axis lose ax-4a", "'ax-4a' is a formation, no unit"),
    ("axis lose ax-12k,ax-27k", "lose takes 1 unit, not 2"),
    ("axis lose", "lose reads 'BY lose UNIT', not 'axis lose'"),
    ("axis retreat ax-4a > 99", "'99' is no zone of this game; there are: 1 to 54"),
    ("axis lose ax-12k @ 37", "lose reads 'BY lose UNIT', not 'axis lose ax-12k @ 37'"),
    ("axis lose ax-12k > ax-destroyed", "lose reads 'BY lose UNIT', not 'axis lose ax-12k > ax-destroyed'"),
]

# What is going on, an action, and the first sentence of its refusal.
REFUSED = [
    ("operations", "soviet move so-balt1 @ 44 > 44", "zone 44 does not touch zone 44 [9.4.a]"),
    ("operations", "soviet move so-balt1 @ 37 > 31", "Balt 1 is not in zone 37 [9.4.a]"),
    ("operations", "soviet move so-balt1 @ 44 > 31", "zone 44 does not touch zone 31 [9.4.a]"),
    ("operations", "soviet move so-balt1 @ 44 > 37 via free,free", "the PA named are 2; this costs each formation 1 [8.1.b (R-F89)]"),
    ("operations", "soviet move so-balt1 @ 44 > 37 via free,bought,card,sea", "the PA named are 4; this costs each formation 1 [8.1.b (R"),
    ("operations", "soviet move so-balt1 @ 44 > 37 via bought-england", "Balt 1 traces no line to a port of the track england, which pay"),
    ("operations", "soviet move so-balt1,ax-4a @ 44 > 37", "4.Armee is not the soviet side's [1.f]"),
    ("operations", "soviet move ax-4a @ 37 > 38", "4.Armee is not the soviet side's [1.f]"),
    ("operations", "axis move ax-4a @ 37 > 38", "axis does not decide this; it is for soviet [2]"),
    ("operations", "axis move so-balt1 @ 44 > 37", "axis does not decide this; it is for soviet [2]"),
    ("operations", "soviet attack so-balt1 @ 44", "no enemy formation stands in zone 44 [10.1.a (R-F107)]"),
    ("operations", "soviet attack so-balt1 @ 37", "Balt 1 is no formation of that side in zone 37 [10.1.a (R-F107), 10.1.f (R-F91)]"),
    ("operations", "soviet attack so-balt1 @ 37 with so-balt1", "Balt 1 is no formation of that side in zone 37 [10.1.a (R-F107), 10.1.f"),
    ("operations", "soviet attack so-balt1 @ 37 with ax-4a", "4.Armee is not the soviet side's [1.f]"),
    ("operations", "soviet attack ax-4a @ 37", "4.Armee is not the soviet side's [1.f]"),
    ("operations", "soviet land so-balt1 > 1", "the Western Allies land and arrive by sea, not the soviet side [9.5.a]"),
    ("operations", "soviet sail so-balt1 > 1", "the Western Allies land and arrive by sea, not the soviet side [9.7.a]"),
    ("operations", "soviet transfer so-2gda > so-bielo3", "soviet transfer so-2gda > so-bielo3 is nothing for this moment, which is for "),
    ("operations", "soviet restore so-2gda", "soviet restore so-2gda is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet rebuild so-2gda > full", "soviet rebuild so-2gda > full is nothing for this moment, which is for operations ["),
    ("operations", "soviet play so-joukov", "Joukov gives a PA to an own formation on the map, not to nothing [8.2.h (R-F55), 11.6.c (R-"),
    ("operations", "soviet play so-joukov > 37", "Joukov gives a PA to an own formation on the map, not to zone 37 [8.2.h (R-F55), 11.6."),
    ("operations", "soviet play so-organ > 45", "Stalin's Organ acts on a zone with enemy formations, not on zone 45 [11.6.a (R-F53), 11"),
    ("operations", "soviet play op-artillery", "Artillery support is not played in the operational step [11.1.c (R-F48)]"),
    ("operations", "soviet lay op-artillery", "soviet lay op-artillery is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet reroll so-propaganda > 1", "soviet reroll so-propaganda > 1 is nothing for this moment, which is for operatio"),
    ("operations", "soviet lend op-artillery", "the Western Allies lend, not the soviet side [11.9 (R-F52)]"),
    ("operations", "soviet turn-over so-ukr1", "Ukr 1 is no formation of that side on the map [8.3]"),
    ("operations", "soviet lose so-2gda", "soviet lose so-2gda is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet retreat so-balt1 > 45", "soviet retreat so-balt1 > 45 is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet pocket so-2gda", "soviet pocket so-2gda is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet supply so-balt1 @ 44", "the Baltic zones supply formations of the Axis, which names them; not the soviet side"),
    ("operations", "axis supply ax-4a @ 37", "zone 37 supplies no formation from the Baltic [6.1.e (R-F17)]"),
    ("operations", "chance done", "chance does not decide this; it is for soviet [2]"),
    ("operations", "chance roll combat 7", "chance does not decide this; it is for soviet [2]"),
    ("operations", "chance roll combat 0", "chance does not decide this; it is for soviet [2]"),
    ("operations", "chance roll combat 3,5", "chance does not decide this; it is for soviet [2]"),
    ("operations", "chance roll weather 3", "chance does not decide this; it is for soviet [2]"),
    ("operations", "soviet roll combat 3", "soviet roll combat 3 is nothing for this moment, which is for operations [2]"),
    ("operations", "chance draw so-joukov @ soviet", "chance does not decide this; it is for soviet [2]"),
    ("operations", "chance move so-balt1 @ 44 > 37", "chance does not decide this; it is for soviet [2]"),
    ("operations", "west move we-8uk @ 9 > 10", "west does not decide this; it is for soviet [2]"),
    ("operations", "soviet fill so-2gda > so-bielo3", "2GdA is not in the Reserve of that side [9.2.a (R-F83)]"),
    ("operations", "soviet withdraw so-2gda", "2GdA is in no formation that waits in the Reserve to come by sea [9.7.b (R-F101)]"),
    ("operations", "soviet place so-balt1 > 44", "soviet place so-balt1 > 44 is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet exchange so-2gda > so-balt1", "soviet exchange so-2gda > so-balt1 is nothing for this moment, which is for op"),
    ("operations", "soviet levy ax-12k", "soviet levy ax-12k is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet drop so-2gda", "soviet drop so-2gda is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet box so-2gda", "soviet box so-2gda is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet return so-2gda", "soviet return so-2gda is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet ask so-balt1", "soviet ask so-balt1 is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet recall so-balt1", "soviet recall so-balt1 is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet remove so-2gda", "soviet remove so-2gda is nothing for this moment, which is for operations [2]"),
    ("operations", "soviet disband so-balt1", "soviet disband so-balt1 is nothing for this moment, which is for operations [2]"),
    ("cancel", "soviet play so-joukov > so-balt1", "Joukov cancels no PA [11.5.i (R-F56), 11.7.d (R-F56)]"),
    ("cancel", "axis play ax-blocking > so-balt2", "Strategic blocking is not in the hand of that side [11.4 (R-F136)]"),
    ("cancel", "axis play ax-blocking > 37", "Strategic blocking is not in the hand of that side [11.4 (R-F136)]"),
    ("cancel", "axis play ax-blocking", "Strategic blocking is not in the hand of that side [11.4 (R-F136)]"),
    ("cancel", "soviet lay op-artillery", "the PA just declared can still be cancelled; soviet lay op-artillery comes when play goes on "),
    ("stratagems", "soviet lay op-surprise", "Surprise is not in the hand of that side [11.4 (R-F136)]"),
    ("stratagems", "soviet lay so-propaganda", "Propaganda is no operational stratagem: it is not laid in a combat [11.1.c (R-F48), 11.1"),
    ("stratagems", "axis lay op-surprise", "axis does not decide this; it is for soviet [2]"),
    ("stratagems", "soviet drop so-2gda", "2GdA is no corps of paratroops [12.3.a (R-F113)]"),
    ("stratagems", "soviet play so-propaganda", "stratagems are laid now; soviet play so-propaganda comes later [10.2.b (R-F48)]"),
    ("stratagems", "soviet move so-balt1 @ 37 > 31", "stratagems are laid now; soviet move so-balt1 @ 37 > 31 comes later [10.2.b (R-F48"),
    ("dice", "chance roll combat 3", "3 is no throw here; dice wanted: 2, of 6 faces [10.2]"),
    ("dice", "chance roll combat 3,7", "3,7 is no throw here; dice wanted: 2, of 6 faces [10.2]"),
    ("dice", "chance roll combat 0,3", "0,3 is no throw here; dice wanted: 2, of 6 faces [10.2]"),
    ("dice", "chance roll combat 3,4,5", "3,4,5 is no throw here; dice wanted: 2, of 6 faces [10.2]"),
    ("dice", "chance roll event 3,4", "the dice for combat are awaited [10.2]"),
    ("dice", "chance roll combat 3,999", "3,999 is no throw here; dice wanted: 2, of 6 faces [10.2]"),
    ("dice", "chance roll Combat 3,4", "the dice for combat are awaited [10.2]"),
    ("dice", "soviet roll combat 3,4", "soviet does not decide this; it is for chance [2]"),
    ("dice", "soviet done", "soviet does not decide this; it is for chance [2]"),
    ("dice", "axis reroll ax-szorkeny > 1", "the dice for combat are awaited [10.2]"),
    ("dice", "soviet concede", "the dice for combat are awaited [10.2]"),
    ("reroll", "axis reroll ax-szorkeny > 3", "there is no die 3; dice thrown: 2 [11.5.n (R-F59)]"),
    ("reroll", "axis reroll op-surprise > 1", "Surprise throws no die again [11.5.n (R-F59)]"),
    ("reroll", "soviet keep > new", "the dice just thrown can still be thrown again; soviet keep > new comes when play goes on [11.5.n ("),
    ("reroll", "soviet lose so-2gda", "the dice just thrown can still be thrown again; soviet lose so-2gda comes when play goes on [11.5"),
    ("loss", "axis lose so-2gda", "2GdA is in no formation that can take this loss [10.2.e (R-F104)]"),
    ("loss", "axis lose ax-6k", "6.K is in no formation that can take this loss [10.2.e (R-F104)]"),
    ("loss", "soviet lose ax-12k", "soviet does not decide this; it is for axis [2]"),
    ("loss", "axis done", "the losses must be taken first [10.3.a (R-F104)]"),
]


@cache
def moments() -> dict[str, Any]:
    """A position of each kind of moment, one after another in a game."""
    found = {"operations": lay(SOVIET, FRONT, hands="soviet: so-joukov so-organ op-artillery / axis: ax-szorkeny", pr="soviet 3")}
    p = lay(SOVIET, FIGHT, hands="soviet: so-propaganda op-artillery / axis: ax-szorkeny op-surprise")
    found["cancel"] = p = play(p, "soviet attack so-balt1 @ 37")
    found["stratagems"] = p = go_on(p)
    found["dice"] = p = go_on(go_on(p))
    found["reroll"] = p = play(p, "chance roll combat 5,1")
    found["loss"] = go_on(p)
    return found


@pytest.mark.parametrize(("line", "told"), MISTAKES, ids=[line for line, _ in MISTAKES])
def test_a_line_that_is_no_action_says_what_is_wrong_and_what_is_allowed(line: str, told: str) -> None:
    with pytest.raises(NotationError) as raised:
        BOOK.parse(line)
    assert str(raised.value).startswith(told) and "\n" not in str(raised.value)


@pytest.mark.parametrize(("moment", "line", "told"), REFUSED, ids=[f"{moment}: {line}" for moment, line, _ in REFUSED])
def test_an_action_that_cannot_be_meant_is_refused_with_its_paragraph_and_explained(moment: str, line: str, told: str) -> None:
    p = moments()[moment]
    ruling = check(p, line)
    assert not ruling.legal and all(reason.cites for reason in ruling.reasons)
    assert BOOK.sentence(ruling.reasons[0]).startswith(told)
    assert BOOK.explain(p, BOOK.parse(line)).text, "what would be legal instead is told, or that nothing is"


def test_these_are_the_moments_that_they_are_called_by() -> None:
    steps = {moment: p.frame.step for moment, p in moments().items()}
    assert steps == {moment: moment for moment in steps}
    assert len(MISTAKES) + len(REFUSED) > 150


@pytest.mark.parametrize("moment", ["operations", "reroll", "loss"])
def test_a_side_or_a_counter_that_there_is_not_has_nothing_legal(moment: str) -> None:
    p = moments()[moment]
    assert list(BOOK.legal(p)) and not list(BOOK.legal(p, by="russia"))
    assert not list(BOOK.legal(p, about=99_999)) and not list(BOOK.legal(p, about=-1))
