"""Question guides: what people ask, answered in prose whose facts are tied to the engine.

A guide is two files of one name: the prose (`<slug>.yaml`), and the questions whose answers the prose states
(`cases/<slug>.yaml`, spelled like those of `rules/cases`). Where the engine answers one of them differently,
the guide is held back: nobody is told what the rules no longer say.

- A question is asked for the day of reading, whatever day it names: the prose speaks of now.
- One that names `today` as well speaks of a day that was or will be ("until 26 March 2026", "from 1 January
  2027"), and is asked as it stands.

Who has a rule of some kind is no prose: `lists` makes such lists from the release.

Called by the views, the manifest and `manage.py guides check`.
"""

from aeo.guides.checking import Checked, check
from aeo.guides.lists import Named, named
from aeo.guides.reading import Guide, GuideError, Passage, load_guides

__all__ = ["Checked", "Guide", "GuideError", "Named", "Passage", "check", "load_guides", "named"]
