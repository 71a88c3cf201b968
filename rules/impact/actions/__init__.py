"""The only code that writes measurements: `measuring` begins one, `workers` measure a large one in parts."""
