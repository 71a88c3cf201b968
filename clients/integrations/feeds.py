"""The feed of rulesets, read with feedparser."""

import os

import feedparser

feed = feedparser.parse(f"{os.environ['ADDRESS']}/feeds/rulesets.atom")
assert not feed.bozo, feed.bozo_exception
assert feed.version == "atom10"
newest = feed.entries[0]
print(feed.feed.title, "·", newest.title, "·", newest.updated, "·", newest.link)
