"""`make lighthouse`: scores of the most visited public pages."""
