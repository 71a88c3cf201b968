"""The texts about a field that is missing, wrong, or names nothing. Called by `aeo.asking`."""

from rules.wording.translating import Text

TEXTS: dict[str, Text] = {
    "asked.model.missing": "Choose your power bank, or enter the numbers on its label.",
    "asked.model.unknown": (
        "No power bank called “%(typed)s” is on file. Choose one from the list, or enter the numbers on its "
        "label."
    ),
    "asked.model.several": "“%(typed)s” may be one of several power banks. Choose yours.",
    "asked.model.several_one": "“%(typed)s” may be %(meant)s. Choose it if you mean it.",
    "asked.model.named": (
        "Your words name more than one power bank: %(typed)s. Choose one to ask about. Limits count all "
        "of them."
    ),
    "asked.q.unconfirmed": "Check the fields and confirm them.",
    "asked.label.other": (
        "The label does not agree with what is on file for this model. Check the model, or clear the label "
        "fields."
    ),
    "asked.via.missing": "Enter the stop where the flight of this airline starts, or clear the airline.",
    "asked.wh.missing": "Enter the watt-hours.",
    "asked.wh.wrong": "Enter the watt-hours as a number, such as 74 or 99.5.",
    "asked.wh.contradicted": (
        "The watt-hours and the mAh cannot both be right. Read the label again, and enter the voltage of the "
        "cells too if it is there."
    ),
    "asked.mah.wrong": "Enter the capacity in mAh as a whole number, such as 20000.",
    "asked.mah.missing": "Enter the capacity in mAh too.",
    "asked.v.wrong": "Enter the voltage as a number, such as 3.7.",
    "asked.v.missing": (
        "Enter the voltage of the cells too, as on the label. If there is none, choose “My label shows no "
        "voltage”."
    ),
    "asked.airline.missing": "Choose the airline that operates the flight.",
    "asked.airline.near": "No airline called “%(typed)s” is on file. Did you mean one of these?",
    "asked.airline.near_one": "No airline called “%(typed)s” is on file. Did you mean %(meant)s?",
    "asked.airline.flight": (
        "“%(typed)s” is a flight number, and another airline may operate this flight. Choose the airline "
        "that operates it."
    ),
    "asked.airline.unknown": (
        "No airline called “%(typed)s” is on file. Choose one from the list, or enter its code."
    ),
    "asked.airline.several": "“%(typed)s” may be one of several airlines. Choose yours.",
    "asked.airline.several_one": "“%(typed)s” may be %(meant)s. Choose it if you mean it.",
    "asked.airline.named": (
        "Your words name more than one airline: %(typed)s. Choose the one that operates the flight."
    ),
    "asked.from.missing": "Choose where the flight departs.",
    "asked.to.missing": "Choose where the flight arrives.",
    "asked.place.unknown": "No place called “%(typed)s” is known here. Choose a country.",
    "asked.place.near": "No place called “%(typed)s” is known here. Did you mean one of these?",
    "asked.place.near_one": "No place called “%(typed)s” is known here. Did you mean %(meant)s?",
    "asked.place.several": "“%(typed)s” may be in one of several countries. Choose yours.",
    "asked.place.several_one": "“%(typed)s” may be %(meant)s. Choose it if you mean it.",
    "asked.to.same": "A flight does not end where it starts. Choose where it arrives.",
    "asked.via.wrong": "Enter at most %(most)d stops.",
    "asked.date.wrong": "Enter the day of the flight as year, month and day, such as 2026-12-24.",
    "asked.date.past": "This day is over. Enter the day of your flight.",
    "asked.date.far": "This day is too far away. Answers reach one year ahead.",
    "asked.date.missing": "Enter the day of the flight.",
    "asked.count.missing": "Enter how many power banks one person carries in total.",
    "asked.count.wrong": "Enter how many you carry: a number from 1 to %(most)d.",
    "asked.bag.missing": "Choose where you carry it.",
    "asked.mark.missing": "Choose whether it has a CCC (3C) mark.",
    "asked.label.missing": "Choose whether its rating can be read.",
    "asked.condition.missing": "Choose whether it is intact.",
    "asked.bag.wrong": "Choose where you carry it.",
    "asked.mark.wrong": "Choose whether it has a CCC (3C) mark.",
    "asked.label.wrong": "Choose whether its rating can be read.",
    "asked.condition.wrong": "Choose whether it is intact.",
    "asked.recall.missing": "Choose what the maker's recall list says about yours.",
    "asked.recall.wrong": "Choose what the maker's recall list says about yours.",
    # How a name is shown
    "airline.of_flight": "if %(airline)s itself operates %(flight)s",
    "place.in_country": "%(place)s (%(country)s)",
}
