"""The engine of the database (`ENGINE` in the settings): PostgreSQL, never waited for while it is away."""
