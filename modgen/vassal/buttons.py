"""The toolbar: the next phase, the turn tracker, declarations, dice. Every button has an icon and says what it does."""

from __future__ import annotations

from gamebox.model import Box
from modgen.art.icons import icon_file
from modgen.formats.vassal import sequence
from modgen.formats.vassal.xml import Element
from modgen.layout.layout import Layout
from modgen.layout.play import Order
from modgen.layout.reading import Where
from modgen.vassal import idioms, names, prototypes, telling, tracker
from modgen.vassal.abilities.cards import draw_order
from modgen.vassal.abilities.turning import FACE_UP
from modgen.vassal.classes import EVERY_MAP, M
from modgen.vassal.ledger import Ledger
from modgen.vassal.names import command
from modgen.vassal.odds import figure
from modgen.vassal.places import find


def action(
    root: Element, name: str, text: str, tooltip: str, key: str, *does: str, icon: str = "", times: str = "", loop: str = ""
) -> None:
    """A button that sends named commands in turn, as one step of the log; ``times``: an expression of how often, ``loop``: a test that
    it does so again and again while it holds."""
    root.add(
        M + "DoActionButton",
        name=name,
        text=text,
        tooltip=tooltip,
        icon=icon_file(icon) if icon else "",
        hotkey=command(key),
        canDisable=False,
        propertyGate="",
        hideWhenDisabled=False,
        disabledIcon="",
        doReport=False,
        reportFormat="",
        doSound=False,
        soundClip="",
        doHotkey=True,
        hotkeys=idioms.keys(*(command(d) for d in does)),
        doLoop=bool(times or loop),
        loopType="while" if loop else "counted",
        loopCount=times or 1,
        whileExpression=loop,
        untilExpression="",
        preLoopKey="",
        postLoopKey="",
        index=False,
        indexProperty="",
        indexStart=1,
        indexStep=1,
    )


def clearing(root: Element, name: str, button: str, sent: str, when: str) -> None:
    """A key command that reaches every piece on every map that passes a test."""
    root.add(
        M + "GlobalKeyCommand",
        name=name,
        buttonText="",
        tooltip="",
        icon="",
        buttonHotkey=command(button),
        hotkey=command(sent),
        filter=when,
        deckCount=0,
        reportSingle=True,
        suppressSounds=True,
        reportFormat="",
        target=EVERY_MAP,
    )


def buttons(root: Element, box: Box, layout: Layout, ledger: Ledger) -> None:
    """The toolbar from the left: next phase, tracker, declarations, dice."""
    made = prototypes.parts(box, layout, ledger.numbers).values()
    clears = list(dict.fromkeys(test for part in made for test in part.clears))
    declared = [test for test in clears if test.startswith(names.DECLARED)]
    phase = tracker.phase_now(box, layout)
    worked = ("workPhase",) if phase == names.NOW else ()
    # Games of a version without some phases would stop at them.
    on = ("nextPhase", "passOver") if worked else ("nextPhase",)
    if worked:
        action(root, "PassOver", "", "", "passOver", "nextPhase", loop="{" + tracker.passed_over(box, layout) + "}")
    ends: dict[str, tuple[Where, list[str]]] = {}
    for where, key, test in (end for part in made for end in part.ends):
        ends.setdefault(key, (where, []))[1].append(test)
    action(
        root,
        "NextPhase",
        "Next phase",
        "End this phase and begin the next: clears all marks, and notes it in the log",
        "btnNext",
        *(("sayCleared",) if clears else ()),
        *("clearAll", *on, *worked, *(f"{key}All" for key in ends), "moduleBump", "talkPhase"),
        *(["sayNews"] if layout.play.notices else []),
        "sayEnd",
        icon="next",
    )
    root.append(tracker.tracker(box, layout))
    over = f'{names.TURN}>{names.LAST_TURN} ? "*** The scenario ended with turn "+{names.LAST_TURN} : ""'
    saying(root, "GameEnds", "sayEnd", "{" + over + "}")
    if layout.play.notices:
        saying(root, "PhaseBegins", "sayNews", telling.notice(phase))
        nothing = "** Nothing is noted for this phase."
        action(root, "PhaseNotes", "Phase notes", "Say once more what this phase brings", "btnNotes", *worked, "sayNotes", icon="help")
        saying(root, "PhaseNotesSaid", "sayNotes", telling.notice(phase, nothing))
    if clears:
        # The next phase says what it does besides, if it does: nobody should wonder where his marks went.
        any_left = " || ".join(clears)
        says = f'Count({figure.match(any_left)})>0 ? "The marks of this phase are cleared" : ""'
        saying(root, "MarksCleared", "sayCleared", "{" + says + "}")
        clearing(root, "Clear all marks", "clearAll", "clear", "{" + any_left + "}")
    for key, (where, tests) in ends.items():
        begun = list(dict.fromkeys(tracker.phase_name(box, layout, row) for row in box["phases"] if where(row)))
        when = f"({idioms.either(phase, begun)[1:-1]}) && ({' || '.join(dict.fromkeys(tests))})"
        clearing(root, f"Clear marks: {key}", f"{key}All", key, "{" + when + "}")
    if declared:
        clearing(root, "Clear declarations", "clearDeclAll", "clearDecl", "{" + " || ".join(declared) + "}")
        action(
            root,
            "ClearDeclarations",
            "Clear declarations",
            "Take the marks off all who attack or are attacked",
            "btnClear",
            *("sayDeclCleared", "clearDeclAll", "moduleBump", "talkClearAll"),
            icon="clear",
        )
        told = f'Count({figure.match(" || ".join(declared))})>0 ? "All declarations are taken back" : ""'
        saying(root, "DeclarationsCleared", "sayDeclCleared", "{" + told + "}")
    for number, die in enumerate(layout.play.dice):
        root.add(
            M + "DiceButton",
            name=die.name,
            text=die.name,
            tooltip=die.tooltip[:1].upper() + die.tooltip[1:],
            icon=icon_file("die"),
            hotkey=command(die_command(number)),
            nDice=die.dice,
            nSides=die.faces,
            plus=0,
            addToTotal=0,
            reportTotal=False,
            prompt=False,
            reportFormat="** $name$ = $result$ *** <$PlayerName$>" + (" total $numericalTotal$" if die.total else ""),
        )
    for number, order in enumerate(layout.play.orders, 1):
        asking(root, order.text, order.tooltip, f"btnOrder{number}", f"order-{order.order}", "", 0, order_says(box, layout, order))
    for number, draw in enumerate(layout.play.draws, 1):
        in_deck = "{DeckName==" + idioms.quoted(find(layout, box, draw.deck).name) + "}"
        asking(root, draw.text, draw.tooltip, f"btnDraw{number}", f"order-{draw_order(draw.hand)}", in_deck, draw.cards)
    telling.tallies(root, box, layout)
    for text, tooltip in layout.play.menus:
        toolbar_menu(root, layout, text, tooltip)


def order_says(box: Box, layout: Layout, order: Order) -> str:
    """What the chat says of an order: of the one that turns pieces face up nothing when all of them are."""
    if order.order != FACE_UP or not order.say:
        return order.say
    turns = [p for p in layout.play.prototypes if p.faces is not None and p.faces.kind == "flip"]
    ids = [(names.UNIT, piece.id) for piece in box.pieces if layout.play.prototype(piece) in turns]
    ids += [(names.MARKER_ID, marker.id) for marker in layout.counters.markers if layout.play.marker_prototype(marker) in turns]
    any_of = " || ".join(f"{prop}=={idioms.quoted(value)}" for prop, value in ids)
    return "{" + f"Count({figure.match(f'{names.FACE}_Level>1 && ({any_of})')})>0 ? {figure.said(order.say)} : " + '""}'


def die_command(number: int) -> str:
    """The command that rolls a die of the layout, counted from 0."""
    return f"roll{number or ''}"


def asking(root: Element, text: str, tooltip: str, key: str, sent: str, when: str, cards: int, says: str = "") -> None:
    """A button that sends all pieces a key, and of each deck as many cards as it says; those that do not know it do nothing."""
    root.add(
        M + "GlobalKeyCommand",
        name=text,
        buttonText=text,
        tooltip=tooltip,
        icon=icon_file("cards" if cards else "order"),
        buttonHotkey=command(key),
        hotkey=command(sent),
        filter=when,
        deckCount=cards,
        reportSingle=False,
        suppressSounds=True,
        reportFormat=says,
        target=EVERY_MAP,
    )


def toolbar_menu(root: Element, layout: Layout, text: str, tooltip: str) -> None:
    """A button that opens a menu of others, which the client then takes out of the toolbar."""
    play = layout.play
    items = [d.name for d in play.dice if d.menu == text]
    items += [b.text for b in play.draws if b.menu == text] + [b.text for b in play.orders if b.menu == text]
    dice = any(d.menu == text for d in play.dice)
    root.add(
        M + "ToolbarMenu",
        description=text,
        text=text,
        tooltip=tooltip,
        icon=icon_file("die" if dice else "cards"),
        hotkey="",
        menuItems=sequence.encode(items, ","),
    )


def saying(root: Element, name: str, key: str, says: str) -> None:
    """A button without a face that only reports; an empty report writes nothing."""
    root.add(
        M + "DoActionButton",
        name=name,
        text="",
        tooltip="",
        icon="",
        hotkey=command(key),
        canDisable=False,
        doReport=True,
        reportFormat=says,
        doHotkey=False,
        hotkeys="",
        doLoop=False,
    )
