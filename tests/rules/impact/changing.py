"""Small generated releases and what could follow them: anything may change."""

import datetime

import msgspec
from hypothesis import strategies as st

from rules.engine.document import Content
from rules.engine.facts import Rule
from tests.rules.engine.worlds import TODAY, WORLDS


@st.composite
def changes(draw: st.DrawFn) -> tuple[Content, Content]:
    """A world, and the same with some of what another one says."""
    before, other = draw(WORLDS), draw(WORLDS)
    kept = [rule for rule in before.rules if draw(st.integers(0, 4)) > 0]
    ids = {rule.rule_id for rule in kept}
    added = [rule for rule in other.rules if rule.rule_id not in ids and draw(st.integers(0, 2)) == 0]
    devices = tuple(
        draw(
            st.sampled_from(
                (row, row, another, msgspec.structs.replace(row, certificates=another.certificates))
            )
        )
        for row, another in zip(before.devices, other.devices, strict=True)
    )
    after = msgspec.structs.replace(
        before,
        countries=draw(st.sampled_from((before.countries, before.countries, before.countries[:-1]))),
        jurisdictions=draw(st.sampled_from((before.jurisdictions, other.jurisdictions))),
        airlines=draw(
            st.sampled_from((before.airlines, before.airlines, other.airlines, before.airlines[:2]))
        ),
        devices=devices,
        rules=tuple(sorted([*kept, *added], key=lambda rule: rule.rule_id)),
        recalls=draw(st.sampled_from((before.recalls, before.recalls, other.recalls, ()))),
    )
    after = without_strangers(after)
    return (before, after) if draw(st.booleans()) else (after, before)


def without_strangers(content: Content) -> Content:
    """Leave out the records that refer to a record which is gone."""
    countries = {row.code for row in content.countries}
    airlines = tuple(row for row in content.airlines if row.country in countries)
    codes = {row.airline for row in airlines}
    return msgspec.structs.replace(
        content,
        airlines=airlines,
        rules=tuple(rule for rule in content.rules if rule.airline is None or rule.airline in codes),
    )


def only(content: Content, model: str, airline: str, *, countries: tuple[str, ...], days: int) -> Content:
    """Return a part of a world that is small enough to ask everything: some models, places and days."""
    last = TODAY + datetime.timedelta(days=days)

    def soon(rule: Rule) -> Rule:
        start, end = rule.effective_from, rule.effective_until
        return msgspec.structs.replace(
            rule,
            effective_from=start and min(start, last),
            effective_until=None if end is None or end > last else end,
        )

    places = {*countries, "RA", "RB", "INTL"}
    homes = [row for row in content.airlines if row.airline == airline]
    devices = [row for row in content.devices if row.model_id == model]
    return msgspec.structs.replace(
        content,
        countries=tuple(row for row in content.countries if row.code in countries),
        jurisdictions=tuple(row for row in content.jurisdictions if row.code in places),
        airlines=tuple(
            row if row.country in countries else msgspec.structs.replace(row, country=countries[0])
            for row in homes
        ),
        devices=tuple(msgspec.structs.replace(row, certificates=row.certificates[:1]) for row in devices),
        rules=tuple(
            soon(rule)
            for rule in content.rules
            if (rule.airline or airline) == airline and rule.jurisdiction in places
            if rule.when.model is None
        ),
        recalls=tuple(row for row in content.recalls if row.model_id == model),
    )
