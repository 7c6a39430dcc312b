"""The user pages: links that lead somewhere, commands and options that exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "bench/README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("data/*/samples/README.md")])


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as forges make them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            wrong.append(f"{target}: no such file")
        elif anchor and anchor not in anchors(file):
            wrong.append(f"{target}: no such heading")
    assert not wrong, "\n".join(wrong)


@pytest.fixture(scope="module")
def helps() -> dict[tuple[str, str], str]:
    """(program, command) -> its help text, asked for once each."""
    found: dict[tuple[str, str], str] = {}
    for program in ("modgen", "referee"):
        for command in sorted({command for asked, command, _ in commands() if asked == program}):
            run = subprocess.run([sys.executable, "-m", f"{program}.cli", command, "--help"], cwd=ROOT, capture_output=True, text=True)
            assert run.returncode == 0, f"there is no command `{program} {command}`"
            found[program, command] = run.stdout
    return found


def commands() -> list[tuple[str, str, str]]:
    """(program, command, the rest) of every command line shown in a page."""
    shown = re.compile(r"(?:^ {4}|`)(?:\.venv/bin/)?(modgen|referee) ([a-z]+)\b([^`\n]*)", re.M)
    return [match for page in PAGES for match in shown.findall(page.read_text("utf-8")) if match[1] != "and"]


def test_commands_and_options_that_the_pages_show_exist(helps: dict[tuple[str, str], str]) -> None:
    wrong = []
    for program, command, rest in commands():
        for option in re.findall(r"--[a-z-]+", rest.split("#")[0]):
            if not re.search(rf"{option}\b", helps[program, command]):
                wrong.append(f"{program} {command} has no {option}")
    assert not wrong, "\n".join(sorted(set(wrong)))


def test_the_make_targets_that_the_pages_show_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    shown = {target for page in PAGES for target in re.findall(r"(?:^ {4}|`)make ([a-z]+)\b", page.read_text("utf-8"), re.M)}
    assert shown <= targets, f"no such target: {', '.join(sorted(shown - targets))}"


def test_the_code_on_the_library_page_runs() -> None:
    page = (ROOT / "docs/library.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    assert blocks
    for block in blocks:
        done = subprocess.run([sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
