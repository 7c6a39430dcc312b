"""``python -m tests.games.fotb.playthroughs``: writes every playthrough anew, each beside and then in its place."""

from __future__ import annotations

from tests.games.fotb.playthroughs import FOLDER, GAMES, playthrough


def main() -> None:
    """Writes the files."""
    for name in GAMES:
        beside = FOLDER / f"{name}.new"
        beside.write_text(playthrough(name), "utf-8")
        beside.replace(FOLDER / f"{name}.txt")
        print(f"{name}.txt")


if __name__ == "__main__":
    main()
