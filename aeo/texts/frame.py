"""The texts around every page: its name, its menus, its boundary, and its errors."""

from rules.wording.translating import Text

TEXTS: dict[str, Text] = {
    "site.name": "Battery travel compliance",
    "frame.skip": "Skip to the content",
    "frame.menu": "Main menu",
    "frame.foot": "More about this service",
    "frame.languages": "Languages",
    # Menus, by path
    "menu./": "Check",
    "menu./trip": "Trip",
    "menu./guides": "Guides",
    "menu./models": "Models",
    "menu./airlines": "Airlines",
    "menu./countries": "Countries",
    "menu./recalls": "Recalls",
    "menu./about": "About",
    "menu./methodology": "Methodology",
    "menu./scorecard": "Scorecard",
    "menu./coverage": "Coverage",
    "menu./rulesets": "Rulesets",
    "menu./status": "Status",
    "menu./data-boundary": "Data boundary",
    "menu./limits-of-this-check": "What this check cannot see",
    "menu./policy-changes": "Policy changes",
    "menu./datasets": "Datasets",
    "menu./developers": "Developers",
    "menu./api/docs/": "API documentation",
    "menu./embed": "Put the check on your page",
    # Errors
    "error.never_allowed": "Do not count this as allowed.",
    "error.400.title": "This request cannot be read",
    "error.400.text": "Something in the address is wrong. Please ask again.",
    "error.404.title": "Page not found",
    "error.404.text": "The address may be mistyped, or the page is no longer published.",
    "error.429.title": "Too many questions at once",
    "error.429.text": (
        "Please wait %(time)s and ask again. The address of this page contains your question."
    ),
    "error.other_site.title": "This was sent from another site",
    "error.other_site.text": "Nothing was changed. Please begin on our own pages.",
    "error.500.title": "Something failed on our side",
    "error.500.text": "Please try again later.",
    "error.503.title": "No answers are available yet",
    "error.503.text": "Please try again in a moment.",
    "error.offline": "There is no connection, so nothing was answered. Try again once you are online.",
    "error.next": "Where to go from here",
    "error.check": "Ask about a power bank and a flight",
    "error.guides": "Read the guides",
    "error.recalls": "See the recalls",
}
