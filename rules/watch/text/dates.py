"""A day, and a time of day, as pages write them in the languages of sources: patterns over folded text."""

_MONTH = (
    r"(?:jan(?:uary|uar|vier)?|enero|ene|feb(?:ruary|ruar|rero)?|f[ée]vr(?:ier)?|mar(?:ch|s|zo)?|m[äa]rz|mär|apr(?:il)?"
    r"|avr(?:il)?|abr(?:il)?|may|mai|mayo|june?|juni|juin|junio|july?|juli|juil(?:let)?|julio|aug(?:ust)?|ao[ûu]t"
    r"|ago(?:sto)?|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?"
    r"|d[eé][czi][cz]?(?:ember|embre|iembre)?|dic(?:iembre)?)\.?"
)
WEEKDAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
    r"|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|(?:lunes|martes|mi[ée]rcoles|jueves|viernes"
    r"|s[áa]bado|domingo)|(?:mon|tue|wed|thu|fri|sat|sun)|(?:星期|周|週)[一二三四五六日天]|[月火水木金土日]曜日?"
    r"|[월화수목금토일]요일)"
)
"""The name of a day of the week."""

_DAY = (
    r"(?:\d{4}[-/.]\s?\d{1,2}[-/.]\s?\d{1,2}\.?"
    r"|\d{1,2}[-/.]\s?\d{1,2}[-/.]\s?(?:\d{4}|\d{2})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)?[ -](?:de |of )?{_MONTH},?[ -](?:de |del )?\d{{4}}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    r"|\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일])"
)
DATE = rf"(?:(?:\(?{WEEKDAY}\)?,? ?)?{_DAY}(?: ?\(?{WEEKDAY}\)?)?)"
"""A whole date, with or without the day of the week."""

TIME = (
    r"(?:(?:,|t| at| um| à| a las| -)? ?\d{1,2}[:h]\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]\.?m\.?)?(?: uhr)?"
    r"(?: ?(?:z|utc|gmt|cest|cet|bst|e[sd]t|p[sd]t|jst|kst|hkt|sgt)(?![a-z]))?(?: ?[+-]\d{2}:?\d{2})?)"
)
"""A time of day after a date."""
