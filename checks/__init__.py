"""Programs that measure a running service, or break it on purpose. `make` has a target for each.

They are not tests: they take minutes, need other programs, or compare two versions. Nothing imports them.
"""
