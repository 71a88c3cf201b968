"""`make soak`: ten minutes of mixed load. Uses the load and the judge of `checks.chaos`."""
