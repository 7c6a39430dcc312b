"""Faces and marks: steps lost and restored, counters turned over, states that are put on and taken off."""

from __future__ import annotations

from itertools import pairwise

from modgen.art import counters
from modgen.layout.abilities import State
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, joined, press, said
from modgen.vassal.idioms import Trait, dynamic, pictures, quoted, report, trigger
from modgen.vassal.names import KEYS, command

FACE_UP = "face-up"
"""The order to show the front."""
MARK_SIZE = 0.45
"""How large a state's mark is drawn on the counter, as a part of the counter."""


def steps(bench: Bench) -> Part:
    """A step lost, the last one with the unit; a step restored.

    The client asks the inner trigger first, and the outer one reads its test after that has acted: so the test for a unit that is
    reduced already stands inside, or one key would reduce and eliminate it.
    """
    faces = bench.prototype.faces
    if faces is None or faces.kind != "steps":
        return Part()
    level, last = f"{names.FACE}_Level", len(faces.words) + 1
    out = command("elimNote"), command("unmark"), command("elimGo"), command("elimSay")
    menus = [
        trigger("Lose a step", KEYS["step"], bench.on_map(), command("loseStep")),
        trigger("", command("loseStep"), "{" + f"{level}<{last}" + "}", command("step"), command("stepSay")),
    ]
    if bench.prototype.eliminate is not None:
        menus.append(trigger("", command("loseStep"), "{" + f"{level}=={last}" + "}", *out))
    menus.append(trigger("Restore a step", KEYS["restore"], "{" + f"{level}>1" + "}", command("unstep"), command("restoreSay")))
    secret = bench.prototype.secret
    if secret:
        # Whoever loses a step is shown; who gets one back is not.
        lost, restored = "$BasicName$ loses a step, now $PieceName$", f"{secret}: a step is restored"
    else:
        lost = "$LocationName$: $BasicName$ loses a step, now $PieceName$"
        restored = "$LocationName$: $BasicName$ has a step restored, now $PieceName$"
    return Part(
        says=(report(command("stepSay"), lost), report(command("restoreSay"), restored)),
        menus=tuple(menus),
        aid=(
            Entry(KEYS["step"], "Lose a step", "turns the unit to its reduced side; a reduced one is eliminated"),
            Entry(KEYS["restore"], "Restore a step", "back to its full side"),
        ),
    )


def turned(bench: Bench) -> Part:
    """The face that a piece gets where it is sent: its full one, or its last.

    As many triggers as there may be faces to turn: the test of one that stands further out is read after the inner one has turned.
    """
    faces = bench.prototype.faces
    wanted = {send.face for send in bench.prototype.sends} - {""}
    if faces is None or faces.kind != "steps":
        return Part()
    level, last = f"{names.FACE}_Level", len(faces.words) + 1
    menus = []
    if "full" in wanted:
        menus += [trigger("", command("face-full"), "{" + f"{level}>1" + "}", command("unstep"))] * (last - 1)
    if "last" in wanted:
        menus += [trigger("", command("face-last"), "{" + f"{level}<{last}" + "}", command("step"))] * (last - 1)
    return Part(menus=tuple(menus))


def flip(bench: Bench) -> Part:
    """Turned over and back; a button can ask all pieces to show their front."""
    faces = bench.prototype.faces
    if faces is None or faces.kind != "flip":
        return Part()
    return Part(
        says=(report(command("flipSay"), "$LocationName$: $BasicName$ is turned, now $PieceName$"),),
        menus=(
            trigger("Turn over", KEYS["flip"], "", command("flip"), command("flipSay")),
            trigger("", command(f"order-{FACE_UP}"), "{" + f"{names.FACE}_Level>1" + "}", command("flip")),
        ),
        aid=(Entry(KEYS["flip"], "Turn over", "shows the other face"),),
        orders=((FACE_UP, command(f"order-{FACE_UP}")),),
    )


def face(bench: Bench, files: tuple[str, ...], name: str) -> Trait:
    """The layer of a piece's faces, with the keys that its prototype's abilities send."""
    faces = bench.prototype.faces
    if faces is None or len(files) == 1:
        # One level is called what the piece is called: an empty list of level names was never tried in the engine.
        return pictures(names.FACE, files, words=[name] * len(files))
    words = ["", *(f"+ {word}" for word in faces.words)]
    if faces.kind == "steps":
        return pictures(names.FACE, files, words=words, up=command("step"), down=command("unstep"))
    return pictures(names.FACE, files, words=words, up=command("flip"))


def _state(bench: Bench, item: State) -> Part:
    """One menu entry that goes through the state's words in turn; ``none`` is the start and the end."""
    words = (names.NO_WORD, *item.words)
    prop, key = item.id, f"state-{item.id}"
    following = "{" + "".join(f"{prop}=={quoted(a)} ? {quoted(b)} : " for a, b in pairwise(words))
    following += quoted(names.NO_WORD) + "}"
    level = "{" + "".join(f"{prop}=={quoted(word)} ? {n} : " for n, word in enumerate(item.words, 2)) + "1}"
    off = [(command("clear"), names.NO_WORD)] if item.until_next_phase else []
    reach = round(bench.size * (1 - MARK_SIZE) / 2) + 2
    across, down = {
        "top-left": (-1, -1),
        "top-right": (1, -1),
        "bottom-left": (-1, 1),
        "bottom-right": (1, 1),
        "middle": (0, 0),
    }[item.corner]
    files = {"": "", **{marker.id: counters.marker_file(marker) for marker in bench.layout.counters.markers}}
    default = "$LocationName$: $BasicName$ " + item.menu.text + f" ${prop}$"
    return Part(
        says=(said(item.menu, f"{key}Say", default),),
        menus=(trigger(item.menu.text, press(item.menu, key), "", command(key), command(f"{key}Say")),),
        inner=(
            dynamic(prop, names.NO_WORD, (command(key), following), *off),
            pictures(
                f"{prop}Mark",
                ("", *(files[mark] for mark in item.marks)),
                follow=level,
                x=across * reach,
                y=down * reach,
                size=MARK_SIZE,
            ),
        ),
        aid=(Entry(names.pressed(item.menu.key), item.menu.text, "in turn: " + ", ".join((*item.words, names.NO_WORD))),),
        clears=tuple(f"{prop}=={quoted(word)}" for word in item.words) if item.until_next_phase else (),
        under=((item.under, item.menu.text),) if item.under else (),
    )


def states(bench: Bench) -> Part:
    """Every state of the prototype."""
    return joined(_state(bench, item) for item in bench.prototype.states)
