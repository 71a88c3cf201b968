"""Runs of long jobs and their dead letters.

Each job has one run at a time, with its progress in the database. Called by the watch, the feeds and the
webhooks.
"""
