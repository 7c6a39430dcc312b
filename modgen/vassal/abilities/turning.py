"""Faces and marks: steps lost and restored, counters turned over, states that are put on and taken off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from modgen.art import counters
from modgen.layout.abilities import State, TurnTo
from modgen.layout.reading import Where
from modgen.vassal import names
from modgen.vassal.abilities.part import Bench, Entry, Part, joined, press, said
from modgen.vassal.idioms import Trait, dynamic, either, module_property, neither, pictures, quoted, report, talk, trigger
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
    wanted = ({send.face for send in bench.prototype.sends} | {turn.face for turn in bench.prototype.turns}) - {""}
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
    asked = any(order.order == FACE_UP for order in bench.layout.play.orders)
    front = trigger("", command(f"order-{FACE_UP}"), "{" + f"{names.FACE}_Level>1" + "}", command("flip"))
    return Part(
        says=(report(command("flipSay"), "$LocationName$: $BasicName$ is turned, now $PieceName$"),),
        menus=(trigger("Turn over", KEYS["flip"], "", command("flip"), command("flipSay")), *([front] if asked else [])),
        aid=(Entry(KEYS["flip"], "Turn over", "shows the other face"),),
        orders=((FACE_UP, command(f"order-{FACE_UP}")),) if asked else (),
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


def turn_to(bench: Bench) -> Part:
    """Turned where it lies, to its full face or its last."""
    return joined(_turn_to(bench, item, number) for number, item in enumerate(bench.prototype.turns, 1))


def _turn_to(bench: Bench, item: TurnTo, number: int) -> Part:
    key = f"turn{number}"
    pressed = press(item.menu, key)
    at = [bench.spot(place).name for place in item.start]
    entry = f"{item.under}: {item.menu.text}" if item.under else item.menu.text
    return Part(
        says=(said(item.menu, f"{key}Say", "{face} in {place}"),),
        menus=(
            trigger(item.menu.text, pressed, either("LocationName", at) if at else "", command(f"face-{item.face}"), command(f"{key}Say")),
        ),
        aid=(Entry(names.pressed(item.menu.key), entry, "turned there to its " + {"full": "full", "last": "last"}[item.face] + " face"),),
        hides=((neither("LocationName", at), pressed),) if at else (),
        under=((item.under, item.menu.text),) if item.under else (),
    )


def ends_key(until: Where) -> str:
    """The name of the command that takes states off when certain phases begin."""
    return "ends-" + "-".join(value for _, values in until.tests for value in values)


def _state(bench: Bench, item: State) -> Part:
    """A property of the piece with one of the state's words, or none; its mark, its report, the entries that set it."""
    prop, key = item.id, f"state-{item.id}"
    level = "{" + "".join(f"{prop}=={quoted(word)} ? {n} : " for n, word in enumerate(item.words, 2)) + "1}"
    off = [(command("clear"), item.off)] if item.until_next_phase else []
    ends = [(item.ends(n), ends_key(item.ends(n)), f"{prop}=={quoted(word)}") for n, word in enumerate(item.words) if item.ends(n).tests]
    for end in dict.fromkeys(end for _, end, _ in ends):
        over = [test for _, key_, test in ends if key_ == end]
        # The command also reaches pieces that have another mark to lose: what these phases do not end, stays.
        left = item.off if len(over) == len(item.words) else "{" + f"({' || '.join(over)}) ? {quoted(item.off)} : {prop}" + "}"
        off.append((command(end), left))
    reach = round(bench.size * (1 - MARK_SIZE) / 2) + 2
    across, down = {
        "top-left": (-1, -1),
        "top-right": (1, -1),
        "bottom-left": (-1, 1),
        "bottom-right": (1, 1),
        "middle": (0, 0),
    }[item.corner]
    marked = tuple(f"{prop}=={quoted(word)}" for word in item.words)
    default = "$LocationName$: $BasicName$ " + item.menu.text + f" ${prop}$"
    others = bench.but(item.only)
    if others is None:
        return Part()
    entries = _chosen(item, key) if item.choose else _in_turn(item, key)
    return Part(
        says=(said(replace(item.menu, say=item.menu.say.replace("{state}", f"${prop}$")), f"{key}Say", default),),
        menus=(*entries.menus, *(_left_behind(item, key) if item.until_moved else ())),
        inner=(
            *entries.tells,
            dynamic(prop, item.off, *entries.sets, *off),
            pictures(
                f"{prop}Mark",
                ("", *(_mark_file(bench, mark) for mark in item.marks)),
                follow=level,
                x=across * reach,
                y=down * reach,
                size=MARK_SIZE,
            ),
        ),
        aid=entries.aid,
        clears=marked if item.until_next_phase else (),
        ends=tuple(ends),
        hides=((others, press(item.menu, key)),) if others else (),
        under=entries.under,
    )


def _left_behind(item: State, key: str) -> tuple[Trait, ...]:
    """What takes a mark off that belongs to the place where it was put on."""
    moved = "{" + f"{item.id}!={quoted(item.off)} && LocationName!=OldLocationName" + "}"
    return (trigger("", command("dragged"), moved, command(key), command(f"{key}Say")),)


def _mark_file(bench: Bench, mark: str) -> str:
    """The picture of a state's mark: a marker's, or one of its later sides (``marker/side``)."""
    name, _, side = mark.partition("/")
    marker = next((m for m in bench.layout.counters.markers if m.id == name), None)
    if marker is None:
        return ""
    return dict(counters.marker_faces(marker))[side] if side else counters.marker_file(marker)


@dataclass(frozen=True, slots=True)
class _Entries:
    """How a state is set: menu entries, what they set, and how they are listed."""

    menus: tuple[Trait, ...]
    sets: tuple[tuple[str, str], ...]
    aid: tuple[Entry, ...]
    under: tuple[tuple[str, str], ...]
    tells: tuple[Trait, ...] = ()


def _in_turn(item: State, key: str) -> _Entries:
    """One entry that goes through the words; the word for none is the start and the end."""
    words = (item.off, *item.words)
    following = "{" + "".join(f"{item.id}=={quoted(a)} ? {quoted(b)} : " for a, b in pairwise(words))
    following += quoted(item.off) + "}"
    return _Entries(
        (trigger(item.menu.text, press(item.menu, key), "", command(key), command(f"{key}Say")),),
        ((command(key), following),),
        (Entry(names.pressed(item.menu.key), item.menu.text, "in turn: " + ", ".join((*item.words, item.off))),),
        ((item.under, item.menu.text),) if item.under else (),
    )


def _chosen(item: State, key: str) -> _Entries:
    """An entry for each word and one for none, in a submenu."""
    menu = item.under or item.menu.text
    none = f"No {item.menu.text[:1].lower()}{item.menu.text[1:]}"
    wanted = [(word[:1].upper() + word[1:], word) for word in item.words] + [(none, item.off)]
    menus, lines = [], []
    for n, (text, _) in enumerate(wanted, 1):
        pressed = names.pressed(item.keys[n - 1]) if n <= len(item.keys) else ""
        told = (command("bump"), command(f"{key}{n}Tell")) if item.verb and n <= len(item.codes) else ()
        if told:
            lines.append((told[1], talk(item.verb, names.UNIT, "LocationName", quoted(item.codes[n - 1]))))
        menus.append(trigger(text, pressed or command(f"{key}{n}Menu"), "", *told, command(f"{key}{n}"), command(f"{key}Say")))
    does = "marks it and tells the log" if item.verb else "marks it"
    keyed = tuple(Entry(names.pressed(k), f"{menu}: {text}", does) for k, (text, _) in zip(item.keys, wanted, strict=False))
    listed = Entry("", menu, "one of: " + ", ".join((*item.words, item.off)))
    return _Entries(
        tuple(menus),
        tuple((command(f"{key}{n}"), word) for n, (_, word) in enumerate(wanted, 1)),
        keyed or (listed,),
        tuple((menu, text) for text, _ in wanted),
        (module_property(names.TALK, *lines),) if lines else (),
    )


def states(bench: Bench) -> Part:
    """Every state of the prototype."""
    return joined(_state(bench, item) for item in bench.prototype.states)
