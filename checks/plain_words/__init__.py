"""`make words`: is the prose of code, documents and templates plain English? A reminder, no style police."""
