"""Screens of change sets, and what they add to the screens of models and airlines."""
