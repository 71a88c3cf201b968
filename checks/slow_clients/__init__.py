"""`make slow`: idle connections are kept, and slow clients keep no one waiting."""
