"""What templates of the layout say of rows of the game's tables, and whether it is printed or derived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamebox.model import Box, Row
from modgen.layout.charts import Case, Column
from modgen.layout.layout import Layout


class Words:
    """Fills templates from rows. ``words``: what a value is called, before the key of the map is asked."""

    def __init__(self, box: Box, layout: Layout, words: Mapping[str, str]) -> None:
        self.box, self.layout = box, layout
        self.labels = {**layout.board.labels_of_kinds(), **words}

    def column(self, column: Column, row: Row) -> tuple[str, bool]:
        """What a column says of a row; nothing when no case of it passes."""
        if not column.where(row) or (case := next((c for c in column.cases if c.where(row)), None)) is None:
            return "", True
        return self.said(case, row)

    def said(self, case: Case, row: Row) -> tuple[str, bool]:
        """What a case says of a row, and whether all that it rests on is printed or derived."""
        text, certain = self.fill(case.show.pieces, row)
        return text, certain and all(row.source(column).certain for column, _ in case.where.tests if column in row.values)

    def fill(self, pieces: Sequence[tuple[str, str, str]], row: Row) -> tuple[str, bool]:
        """A template filled from a row; nothing when a column is empty."""
        out, certain = "", True
        for before, column, form in pieces:
            out += before
            if not column:
                continue
            word, sure = self.word(row, column, form)
            if not word:
                return "", True
            out, certain = out + word, certain and sure
        return out, certain

    def word(self, row: Row, column: str, form: str) -> tuple[str, bool]:
        """A column's value in a form."""
        text, certain = row.text(column), row.source(column).certain
        if not text or not form:
            return text, certain
        if form == "label":
            named = self.labels.get(text) or text.replace("_", " ")
            return named[:1].upper() + named[1:], certain
        if form == "sign":
            return f"{row.int(column):+d}".replace("-", "\u2212"), certain
        if form == "list":
            return ", ".join(row.items(column)), certain
        if form == "piece":
            piece = self.box.piece(text)
            return (self.layout.named(piece) if piece is not None else text), certain
        table, _, other = form.partition(".")
        found = self.box[table].get(text)
        return (found.text(other), found.source(other).certain) if found is not None else (text, certain)
