"""The contract kit: it simulates everything that can go wrong, and reports what your program lets through.

    python -m battery_travel_kit --function my_shop.checks:may_travel

`scenes` defines what is played, `stage` plays the service, `subjects` is your program, `playing` brings them
together, and `report` shows the results. Nothing here needs a network or another package.
"""
