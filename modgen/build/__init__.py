"""``modgen build``: a game's data into finished client modules. The same data gives the same bytes, wherever and whenever it is built."""

from __future__ import annotations

from modgen.build.contents import IDENTITY, content_hash
from modgen.build.looking import picture
from modgen.build.report import BuildError, Report
from modgen.build.run import build, build_all
from modgen.build.work import Order

__all__ = ["IDENTITY", "BuildError", "Order", "Report", "build", "build_all", "content_hash", "picture"]
