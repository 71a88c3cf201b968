"""The pages of findings and of pending changes."""
