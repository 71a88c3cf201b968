"""The database engine (`ENGINE` in the settings): PostgreSQL; no request waits for it while it is away."""
