"""The texts of pages about disagreements between sources, around the words of the editors."""

from rules.wording.translating import Plural, Text

TEXTS: dict[str, Text] = {
    "menu./disagreements": "Disagreements",
    "methodology.link.disagreements": "Where sources disagree",
    "disagreements.title": "Where sources disagree",
    "disagreements.lead": Plural(
        "Sources answer %(count)d question about power banks differently. Here you see who says what, which "
        "rule our answers follow, and why.",
        "Sources answer %(count)d questions about power banks differently. Here you see who says what, which "
        "rule our answers follow, and why.",
    ),
    "disagreements.none": "No disagreement between sources is on file.",
    "disagreements.what": "How we deal with it",
    "disagreements.stricter": (
        "Most often the stricter reading counts, but not always. Each entry gives its own reason."
    ),
    "disagreements.explains": "An entry explains an answer. It never changes one: the rule alone decides.",
    "disagreements.english": "Questions, readings and reasons are in the words of our editors, in English.",
    "disagreements.authorities": "Authorities",
    "disagreements.heading": "Where sources disagree",
    "disagreements.here": "Sources disagree on this",
    "disagreements.question": "Question",
    "disagreements.side": "Reading %(number)s",
    "disagreements.unsourced": "no source on file",
    "disagreements.applied": "Rule that counts",
    "disagreements.because": "Reason",
    "disagreements.all": "All disagreements between sources",
    "methodology.disagreements": "Sources that disagree",
    "methodology.disagreements.editor": (
        "Where sources contradict each other, editors decide which rule counts. Most often it is the "
        "stricter one."
    ),
    "methodology.disagreements.shown": (
        "Who says what, and why this rule counts, is shown next to the rule in an answer, on the page of the "
        "airline or country, and in a list."
    ),
    "ruleset.kind.disagreements": "Disagreements",
    "dataset.disagreements.title": "Disagreements between sources on power banks",
    "dataset.disagreements.description": (
        "Questions about power banks that sources answer differently: what each side says with its sources, "
        "the rule that is applied, and the reason."
    ),
}
