"""A game folder made up for measuring and for tests: a small map and as many counters as asked for, whole enough for a module."""

from __future__ import annotations

from pathlib import Path

GAME = "made-up"
SIDES = (("red", "Red", "#c9665a", "#000000"), ("blue", "Blue", "#b8d4e8", "#000000"))

_GAME = """\
id = "made-up"
short = "mu"
title = "Made Up"
version = "1.0"
strengths = ["attack", "defense", "move"]
pieces = "units"

[grid]
rows = {rows}
columns = {columns}
numbering = "RRCC"
rows_from = "north"
columns_from = "west"
orientation = "pointy"
stagger = "odd-west"

[tables.hexes]
file = "hexes.csv"
key = ["hex"]
[tables.hexes.columns]
hex = "hex"
terrain = "enum(clear, sea)"
country = "enum(north, south)"
playable = "flag"
source = "source"

[tables.hexsides]
file = "hexsides.csv"
key = ["hex_a", "hex_b", "feature"]
pair = ["hex_a", "hex_b"]
[tables.hexsides.columns]
hex_a = "hex"
hex_b = "hex"
feature = "enum(river)"
name = "text"
source = "source"

[tables.sides]
file = "sides.csv"
key = ["side"]
[tables.sides.columns]
side = "enum(red, blue)"
name = "text"
source = "source"

[tables.nations]
file = "nations.csv"
key = ["nation"]
[tables.nations.columns]
nation = "enum(Red, Blue)"
side = "ref(sides)"
fill = "text"
ink = "text"
source = "source"

[tables.units]
file = "units.csv"
key = ["piece"]
[tables.units.columns]
piece = "id"
name = "text"
nation = "ref(nations)"
side = "ref(sides)"
attack = "int(0..)"
defense = "int(0..)"
move = "int(0..)"
source = "source"

[tables.setups]
file = "setups.csv"
key = ["setup", "piece"]
[tables.setups.columns]
setup = "enum(start)"
piece = "ref(units)"
place = "ref(hexes)"
source = "source"

[tables.scenarios]
file = "scenarios.csv"
key = ["scenario"]
[tables.scenarios.columns]
scenario = "enum(only)"
name = "text"
setup = "enum(start)"
first_turn = "int(1..)"
last_turn = "int(1..)"
source = "source"

[tables.phases]
file = "phases.csv"
key = ["scenario", "order"]
[tables.phases.columns]
scenario = "ref(scenarios)"
order = "int(1..)"
phase = "enum(movement, combat)"
force = "ref(sides)"
source = "source"

[tables.turns]
file = "turns.csv"
key = ["turn"]
[tables.turns.columns]
turn = "int(1..)"
date = "text"
source = "source"
"""

_MODULE = """\
version = "1.0.0"
vassal = "3.7.26"
date = 2026-11-30
title = "Made Up"
subtitle = "a game for measuring"
description = "Made up for measuring."
map = "Main Map"
players = ["Red", "Blue"]
referees = ["Referee"]

[board]
width = {width}
height = {height}
left = 44
top = 44
across = 48
down = 42

[counters]
size = 52

[colours]
paper = "#ece3cb"
ink = "#2b2419"
hexline = "#5f4f33"
number = "#4c3f2a"
city = "#7c1f17"
capital = "#e9b52c"
closed = "#c9c6bd"
frame = "#3a3021"
panel = "#f6f0de"
reconstructed = "#a34d00"

[terrain.clear]
fill = "#f3ead0"
label = "Clear"

[terrain.sea]
fill = "#a9cfe3"
label = "Sea"
water = true

[hexside.river]
style = "river"
colour = "#3c86bd"
label = "River hexside"

[panels]
title = [{right}, 44, 300, 130]
turns = [{right}, 184, 300, 150]
legend = [{right}, 344, 300, 260]

[[box]]
id = "lost"
name = "Lost Units"
rect = [{right}, 614, 300, 130]
sides = ["red", "blue"]

[[kind]]
symbol = "infantry"
size = "XX"
label = "Division"

[[face]]
name = "{{name}}"
factors = "{{attack}}-{{defense}}-{{move}}"

[[marker]]
id = "turn"
name = "Game Turn"
style = "turn"
fill = "#2b2419"
ink = "#ffffff"
text = "TURN"
count = 1
group = "Markers"

[[side]]
id = "red"
tab = "Red"
named = "Red {{name}}"

[[side]]
id = "blue"
tab = "Blue"
named = "Blue {{name}}"

[[prototype]]
name = "Unit"
can = ["declare", "last", "trail", "moved"]
eliminate = {{ "*" = "lost" }}

[[prototype]]
name = "Marker"
markers = ["*"]
can = ["delete"]

[phases]
named = "{{side}} {{phase}}"

[phases.words]
movement = "Movement"
combat = "Combat"

[[die]]
name = "d6"
tooltip = "the die"

[[setup]]
scenario = "only"
file = "start.vsav"
name = "Start"
seats = ["Red", "Blue"]
"""


def write(root: Path, counters: int = 6, rows: int = 5, columns: int = 6) -> Path:
    """Writes the game ``made-up`` into ``root``: the folder of games. Counters are dealt out to two sides; their numbers (gpids) too.

    No two counters look the same. Returns the game's folder.
    """
    folder = root / GAME
    folder.mkdir(parents=True)
    right = 44 + 48 * columns + 24 + 30
    texts = {
        "game.toml": _GAME.format(rows=rows, columns=columns),
        "module.toml": _MODULE.format(right=right, width=right + 344, height=max(44 + 42 * rows + 60, 790)),
    }
    names = [f"{row:02}{column:02}" for row in range(1, rows + 1) for column in range(1, columns + 1)]
    units = [(f"{SIDES[n % 2][0]}-{n // 2 + 1}", str(n // 2 + 1), SIDES[n % 2], n) for n in range(counters)]
    tables = {
        "hexes": [
            "hex,terrain,country,playable,source",
            *(f"{n},{'sea' if n.endswith('01') else 'clear'},{'north' if n < '03' else 'south'},1,derived made up" for n in names),
        ],
        "hexsides": ["hex_a,hex_b,feature,name,source", "0102,0103,river,Brook,derived made up"],
        "sides": ["side,name,source", *(f"{side},{name},derived made up" for side, name, _, _ in SIDES)],
        "nations": ["nation,side,fill,ink,source", *(f"{name},{side},{fill},{ink},derived made up" for side, name, fill, ink in SIDES)],
        "units": [
            "piece,name,nation,side,attack,defense,move,source",
            *(f"{piece},{name},{side[1]},{side[0]},{n % 9 + 1},{n % 7 + 1},{n % 5 + 2},derived made up" for piece, name, side, n in units),
        ],
        "setups": [
            "setup,piece,place,source",
            *(f"start,{piece},{names[1 + n % (len(names) - 1)]},derived made up" for piece, _, _, n in units),
        ],
        "scenarios": ["scenario,name,setup,first_turn,last_turn,source", "only,The Only One,start,1,4,derived made up"],
        "phases": [
            "scenario,order,phase,force,source",
            *(f"only,{n + 1},{('movement', 'combat')[n % 2]},{SIDES[n // 2][0]},derived made up" for n in range(2 * len(SIDES))),
        ],
        "turns": ["turn,date,source", *(f"{turn},week {turn},derived made up" for turn in range(1, 5))],
        "gpids": ["gpid,slot,since"],
    }
    slots = [*(piece for side in SIDES for piece, _, of, _ in units if of is side), "marker:turn"]
    tables["gpids"] += [f"{number},{slot},1.0.0" for number, slot in enumerate(slots, 1)]
    texts |= {f"{name}.csv": "\n".join(lines) + "\n" for name, lines in tables.items()}
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode("utf-8"))
    return folder
