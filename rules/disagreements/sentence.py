"""How a disagreement reads: a few English sentences for editors. Pure. Called by the editors' desk."""

from rules.engine.disagreements import Disagreement


def reads_as(one: Disagreement) -> str:
    """Return how a disagreement reads to an editor."""
    sides = "; ".join(
        f"“{side.says}” ({', '.join(side.sources) or 'no source on file'})" for side in one.sides
    )
    whose = one.about.airline or one.about.jurisdiction
    return f"{whose}: {one.question} {sides}. Verdicts follow {one.applied}: {one.because}"
