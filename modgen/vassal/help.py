"""The player aid inside a module: how to start, what the keys do, how to play a turn with the module, and the charts as tables."""

from __future__ import annotations

from collections.abc import Sequence

from gamebox.model import Box
from modgen.layout.layout import Layout
from modgen.vassal import names
from modgen.vassal.names import KEYS, key_words

FILE = "help/player-aid.html"


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def start(layout: Layout, box: Box) -> list[str]:
    """How to start, a line each: choose a scenario, take a side, use the tracker. Lines of HTML; rule numbers as the tables give them."""
    lines = []
    if layout.play.setups:
        offered = " or ".join(f"<b>{_safe(s.name)}</b>" for s in layout.play.setups)
        notes = " ".join(_safe(s.note) for s in layout.play.setups if s.note)
        lines.append(f"Start a new game and choose the set-up {offered}. {notes}".rstrip())
    takes = []
    for player in layout.play.players:
        units = " and ".join(s.tab for s in layout.play.sides if s.player == player)
        takes.append(f"<b>{_safe(player)}</b> plays the {_safe(units)} units")
    others = " or ".join(f"<b>{_safe(name)}</b>" for name in layout.play.referees)
    takes += [f"one who plays both sides or only looks after the game takes {others}"] if others else []
    lines.append("Take a side: " + "; ".join(takes) + ".")
    lines.append(
        f"Press <b>Next phase</b> when a phase is over: the tracker shows whose phase of which turn it is. {ends(layout, box)}".rstrip()
    )
    return lines


def ends(layout: Layout, box: Box) -> str:
    """After which turn each scenario that is offered ends, with the section of the rules."""
    said = []
    for setup in layout.play.setups:
        row = box["scenarios"][setup.scenario]
        section = row.values.get("section")
        cited = f" (rule {_safe(str(section))})" if section else ""
        said.append(f"The {_safe(setup.name)} ends after turn {row.int('last_turn')}{cited}.")
    return " ".join(said)


def page(layout: Layout, box: Box, charts_html: str, phases: Sequence[str]) -> str:
    """The page as simple HTML, which the client's own viewer can show."""
    starting = "".join(f"<li>{line}</li>" for line in start(layout, box))
    who = ", ".join(s.tab for s in layout.play.sides)
    exits = ", ".join(s.tab for s in layout.play.sides if s.exits)
    removable = ", ".join(s.tab for s in layout.play.sides if s.removable)
    rows = [
        ("attack", "Declare attack", "marks the unit and tells the log that it attacks"),
        ("target", "Declare target", "marks the unit as attacked"),
        ("clear", "Clear declaration", "takes the mark off again"),
        ("eliminate", "Eliminate", "sends the unit to its box and says so"),
        ("back", "Bring back", "from the box to where it was eliminated"),
        ("last", "Return to last hex", "takes the last move back"),
        ("exit", "Exit map", f"from an exit hex ({exits})"),
        ("flip", "Mark for removal (flip)", f"after an exit ({removable}); again to undo"),
        ("gone", "Remove from the game", "a flipped unit"),
        ("moved", "Mark moved", "set by every move; the next phase clears it"),
        ("trail", "Movement trail", "shows where the unit has been"),
    ]
    keys = "".join(f"<tr><td><b>{key_words(KEYS[k])}</b></td><td>{_safe(name)}</td><td>{_safe(text)}</td></tr>" for k, name, text in rows)
    keys += f"<tr><td><b>{key_words(names.DELETE)}</b></td><td>Delete</td><td>markers only; units go to a box</td></tr>"
    order = "".join(f"<li>{_safe(phase)}</li>" for phase in phases)
    paragraphs = "".join(f"<p>{_safe(text)}</p>" for text in layout.play.help)
    return (
        f"<html><body><h1>{_safe(layout.title)}</h1><p>Module {_safe(layout.version)}, data {box.data_hash[:12]}. Units: {_safe(who)}.</p>"
        f"<h2>How to start</h2><ol>{starting}</ol>"
        f"<h2>Keys</h2><p>Right-click a unit for its menu.</p><table border=1 cellpadding=4>{keys}</table>"
        "<h2>A turn</h2><p><b>Next phase</b> in the toolbar advances the turn, clears all marks and tells the log which phase begins. "
        "<b>d6</b> rolls the die. <b>Clear declarations</b> takes all marks of attack and target off. "
        "No declaration is required of anybody: it only makes a later check of the log surer.</p>"
        f"<ol>{order}</ol>{paragraphs}{charts_html}</body></html>\n"
    )
