"""Runs of long jobs and their dead letters.

One run of each job at a time, with its progress in the database. Called by the watch, the feeds and the
webhooks.
"""
