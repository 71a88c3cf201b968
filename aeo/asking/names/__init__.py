"""Airlines, places and suggestions by name, in eight languages.

A name with a slip is offered and never taken. Pure but for the release that is given.
"""
