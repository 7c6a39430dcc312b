"""Piece ids: the short, stable, readable names of counters (``su-1-balt``), the same in data, modules, saves, records and reports. Pure.

A piece id is two to eight words joined by ``-``. A word is made of the letters a to z and digits; the first word begins
with a letter and names the side or the nation. No id is longer than 40 characters. So an id needs no quoting in a client's
formats, in a file name, in a URL or in our own notation.
"""

from __future__ import annotations

import re
import unicodedata

MAX_LENGTH = 40
SYNTAX = "two to eight words of a-z and 0-9 joined by `-`, the first beginning with a letter, 40 characters at most"
_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+){1,7}", re.ASCII)
_PLAIN = str.maketrans(
    {"ß": "ss", "ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "đ": "d", "Đ": "d", "ı": "i"}
)


def is_piece_id(text: str) -> bool:
    """Whether the text has the form of a piece id."""
    return len(text) <= MAX_LENGTH and _ID.fullmatch(text) is not None


def check_piece_id(text: str) -> str:
    """The text itself; raises ValueError, saying what is allowed, when it is no piece id."""
    if not is_piece_id(text):
        raise ValueError(f"`{text}` is no piece id; allowed: {SYNTAX}")
    return text


def words(piece_id: str) -> tuple[str, ...]:
    """The words of a piece id: ``("su", "1", "balt")``. Raises ValueError for anything else."""
    return tuple(check_piece_id(piece_id).split("-"))


def prefix(piece_id: str) -> str:
    """The first word, which names the side or nation: ``su``. Raises ValueError for anything that is no piece id."""
    return words(piece_id)[0]


def make_piece_id(side: str, name: str) -> str:
    """The piece id for a side's short word and a counter's printed name: ``("su", "1 Balt")`` gives ``su-1-balt``.

    Letters lose their accents, everything else but letters and digits parts words. The same input gives the same id
    everywhere; two names may give one id, which is the caller's to notice. Raises ValueError when no id can be made.
    """
    plain = unicodedata.normalize("NFKD", f"{side} {name}".translate(_PLAIN)).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return check_piece_id("-".join(re.findall(r"[a-z0-9]+", plain)))
