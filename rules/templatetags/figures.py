"""Counts of answers, as people read them."""

from django import template

from rules.impact.figures import answers, rounded

register = template.Library()

register.filter("answers", answers)
register.filter("rounded", rounded)
