"""What every editors' table is made of.

Constraints that carry their refusal sentence, triggers, history, who wrote a row, ordered evidence, and rows
as frozen records. Slices build their models from these. Knows no table of its own.
"""
