"""The only code that writes for the source watch: `recording` for visits, `signals` for what editors do."""
