"""Verification: what holds is said to hold, and every way in which a record can be untrue is found, told and placed."""

from __future__ import annotations

import dataclasses
import json
import random
import shutil
from contextlib import suppress
from pathlib import Path

import jsonschema
import pytest
from msgspec.structs import replace

import referee
from referee.audit import verify as module
from referee.audit.selfplay import selfplay
from referee.audit.verify import Books, Verified, document, verify_file, verify_text
from referee.games.battle_for_germany import game as game_module
from referee.games.battle_for_germany.terms import Terms
from referee.rules.options import Amendment, UnknownRules
from referee.rules.record import Record, RecordError, read_record, sealed

GAME = "battle-for-germany"
SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs/schema/verify-1.json").read_text("utf-8"))
BOOKS = Books()


def play(folder: Path, overlay: Path | None = None) -> str:
    report = selfplay(GAME, games=1, seed=4, plans=("border",), record=folder, processes=1, overlay=overlay)
    assert not report.problems
    return next(folder.iterdir()).read_text("utf-8")


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A short game that is over."""
    return play(tmp_path_factory.mktemp("game"))


@pytest.fixture(scope="module")
def on_overlay(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same on corrected data; the corrections are gone."""
    overlay = tmp_path_factory.mktemp("overlay")
    (overlay / "crt.csv").write_text("odds,die,result,source\n1:1,1,DR,owner of a printed copy\n", "utf-8")
    found = play(tmp_path_factory.mktemp("game"), overlay)
    shutil.rmtree(overlay)
    return found


def verified(text: str, *, data: bool = True) -> Verified:
    found = verify_text(text, "x", books=BOOKS, data=data)
    jsonschema.Draft202012Validator(SCHEMA).validate(document([found]))
    lines = list(found.lines())
    assert len(lines) == max(1, len(found.findings)) + len(found.notes)
    assert all(line.startswith("x:") and "\n" not in line for line in lines)
    return found


def again(record: Record) -> str:
    """As somebody would write it who knows how the chain is made."""
    return str(sealed(record))


def kinds(found: Verified) -> list[str]:
    return [finding.kind for finding in found.findings]


def test_a_game_that_was_played_verifies(text: str) -> None:
    asked: list[tuple[int, int]] = []
    found = verify_text(text, "x", progress=lambda done, of: asked.append((done, of)))
    record = read_record(text)
    assert record.end
    assert found.verified and not found.notes
    assert (found.record, found.legal, found.actions) == (2, len(record.entries), len(record.entries))
    assert found.result == record.end.result
    assert asked[0] == (0, len(record.entries))
    (line,) = found.lines()
    assert line == (
        f"x: verified: battle-for-germany, historical, rules 1: {found.actions} actions, {found.result}; chain {record.end.seal[:32]}"
    )


def test_a_record_on_corrected_data_verifies_without_the_corrections_at_hand(on_overlay: str, text: str) -> None:
    found = verified(on_overlay)
    assert found.verified
    assert found.overlay == ("crt.csv",)
    assert found.data == read_record(on_overlay).header.data != read_record(text).header.data
    assert BOOKS.of(read_record(on_overlay)).game.data == found.data
    assert "own overlay" in next(found.lines())


def test_an_overlay_that_is_not_the_one_it_was_played_on_is_found(on_overlay: str) -> None:
    record = read_record(on_overlay)
    (name, rows), *_ = record.header.overlay
    other = replace(record.header, overlay=((name, rows.replace(",DR,", ",AR,")),))
    found = verified(again(replace(record, header=other)))
    assert kinds(found) == ["data"]
    assert "this referee's data with the overlay embedded here is" in found.findings[0].message
    assert kinds(verified(again(replace(record, header=replace(record.header, overlay=()))))) == ["data"]
    broken = replace(record.header, overlay=((name, rows.replace("1:1,1,", "1:1,17,")),))
    found = verified(again(replace(record, header=broken)))
    assert kinds(found) == ["data"]
    line = record.line(f"overlay {name}") + 2
    assert (found.findings[0].line, found.findings[0].column) == (line, 7)
    found = verified(again(replace(record, header=replace(record.header, overlay=(("../crt.csv", rows),)))))
    assert "this file is no table of the game" in found.findings[0].message


@pytest.mark.parametrize(
    ("change", "kind", "told"),
    [
        (("rules 1", "rules 99"), "rules", "x:5:7: rules version 99 is not known; it is newer than this referee; there "),
        (("rules 1", "rules 0"), "rules", "x:5:7: rules version 0 is not known; there "),
        (("game battle", "game bottle"), "game", "x:2:6: there is no game 'bottle-for-germany'; there are: "),
        (("scenario historical", "scenario hysterical"), "game", "x:3:10: "),
        (("options -", "options 99.9"), "game", "x:4:9: option '99.9' "),
        (("data ", "data 00"), "data", "x:6:6: the game was played on data 00"),
    ],
)
def test_what_this_referee_does_not_have_is_named_at_its_line(text: str, change: tuple[str, str], kind: str, told: str) -> None:
    assert change[0] in text
    found = verified(again(read_record(text.replace(*change, 1))))
    assert kinds(found) == [kind]
    assert next(found.lines()).startswith(told)
    assert found.legal == 0
    # Without a new chain the chain tells as well.
    assert sorted(kinds(verified(text.replace(*change, 1)))) == sorted(["chain", kind])


def test_on_other_data_nothing_is_called_illegal_and_all_is_replayed_only_when_asked(text: str) -> None:
    other = again(read_record(text.replace("data ", "data 00", 1)))
    found = verified(other)
    assert found.legal == 0
    assert "what was lawful on other data cannot be told here" in found.notes[0]
    assert verified(other, data=False).verified


def test_an_illegal_action_is_named_with_its_paragraph_and_sentence_though_the_chain_is_whole(text: str) -> None:
    record = read_record(text)
    at, entry = next((n, e) for n, e in enumerate(record.entries) if " move " in e.text)
    doubled = (*record.entries[: at + 1], replace(entry, comments=()), *record.entries[at + 1 :])
    found = verified(again(replace(record, entries=tuple(replace(e, number=0) for e in doubled))))
    assert kinds(found) == ["illegal"]
    finding = found.findings[0]
    assert finding.line == entry.line + 1
    assert finding.rules
    assert f"{entry.text!r} is illegal: " in finding.message
    assert all(rule in finding.message for rule in finding.rules)
    assert found.legal == at + 1
    assert found.notes == (f"the replay ended there; {len(doubled) - at - 2} actions after it were not judged",)


def test_a_line_that_is_no_action_is_a_finding(text: str) -> None:
    record = read_record(text)
    entries = (replace(record.entries[0], text="soviet dance su-1-balt"), *record.entries[1:])
    found = verified(again(replace(record, entries=entries)))
    assert kinds(found) == ["action"]
    assert found.findings[0].line == record.entries[0].line


def test_a_game_cut_short_or_with_another_end_is_found(text: str) -> None:
    record = read_record(text)
    assert record.end
    cut = replace(record, entries=record.entries[:-1])
    assert set(kinds(verified(again(cut)))) == {"end"}
    won = replace(record, end=replace(record.end, result="Western Allied wins 99-0"))
    found = verified(again(won))
    assert kinds(found) == ["end"]
    assert found.findings[0].message == (f"the record ends with result Western Allied wins 99-0, and its game with {record.end.result}")


def test_every_finding_has_its_line(text: str) -> None:
    """One changed action: the chain breaks there, and the end is not reached."""
    record = read_record(text)
    roll = next(e for e in record.entries if " roll " in e.text)
    found = verified(text.replace(f" {roll.text} ;", f" {roll.text[:-1]}{7 - int(roll.text[-1])} ;", 1))
    assert "chain" in kinds(found)
    assert found.findings[0].line == roll.line
    assert not found.verified


def test_a_first_version_record_verifies_and_says_what_that_leaves_open(text: str) -> None:
    record = read_record(text)
    entries = tuple(replace(e, seal="") for e in record.entries)
    old = str(replace(record, version=1, entries=entries, seal="", end=None))
    assert old.startswith("record 1\n")
    found = verified(old)
    assert found.verified
    assert (found.record, found.chain) == (1, "")
    assert "it has no chain" in found.notes[0]


def test_signatures_are_not_taken_for_checked(text: str) -> None:
    found = verified(text + "signature me 00\n")
    assert found.verified
    assert "does not check them" in found.notes[0]


def test_no_flipped_character_verifies(text: str, on_overlay: str) -> None:
    dice = random.Random(3)
    for whole in (text, on_overlay):
        for at in sorted({*dice.sample(range(len(whole)), 120), *range(len(whole) - 12, len(whole))}):
            changed = whole[:at] + chr(ord(whole[at]) ^ 1) + whole[at + 1 :]
            try:
                assert not verified(changed).verified, at
            except RecordError as error:
                assert str(error).startswith("x:")


def test_no_line_taken_out_put_in_or_exchanged_verifies(text: str) -> None:
    lines = text.splitlines(keepends=True)
    dice = random.Random(4)
    for _ in range(60):
        a, b = sorted(dice.sample(range(len(lines)), 2))
        for changed in (
            lines[:a] + lines[a + 1 :],
            [*lines[:a], lines[b], *lines[a:]],
            [*lines[:a], lines[b], *lines[a + 1 : b], lines[a], *lines[b + 1 :]],
        ):
            if changed != lines:
                with suppress(RecordError):
                    assert not verified("".join(changed)).verified


def test_what_is_no_record_is_an_error_with_its_place(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.record"
    path.write_bytes(text.replace("note ", "note ä", 1).encode("latin-1"))
    with pytest.raises(RecordError, match=r"a\.record:8:6: byte 0xE4 is not UTF-8"):
        verify_file(path, "a.record")
    path.write_text(text, "utf-8")
    monkeypatch.setattr(module, "MAX_BYTES", 100)
    with pytest.raises(RecordError, match=r"a\.record: the file is too large; allowed: 100 bytes"):
        verify_file(path, "a.record")
    with pytest.raises(OSError):
        verify_file(tmp_path / "none", "none")


def test_an_old_record_keeps_its_verdicts_when_the_rules_are_amended(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def alone(t: Terms) -> Terms:
        return dataclasses.replace(t, stacking=0)

    amendments = (Amendment(2, "5.1.p1", "for this test: nobody may stand anywhere", alone),)
    monkeypatch.setattr(game_module, "AMENDMENTS", amendments)
    assert (referee.load(GAME).game.rules, referee.load(GAME, rules=1).game.rules) == (2, 1)
    with pytest.raises(UnknownRules, match=r"rules version 3 is not known; it is newer than this referee; there are: 1 to 2"):
        referee.load(GAME, rules=3)
    assert verify_text(text, "x").verified
    found = verify_text(again(read_record(text.replace("rules 1", "rules 2", 1))), "x")
    assert kinds(found) == ["position"]


def test_a_rules_version_that_is_not_there_is_refused() -> None:
    newest = referee.load(GAME).game.rules
    assert referee.load(GAME, rules=newest).game.rules == newest
    with pytest.raises(UnknownRules, match="is newer than this referee"):
        referee.load(GAME, rules=newest + 1)
