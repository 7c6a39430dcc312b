"""Declarations: who attacks, who is attacked, and other facts that a player wants to have in the log."""

from __future__ import annotations

from modgen.art import counters
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, press, said
from modgen.vassal.idioms import dynamic, module_property, pictures, quoted, report, talk, trigger
from modgen.vassal.names import KEYS, command
from modgen.vassal.odds import targets
from modgen.vassal.odds.declared import added, together

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
        says=(report(command("declSay"), f"$LocationName$: $BasicName$ ${names.DECLARED}$"),),
        menus=(
            trigger("Declare attack", KEYS["attack"], in_play, *steps("Attack")),
            trigger("Declare target", KEYS["target"], in_play, *steps("Target")),
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
            ),
            *inner,
            *(added(bench.layout) if odds else ()),
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
                ("", *marks.values()),
                follow="{" + "".join(f"{test} ? {level} : " for level, test in enumerate(marked.values(), 2)) + "1}",
                x=corner,
                y=corner,
            ),
        ),
        aid=(
            Entry(KEYS["attack"], "Declare attack", "marks the unit and tells the log that it attacks"),
            Entry(KEYS["target"], "Declare target", "marks the unit as attacked"),
            Entry(KEYS["clear"], "Clear declaration", "takes the mark off again"),
            *(targets.aid() if announced else ()),
        ),
        clears=tuple(marked.values()),
    )


def talks(bench: Bench) -> Part:
    """Further facts: a verb of table talk each."""
    # What is told of a card is told where it lies played, beside the map.
    in_play = "" if bench.prototype.card is not None else bench.in_play()
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
