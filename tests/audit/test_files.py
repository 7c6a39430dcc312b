"""A log and its module are opened once; what is wrong with them is told in the order in which it matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamebox.load import data_root
from modgen.formats.errors import FormatError
from modgen.formats.vassal.archive import pack
from modgen.formats.vassal.saves import MODULE_DATA
from referee.audit.run import Files, audit_file
from referee.rules.options import UsageError
from referee.table.vassal_trackers import GAME_WORD

BFG, FOTB = "battle-for-germany", "overlord-to-berlin"
SAMPLES = data_root() / BFG / "samples"
LOG = SAMPLES / "01-t1-red-moves.vlog"
NO_LOG = b"no archive at all"


@pytest.fixture
def unreadable(tmp_path: Path) -> Path:
    """What says that it is our module of the other game, and holds nothing else."""
    path = tmp_path / "broken.vmod"
    path.write_bytes(pack([(MODULE_DATA, f'<?xml version="1.0"?><data version="1"><extra1>{GAME_WORD}{FOTB}</extra1></data>'.encode())]))
    return path


def test_a_module_of_another_game_is_told_before_it_cannot_be_read(unreadable: Path) -> None:
    for source in (LOG, NO_LOG):
        with pytest.raises(UsageError, match=f"our module of {FOTB}, not of {BFG}"):
            audit_file(source, "a.vlog", game=BFG, module=unreadable)


def test_a_module_that_cannot_be_read_is_told_before_the_log(unreadable: Path) -> None:
    with pytest.raises(FormatError, match=r"broken\.vmod"):
        audit_file(NO_LOG, "a.vlog", game=FOTB, module=unreadable)


def test_what_is_no_log_is_called_by_its_name() -> None:
    for game in (None, BFG):
        with pytest.raises(FormatError, match=r"^a\.vlog"):
            audit_file(NO_LOG, "a.vlog", game=game)


def test_a_game_that_does_not_exist_is_told_before_what_is_no_log() -> None:
    with pytest.raises(UsageError, match="no game 'chess'"):
        audit_file(NO_LOG, "a.vlog", game="chess")


def test_the_files_are_read_once_and_handed_on(unreadable: Path) -> None:
    files = Files(LOG, "a.vlog", SAMPLES / "bfg-club.vmod")
    assert files.log is files.log and files.log.steps
    assert files.module is files.module and files.module is not None
    assert files.game(BFG) == BFG
    with pytest.raises(FormatError):
        _ = Files(LOG, "a.vlog", unreadable).module
