"""The public face for readers and answer engines: it shows what the rules decide, and decides nothing."""
