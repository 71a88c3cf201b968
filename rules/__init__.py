"""What the world requires of a power bank on a flight: rules, releases, verdicts.

Other packages use `verdicts` (the door), `corpus` (which release answers now), `wording`, `answers` and
`selectors`. Editors write rules in `editing`; `publishing` makes releases of them.
"""
