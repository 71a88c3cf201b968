"""The language of people at the counter: that of the country of departure, else English.

Only languages of this service. Called by `aeo.itineraries.card`.
"""

from collections.abc import Mapping

DEPARTURE_LANGUAGE: Mapping[str, str] = {
    **dict.fromkeys(("CN",), "zh-hans"),
    **dict.fromkeys(("HK", "MO", "TW"), "zh-hant"),
    **dict.fromkeys(("JP",), "ja"),
    **dict.fromkeys(("KR",), "ko"),
    **dict.fromkeys(("AT", "CH", "DE", "LI"), "de"),
    **dict.fromkeys(("BE", "FR", "GF", "GP", "LU", "MC", "MQ", "NC", "PF", "RE", "SN", "CI", "CM"), "fr"),
    **dict.fromkeys(
        ("AR", "BO", "CL", "CO", "CR", "CU", "DO", "EC", "ES", "GQ", "GT", "HN", "MX", "NI", "PA", "PE", "PY",
         "SV", "UY", "VE"),
        "es",
    ),
}  # fmt: skip
"""For a country with several languages, the one that most people at its airports read."""


def departure_language(country: str, languages: Mapping[str, str]) -> str:
    """Return the language of a country's counters; English if `languages` does not contain it."""
    language = DEPARTURE_LANGUAGE.get(country, "en")
    return language if language in languages else "en"
