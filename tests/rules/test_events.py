"""Table events as values."""

from referee.rules.events import Spot, TableEvent

EVENT = TableEvent(7, "move", "Ann", "Red", "a-1", "A 1", "mark", Spot("1"), Spot("2", False), (6, 5), 3, "Combat", "words", "1")
FIELDS = set("step kind player seat piece label marker frm to faces turn phase text value undone".split())


def changed(one: TableEvent, other: TableEvent) -> set[str]:
    return {name for name in FIELDS if getattr(one, name) != getattr(other, name)}


def test_every_field_is_what_it_was_made_with_and_tells_events_apart() -> None:
    plain = TableEvent(1, "place")
    assert changed(EVENT, plain) == FIELDS - {"undone"}
    assert EVENT not in (plain, "move")
    again = TableEvent(**{name: getattr(EVENT, name) for name in FIELDS})
    assert again == EVENT and hash(again) == hash(EVENT) and len({again, EVENT, plain}) == 2
    assert all(repr(getattr(EVENT, name)) in repr(EVENT) for name in FIELDS)


def test_who_did_it_and_whether_it_was_taken_back_change_nothing_else() -> None:
    assert changed(EVENT, EVENT.by("Bob", "Blue")) == {"player", "seat"}
    assert (EVENT.by("Bob", "Blue").player, EVENT.by("Bob", "Blue").seat) == ("Bob", "Blue")
    undone = EVENT.marked(True)
    assert changed(EVENT, undone) == {"undone"} and undone.undone
    assert undone.marked(False) == EVENT != undone
