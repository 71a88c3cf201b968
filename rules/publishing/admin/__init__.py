"""The page that publishes, and the list of releases."""
