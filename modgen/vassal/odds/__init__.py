"""Odds help inside a module: properties of the module that buttons work out one after the other. No piece carries any of it, but for
the hex that a declared target adds to the list of hexes attacked."""
