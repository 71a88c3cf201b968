"""The only writers of measurements: `measuring` begins one, `workers` measure a large one in parts."""
