"""`make scale`: what grows with the catalog, the machines, the readers and the log, at three sizes."""
