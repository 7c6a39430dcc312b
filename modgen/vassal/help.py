"""The player aid inside a module: what the keys do, how to play a turn with the module, and the charts as tables."""

from __future__ import annotations

from collections.abc import Sequence

from modgen.art.layout import Layout
from modgen.vassal import names
from modgen.vassal.names import KEYS, key_words

FILE = "help/player-aid.html"


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def page(layout: Layout, title: str, charts_html: str, phases: Sequence[str], data_hash: str) -> str:
    """The page as simple HTML, which the client's own viewer can show."""
    who = ", ".join(s.tab for s in layout.sides)
    exits = ", ".join(s.tab for s in layout.sides if s.exits)
    removable = ", ".join(s.tab for s in layout.sides if s.removable)
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
    paragraphs = "".join(f"<p>{_safe(text)}</p>" for text in layout.help)
    return (
        f"<html><body><h1>{_safe(title)}</h1><p>Module {_safe(layout.version)}, data {data_hash[:12]}. Units: {_safe(who)}.</p>"
        f"<h2>Keys</h2><p>Right-click a unit for its menu.</p><table border=1 cellpadding=4>{keys}</table>"
        "<h2>A turn</h2><p><b>Next phase</b> in the toolbar advances the turn, clears all marks and tells the log which phase begins. "
        "<b>d6</b> rolls the die. <b>Clear declarations</b> takes all marks of attack and target off. "
        "No declaration is required of anybody: it only makes a later check of the log surer.</p>"
        f"<ol>{order}</ol>{paragraphs}{charts_html}</body></html>\n"
    )
