"""Sentences generated from a grammar of parts, in eight languages, with known meanings."""
