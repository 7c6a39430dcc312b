"""The text twins of the engine's files are held as golden pairs; no player's id is ever in one.

After a change that is meant, write them anew: ``python -m tests.formats.test_dump``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from modgen.formats.vassal import commands as cmd
from modgen.formats.vassal.archive import pack
from modgen.formats.vassal.dump import dump, dump_bytes
from tests.formats.files import COOKBOOK, DATA, LOGS, MODULES, PASSWORDS, ROOT, SAMPLE, SAVES, name

GOLDEN = {
    "campaign.vsav.txt": SAMPLE / "campaign.vsav",
    "sample.vlog.txt": SAMPLE / "sample.vlog",
    "sample.vmod.txt": SAMPLE / "sample.vmod",
    "cookbook-demo.vlog.txt": COOKBOOK / "cookbook-demo.vlog",
}
TWINS = DATA / "twins"


@pytest.mark.parametrize("twin", GOLDEN)
def test_the_twin_of_an_engines_file_stays_as_it_is(twin: str) -> None:
    assert dump(GOLDEN[twin]) == (TWINS / twin).read_text("utf-8")


@pytest.mark.parametrize("path", [*SAVES, *LOGS, *MODULES], ids=name)
def test_no_password_is_in_a_twin(path: Path) -> None:
    text = dump(path)
    assert text.endswith("\n") and not any(word in text for word in PASSWORDS)
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_owners_of_masks_and_restricted_pieces_are_numbers() -> None:
    piece = str(
        cmd.AddPiece(
            "1",
            "obs;73,130;m.png;Mask;I;?;player:;;;;;\thide;73,130;Hide;;player:;0.3;;false\\\trestrict;Red;true;false;\\\\\tpiece;;;;Unit",
            "qwertz1;false|0\tqwertz2\\\tqwertz3\\\\\tnull;0;0;1;0",
        )
    )
    move = str(cmd.Log(cmd.MovePiece("1", "M", 1, 1, "", "M", 2, 2, "", "qwertz4")))
    odd = ["SOMETHING\tqwertz4", "PYREMOVE\tqwertz4", "UNMASK\tqwertz1"]
    text = dump_bytes(pack([("savedGame", "\x1b".join(["begin_save", piece, "end_save", move, *odd]).encode())]), "x")
    assert "qwertz" not in text
    assert "<id 1>;false|0" in text and "by <id 4>" in text


def test_side_names_on_masks_stay() -> None:
    assert "obs: null; -> Red;false|0" in dump(SAMPLE / "sample.vlog")


def test_the_command_prints_the_twin_and_tells_bad_files(tmp_path: Path) -> None:
    def modgen(*args: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, "-m", "modgen.cli", *map(str, args)], cwd=ROOT, capture_output=True, timeout=60)

    done = modgen("dump", SAMPLE / "campaign.vsav")
    assert (done.returncode, done.stdout.decode("utf-8"), done.stderr) == (0, dump(SAMPLE / "campaign.vsav"), b"")
    (tmp_path / "x.vlog").write_text("x")
    done = modgen("dump", tmp_path / "x.vlog")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"modgen: {tmp_path}/x.vlog: is no zip archive (.vmod, .vsav, .vlog)\n"


if __name__ == "__main__":
    TWINS.mkdir(exist_ok=True)
    for twin, source in GOLDEN.items():
        (TWINS / twin).write_text(dump(source), "utf-8")
