"""The forms of dates that templates and lists use: those of `catalog.dates`."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = r"H:i \U\T\C"
DATETIME_FORMAT = r"j F Y, H:i \U\T\C"
