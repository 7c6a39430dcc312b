"""What is no VASSAL file, or a broken one, ends in one clear error with its place, in bounded memory; broken parts become notes."""

from __future__ import annotations

import io
import re
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from modgen.formats.errors import FormatError
from modgen.formats.vassal import archive, commands, obfuscation, saves, xml
from modgen.formats.vassal.buildfile import image_size, read_module
from modgen.formats.vassal.dump import dump, dump_bytes
from modgen.formats.vassal.replay import Game
from tests.formats.files import CLUB, ROOT, SAMPLE, SAMPLES

LOG = SAMPLES / "01-t1-red-moves.vlog"


def zipped(**entries: bytes) -> bytes:
    return archive.pack([(name.replace("_xml", ".xml"), data) for name, data in entries.items()])


def game(text: str) -> bytes:
    return zipped(savedGame=obfuscation.conceal(text, obfuscation.Form("vcsk", 77)))


def error_of(path: Path) -> str:
    """The one error that every reader gives for this file."""
    said = set()
    for read in (saves.read_log, saves.read_save):
        with pytest.raises(FormatError) as caught:
            read(path)
        said.add(str(caught.value))
    assert len(said) == 1
    message = said.pop()
    assert message.startswith(path.as_posix() + ": ") and "\n" not in message
    return message.removeprefix(path.as_posix() + ": ")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "is empty; a zip archive"),
        (b"Dear diary,\n", "is no zip archive (.vmod, .vsav, .vlog)"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "is no zip archive"),
        (LOG.read_bytes()[:4000], "is a zip archive cut off before its end"),
        (LOG.read_bytes()[:-10], "is a zip archive cut off before its end"),
        (zipped(readme=b"hello"), "holds no entry savedGame; a save or log (.vsav, .vlog) is expected"),
        (CLUB.read_bytes(), "is a module; a save or log (.vsav, .vlog) is expected"),
        (zipped(savedGame=b"!VCSK5a38zz"), "savedGame: begins with !VCSK, after which only pairs of hex digits are allowed"),
        (zipped(savedGame=b"!VCSK5a383"), "savedGame: begins with !VCSK, after which only pairs of hex digits are allowed"),
        (zipped(savedGame=b"!VCSK"), "savedGame: begins with !VCSK"),
        (zipped(savedGame=b"VOBS"), "savedGame: begins with VOBS, but the key byte"),
        (zipped(savedGame=b"just some words"), "savedGame: is no text of a saved game"),
        (zipped(savedGame=b""), "savedGame: is no text of a saved game"),
        (game("\x1b".join(["begin_save"] * 450_000)), "savedGame: holds 449999 commands; at most 400000 are read"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_a_file_that_is_no_log_gives_one_clear_error(tmp_path: Path, data: bytes, what: str) -> None:
    path = tmp_path / "game.vlog"
    path.write_bytes(data)
    assert error_of(path).startswith(what)


def test_a_missing_file_and_a_folder_are_clear_errors(tmp_path: Path) -> None:
    assert error_of(tmp_path / "none.vlog").startswith("cannot be opened: No such file")
    assert error_of(tmp_path) == "is a folder; a zip archive (.vmod, .vsav, .vlog) is expected"


def test_damaged_entries_are_clear_errors(tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    data = bytearray(LOG.read_bytes())
    for index in range(200, 400):
        data[index] ^= 0x55
    path.write_bytes(bytes(data))
    assert "savedGame: is damaged" in error_of(path)


def test_a_log_given_as_a_module_is_named_as_such(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"is a save or log; a module \(\.vmod\) is expected"):
        read_module(LOG)
    with pytest.raises(FormatError, match=r"holds no buildFile\.xml"):
        read_module(zipped(readme=b"x"))
    with pytest.raises(FormatError, match="has the root element html"):
        read_module(zipped(buildFile_xml=b"<html/>"))
    with pytest.raises(FormatError, match=r"buildFile.xml:2:3: is no well-formed XML \(mismatched tag"):
        read_module(zipped(buildFile_xml=b"<a>\n</b>"))
    with pytest.raises(FormatError, match="has a DOCTYPE"):
        read_module(zipped(buildFile_xml=b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'))


def test_the_twin_of_what_is_neither_module_nor_log_is_refused() -> None:
    with pytest.raises(FormatError, match=r"x: holds neither buildFile\.xml, as a module does \(\.vmod\), nor savedGame, as a save or log"):
        dump_bytes(zipped(readme=b"x"), "x")
    with pytest.raises(FormatError, match=r"x: buildFile\.xml: has the root element foo; VASSAL\.build\.GameModule is expected"):
        dump_bytes(zipped(buildFile_xml=b"<foo/>"), "x")


def bomb(size: int, *, entry: bytes = b"savedGame", start: bytes = b"!VCSK00", fill: bytes = b"61", says: int | None = None) -> bytes:
    """A zip whose one entry unpacks to ``size`` bytes and a start, and says so, or says ``says``."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = squeezer.compress(start) + squeezer.flush(zlib.Z_FULL_FLUSH)
    block = fill * ((1 << 20) // len(fill))
    # After a full flush a block stands for itself, so its packed form can be repeated.
    again = squeezer.compress(block) + squeezer.flush(zlib.Z_FULL_FLUSH)
    body = first + again * (size // len(block)) + squeezer.flush()
    stated = len(start) + len(block) * (size // len(block)) if says is None else says
    check = zlib.crc32(start)
    for _ in range(size // len(block) if size < 1 << 28 else 0):
        check = zlib.crc32(block, check)
    head = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, check, len(body), stated, len(entry), 0)
    local = b"PK\x03\x04" + head + entry + body
    central = b"PK\x01\x02" + struct.pack("<H", 20) + head[:-2] + struct.pack("<HHHHII", 0, 0, 0, 0, 0, 0) + entry
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + end


MEASURE = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from modgen.formats.errors import FormatError
from modgen.formats.vassal.saves import read_log
from modgen.formats.vassal.dump import dump
for read in (read_log, dump):
    try:
        read(Path(sys.argv[1]))
        print("read")
    except FormatError as error:
        print(error)
# not ru_maxrss: it begins with what the parent held when it started this process
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def measured(path: Path) -> tuple[list[str], int]:
    """(what the readers said, the most memory used in MB), in a process of its own."""
    done = subprocess.run([sys.executable, "-c", MEASURE, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    *said, peak = done.stdout.splitlines()
    return said, int(peak) // 1024


@pytest.mark.slow
def test_a_bomb_of_two_gigabytes_ends_in_an_error_and_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.vlog"
    path.write_bytes(bomb(2 << 30))
    assert path.stat().st_size < 8 << 20
    said, peak = measured(path)
    assert said == [f"{path}: savedGame: is 2147483655 bytes unpacked; at most 67108864 are read"] * 2
    assert peak < 300


@pytest.mark.slow
@pytest.mark.parametrize("what", ["lies about its size", "largest that is read", "many commands", "wide letters", "module"])
def test_other_bombs_end_in_bounded_memory(tmp_path: Path, what: str) -> None:
    path = tmp_path / "bomb.vlog"
    size = (saves.MAX_TEXT * 2) - (1 << 20)
    begin = b"!VCSK00" + b"begin_save\x1b".hex().encode()
    data = {
        "lies about its size": bomb(1 << 31, says=1000),
        "largest that is read": bomb(size, start=begin),
        "many commands": bomb(size, fill=b"1b"),
        "wide letters": bomb(size, start=begin, fill="𝄞".encode().hex().encode()),
        "module": bomb(60 << 20, entry=b"buildFile.xml", start=b"<VASSAL.build.GameModule>", fill=b"<a/>"),
    }[what]
    path.write_bytes(data)
    said, peak = measured(path)
    assert peak < 300, said
    if what not in {"largest that is read", "wide letters"}:
        assert all(line.startswith(str(path)) for line in said)
        assert ("is damaged" in said[0]) == (what == "lies about its size")


@pytest.mark.parametrize("end", ["</a>" * 200_000 + "</VASSAL.build.GameModule>", ""], ids=["whole", "cut off"])
def test_a_module_nested_without_end_is_refused_while_it_is_read(tmp_path: Path, end: str) -> None:
    path = tmp_path / "deep.vmod"
    path.write_bytes(zipped(buildFile_xml=("<VASSAL.build.GameModule>" + "<a>" * 200_000 + end).encode()))
    said, peak = measured(path)
    assert said[1] == f"{path}: buildFile.xml: has its element number 201 (a) nested too deep; at most 200 levels are read"
    assert peak < 300
    with pytest.raises(FormatError, match="at most 200 levels are read"):
        read_module(path)
    levels = xml.MAX_DEPTH
    assert len(list(xml.from_bytes(b"<a>" * levels + b"</a>" * levels, "x").iter())) == levels


def test_an_archive_whose_list_alone_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as out:
        for number in range(60):
            out.writestr(f"entry{number}", b"")
    data = buffer.getvalue()
    with pytest.raises(FormatError, match="lists 60 entries; at most 50 are read"):
        archive.read_archive(data, limits=archive.Limits(entries=50))
    with pytest.raises(FormatError, match="list of entries of"):
        archive.read_archive(data, limits=archive.Limits(directory=1000))


def test_encrypted_and_oddly_packed_entries_are_clear_errors() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as out:
        out.writestr("savedGame", b"begin_save")
    data = buffer.getvalue()
    for offset, value, what in ((6, 1, "cannot be read"), (8, 77, "packed in a way")):
        broken = bytearray(data)
        broken[offset] = value
        broken[data.index(b"PK\x01\x02") + offset + 2] = value
        with pytest.raises(FormatError, match=what):
            saves.read_log(bytes(broken), where="x.vlog")


@given(st.binary(max_size=300))
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for entry in (data, b"begin_save\x1b" + data, b"!VCSK00" + data.hex().encode()):
        try:
            log = saves.read_log(zipped(savedGame=entry, savedata=data, moduledata=data), where="x")
        except FormatError as error:
            assert str(error).startswith("x: ")
            continue
        end = Game().run(log.start.commands)
        for step in log.steps:
            end.run(step.commands)
        assert dump_bytes(zipped(savedGame=entry), "x")


@given(st.booleans(), st.integers(0, 400), st.integers(0, 255))
@settings(max_examples=300)
@example(True, 213, 4)  # states a size that nobody would read
@example(False, 355, 1)  # states more packed bytes than there are
def test_an_entry_read_in_one_go_is_what_zipfile_reads(stored: bool, at: int, byte: int) -> None:
    """Also with any one byte of the archive another."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as packed:
        for name, content in (("a", b"begin_save" * 9), ("b\xe9", b""), ("c", b"x")):
            packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED)
    data = bytearray(buffer.getvalue())
    data[at % len(data)] = byte
    try:
        opened = archive.read_archive(bytes(data))
    except FormatError:
        return
    with opened, zipfile.ZipFile(io.BytesIO(data)) as there:
        for name in opened.names:
            if opened.size(name) > archive.DEFAULT_LIMITS.entry:
                with pytest.raises(FormatError, match="are read"):
                    opened.read(name)
                continue
            try:
                expected = there.read(name)
            except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError):  # NotImplementedError is one, too
                with pytest.raises(FormatError):
                    opened.read(name)
            else:
                assert opened.read(name) == expected


LINES = b"".join(b"%d LOG\tM/%d/Map/%d/9\x1b" % (number, 7919 * number % 1009, number * number) for number in range(200))


@given(st.integers(1, 9), st.lists(st.tuples(st.integers(0, 1 << 12), st.integers(0, 255)), max_size=3))
@settings(max_examples=200)
def test_a_damaged_entry_is_told_as_zipfile_tells_it(level: int, changed: list[tuple[int, int]]) -> None:
    """Of an entry long enough to bring codes of its own, with bytes of what is packed changed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as packed:
        packed.writestr("a", LINES)
        size = packed.getinfo("a").compress_size
    data = bytearray(buffer.getvalue())
    for at, byte in changed:
        data[31 + at % size] = byte
    with archive.read_archive(bytes(data)) as opened, zipfile.ZipFile(io.BytesIO(data)) as there:
        try:
            expected = there.read("a")
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            with pytest.raises(FormatError, match=re.escape(f"archive: a: is damaged ({error or type(error).__name__})")):
                opened.read("a")
        else:
            assert opened.read("a") == expected


_WORDS = "UNMASK| PLAYER| UNDO| MutableProperty| GlobalProperty| XBoardPicker| SHOW_RESULTS| PYREMOVE| NOTES| TURNTurnTracker0|".split()
COMMAND = st.sampled_from(
    [word.replace("|", "\t") for word in _WORDS] + "+/ -/ D/ M/ CHAT begin_save end_save null 1/stack/ +/1/deck;/".split() + ["", "LOG\t"]
)


@given(st.lists(st.tuples(st.integers(0, 3), COMMAND, st.text("1a/;\t\\'|,-null", max_size=20)), max_size=12))
def test_any_broken_commands_are_read_replayed_and_come_back(parts: list[tuple[int, str, str]]) -> None:
    text = commands.join_tree([(0, "begin_save"), *((depth, word + rest) for depth, word, rest in parts)])
    log = saves.read_log(game(text), where="x")
    assert commands.join_tree(commands.split_tree(text)) == text
    table = Game().run(log.start.commands)
    for step in log.steps:
        table.run(step.commands)
        assert all(str(command) for command in step.commands if not isinstance(command, commands.Empty)) is True
    for live in table.pieces.values():
        assert live.piece().id == live.id
    assert dump_bytes(game(text), "x")


def test_broken_commands_keep_their_text_and_say_why() -> None:
    for text in ("M/1/Map/a/b/null/Map/1/2/null/secret", "+/1/stack", "D/1", "PLAYER\tx", "MutableProperty\ta", "XBoardPicker\tb\tc\td"):
        command = commands.parse_command(text)
        assert isinstance(command, commands.Unknown) and command.why.startswith("broken command")
        assert str(command) == text and "secret" not in command.why
    assert commands.parse_command("HELLO\tx") == commands.Unknown("HELLO\tx")
    long = commands.parse_command("CHAT" + "x" * (9 << 20))
    assert isinstance(long, commands.Unknown) and "at most" in long.why


def test_a_piece_of_very_many_traits_is_broken_not_endless() -> None:
    text = "begin_save\x1b" + str(commands.AddPiece("1", "\t" * 100_000 + "piece;;;;x", "\t")) + "\x1bend_save"
    save = saves.read_save(game(text), where="x")
    with pytest.raises(ValueError, match="more than 4096 traits"):
        _ = save.pieces
    assert "unreadable" in dump_bytes(game(text), "x")
    assert Game().run(save.commands).pieces


def test_metadata_that_cannot_be_read_is_a_note() -> None:
    log = saves.read_log(zipped(savedGame=b"begin_save\x1bend_save", savedata=b"<data", moduledata=b"\x00"), where="x")
    assert log.start.metadata is None and log.start.module is None
    assert [note.split()[0] for note in log.start.notes] == ["savedata", "moduledata"]
    assert saves.read_log(zipped(savedGame=b"begin_save\x1bend_save"), where="x").start.notes == ()


def test_text_that_is_no_utf8_is_read_and_told() -> None:
    log = saves.read_log(zipped(savedGame="begin_save\x1bLOG\tCHAT&lt;Jörg&gt; - grüß".encode("cp1252")), where="x")
    assert log.steps[0].commands == (commands.Chat("&lt;Jörg&gt; - grüß"),)
    assert log.start.notes == ("the text is not UTF-8; it was read as cp1252",)


def test_a_log_with_all_backslashes_before_separators_gone_still_loads() -> None:
    text = saves.read_log(SAMPLE / "sample.vlog").start.text
    flat = "\x1b".join(chunk.rstrip("\\") for chunk in text.split("\x1b"))
    assert saves.read_save(game(flat), where="x").pieces.keys() == saves.read_save(SAMPLE / "sample.vlog").pieces.keys()


def test_commands_that_belong_to_no_step_are_kept_apart() -> None:
    log = saves.read_log(game("begin_save\x1bend_save\x1bLOG\tCHATa\x1bCHATb\x1bLOG\tnull\\\x1bLOG\tCHATc"), where="x")
    assert [step.commands for step in log.steps] == [(commands.Chat("a"),), (commands.Null(), commands.Chat("c"))]
    assert log.stray == ("CHATb",)


def test_xml_writes_what_it_reads_and_refuses_what_xml_cannot_hold() -> None:
    root = xml.element("a", x='<"&\n\t', flag=True, none=None)
    root.add("b", "one\ttwo < three").add("c", number=3)
    data = xml.to_bytes(root)
    again = xml.from_bytes(data, "x")
    assert [(e.name, e.attributes, e.text.rstrip("\n")) for e in again.iter()] == [
        ("a", {"x": '<"&\n\t', "flag": "true"}, ""),
        ("b", {}, "one\ttwo < three"),
        ("c", {"number": "3"}, ""),
    ]
    with pytest.raises(ValueError, match=r"U\+001B"):
        xml.to_text(xml.element("a", "\x1b"))
    with pytest.raises(FormatError, match="x:1:1: is no well-formed XML"):
        xml.from_bytes(b"", "x")


def test_writing_never_leaves_half_a_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be written"):
        archive.write_file(tmp_path / "none/x.vsav", b"x")
    archive.write_file(tmp_path / "x.vsav", b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["x.vsav"]


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480), (640, 480)),
        (b"GIF89a" + struct.pack("<HH", 64, 48), (64, 48)),
        (b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08" + struct.pack(">HH", 48, 64) + bytes(8), (64, 48)),
        (b'<svg width="30px" height="20"/>', (30, 20)),
        (b'<svg viewBox="0 0 30 20"/>', (30, 20)),
        (b"\xff\xd8\xff", None),
        (b"<svg", None),
        (b"nothing", None),
    ],
)
def test_sizes_of_pictures(data: bytes, size: tuple[int, int] | None) -> None:
    assert image_size(data) == size


def test_dump_reads_every_kind_and_refuses_the_rest(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("x")
    with pytest.raises(FormatError, match="is no zip archive"):
        dump(tmp_path / "x.txt")
