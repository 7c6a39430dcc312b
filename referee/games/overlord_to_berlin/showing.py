"""How a position and an action look on the table of our module: where each counter and card lies, what the tracker shows, what a
player would say.

The other direction of ``reading``; used to write played games as client logs. Places and words are those of the module's layout.
"""

from __future__ import annotations

from referee.games.overlord_to_berlin.actions import Ask, Attack, Concede, Draw, Keep, Land, Move, Play, Rebuild, Reroll, Restore, Supply
from referee.games.overlord_to_berlin.cancel import waiting
from referee.games.overlord_to_berlin.game import OverlordToBerlin
from referee.games.overlord_to_berlin.land import AXIS, SIDES, SOVIET, WEST
from referee.games.overlord_to_berlin.points import face_down
from referee.games.overlord_to_berlin.position import BOUGHT_USED, SPENT, Pos, alter
from referee.games.overlord_to_berlin.setting import Setting, enemies
from referee.games.overlord_to_berlin.terms import Phase
from referee.games.overlord_to_berlin.units import gfs_in, is_reduced, place_of
from referee.rules.events import Lies
from referee.rules.model import CHANCE, Action, Done, Roll

DISPLAYS = ("Western Allied Display", "Soviet Display", "Axis Display")
PLAYED = "Played Stratagems"
LASTING = "Lasting Events"
DECKS = tuple(f"{side}-stratagems" for side in SIDES)
OPERATIONAL_DECK = "operational-stratagems"
ACTED = ("has all its actions", "has used its first action")
EXTRA = ("has no extra action", "has an extra action", "has two extra actions")
PR_MARKERS = (
    ("marker-pr-england", "England PR"),
    ("marker-pr-italy", "Italy PR"),
    ("marker-pr-soviet", "Soviet PR"),
    ("marker-pr-axis", "Axis PR"),
)
EVENT_MARKERS = (("marker-event-west", "West event"), ("marker-event-soviet", "Soviet event"), ("marker-event-axis", "Axis event"))
EVENT_ROWS = {
    WEST: ("2", "3-4", "5", "6-8", "9", "10", "11-12"),
    SOVIET: ("2", "3-4", "5", "6-8", "9-10", "11", "12"),
    AXIS: ("2", "3-4", "5", "6-8", "9", "10", "11-12"),
}
"""The cells of the track of political events."""
TRACK_ENDS = (10, 4, 20, 41)
"""Where the tracks of resource points end on the board: a marker that goes on begins again at 0."""
_PHASES = {
    "political": "Political",
    "economic": "Economic",
    "west_action": "Western Action",
    "soviet_action": "Soviet Action",
    "axis_action": "Axis Action",
    "final": "Final",
}
_STEPS = {
    "draw_national": "national stratagems",
    "draw_operational": "operational stratagems",
    "event": "political event",
    "bombardment": "bombardment of Germany",
    "automatic": "automatic rebuilding",
    "spending": "spending of PR",
    "combine": "combining",
    "strategic": "strategic movement",
    "combine_again": "combining again",
    "capitulation": "capitulations",
    "paratroop_dice": "paratroops return",
    "operationals_back": "operationals back",
    "formations_face_up": "formations face up",
    "verdict": "verdict after turn 7",
}
_SIDE_WORDS = ("Western Allies", "Soviets", "Axis")
_ONE = ("reinforcements", "bombardment", "capitulation", "paratroop_dice", "verdict")
"""Steps of one side that the tracker shows without its name."""
_DICE = {
    "war-end": "Three dice",
    "combat": "Combat",
    "free-attack": "Combat",
    "leave": "Leave to retreat",
    "pocket": "Pocket",
    "paratroops": "Paratroops return",
}
FLAGS = tuple(f"marker-control-{side}" for side in SIDES)
"""The flags of control, by side."""
EVENT_DICE = ("Western event", "Soviet event", "Axis event")
BOMBARDMENT_DICE = {1: "Bombardment", 2: "Bombardment: 2 dice", 3: "Three dice"}
RETHROW = "Rethrow"
ENDED_BY_TRACKER = ("combine", "strategic", "transfers", "operations", "spending")
"""Steps that end when the tracker is stepped; windows and choices end when somebody says so or goes on."""


def phase_name(phase: Phase) -> str:
    """A step of the order of play as the module's tracker shows it."""
    word, step = _PHASES[phase.phase], _STEPS.get(phase.step, phase.step)
    plain = phase.phase.endswith("_action") or phase.step in _ONE or phase.side < 0
    return f"{word}: {step}" if plain else f"{word} ({_SIDE_WORDS[phase.side]}): {step}"


def clock(game: OverlordToBerlin, p: Pos) -> tuple[int, str]:
    """Turn and step as the tracker shows them; before the first step as at the first, after the last as at the last."""
    phases = game.setting.terms.phases
    return p.turn, phase_name(phases[max(0, min(p.phase, len(phases) - 1))])


def lies(game: OverlordToBerlin, p: Pos) -> dict[str, Lies]:
    """Every unit, formation, card and marker of a track, by the id on it."""
    g = game.setting
    found: dict[str, Lies] = {}
    for unit, name in enumerate(g.units.ids):
        found[name] = _unit(g, p, unit)
    dragged = going(p)
    for gf, name in enumerate(g.gfs.ids):
        found[name] = _formation(g, p, gf, dragged.get(gf, p.gf_at[gf]))
    for card, name in enumerate(g.cards.ids):
        found[name] = _card(g, p, card)
    for track, (marker, words) in enumerate(PR_MARKERS):
        found[marker] = Lies(f"{words} {p.pr[track] % (TRACK_ENDS[track] + 1)}")
    for side, (marker, words) in enumerate(EVENT_MARKERS):
        found[marker] = Lies(f"{words} {event_row(side, p.event[side])}" if p.event[side] else LASTING)
    found["marker-turn"] = Lies(f"Turn {p.turn}")
    return found


def flags(game: OverlordToBerlin, p: Pos) -> dict[str, str]:
    """Zone -> the flag that players put there: zones without one belong to the Axis as long as no Ally held them at the start (R-F23)."""
    land = game.setting.land
    held = zip(p.control[: land.size], land.start_control, strict=True)
    return {land.name(zone): "" if now == start == AXIS else FLAGS[now] for zone, (now, start) in enumerate(held)}


def event_row(side: int, total: int) -> str:
    """The cell of the track of political events that a total of two dice belongs to."""
    def holds(cell: str) -> bool:
        low, _, high = cell.partition("-")
        return int(low) <= total <= int(high or low)

    return next(cell for cell in EVENT_ROWS[side] if holds(cell))


def formation_marks(p: Pos, gf: int) -> tuple[tuple[str, str], ...]:
    """The marks on a formation that show its account of PA: the client's property and its word."""
    account = p.pa[gf] if p.pa else 0
    extra = (p.extra[gf] if p.extra else 0) + bool(account & BOUGHT_USED)
    return (("Acted", ACTED[bool(account & SPENT)]), ("Extra", EXTRA[min(extra, 2)]))


def going(p: Pos) -> dict[int, int]:
    """Formations whose way was declared and may still be cancelled -> where they were dragged."""
    open_ = next((i for i, frame in enumerate(p.agenda) if frame.step == "cancel"), None)
    if open_ is None:
        return {}
    declared, stopped = waiting(alter(p, agenda=p.agenda[: open_ + 1]))
    if declared.verb == "attack":
        return {}
    return {gf: declared.plan.zone for gf in declared.plan.gfs if gf not in stopped}


def _formation(g: Setting, p: Pos, gf: int, place: int) -> Lies:
    turned = bool(p.pa) and face_down(p, gf)
    return Lies(g.land.places.names[place], face=2 if turned else 1, states=formation_marks(p, gf))


def _unit(g: Setting, p: Pos, unit: int) -> Lies:
    place = place_of(g, p, unit)
    side = g.units.side[unit]
    hidden = p.at[unit] == g.land.places.inside
    on = DISPLAYS[side] if hidden else ""
    pocket = place < g.land.size
    if g.units.paratroops >> unit & 1:
        return Lies(_corps(g, p, unit, place))
    return Lies(g.land.places.names[place], on, face=(2 if is_reduced(g, p, unit) else 1) if hidden or pocket else 0)


def _corps(g: Setting, p: Pos, unit: int, place: int) -> str:
    """A corps of paratroops lies in the zone of the combat in which it drops, then on the turn on which it is ready again."""
    if p.combat is not None and (p.combat.drops[0] | p.combat.drops[1]) >> unit & 1:
        return g.land.name(p.combat.zone)
    back = dict(p.returns).get(unit, 0)
    return f"Turn {back}" if p.turn < back <= g.terms.last_turn else g.land.places.names[place]


def _card(g: Setting, p: Pos, card: int) -> Lies:
    for side, own in enumerate(p.sealed):
        if own.hand >> card & 1:
            return Lies(f"{SIDES[side]}-hand", DISPLAYS[side], masked=SIDES[side])
    laid = 0 if p.combat is None else p.combat.cards[0] | p.combat.cards[1]
    if g.cards.operational >> card & 1:
        return Lies(PLAYED if (p.used_cards | laid) >> card & 1 else OPERATIONAL_DECK)
    return Lies(DECKS[next(side for side in range(3) if g.cards.national[side] >> card & 1)])


def actor(game: OverlordToBerlin, p: Pos, a: Action) -> str:
    """The side whose player carries an action out on the table: dice and draws are those of the side that they are for."""
    if isinstance(a, Draw):
        return a.side
    if isinstance(a, Roll) and len(p.frame.data) > 2:
        data = p.frame.data
        side = data[2] if p.frame.step == "dice" else data[5]
        return SIDES[side] if isinstance(side, int) else SIDES[WEST]
    return a.by if a.by != CHANCE else SIDES[max(game.setting.phase(p).side, 0)]


def throws(game: OverlordToBerlin, p: Pos, a: Roll) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    """(player, die button of the module, faces) of each throw that makes up a roll: in a combat each side throws its own die."""
    by = actor(game, p, a)
    if p.frame.step == "reroll-die":
        return ((by, RETHROW, a.faces),)
    if a.key == "event":
        return ((by, EVENT_DICE[SIDES.index(by)], a.faces),)
    if a.key == "bombardment":
        return ((by, BOMBARDMENT_DICE[len(a.faces)], a.faces),)
    if a.key == "combat" and p.combat is not None and len(a.faces) == 2:
        fighters = (p.combat.attacker, p.combat.defender)
        return tuple((SIDES[side], _DICE[a.key], (face,)) for side, face in zip(fighters, a.faces, strict=True))
    return ((by, _DICE.get(a.key, ""), a.faces),)


def together(game: OverlordToBerlin, a: Action) -> tuple[str, ...]:
    """The formations that one drag takes along."""
    return a.gfs if isinstance(a, Move | Land) else ()


def stops(game: OverlordToBerlin, a: Action) -> tuple[tuple[str, str], ...]:
    """A card is laid open before it goes back to its deck."""
    return ((a.card, PLAYED),) if isinstance(a, Play | Reroll) else ()


def leaving(game: OverlordToBerlin, p: Pos) -> tuple[str, ...]:
    """Nothing goes before the tracker is stepped."""
    return ()


def announcement(game: OverlordToBerlin, p: Pos, a: Action) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """(chat line, lines of table talk as verb and fields) of an action that players announce; both empty for the others. Nothing that
    is hidden is announced."""
    g = game.setting
    if isinstance(a, Attack):
        zone = g.land.zone(a.zone)
        foes = [g.gfs.ids[gf] for side in enemies(g.side(a.by)) for gf in gfs_in(g, p, side, zone)]
        names = " and ".join(g.gfs.names[g.gfs.index[gf]] for gf in a.gfs)
        helped = ", ".join(g.gfs.names[g.gfs.index[gf]] for gf in a.supporters)
        said = f"{names} attack in {a.zone}" + (f", supported by {helped}" if helped else "")
        return said, (("CLR", "*"), *(("ATT", gf, a.zone) for gf in (*a.gfs, *a.supporters)), *(("TGT", gf, a.zone) for gf in foes))
    if isinstance(a, Concede):
        return "I give the game up", ()
    if isinstance(a, Supply):
        return f"{g.gfs.names[g.gfs.index[a.gf]]} is supplied by {a.zone}", (("SUP", a.gf, a.zone),)
    if isinstance(a, Ask):
        return f"{g.gfs.names[g.gfs.index[a.gf]]} asks leave to retreat", (("ASK", a.gf, g.land.places.names[p.gf_at[g.gfs.index[a.gf]]]),)
    if isinstance(a, Restore | Rebuild) and a.track:
        return "", (("PAY", a.track),)
    if isinstance(a, Reroll):
        return f"die {a.die} is thrown again", (("AGAIN", str(a.die)),)
    if isinstance(a, Keep):
        return f"the {'first' if a.which == 'old' else 'second'} throw counts", (("KEEP", a.which),)
    if isinstance(a, Done) and p.frame.step not in ENDED_BY_TRACKER:
        return "", (("GO", "on"),)
    if isinstance(a, Play) and a.to:
        return _played(g, p, a)
    return "", ()


def _played(g: Setting, p: Pos, a: Play) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """What a stratagem is played on: the zone of a free attack, or a formation."""
    name = g.cards.names[g.cards.index[a.card]]
    if a.to in g.gfs.index:
        gf = g.gfs.index[a.to]
        return f"{name} for {g.gfs.names[gf]}", (("AIM", a.to, g.land.places.names[p.gf_at[gf]]),)
    zone = g.land.zone(a.to)
    foes = [gf for side in enemies(g.side(a.by)) for gf in gfs_in(g, p, side, zone)]
    return f"{name} on {a.to}", (("CLR", "*"), *(("TGT", g.gfs.ids[gf], a.to) for gf in foes))

