"""Question guides: frequent questions, answered in prose whose facts the engine checks.

A guide is two files of one name: the prose (`<slug>.yaml`), and the questions whose answers the prose states
(`cases/<slug>.yaml`, in the format of `rules/cases`). If the engine answers one of them differently, the
guide is withheld: no reader sees what the rules no longer say.

- A question is asked for the day of reading, whatever day it names: the prose describes the present.
- A question that also names `today` is about a past or future day ("until 26 March 2026", "from 1 January
  2027"). It is asked unchanged.

Prose does not say who has a rule of some kind: `lists` makes such lists from the release.

Called by the views, the manifest and `manage.py guides check`.
"""

from aeo.guides.checking import Checked, check
from aeo.guides.lists import Named, named
from aeo.guides.reading import Guide, GuideError, Passage, load_guides

__all__ = ["Checked", "Guide", "GuideError", "Named", "Passage", "check", "load_guides", "named"]
