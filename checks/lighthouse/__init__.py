"""`make lighthouse`: scores of the public pages that most people come to."""
