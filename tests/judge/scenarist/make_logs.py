# ruff: noqa: E501
"""Logs of the kind that clubs make, with keys: ``python -m tests.judge.scenarist.make_logs`` writes both into ``logs/``.

The verdicts in the keys are the rulebook's and the rulings' alone. What the printed text leaves to map and charts is ``any``.
"""

from __future__ import annotations

from pathlib import Path

from modgen.formats.vassal.obfuscation import Form
from tests.judge.scenarist.desk import BLUE, RED, SOLO, Desk

LOGS = Path(__file__).parent / "logs"


def scripts() -> list[Desk]:
    """Every log, played through."""
    Desk.all = []
    for name, script in sorted(globals().items()):
        if name.startswith("play_"):
            script()
    return Desk.all


def main() -> None:
    """Write logs and keys."""
    LOGS.mkdir(exist_ok=True)
    for desk in scripts():
        for name, data in desk.files().items():
            (LOGS / name).write_bytes(data)


def play_a01() -> None:
    d = Desk("a01-ruchy-sowietow", "Turn 1, Soviet Movement Phase from the set-up; Polish chat, detours, a stack put right in time")
    d.red("cześć, zaczynam. ruchy sowietów")
    d.next()
    d.move("legal", "5.0 4.0", "2326", "3 Gds Tk 6-4-6", why="leaves the ZOC of 2424, one hex to the rear")
    d.move("legal", "5.0 4.0", "3125", "10 Gds 7-7-4",
           why="3025 and 3125 are both in enemy ZOC, but by 3126, which is free of it, the way is two hexes with MA 4")  # fmt: skip
    d.move(
        "illegal",
        "4.0",
        "2324",
        "1 Ukr Front 8-20-3",
        why="2224 (next to 2223) and 2324 (next to 2223 and 2424) in enemy ZOC; 2325, the only way round within reach, is in the ZOC of 2424",
    )
    d.move("legal", "5.0 4.0", "2225", "4 Tk 6-4-6", why="one hex out of the ZOC of 2424")
    d.say("ups, kostka spadła")
    d.die(6)
    d.move("illegal", "5.0", "3526", "5 Gds Tk 6-4-6", why="seven hexes with MA 6")
    d.move("legal", "5.0 4.0", "1623", "1 Bulg 2-5-4", why="one hex into the ZOC of 1622")
    d.move("illegal", "5.0", "2525", "8 Gds 7-7-4", why="2525 is occupied by the enemy 8 Krps")
    d.move("legal", "5.0", "1223", "1 Rom 3-5-4", why="one hex, no ZOC")
    with d.item("legal", "5.0 5.1", "2 Tk moves 2624 -> 2724, a third unit there, and on to 2725",
                "the full stack is only passed; 2624 -> 2725 is one hex out of enemy ZOC", units=["2 Tk 6-4-6"]):  # fmt: skip
        d.drag("2724", "2 Tk 6-4-6").say("nie, za dużo w stosie").drag("2725", "2 Tk 6-4-6")
    with d.item("illegal", "3.0", "1 Hung moves 1722 -> 1721 in the Soviet Movement Phase", "a Hungarian unit in the Soviet phase",
                units=["1 Hung 3-5-4"]):  # fmt: skip
        d.drag("1721", "1 Hung 3-5-4")
    d.move(
        "legal",
        "5.0",
        "2426",
        "3 Gds Tk 6-4-6",
        why="moved on after other units; the whole from 2325 is two hexes with MA 6: one legal move (R-G32)",
    )
    d.say("koniec ruchu")
    d.next()


# ------------------------------------------------------------------------------------------------- combat and its results


def play_b01() -> None:
    """Courland, a day of mixed luck."""
    d = Desk(
        "b01-kurland-t3",
        "Turn 3, Soviet combat in Courland: exchanges, an advance by a bystander, a second attack of the same units",
        at={"10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "11 Gds 7-7-4": "3724"},
        turn=3,
        phase="S C",
    )
    with d.item("legal", "6.1 6.2", "3 Balt (3725) attacks 16 Krps in 3824: 8:5 = 1:1, die 1 = EX; both are eliminated",
                "EX printed for 1:1 and 1; the only attacker pays, 8 >= 5", units=["3 Balt Front 8-20-3", "16 Krps 3-5-4"], kind="attack",
                odds="1:1", result="EX", certainty="printed (6.1); 3824 gives no bonus; assumes no river"):  # fmt: skip
        d.red("3 balt auf 3824  8-5").die(1).say("1, Tausch").out("16 Krps 3-5-4").out("3 Balt Front 8-20-3")
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds (3723) and 5 Gds Tk (3724) attack 10 Krps in 3823: 21:4 = 5:1, die 3 = DE",
                "as in 18.1", units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], kind="attack",
                odds="5:1", result="DE", certainty="printed (18.1)"):  # fmt: skip
        d.say("2 Balt + 10 Gds + 5 GTk -> 3823, 21:4").die(3).say("DE!")
        d.as_(BLUE).out("10 Krps 2-4-4").red()
    with d.item("illegal", "6.5", "11 Gds advances 3724 -> 3823 without having attacked",
                "an advance is for a unit that took part in the combat", units=["11 Gds 7-7-4"], kind="advance"):  # fmt: skip
        d.drag("3823", "11 Gds 7-7-4")
    with d.item("illegal", "6.3", "2 Balt and 10 Gds, which fought already, attack 3 SS in 3822",
                "no unit attacks twice in a Combat Phase", units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "3 SS Pz Krps 7-5-8"],
                kind="attack"):  # fmt: skip
        d.say("und gleich noch 2 Balt + 10 Gds auf 3822, 15:5 3:1").die(4).say("DR, kein Platz -> tot").out("3 SS Pz Krps 7-5-8")
    d.say("fertig, du bist dran (gleich)")
    d.next()


def play_b02() -> None:
    d = Desk(
        "b02-exchange-bills",
        "Turn 4, Soviet combat in Courland: the example of 18.1 paid rightly, then an exchange paid with too little",
        at={
            "10 Gds 7-7-4": "3723", "1 Polish 3-4-4": "3724", "2 Tk 6-4-6": "3724", "2 Gds 7-7-4": "3825", "3 Balt Front 8-20-3": "3825",
            "3 SS Pz Krps 7-5-8": "3822",
        },
        turn=4,
        phase="S M",
    )  # fmt: skip
    d.red("no moves, fights now").next()
    with d.item("legal", "6.1 6.2", "3 Balt, 2 Gds (3825) and 2 Tk (3724) attack 16 Krps in 3824: 21:5 = 4:1, die 3 = EX; 2 Tk pays",
                "the example of 18.1; 6 >= 5", units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "2 Tk 6-4-6", "16 Krps 3-5-4"],
                kind="attack", odds="4:1", result="EX", certainty="printed (18.1)"):  # fmt: skip
        d.say("3Bal 2Gds 2Tk x 16 krps 21:5=4:1").die(3).say("exch. 2 Tk goes").out("16 Krps 3-5-4", "2 Tk 6-4-6")
    with d.item("legal", "6.5", "2 Gds advances 3825 -> 3824 after the exchange", "a survivor of the exchange (R-G56)",
                units=["2 Gds 7-7-4"], kind="advance"):  # fmt: skip
        d.drag("3824", "2 Gds 7-7-4")
    with d.item("illegal", "6.2", "2 Balt, 10 Gds (3723) and 1 Polish (3724) attack 10 Krps in 3823: 18:4 = 4:1, die 3 = EX; 1 Polish pays",
                "3 is less than the printed defence of 4", units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "1 Polish 3-4-4", "10 Krps 2-4-4"],
                kind="attack", odds="4:1", result="EX"):  # fmt: skip
        d.say("2Bal 10 Gds 1Pol x 10 krps 18:4").die(3).say("exch again! the Poles, sorry comrades").out("10 Krps 2-4-4", "1 Polish 3-4-4")
        d.next()


def play_b03() -> None:
    d = Desk(
        "b03-odwrot",
        "Turn 3, Soviet combat in Courland: a retreat carried out by its owner, one into a hex under Soviet guns",
        at={"10 Gds 7-7-4": "3723", "3 SS Pz Krps 7-5-8": "3121", "2 Krps 3-5-4": "3121", "2 Gds 7-7-4": "3725"},
        turn=3,
        phase="S C",
    )
    with d.item("legal", "6.1 6.2", "2 Balt and 10 Gds (3723) attack 10 Krps in 3823: 15:4 = 3:1, die 4 = DR; it retreats to 3924",
                "3924 is vacant and in no Soviet ZOC", units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "10 Krps 2-4-4"], kind="attack",
                odds="3:1", result="DR", certainty="printed (18.1); 3823 gives no bonus; assumes no river"):  # fmt: skip
        d.red("2 Bałt i 10 Gds atakują 3823, 15:4 czyli 3:1").die(4)
        d.blue("odwrót 10 Krps").drag("3924", "10 Krps 2-4-4")
    with d.item("legal", "6.5", "10 Gds advances 3723 -> 3823", "it took part", units=["10 Gds 7-7-4"], kind="advance"):
        d.red().drag("3823", "10 Gds 7-7-4")
    with d.item("illegal", "6.2.1", "3 Balt and 2 Gds (3725) attack 16 Krps in 3824: 15:5 = 3:1, die 4 = DR; it retreats to 3924",
                "3924 is next to 10 Gds in 3823: no retreat into an enemy ZOC, friends there or not",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"], kind="attack", odds="3:1", result="DR"):  # fmt: skip
        d.say("3 Bałt + 2 Gds na 3824, 15:5").die(4)
        d.blue("uciekam do kolegi").drag("3924", "16 Krps 3-5-4")
    d.red("ok").next()


def play_b04() -> None:
    d = Desk(
        "b04-split-retreat",
        "Turn 5, a stack of two thrown back into two hexes; one advance too many",
        at={
            "10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Gds 7-7-4": "3724", "2 Krps 3-5-4": "3823", "16 Krps 3-5-4": "3121",
            "3 SS Pz Krps 7-5-8": "3121",
        },
        turn=5,
        phase="S C",
    )  # fmt: skip
    names = ["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "2 Gds 7-7-4"]
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds (3723), 5 Gds Tk, 2 Gds (3724) attack 10 and 2 Krps in 3823: 28:9 = 3:1, die 4 = DR",
                "they retreat into separate vacant hexes, 3923 and 3924", units=[*names, "10 Krps 2-4-4", "2 Krps 3-5-4"], kind="attack",
                odds="3:1", result="DR", certainty="printed (18.1); assumes no river"):  # fmt: skip
        d.red("everything on 3823: 28 to 9").die(4).say("DR, where to?")
        d.blue("10 to 3923, 2 to 3924").drag("3923", "10 Krps 2-4-4").drag("3924", "2 Krps 3-5-4")
    with d.item("legal", "6.5", "5 Gds Tk advances 3724 -> 3823", "it took part", units=["5 Gds Tk 6-4-6"], kind="advance"):
        d.red().drag("3823", "5 Gds Tk 6-4-6")
    with d.item("illegal", "6.5", "2 Gds advances 3724 -> 3823 too", "one unit only", units=["2 Gds 7-7-4"], kind="advance"):
        d.drag("3823", "2 Gds 7-7-4")
    d.next()


def play_b05() -> None:
    d = Desk(
        "b05-retraite-ensemble",
        "Turn 5, two units retreat together into one hex although another vacant one was open; a defender that stays",
        at={
            "10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Gds 7-7-4": "3724", "2 Krps 3-5-4": "3823", "16 Krps 3-5-4": "3121",
            "3 SS Pz Krps 7-5-8": "3121",
        },
        turn=5,
        phase="S C",
    )  # fmt: skip
    names = ["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "2 Gds 7-7-4"]
    with d.item("illegal", "6.2.1", "four units attack 10 and 2 Krps in 3823: 28:9 = 3:1, die 4 = DR; both retreat to 3924",
                "the second must go to a vacant hex, 3923, where one is open", units=[*names, "10 Krps 2-4-4", "2 Krps 3-5-4"],
                kind="attack", odds="3:1", result="DR"):  # fmt: skip
        d.red("attaque sur 3823 avec tout, 28 contre 9").die(4)
        d.blue("retraite").drag("3924", "10 Krps 2-4-4", "2 Krps 3-5-4")
    d.red("au suivant").next()


def play_b06() -> None:
    d = Desk(
        "b06-two-hexes-one-die",
        "Turn 3, one attack on two hexes, another on two hexes that not all attackers reach",
        at={"3 Balt Front 8-20-3": "3724", "2 Gds 7-7-4": "3724", "11 Gds 7-7-4": "3723", "2 Krps 3-5-4": "3923"},
        turn=3,
        phase="S C",
    )
    with d.item("legal", "6.1 6.2", "3 Balt and 2 Gds (3724) attack 3823 and 3824 in one combat: 15:9 = 1:1, die 1 = EX; all four are lost",
                "next to both hexes; 8 or 7 alone would be less than 9", kind="attack", odds="1:1", result="EX",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "10 Krps 2-4-4", "16 Krps 3-5-4"],
                certainty="printed (6.1, 6.3); both hexes give no bonus; assumes no river"):  # fmt: skip
        d.red("3 Balt + 2 Gds attack BOTH 3823 and 3824, 15:9, 1-1").die(1).say("ouch. exchange, 9 needed")
        d.out("10 Krps 2-4-4", "16 Krps 3-5-4", "2 Gds 7-7-4", "3 Balt Front 8-20-3")
    with d.item("illegal", "6.3 6.0", "2 Balt and 11 Gds (3723) attack 3822 and 3923 in one combat",
                "3723 is not next to 3923", units=["2 Balt Front 8-20-3", "11 Gds 7-7-4"], kind="attack"):  # fmt: skip
        d.say("2 Balt + 11 Gds attack 3822 and 3923 together").die(2).say("nothing")
    d.next()


def play_b07() -> None:
    d = Desk(
        "b07-half-a-stack",
        "Turn 3, an attack on one unit of a stack, and a result half applied",
        at={"10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Krps 3-5-4": "3823", "3 SS Pz Krps 7-5-8": "3121", "2 Gds 7-7-4": "3725"},
        turn=3,
        phase="S C",
    )
    with d.item("illegal", "6.3", "2 Balt, 10 Gds and 5 Gds Tk attack only 10 Krps in 3823, where 2 Krps stands too: 21:4, die 3, 10 Krps out",
                "all units in a hex defend as one; no result takes one of two", kind="attack",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"]):  # fmt: skip
        d.red("2 Balt 10 Gds 5GdsTk attack the 10 Krps in 3823 (only that one) 5:1").die(3).out("10 Krps 2-4-4")
        d.say("2 Krps stays, not attacked")
    with d.item("illegal", "6.2", "3 Balt and 2 Gds (3725) attack 16 Krps in 3824: 15:5 = 3:1, die 4 = DR; it does not retreat",
                "the defender must retreat; 3924 and 3925 are vacant and out of Soviet ZOC", kind="attack",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"], odds="3:1", result="DR"):  # fmt: skip
        d.say("3 Balt 2 Gds on 3824 15:5").die(4).say("a 4, nothing happens I think")
        d.next()


def play_b08() -> None:
    d = Desk(
        "b08-proxy-and-late",
        "Turn 2, results put on the board late and by the other player, dice for fun between",
        at={"10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Gds 7-7-4": "3725", "3 SS Pz Krps 7-5-8": "3121", "2 Krps 3-5-4": "3121"},
        turn=2,
        phase="S C",
        seats=(RED, BLUE),
    )
    d.blue("who starts a fight on a friday").red("me")
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds, 5 Gds Tk attack 10 Krps in 3823: 21:4 = 5:1, die 3 = DE; Blue removes his unit after talk",
                "right result, applied before the next combat", kind="attack", odds="5:1", result="DE",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="printed (18.1)"):  # fmt: skip
        d.say("3823: 2balt,10gds,5gtk").die(3).blue("grrr").blue("wait, phone").red("np")
        d.as_(BLUE).out("10 Krps 2-4-4")
    d.red("lucky me").die(6).say("just for fun")
    with d.item("legal", "6.5", "10 Gds advances 3723 -> 3823", "it took part", units=["10 Gds 7-7-4"], kind="advance"):
        d.drag("3823", "10 Gds 7-7-4")
    with d.item("legal", "6.1 6.2", "3 Balt and 2 Gds (3725) attack 16 Krps in 3824: 15:5 = 3:1, die 4 = DR; Red retreats it to 3925",
                "3925 is vacant and in no Soviet ZOC; the hand that drags does not matter", kind="attack", odds="3:1", result="DR",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"],
                certainty="printed (18.1); assumes 3925 is land and no river"):  # fmt: skip
        d.say("3 Balt + 2 Gds vs 3824").die(4).blue("to 3925 pls, im on my phone").red("ok moving it for you").drag("3925", "16 Krps 3-5-4")
    d.next()


def play_b09() -> None:
    d = Desk(
        "b09-many-announced",
        "Turn 3, three attacks announced at once and rolled later, one of them dropped",
        at={"10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Gds 7-7-4": "3725", "3 SS Pz Krps 7-5-8": "3121", "2 Krps 3-5-4": "3121"},
        turn=3,
        phase="S C",
    )
    d.red("attacks this turn: a) 2 Balt+10 Gds+5 Gds Tk on 3823, b) 3 Balt+2 Gds on 3824, c) maybe 1 Balt on 3423")
    with d.item("legal", "6.1 6.2", "a) 21:4 = 5:1 on 3823, die 3 = DE", "announcing ahead binds nobody (R-G44)", kind="attack", odds="5:1",
                result="DE", units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"],
                certainty="printed (18.1)"):  # fmt: skip
        d.say("a)").die(3).out("10 Krps 2-4-4")
    with d.item("legal", "6.1 6.2", "b) 15:5 = 3:1 on 3824, die 4 = DR, to 3924", "3924 is vacant; 3823 is empty of Soviets", kind="attack",
                odds="3:1", result="DR", units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"],
                certainty="printed (18.1); assumes no river"):  # fmt: skip
        d.say("b)").die(4).blue("3924").drag("3924", "16 Krps 3-5-4").red()
    with d.item("legal", "6.5", "2 Gds advances 3725 -> 3824", "it took part", units=["2 Gds 7-7-4"], kind="advance"):
        d.drag("3824", "2 Gds 7-7-4")
    d.say("c) no, too risky").next()


def play_b10() -> None:
    d = Desk(
        "b10-no-words",
        "Turn 3, combat without a word: dice and what happens on the board",
        at={"10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Gds 7-7-4": "3725", "3 SS Pz Krps 7-5-8": "3121", "2 Krps 3-5-4": "3121"},
        turn=3,
        phase="S C",
    )
    d.as_(RED)
    with d.item("any", "6.1 6.2", "die 3, 10 Krps in 3823 is eliminated, 5 Gds Tk advances", kind="attack",
                why="nobody said who attacked; 2 Balt, 10 Gds and 5 Gds Tk would make it right (5:1, DE)", certainty="policy",
                units=["10 Krps 2-4-4", "5 Gds Tk 6-4-6"]):  # fmt: skip
        d.die(3).out("10 Krps 2-4-4").drag("3823", "5 Gds Tk 6-4-6")
    with d.item("any", "6.1 6.2.1", "die 4, 16 Krps leaves 3824 for 3925", kind="attack", units=["16 Krps 3-5-4"],
                why="nobody said who attacked; 3 Balt and 2 Gds would make it right (3:1, DR)", certainty="policy"):  # fmt: skip
        d.die(4).drag("3925", "16 Krps 3-5-4")
    d.next()


def play_b11() -> None:
    d = Desk(
        "b11-wrong-hands",
        "Turn 3, Soviet Combat Phase: attackers from two armies, movement in the Combat Phase, a retreat of two hexes, an exchange for a bystander",
        at={
            "10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Gds 7-7-4": "3725", "2 Tk 6-4-6": "3724", "3 SS Pz Krps 7-5-8": "3121",
            "2 Krps 3-5-4": "3121", "12 SS Pz Krps 8-5-8": "3624",
        },
        turn=3,
        phase="S C",
    )  # fmt: skip
    with d.item("illegal", "6.2.1", "3 Balt and 2 Gds attack 16 Krps in 3824: 15:5 = 3:1, die 4 = DR; it goes back two hexes, to 3923",
                "a retreat is one hex (R-G3)", kind="attack", odds="3:1", result="DR", certainty="printed rules and R-G3",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"]):  # fmt: skip
        d.red("3Balt/2Gds @ 3824").die(4).blue("run!").drag("3923", "16 Krps 3-5-4")
    with d.item("illegal", "6.2", "2 Balt, 10 Gds and 5 Gds Tk attack 10 Krps in 3823: 21:4 = 5:1, die 3 = DE; it only retreats",
                "DE eliminates; 10 Krps is moved to 3924 instead", kind="attack", odds="5:1", result="DE",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"]):  # fmt: skip
        d.red("2Balt/10Gds/5GdsTk @ 3823, 5:1").die(3).blue("DR, ok").drag("3924", "10 Krps 2-4-4")
    d.move("illegal", "3.0", "3625", "1 Balt Front 8-20-3", why="movement in the Combat Phase; no combat near it", kind="advance")
    with d.item("illegal", "3.0 6.3", "12 SS (West German, 3624) attacks 9 and 40 Krps in 3423 together with 1 Balt",
                "West Germans neither fight East Germans nor act in the Soviet Combat Phase", kind="attack",
                units=["12 SS Pz Krps 8-5-8", "1 Balt Front 8-20-3"]):  # fmt: skip
        d.red("and 12 SS + 1 Balt on 3423").die(2).say("no effect anyway")
    d.next()


def play_b12() -> None:
    d = Desk(
        "b12-2105-wrong-count",
        "Turn 6, Western combat: 2105 counted without its fortification, and the right way",
        at={
            "67 Krps 3-5-4": "2105", "8 (US) 4-8-6": "2004", "5 (US) 7-4-8": "2104", "7 (US) 6-6-7": "2104", "19 (US) 6-6-7": "2204",
            "74 Krps 5-6-5": "2205", "81 Krps 4-5-5": "2308", "47 Pz Krps 6-5-6": "1809", "58 Pz Krps 5-3-6": "1809",
        },
        turn=6,
        phase="W C",
        by=BLUE,
    )  # fmt: skip
    with d.item("illegal", "6.1 6.2", "8, 7 and 19 (US) attack 67 Krps in 2105, called 16:5 = 3:1, die 1; 67 Krps out, nobody pays",
                "2105 triples: 16:15 = 1:1, die 1 = EX (6.1); attackers with printed attack of at least 5 must go", kind="attack",
                units=["8 (US) 4-8-6", "7 (US) 6-6-7", "19 (US) 6-6-7", "67 Krps 3-5-4"], odds="1:1", result="EX",
                certainty="printed (6.1); the fortification is taken as intact"):  # fmt: skip
        d.blue("2105: 8 US, 7 US, 19 US, sixteen to five, 3-1").die(1).say("DE!!").out("67 Krps 3-5-4")
    with d.item("illegal", "6.3", "7 (US) attacks again, with 13 (US), 74 Krps in 2205", "it has attacked already", kind="attack",
                units=["7 (US) 6-6-7"]):  # fmt: skip
        d.say("7 US again, on 2205 with 13 US").die(5).say("hm, no effect")
    d.say("merci").next()


def play_b13() -> None:
    d = Desk(
        "b13-overpaid",
        "Turn 6, Western combat on 2105: the example of 6.1 overpaid, a bystander of another hex advances, put back",
        at={
            "67 Krps 3-5-4": "2105", "5 (US) 7-4-8": "2104", "7 (US) 6-6-7": "2104", "8 (US) 4-8-6": "2004", "19 (US) 6-6-7": "2204",
            "74 Krps 5-6-5": "2308", "81 Krps 4-5-5": "2308", "47 Pz Krps 6-5-6": "1809", "58 Pz Krps 5-3-6": "1809",
        },
        turn=6,
        phase="W C",
        by=BLUE,
    )  # fmt: skip
    with d.item("legal", "6.1 6.2", "5 (US) (2104), 7 (US) (2104) and 19 (US) (2204) attack 67 Krps in 2105: 19:15 = 1:1, die 1 = EX; 7 and 19 go",
                "6 + 6 >= 5: overpaying is the attacker's choice (R-G11)", kind="attack", odds="1:1", result="EX",
                units=["5 (US) 7-4-8", "7 (US) 6-6-7", "19 (US) 6-6-7", "67 Krps 3-5-4"],
                certainty="printed (6.1); the fortification is taken as intact; a river at 2105 changes nothing below 1:1 and 2:1"):  # fmt: skip
        d.blue("5, 7 and 19 US against 2105. 19 to 15").die(1).say("EX. they take 7 and 19").out("67 Krps 3-5-4").delete(
            "7 (US) 6-6-7", "19 (US) 6-6-7"
        )
    with d.item("legal", "6.5", "13 (US) advances 2204 -> 2105 by mistake and is put back; 5 (US) advances from 2104",
                "corrected at once; 5 (US) took part and survived", units=["13 (US) 4-8-6", "5 (US) 7-4-8"], kind="advance",
                certainty="policy: corrected in the same phase"):  # fmt: skip
        d.drag("2105", "13 (US) 4-8-6").say("wrong stack").drag("2204", "13 (US) 4-8-6").drag("2105", "5 (US) 7-4-8")
    d.next()


def play_b14() -> None:
    d = Desk(
        "b14-everyone-fights-everyone",
        "Turn 7, attacks on forces that are no enemies",
        at={
            "1 Gds 7-7-4": "2613", "8 (US) 4-8-6": "2712", "65 Krps 4-5-5": "2713", "9 Krps 4-5-5": "2514", "7 (US) 6-6-7": "2513",
            "20 Krps 2-3-4": "2716", "55 Krps 3-4-4": "2715",
        },
        turn=7,
        phase="S C",
    )  # fmt: skip
    with d.item("illegal", "6.3 3.0", "1 Gds (2613) attacks 65 Krps, a West German, in 2713", "Soviets fight East Germans only (3.0, R-G4)",
                kind="attack", units=["1 Gds 7-7-4", "65 Krps 4-5-5"]):  # fmt: skip
        d.red("1 Gds on 2713, 7:4").die(3).say("no effect")
    d.to("W C")
    with d.item("illegal", "6.3 3.0", "7 (US) (2513) attacks 9 Krps, an East German, in 2514", "Western Allies fight West Germans only",
                kind="attack", units=["7 (US) 6-6-7", "9 Krps 4-5-5"]):  # fmt: skip
        d.blue("7 US vs 2514, 6:5 1-1").die(1).say("EX, both gone").out("9 Krps 4-5-5").delete("7 (US) 6-6-7")
    d.to("EG C")
    with d.item("illegal", "6.0 6.3", "20 and 55 Krps attack 1 Gds in 2613; neither in 2716 nor in 2715 is adjacent",
                "every attacker must be next to the hex", kind="attack", units=["20 Krps 2-3-4", "55 Krps 3-4-4"]):  # fmt: skip
        d.say("20 + 55 Krps attack 2613 5:7").die(2).say("whatever")
    d.next()


# --------------------------------------------------------------------------------------------------------- replacements


def play_c01() -> None:
    d = Desk(
        "c01-wg-ersatz-t4",
        "Turn 4, West German replacements: example 1 of 7.2, one too many, doubled movement",
        at={
            "47 Pz Krps 6-5-6": "box-wg",
            "74 Krps 5-6-5": "box-wg 1",
            "14 Pz Krps 4-6-5": "box-wg 2",
            "75 Krps 2-4-4": "box-wg 3",
            "64 Krps 2-3-4": "box-wg 4",
        },
        turn=4,
        phase="WG R",
    )
    d.red("Ersatz West: 75. Korps")
    d.move("legal", "7.2", "2612", "75 Krps 2-4-4", kind="replacement", certainty="printed (example 1 of 7.2)",
           why="one of the two weakest, beside Berlin on the west side")  # fmt: skip
    d.move("illegal", "7.2", "2612", "64 Krps 2-3-4", kind="replacement", why="a second unit: the rate on turn 4 is one (example 1 of 7.2)")
    d.next()
    d.move("any", "7.2 5.0", "2607", "75 Krps 2-4-4", why="five hexes with doubled MA 8: terrain decides")
    d.move("legal", "5.0 4.0", "1906", "82 Krps 4-5-5", why="one hex out of the ZOC of 1706")
    d.move("illegal", "5.0", "2209", "85 Krps 2-4-4", why="no replacement: MA 4, and the way is more than four hexes")
    d.next()


def play_c02() -> None:
    d = Desk(
        "c02-wg-wrong-order",
        "Turn 4, West German replacements: the stronger unit first, and one on the wrong side of Berlin",
        at={"14 Pz Krps 4-6-5": "box-wg 1", "75 Krps 2-4-4": "box-wg 2"},
        turn=4,
        phase="WG R",
    )
    d.move("illegal", "7.2", "2612", "14 Pz Krps 4-6-5", kind="replacement", why="75 Krps with the lower attack strength lies in the box")
    d.say("and the other one comes in the east? why not")
    d.move("illegal", "7.2", "2614", "75 Krps 2-4-4", kind="replacement", why="second of one, and east of Berlin")
    d.next()


def play_c03() -> None:
    d = Desk(
        "c03-zasoby",
        "Turn 5, Soviet replacements: too strong a unit, a Yugoslav, a hex inside the map, and a right one",
        at={"1 Rom 3-5-4": "box-s", "2 Gds 7-7-4": "box-s 1", "2 Polish 3-4-4": "box-s 2", "1 Yugo 5-6-4": "box-s 3"},
        turn=5,
        phase="S R",
    )
    d.red("uzupełnienia")
    d.move("illegal", "7.2", "2426", "2 Gds 7-7-4", kind="replacement", why="weaker units lie in the box")
    d.move("illegal", "7.1", "1326", "1 Yugo 5-6-4", kind="replacement", why="Yugoslavs never return")
    d.move("illegal", "7.2", "2323", "2 Polish 3-4-4", kind="replacement", why="2323 is not on the east edge")
    d.say("no dobra")
    d.next()


def play_c04() -> None:
    d = Desk(
        "c04-eg-ersatz-falsch",
        "Turn 5, East German replacements gone wrong",
        at={"17 Krps 1-2-4": "box-eg", "GD Pz Krps 7-5-8": "box-eg 1", "1 Hung 3-5-4": "box-eg 2"},
        turn=5,
        phase="EG R",
        by=BLUE,
    )
    d.blue("Ersatz Ost: Grossdeutschland zuerst!")
    d.move("illegal", "7.2", "2614", "GD Pz Krps 7-5-8", kind="replacement", why="17 Krps is weaker")
    d.move("illegal", "7.1", "2614", "1 Hung 3-5-4", kind="replacement", why="Hungarians never return")
    d.move(
        "any",
        "7.2",
        "2612",
        "17 Krps 1-2-4",
        kind="replacement",
        why="west of Berlin while the east side is open: the run of the line is not in the text",
    )
    d.next()


def play_c05() -> None:
    d = Desk(
        "c05-eg-ersatz-richtig",
        "Turn 6, East German replacements in order, doubled movement, and a unit that takes the double without the right",
        at={"17 Krps 1-2-4": "box-eg", "27 Krps 2-3-4": "box-eg 1", "6 Krps 3-5-4": "3018"},
        turn=6,
        phase="EG R",
        by=BLUE,
    )
    d.move(
        "any", "7.2", "2614", "17 Krps 1-2-4", kind="replacement", why="weakest first, east of Berlin; the rate on turn 6 is not printed"
    )
    d.move("any", "7.2", "2614", "27 Krps 2-3-4", kind="replacement", why="next weakest; the rate on turn 6 is not printed")
    d.next()
    d.move("any", "7.2 5.0", "2619", "17 Krps 1-2-4", why="five hexes with doubled MA 8: terrain decides")
    d.move("legal", "7.2 5.0", "2616", "27 Krps 2-3-4", why="two hexes with MA 4, doubled")
    d.move("illegal", "5.0", "2420", "6 Krps 3-5-4", why="no replacement: six hexes with MA 4")
    d.next()


def play_c06() -> None:
    d = Desk(
        "c06-western-replacements",
        "Turn 6, Western replacements in a ZOC and by the wrong edge",
        at={
            "30 (Br) 7-4-8": "box-w", "1 (Br) 4-8-6": "box-w 1", "1 (Cdn) 4-8-6": "box-italy", "2 (Cdn) 7-4-8": "2403", "12 SS Pz Krps 8-5-8": "2401",
            "8 (Br) 6-6-7": "2403", "2 LW Krps 5-11-4": "2805",
        },
        turn=6,
        phase="W R",
        by=BLUE,
    )  # fmt: skip
    d.blue("repl: 30Br 2201, 1Br 2301")
    d.move("legal", "7.2", "2201", "30 (Br) 7-4-8", kind="replacement", certainty="printed rules only (2201 is taken to be land)",
           why="first of two; a west edge hex south of 2301")  # fmt: skip
    d.move("legal", "7.2", "2301", "1 (Br) 4-8-6", kind="replacement", why="second of two; a replacement may enter in an enemy ZOC",
           certainty="printed (example 2 of 7.2)")  # fmt: skip
    d.move(
        "illegal", "7.2", "1901", "1 (Cdn) 4-8-6", kind="replacement", why="lay in the Italian box: it enters by the south edge in Italy"
    )
    d.next()
    d.move("illegal", "7.2", "2202", "1 (Br) 4-8-6", why="placed in the ZOC of 2401 as a replacement: it may not move now")
    d.move("legal", "5.0 7.2", "2101", "30 (Br) 7-4-8", why="a replacement outside ZOC may move; one hex, no ZOC")
    d.next()


def play_c07() -> None:
    d = Desk(
        "c07-turn-one-replacement",
        "Turn 1, a German lost in Courland comes back in the same turn",
        at={"10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724"},
        phase="S C",
    )
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds (3723), 5 Gds Tk (3724) attack 10 Krps in 3823: 21:4 = 5:1, die 3 = DE", "as in 18.1", kind="attack",
                odds="5:1", result="DE", units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="printed (18.1)"):  # fmt: skip
        d.red("2 balt, 10 gds, 5 gds tk - 3823").die(3).out("10 Krps 2-4-4")
    d.next()
    d.say("kein Ersatz im Westen").next(2)
    with d.item("any", "12.2", "two West German attacks: 12 SS on 2203, 47 and 58 Pz on 1904", "declared rightly; results rest on unprinted cells", kind="attack",
                units=["12 SS Pz Krps 8-5-8", "47 Pz Krps 6-5-6", "58 Pz Krps 5-3-6"]):  # fmt: skip
        d.say("12 SS auf 2203").die(4).say("AR? 12 SS zurueck").drag("2404", "12 SS Pz Krps 8-5-8")
        d.say("47 + 58 auf 1904").die(2).say("AR, 47 zu 65, 58 hat keinen Platz").drag("1906", "47 Pz Krps 6-5-6").out(
            "58 Pz Krps 5-3-6"
        ).next()
    d.to("EG R")
    d.blue("my 10 Krps comes back")
    d.move("illegal", "3.0 7.2", "2614", "10 Krps 2-4-4", kind="replacement", why="no replacements on turn 1")
    d.next()


# --------------------------------------------------------------------------------------------- leaving the map, Courland


def play_d01() -> None:
    d = Desk(
        "d01-east-exits",
        "Turn 3, East German exits with the right and the wrong flips, and from a hex that is none",
        at={"17 Krps 1-2-4": "1126", "1 Kav Krps 3-5-6": "1425", "27 Krps 2-3-4": "3626", "29 Krps 3-4-5": "2226"},
        turn=3,
        phase="EG M",
        by=BLUE,
    )
    d.blue("off we go")
    with d.item("legal", "9.0", "17 Krps exits from 1126; 1 Rom (1123) and 1 Yugo (0824) are flipped", "starts in an exit hex with MA 4; the two closest, three hexes away",
                units=["17 Krps 1-2-4"], kind="exit", certainty="printed rules only"):  # fmt: skip
        d.drag("off", "17 Krps 1-2-4").flip("1 Rom 3-5-4", "1 Yugo 5-6-4")
    with d.item("legal", "9.0", "1 Kav moves 1425 -> 1426 and exits; 1 Bulg (1524) and 4 Ukr (1724) are flipped", "one hex and four MP with MA 6; 1 Bulg is closest, 4 Ukr one of the next",
                units=["1 Kav Krps 3-5-6"], kind="exit"):  # fmt: skip
        d.drag("1426", "1 Kav Krps 3-5-6").drag("off 1", "1 Kav Krps 3-5-6").flip("1 Bulg 2-5-4", "4 Ukr Front 8-20-3")
    with d.item("illegal", "9.0", "29 Krps exits from 2226; 2 Balt (3723) and 3 Ukr (1220) are flipped", "many Soviet units are nearer, 1 Ukr in 2224 for one",
                units=["29 Krps 3-4-5", "2 Balt Front 8-20-3", "3 Ukr Front 8-20-3"], kind="exit"):  # fmt: skip
        d.drag("off 2", "29 Krps 3-4-5").say("two big ones").flip("2 Balt Front 8-20-3", "3 Ukr Front 8-20-3")
    with d.item(
        "illegal",
        "9.0",
        "27 Krps exits from 3626",
        "the east edge may be left between 0926 and 3526 only; no MP for another hex",
        units=["27 Krps 2-3-4"],
        kind="exit",
    ):
        d.drag("off 3", "27 Krps 2-3-4")
    d.next()


def play_d02() -> None:
    d = Desk(
        "d02-west-exits",
        "Turn 5, West German exits; flipped units put away rightly and wrongly",
        at={"2 SS Pz Krps 8-6-8": "2102", "85 Krps 2-4-4": "1501"},
        turn=5,
        phase="WG M",
    )
    with d.item("legal", "9.0", "2 SS moves 2102 -> 2101 and exits; 12 (Br) in 2203 and 5 (US) in 2104 are flipped", "one hex and four MP with MA 8; both three hexes from 2101, none is nearer",
                units=["2 SS Pz Krps 8-6-8"], kind="exit"):  # fmt: skip
        d.red("2 SS raus nach Frankreich").drag("2101", "2 SS Pz Krps 8-6-8").drag("off", "2 SS Pz Krps 8-6-8").flip(
            "12 (Br) 4-8-6", "5 (US) 7-4-8"
        )
    with d.item(
        "illegal",
        "9.0",
        "85 Krps exits from 1501",
        "the west edge may be left between 1601 and 2301 only; no MP for another hex",
        units=["85 Krps 2-4-4"],
        kind="exit",
    ):
        d.drag("off 1", "85 Krps 2-4-4")
    d.move("legal", "5.0 4.0", "2006", "65 Krps 4-5-5", why="one hex, no enemy ZOC")
    d.say("am Ende der Phase: 12 Br weg, 5 US in die Kiste")
    with d.item("any", "9.0", "12 (Br) is deleted", "removed at the end of the phase, as it must be", kind="exit"):
        d.delete("12 (Br) 4-8-6")
    with d.item(
        "illegal",
        "9.0",
        "5 (US) is put into the Destroyed Western Allies box",
        "units removed by an exit go to no box",
        units=["5 (US) 7-4-8"],
        kind="exit",
    ):
        d.drag("box-w", "5 (US) 7-4-8")
    d.next()


def play_d03() -> None:
    d = Desk(
        "d03-who-may-exit",
        "Turn 3, exits by units that may not: a Soviet, an American, and one that has just run into a ZOC",
        at={"1 Kav Krps 3-5-6": "2126"},
        turn=3,
        phase="S M",
    )
    with d.item(
        "legal",
        "9.0 5.0 3.0",
        "1 Gds leaves the map from 1926, undone",
        "undone: no exit at all",
        units=["1 Gds 7-7-4"],
        kind="exit",
        certainty="printed rules only",
    ):
        d.red("bye").drag("off", "1 Gds 7-7-4").undo()
    d.say("joke")
    d.to("W M")
    with d.item("illegal", "9.0", "2 (US) leaves the map from 0511", "only Germans may exit", units=["2 (US) 6-6-7"], kind="exit"):
        d.blue().drag("off 1", "2 (US) 6-6-7")
    d.to("EG M")
    with d.item("illegal", "4.0 9.0", "1 Kav moves 2126 -> 2026, next to 1 Gds in 1926, and exits", "a unit stops when it enters an enemy ZOC", units=["1 Kav Krps 3-5-6"],
                kind="exit"):  # fmt: skip
        d.say("kawaleria ucieka").drag("2026", "1 Kav Krps 3-5-6").drag("off 2", "1 Kav Krps 3-5-6")
    d.next()


def play_e01() -> None:
    d = Desk(
        "e01-kurland-turn3",
        "Turn 3, the one evacuation, a march after landing, and one attempt too many",
        at={"1 Hung 3-5-4": "1721"},
        turn=3,
        phase="EG M",
        by=BLUE,
    )
    with d.item("any", "8.0", "3 SS in 3822 is evacuated to 2815, die 4", "first attempt on turn 3; which hexes are coastal is not in the text", kind="courland", die=4,
                units=["3 SS Pz Krps 7-5-8"]):  # fmt: skip
        d.blue("Kurland: 3 SS, Stettin").die(4).drag("2815", "3 SS Pz Krps 7-5-8")
    d.move(
        "illegal",
        "8.0",
        "2715",
        "3 SS Pz Krps 7-5-8",
        kind="courland",
        why="the evacuation takes the place of its move (R-G76)",
        certainty="R-G76",
    )
    d.say("noch eins").die(2)
    with d.item(
        "illegal",
        "8.0",
        "10 Krps is evacuated from 3823 to 2912, die 2",
        "only one attempt a game",
        units=["10 Krps 2-4-4"],
        kind="courland",
        die=2,
    ):
        d.drag("2912", "10 Krps 2-4-4")
    d.next()


def play_e02() -> None:
    d = Desk("e02-kurland-too-early", "Turn 2, an evacuation before its time", at={"1 Hung 3-5-4": "1721"}, turn=2, phase="EG M", by=BLUE)
    with d.item(
        "illegal",
        "8.0",
        "3 SS in 3822 is evacuated to 2815, die 6",
        "turn 3 or later",
        units=["3 SS Pz Krps 7-5-8"],
        kind="courland",
        die=6,
    ):
        d.blue("evac 3 SS").die(6).drag("2815", "3 SS Pz Krps 7-5-8")
    d.move("legal", "5.0 4.0", "1420", "57 Pz Krps 5-3-7", why="out of the ZOC of 1422 into a free hex")
    d.next()


def play_e03() -> None:
    d = Desk(
        "e03-kurland-march-and-sail",
        "Turn 4, a unit marches to the coast and sails in the same phase",
        at={"1 Hung 3-5-4": "1721"},
        turn=4,
        phase="EG M",
        by=BLUE,
    )
    with d.item("any", "8.0", "2 Krps moves 3924 -> 3923 and is evacuated to 2912, die 5", "it must be on the coast at the start of its movement; whether 3924 is coastal is not in the text", units=["2 Krps 3-5-4"],
                kind="courland", die=5):  # fmt: skip
        d.blue("2 Krps to the harbour").drag("3923", "2 Krps 3-5-4").say("and on the boat").die(5).drag("2912", "2 Krps 3-5-4")
    d.next()


def play_e04() -> None:
    d = Desk(
        "e04-kurland-a-one",
        "Turn 5, a die of 1 and the ship comes in all the same",
        at={"1 Hung 3-5-4": "1721"},
        turn=5,
        phase="EG M",
        by=BLUE,
    )
    with d.item(
        "illegal",
        "8.0",
        "3 SS in 3822, die 1, is placed in 2912",
        "on a 1 the unit is destroyed",
        units=["3 SS Pz Krps 7-5-8"],
        kind="courland",
        die=1,
    ):
        d.blue("3SS nach Rostock").die(1).say("eine 1? das gilt nicht").drag("2912", "3 SS Pz Krps 7-5-8")
    d.next()


def play_e05() -> None:
    d = Desk(
        "e05-kurland-nowhere",
        "Turn 6, an evacuation without a die, and to a place that is no port",
        at={"1 Hung 3-5-4": "1721"},
        turn=6,
        phase="EG M",
        by=BLUE,
    )
    with d.item(
        "illegal",
        "8.0",
        "3 SS goes from 3822 to 2614, die 3",
        "Stettin or Rostock only",
        units=["3 SS Pz Krps 7-5-8"],
        kind="courland",
        die=3,
    ):
        d.blue("3 ss evac").die(3).say("Berlin needs them").drag("2614", "3 SS Pz Krps 7-5-8")
    with d.item(
        "illegal",
        "8.0 5.0",
        "16 Krps goes from 3824 to 2815 without a die",
        "one attempt a game, by die; or a move of far more than MA 4",
        units=["16 Krps 3-5-4"],
        kind="courland",
    ):
        d.drag("2815", "16 Krps 3-5-4")
    d.next()


# ------------------------------------------------------------------------------------------------------ borders and Berlin


def play_f01() -> None:
    d = Desk(
        "f01-the-line",
        "Turn 8, all four forces and the boundary",
        at={
            "1 Gds 7-7-4": "2614", "2 Gds 7-7-4": "2714", "1 SS Pz Krps 8-6-8": "1812", "30 (Br) 7-4-8": "2312", "GD Pz Krps 7-5-8": "2417",
        },
        turn=8,
        phase="S M",
    )  # fmt: skip
    d.red("Berlin!!!")
    d.move(
        "legal",
        "5.0 5.2.2",
        "2613",
        "1 Gds 7-7-4",
        why="from the east into Berlin, no ZOC",
        certainty="practical; Berlin is on the line (R-G35)",
    )
    d.move(
        "any",
        "5.2.2",
        "2612",
        "2 Gds 7-7-4",
        why="past Berlin to its west side: across the line",
        certainty="the run of the line is not in the text",
    )
    d.to("WG M")
    d.move(
        "any",
        "5.2.1",
        "1817",
        "1 SS Pz Krps 8-6-8",
        why="from Bavaria into Moravia, across the line",
        certainty="the run of the line is not in the text",
    )
    d.to("W M")
    d.move(
        "any",
        "5.2.2",
        "2317",
        "30 (Br) 7-4-8",
        why="from the Elbe into Silesia, across the line",
        certainty="the run of the line is not in the text",
    )
    d.to("EG M")
    d.move(
        "any",
        "5.2.1",
        "2412",
        "GD Pz Krps 7-5-8",
        why="from Silesia to the Elbe, across the line",
        certainty="the run of the line is not in the text",
    )
    d.next()


def play_f02() -> None:
    d = Desk(
        "f02-kein-deutscher-nach-berlin",
        "Turn 7, Germans walk into Berlin, one of them comes out again at once",
        at={"63 Krps 2-3-4": "2612", "64 Krps 2-3-4": "2513", "9 Krps 4-5-5": "2614"},
        turn=7,
        phase="WG M",
    )
    with d.item(
        "legal",
        "5.0",
        "64 Krps moves 2513 -> 2613 and is put back",
        "no net move",
        units=["64 Krps 2-3-4"],
        certainty="policy: corrected in the same phase",
    ):
        d.drag("2613", "64 Krps 2-3-4").say("darf er nicht. zurück").drag("2513", "64 Krps 2-3-4")
    d.move("illegal", "5.2.1", "2613", "63 Krps 2-3-4", why="no German enters Berlin")
    d.say("die Hauptstadt braucht doch jemanden").to("EG M")
    d.blue("und meiner auch")
    d.move("illegal", "5.2.1 5.0", "2613", "9 Krps 4-5-5", why="no German enters Berlin (and a West German stands in it)")
    d.next()


def play_f03() -> None:
    d = Desk(
        "f03-berlin-race",
        "Turn 9, Western Allies in Berlin, and one beyond; on turn 10 a German advance into a city that is closed to him",
        at={"30 (Br) 7-4-8": "2612", "2 (Cdn) 7-4-8": "2611", "GD Pz Krps 7-5-8": "2817", "39 Pz Krps 7-5-8": "2817"},
        turn=9,
        phase="W M",
        by=BLUE,
    )
    d.move(
        "legal",
        "5.0 5.2.2",
        "2613",
        "30 (Br) 7-4-8",
        why="from the west into Berlin, no ZOC",
        certainty="practical; Berlin is on the line (R-G35)",
    )
    d.say("Berlin est à nous")
    d.move(
        "any",
        "5.2.2",
        "2614",
        "2 (Cdn) 7-4-8",
        why="through Berlin to its east side: across the line",
        certainty="the run of the line is not in the text",
    )
    d.to("EG M")
    d.move(
        "legal",
        "5.0",
        "2816",
        "GD Pz Krps 7-5-8",
        why="one hex, no Soviet near",
        certainty="practical: holds for any terrain cost that lets the unit enter at all",
    )
    d.next()


def play_f04() -> None:
    d = Desk(
        "f04-berlin-counterstroke",
        "Turn 10, East Germans throw a Soviet out of Berlin and follow him in",
        at={"1 Rom 3-5-4": "2613", "GD Pz Krps 7-5-8": "2614", "39 Pz Krps 7-5-8": "2714"},
        turn=10,
        phase="EG C",
        by=BLUE,
    )
    with d.item("any", "6.1 6.2", "GD (2614) and 39 Pz (2714) attack 1 Rom in Berlin: 14:5, die 1; the Romanian is out", "2:1 and 1 is not a printed cell", kind="attack",
                units=["GD Pz Krps 7-5-8", "39 Pz Krps 7-5-8", "1 Rom 3-5-4"]):  # fmt: skip
        d.blue("GD + 39 Pz na Berlin! 14:5").die(1).say("DE?").out("1 Rom 3-5-4")
    with d.item(
        "illegal", "5.2.1", "GD advances 2614 -> 2613", "no German enters Berlin by advance", units=["GD Pz Krps 7-5-8"], kind="advance"
    ):
        d.drag("2613", "GD Pz Krps 7-5-8")
    d.next()


def play_f05() -> None:
    d = Desk(
        "f05-lost-souls",
        "Turn 6, Allies on the wrong side of the line that do not go home",
        at={
            "5 Gds Tk 6-4-6": "1906",
            "65 Krps 4-5-5": "2310",
            "6 Gds Tk 6-4-6": "1906",
            "8 (US) 4-8-6": "2722",
            "4 SS Pz Krps 4-3-8": "2720",
        },
        turn=6,
        phase="S M",
    )
    d.red("mój 5 GTk błądzi po Niemczech")
    with d.item(
        "any",
        "5.2.2",
        "5 Gds Tk wanders 1906 -> 2006",
        "a displaced unit may move; the line is what counts at the end of the phase",
        units=["5 Gds Tk 6-4-6"],
    ):
        d.drag("2006", "5 Gds Tk 6-4-6")
    with d.item("illegal", "5.2.2", "the Soviet Movement Phase ends with 5 Gds Tk in 2006 and 6 Gds Tk in 1906", "in the west (1906 is a West German set-up hex), not back over the line by the end of the phase: to be eliminated, and left on the map",
                kind="phase end", units=["5 Gds Tk 6-4-6", "6 Gds Tk 6-4-6"]):  # fmt: skip
        d.next()
    d.to("W M")
    d.blue("8 US stays in Masovia, nice there")
    d.move("legal", "5.0 4.0", "1704", "20 (US) 7-4-8", why="leaves the ZOC of 1805, one hex to the rear")
    with d.item(
        "illegal",
        "5.2.2",
        "the Western Allied Movement Phase ends with 8 (US) in 2722",
        "deep in the east (an East German set-up hex), not back over the line by the end of the phase",
        kind="phase end",
        units=["8 (US) 4-8-6"],
    ):
        d.next()


def play_f06() -> None:
    d = Desk(
        "f06-jugosławia",
        "Turn 2, Soviets and Yugoslavs and the Yugoslav border",
        at={"1 Yugo 5-6-4": "1023", "4 Gds 7-7-4": "1125", "15 SS Krps 2-3-6": "1320"},
        turn=2,
        phase="S M",
    )
    d.move(
        "illegal",
        "5.3.1",
        "1123",
        "1 Yugo 5-6-4",
        why="to the Romanians in 1123: out of Yugoslavia",
        certainty="printed rules; 1123, a Romanian set-up hex, is outside",
    )
    d.move(
        "illegal",
        "5.3.2",
        "0824",
        "4 Gds 7-7-4",
        why="0824 is where a Yugoslav sets up: inside Yugoslavia",
        certainty="printed rules; 0824 is inside",
    )
    d.move("legal", "5.0 4.0", "0425", "2 Yugo 5-6-4", why="one hex inside, out of the ZOC of 0324", certainty="practical")
    d.say("Tito says hi").next()
    with d.item(
        "any", "6.3 5.3.2", "1 Rom and 1 Yugo (1123) attack 72 Krps in 1021 -- not adjacent, called off", "nothing is rolled", kind="attack"
    ):
        d.say("1 Rom + 1 Yugo na 1021? nie, za daleko")
    d.next()


def play_f07() -> None:
    d = Desk(
        "f07-advance-over-borders",
        "Turn 3, Soviet combat: a Yugoslav advances out of his country; garrisons",
        at={
            "1 Yugo 5-6-4": "1023", "72 Krps 3-3-4": "1123", "1 Rom 3-5-4": "1223", "4 Rom 3-5-4": "1224", "1 BR Front 8-20-3": "2723", "2 Tk 6-4-6": "2723",
            "15 SS Krps 2-3-6": "1320", "20 Krps 2-3-4": "2622", "23 Krps 3-4-4": "2523",
        },
        turn=3,
        phase="S C",
    )  # fmt: skip
    with d.item("any", "6.1 6.2", "1 Yugo (1023) and 1 Rom (1223) attack 72 Krps in 1123: 8:3 = 2:1 at the most, die 3; 72 Krps out", "terrain and unprinted cells decide", kind="attack",
                units=["1 Yugo 5-6-4", "1 Rom 3-5-4", "72 Krps 3-3-4"]):  # fmt: skip
        d.red("1 Yugo and 1 Rom on 72 Krps").die(3).out("72 Krps 3-3-4")
    with d.item("illegal", "5.3.1", "1 Yugo advances 1023 -> 1123", "Yugoslavs do not advance out of Yugoslavia", units=["1 Yugo 5-6-4"], kind="advance",
                certainty="printed rules; 1123, a Romanian set-up hex, is outside"):  # fmt: skip
        d.drag("1123", "1 Yugo 5-6-4")
    with d.item("any", "6.1 6.2", "1 BR (2723, Warsaw) and 2 Tk attack 20 Krps in 2622: 14:3 = 4:1, die 1; 20 Krps out", "a garrison may attack; the cell is not printed", kind="attack",
                units=["1 BR Front 8-20-3", "2 Tk 6-4-6", "20 Krps 2-3-4"]):  # fmt: skip
        d.say("1 BR + 2 Tk x 2622 14:3").die(1).out("20 Krps 2-3-4")
    with d.item(
        "illegal",
        "10.0",
        "1 BR advances 2723 -> 2622",
        "the garrison of Warsaw may not move in any way",
        units=["1 BR Front 8-20-3"],
        kind="advance",
    ):
        d.drag("2622", "1 BR Front 8-20-3")
    d.next()


def play_f08() -> None:
    d = Desk(
        "f08-warszawa",
        "Turn 7, the garrison of Warsaw goes for a walk; another Front takes its place",
        at={
            "1 BR Front 8-20-3": "2723",
            "2 BR Front 8-20-3": "2724",
            "4 SS Pz Krps 4-3-8": "2518",
            "20 Krps 2-3-4": "2519",
            "23 Krps 3-4-4": "2520",
            "55 Krps 3-4-4": "2521",
            "41 Pz Krps 5-5-5": "2521",
        },
        turn=7,
        phase="S M",
    )
    d.red("front rusza na zachód")
    d.move("illegal", "10.0", "2722", "1 BR Front 8-20-3", why="the garrison of a capital never moves")
    d.move(
        "legal",
        "5.0 10.0",
        "2723",
        "2 BR Front 8-20-3",
        why="one hex into Warsaw, which holds no Front now",
        certainty="practical; judged from the position as it stands",
    )
    d.move("legal", "5.0", "2623", "2 Tk 6-4-6", why="one hex, no ZOC")
    d.next()


# ----------------------------------------------------------------------------------------------------- duties of turn one


def play_g01() -> None:
    d = Desk("g01-two-on-one-hex", "Turn 1, West German combat: two attacks on one hex by different units", phase="WG M")
    d.red("Hitler befiehlt, niemand geht").next()
    with d.item("any", "6.1 12.2", "13 SS and 82 Krps (1806) attack 15 (US) in 1706, then 80 and 85 Krps (1805) do", "two attacks by different units; cells and terrain are not printed",
                kind="attack", units=["13 SS Krps 6-7-6", "82 Krps 4-5-5", "80 Krps 4-5-5", "85 Krps 2-4-4", "15 (US) 4-8-6"]):  # fmt: skip
        d.say("13 SS + 82 auf 1706, 10:8").die(4).say("AR").drag("1807", "13 SS Krps 6-7-6").drag("1907", "82 Krps 4-5-5")
        d.say("80 + 85 auf 1706, 6:8").die(1).say("DR!").blue("nowhere to go").delete("15 (US) 4-8-6")
    with d.item(
        "any", "12.2", "the phase ends with two attacks made", "12.2 is met (R-G62); the rest depends on unprinted cells", kind="phase end"
    ):
        d.red().next()


def play_g02() -> None:
    d = Desk("g02-one-on-two-hexes", "Turn 1, West German combat: one attack on two hexes is one attack", phase="WG M")
    d.red("no moves").next()
    with d.item(
        "any",
        "6.1 6.3",
        "12 SS (2304) attacks 2203 and 2303 in one combat: 8:18 at best",
        "next to both hexes; cells and terrain are not printed",
        kind="attack",
        units=["12 SS Pz Krps 8-5-8"],
    ):
        d.red("12 SS attacks 2203 and 2303 at the same time, 8:18").die(2).say("AR").drag("2404", "12 SS Pz Krps 8-5-8")
    with d.item(
        "illegal",
        "12.2",
        "the West German Combat Phase of turn 1 ends after one attack",
        "one attack on several hexes counts once (R-G62), others were possible, 47 Pz on 1904 for one",
        kind="phase end",
    ):
        d.say("that's two hexes so two attacks").next()


def play_g03() -> None:
    d = Desk("g03-ohne-12-2", "Turn 1, West German combat: no attack at all, but option 12.3 was agreed", phase="WG M")
    d.red("wie besprochen spielen wir mit 12.3, also kein Angriffszwang").blue("oui d'accord, 12.3").red().next()
    with d.item(
        "any",
        "12.2 12.3",
        "the West German Combat Phase of turn 1 ends without an attack; both say that 12.3 is in use",
        "legal with option 12.3, illegal without",
        kind="phase end",
    ):
        d.red("keine Angriffe").next()


def play_g04() -> None:
    d = Desk("g04-no-attack", "Turn 1, West German movement and combat: they walk away and attack nobody", phase="WG M")
    d.move("legal", "5.0 4.0", "2305", "12 SS Pz Krps 8-5-8", why="out of the ZOC of 2203 and 2303 into a free hex")
    d.next()
    with d.item(
        "illegal",
        "12.2",
        "the West German Combat Phase of turn 1 ends without an attack",
        "two are due, and were possible: 47 Pz on 1904, 64 Krps on 1605",
        kind="phase end",
    ):
        d.red("nothing for me").next()
    d.blue("lol ok")


# ------------------------------------------------------------------------------------------- trackers, seats, odd beginnings


def play_h01() -> None:
    d = Desk("h01-solo-no-tracker", "A game alone, the tracker never touched: phases in words only", by=SOLO, seats=(SOLO,))
    s = d.as_(SOLO)
    s.say("Solo test. Turn 1, Soviet move")
    with d.item("any", "5.0 3.0", "3 Gds moves 2425 -> 2426, 4 Gds 1221 -> 1222", "one hex each; the tracker shows the Replacement Phase, the words the Movement Phase", units=["3 Gds 7-7-4"],
                certainty="policy"):  # fmt: skip
        d.drag("2426", "3 Gds 7-7-4").drag("1222", "4 Gds 7-7-4")
    d.move("illegal", "4.0", "2924", "2 BR Front 8-20-3", why="ZOC to ZOC past 3024 and 2823, and no way round with MA 3")
    s.say("now Soviet combat")
    with d.item("any", "6.1 3.0", "8 Gds and 1 Gds Tk (2526) attack 8 Krps in 2525: 13:3, die 1; 8 Krps out", "terrain and unprinted cells; phase in words only", kind="attack",
                units=["8 Gds 7-7-4", "1 Gds Tk 6-4-6", "8 Krps 2-3-4"], certainty="policy"):  # fmt: skip
        d.say("8 Gds + 1 Gds Tk vs 2525").die(1).out("8 Krps 2-3-4")
    with d.item("any", "6.5", "8 Gds advances 2526 -> 2525", "it took part", units=["8 Gds 7-7-4"], kind="advance", certainty="policy"):
        d.drag("2525", "8 Gds 7-7-4")
    s.say("West Germans: move")
    with d.item(
        "any", "5.0 3.0", "65 Krps moves 1906 -> 1907", "one hex, no ZOC; phase in words only", units=["65 Krps 4-5-5"], certainty="policy"
    ):
        d.drag("1907", "65 Krps 4-5-5")
    d.move("illegal", "5.0", "1810", "85 Krps 2-4-4", why="five hexes with MA 4")
    with d.item("any", "6.1 3.0", "12 SS attacks 12 (Br) in 2203: 8:8 at best, die 5; 12 SS is out", "terrain and unprinted cells; phase in words only", kind="attack",
                units=["12 SS Pz Krps 8-5-8"], certainty="policy"):  # fmt: skip
        d.say("WG combat: 12 SS on 2203").die(5).say("12 SS eliminated").out("12 SS Pz Krps 8-5-8")
    s.say("Allied move")
    with d.item(
        "any",
        "5.0 3.0",
        "8 and 30 (Br) move 2303 -> 2302",
        "one hex to the rear; phase in words only",
        units=["8 (Br) 6-6-7", "30 (Br) 7-4-8"],
        certainty="policy",
    ):
        d.drag("2302", "8 (Br) 6-6-7", "30 (Br) 7-4-8")
    d.move("illegal", "5.0", "1606", "6 (US) 4-8-6", why="1606 is occupied by 64 and 90 Krps")
    s.say("stop here, dinner")


def play_h02() -> None:
    d = Desk(
        "h02-overshot", "Turn 2, the tracker clicked too far and back, and once forgotten", turn=2, phase="S M", at={"1 Hung 3-5-4": "1721"}
    )
    d.red().next(2).say("za dużo klików").tracker(2, "S M")
    d.move("legal", "5.0 4.0", "2326", "3 Gds Tk 6-4-6", why="one hex to the rear, out of the ZOC of 2424")
    d.move("legal", "5.0", "2026", "1 Gds 7-7-4", why="one hex, no ZOC")
    d.next(2).say("oh it says West German Replacement. no soviet attacks anyway")
    d.next()
    d.move("legal", "5.0", "2006", "65 Krps 4-5-5", why="one hex, no ZOC")
    d.next()
    d.say("forgot one!")
    with d.item("illegal", "3.0", "64 Krps moves 1606 -> 1607 in the West German Combat Phase, before any attack", "a forgotten move after the end of the Movement Phase",
                units=["64 Krps 2-3-4"]):  # fmt: skip
        d.drag("1607", "64 Krps 2-3-4")
    d.next()


def play_h03() -> None:
    d = Desk(
        "h03-in-the-middle",
        "Turn 5, the log begins in the middle of the Soviet Movement Phase: some units were moved already (marks still on)",
        at={"3 Gds 7-7-4": "2426", "4 Tk 6-4-6": "2326", "1 Gds 7-7-4": "2126"},
        turn=5,
        phase="S M",
        cleared=False,
    )
    d.red("laptop crashed, going on")
    with d.item(
        "any",
        "5.0",
        "3 Gds moves on 2426 -> 2427?? no, 2526",
        "it was moved before the log began; how far is not known",
        units=["3 Gds 7-7-4"],
        certainty="policy",
    ):
        d.drag("2526", "3 Gds 7-7-4").say("third there, no").drag("2426", "3 Gds 7-7-4")
    d.move("legal", "5.0 4.0", "2225", "3 Gds Tk 6-4-6", why="one hex out of the ZOC of 2424")
    d.move("illegal", "5.0", "1921", "4 Ukr Front 8-20-3", why="more than MA 3 away, and through Germans")
    with d.item(
        "any", "5.0", "1 Gds moves 2126 -> 2226", "one hex; it was moved before the log began", units=["1 Gds 7-7-4"], certainty="policy"
    ):
        d.drag("2226", "1 Gds 7-7-4")
    d.next()
    with d.item(
        "any",
        "6.1",
        "6 Gds Tk and 7 Gds (1523) attack 9 SS in 1522: 13:6, die 3, nothing done",
        "terrain and unprinted cells",
        kind="attack",
        units=["6 Gds Tk 6-4-6", "7 Gds 7-7-4"],
    ):
        d.say("6 Gds Tk, 7 Gds -> 1522, 13:6").die(3).say("no retreat? we look it up").next()


def play_h04() -> None:
    d = Desk("h04-undo-storm", "Turn 1, undo upon undo, also of a die, a chat line and the tracker")
    d.red("start").next()
    with d.item(
        "legal", "5.0", "1 Rom moves 1123 -> 1124 -> 1224, both undone, then 1123 -> 1223", "one hex in the end", units=["1 Rom 3-5-4"]
    ):
        d.drag("1124", "1 Rom 3-5-4").drag("1224", "1 Rom 3-5-4").undo().undo().drag("1223", "1 Rom 3-5-4")
    d.say("soryr").undo()
    d.next().undo()
    d.die(4).undo()
    with d.item(
        "legal",
        "5.0",
        "8 Gds and 1 Gds Tk move 2526 -> 2525 (enemy), undone",
        "undone: no move",
        units=["8 Gds 7-7-4", "1 Gds Tk 6-4-6"],
        certainty="printed rules only",
    ):
        d.drag("2525", "8 Gds 7-7-4", "1 Gds Tk 6-4-6").undo()
    d.move("illegal", "5.0", "2622", "6 Gds 7-7-4", why="3325 to 2622: seven hexes with MA 4")
    with d.item(
        "legal",
        "5.0",
        "2 Gds is dragged 3125 -> 2625 (five hexes with MA 4), undone, then 3125 -> 3126",
        "only the one hex stands",
        units=["2 Gds 7-7-4"],
    ):
        d.drag("2625", "2 Gds 7-7-4").undo().drag("3126", "2 Gds 7-7-4")
    d.next()
    with d.item("legal", "6.1 6.2", "3 Balt (3725) attacks 16 Krps in 3824: the first die 6 undone (a misclick), then 8:5 = 1:1, die 1 = EX; both out", "only the second die counts", kind="attack",
                units=["3 Balt Front 8-20-3", "16 Krps 3-5-4"], odds="1:1", result="EX", certainty="printed (6.1); assumes no river; a die taken back by agreement"):  # fmt: skip
        d.say("3 Balt on 3824").die(6).undo().blue("?").red("misclick, ok?").blue("ok").red().die(1).out(
            "16 Krps 3-5-4", "3 Balt Front 8-20-3"
        )
    d.next()


def play_h05() -> None:
    d = Desk("h05-wrong-phases", "Turn 2, every force moves once when it should not", turn=2, phase="S M", at={"1 Hung 3-5-4": "1721"})
    d.red("let's go")
    d.move("illegal", "3.0", "1607", "90 Krps 2-3-4", why="a West German in the Soviet Movement Phase")
    with d.item(
        "illegal",
        "3.0",
        "13 (Br) moves 0512 -> 0412 in the Soviet Movement Phase, by Blue",
        "a British unit in the Soviet phase",
        units=["13 (Br) 4-8-6"],
    ):
        d.as_(BLUE).drag("0412", "13 (Br) 4-8-6")
    d.to("WG M")
    with d.item(
        "illegal",
        "3.0",
        "4 Gds moves 1221 -> 1222 in the West German Movement Phase",
        "a Soviet unit in the West German phase",
        units=["4 Gds 7-7-4"],
    ):
        d.red().drag("1222", "4 Gds 7-7-4")
    d.to("W M")
    with d.item(
        "illegal",
        "3.0",
        "72 Krps moves 1021 -> 1020 in the Western Allied Movement Phase",
        "an East German in the Western phase",
        units=["72 Krps 3-3-4"],
    ):
        d.blue().drag("1020", "72 Krps 3-3-4")
    d.to("EG M")
    with d.item(
        "illegal",
        "3.0",
        "1 (Fr) moves 1505 -> 1504 in the East German Movement Phase",
        "a French unit in the East German phase",
        units=["1 (Fr) 6-6-7"],
    ):
        d.drag("1504", "1 (Fr) 6-6-7")
    with d.item(
        "legal",
        "3.0 5.0",
        "57 Pz moves 1421 -> 1420",
        "an East German in its own phase, out of the ZOC of 1422",
        units=["57 Pz Krps 5-3-7"],
    ):
        d.drag("1420", "57 Pz Krps 5-3-7")
    d.next(2)
    d.blue("turn done")
    with d.item("illegal", "3.0", "12 (Br) moves 2203 -> 2202 in the Turn Phase", "no movement in the Turn Phase", units=["12 (Br) 4-8-6"]):
        d.drag("2202", "12 (Br) 4-8-6")
    d.next()


def play_h06() -> None:
    d = Desk(
        "h06-moved-again",
        "Turn 2, a unit moved on through a ZOC, and a stack put right too late",
        turn=2,
        phase="S M",
        at={"1 Hung 3-5-4": "1721"},
    )
    d.red()
    d.move("legal", "5.0", "2026", "1 Gds 7-7-4", why="one hex, no ZOC")
    with d.item("illegal", "4.0", "1 Bulg moves 1524 -> 1623, and later in the phase on to 1723", "1623 is next to 1622: it stops there; 1723 is in enemy ZOC as well, and every way to it leads through one",
                units=["1 Bulg 2-5-4"]):  # fmt: skip
        d.drag("1623", "1 Bulg 2-5-4")
        d.move("legal", "5.0", "1223", "1 Rom 3-5-4", why="one hex, no ZOC")
        d.drag("1723", "1 Bulg 2-5-4")
    d.move("legal", "5.0", "2624", "1 Polish 3-4-4", why="out of ZOC to 2725 and into the ZOC at 2624: two hexes with MA 4")
    with d.item("illegal", "5.1", "end of the Soviet Movement Phase with 1 BR, 2 Tk and 1 Polish in 2624", "three units in a hex; put right only in the Combat Phase", kind="stacking",
                units=["1 BR Front 8-20-3", "2 Tk 6-4-6", "1 Polish 3-4-4"]):  # fmt: skip
        d.next()
    d.say("oh, three in there")
    with d.item(
        "illegal",
        "3.0",
        "1 Polish moves 2624 -> 2724 in the Combat Phase to put the stack right",
        "movement after the end of the Movement Phase",
        units=["1 Polish 3-4-4"],
    ):
        d.drag("2724", "1 Polish 3-4-4")
    d.next()


def play_h07() -> None:
    d = Desk(
        "h07-option-movement",
        "Turn 2, a march after the Soviet fights: with option 18.1 nobody spoke of it",
        turn=2,
        phase="S C",
        at={"1 Hung 3-5-4": "1721"},
    )
    d.red("no attacks")
    d.move("illegal", "3.0", "2026", "1 Gds 7-7-4", why="movement in the Combat Phase; no word of option 18.1", kind="option")
    d.next()


# --------------------------------------------------------------------------------------- driven over the line, new identities


def play_i01() -> None:
    d = Desk(
        "i01-from-ost-to-west",
        "Turn 5, an East German is driven over the line near Berlin and marches on as a West German",
        at={
            "8 Krps 2-3-4": "2514", "1 Gds 7-7-4": "2614", "8 Gds 7-7-4": "2515", "1 Gds Tk 6-4-6": "2515", "3 Gds 7-7-4": "2415", "5 Gds 7-7-4": "2414",
        },
        turn=5,
        phase="S C",
    )  # fmt: skip
    with d.item("any", "6.1 6.2.1 5.2.1", "1 Gds (2614), 8 Gds, 1 Gds Tk (2515), 3 Gds (2415), 5 Gds (2414) attack 8 Krps in 2514, die 6; it goes to 2513", "terrain, cells and the run of the line decide", kind="attack",
                units=["1 Gds 7-7-4", "8 Gds 7-7-4", "1 Gds Tk 6-4-6", "8 Krps 2-3-4"]):  # fmt: skip
        d.red("1 Gds, 8 Gds, 1 Gds Tk on 2514 20:3 6-1").die(6).say("DR").blue("over the line then").drag("2513", "8 Krps 2-3-4")
    d.red()
    with d.item("any", "6.5", "1 Gds advances 2614 -> 2514", "it took part, if the result stands", units=["1 Gds 7-7-4"], kind="advance"):
        d.drag("2514", "1 Gds 7-7-4")
    d.to("WG M")
    with d.item(
        "any", "3.0 5.2.1", "8 Krps, West German now, moves 2513 -> 2512", "its new force moves now (R-G49)", units=["8 Krps 2-3-4"]
    ):
        d.red("8 Krps is mine now :)").drag("2512", "8 Krps 2-3-4")
    d.to("EG M")
    with d.item(
        "any",
        "3.0 5.2.1",
        "8 Krps moves 2512 -> 2511 in the East German Movement Phase",
        "it is no East German any more, if 2513 is west of the line",
        units=["8 Krps 2-3-4"],
    ):
        d.blue("no, mine").drag("2511", "8 Krps 2-3-4")
    d.next()


def play_i02() -> None:
    d = Desk(
        "i02-home-or-out",
        "Turn 4, a Soviet thrown over the line comes home, another is taken off in time",
        at={"10 Gds 7-7-4": "1906", "65 Krps 4-5-5": "2310", "11 Gds 7-7-4": "2513"},
        turn=4,
        phase="S M",
    )
    with d.item("legal", "5.0 5.2.2", "11 Gds (2513, beside Berlin on the west) goes home by Berlin to 2614", "a displaced unit may enter Berlin from the wrong side (R-G38) and must recross", units=["11 Gds 7-7-4"],
                certainty="practical; 2614 is east, 2513 west or east of the line"):  # fmt: skip
        d.red("11 Gds wraca").drag("2613", "11 Gds 7-7-4").drag("2614", "11 Gds 7-7-4")
    with d.item(
        "any",
        "5.2.2 7.1",
        "10 Gds in 1906 cannot come home and is put into the box",
        "eliminated at the end of the phase, as it must be",
        units=["10 Gds 7-7-4"],
        kind="phase end",
    ):
        d.say("10 Gds nie zdąży").out("10 Gds 7-7-4").next()


def play_i03() -> None:
    d = Desk(
        "i03-yugoslav-deadlines",
        "Turn 6, a Yugoslav abroad and a Romanian in Yugoslavia who stay there",
        at={
            "1 Yugo 5-6-4": "1123",
            "1 Rom 3-5-4": "0824",
            "15 SS Krps 2-3-6": "1320",
            "68 Krps 4-5-5": "1320",
            "72 Krps 3-3-4": "1420",
            "4 Pz Krps 3-2-7": "1420",
            "57 Pz Krps 5-3-7": "1418",
            "1 Kav Krps 3-5-6": "1418",
        },
        turn=6,
        phase="S M",
    )
    d.red("nothing to move in the south").next()
    with d.item("illegal", "5.3.1 5.3.2", "the Soviet Combat Phase ends with 1 Yugo in 1123 and 1 Rom in 0824", "a Yugoslav not back (5.3.1), a Romanian not out (5.3.2): both to be eliminated", kind="phase end",
                units=["1 Yugo 5-6-4", "1 Rom 3-5-4"]):  # fmt: skip
        d.say("no attacks either").next()


# --------------------------------------------------------------------------------------------- words for the same thing


def _courland() -> dict[str, str]:
    return {"10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Gds 7-7-4": "3725", "3 SS Pz Krps 7-5-8": "3121", "2 Krps 3-5-4": "3121"}


_WAYS = {
    "j01-words-a": ("2 Balt., 10. Garde, 5. Garde-Panzer gegen 3823, 21 zu 4", "3.Balt+2.Garde -> 16.Korps, 15:5"),
    "j02-words-b": ("2B+10G+5GT on 3823 (5-1)", "3B+2G on 3824 (3-1)"),
    "j03-words-c": ("atak na 3823: 2 Bałtycki, 10 Gw, 5 Gw Panc. 21:4", "atak na 3824: 3 Bałtycki i 2 Gw, 15:5"),
    "j04-words-d": ("attaque 3823 - 2 Balt, 10 Gds, 5 Gds Tk - 21 contre 4", "3 Balt et 2 Gds attaquent 3824, 15 contre 5"),
    "j05-words-e": ("Attack 1: hex 3823, 21-4 = 5-1", "Attack 2: hex 3824, 15-5 = 3-1"),
    "j06-words-f": ("10 krps gets it: 2 balt/10 gds/5 gds tk", "now the 16th: 3 balt & 2 gds"),
    "j07-words-g": ("3823 5:1", "3824 3:1"),
    "j08-words-h": ("2 Balt, 10 Gds, 5 Gds Tk atack 3283 21:4", "3 Balt, 2 Gds atak 3842"),
    "j09-words-i": ("2 Balt, 10 Gds and 5 Gds Tk attack 3823.", "3 Balt and 2 Gds attack 3824."),
}


def _way(slug: str) -> None:
    first, second = _WAYS[slug]
    sure = slug not in ("j07-words-g", "j08-words-h", "j02-words-b")
    d = Desk(
        slug, "Turn 3, the same two attacks in other words, the die before the words in one of them", at=_courland(), turn=3, phase="S C"
    )
    d.red("kampf / walka / combat")
    with d.item("legal" if sure else "any", "6.1 6.2", "2 Balt, 10 Gds (3723), 5 Gds Tk (3724) attack 10 Krps in 3823: 21:4 = 5:1, die 3 = DE", "as in 18.1", kind="attack", odds="5:1", result="DE",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="printed (18.1)"):  # fmt: skip
        d.say(first).die(3).say("3").out("10 Krps 2-4-4")
    with d.item("legal" if sure else "any", "6.1 6.2", "3 Balt, 2 Gds (3725) attack 16 Krps in 3824: 15:5 = 3:1, die 4 = DR, to 3924", "3924 is vacant and in no Soviet ZOC", kind="attack", odds="3:1", result="DR",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"], certainty="printed (18.1); assumes no river"):  # fmt: skip
        d.say(second).die(4).blue("hm").drag("3924", "16 Krps 3-5-4").red()
    with d.item("legal" if sure else "any", "6.5", "2 Gds advances 3725 -> 3824", "it took part", units=["2 Gds 7-7-4"], kind="advance"):
        d.drag("3824", "2 Gds 7-7-4")
    d.next()


def play_j01() -> None:
    for slug in _WAYS:
        _way(slug)


def play_k01() -> None:
    d = Desk("k01-die-first", "Turn 3, the die is thrown before the words, and a fun die after", at=_courland(), turn=3, phase="S C")
    with d.item("legal", "6.1 6.2", "die 3, then: that was 2 Balt, 10 Gds, 5 Gds Tk on 3823, 21:4 = 5:1, DE", "said after the die, but said", kind="attack", odds="5:1", result="DE",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="printed (18.1)"):  # fmt: skip
        d.red().die(3).say("that was 2 Balt, 10 Gds, 5 Gds Tk on 3823, 21:4").out("10 Krps 2-4-4")
    d.blue().die(6).say("I can roll sixes too")
    d.red("he he").die(2)
    d.say("ok, end of combat").next()


def play_k02() -> None:
    d = Desk(
        "k02-clean-turn", "Turn 2, a whole quiet turn of two players without a fault", turn=2, phase="S R", at={"1 Hung 3-5-4": "1721"}
    )
    d.red("no Soviet losses, no replacements").next()
    for names, place in (
        (("3 Gds Tk 6-4-6", "4 Tk 6-4-6"), "2326"),
        (("1 Gds 7-7-4",), "2026"),
        (("4 Rom 3-5-4",), "1323"),
        (("2 Gds 7-7-4",), "3126"),
        (("1 Polish 3-4-4", "2 Polish 3-4-4"), "2725"),
    ):
        d.move("legal", "5.0", place, *names, why="one hex into a hex without enemy ZOC")
    d.next()
    with d.item(
        "any",
        "6.1 6.2",
        "6 and 11 Gds (3325) attack 26 and 39 Pz in 3224: 14:11 = 1:1 at best, die 4, AR",
        "terrain and unprinted cells",
        kind="attack",
        units=["6 Gds 7-7-4", "11 Gds 7-7-4"],
    ):
        d.say("6+11 Gds on 3224, 14:11").die(4).say("AR, back to 3326").drag("3326", "6 Gds 7-7-4").drag("3425", "11 Gds 7-7-4")
    d.next().next()
    d.say("west")
    d.move("legal", "5.0", "1907", "65 Krps 4-5-5", why="one hex, no ZOC")
    d.next(2)
    d.blue("my turn").next()
    d.move("legal", "5.0", "2302", "8 (Br) 6-6-7", "30 (Br) 7-4-8", why="one hex to the rear, out of the ZOC of 2304")
    d.move("legal", "5.0", "1404", "2 (Fr) 4-8-6", why="one hex, no ZOC or out of one")
    d.next(2).next()
    d.move("legal", "5.0", "1420", "57 Pz Krps 5-3-7", "1 Kav Krps 3-5-6", why="out of the ZOC of 1422")
    d.move("legal", "5.0", "3222", "GD Pz Krps 7-5-8", why="one hex, no ZOC")
    d.next().say("keine Angriffe").next(2)
    d.red("turn 3").die(3)


# ------------------------------------------------------------------------------------------ more of the west, more of the odd


def play_l01() -> None:
    d = Desk(
        "l01-west-turn2",
        "Turn 2, the Western Allied movement: legal ways round, long marches, a pass between two ZOCs",
        turn=2,
        phase="W M",
        by=BLUE,
        at={"1 Hung 3-5-4": "1721"},
    )
    d.blue("ruszam")
    d.move("legal", "5.0", "1503", "2 (Fr) 4-8-6", why="two hexes with MA 6, no ZOC near")
    d.move("legal", "5.0 4.0", "2003", "8 (US) 4-8-6", why="leaves the ZOC of 1905 into a free hex")
    d.move("illegal", "5.0", "1606", "12 (US) 6-6-7", why="1606 is held by 64 and 90 Krps")
    d.move("legal", "5.0 4.0", "1504", "1 (Fr) 6-6-7", why="out of the ZOC of 1506 and 1606, one hex to the rear")
    d.say("attacks now").next()
    with d.item(
        "any",
        "6.1",
        "13 and 19 (US) (2204) attack 74 and 81 Krps in 2205: 10:11 at best, die 6; 13 and 19 are lost",
        "terrain and unprinted cells",
        kind="attack",
        units=["13 (US) 4-8-6", "19 (US) 6-6-7"],
    ):
        d.say("13 US, 19 US -> 2205").die(6).say("AE :(").delete("13 (US) 4-8-6", "19 (US) 6-6-7")
    with d.item(
        "illegal",
        "6.3",
        "5 and 7 (US) (2104) attack 2105 and 2005 and 12 (Br) (2203) joins",
        "12 (Br) is next to neither, and 2104 is not next to 2005",
        kind="attack",
        units=["5 (US) 7-4-8", "7 (US) 6-6-7", "12 (Br) 4-8-6"],
    ):
        d.say("5 US + 7 US + 12 Br on 2105 and 2005 in one go").die(3).say("no")
    d.next()


def play_l02() -> None:
    d = Desk(
        "l02-stack-of-three-by-retreat",
        "Turn 4, Soviet combat: a retreat into a full hex, and one of a Front onto a Front",
        at={
            "16 Krps 3-5-4": "3824", "10 Krps 2-4-4": "3924", "2 Krps 3-5-4": "3924", "3 SS Pz Krps 7-5-8": "3823", "2 Gds 7-7-4": "3725", "10 Gds 7-7-4": "3725", "3 Balt Front 8-20-3": "3726",
        },
        turn=4,
        phase="S C",
    )  # fmt: skip
    with d.item("illegal", "6.2.1", "2 Gds and 10 Gds (3725) attack 16 Krps in 3824: 14:5 = 2:1, die 3, it retreats into 3924, where two units stand", "no retreat into a hex with two units, whatever the die gave",
                kind="attack", units=["2 Gds 7-7-4", "10 Gds 7-7-4", "16 Krps 3-5-4"]):  # fmt: skip
        d.red("2 Gds, 10 Gds vs 3824, 14:5 2:1").die(3).say("DR").blue("squeeze in").drag("3924", "16 Krps 3-5-4")
    d.red().next()


def play_l03() -> None:
    d = Desk(
        "l03-ae-and-ar",
        "Turn 3, East German combat: attackers that should go and stay, defenders that advance",
        at={"1 Hung 3-5-4": "1721", "24 Pz Krps 7-5-8": "1823", "11 SS Krps 3-4-4": "1823", "59 Krps 2-4-4": "1824"},
        turn=3,
        phase="EG C",
        by=BLUE,
    )
    with d.item("any", "6.1 6.2", "24 Pz and 11 SS (1823), 59 Krps (1824) attack 4 Ukr in 1724: 12:20 = 1:2 at best, die 4; all retreat", "terrain and unprinted cells", kind="attack",
                units=["24 Pz Krps 7-5-8", "11 SS Krps 3-4-4", "59 Krps 2-4-4"]):  # fmt: skip
        d.blue("24 Pz + 11 SS + 59 on 1724 12:20").die(4).say("AR").drag("1822", "24 Pz Krps 7-5-8").drag("1923", "11 SS Krps 3-4-4").drag(
            "1924", "59 Krps 2-4-4"
        )
    with d.item(
        "any",
        "6.5",
        "4 Ukr advances 1724 -> 1823",
        "a defender may advance into a hex that the attackers left; whether they had to is not printed",
        units=["4 Ukr Front 8-20-3"],
        kind="advance",
    ):
        d.red("4 Ukr goes after them").drag("1823", "4 Ukr Front 8-20-3")
    with d.item(
        "illegal",
        "6.5 3.0",
        "1 Gds (1926) advances to 1824 although it took no part",
        "not attacked, not an attacker",
        units=["1 Gds 7-7-4"],
        kind="advance",
    ):
        d.drag("1824", "1 Gds 7-7-4")
    d.blue().next()


def play_l04() -> None:
    d = Desk(
        "l04-placed-on-top",
        "Turn 6, replacements that overstack or stand among strangers",
        at={
            "30 (Br) 7-4-8": "box-w",
            "1 (Br) 4-8-6": "box-w 1",
            "5 (Br) 4-8-6": "2201",
            "12 (Br) 4-8-6": "2201",
            "64 Krps 2-3-4": "box-wg",
            "85 Krps 2-4-4": "2612",
            "90 Krps 2-3-4": "2612",
        },
        turn=6,
        phase="WG R",
    )
    d.move("illegal", "7.2 5.1", "2612", "64 Krps 2-3-4", kind="replacement", why="a third unit in 2612: stacking holds at once (7.2)")
    with d.item(
        "illegal",
        "5.1",
        "the West German Movement Phase ends with 85, 90 and 64 Krps in 2612",
        "three units in a hex",
        kind="stacking",
        units=["64 Krps 2-3-4"],
    ):
        d.next(2)
    d.to("W R")
    d.blue("30 Br joins them in 2201")
    d.move("illegal", "7.2 5.1", "2201", "30 (Br) 7-4-8", kind="replacement", why="a third unit in 2201")
    d.move("illegal", "7.2", "2203", "1 (Br) 4-8-6", kind="replacement", why="2203 is not on the west edge")
    d.next()


def play_l05() -> None:
    d = Desk(
        "l05-both-at-once",
        "Turn 2, two players at the table: Blue fiddles while Red moves, everything put back",
        turn=2,
        phase="S M",
        at={"1 Hung 3-5-4": "1721"},
    )
    d.red()
    d.move("legal", "5.0", "2026", "1 Gds 7-7-4", why="one hex, no ZOC")
    with d.item(
        "legal",
        "5.0 3.0",
        "Blue drags 7 (US) 2104 -> 2003 and back during the Soviet phase",
        "put back, no net move",
        units=["7 (US) 6-6-7"],
        certainty="policy: corrected in the same phase",
    ):
        d.as_(BLUE).drag("2003", "7 (US) 6-6-7").say("just measuring").drag("2104", "7 (US) 6-6-7")
    with d.item(
        "any", "5.0", "Blue moves 4 Tk 2325 -> 2326 for Red, who asked", "the hand that drags does not matter", units=["4 Tk 6-4-6"]
    ):
        d.red("can you move 4 Tk to 2326 pls, my mouse died").as_(BLUE).drag("2326", "4 Tk 6-4-6")
    d.red("thx")
    d.move("legal", "5.0 4.0", "2225", "3 Gds Tk 6-4-6", why="one hex out of the ZOC of 2424")
    d.next()


def play_l06() -> None:
    d = Desk(
        "l06-courland-garrison-walks-out",
        "Turn 2, Germans walk out of Courland past Soviet ZOCs",
        turn=2,
        phase="EG M",
        by=BLUE,
        at={"1 Hung 3-5-4": "1721"},
    )
    d.blue()
    d.move(
        "illegal", "4.0", "3724", "16 Krps 3-5-4", why="3824 (next to 3725) to 3724 (next to 3723 and 3725); every way is under Soviet ZOC"
    )
    d.move("legal", "5.0", "3923", "2 Krps 3-5-4", why="one hex along the coast, no ZOC")
    d.move("legal", "5.0", "1420", "57 Pz Krps 5-3-7", why="out of the ZOC of 1422 into a free hex")
    d.next()


def play_l07() -> None:
    d = Desk(
        "l07-exit-to-empty-front",
        "Turn 8, an exit in the south: only units of the Italian front may be named",
        at={"76 Pz Krps 3-5-5": "0113", "14 Pz Krps 4-6-5": "0114"},
        turn=8,
        phase="WG M",
    )
    with d.item(
        "legal",
        "9.0",
        "76 Pz exits from 0113; 13 (Br) and 2 (Pol) in 0512 are flipped",
        "in an exit hex with MA 5; both four hexes away, none is nearer",
        units=["76 Pz Krps 3-5-5"],
        kind="exit",
    ):
        d.red("76 Pz leaves Italy").drag("off", "76 Pz Krps 3-5-5").flip("13 (Br) 4-8-6", "2 (Pol) 4-8-6")
    with d.item(
        "illegal",
        "9.0",
        "14 Pz exits from 0114; 2 (Fr) and 1 (Fr) in France are flipped",
        "the two closest are in Italy",
        units=["14 Pz Krps 4-6-5", "2 (Fr) 4-8-6", "1 (Fr) 6-6-7"],
        kind="exit",
    ):
        d.drag("off 1", "14 Pz Krps 4-6-5").say("and two Frenchmen").flip("2 (Fr) 4-8-6", "1 (Fr) 6-6-7")
    d.say("removing them").delete("13 (Br) 4-8-6", "2 (Pol) 4-8-6")
    d.next()


def play_l08() -> None:
    d = Desk(
        "l08-mixed-up-reds",
        "Turn 2, look-alikes: 1 Gds and 1 Gds Tk, 1 BR and 1 (Br), 2 Krps and 2 LW, in chat and on the board",
        turn=2,
        phase="S M",
        at={"1 Hung 3-5-4": "1721"},
    )
    d.red("1gds rusza, 1gdstk zostaje")
    d.move("legal", "5.0", "2026", "1 Gds 7-7-4", why="one hex, no ZOC")
    d.next()
    with d.item("any", "6.1 6.2", "1 BR and 2 Tk (2624) attack 20 and 23 Krps in 2623: 14:7 = 2:1 at best, die 3; DR, both back", "terrain and unprinted cells", kind="attack",
                units=["1 BR Front 8-20-3", "2 Tk 6-4-6", "20 Krps 2-3-4", "23 Krps 3-4-4"]):  # fmt: skip
        d.say("1BR + 2Tk on 2623").die(3).blue("20 to 2523, 23 to 2622").drag("2622", "23 Krps 3-4-4").drag("2523", "20 Krps 2-3-4")
    with d.item("any", "6.5", "2 Tk advances 2624 -> 2623", "it took part, if the result stands", units=["2 Tk 6-4-6"], kind="advance"):
        d.red().drag("2623", "2 Tk 6-4-6")
    with d.item(
        "any",
        "6.1 6.2",
        "8 Gds and 1 Gds Tk (2526) attack 8 Krps in 2525: 13:3, die 5",
        "terrain and unprinted cells",
        kind="attack",
        units=["8 Gds 7-7-4", "1 Gds Tk 6-4-6", "8 Krps 2-3-4"],
    ):
        d.say("8 gds and 1 gds tank army against 8 krps").die(5).blue("DR, no way out").out("8 Krps 2-3-4")
    d.red("ende").next()


def play_l09() -> None:
    d = Desk(
        "l09-berlin-entered-and-left",
        "Turn 9, a Front takes Berlin and must stay; a corps passes on",
        at={"1 BR Front 8-20-3": "2614", "8 Gds 7-7-4": "2614", "2 BR Front 8-20-3": "2715"},
        turn=9,
        phase="S M",
    )
    d.red("URRA!")
    d.move("legal", "5.0 5.2.2", "2613", "1 BR Front 8-20-3", why="one hex from the east into Berlin, no ZOC")
    d.move("legal", "5.0", "2614", "2 BR Front 8-20-3", why="one hex, no ZOC")
    d.next()
    d.tracker(10, "S M")
    d.say("turn 10 already, we skipped the rest, germans are dead anyway")
    d.move("illegal", "10.0", "2514", "1 BR Front 8-20-3", why="the garrison of Berlin never moves")
    d.next()


def play_l10() -> None:
    d = Desk(
        "l10-joke-attacks", "Turn 2, jokes, rehearsals and announcements without a die", turn=2, phase="S C", at={"1 Hung 3-5-4": "1721"}
    )
    d.red("1 Gds attacks Paris lol").red("if I attack 2525 with 8 Gds and 1 Gds Tk I have 13:3, hm").blue("do it").red("nah")
    d.die(1).say("test roll, ignore")
    d.say("what would 6+11 Gds on 3224 be? 14 to 11...").say("no thanks")
    d.say("no attacks this turn").next()
    d.blue("3423 next time? :P")


def play_l11() -> None:
    d = Desk(
        "l11-retreat-order",
        "Turn 5, a stack thrown back: the first takes the last vacant hex, the second joins a friend with room",
        at={
            "10 Gds 7-7-4": "3723",
            "5 Gds Tk 6-4-6": "3724",
            "2 Gds 7-7-4": "3724",
            "2 Krps 3-5-4": "3823",
            "16 Krps 3-5-4": "3923",
            "3 SS Pz Krps 7-5-8": "3121",
        },
        turn=5,
        phase="S C",
    )
    names = ["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "2 Gds 7-7-4"]
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds, 5 Gds Tk, 2 Gds attack 10 and 2 Krps in 3823: 28:9 = 3:1, die 4 = DR; 10 Krps to 3924, 2 Krps to 3923 with 16 Krps", "3924 is the only vacant hex; then a friend-occupied one does",
                units=[*names, "10 Krps 2-4-4", "2 Krps 3-5-4"], kind="attack", odds="3:1", result="DR", certainty="printed (18.1); assumes no river"):  # fmt: skip
        d.red("2 Balt, 10 Gds, 5 Gds Tk, 2 Gds on 3823, 28:9").die(4)
        d.blue().drag("3924", "10 Krps 2-4-4").drag("3923", "2 Krps 3-5-4")
    d.red().next()


def play_l12() -> None:
    d = Desk(
        "l12-results-later",
        "Turn 3, two combats rolled one after the other, both results put on the board at the end",
        at=_courland(),
        turn=3,
        phase="S C",
    )
    with d.item("any", "6.1 6.2", "2 Balt, 10 Gds, 5 Gds Tk on 3823, 5:1, die 3 = DE; 3 Balt, 2 Gds on 3824, 3:1, die 4 = DR; then 10 Krps out, 16 Krps to 3924", "right results, but not applied at once (6.1): whether that counts is a matter of policy", kind="attack",
                units=["10 Krps 2-4-4", "16 Krps 3-5-4"], certainty="policy"):  # fmt: skip
        d.red("2 Balt, 10 Gds, 5 Gds Tk on 3823, 5:1").die(3).say("3 Balt, 2 Gds on 3824, 3:1").die(4).say(
            "so 10 krps dead, 16 krps back to 3924"
        )
        d.out("10 Krps 2-4-4").drag("3924", "16 Krps 3-5-4")
    d.next()


def play_l13() -> None:
    d = Desk(
        "l13-marched-off-the-board",
        "Turn 3, counters dropped into the margins, in the wrong box, and back",
        at={"1 Hung 3-5-4": "1721"},
        turn=3,
        phase="S M",
    )
    with d.item(
        "legal",
        "5.0",
        "1 Gds slips into the Destroyed Soviets box and is put back",
        "put back where it was",
        units=["1 Gds 7-7-4"],
        certainty="policy: corrected in the same phase",
    ):
        d.red().drag("box-s", "1 Gds 7-7-4").say("ups").drag("1926", "1 Gds 7-7-4")
    with d.item("illegal", "5.0 9.0", "3 Gds moves 2425 -> 2427, a hex beyond the map", "off the map", units=["3 Gds 7-7-4"]):
        d.drag("2427", "3 Gds 7-7-4")
    d.say("weg damit").next()


def play_l14() -> None:
    d = Desk(
        "l14-attack-then-move",
        "Turn 2, West German combat: one advance, another into the same hex, and a second attack",
        at={"1 Hung 3-5-4": "1721"},
        turn=2,
        phase="WG C",
    )
    with d.item(
        "any",
        "6.1 6.2",
        "13 SS and 82 Krps (1806) attack 15 (US) in 1706: 10:8 at best, die 2; it retreats to 1604",
        "terrain and unprinted cells",
        kind="attack",
        units=["13 SS Krps 6-7-6", "82 Krps 4-5-5", "15 (US) 4-8-6"],
    ):
        d.red("13 SS + 82 @1706").die(2).blue("nowhere to go, dead").delete("15 (US) 4-8-6")
    with d.item(
        "any", "6.5", "13 SS advances 1806 -> 1706", "it took part, if the result stands", units=["13 SS Krps 6-7-6"], kind="advance"
    ):
        d.red().drag("1706", "13 SS Krps 6-7-6")
    with d.item("illegal", "6.5", "82 Krps advances 1806 -> 1706 as well", "one unit only", units=["82 Krps 4-5-5"], kind="advance"):
        d.drag("1706", "82 Krps 4-5-5")
    with d.item(
        "illegal",
        "6.3",
        "13 SS (now in 1706) attacks 12 and 20 (US) in 1705",
        "it has attacked already",
        units=["13 SS Krps 6-7-6"],
        kind="attack",
    ):
        d.say("and on: 13 SS against 1705").die(1).say("no effect")
    d.next()


# --------------------------------------------------------------------------------------------- options, late trackers, names


def play_m01() -> None:
    d = Desk(
        "m01-supply-markers",
        "Turn 3, offensive supply markers: under a corps, and one too many",
        turn=3,
        phase="S R",
        at={"1 Hung 3-5-4": "1721"},
    )
    d.red("supply markers in play, option 18.1")
    with d.item("any", "18.1", "a marker under 1 Ukr in 2224", "legal with the option", kind="option"):
        d.supply("2224")
    with d.item(
        "illegal",
        "18.1",
        "a marker in 1926, where no Front stands",
        "a marker goes under a Front",
        kind="option",
        certainty="illegal with and without the option",
    ):
        d.supply("1926")
    with d.item(
        "illegal",
        "18.1",
        "a third marker, under 2 Ukr in 1422",
        "two at most in a turn",
        kind="option",
        certainty="illegal with and without the option",
    ):
        d.supply("1422")
    d.next()
    d.move("legal", "5.0", "2026", "1 Gds 7-7-4", why="one hex, no ZOC")
    d.next()


def play_m02() -> None:
    d = Desk(
        "m02-second-combat",
        "Turn 4, a second Combat Phase by option 18.1: units in range, an ally, and one far away",
        at={
            "10 Gds 7-7-4": "3723",
            "5 Gds Tk 6-4-6": "3724",
            "1 Polish 3-4-4": "3724",
            "2 Gds 7-7-4": "3725",
            "3 SS Pz Krps 7-5-8": "3121",
            "2 Krps 3-5-4": "3121",
        },
        turn=4,
        phase="S R",
    )
    d.red("Nachschub unter 2 Balt, wie vereinbart (18.1)")
    with d.item("any", "18.1", "a marker under 2 Balt in 3723", "legal with the option", kind="option"):
        d.supply("3723")
    d.next(2)
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds, 5 Gds Tk attack 10 Krps in 3823: 21:4 = 5:1, die 3 = DE", "as in 18.1", kind="attack", odds="5:1", result="DE",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="printed (18.1)"):  # fmt: skip
        d.say("2 Balt, 10 Gds, 5 Gds Tk -> 3823").die(3).out("10 Krps 2-4-4")
    with d.item("legal", "6.5", "5 Gds Tk advances 3724 -> 3823", "it took part", units=["5 Gds Tk 6-4-6"], kind="advance"):
        d.drag("3823", "5 Gds Tk 6-4-6")
    d.say("second combat phase")
    with d.item("any", "18.1 6.3", "5 Gds Tk (3823), 3 Balt and 2 Gds (3725) attack 16 Krps in 3824: 21:5 = 4:1, die 6 = DR, to 3925", "5 Gds Tk attacks a second time, which the option allows within 3 hexes of the marker", kind="attack",
                units=["5 Gds Tk 6-4-6", "3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"], certainty="legal with the option 18.1, illegal without it"):  # fmt: skip
        d.say("5 Gds Tk + 3 Balt + 2 Gds on 3824 21:5").die(6).blue("3925").drag("3925", "16 Krps 3-5-4")
    d.red("second movement")
    with d.item(
        "any",
        "18.1 3.0",
        "10 Gds moves 3723 -> 3724",
        "half of MA 4 is 2; in range",
        units=["10 Gds 7-7-4"],
        certainty="legal with the option 18.1, illegal without it",
    ):
        d.drag("3724", "10 Gds 7-7-4")
    d.move(
        "illegal",
        "18.1 3.0",
        "2725",
        "2 Polish 3-4-4",
        why="an ally, and far from the marker",
        certainty="illegal with and without the option",
    )
    d.next()


def play_n01() -> None:
    d = Desk(
        "n01-no-hitler-restriction",
        "Turn 2, evacuations under the option of section 18, one too many in a turn",
        turn=2,
        phase="EG M",
        by=BLUE,
        at={"1 Hung 3-5-4": "1721"},
    )
    d.blue("option 'No Hitler Evacuation Restriction' is in use, right?").red("yes")
    with d.item(
        "any",
        "8.0",
        "3 SS in 3822 is evacuated to 2912 on turn 2, die 4",
        "legal with the option of section 18 (if 3822 is coastal)",
        kind="courland",
        units=["3 SS Pz Krps 7-5-8"],
        die=4,
        certainty="depends on the option",
    ):
        d.blue("3 SS").die(4).drag("2912", "3 SS Pz Krps 7-5-8")
    with d.item(
        "illegal",
        "8.0",
        "16 Krps is evacuated too, die 2",
        "one attempt a turn even with the option",
        kind="courland",
        units=["16 Krps 3-5-4"],
        die=2,
        certainty="illegal with and without the option",
    ):
        d.say("16 Krps").die(2).drag("2815", "16 Krps 3-5-4")
    d.next()


def play_n02() -> None:
    d = Desk(
        "n02-partial-attack-option",
        "Turn 3, an attack on one unit of a stack with the optional rule 6.3 in force",
        at={"10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Krps 3-5-4": "3823", "3 SS Pz Krps 7-5-8": "3121"},
        turn=3,
        phase="S C",
    )
    d.red("we play with the optional 6.3 (attack one unit of a stack)").blue("ok")
    with d.item("any", "6.3 18.0", "2 Balt, 10 Gds, 5 Gds Tk attack only 10 Krps in 3823: 21:4 = 5:1, die 3 = DE", "legal with the option 18/6.3", kind="attack",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="legal with the option, illegal without it"):  # fmt: skip
        d.red("2 Balt, 10 Gds, 5 Gds Tk on 10 Krps in 3823 only, 21:4").die(3).out("10 Krps 2-4-4")
    d.next()


def play_o01() -> None:
    d = Desk(
        "o01-late-clicks",
        "Turn 2, the tracker always a click too late",
        turn=2,
        phase="S R",
        at={"10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Gds 7-7-4": "3725"},
    )
    d.as_(RED)
    with d.item(
        "unclear",
        "3.0",
        "1 Gds moves 1926 -> 2026 with the tracker on the Replacement Phase, then the tracker is clicked",
        "one free hex; whether the late click counts is a matter of policy",
        units=["1 Gds 7-7-4"],
    ):
        d.drag("2026", "1 Gds 7-7-4")
    d.next().say("there, movement")
    d.move("legal", "5.0", "2326", "3 Gds Tk 6-4-6", why="one hex out of the ZOC of 2424")
    with d.item("unclear", "3.0 6.1 6.2", "2 Balt, 10 Gds, 5 Gds Tk attack 10 Krps in 3823 with the tracker still on the Movement Phase: 21:4 = 5:1, die 3 = DE; then the tracker is clicked", "right by itself; the late click is a matter of policy",
                kind="attack", units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"]):  # fmt: skip
        d.say("combat: 2 Balt, 10 Gds, 5 Gds Tk on 3823, 21:4").die(3).out("10 Krps 2-4-4")
    d.next().say("forgot to click again")
    d.next()
    d.say("now the germans")
    with d.item(
        "unclear",
        "3.0",
        "65 Krps moves 1906 -> 2006 with the tracker on the West German Replacement Phase",
        "one free hex; whether the late click counts is a matter of policy",
        units=["65 Krps 4-5-5"],
    ):
        d.drag("2006", "65 Krps 4-5-5")
    d.next()
    d.move("illegal", "5.0", "1811", "85 Krps 2-4-4", why="six hexes with MA 4")
    d.next(2)


def play_o02() -> None:
    d = Desk(
        "o02-last-phase-first",
        "Turn 2, the East German half with the tracker one player turn behind",
        turn=2,
        phase="W C",
        by=BLUE,
        at={"1 Hung 3-5-4": "1721"},
    )
    d.blue("no western attacks. now my Germans")
    with d.item(
        "unclear",
        "3.0",
        "57 Pz moves 1421 -> 1420 with the tracker on the Western Allied Combat Phase",
        "one free hex in the phase that is meant; the tracker follows later",
        units=["57 Pz Krps 5-3-7"],
    ):
        d.drag("1420", "57 Pz Krps 5-3-7")
    d.say("tracker!").next(2)
    d.move("legal", "5.0", "3222", "GD Pz Krps 7-5-8", why="one hex, no ZOC")
    d.move("illegal", "4.0", "3424", "9 Krps 4-5-5", why="3423 and 3424 both in Soviet ZOC, no way round")
    d.next()


def play_p01() -> None:
    d = Desk(
        "p01-by-city-names",
        "Turn 7, attacks announced by the names of cities",
        at={
            "4 SS Pz Krps 4-3-8": "2723",
            "1 BR Front 8-20-3": "2823",
            "2 Tk 6-4-6": "2823",
            "20 Krps 2-3-4": "2518",
            "23 Krps 3-4-4": "2518",
            "55 Krps 3-4-4": "2520",
            "41 Pz Krps 5-5-5": "2520",
            "65 Krps 4-5-5": "2713",
            "30 (Br) 7-4-8": "2613",
        },
        turn=7,
        phase="S C",
    )
    with d.item("any", "6.1 6.2", "1 BR, 2 Tk (2823), 1 and 2 Polish (2724) attack 4 SS in Warsaw: 20:3 at most, die 6, DR, to 2622", "terrain and unprinted cells", kind="attack",
                units=["1 BR Front 8-20-3", "2 Tk 6-4-6", "1 Polish 3-4-4", "2 Polish 3-4-4", "4 SS Pz Krps 4-3-8"]):  # fmt: skip
        d.red("Warszawa! 1 BR, 2 Tk, obie armie polskie. 20:3").die(6).blue("DR, do 2622").drag("2622", "4 SS Pz Krps 4-3-8")
    with d.item(
        "any", "6.5", "1 Polish advances 2724 -> 2723", "it took part, if the result stands", units=["1 Polish 3-4-4"], kind="advance"
    ):
        d.red("Polacy w Warszawie").drag("2723", "1 Polish 3-4-4")
    d.to("WG C")
    with d.item(
        "any",
        "6.1 6.2",
        "65 Krps (2713) attacks 30 (Br) in Berlin: 4:4 = 1:1, die 1 = EX; both out",
        "the cell is printed, the terrain of Berlin is not",
        kind="attack",
        units=["65 Krps 4-5-5", "30 (Br) 7-4-8"],
    ):
        d.say("65. Korps greift Berlin an, 4:4").die(1).say("Tausch").out("65 Krps 4-5-5").delete("30 (Br) 7-4-8")
    d.next()


def play_q01() -> None:
    d = Desk(
        "q01-sloppy-hands",
        "Turn 2, counters between hexes, flips and marks by mistake, stacks torn apart",
        turn=2,
        phase="S M",
        at={"1 Hung 3-5-4": "1721"},
    )
    d.red()
    x, y = d.log.pixel_of("2026", "Europe")
    with d.item("legal", "5.0", "4 Ukr is dropped off the middle of 1725", "one hex to the rear", units=["4 Ukr Front 8-20-3"]):
        u, v = d.log.pixel_of("1725", "Europe")
        d.log.move([d.ids["4 Ukr Front 8-20-3"]], u - 12, v + 7)
    with d.item("illegal", "5.0", "1 Gds, dropped off the middle of 2026, moves on 2026 -> 2426 after its moved mark was cleared", "six hexes' worth of a march with MA 4; marks are no rule",
                units=["1 Gds 7-7-4"]):  # fmt: skip
        d.log.move([d.ids["1 Gds 7-7-4"]], x + 11, y - 8)
        with d.item(
            "legal",
            "5.0 5.1",
            "the stack 8 Gds, 1 Gds Tk moves 2526 -> 2626, then 1 Gds Tk alone on to 2625",
            "one hex each out of ZOC, one of them two",
            units=["8 Gds 7-7-4", "1 Gds Tk 6-4-6"],
        ):
            d.drag("2626", "8 Gds 7-7-4", "1 Gds Tk 6-4-6").drag("2625", "1 Gds Tk 6-4-6")
        d.flip("1 Rom 3-5-4").say("was ist das? zurück").flip("1 Rom 3-5-4", level=1)
        d.clear_marks()
        d.move("legal", "5.0", "1223", "1 Rom 3-5-4", why="one hex, no ZOC")
        d.drag("2426", "1 Gds 7-7-4")
    d.next()


def play_r01() -> None:
    d = Desk(
        "r01-garrison-stands",
        "Turn 8, East Germans attack Warsaw: the garrison ignores the retreat, its comrade goes",
        at={
            "1 BR Front 8-20-3": "2723",
            "1 Polish 3-4-4": "2723",
            "2 Polish 3-4-4": "3126",
            "GD Pz Krps 7-5-8": "2622",
            "39 Pz Krps 7-5-8": "2622",
            "55 Krps 3-4-4": "2520",
            "20 Krps 2-3-4": "2518",
            "23 Krps 3-4-4": "2518",
            "2 Tk 6-4-6": "2626",
            "4 SS Pz Krps 4-3-8": "2722",
            "41 Pz Krps 5-5-5": "2722",
        },
        turn=8,
        phase="EG C",
        by=BLUE,
    )
    names = ["GD Pz Krps 7-5-8", "39 Pz Krps 7-5-8", "4 SS Pz Krps 4-3-8", "41 Pz Krps 5-5-5"]
    with d.item(
        "any",
        "6.1 6.2 10.0",
        "four corps attack Warsaw: 23:24 = 1:2 at best, die 1; 1 Polish goes to 2724, 1 BR stays",
        "a garrison ignores retreats (10.0); the cell is not printed",
        kind="attack",
        units=[*names, "1 Polish 3-4-4"],
    ):
        d.blue("GD, 39, 4 SS, 41 on 2723, 23:24").die(1).say("DR. the front stays").red("ok").drag("2724", "1 Polish 3-4-4")
    with d.item(
        "illegal",
        "6.5 5.0",
        "GD advances into 2723 where 1 BR still stands",
        "the hex is not vacated (R-G52)",
        units=["GD Pz Krps 7-5-8"],
        kind="advance",
    ):
        d.blue().drag("2723", "GD Pz Krps 7-5-8")
    d.next()


def play_s01() -> None:
    d = Desk(
        "s01-strange-names",
        "Turn 2, players with odd names and a third one looking on",
        turn=2,
        phase="S M",
        at={"1 Hung 3-5-4": "1721"},
        seats=(RED, BLUE, SOLO),
    )
    d.as_(SOLO).say("hello, may I watch? d6 = 3, 2 Balt attacks 3823 :)")
    d.red()
    d.move("legal", "5.0", "2026", "1 Gds 7-7-4", why="one hex, no ZOC")
    with d.item(
        "any",
        "5.0 3.0",
        "the onlooker drags 4 Tk 2325 -> 2326 and back",
        "put back; not his to move",
        units=["4 Tk 6-4-6"],
        certainty="policy",
    ):
        d.as_(SOLO).drag("2326", "4 Tk 6-4-6").drag("2325", "4 Tk 6-4-6")
    d.say("*** d6 = 6 *** <Red Player>")
    d.red("hands off")
    d.next()
    with d.item(
        "any",
        "6.1",
        "6 and 11 Gds (3325) attack 26 and 39 Pz in 3224: 14:11, die 5, nothing done",
        "terrain and unprinted cells",
        kind="attack",
        units=["6 Gds 7-7-4", "11 Gds 7-7-4"],
    ):
        d.say("6 & 11 Gds on 3224").die(5).say("we stay").next()


def play_t01() -> None:
    d = Desk(
        "t01-whole-east",
        "Turn 2, the East German half: a breakthrough, a rear guard, an attack of two hexes on one",
        turn=2,
        phase="EG R",
        by=BLUE,
        at={"1 Hung 3-5-4": "1721"},
    )
    d.blue("brak strat").next()
    d.move(
        "legal",
        "5.0 4.0",
        "2422",
        "56 Pz Krps 4-3-5",
        why="2424 (next to 2325, 2425) to 2422: two hexes to the rear with MA 5, free of ZOC",
    )
    d.move("legal", "5.0 4.0", "1821", "24 Pz Krps 7-5-8", why="two hexes to the rear with MA 8")
    d.move("legal", "5.0 4.0", "2324", "42 Krps 3-4-4", why="out of the ZOC of 2224 to 2323, on into the ZOC of 2325: two hexes with MA 4")
    d.move("illegal", "5.0", "1417", "72 Krps 3-3-4", why="1021 to 1417: six hexes with MA 4")
    d.move("illegal", "5.0", "1421", "49 Geb Krps 3-7-5", why="2024 to 1421: six hexes with MA 5")
    with d.item(
        "illegal",
        "5.1",
        "57 Pz and 1 Kav stay in 1421 and 9 SS comes 1522 -> 1421: three at the end of the phase",
        "stacking",
        kind="stacking",
        units=["9 SS Krps 3-6-4"],
    ):
        d.drag("1421", "9 SS Krps 3-6-4").next()
    d.next()


def play_r02() -> None:
    d = Desk(
        "r02-garrison-alone",
        "Turn 8, East Germans attack Warsaw: the comrade of the garrison has nowhere to go and goes all the same",
        at={
            "1 BR Front 8-20-3": "2723",
            "1 Polish 3-4-4": "2723",
            "2 Polish 3-4-4": "3126",
            "GD Pz Krps 7-5-8": "2622",
            "39 Pz Krps 7-5-8": "2622",
            "24 Pz Krps 7-5-8": "2623",
            "20 Krps 2-3-4": "2518",
            "23 Krps 3-4-4": "2518",
            "2 Tk 6-4-6": "2626",
            "4 SS Pz Krps 4-3-8": "2722",
            "41 Pz Krps 5-5-5": "2722",
        },
        turn=8,
        phase="EG C",
        by=BLUE,
    )
    names = ["GD Pz Krps 7-5-8", "39 Pz Krps 7-5-8", "24 Pz Krps 7-5-8", "4 SS Pz Krps 4-3-8", "41 Pz Krps 5-5-5"]
    with d.item("illegal", "6.2.1", "five corps attack Warsaw: 30:24, die 2; 1 Polish goes to 2724, next to 24 Pz and 55 Krps; 1 BR stays", "no retreat into an enemy ZOC, whatever the cell; the garrison rightly stays (10.0)", kind="attack",
                units=[*names, "1 Polish 3-4-4"]):  # fmt: skip
        d.blue("GD, 39, 24, 4 SS, 41 on 2723, 30:24").die(2).say("DR. the front stays").red("ok").drag("2724", "1 Polish 3-4-4")
    with d.item(
        "illegal",
        "6.5 5.0",
        "GD advances into 2723 where 1 BR still stands",
        "the hex is not vacated (R-G52)",
        units=["GD Pz Krps 7-5-8"],
        kind="advance",
    ):
        d.blue().drag("2723", "GD Pz Krps 7-5-8")
    d.next()


def play_u01() -> None:
    d = Desk(
        "u01-exchange-of-bystanders",
        "Turn 4, an exchange paid by a unit that took no part, and one paid after an argument",
        at={
            "10 Gds 7-7-4": "3723",
            "2 Tk 6-4-6": "3724",
            "11 Gds 7-7-4": "3724",
            "2 Gds 7-7-4": "3825",
            "3 Balt Front 8-20-3": "3825",
            "3 SS Pz Krps 7-5-8": "3121",
        },
        turn=4,
        phase="S C",
    )
    with d.item("illegal", "6.2", "3 Balt, 2 Gds (3825) and 2 Tk (3724) attack 16 Krps in 3824: 21:5 = 4:1, die 3 = EX; 11 Gds, which did not attack, is removed", "attackers pay, not bystanders", kind="attack", odds="4:1", result="EX",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "2 Tk 6-4-6", "16 Krps 3-5-4", "11 Gds 7-7-4"]):  # fmt: skip
        d.red("3 Balt, 2 Gds, 2 Tk on 3824, 21:5").die(3).say("EX, I give 11 Gds").out("16 Krps 3-5-4", "11 Gds 7-7-4")
    d.blue("hm is that allowed?").red("sure")
    d.next()


def play_u02() -> None:
    d = Desk(
        "u02-late-payment",
        "Turn 4, an exchange paid late, after words",
        at={
            "10 Gds 7-7-4": "3723",
            "2 Tk 6-4-6": "3724",
            "2 Gds 7-7-4": "3825",
            "3 Balt Front 8-20-3": "3825",
            "3 SS Pz Krps 7-5-8": "3121",
        },
        turn=4,
        phase="S C",
    )
    with d.item("legal", "6.1 6.2", "3 Balt, 2 Gds (3825) and 2 Tk (3724) attack 16 Krps in 3824: 21:5 = 4:1, die 3 = EX; paid with 2 Gds after a reminder", "7 >= 5; before anything else is done", kind="attack", odds="4:1", result="EX",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "2 Tk 6-4-6", "16 Krps 3-5-4"], certainty="printed (18.1)"):  # fmt: skip
        d.red("3 Balt, 2 Gds, 2 Tk on 3824, 21:5").die(3).out("16 Krps 3-5-4").blue("EX! you owe me 5").red("right, sorry").out(
            "2 Gds 7-7-4"
        )
    with d.item("legal", "6.5", "2 Tk advances 3724 -> 3824", "a survivor of the exchange", units=["2 Tk 6-4-6"], kind="advance"):
        d.drag("3824", "2 Tk 6-4-6")
    d.next()


def play_u03() -> None:
    d = Desk(
        "u03-attack-from-afar-and-twice",
        "Turn 3, a unit named in two attacks, another too far away, a target without enemies",
        at={
            "10 Gds 7-7-4": "3723",
            "5 Gds Tk 6-4-6": "3724",
            "2 Gds 7-7-4": "3725",
            "3 SS Pz Krps 7-5-8": "3121",
            "2 Krps 3-5-4": "3121",
            "11 Gds 7-7-4": "3626",
        },
        turn=3,
        phase="S C",
    )
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds, 5 Gds Tk attack 10 Krps in 3823: 21:4 = 5:1, die 3 = DE", "as in 18.1", kind="attack", odds="5:1", result="DE",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="printed (18.1)"):  # fmt: skip
        d.red("10 Gds, 2 Balt u. 5 Gds Tk > 3823 (21:4)").die(3).out("10 Krps 2-4-4")
    with d.item("illegal", "6.3", "5 Gds Tk, 3 Balt and 2 Gds attack 16 Krps in 3824: 21:5 = 4:1, die 6; out, nowhere to go they say", "5 Gds Tk has attacked already", kind="attack", odds="4:1",
                units=["5 Gds Tk 6-4-6", "3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"]):  # fmt: skip
        d.say("5 Gds Tk, 3 Balt u. 2 Gds > 3824 (21:5)").die(6).out("16 Krps 3-5-4")
    with d.item(
        "illegal",
        "6.0 6.3",
        "1 Balt and 11 Gds attack 9 and 40 Krps in 3423; 11 Gds in 3626 is not adjacent",
        "every attacker must be next to the hex",
        kind="attack",
        units=["1 Balt Front 8-20-3", "11 Gds 7-7-4"],
    ):
        d.say("1 Balt u. 11 Gds > 3423 (15:9)").die(4).say("kein Effekt")
    d.next()


def play_u04() -> None:
    d = Desk(
        "u04-yugoslavs-fight-along",
        "Turn 3, Yugoslavs and Soviets in one attack over the border, and a Soviet advance beside it",
        at={
            "1 Yugo 5-6-4": "0825",
            "68 Krps 4-5-5": "0824",
            "1 Rom 3-5-4": "1124",
            "15 SS Krps 2-3-6": "1320",
            "72 Krps 3-3-4": "1320",
            "3 Yugo 5-6-4": "0725",
            "4 Gds 7-7-4": "0925",
        },
        turn=3,
        phase="S C",
    )
    with d.item("any", "6.1 6.3", "1 and 3 Yugo and 4 Gds (0925) attack 68 Krps in 0824: 17:5 = 3:1 at most, die 1; 68 Krps out", "terrain and unprinted cells; the border does not matter for attacks", kind="attack",
                units=["1 Yugo 5-6-4", "3 Yugo 5-6-4", "4 Gds 7-7-4", "68 Krps 4-5-5"]):  # fmt: skip
        d.red("1 Yugo, 3 Yugo, 4 Gds on 0824 17:5").die(1).out("68 Krps 4-5-5")
    with d.item(
        "any",
        "5.3.2",
        "4 Gds advances 0925 -> 0824",
        "0824 is inside Yugoslavia; on which side of the border 0925 lies is not in the text",
        units=["4 Gds 7-7-4"],
        kind="advance",
    ):
        d.drag("0824", "4 Gds 7-7-4")
    d.next()


def play_u05() -> None:
    d = Desk(
        "u05-fronts-never-together",
        "Turn 4, Fronts: placed, moved and thrown together",
        at={
            "2 BR Front 8-20-3": "2725",
            "3 BR Front 8-20-3": "3126",
            "1 BR Front 8-20-3": "box-s",
            "2 Tk 6-4-6": "2724",
            "1 Polish 3-4-4": "2826",
            "2 Polish 3-4-4": "2826",
            "3 Balt Front 8-20-3": "2926",
        },
        turn=4,
        phase="S R",
    )
    with d.item(
        "illegal",
        "7.2 5.1",
        "1 BR returns at 2926, where 3 Balt stands",
        "stacking holds when placing: no two Fronts",
        kind="replacement",
        units=["1 BR Front 8-20-3"],
    ):
        d.red("1 BR wraca").drag("2926", "1 BR Front 8-20-3")
    d.next()
    with d.item(
        "any",
        "5.0",
        "1 BR moves on 2926 -> 2826, through two Poles",
        "resting on full stacks on the way is free; it moves on",
        units=["1 BR Front 8-20-3"],
    ):
        d.drag("2826", "1 BR Front 8-20-3").drag("2726", "1 BR Front 8-20-3")
    with d.item("any", "5.0", "2 BR moves 2725 -> 2726, onto 1 BR", "judged at the end of the phase", units=["2 BR Front 8-20-3"]):
        d.drag("2726", "2 BR Front 8-20-3")
    with d.item(
        "illegal",
        "5.1",
        "the phase ends with 1 BR and 2 BR in 2726",
        "two Fronts in a hex",
        kind="stacking",
        units=["1 BR Front 8-20-3", "2 BR Front 8-20-3"],
    ):
        d.next()
    d.next()


def play_u06() -> None:
    d = Desk(
        "u06-mute-turn",
        "Turn 2, not a word: only drags and the tracker, two of them wrong",
        turn=2,
        phase="S R",
        at={"1 Hung 3-5-4": "1721"},
    )
    d.as_(RED).next()
    d.move("legal", "5.0", "2026", "1 Gds 7-7-4", why="one hex, no ZOC")
    d.move("illegal", "4.0", "2924", "2 BR Front 8-20-3", why="ZOC to ZOC, no way round with MA 3")
    d.move("legal", "5.0", "2225", "4 Tk 6-4-6", why="one hex out of the ZOC of 2424")
    d.next(3)
    d.move("legal", "5.0", "1907", "65 Krps 4-5-5", why="one hex, no ZOC")
    d.move("illegal", "5.0", "1811", "85 Krps 2-4-4", why="six hexes with MA 4")
    d.next(3).as_(BLUE)
    d.move("legal", "5.0", "2302", "8 (Br) 6-6-7", "30 (Br) 7-4-8", why="one hex to the rear, out of the ZOC of 2304")
    d.move("illegal", "4.0", "2501", "2 (Cdn) 7-4-8", why="2401 and 2501 both next to 2502; no other way")
    d.next(3)
    d.move("legal", "5.0", "1420", "57 Pz Krps 5-3-7", why="out of the ZOC of 1422")
    d.move("illegal", "5.0", "2018", "49 Geb Krps 3-7-5", why="six hexes with MA 5")
    d.next(3)


def play_u07() -> None:
    d = Desk(
        "u07-new-engine",
        "Turn 2 in the 3.8 build: drags in pieces, a stack, an undo, a fight",
        turn=2,
        phase="S M",
        at={"1 Hung 3-5-4": "1721", "10 Gds 7-7-4": "3723", "5 Gds Tk 6-4-6": "3724", "2 Gds 7-7-4": "3725"},
        version="3.8.0-SNAPSHOT",
    )
    d.red()
    with d.item(
        "legal",
        "5.0",
        "1 Gds moves 1926 -> 2026 -> 2126 in two drags",
        "two hexes with MA 4",
        units=["1 Gds 7-7-4"],
        certainty="practical: holds unless two hexes together cost more than 4 MP",
    ):
        d.drag("2026", "1 Gds 7-7-4").drag("2126", "1 Gds 7-7-4")
    with d.item(
        "legal",
        "5.0",
        "8 Gds and 1 Gds Tk move 2526 -> 2626 and are undone",
        "undone: no move",
        units=["8 Gds 7-7-4", "1 Gds Tk 6-4-6"],
        certainty="printed rules only",
    ):
        d.drag("2626", "8 Gds 7-7-4", "1 Gds Tk 6-4-6").undo()
    d.move("illegal", "4.0", "2924", "2 BR Front 8-20-3", why="ZOC to ZOC, no way round with MA 3")
    d.next()
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds, 5 Gds Tk attack 10 Krps in 3823: 21:4 = 5:1, die 3 = DE", "as in 18.1", kind="attack", odds="5:1", result="DE",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="printed (18.1)"):  # fmt: skip
        d.say("2 Balt, 10 Gds, 5 Gds Tk on 3823").die(3).out("10 Krps 2-4-4")
    with d.item("legal", "6.5", "5 Gds Tk advances 3724 -> 3823", "it took part", units=["5 Gds Tk 6-4-6"], kind="advance"):
        d.drag("3823", "5 Gds Tk 6-4-6")
    d.next()


def play_u08() -> None:
    d = Desk(
        "u08-plain-text",
        "Turn 2, West German movement, the file stored as plain text",
        turn=2,
        phase="WG M",
        at={"1 Hung 3-5-4": "1721"},
        form=Form("plain"),
    )
    d.red("zażółć gęślą jaźń; Größe; élan")
    d.move("legal", "5.0", "1907", "65 Krps 4-5-5", why="one hex, no ZOC")
    d.move("illegal", "5.0", "1605", "64 Krps 2-3-4", why="1605 is held by 6 (US)")
    d.next()


def play_u09() -> None:
    d = Desk(
        "u09-one-byte",
        "Turn 2, Western movement, the file stored in the newest form",
        turn=2,
        phase="W M",
        by=BLUE,
        at={"1 Hung 3-5-4": "1721"},
        form=Form("vobs", 77),
    )
    d.blue("ok")
    d.move("legal", "5.0", "2302", "8 (Br) 6-6-7", "30 (Br) 7-4-8", why="one hex to the rear, out of the ZOC of 2304")
    d.move("illegal", "4.0", "2501", "2 (Cdn) 7-4-8", why="2401 and 2501 both next to 2502; no other way")
    d.next()


def play_v01() -> None:
    d = Desk(
        "v01-full-turn-live",
        "Turn 3, a whole Soviet half live: replacements, moves, three fights, proxies, a fun die, with three faults",
        at={
            "1 Hung 3-5-4": "1721",
            "10 Gds 7-7-4": "3723",
            "5 Gds Tk 6-4-6": "3724",
            "2 Gds 7-7-4": "3725",
            "1 Rom 3-5-4": "box-s",
            "4 Tk 6-4-6": "box-s 1",
            "3 SS Pz Krps 7-5-8": "3822",
            "2 Krps 3-5-4": "3121",
            "2 Tk 6-4-6": "3724",
        },
        turn=3,
        phase="S R",
    )
    d.blue("hej, jestem").red("hi. replacements")
    with d.item(
        "any",
        "7.2",
        "1 Rom returns at 1226",
        "weakest first, east edge north of Yugoslavia; the rate is not printed",
        kind="replacement",
        units=["1 Rom 3-5-4"],
    ):
        d.drag("1226", "1 Rom 3-5-4")
    with d.item("any", "7.2", "4 Tk returns at 2326", "the next; the rate is not printed", kind="replacement", units=["4 Tk 6-4-6"]):
        d.drag("2326", "4 Tk 6-4-6")
    d.next().say("moves")
    d.move("legal", "5.0 7.2", "2426", "4 Tk 6-4-6", why="a replacement may move; one hex, no ZOC")
    d.move("legal", "5.0 7.2", "1224", "1 Rom 3-5-4", why="a replacement may move; two hexes with MA 4")
    with d.item(
        "legal",
        "5.0",
        "3 Gds Tk moves 2325 -> 2225 -> 2126, then Blue asks, and it goes back to 2325",
        "no net move",
        units=["3 Gds Tk 6-4-6"],
        certainty="policy: corrected in the same phase",
    ):
        d.drag("2225", "3 Gds Tk 6-4-6").drag("2126", "3 Gds Tk 6-4-6").blue("isn't that zoc?").red("hm ok back").drag(
            "2325", "3 Gds Tk 6-4-6"
        )
    d.move("illegal", "4.0 5.0", "2322", "5 Gds 7-7-4", why="2425 to 2322: past Germans from ZOC to ZOC, no way within MA 4")
    d.next().say("combat, 3 of them")
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds (3723), 5 Gds Tk (3724) on 10 Krps in 3823: 21:4 = 5:1, die 3 = DE; Blue removes it", "as in 18.1", kind="attack", odds="5:1", result="DE",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="printed (18.1)"):  # fmt: skip
        d.say("1) 2 Balt, 10 Gds, 5 Gds Tk on 3823. 21:4").die(3).as_(BLUE).out("10 Krps 2-4-4").say("bye 10")
    d.as_(BLUE).die(1).say("my lucky number").red("haha")
    with d.item("legal", "6.5", "10 Gds advances 3723 -> 3823", "it took part", units=["10 Gds 7-7-4"], kind="advance"):
        d.drag("3823", "10 Gds 7-7-4")
    with d.item("illegal", "6.2", "3 Balt, 2 Gds (3725) and 2 Tk (3724) on 16 Krps in 3824: 21:5 = 4:1, die 3 = EX; only 16 Krps goes", "5 printed attack factors are owed and never paid", kind="attack", odds="4:1", result="EX",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "2 Tk 6-4-6", "16 Krps 3-5-4"]):  # fmt: skip
        d.say("2) 3 Balt, 2 Gds, 2 Tk on 3824. 21:5, 4:1").die(3).out("16 Krps 3-5-4")
    with d.item(
        "legal",
        "6.5",
        "2 Gds advances 3725 -> 3824",
        "it took part and stands, paid or not",
        units=["2 Gds 7-7-4"],
        kind="advance",
        certainty="practical; the debt is another matter",
    ):
        d.drag("3824", "2 Gds 7-7-4")
    with d.item(
        "illegal",
        "6.3",
        "2 Balt (3723) attacks 3 SS in 3822 after its first fight: 8:5, die 2",
        "it has attacked already",
        kind="attack",
        units=["2 Balt Front 8-20-3", "3 SS Pz Krps 7-5-8"],
    ):
        d.say("3) 2 Balt on 3822, 8:5").die(2).blue("DR? no...").red("stays then")
    d.next()
    d.blue("your WG now").red("moment").next()
    d.move("legal", "5.0", "1907", "65 Krps 4-5-5", why="one hex, no ZOC")
    d.next(2)


def play_w01() -> None:
    d = Desk("w01-real-dice", "Turn 3, dice thrown on the table at home and told in chat", at=_courland(), turn=3, phase="S C")
    d.red("we use real dice, webcam on")
    with d.item(
        "any",
        "6.1 6.2",
        "2 Balt, 10 Gds, 5 Gds Tk on 3823: 21:4 = 5:1, 'rolled a 3', DE",
        "right, but the die is not in the log",
        kind="attack",
        units=["10 Krps 2-4-4"],
        certainty="policy",
    ):
        d.say("2 Balt, 10 Gds, 5 Gds Tk on 3823, 21:4. rolled a 3, DE").out("10 Krps 2-4-4")
    with d.item(
        "any", "6.5", "5 Gds Tk advances 3724 -> 3823", "it took part", units=["5 Gds Tk 6-4-6"], kind="advance", certainty="policy"
    ):
        d.drag("3823", "5 Gds Tk 6-4-6")
    with d.item(
        "any",
        "6.1 6.2.1",
        "3 Balt and 2 Gds on 3824: 15:5 = 3:1, 'a 4', DR, to 3925",
        "right, but the die is not in the log",
        kind="attack",
        units=["16 Krps 3-5-4"],
        certainty="policy",
    ):
        d.say("3 Balt, 2 Gds on 3824, 15:5").say("a 4, DR").blue("3925").drag("3925", "16 Krps 3-5-4")
    with d.item("any", "6.5", "2 Gds advances 3725 -> 3824", "it took part", units=["2 Gds 7-7-4"], kind="advance", certainty="policy"):
        d.red().drag("3824", "2 Gds 7-7-4")
    d.next()


def play_w02() -> None:
    d = Desk("w02-by-mail", "Turn 2, Blue enters Red's turn as mailed", turn=2, phase="S R", at={"1 Hung 3-5-4": "1721"}, by=BLUE)
    d.blue("Red sent his moves by mail, I enter them").next()
    with d.item("any", "5.0", "1 Gds moves 1926 -> 2026, by Blue", "whose hand it is does not matter", units=["1 Gds 7-7-4"]):
        d.drag("2026", "1 Gds 7-7-4")
    with d.item("any", "5.0 4.0", "4 Tk moves 2325 -> 2225, by Blue", "whose hand it is does not matter", units=["4 Tk 6-4-6"]):
        d.drag("2225", "4 Tk 6-4-6")
    d.move("illegal", "4.0", "2924", "2 BR Front 8-20-3", why="ZOC to ZOC, no way round with MA 3, whoever moves it")
    d.next()
    with d.item(
        "any",
        "6.1",
        "6 and 11 Gds (3325) attack 26 and 39 Pz in 3224: 14:11, die 4, AR, back to 3326 and 3425",
        "terrain and unprinted cells",
        kind="attack",
        units=["6 Gds 7-7-4", "11 Gds 7-7-4"],
    ):
        d.say("Red's attack: 6+11 Gds on 3224, 14:11").die(4).say("AR").drag("3326", "6 Gds 7-7-4").drag("3425", "11 Gds 7-7-4")
    d.next()


_TONGUES = {
    "w03-tongue-ru": ("2 Балт, 10 Гв, 5 ГвТА атакуют 3823, 21:4", "3 Балт и 2 Гв на 3824, 15:5"),
    "w04-tongue-es": ("ataque a 3823 con 2 Balt, 10 Gds y 5 Gds Tk: 21 a 4", "3 Balt y 2 Gds atacan 3824, 15 a 5"),
    "w05-tongue-cz": ("útok na 3823: 2 Balt, 10 Gds, 5 Gds Tk, 21:4", "útok na 3824: 3 Balt, 2 Gds"),
    "w06-tongue-it": ("attacco 3823: 2 Balt, 10 Gds, 5 Gds Tk, 21 contro 4", "poi 3 Balt e 2 Gds contro 3824"),
    "w07-tongue-de": (
        "Angriff auf 3823 mit der 2. Balt. Front, 10. Gds und 5. Gds Tk, 21:4 also 5:1",
        "jetzt 3. Balt. Front und 2. Gds auf 3824; 15:5",
    ),
}


def play_w03() -> None:
    for slug, (first, second) in _TONGUES.items():
        sure = slug != "w03-tongue-ru"
        d = Desk(slug, "Turn 3, the two Courland attacks in another tongue", at=_courland(), turn=3, phase="S C")
        with d.item("legal" if sure else "any", "6.1 6.2", "2 Balt, 10 Gds (3723), 5 Gds Tk (3724) attack 10 Krps in 3823: 21:4 = 5:1, die 3 = DE", "as in 18.1", kind="attack", odds="5:1", result="DE",
                    units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="printed (18.1)"):  # fmt: skip
            d.red(first).die(3).out("10 Krps 2-4-4")
        with d.item("legal" if sure else "any", "6.1 6.2", "3 Balt, 2 Gds (3725) attack 16 Krps in 3824: 15:5 = 3:1, die 4 = DR, to 3925", "3925 is vacant and in no Soviet ZOC", kind="attack", odds="3:1", result="DR",
                    units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"], certainty="printed (18.1); assumes 3925 is land and no river"):  # fmt: skip
            d.say(second).die(4).as_(BLUE).drag("3925", "16 Krps 3-5-4").red()
        with d.item(
            "illegal",
            "6.3",
            "5 Gds Tk attacks 16 Krps again, now in 3925, although it fought",
            "a unit attacks once; and 3724 is not next to 3925",
            kind="attack",
            units=["5 Gds Tk 6-4-6"],
        ):
            d.say("5 Gds Tk 3925 6:5").die(2)
        d.next()


def play_w08() -> None:
    d = Desk("w08-corrections-in-combat", "Turn 3, wrong results put right before the next fight", at=_courland(), turn=3, phase="S C")
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds, 5 Gds Tk on 3823: 5:1, die 3 = DE; Blue first retreats 10 Krps to 3924, then eliminates it", "put right at once", kind="attack", odds="5:1", result="DE",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="policy: corrected before anything else happened"):  # fmt: skip
        d.red("2 Balt, 10 Gds, 5 Gds Tk on 3823, 5:1").die(3).blue("DR?").drag("3924", "10 Krps 2-4-4").red("no, DE").as_(BLUE).out(
            "10 Krps 2-4-4"
        )
    with d.item("legal", "6.1 6.2", "3 Balt, 2 Gds on 3824: 3:1, die 4 = DR; 16 Krps first eliminated, then taken out of the box to 3925", "put right at once", kind="attack", odds="3:1", result="DR",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"], certainty="policy: corrected before anything else happened"):  # fmt: skip
        d.red("3 Balt, 2 Gds on 3824, 3:1").die(4).out("16 Krps 3-5-4").blue("it can retreat to 3925!").red("true").as_(BLUE).drag(
            "3925", "16 Krps 3-5-4"
        )
    with d.item("legal", "6.5", "2 Gds advances to 3824, back, and 3 Balt advances instead", "one unit in the end; corrected at once", units=["2 Gds 7-7-4", "3 Balt Front 8-20-3"], kind="advance",
                certainty="policy: corrected before anything else happened"):  # fmt: skip
        d.red().drag("3824", "2 Gds 7-7-4").say("no, rather the front").drag("3725", "2 Gds 7-7-4").drag("3824", "3 Balt Front 8-20-3")
    d.next()


def play_w09() -> None:
    d = Desk("w09-undo-in-combat", "Turn 3, results undone by the engine's undo", at=_courland(), turn=3, phase="S C")
    with d.item("legal", "6.1 6.2", "2 Balt, 10 Gds, 5 Gds Tk on 3823: 5:1, die 3 = DE; the wrong unit is eliminated, undone, then the right one", "the undone step counts for nothing", kind="attack", odds="5:1", result="DE",
                units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"], certainty="printed (18.1)"):  # fmt: skip
        d.red("2 Balt, 10 Gds, 5 Gds Tk on 3823, 5:1").die(3).out("16 Krps 3-5-4").undo().out("10 Krps 2-4-4")
    with d.item(
        "legal",
        "6.5",
        "2 Balt advances, undone; 10 Gds advances 3723 -> 3823",
        "one unit in the end",
        units=["10 Gds 7-7-4"],
        kind="advance",
    ):
        d.drag("3823", "2 Balt Front 8-20-3").undo().drag("3823", "10 Gds 7-7-4")
    d.next()


# ------------------------------------------------------------------------------------------------------ a second look, later


def play_x01() -> None:
    d = Desk(
        "x01-italian-front",
        "Turn 4, Italy: replacements, marches, a fight, the pass",
        turn=4,
        phase="W R",
        by=BLUE,
        at={
            "1 (Cdn) 4-8-6": "box-italy",
            "5 (Br) 4-8-6": "box-w",
            "12 (Br) 4-8-6": "box-w 1",
            "1 LW Krps 4-9-4": "0710",
            "75 Krps 2-4-4": "0709",
        },
    )
    d.blue("Italia. repl for Italy: the Canadians")
    with d.item(
        "any", "7.2", "1 (Cdn) returns at 0113", "south edge in Italy; the rate is not printed", kind="replacement", units=["1 (Cdn) 4-8-6"]
    ):
        d.drag("0113", "1 (Cdn) 4-8-6")
    with d.item(
        "illegal",
        "7.2",
        "5 (Br), from the other box, comes at 0114",
        "the Western Allied box enters by the west edge, on or south of 2301",
        kind="replacement",
        units=["5 (Br) 4-8-6"],
    ):
        d.drag("0114", "5 (Br) 4-8-6")
    d.move("any", "7.2", "2101", "12 (Br) 4-8-6", kind="replacement", why="west edge; the rate on turn 4 is not printed")
    d.next()
    d.move("legal", "5.0 7.2", "0213", "1 (Cdn) 4-8-6", why="a replacement may move; one hex, no ZOC")
    d.move("illegal", "5.0", "1606", "6 (US) 4-8-6", why="1606 is held by 64 and 90 Krps")
    d.next()
    with d.item(
        "any",
        "6.1 6.2",
        "2 (US) (0511), 13 (Br) and 2 (Pol) (0512) attack 14 Pz in 0611: 14:6 at most, die 4",
        "terrain and unprinted cells",
        kind="attack",
        units=["2 (US) 6-6-7", "13 (Br) 4-8-6", "2 (Pol) 4-8-6", "14 Pz Krps 4-6-5"],
    ):
        d.say("2 US, 13 Br and the Poles hit 14 Pz (0611)").die(4).say("nothing today")
    d.next()


def play_x02() -> None:
    d = Desk("x02-bulge-t1", "Turn 1, the West German half from the set-up, with both duties done and three slips", phase="WG R")
    d.red("Wacht am Rhein").next()
    d.move("legal", "5.0", "2006", "65 Krps 4-5-5", why="one hex, no enemy ZOC")
    d.move(
        "legal",
        "5.0 4.0",
        "2004",
        "47 Pz Krps 6-5-6",
        why="1905 and 2004 are both next to Americans, but 2005 between them is not: out and in again, two hexes with MA 6",
    )
    d.drag("1905", "47 Pz Krps 6-5-6").say("no, stays")
    d.widen(2)
    d.items[1].action, d.items[1].why = "47 Pz moves 1905 -> 2004 and is put back", "no net move"
    d.move("illegal", "5.0", "2203", "12 SS Pz Krps 8-5-8", why="12 (Br) stands in 2203")
    with d.item(
        "legal",
        "5.0",
        "2 SS is dragged 2005 -> 2007 and back, then left",
        "no net move",
        units=["2 SS Pz Krps 8-6-8"],
        certainty="policy: corrected in the same phase",
    ):
        d.drag("2007", "2 SS Pz Krps 8-6-8").drag("2005", "2 SS Pz Krps 8-6-8")
    d.next()
    with d.item(
        "any",
        "6.1 6.2",
        "13 SS and 82 Krps (1806) attack 15 (US) in 1706: 10:8 at most, die 3; it has no way out",
        "terrain and unprinted cells",
        kind="attack",
        units=["13 SS Krps 6-7-6", "82 Krps 4-5-5", "15 (US) 4-8-6"],
    ):
        d.say("13+82 on 1706, 10:8").die(3).blue("DR... surrounded. gone").delete("15 (US) 4-8-6")
    with d.item(
        "any", "6.5", "13 SS advances 1806 -> 1706", "it took part, if the result stands", units=["13 SS Krps 6-7-6"], kind="advance"
    ):
        d.red().drag("1706", "13 SS Krps 6-7-6")
    with d.item(
        "any",
        "6.1 6.2",
        "58 Pz (1905) attacks 8 (US) in 1904 alone: 5:8 at best, die 6; it is lost",
        "terrain and unprinted cells",
        kind="attack",
        units=["58 Pz Krps 5-3-6"],
    ):
        d.say("58 on 1904").die(6).say("AE").out("58 Pz Krps 5-3-6")
    with d.item("any", "12.2", "the phase ends with two attacks made", "12.2 is met", kind="phase end"):
        d.next()


def play_x03() -> None:
    d = Desk(
        "x03-weak-and-strong",
        "Turn 6, Soviet replacements in the right order, then one more of the strong ones first",
        turn=6,
        phase="S R",
        at={"1 Bulg 2-5-4": "box-s", "1 Polish 3-4-4": "box-s 1", "2 Balt Front 8-20-3": "box-s 2", "10 Gds 7-7-4": "box-s 3"},
    )
    with d.item(
        "any",
        "7.2",
        "1 Bulg returns at 1526",
        "weakest, a legal edge hex; the rate is not printed",
        kind="replacement",
        units=["1 Bulg 2-5-4"],
    ):
        d.red("Bulgarians first").drag("1526", "1 Bulg 2-5-4")
    with d.item(
        "illegal",
        "7.2",
        "2 Balt returns at 3626 while 1 Polish and 10 Gds lie in the box",
        "the weakest first: 1 Polish",
        kind="replacement",
        units=["2 Balt Front 8-20-3"],
    ):
        d.say("and the front").drag("3626", "2 Balt Front 8-20-3")
    d.next()
    with d.item(
        "illegal",
        "3.0 7.2",
        "10 Gds is taken from the box to 3026 in the Movement Phase",
        "replacements come in the Replacement Phase",
        kind="replacement",
        units=["10 Gds 7-7-4"],
    ):
        d.say("forgot him").drag("3026", "10 Gds 7-7-4")
    d.next()


def play_x04() -> None:
    d = Desk(
        "x04-march-of-the-corps",
        "Turn 5, East German movement: doubled, stacked, through friends, into the trap",
        turn=5,
        phase="EG M",
        by=BLUE,
        at={"1 Hung 3-5-4": "1721", "17 Krps 1-2-4": "2618", "20 Krps 2-3-4": "2618", "23 Krps 3-4-4": "2619"},
    )
    d.blue()
    d.move("legal", "5.0", "2617", "23 Krps 3-4-4", why="two hexes with MA 4, through a full stack of friends")
    d.move("illegal", "5.0", "2611", "17 Krps 1-2-4", why="seven hexes with MA 4, across Berlin")
    with d.item(
        "illegal",
        "5.1",
        "the phase ends with 4 SS, 55 Krps and 41 Pz in 2823",
        "three units in a hex",
        kind="stacking",
        units=["4 SS Pz Krps 4-3-8", "55 Krps 3-4-4", "41 Pz Krps 5-5-5"],
    ):
        with d.item(
            "any",
            "5.0 4.0",
            "4 SS moves 2722 -> 2823",
            "one hex or two into a ZOC; the stacking is judged at the end",
            units=["4 SS Pz Krps 4-3-8"],
        ):
            d.drag("2823", "4 SS Pz Krps 4-3-8")
        d.next()
    d.next()


def play_x05() -> None:
    d = Desk(
        "x05-courland-later",
        "Turn 7, Courland: a failed attempt, and another unit sails two turns later",
        turn=7,
        phase="EG M",
        by=BLUE,
        at={"1 Hung 3-5-4": "1721"},
    )
    with d.item(
        "any",
        "8.0",
        "3 SS in 3822 tries, die 1, lost",
        "first attempt; which hexes are coastal is not in the text",
        kind="courland",
        units=["3 SS Pz Krps 7-5-8"],
        die=1,
    ):
        d.blue("3 SS raus aus Kurland").die(1).say("versenkt").out("3 SS Pz Krps 7-5-8")
    d.next(2).next()
    d.tracker(9, "EG M")
    d.say("turn 9 now, we fast forwarded")
    with d.item(
        "illegal",
        "8.0",
        "2 Krps moves from 3924 to 2815 by sea on turn 9, die 4",
        "one attempt in the game, made on turn 7",
        kind="courland",
        units=["2 Krps 3-5-4"],
        die=4,
    ):
        d.say("2 Krps").die(4).drag("2815", "2 Krps 3-5-4")
    d.next()


def play_x06() -> None:
    d = Desk(
        "x06-driven-through-friends",
        "Turn 4, a defender with one vacant hex that runs to a friend instead; a Front thrown back",
        at={
            "10 Gds 7-7-4": "3723",
            "2 Gds 7-7-4": "3725",
            "3 SS Pz Krps 7-5-8": "3121",
            "2 Krps 3-5-4": "3924",
            "16 Krps 3-5-4": "3824",
            "10 Krps 2-4-4": "3121",
        },
        turn=4,
        phase="S C",
    )
    with d.item("illegal", "6.2.1", "3 Balt and 2 Gds (3725) on 16 Krps in 3824: 15:5 = 3:1, die 4 = DR; it joins 2 Krps in 3924", "3925 and 3823's neighbours: 3925 is vacant and out of ZOC, so a hex with a friend is closed", kind="attack", odds="3:1", result="DR",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"], certainty="printed rules; 3925 is taken to be land"):  # fmt: skip
        d.red("16 Krps (3824) wird angegriffen von 3 Balt + 2 Gds, 15:5").die(4).blue("zu 2 Krps nach 3924").drag("3924", "16 Krps 3-5-4")
    with d.item(
        "legal", "6.5", "3 Balt advances 3725 -> 3824", "a Front that took part may advance", units=["3 Balt Front 8-20-3"], kind="advance"
    ):
        d.red().drag("3824", "3 Balt Front 8-20-3")
    d.next()


def play_x07() -> None:
    d = Desk(
        "x07-all-in-one-line", "Turn 3, two attacks in one line of chat, rolled without more words", at=_courland(), turn=3, phase="S C"
    )
    with d.item(
        "legal",
        "6.1 6.2",
        "2 Balt, 10 Gds, 5 Gds Tk on 3823, 5:1, die 3 = DE",
        "as in 18.1",
        kind="attack",
        odds="5:1",
        result="DE",
        units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"],
        certainty="printed (18.1)",
    ):
        d.red("2 Balt + 10 Gds + 5 Gds Tk on 3823 (5:1) and then 3 Balt + 2 Gds on 3824 (3:1)").die(3).out("10 Krps 2-4-4")
    with d.item("legal", "6.5", "5 Gds Tk advances 3724 -> 3823", "it took part", units=["5 Gds Tk 6-4-6"], kind="advance"):
        d.drag("3823", "5 Gds Tk 6-4-6")
    with d.item(
        "legal",
        "6.1 6.2",
        "3 Balt, 2 Gds on 3824, 3:1, die 4 = DR, to 3925",
        "3925 is vacant; 3924 is in the ZOC of 3823",
        kind="attack",
        odds="3:1",
        result="DR",
        units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"],
        certainty="printed (18.1); 3925 is taken to be land",
    ):
        d.die(4).as_(BLUE).drag("3925", "16 Krps 3-5-4").red()
    with d.item(
        "illegal",
        "6.5 3.0",
        "10 Gds (3723), which fought for 3823, advances into 3824",
        "it took no part in the combat that cleared 3824, nor is it next to it",
        units=["10 Gds 7-7-4"],
        kind="advance",
    ):
        d.drag("3824", "10 Gds 7-7-4")
    d.next()


def play_x08() -> None:
    d = Desk(
        "x08-wrong-player-turn",
        "Turn 3, attacks in the wrong player turn and by the wrong army",
        turn=3,
        phase="WG C",
        at={"1 Hung 3-5-4": "1721"},
    )
    with d.item(
        "any",
        "3.0 6.0",
        "8 (US) attacks 47 and 58 Pz in 1905 in the West German Combat Phase; refused",
        "Western units attack in their own Combat Phase; nothing came of it",
        kind="attack",
        units=["8 (US) 4-8-6"],
        certainty="policy",
    ):
        d.blue("8 US counterattacks 1905").die(5).say("no?").red("not your turn")
    d.to("EG C")
    with d.item(
        "illegal",
        "3.0 6.3",
        "12 SS (West German) attacks 12 (Br) in 2203 in the East German Combat Phase",
        "West Germans attack in their own Combat Phase",
        kind="attack",
        units=["12 SS Pz Krps 8-5-8"],
    ):
        d.red("12 SS on 2203, 8:8").die(2).say("AR").drag("2404", "12 SS Pz Krps 8-5-8")
    d.next()


def play_x09() -> None:
    d = Desk(
        "x09-flips-and-marks",
        "Turn 6, an exit west, flipped units that still act, and are removed late",
        turn=6,
        phase="WG M",
        at={"1 SS Pz Krps 8-6-8": "2301", "8 (Br) 6-6-7": "2404", "30 (Br) 7-4-8": "2404", "12 (Br) 4-8-6": "2103", "1 (Br) 4-8-6": "2501"},
    )
    with d.item(
        "legal",
        "9.0",
        "1 SS exits from 2301; 2 (Cdn) in 2401 is flipped, and 1 (Br) in 2501",
        "it starts in the exit hex, ZOC or not; 2 (Cdn) is one hex away, 1 (Br) two, no other nearer",
        units=["1 SS Pz Krps 8-6-8"],
        kind="exit",
    ):
        d.red("1 SS macht nach England rüber").drag("off", "1 SS Pz Krps 8-6-8").flip("2 (Cdn) 7-4-8", "1 (Br) 4-8-6")
    with d.item(
        "illegal",
        "9.0",
        "82 Krps (MA 5), which stands in 1806, leaves the map",
        "nowhere near an edge hex",
        units=["82 Krps 4-5-5"],
        kind="exit",
    ):
        d.say("und 82 Krps auch, lol").drag("off 1", "82 Krps 4-5-5")
    d.next()
    with d.item(
        "any",
        "9.0",
        "the two flipped units are deleted only now, in the Combat Phase",
        "due at the end of the Movement Phase; a step late",
        kind="exit",
        units=["2 (Cdn) 7-4-8", "1 (Br) 4-8-6"],
        certainty="policy",
    ):
        d.delete("2 (Cdn) 7-4-8", "1 (Br) 4-8-6")
    d.next()


def play_x10() -> None:
    d = Desk("x10-solo-with-tracker", "A solo player with the tracker, turn 1, a clean Soviet half and one slip", by=SOLO, seats=(SOLO,))
    d.as_(SOLO).say("solo run, learning the game").next()
    d.move("legal", "5.0", "2026", "1 Gds 7-7-4", why="one hex, no ZOC")
    d.move("legal", "5.0", "3326", "6 Gds 7-7-4", "11 Gds 7-7-4", why="one hex to the rear, out of the ZOC of 3224")
    d.move("illegal", "4.0", "2924", "2 BR Front 8-20-3", why="ZOC to ZOC, no way round with MA 3")
    d.next()
    with d.item(
        "legal",
        "6.1 6.2",
        "3 Balt (3725) on 16 Krps in 3824: 8:5 = 1:1, die 1 = EX; both are eliminated",
        "EX printed; 8 >= 5",
        kind="attack",
        odds="1:1",
        result="EX",
        units=["3 Balt Front 8-20-3", "16 Krps 3-5-4"],
        certainty="printed (6.1); assumes no river",
    ):
        d.say("3rd Baltic at 3824 - even odds").die(1).say("exchange").out("16 Krps 3-5-4", "3 Balt Front 8-20-3")
    d.next(2)
    d.move("legal", "5.0", "1907", "65 Krps 4-5-5", why="one hex, no ZOC")
    d.next()
    with d.item(
        "illegal",
        "12.2",
        "the West German Combat Phase of turn 1 ends without an attack",
        "two are due, and were possible",
        kind="phase end",
    ):
        d.say("germans hold").next()


def play_x11() -> None:
    d = Desk(
        "x11-zoc-puzzles",
        "Turn 2, movement between ZOCs: out, round and in, and straight across",
        turn=2,
        phase="S M",
        at={
            "1 Hung 3-5-4": "1721",
            "8 Krps 2-3-4": "2522",
            "46 Pz Krps 4-3-5": "2322",
            "56 Pz Krps 4-3-5": "2322",
            "20 Krps 2-3-4": "2623",
            "23 Krps 3-4-4": "2420",
        },
    )
    d.red("schauen wir mal")
    d.move("legal", "5.0 4.0", "2424", "3 Gds 7-7-4", why="2425 is free of ZOC now; 2424 is one hex, next to nobody")
    d.move("legal", "5.0 4.0", "2423", "5 Gds 7-7-4", why="two hexes into the ZOC of 2322 or 2522, MA 4")
    d.move("illegal", "4.0", "2823", "5 Gds Tk 6-4-6", why="2823 is held by 55 Krps and 41 Pz")
    d.items[-1].rules = ("5.0", "4.0")
    d.next()


def play_x12() -> None:
    d = Desk(
        "x12-short-for-two",
        "Turn 3, attackers named in short: 1+2 SS, both Canadians' foes, 6./11. Gds",
        turn=3,
        phase="S C",
        at={"1 SS Pz Krps 8-6-8": "2304", "2 SS Pz Krps 8-6-8": "2304", "12 SS Pz Krps 8-5-8": "2406"},
    )
    with d.item(
        "any",
        "6.1 6.2",
        "6 and 11 Gds (3325) attack 26 Krps and 39 Pz in 3224: 14:11 at most, die 4; back to 3326 and 3425",
        "terrain and unprinted cells",
        kind="attack",
        units=["6 Gds 7-7-4", "11 Gds 7-7-4"],
    ):
        d.red("6./11. Gds auf 3224").die(4).say("AR").drag("3326", "6 Gds 7-7-4").drag("3425", "11 Gds 7-7-4")
    d.to("WG C")
    with d.item(
        "any",
        "6.1 6.2",
        "1 and 2 SS (2304) attack 12 (Br) in 2203: 16:8 at most, die 6; both back to 2404, the one hex open",
        "terrain and unprinted cells",
        kind="attack",
        units=["1 SS Pz Krps 8-6-8", "2 SS Pz Krps 8-6-8"],
    ):
        d.say("1+2 SS on 2203, 16:8").die(6).say("AR").drag("2404", "1 SS Pz Krps 8-6-8").drag("2404", "2 SS Pz Krps 8-6-8")
    with d.item(
        "illegal", "6.3", "1 SS, back in 2404, attacks 2303", "it has attacked already", kind="attack", units=["1 SS Pz Krps 8-6-8"]
    ):
        d.say("1 SS again, on 2303").die(1).say("no effect")
    d.next()


def play_y01() -> None:
    d = Desk(
        "y01-hex-first",
        "Turn 2, East German attacks written hex first, by numbers alone",
        turn=2,
        phase="EG C",
        by=BLUE,
        at={"1 Hung 3-5-4": "1721", "8 Krps 2-3-4": "2620"},
    )
    with d.item(
        "any",
        "6.1 6.2",
        "46 and 56 Pz (2424) attack 3 and 5 Gds in 2425: 8:14 at best, die 4; both back to 2423",
        "terrain and unprinted cells",
        kind="attack",
        units=["46 Pz Krps 4-3-5", "56 Pz Krps 4-3-5"],
    ):
        d.blue("2425: 46 + 56").die(4).say("AR").drag("2423", "46 Pz Krps 4-3-5").drag("2423", "56 Pz Krps 4-3-5")
    with d.item(
        "any",
        "6.1 6.2",
        "20 and 23 Krps (2623) attack 1 BR and 2 Tk in 2624: 5:24, below the table; called off",
        "too weak; nothing is rolled",
        kind="attack",
        units=["20 Krps 2-3-4"],
    ):
        d.say("2624: 20/23 ... 5 to 24, no")
    with d.item(
        "any",
        "6.1 6.2",
        "6 and 27 Krps (3024) attack 10 Gds in 3025: 5:7 at best, die 5; both lost",
        "terrain and unprinted cells",
        kind="attack",
        units=["6 Krps 3-5-4", "27 Krps 2-3-4"],
    ):
        d.say("3025: 6 & 27").die(5).say("AE").out("6 Krps 3-5-4", "27 Krps 2-3-4")
    d.next()


def play_y02() -> None:
    d = Desk(
        "y02-list-of-the-phase", "Turn 3, the attacks of the phase in one line, one die after another", at=_courland(), turn=3, phase="S C"
    )
    d.red("attacks: 2 Balt + 10 Gds + 5 Gds Tk on 3823 and then 3 Balt + 2 Gds on 3824 and then 6 + 11 Gds on 3224")
    with d.item(
        "legal",
        "6.1 6.2",
        "the first: 3823, 5:1, die 3 = DE",
        "as in 18.1",
        kind="attack",
        odds="5:1",
        result="DE",
        units=["2 Balt Front 8-20-3", "10 Gds 7-7-4", "5 Gds Tk 6-4-6", "10 Krps 2-4-4"],
        certainty="printed (18.1)",
    ):
        d.say("first one").die(3).out("10 Krps 2-4-4")
    with d.item(
        "legal",
        "6.1 6.2",
        "the second: 3824, 3:1, die 4 = DR, to 3924",
        "3924 is vacant and in no Soviet ZOC",
        kind="attack",
        odds="3:1",
        result="DR",
        units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "16 Krps 3-5-4"],
        certainty="printed (18.1)",
    ):
        d.say("next one").die(4).as_(BLUE).drag("3924", "16 Krps 3-5-4").red()
    with d.item("legal", "6.5", "2 Gds advances 3725 -> 3824", "it took part", units=["2 Gds 7-7-4"], kind="advance"):
        d.drag("3824", "2 Gds 7-7-4")
    with d.item(
        "any",
        "6.1 6.2",
        "the third: 3224, 14:11 at most, die 4; back to 3326 and 3425",
        "terrain and unprinted cells",
        kind="attack",
        units=["6 Gds 7-7-4", "11 Gds 7-7-4"],
    ):
        d.say("ok").die(4).say("AR").drag("3326", "6 Gds 7-7-4").drag("3425", "11 Gds 7-7-4")
    d.next()


def play_y03() -> None:
    d = Desk(
        "y03-twice-from-one-hex",
        "Turn 2, two attacks on one hex out of one hex, the defender advances after the second",
        turn=2,
        phase="WG C",
        at={"1 Hung 3-5-4": "1721", "81 Krps 4-5-5": "2205", "74 Krps 5-6-5": "2205", "67 Krps 3-5-4": "2105"},
    )
    with d.item(
        "any",
        "6.1 6.2",
        "81 Krps (2205) and 67 Krps (2105) attack 13 and 19 (US) in 2204: 7:14 at best, die 6; both lost",
        "terrain and unprinted cells",
        kind="attack",
        units=["81 Krps 4-5-5", "67 Krps 3-5-4"],
    ):
        d.red("67 + 81 attack 2204").die(6).say("AE").out("67 Krps 3-5-4", "81 Krps 4-5-5")
    with d.item(
        "any",
        "6.1 6.2",
        "74 Krps (2205) attacks 2204: 5:14 at best, die 4; lost",
        "terrain and unprinted cells",
        kind="attack",
        units=["74 Krps 5-6-5"],
    ):
        d.say("74 attacks 2204").die(4).say("AE").out("74 Krps 5-6-5")
    with d.item(
        "any",
        "6.5",
        "19 (US) advances 2204 -> 2205",
        "a defender of the combat that emptied the hex, if the result stands",
        units=["19 (US) 6-6-7"],
        kind="advance",
    ):
        d.blue("19 US moves in").drag("2205", "19 (US) 6-6-7")
    d.red().next()


def play_y04() -> None:
    d = Desk(
        "y04-die-then-two-hexes",
        "Turn 3, the die first, then one attack on two hexes told; a sum without names",
        turn=3,
        phase="S C",
        at={"3 Balt Front 8-20-3": "3724", "2 Gds 7-7-4": "3724", "2 Krps 3-5-4": "3121", "3 SS Pz Krps 7-5-8": "3121"},
    )
    with d.item("legal", "6.1 6.2", "die 1, then: that was 3 Balt + 2 Gds (3724) on 3823 and 3824, 15:9 = 1:1, EX; all four are lost", "next to both; 9 is owed and only both together pay it", kind="attack", odds="1:1", result="EX",
                units=["3 Balt Front 8-20-3", "2 Gds 7-7-4", "10 Krps 2-4-4", "16 Krps 3-5-4"], certainty="printed (6.1, 6.3); assumes no river"):  # fmt: skip
        d.red().die(1).say("that was 3 Balt + 2 Gds attack 3823 and 3824").out(
            "10 Krps 2-4-4", "16 Krps 3-5-4", "2 Gds 7-7-4", "3 Balt Front 8-20-3"
        )
    with d.item(
        "any",
        "6.1 6.2",
        "'3224, 14 against them': 6 and 11 Gds (3325), 14:11 at most, die 4; back to 3326 and 3425",
        "terrain and unprinted cells; only the sum is said",
        kind="attack",
        units=["6 Gds 7-7-4", "11 Gds 7-7-4"],
    ):
        d.say("3224, 14 against them").die(4).drag("3326", "6 Gds 7-7-4").drag("3425", "11 Gds 7-7-4")
    d.next()


if __name__ == "__main__":
    main()
