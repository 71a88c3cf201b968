"""The texts of the frame in pages of partners, and of the page that shows how to add it.

Most texts of the frame come from the checker and its answers.
"""

from rules.wording.translating import Text

TEXTS: dict[str, Text] = {
    # Inside the frame
    "embed.trip": "For a journey with a change of planes, check the whole trip.",
    "embed.whole": "See the whole answer",
    "embed.over.title": "This answer is no longer valid",
    "embed.over.text": "Ask again before you fly.",
    "embed.no_origin": "No page may show this check yet, because its key has no agreed web address.",
    "embed.unknown.title": "This check is not available",
    "embed.unknown.text": "The key in the address of this check is not known or no longer valid.",
    "embed.unknown.owner": "If this is your page, read how to put the check on it.",
    # The page that shows how
    "embed.title": "Put the check on your page",
    "embed.description": (
        "Airlines and shops can put the power bank check on their own pages: with one script tag, or as a "
        "frame. In eight languages, without cookies."
    ),
    "embed.lead": (
        "Airlines and shops can show this check on their own pages. It gives the same answers as this site, "
        "with the same sources, and it never counts what is not known as allowed."
    ),
    "embed.try": "Try it",
    "embed.try.lead": "Choose how it looks. The check below is the real one.",
    "embed.try.button": "Show it",
    "embed.field.accent": "Color of the button",
    "embed.field.round": "Round corners, in pixels (0 to %(most)d)",
    "embed.field.scheme": "Light or dark",
    "embed.field.scheme.auto": "As the reader prefers",
    "embed.field.scheme.light": "Light",
    "embed.field.scheme.dark": "Dark",
    "embed.script": "With a script tag",
    "embed.script.lead": (
        "Put this where the check should appear. The script adds a frame and fits its height to its content."
    ),
    "embed.frame": "As a frame only",
    "embed.frame.lead": (
        "If you do not want to run a third-party script, add the frame yourself. It has the height that "
        "you set, and longer content can be scrolled."
    ),
    "embed.key": "Your key",
    "embed.key.lead": (
        "The check names your partner key by its public id: the first part, up to the second underscore. The "
        "rest of the key is a secret, so never put it on a page."
    ),
    "embed.key.get": (
        "The operator of this service gives keys, each for the pages of one site. There is no form for it "
        "here. The key in the code above is an example and shows no check: put yours in its place."
    ),
    "embed.key.origins": (
        "Browsers show the check only on pages of the web addresses (origins) that were agreed for your "
        "partner key. On all other pages they show nothing."
    ),
    "embed.attributes": "What you can choose",
    "embed.attribute": "Attribute",
    "embed.meaning": "What it sets",
    "embed.attribute.key": "The public id of your partner key. Nothing is shown without it.",
    "embed.attribute.lang": (
        "The language of the check. Without it, the check has the language that your page names, or English."
    ),
    "embed.attribute.model": "The power bank that is filled in, by its id in our catalog.",
    "embed.attribute.airline": "The airline that is filled in, by its code of two characters.",
    "embed.attribute.places": "The country of departure or of arrival that is filled in, by its code.",
    "embed.attribute.itinerary": (
        "An itinerary that is answered at once, by the part after the question mark of its address on this "
        "site. The other fields are then not filled in."
    ),
    "embed.attribute.accent": (
        "The color of the button, as six hexadecimal digits. The color of the words on it follows, so that "
        "they can always be read."
    ),
    "embed.attribute.round": "How round the corners are, in pixels: 0 to %(most)d.",
    "embed.attribute.scheme": "Light or dark colors. Without it, the check follows what its reader prefers.",
    "embed.attribute.into": "The id of the element in which the check appears, if not next to the script.",
    "embed.policy": "If your page has a content security policy",
    "embed.policy.lead": "Add our address to these directives. The frame alone needs only the second one.",
    "embed.promises": "What you can rely on",
    "embed.promise.cookies": "No cookies, no storage in the browser, and nothing from third parties.",
    "embed.promise.typed": (
        "What a visitor types is not stored, and we do not learn on which page it was typed."
    ),
    "embed.promise.small": "Everything that it loads is smaller than 25 kilobytes.",
    "embed.promise.inside": (
        "No verdict leaves the frame. Your page does not learn it, so it cannot show one that has expired."
    ),
    "embed.promise.expires": "An answer that has expired says so by itself.",
    "embed.promise.access": (
        "It can be used by keyboard and with screen readers, in light and dark, at any size of text."
    ),
    "embed.promise.height": (
        "Your page and the frame exchange only a height and a title, and each checks who sends them."
    ),
}
