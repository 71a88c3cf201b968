"""How much evidence an answer lists, as its question asks (`options.citations`)."""

from compliance.api.verdicts.bounds import Citations
from rules.engine.corpus import Citation
from rules.verdicts import Answer, ItineraryAnswer, deciding_citations


def citations_of(answer: Answer | ItineraryAnswer, wanted: Citations) -> tuple[Citation, ...]:
    """Return the citations that an answer lists."""
    if wanted == "none":
        return ()
    return deciding_citations(answer) if wanted == "deciding" else answer.outcome.citations
