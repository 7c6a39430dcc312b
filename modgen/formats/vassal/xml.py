"""XML of modules: a small builder that writes the same bytes every time, and a reader in bounded memory.

The engine's build file is elements named after its classes, settings as attributes, and text in the few elements that hold a
piece; it has no name spaces, comments or mixed content.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from modgen.formats.errors import FormatError

HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
MAX_ELEMENTS = 400_000
MAX_DEPTH = 200
"""How deep elements may nest. The modules of tests/data nest eight levels; every level more is one more indent in the text twin."""
_FEED = 1 << 16
_QUIET = 8 << 20

_BAD = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _escape(text: str, attribute: bool) -> str:
    bad = _BAD.search(text)
    if bad:
        raise ValueError(f"the character U+{ord(bad[0]):04X} cannot stand in XML")
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return text.replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;") if attribute else text


@dataclass(slots=True)
class Element:
    """An element: name, attributes in the order given, child elements, and text (before the children)."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def add(self, name: str, text: str = "", /, **attributes: object) -> Element:
        """Append a new child and return it (see ``element``)."""
        child = element(name, text, **attributes)
        self.children.append(child)
        return child

    def append(self, *children: Element) -> Element:
        """Append children and return this element."""
        self.children.extend(children)
        return self

    def get(self, name: str, default: str = "") -> str:
        """An attribute's value."""
        return self.attributes.get(name, default)

    def iter(self) -> Iterator[Element]:
        """This element and everything below it, in document order."""
        stack = [self]
        while stack:
            here = stack.pop()
            yield here
            stack.extend(reversed(here.children))


def element(name: str, text: str = "", /, **attributes: object) -> Element:
    """An element. Booleans become ``true`` and ``false``, None leaves the attribute out, the rest is ``str``."""
    made = Element(name, text=text)
    for key, value in attributes.items():
        if value is not None:
            made.attributes[key] = ("true" if value else "false") if isinstance(value, bool) else str(value)
    return made


def to_text(root: Element, *, header: bool = True) -> str:
    """The document: one component a line, no indentation (text of pieces is trimmed by the engine, so none may be added inside).

    Raises ValueError for a character that XML cannot hold.
    """
    out: list[str] = [HEADER] if header else []
    _write(root, out)
    out.append("\n")
    return "".join(out)


def _write(top: Element, out: list[str]) -> None:
    # An explicit stack: modules nest folders as deep as their makers like.
    work: list[Element | str] = [top]
    while work:
        here = work.pop()
        if isinstance(here, str):
            out.append(here)
            continue
        attributes = "".join(f' {key}="{_escape(value, True)}"' for key, value in here.attributes.items())
        if not here.children and not here.text:
            out.append(f"<{here.name}{attributes}/>")
            continue
        out.append(f"<{here.name}{attributes}>{_escape(here.text, False)}")
        work.append(f"</{here.name}>")
        if here.children:
            work.append("\n")
            for child in reversed(here.children):
                work.append(child)
                work.append("\n")


def to_bytes(root: Element) -> bytes:
    """The document as UTF-8."""
    return to_text(root).encode("utf-8")


def from_bytes(data: bytes, where: str) -> Element:
    """Read a document.

    Raises FormatError for broken XML, a DOCTYPE, more than ``MAX_ELEMENTS`` elements, or elements deeper than ``MAX_DEPTH``.
    """
    if b"<!DOCTYPE" in data[:4096] or b"<!ENTITY" in data:
        raise FormatError(where, "has a DOCTYPE; a build file has none")
    parser: ET.XMLPullParser[ET.Element] = ET.XMLPullParser(("start", "end"))
    count = 0
    quiet = 0
    open_elements: list[Element] = []
    root: Element | None = None
    try:
        for start in range(0, len(data), _FEED):
            parser.feed(data[start : start + _FEED])
            before = count
            for event, found in _elements(parser):
                if event == "start":
                    count += 1
                    if count > MAX_ELEMENTS:
                        raise FormatError(where, f"holds more than {MAX_ELEMENTS} elements")
                    if len(open_elements) >= MAX_DEPTH:
                        raise FormatError(
                            where, f"has its element number {count} ({found.tag[:40]}) nested too deep; at most {MAX_DEPTH} levels are read"
                        )
                    made = Element(found.tag, dict(found.attrib))
                    if open_elements:
                        open_elements[-1].children.append(made)
                    else:
                        root = made
                    open_elements.append(made)
                else:
                    done, text = open_elements.pop(), found.text or ""
                    # Line ends between components are layout, not text.
                    done.text = "" if done.children and not text.strip() else text
                    found.clear()
            quiet = 0 if count > before else quiet + _FEED
            if quiet > _QUIET:
                raise FormatError(where, f"holds an element of more than {_QUIET} bytes")
        parser.close()
    except ET.ParseError as error:
        line, column = error.position
        raise FormatError(f"{where}:{line}:{column + 1}", f"is no well-formed XML ({error})") from None
    except (ValueError, LookupError) as error:
        raise FormatError(where, f"is no readable XML ({error})") from None
    if root is None:
        raise FormatError(where, "is empty; XML is expected")
    return root


def _elements(parser: ET.XMLPullParser[ET.Element]) -> Iterable[tuple[str, ET.Element]]:
    for event, *rest in parser.read_events():
        found: object = rest[0] if rest else None
        if isinstance(found, ET.Element):
            yield str(event), found
