"""The one error that readers of clients' files raise."""

from __future__ import annotations


class FormatError(Exception):
    """A file is not what it says it is, or is too large to be read safely.

    ``where`` is the file, and inside it the entry, log step or field; ``what`` says what is wrong and what is allowed.
    """

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what)
        self.where = where
        self.what = what

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"
