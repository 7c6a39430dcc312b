"""The yardstick: python-chess validating games in PGN, written here from random legal games of a fixed seed."""

from __future__ import annotations

import io
import random

import chess
import chess.pgn

from bench.harness import Work

SEED = 20240229
GAMES = 12
PLIES = 80


def pgn(games: int = GAMES, plies: int = PLIES, seed: int = SEED) -> str:
    """Random legal games as PGN text, the same for the same arguments."""
    chance = random.Random(seed)
    texts = []
    for number in range(games):
        board = chess.Board()
        game = chess.pgn.Game()
        game.headers["Event"] = f"Random game {number + 1}"
        node: chess.pgn.GameNode = game
        for _ in range(plies):
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            if not moves:
                break
            move = chance.choice(moves)
            board.push(move)
            node = node.add_variation(move)
        game.headers["Result"] = board.result()
        texts.append(str(game))
    return "\n\n".join(texts) + "\n"


def pgn_work() -> Work:
    """Reads the games as anybody would: text to checked moves."""
    text = pgn()

    def run() -> int:
        stream, plies = io.StringIO(text), 0
        while (game := chess.pgn.read_game(stream)) is not None:
            if game.errors:
                raise ValueError(f"the yardstick's own game is broken: {game.errors}")
            plies += sum(1 for _ in game.mainline_moves())
        return plies

    return Work("python-chess PGN", "plies", run)
