"""A saved game read a block at a time holds what it holds read whole; what is not stored as nearly every one is, is left to that."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modgen.formats.vassal import obfuscation
from modgen.formats.vassal.archive import DEFAULT_LIMITS, Limits, pack, read_archive
from modgen.formats.vassal.blocks import chunks_in_blocks
from modgen.formats.vassal.saves import MAX_COMMANDS, read_log

ENTRY = "savedGame"
TEXT = st.text(st.sampled_from("a\x1b\\é世🎲/\t"), max_size=200)


def in_blocks(data: bytes, size: int = 1 << 16, most: int = MAX_COMMANDS, limits: Limits = DEFAULT_LIMITS) -> object:
    with read_archive(data, limits=limits) as archive:
        return chunks_in_blocks(archive, ENTRY, most, size)


@given(TEXT, st.integers(0, 255), st.integers(1, 40))
def test_any_text_is_cut_as_it_is_when_read_whole(text: str, key: int, half: int) -> None:
    data = pack([(ENTRY, obfuscation.conceal(text, obfuscation.Form("vcsk", key)))])
    assert in_blocks(data, 2 * half) == (text.split("\x1b"), obfuscation.Form("vcsk", key))


@given(TEXT.filter(bool), st.integers(1, 40).map(lambda half: 2 * half + 1))
def test_blocks_that_end_within_a_pair_of_digits_do_no_harm(text: str, size: int) -> None:
    assert in_blocks(pack([(ENTRY, obfuscation.conceal(text, obfuscation.Form()))]), size) == (text.split("\x1b"), obfuscation.Form())


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"!VCSK",
        b"!VCSKzz00",
        b"!VCSK5a383",
        b"!VCSK5a38\n",
        b"!VCSK5a38 3f",
        b"VOBS\x5a8",
        b"begin_save\x1bend_save",
        b"!VCSK00e9",  # no UTF-8
        b"!VCSK00e4bd",  # a sign cut off
    ],
    ids=repr,
)
def test_other_forms_and_damaged_ones_are_left_to_reading_whole(stored: bytes) -> None:
    assert in_blocks(pack([(ENTRY, stored)])) is None


def test_a_text_with_too_many_commands_is_left_too_at_the_first_too_many() -> None:
    def of(separators: int) -> bytes:
        return pack([(ENTRY, obfuscation.conceal("\x1b" * separators, obfuscation.Form()))])

    assert in_blocks(of(5), most=5) == ([""] * 6, obfuscation.Form())
    assert in_blocks(of(6), most=5) is None


def _archive(method: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr(ENTRY, obfuscation.conceal("begin_save\x1bend_save" * 50, obfuscation.Form("vcsk", 7)))
    return buffer.getvalue()


def test_an_entry_that_is_not_deflated_is_left_and_read_all_the_same() -> None:
    assert in_blocks(_archive(zipfile.ZIP_STORED)) is None and in_blocks(_archive(zipfile.ZIP_BZIP2)) is None
    assert in_blocks(_archive(zipfile.ZIP_DEFLATED)) is not None
    logs = [read_log(_archive(method)).text for method in (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED)]
    assert logs[0] == logs[1] == logs[2]


def test_one_wrong_bit_anywhere_is_never_passed_over() -> None:
    whole = _archive(zipfile.ZIP_DEFLATED)
    right = in_blocks(whole)
    with read_archive(whole) as archive:
        packed = archive._zip.getinfo(ENTRY).compress_size
    begin = 30 + len(ENTRY)
    for at in range(begin, begin + packed):
        broken = bytearray(whole)
        broken[at] ^= 1 << at % 8
        assert in_blocks(bytes(broken)) in (None, right)
        assert in_blocks(bytes(broken), 64) in (None, right)


def test_an_entry_larger_than_the_archive_says_or_may_be_is_left_before_it_is_unpacked_whole() -> None:
    data = pack([(ENTRY, b"!VCSK00" + b"61" * (1 << 20))])
    assert in_blocks(data, limits=Limits(entry=1 << 20)) is None
    size = (2 * (1 << 20) + 7).to_bytes(4, "little")
    assert size in data
    assert in_blocks(data.replace(size, (1 << 12).to_bytes(4, "little"))) is None
