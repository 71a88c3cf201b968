"""What each role of the database may do with each table: all that its processes do, and no more.

A deployment has four roles. The owner of the tables migrates; operators' commands and backups run as this
role too. The roles here belong to web processes, to workers, and to the publisher, who alone appends to the
ledger. None is superuser, and none may truncate, alter or own anything. `roles.sql` makes them;
`manage.py migrate` gives them what stands here each time, and nothing where they do not exist: then all
processes are the owner.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper

Role = Literal["web", "worker", "publisher"]
ROLES: tuple[Role, ...] = ("web", "worker", "publisher")

PRIVILEGES = {"r": "SELECT", "a": "INSERT", "c": "UPDATE", "d": "DELETE", "-": ""}
"""Read, add, change and delete."""

EDITED_HISTORY = "ra r r"
"""Triggers write events as the role that makes the change. No role changes or deletes them."""

PUBLISHED = "racd r racd"
"""What editors write and publishing marks; a roll-back restores it."""

PUBLISHED_HISTORY = "ra r ra"

EDITED = "racd r r"
"""What editors write in the admin."""

TABLES: Mapping[str, str] = {
    # Accounts and sessions: for the admin alone. Others read names.
    "auth_group": "racd r r",
    "auth_group_permissions": "racd r r",
    "auth_permission": "r r r",
    "auth_user": "racd r r",
    "auth_user_groups": "racd r r",
    "auth_user_user_permissions": "racd r r",
    # Workers find the names that are locked, and send their owners a link.
    "axes_accessattempt": "racd r -",
    "axes_accessattemptexpiration": "racd - -",
    "axes_accessfailurelog": "racd - -",
    "axes_accesslog": "racd - -",
    "django_admin_log": "rad - -",
    "django_content_type": "r r r",
    "django_migrations": "r r r",
    "django_otp_webauthn_webauthnattestation": "racd - -",
    "django_otp_webauthn_webauthncredential": "racd - -",
    "django_otp_webauthn_webauthnuserhandle": "racd - -",
    "django_session": "racd - -",
    "otp_totp_totpdevice": "racd - -",
    "signin_lockmail": "rd rad -",
    "signin_recoverycode": "racd - -",
    "signin_secondfactor": "racd - -",
    # The catalog, which a roll-back restores.
    "catalog_airline": PUBLISHED,
    "catalog_airlineevent": PUBLISHED_HISTORY,
    "catalog_airlinepolicy": PUBLISHED,
    "catalog_airlinepolicyevent": PUBLISHED_HISTORY,
    "catalog_airlinepolicyevidence": PUBLISHED,
    "catalog_airlinepolicyevidenceevent": PUBLISHED_HISTORY,
    # Facts of airports are in no release.
    "catalog_airportfact": EDITED,
    "catalog_airportfactevent": EDITED_HISTORY,
    "catalog_brand": PUBLISHED,
    "catalog_brandevent": PUBLISHED_HISTORY,
    "catalog_certificate": PUBLISHED,
    "catalog_certificateevent": PUBLISHED_HISTORY,
    "catalog_certification": PUBLISHED,
    "catalog_certificationevent": PUBLISHED_HISTORY,
    "catalog_changeset": EDITED,
    "catalog_country": PUBLISHED,
    "catalog_countryevent": PUBLISHED_HISTORY,
    "catalog_device": PUBLISHED,
    "catalog_deviceevent": PUBLISHED_HISTORY,
    "catalog_deviceevidence": PUBLISHED,
    "catalog_deviceevidenceevent": PUBLISHED_HISTORY,
    "catalog_jurisdiction": PUBLISHED,
    "catalog_jurisdictionevent": PUBLISHED_HISTORY,
    # Workers note what they measured of approved revisions.
    "catalog_measuredrevision": "r racd r",
    "catalog_labelpicture": EDITED,
    "catalog_membership": PUBLISHED,
    "catalog_membershipevent": PUBLISHED_HISTORY,
    "catalog_pendingchange": EDITED,
    "catalog_policychange": PUBLISHED,
    "catalog_policychangeevent": PUBLISHED_HISTORY,
    # Workers record notices of feeds as sources.
    "catalog_savedsearch": "racd - -",
    "catalog_source": "racd ra racd",
    "catalog_sourceevent": "ra ra ra",
    # The audit log, and the context that events point to.
    "catalog_auditentry": "ra ra ra",
    "pghistory_context": "rac rac rac",
    # Revisions. Workers draft recalls from notices of feeds.
    "recalls_recall": "racd rac racd",
    "recalls_recallevent": "ra ra ra",
    "recalls_recallevidence": "racd racd racd",
    "recalls_recallevidenceevent": "ra ra ra",
    "rules_announcedrule": "racd r rd",
    "rules_announcement": "ra r r",
    # Verdict cases are in no release, and a roll-back leaves them as they are.
    "rules_verdictcase": EDITED,
    "rules_verdictcaseevent": EDITED_HISTORY,
    "rules_disagreement": PUBLISHED,
    "rules_disagreementevent": PUBLISHED_HISTORY,
    "rules_disagreementevidence": PUBLISHED,
    "rules_disagreementevidenceevent": PUBLISHED_HISTORY,
    "rules_rule": PUBLISHED,
    "rules_ruleevent": PUBLISHED_HISTORY,
    "rules_ruleevidence": PUBLISHED,
    "rules_ruleevidenceevent": PUBLISHED_HISTORY,
    # Publishing: the desk writes requests, and only the publisher adds releases. It locks the ledger, for
    # which PostgreSQL asks the right to change it; the ledger's own trigger refuses every change.
    "rules_release": "r r rac",
    "rules_releasesignature": "r r ra",
    "rules_acceptedcase": EDITED,
    "rules_acceptedcaseevent": EDITED_HISTORY,
    "rules_acceptedfinding": EDITED,
    "rules_acceptedfindingevent": EDITED_HISTORY,
    "rules_heldback": "rad r rad",
    "rules_heldbackevent": PUBLISHED_HISTORY,
    "rules_publishrequest": "ra r rc",
    "rules_publishrequestevent": PUBLISHED_HISTORY,
    "rules_plannedrelease": "rac r rc",
    "rules_plannedreleaseevent": PUBLISHED_HISTORY,
    "rules_rollbackrequest": "ra r r",
    "rules_rollbackrequestevent": "ra r r",
    "rules_selection": "racd - -",
    "rules_solorelease": "rc r ra",
    "rules_soloreleaseevent": PUBLISHED_HISTORY,
    # What is computed from releases.
    "aeo_askedflights": "r racd r",
    "aeo_curation": "racd r r",
    "aeo_curationevent": EDITED_HISTORY,
    "aeo_datasetchange": "r racd r",
    "aeo_datasetfile": "r racd r",
    "aeo_datasetrelease": "r racd r",
    "aeo_guidetext": EDITED,
    "aeo_guidetextevent": EDITED_HISTORY,
    "aeo_indexedpage": "r racd r",
    "aeo_recomputation": "r racd r",
    "aeo_referencepage": "r racd r",
    "aeo_scorecardrecord": "r racd r",
    "rules_impactmeasurement": "racd racd racd",
    "rules_impactpart": "racd racd racd",
    "rules_policyentry": "r ra r",
    "rules_policyhistory": "r ra r",
    "rules_proofpart": "racd racd racd",
    "rules_provedset": "racd racd racd",
    "rules_releaseproof": "racd racd racd",
    # Jobs, and what they watch.
    "catalog_chunk": "racd racd racd",
    "catalog_chunkedwork": "racd racd racd",
    "catalog_deadletter": "racd racd racd",
    "catalog_run": "racd racd racd",
    "recalls_feednotice": "rac rac r",
    "recalls_feedrecall": "racd racd r",
    "recalls_feedreview": "rac rac r",
    "recalls_feedstate": "rac rac r",
    "recalls_feedversion": "ra ra r",
    "rules_snapshot": "ra racd r",
    "rules_visit": "ra racd r",
    "rules_watchedpage": "rac racd r",
    "rules_watchsignal": "rac racd r",
    # Partners, their callers, and the log of verdicts.
    "compliance_assignment": "racd rd r",
    "compliance_comment": "rac r r",
    "compliance_corpusproposal": "rac r r",
    "compliance_dailyuse": "r racd r",
    # Inviting deletes old invitations. Accepting one deletes it.
    "compliance_invitation": "rad - -",
    "compliance_keptanswer": "racd rd -",
    "compliance_keyusage": "rac racd -",
    "compliance_mostasked": "r racd r",
    # Workers note what each person is told, and when it was mailed.
    "compliance_news": "rd racd -",
    "compliance_newschoice": "racd rac -",
    "compliance_notice": "ra racd -",
    "compliance_partner": "rac r r",
    "compliance_partnerkey": "rac r r",
    # Workers find whose name is locked.
    "compliance_partnerperson": "racd r -",
    "compliance_tripwatch": "racd racd r",
    "compliance_tripwatchstate": "racd racd r",
    "compliance_verdictrecord": "ra rad r",
    "compliance_webhook": "rac rc r",
    "compliance_webhookdelivery": "racd racd r",
}
"""The rights of web processes, of workers, and of the publisher."""

NEVER_SKIPPED = """
CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name NAME) RETURNS BOOLEAN
LANGUAGE sql IMMUTABLE AS $$ SELECT FALSE $$
"""
"""The package of the triggers lets each session set that it skips them. Here no session can."""


OWN = """
SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, relname
FROM pg_class
WHERE relnamespace = 'public'::regnamespace
  AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  AND pg_has_role(relowner, 'USAGE')
ORDER BY relname
"""
"""All tables, views and sequences of the owner. An extension or an operator may have others beside them."""


def may(role: Role, table: str) -> list[str]:
    """Return what a role may do with a table, in words of SQL. Raises `KeyError` if it has no line."""
    letters = TABLES[table].split()[ROLES.index(role)]
    return [PRIVILEGES[letter] for letter in letters if PRIVILEGES[letter]]


def name_of(role: Role) -> str:
    """Return the name of a role in PostgreSQL."""
    return f"compliance_{role}"


def apply(database: BaseDatabaseWrapper) -> None:
    """Give the roles what they may do, and take the rest. For the owner of the tables."""
    with transaction.atomic(using=database.alias), database.cursor() as cursor:
        cursor.execute(NEVER_SKIPPED)
        cursor.execute(OWN)
        own = cursor.fetchall()
        there = set(ROLES) - missing(database)
        if lines := [line for role in ROLES if role in there for line in _lines(role, own)]:
            cursor.execute(";\n".join(lines))


def missing(database: BaseDatabaseWrapper) -> set[Role]:
    """Return the roles that the server does not have."""
    with database.cursor() as cursor:
        cursor.execute("SELECT rolname FROM pg_roles")
        names = {name for (name,) in cursor.fetchall()}
    return {role for role in ROLES if name_of(role) not in names}


def _lines(role: Role, own: Sequence[tuple[str, str]]) -> Iterator[str]:
    name = name_of(role)
    for kind, table in own:
        yield f'REVOKE ALL ON {kind} public."{table}" FROM {name}'
        if kind == "TABLE" and table in TABLES and (rights := may(role, table)):
            yield f'GRANT {", ".join(rights)} ON public."{table}" TO {name}'
