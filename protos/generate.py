"""Generates the service's Python code from protos/ into referee/service/gen, or into the folder given.

The files of package referee.v1 come out flat, importable as referee.service.gen.*; their descriptors keep the names of the
.proto files, so that reflection tells clients the truth. Same input and same pinned tools, same bytes.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
PACKAGE = "referee/v1"
TARGET = ROOT / "referee/service/gen"
INIT = '"""Generated from protos/referee/v1 by `make protos`; do not edit."""\n'


def flat(text: str) -> str:
    """Imports of referee.v1 as imports of the generated package: referee is the name of our own package."""
    text = re.sub(r"^from referee\.v1 import", "from referee.service.gen import", text, flags=re.M)
    text = re.sub(r"^import referee\.v1\.(\w+)( as \w+)?$", r"import referee.service.gen.\1\2", text, flags=re.M)
    return re.sub(r"\breferee\.v1\.(\w+_pb2)\b", r"referee.service.gen.\1", text)


def generate(target: Path) -> list[str]:
    """Writes every generated file into target and returns their names, sorted."""
    sources = sorted(path.relative_to(PROTOS).as_posix() for path in (PROTOS / PACKAGE).glob("*.proto"))
    plugins = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as scratch:
        arguments = [
            "protoc",
            f"-I{PROTOS}",
            f"-I{Path(protoc.__file__).parent / '_proto'}",
            f"--python_out={scratch}",
            f"--grpc_python_out={scratch}",
            f"--plugin=protoc-gen-mypy={plugins / 'protoc-gen-mypy'}",
            f"--mypy_out=quiet:{scratch}",
            f"--plugin=protoc-gen-mypy_grpc={plugins / 'protoc-gen-mypy_grpc'}",
            f"--mypy_grpc_out=quiet:{scratch}",
            *sources,
        ]
        if protoc.main(arguments) != 0:
            raise SystemExit("protoc refused the .proto files (its messages stand above)")
        files = {path.name: flat(path.read_text("utf-8")) for path in (Path(scratch) / PACKAGE).iterdir() if path.suffix in {".py", ".pyi"}}
    # A .proto without a service yields an empty grpc module: nothing to commit.
    files = {name: text for name, text in files.items() if "_grpc" not in name or re.search(r"class [A-Z]\w*Servicer\b", text)}
    files["__init__.py"] = INIT
    target.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (target / name).write_text(text, "utf-8", newline="\n")
    for stale in target.iterdir():
        if stale.suffix in {".py", ".pyi"} and stale.name not in files:
            stale.unlink()
    return sorted(files)


if __name__ == "__main__":
    print("\n".join(generate(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)))
