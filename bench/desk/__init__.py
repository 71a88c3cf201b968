"""`make desk`: what the screens of the editors cost with 100,000 models and 50,000 rules."""
