"""VASSAL's encodings, read and write: archives, obfuscation, sequences, pieces, commands, saves, logs, modules.

Nothing here draws, judges or knows a game. What the engine itself writes comes back unchanged: decoding and encoding a
``savedGame`` gives the identical text.
"""
