"""A tiny game in a folder of its own: flat hexes numbered by column, three counters, two set-ups. No code knows it."""

from __future__ import annotations

from pathlib import Path

GAME = "pocket-war"

FILES = {
    "game.toml": """\
id = "pocket-war"
short = "pw"
title = "Pocket War"
version = "0.1"
strengths = ["combat", "move"]
pieces = "counters"

[grid]
rows = 2
columns = 3
numbering = "CCRR"
rows_from = "north"
columns_from = "west"
orientation = "flat"
stagger = "even-south"

[checks]
stacking = 1
complete = ["results"]

[tables.hexes]
title = "The map"
file = "hexes.csv"
key = ["hex"]
[tables.hexes.columns]
hex = "hex"
terrain = "enum(plain, wood)"
playable = "flag"
source = "source"
source_playable = "source(playable)"

[tables.rivers]
file = "rivers.csv"
key = ["a", "b"]
pair = ["a", "b"]
[tables.rivers.columns]
a = "hex"
b = "hex"
name = "text?"
source = "source"

[tables.counters]
file = "counters.csv"
key = ["piece"]
[tables.counters.columns]
piece = "id"
name = "text"
nation = "text"
side = "enum(red, blue)"
combat = "int(0..9)"
move = "int(0..9)"
source = "source"

[tables.setups]
file = "setups.csv"
key = ["setup", "piece"]
[tables.setups.columns]
setup = "text"
piece = "ref(counters)"
place = "ref(hexes)"
source = "source"

[tables.results]
file = "results.csv"
key = ["odds", "die"]
[tables.results.columns]
odds = "enum(1:2, 1:1, 2:1)"
die = "int(1..2)"
result = "enum(hit, miss)"
source = "source"
""",
    "hexes.csv": """\
hex,terrain,playable,source,source_playable
0101,plain,1,rulebook map,rulebook map
0102,wood,1,rulebook map,rulebook map
0201,plain,1,rulebook map,rulebook map
0202,plain,0,reconstructed a lake by the look of it,rulebook 2.1
0301,plain,1,rulebook map,rulebook map
0302,plain,1,rulebook map,rulebook map
""",
    "rivers.csv": """\
a,b,name,source
0101,0201,Brook,rulebook map
""",
    "counters.csv": '''\
piece,name,nation,side,combat,move,source
bl-1,1,Blueland,blue,3,4,rulebook counters
re-1,1,Redland,red,2,4,rulebook counters
re-2,"2, ""Old Guard""",Redland,red,4,3,reconstructed from history
''',
    "setups.csv": """\
setup,piece,place,source
first,bl-1,0301,rulebook 3
first,re-1,0101,rulebook 3
first,re-2,0102,rulebook 3
""",
    "results.csv": """\
odds,die,result,source
1:2,1,miss,rulebook table
1:2,2,miss,rulebook table
1:1,1,hit,rulebook table
1:1,2,miss,reconstructed between its neighbours
2:1,1,hit,rulebook table
2:1,2,hit,rulebook table
""",
}


def write(root: Path, **changed: str) -> Path:
    """Writes the game into ``root``; ``hexes=...`` gives another text for ``hexes.csv``, ``game=...`` for ``game.toml``."""
    folder = root / GAME
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_bytes(changed.get(name.partition(".")[0], text).encode("utf-8"))
    return folder


def replaced(name: str, old: str, new: str) -> str:
    """The text of a file with one place changed."""
    assert FILES[name].count(old) == 1, (name, old)
    return FILES[name].replace(old, new)
