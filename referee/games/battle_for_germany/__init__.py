"""Battle for Germany: its rulebook as code, one module a chapter.

3.0 sequence, 4.0 zoc, 5.0 movement (5.1 stacking, 5.2 and 5.3 in setting and movement), 6.0 combat and odds (6.2.1 retreat,
6.5 advance), 7.0 replacements, 8.0 courland, 9.0 exits, 10.0 and 11.0 changes and victory, 12.2 mandate.
"""
