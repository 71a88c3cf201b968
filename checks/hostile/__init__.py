"""`make hostile`: requests that no page and no program sends, to the desk and to everything public."""
