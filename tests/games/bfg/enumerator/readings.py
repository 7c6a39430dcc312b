"""Readings that the rulebook, the rulings and the contract leave open, where another one is as easy to play: change a constant to compare.

The other readings stand in docstrings at their places, each beginning with "Reading".
"""

from __future__ import annotations

SECOND_FRONT_BARRED = True
"""R-G126 against R-G33: a Front may not even end its move where another Front stands in a capital. False: only the end of the phase
is refused (and then for good, since neither of the two can leave)."""

EXCHANGE_EXACT = False
"""Contract, "an exchange in which all left must go": False: by themselves go only attackers whose printed attack together does not
exceed the price (R-G11). True: also those of whom every single one is needed, such as a lone attacker stronger than the price."""

SETUP_DONE = False
"""Contract, ``set-up``: ``done`` is asked for once all four of Courland stand. False: play goes on by itself."""

BOTH_GROUPS = False
"""Contract, ``group``: False: a group is offered only if a unit of its own is in range and not tired. True: both, if either has one."""

WANDER_WEST = False
"""R-G100 "entered only by a retreating EG unit" against "meanwhile it moves": True: an EG unit of Collapse in the west may move in the
west like any displaced unit (R-G38). False: it may only step back east."""
