"""Declarations: who attacks, who is attacked, and other facts that a player wants to have in the log."""

from __future__ import annotations

from modgen.art import counters
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, press, said
from modgen.vassal.idioms import both, dynamic, either, module_property, neither, pictures, quoted, report, talk, trigger
from modgen.vassal.names import KEYS, command
from modgen.vassal.odds import targets
from modgen.vassal.odds.declared import added, together

ANSWER = "Answer the attack"
TALK_FIELDS = {"piece": names.UNIT, "place": "LocationName"}


def bump() -> tuple[str, str]:
    """Raises the running number of table talk, which makes each line a new one."""
    return command("bump"), "{" + names.TALK_NUMBER + "+1}"


def declare(bench: Bench) -> Part:
    """Attack and target: a mark on the piece, a line of table talk, a chat line. Each can be made again.

    Where odds are counted, targets are listed by their hex, and marks tell of attacks that are resolved."""
    here, in_play = "LocationName", bench.in_play()
    corner = -(bench.size // 2 - 9)
    odds = bench.layout.odds is not None
    marks = {names.ATTACKS: counters.ATTACK, names.ATTACKED: counters.TARGET}
    marks |= {names.FOUGHT: counters.FOUGHT, names.WAS_FOUGHT: counters.WAS_FOUGHT} if odds else {}
    marked = {word: f"{names.DECLARED}=={quoted(word)}" for word in marks}
    seats = bench.layout.answers(bench.prototype)
    own, others = (either("PlayerSide", seats), neither("PlayerSide", seats)) if seats else ("", "")
    answer = _answer(both(in_play, own)) if seats else Part()
    shown = {f"{marked[names.ATTACKED]} && {names.ANSWERED}=={quoted(names.ANSWER)}": counters.ANSWERED} if seats else {}
    shown |= {marked[word]: file for word, file in marks.items()}
    # What is dragged elsewhere before its combat is resolved neither attacks nor is attacked there.
    gone = "{(" + " || ".join(marked[word] for word in (names.ATTACKS, names.ATTACKED)) + ") && LocationName!=OldLocationName}"
    # Announced attacks have numbers, which the marks are given first.
    announced = together(bench.layout)
    number = (targets.NUMBER,) if announced else ()
    menus, inner = targets.resolving() if announced else ((), ())

    def steps(word: str) -> tuple[str, ...]:
        told, marks_ = f"talk{word}", f"mark{word}"
        return tuple(command(c) for c in ("bump", *((marks_, told) if announced else (told, marks_)), "declSay"))

    over = (command("fought"), "{" + f"{marked[names.ATTACKS]} ? {quoted(names.FOUGHT)} : {quoted(names.WAS_FOUGHT)}" + "}")
    return Part(
        says=(report(command("declSay"), f"$LocationName$: $BasicName$ ${names.DECLARED}$"), *answer.says),
        menus=(
            trigger("Declare attack", KEYS["attack"], both(in_play, own), *steps("Attack")),
            trigger("Declare target", KEYS["target"], both(in_play, others), *steps("Target")),
            *answer.menus,
            trigger(
                "Clear declaration",
                KEYS["clear"],
                "{" + f"{names.DECLARED}!={quoted(names.NO_WORD)}" + "}",
                *(command(c) for c in ("bump", "talkClear", "unmark")),
            ),
            trigger("", command("dragged"), gone, *(command(c) for c in ("bump", "talkClear", *(("unaim",) if odds else ()), "unmark"))),
            *menus,
        ),
        inner=(
            module_property(
                names.TALK,
                (command("talkAttack"), talk("ATT", names.UNIT, here, *number)),
                (command("talkTarget"), talk("TGT", names.UNIT, here, *number)),
                (command("talkClear"), talk("CLR", names.UNIT)),
                *(((command("talkAnswer"), talk("ANS", names.UNIT, here)),) if seats else ()),
            ),
            *inner,
            *(added(bench.layout) if odds else ()),
            *answer.inner,
            dynamic(
                names.DECLARED,
                names.NO_WORD,
                (command("markAttack"), names.ATTACKS),
                (command("markTarget"), names.ATTACKED),
                *((over,) if odds else ()),
                *((command(c), names.NO_WORD) for c in ("unmark", "clear", "clearDecl")),
            ),
            pictures(
                "DeclMark",
                ("", *shown.values()),
                follow="{" + "".join(f"{test} ? {level} : " for level, test in enumerate(shown, 2)) + "1}",
                x=corner,
                y=corner,
            ),
        ),
        aid=(
            Entry(KEYS["attack"], "Declare attack", "marks the unit and tells the log that it attacks"),
            Entry(KEYS["target"], "Declare target", "marks the unit as attacked"),
            *answer.aid,
            Entry(KEYS["clear"], "Clear declaration", "takes the mark off again"),
            *(targets.aid() if announced else ()),
        ),
        clears=tuple(marked.values()),
    )


def _answer(when: str) -> Part:
    """The side of a piece that is attacked answers, with the key that declares it a target to the others: only then is the strength of
    its side counted, so that nobody learns it by declaring what he will not do. The answer is of one combat."""
    over = ("markAttack", "markTarget", "unmark", "clear", "clearDecl", "fought")
    does = ("bump", "talkTarget", "markTarget", "bump", "talkAnswer", "answer", "answerSay")
    return Part(
        says=(report(command("answerSay"), "$LocationName$: $BasicName$ is attacked, and its side answers"),),
        menus=(trigger(ANSWER, KEYS["target"], when, *(command(c) for c in does)),),
        inner=(
            dynamic(names.ANSWERED, names.NO_ANSWER, *((command(c), names.NO_ANSWER) for c in over), (command("answer"), names.ANSWER)),
        ),
        aid=(Entry(KEYS["target"], ANSWER, "for its own side: only then do Odds and Resolve count"),),
    )


def talks(bench: Bench) -> Part:
    """Further facts: a verb of table talk each."""
    # What is told of a card is told where it lies played: anywhere else it would say what is hidden.
    card = bench.prototype.card
    in_play = "{" + f"LocationName=={quoted(bench.spot(card.shown).name)}" + "}" if card is not None else bench.in_play()
    part = []
    for item in bench.prototype.talks:
        key = f"talk{item.verb}{'-'.join(item.fields)}"
        fields = [TALK_FIELDS.get(field) or quoted(field) for field in item.fields]
        part.append(
            (
                said(item.menu, f"{key}Say", "{name} in {place}: " + item.menu.text),
                trigger(item.menu.text, press(item.menu, key), in_play, command("bump"), command(key), command(f"{key}Say")),
                module_property(names.TALK, (command(key), talk(item.verb, *fields))),
                Entry(names.pressed(item.menu.key), item.menu.text, "tells the log"),
            )
        )
    return Part(
        says=tuple(p[0] for p in part), menus=tuple(p[1] for p in part), inner=tuple(p[2] for p in part), aid=tuple(p[3] for p in part)
    )


def numbering(bench: Bench) -> Part:
    """The running number, once for all that a piece may tell."""
    tells = "declare" in bench.prototype.can or bench.prototype.talks or any(state.verb for state in bench.prototype.states)
    return Part(inner=(module_property(names.TALK_NUMBER, bump()),)) if tells else Part()
