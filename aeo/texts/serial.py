"""The texts of the serial check of a page. The browser fills nothing in: each sentence is complete.

Called by `aeo.pages.serial_check`.
"""

from rules.wording.translating import Text

TEXTS: dict[str, Text] = {
    "serial.by_hand": (
        "The check of your unit runs in your browser and needs JavaScript. Without it, compare your unit "
        "with the numbers on the page of the recall, or send the question to the API."
    ),
    "serial.by_hand.api": ("How to ask the API"),
    "serial.button": ("Check my unit"),
    "serial.privacy": (
        "Your browser makes this comparison. What you type is not sent anywhere and not stored."
    ),
    "serial.empty": ("Type what is printed on your unit, with at most 64 characters."),
    # The name of a recall if a model has several
    "serial.recall": ("%(authority)s, %(date)s"),
    # What to type
    "serial.label.serial": ("Serial number on your unit"),
    "serial.label.production_batch": ("Production batch on your unit"),
    "serial.label.date_code": ("Date code on your unit"),
    "serial.label.date_stamp": ("Date stamp on your unit"),
    "serial.label.po_number": ("PO number on your unit"),
    "serial.label.other": ("The identifier that the recall names, as printed on your unit"),
    # The results
    "serial.affected": ("Affected"),
    "serial.affected.sentence": (
        "This unit is recalled. It is banned from every flight. Do not use it, and follow the recall notice."
    ),
    "serial.list": ("Unknown"),
    "serial.list.sentence": (
        "The pattern does not cover this unit, and only the maker's list shows whether it is recalled. "
        "Check your unit there. Until then it is not cleared for any flight."
    ),
    "serial.unknown": ("Unknown"),
    "serial.unknown.sentence": (
        "The published information does not say whether this unit is recalled. Compare what you typed "
        "with the unit, then ask the maker. Until then it is not cleared for any flight."
    ),
    "serial.not_affected": ("Not affected"),
    "serial.not_affected.sentence": (
        "This unit is not affected by any recall that was checked here. That is not a permission: the "
        "airline and the countries of your flight still decide."
    ),
    "serial.not_affected.others": (
        "This unit is not affected by this recall. The model has other recalls: check your unit against "
        "them too. None of this is a permission: the airline and the countries of your flight still "
        "decide."
    ),
}
