"""An independent enumerator of the lawful actions of Battle for Germany: every scenario and option.

Written from the rulebook, the rulings and the contract on canonical, factored actions; imports nothing but the standard library and
``tests.games.bfg.facts``. ``read`` or ``start`` a position, list its ``actions``, ``play`` one, look at ``result`` and ``holders``.
"""

from tests.games.bfg.enumerator.doing import play
from tests.games.bfg.enumerator.legal import actions
from tests.games.bfg.enumerator.reading import read
from tests.games.bfg.enumerator.state import State, holders, start
from tests.games.bfg.enumerator.turn import result

__all__ = ["State", "actions", "holders", "play", "read", "result", "start"]
