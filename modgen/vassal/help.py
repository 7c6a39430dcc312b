"""The player aid inside a module: how to start, what the keys do, how to play a turn with the module, and the charts as tables."""

from __future__ import annotations

from collections.abc import Mapping

from gamebox.model import Box
from modgen.layout.layout import Layout
from modgen.layout.play import Setup
from modgen.vassal import prototypes, tracker
from modgen.vassal.abilities.part import Entry
from modgen.vassal.names import key_words
from modgen.vassal.odds import aid

FILE, RULES = "help/player-aid.html", "help/rules.html"
PAGES = {"Player aid": FILE, "Rules index": RULES}
"""Title -> file of each page, as menus and tabs show them."""


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def start(layout: Layout, box: Box) -> list[str]:
    """How to start, a line each: choose a scenario, take a side, use the tracker. Lines of HTML; rule numbers as the tables give them."""
    lines = []
    if layout.play.setups:
        offered = "".join(
            f"<li><b>{_safe(s.name)}</b>: {_safe(', '.join(s.seats))}. {ends(box, s)} {_safe(s.note)}".rstrip() + "</li>"
            for s in layout.play.setups
        )
        lines.append(f"Start a new game and choose a set-up, then take one of its sides:<ul>{offered}</ul>")
    others = " or ".join(f"<b>{_safe(name)}</b>" for name in layout.play.referees)
    if others:
        lines.append(f"One who plays all sides or only looks after the game takes {others}.")
    if layout.cards is not None:
        lines.append(
            f"The window <b>{_safe(layout.cards.window)}</b> shows the areas of the set-up on a small map, and below it the units of each: "
            "drag them onto the map. When all stand, take the marks of moved units off with the button of the map's toolbar."
        )
    lines.append("Press <b>Next phase</b> when a phase is over: the tracker shows whose phase of which turn it is.")
    if layout.play.phases.optional.tests:
        lines.append("Phases of an option are in the tracker, switched off: its own menu (right click) switches them on.")
    return lines


def ends(box: Box, setup: Setup) -> str:
    """After which turn a scenario ends, with the section of the rules."""
    row = box["scenarios"][setup.scenario]
    section = row.values.get("section")
    cited = f" (rule {_safe(str(section))})" if section else ""
    return f"Ends after turn {row.int('last_turn')}{cited}."


def _keys(layout: Layout, box: Box, gpids: Mapping[str, int]) -> str:
    """Every menu entry of every prototype once, with who has it when not all units have."""
    who: dict[Entry, list[str]] = {}
    parts = prototypes.parts(box, layout, gpids)
    for name, part in parts.items():
        for entry in part.aid:
            who.setdefault(entry, []).append(name)
    rows = ""
    units = [p.name for p in layout.play.prototypes if p.name in parts and not p.markers]
    for entry, having in who.items():
        only = "" if len(having) == len(parts) else f" ({_named(having, units)})"
        key = key_words(entry.key) if entry.key else ""
        rows += f"<tr><td><b>{key}</b></td><td>{_safe(entry.menu)}</td><td>{_safe(entry.does + only)}</td></tr>"
    return rows


def _named(having: list[str], units: list[str]) -> str:
    """Some prototypes by their names; most of the units as all of them but the others."""
    others = [name for name in units if name not in having]
    if len(units) > 2 and set(having) <= set(units) and len(others) < len(having):
        return f"all units but {', '.join(others)}" if others else "all units"
    return ", ".join(having)


def pages(layout: Layout, box: Box, charts_html: str, gpids: Mapping[str, int]) -> dict[str, str]:
    """File -> text of every page."""
    return {FILE: page(layout, box, charts_html, gpids), RULES: rules_index(layout, box)}


def rules_index(layout: Layout, box: Box) -> str:
    """Where each thing is ruled: the paragraphs of the rulebook by section, in our own words, and what we play where it is silent."""
    sections: dict[str, list[str]] = {}
    for row in box["rules"] if "rules" in box.tables else ():
        if row.text("kind") in ("flavour", "component"):
            continue
        sections.setdefault(row.text("section"), []).append(f"<li>{_safe(row.text('title'))} <i>{_safe(row.key)}</i></li>")
    listed = "".join(f"<h3>{_safe(section)}</h3><ul>{''.join(lines)}</ul>" for section, lines in sections.items())
    rulings = ""
    for row in box["rulings"] if "rulings" in box.tables else ():
        where = ", ".join(row.items("sections"))
        rulings += f"<li><b>{_safe(row.key)}</b> ({_safe(where)}) {_safe(row.text('question'))} {_safe(row.text('ruling'))}</li>"
    return (
        f"<html><body><h1>{_safe(layout.title)}: rules index</h1><p>Where the rulebook says what, in our words; it does not replace the "
        f"rulebook.</p>{listed}<h2>Rulings</h2><p>What a referee plays where the rulebook is silent or contradicts itself.</p>"
        f"<ul>{rulings}</ul></body></html>\n"
    )


def page(layout: Layout, box: Box, charts_html: str, gpids: Mapping[str, int]) -> str:
    """The page as simple HTML, which the client's own viewer can show. ``gpids`` is the ledger."""
    starting = "".join(f"<li>{line}</li>" for line in start(layout, box))
    who = ", ".join(s.tab for s in layout.play.sides)
    paragraphs = "".join(f"<p>{_safe(text)}</p>" for text in layout.play.help)
    dice = " ".join(f"<b>{_safe(die.name)}</b>: {_safe(die.tooltip)}." for die in layout.play.dice)
    counted = "".join(f"<p>{_safe(text)}</p>" for text in aid.paragraphs(box, layout))
    odds = f"<h2>Odds</h2>{counted}" if counted else ""
    orders: dict[str, list[str]] = {}
    for s in layout.play.setups:
        orders.setdefault(_order(layout, box, s), []).append(s.name)
    turns = "".join(f"<h3>{_safe(', '.join(names))}</h3><ol>{order}</ol>" for order, names in orders.items())
    return (
        f"<html><body><h1>{_safe(layout.title)}</h1><p>Module {_safe(layout.version)}, data {box.data_hash[:12]}. Units: {_safe(who)}.</p>"
        f"<h2>How to start</h2><ol>{starting}</ol>"
        f"<h2>Keys</h2><p>Right-click a unit for its menu.</p><table border=1 cellpadding=4>{_keys(layout, box, gpids)}</table>"
        "<h2>Play</h2><p><b>Next phase</b> in the toolbar advances the turn, clears all marks and tells the log which phase begins. "
        f"{dice} <b>Clear declarations</b> takes all marks of attack and target off. "
        "No declaration is required of anybody: it only makes a later check of the log surer.</p>"
        f"{paragraphs}{odds}<h2>The phases of a turn</h2>{turns}{charts_html}</body></html>\n"
    )


def _order(layout: Layout, box: Box, setup: Setup) -> str:
    listed = tracker.half_phases(box, layout) if setup.halves else tracker.phases(box, layout, setup.scenario)
    return "".join(f"<li>{_safe(name)}{'' if on else ' <i>(option)</i>'}</li>" for name, on in listed)
