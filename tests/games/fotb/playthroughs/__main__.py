"""``python -m tests.games.fotb.playthroughs``: writes every playthrough anew."""

from tests.games.fotb.playthroughs import FOLDER, GAMES, playthrough
from tests.games.playing_through import write_anew

if __name__ == "__main__":
    write_anew(FOLDER, GAMES, playthrough)
