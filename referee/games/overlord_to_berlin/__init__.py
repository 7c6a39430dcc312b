"""From Overlord to Berlin: its rulebook as code, one module a chapter.

2 sequence, 3 political, 4 and 5 economy, 6 supply, 7 stacking, 8 points, 9 strategic, operations and landings, 10 combat, losses
and retreat, 11 stratagems and windows, 12 specials, 13 victory.
"""
