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
        return self.said(case, row, column.names)

    def said(self, case: Case, row: Row, names: bool = False) -> tuple[str, bool]:
        """What a case says of a row, and whether all that it rests on is printed or derived."""
        text, certain = self.fill(case.show.pieces, row, names)
        return text, certain and all(row.source(column).certain for column, _ in case.where.tests if column in row.values)

    def fill(self, pieces: Sequence[tuple[str, str, tuple[str, ...]]], row: Row, names: bool = False) -> tuple[str, bool]:
        """A template filled from a row; nothing when a column is empty. ``names``: it only names what a key stands for."""
        out, certain = "", True
        for before, column, forms in pieces:
            out += before
            if not column:
                continue
            word, sure = self.word(row, column, forms, names)
            if not word:
                return "", True
            out, certain = out + word, certain and sure
        return out, certain

    def word(self, row: Row, column: str, forms: Sequence[str], names: bool = False) -> tuple[str, bool]:
        """A column's value in its forms, one after the other."""
        items, certain = row.items(column), names or row.source(column).certain
        if not forms:
            return " ".join(items), row.source(column).certain
        for form in forms:
            if form.startswith(".."):
                items = (span(row.text(column), row.text(form[2:])),)
                certain = certain and row.source(form[2:]).certain
            elif "." in form:
                table, _, other = form.partition(".")
                found = [self.box[table].get(item) for item in items]
                certain = certain and all(row.source(other).certain for row in found if row is not None)
                items = tuple(item if row is None else row.text(other) for item, row in zip(items, found, strict=True))
            else:
                items = tuple(self.formed(item, form) for item in items)
        return ", ".join(items), certain

    def formed(self, text: str, form: str) -> str:
        """One value in one form."""
        if form == "label":
            named = self.labels.get(text) or text.replace("_", " ")
            return named[:1].upper() + named[1:]
        if form == "sign":
            return f"{int(text):+d}".replace("-", "\u2212")
        if form == "piece":
            piece = self.box.piece(text)
            return self.layout.named(piece) if piece is not None else text
        return text


def span(low: str, high: str) -> str:
    """Numbers from one to another in words; an empty end is open."""
    low, high = low.replace("-", "\u2212"), high.replace("-", "\u2212")
    if low == high:
        return low
    if not high:
        return f"{low} or more"
    if not low:
        return f"{high} or less"
    close = low.isdigit() and high.isdigit() and int(high) == int(low) + 1
    return f"{low} or {high}" if close else f"{low} to {high}"
