"""`make chaos`: the production shape under load with one fault after another.

Each answer is judged right, wrong, or the documented 503.
"""
