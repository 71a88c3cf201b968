"""The parts of every editors' table.

Constraints with their refusal sentence, triggers, history, the author of a row, ordered evidence, and rows as
frozen records. Slices build their models from these. It contains no table of its own.
"""
