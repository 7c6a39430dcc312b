"""What immutable values of every package are made of."""

from __future__ import annotations

import msgspec


class Value(msgspec.Struct, frozen=True, gc=False):
    """A value: cannot be changed, equal and hashed by its fields. Subclasses are so too, those in compiled modules included, where mypyc
    leaves out what stands behind the bases of a class (say ``frozen=True`` all the same: type checkers read it).

    The garbage collector passes values over: what is made once, of other values, never refers to itself. A log has thousands of them.
    """
