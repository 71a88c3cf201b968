"""Counts of answers, as people read them."""

from django import template

from rules.impact.figures import answers, rounded, short

register = template.Library()

register.filter("answers", answers)
register.filter("rounded", rounded)
register.filter("short", short)
