"""Sentences made from a grammar of parts, in eight languages, of which it is known what they say."""
