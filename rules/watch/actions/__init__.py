"""The only writers of the source watch: `recording` writes what a visit found, `signals` what editors do."""
