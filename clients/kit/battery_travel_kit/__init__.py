"""The contract kit: it plays everything that can go wrong to your program, and reports what it lets through.

    python -m battery_travel_kit --function my_shop.checks:may_travel

`scenes` says what is played, `stage` plays the service, `subjects` is your program, `playing` brings them
together, `report` tells what came of it. Nothing here needs a network or another package.
"""
