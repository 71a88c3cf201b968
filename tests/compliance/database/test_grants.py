"""With the password of a role in hand: what the database refuses, and what each role may do."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.apps import apps
from psycopg import errors

from compliance.database import grants
from compliance.services import accounts, binaries
from compliance.services import roles as cluster_roles
from compliance.services.embedded import REPOSITORY
from tests.support import roles

NAME = "of_the_roles"
OF_AN_OPERATOR = "of_an_operator"

FILL = """
import django
django.setup()
from django.core.management import call_command
from django.utils import timezone
from rules.publishing.actions.releases import publish_release
from tests.support.factories import a_user
from tests.support.world import build_world
call_command("migrate", verbosity=0)
build_world(by=a_user())
publish_release(by=a_user("publisher"), note="The first.", now=timezone.now(), cases=())
"""
"""Run as the owner of the tables: the owner migrates and publishes without being superuser."""

REFUSED = (errors.InsufficientPrivilege, errors.RestrictViolation)
"""The role may not do it; or a trigger refuses it, whoever asks."""


@dataclass(frozen=True)
class Database:
    """A database with the roles of a deployment, and one published release."""

    def connect(self, role: str) -> "psycopg.Connection[Any]":
        """Connect as a role, with its password."""
        return psycopg.connect(roles.on(NAME, role), autocommit=True)

    def contents(self) -> list[Any]:
        """Return what no attack may change."""
        with psycopg.connect(roles.superuser_on(NAME)) as connection:
            return [
                connection.execute(question).fetchall()
                for question in (
                    "SELECT * FROM rules_release ORDER BY id",
                    "SELECT * FROM rules_releasesignature ORDER BY id",
                    "SELECT * FROM catalog_auditentry ORDER BY id",
                    "SELECT count(*), max(pgh_id) FROM rules_ruleevent",
                    "SELECT rule_id, revision, state FROM rules_rule ORDER BY id",
                    "SELECT rolname, rolsuper, rolcreaterole, rolpassword FROM pg_authid ORDER BY oid",
                    "SELECT roleid, member FROM pg_auth_members ORDER BY 1, 2",
                    "SELECT tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY oid",
                    "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace "
                    "ORDER BY oid",
                )
            ]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with psycopg.connect(roles.superuser_on("postgres"), autocommit=True) as server:
        server.execute(f"CREATE DATABASE {NAME}")
        words = {role: str(urlsplit(url).password) for role, url in roles.URLS.items()}
        programs = binaries.find(accounts.for_cluster(REPOSITORY / ".venv" / "none"))
        cluster_roles.create(programs.folder / "psql", roles.superuser_on(NAME), words)
        with psycopg.connect(roles.superuser_on(NAME), autocommit=True) as operator:
            operator.execute(f"CREATE TABLE {OF_AN_OPERATOR} AS SELECT 1 AS one")
        subprocess.run(
            [sys.executable, "-c", FILL],
            cwd=REPOSITORY,
            env=os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "compliance.settings",
                "DATABASE_URL": roles.on(NAME, "owner"),
                "RELEASE_HEAD_FILE": str(tmp_path_factory.mktemp("ledger") / "head"),
            },
            check=True,
        )
        yield Database()
        server.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


TO_PUBLISH_OR_TO_CHANGE_WHAT_IS = (
    "INSERT INTO rules_release SELECT * FROM rules_release",
    "INSERT INTO rules_release (ruleset_version, sequence, document, sha256, content_sha256, "
    "predecessor_sha256, note, published_at, published_by_id) "
    "SELECT ruleset_version || '.2', 2, document || ' ', "
    "encode(sha256(convert_to(document || ' ', 'UTF8')), 'hex'), content_sha256, sha256, note, now(), "
    "published_by_id FROM rules_release",
    "COPY rules_release FROM STDIN",
    "INSERT INTO rules_releasesignature SELECT * FROM rules_releasesignature",
    "INSERT INTO rules_solorelease SELECT * FROM rules_solorelease",
    "UPDATE rules_publishrequest SET state = 'done'",
    "BEGIN; LOCK TABLE rules_release IN EXCLUSIVE MODE",
    "UPDATE rules_release SET note = 'another'",
    "UPDATE rules_release SET document = replace(document, 'conditional', 'allowed')",
    "UPDATE rules_release SET published_at = now() WHERE sequence = 1",
    "DELETE FROM rules_release",
    "TRUNCATE rules_release",
    "TRUNCATE rules_release CASCADE",
    "UPDATE rules_releasesignature SET kid = 'another'",
    "DELETE FROM rules_releasesignature",
    "SET rules.ledger_may_be_emptied = 'yes'; TRUNCATE rules_release CASCADE",
    "TRUNCATE auth_user CASCADE",
    "DO $$ BEGIN TRUNCATE rules_release CASCADE; END $$",
    "INSERT INTO rules_release SELECT * FROM rules_release ON CONFLICT (id) DO UPDATE SET note = 'another'",
    "WITH gone AS (DELETE FROM rules_release RETURNING *) SELECT count(*) FROM gone",
    "SELECT setval(pg_get_serial_sequence('rules_release', 'id'), 1)",
    "UPDATE rules_rule SET rule_id = rule_id || 'x' WHERE state <> 'draft'",
    "UPDATE rules_rule SET state = 'draft' WHERE state = 'published'",
    "DELETE FROM rules_rule WHERE state <> 'draft'",
    "TRUNCATE rules_rule CASCADE",
    "UPDATE recalls_recall SET state = 'draft' WHERE state = 'published'",
    "INSERT INTO rules_policyhistory SELECT * FROM rules_policyhistory",
    "DELETE FROM rules_policyentry",
    "DROP TABLE rules_release CASCADE",
    "ALTER TABLE rules_release ADD COLUMN another text",
    "ALTER TABLE rules_release RENAME TO rules_former",
    "ALTER TABLE rules_release SET SCHEMA pg_temp",
    "ALTER TABLE rules_release OWNER TO compliance_web",
    "ALTER TABLE rules_release DROP CONSTRAINT release_sha256_is_a_digest",
    "CREATE RULE another AS ON INSERT TO rules_release DO INSTEAD NOTHING",
    "CREATE POLICY another ON rules_release USING (false)",
    "CREATE INDEX ON rules_release (note)",
    "CREATE VIEW public.another AS SELECT * FROM rules_release",
    "CREATE TABLE public.another (id int)",
    "CREATE SCHEMA another",
)

TO_EMPTY_A_LOG = (
    "UPDATE catalog_auditentry SET reason = 'another'",
    "DELETE FROM catalog_auditentry",
    "TRUNCATE catalog_auditentry",
    "SET catalog.audit_log_may_be_emptied = 'yes'; TRUNCATE catalog_auditentry",
    "BEGIN; LOCK TABLE catalog_auditentry IN ACCESS EXCLUSIVE MODE",
    "UPDATE rules_ruleevent SET pgh_label = 'another'",
    "DELETE FROM rules_ruleevent",
    "TRUNCATE rules_ruleevent",
    "DELETE FROM recalls_recallevent",
    "DELETE FROM catalog_deviceevent",
    "UPDATE catalog_sourceevent SET read_on = now()",
    "DELETE FROM pghistory_context",
    "UPDATE compliance_verdictrecord SET verdict = 'allowed'",
    "DELETE FROM compliance_verdictrecord",
    "TRUNCATE compliance_verdictrecord",
    "DELETE FROM recalls_feedversion",
    "DELETE FROM rules_solorelease",
    "UPDATE rules_rollbackrequest SET reason = 'another'",
    "DELETE FROM rules_plannedrelease",
    "UPDATE django_admin_log SET change_message = 'another'",
    "DELETE FROM django_migrations",
)

TO_SKIP_A_TRIGGER = (
    "SET session_replication_role = replica",
    "SELECT set_config('session_replication_role', 'replica', false)",
    "ALTER TABLE rules_release DISABLE TRIGGER ALL",
    "ALTER TABLE rules_release DISABLE TRIGGER rules_release_stays_as_it_is",
    "ALTER TABLE catalog_auditentry DISABLE TRIGGER USER",
    "DROP TRIGGER rules_release_stays_full ON rules_release",
    "CREATE TRIGGER another BEFORE UPDATE ON rules_release FOR EACH ROW "
    "EXECUTE FUNCTION rules_release_is_published()",
    "DROP FUNCTION rules_release_is_published() CASCADE",
    "ALTER FUNCTION rules_release_is_published() RENAME TO another",
    "CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name name) RETURNS boolean "
    "LANGUAGE sql AS 'SELECT true'",
    "CREATE FUNCTION public.another() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE FUNCTION pg_temp.another() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    # Triggers name tables without a schema, and temporary tables are found first.
    "CREATE TEMPORARY TABLE rules_rule AS SELECT * FROM rules_rule",
    "CREATE TEMPORARY TABLE rules_ruleevent (pgh_id int)",
    "CREATE EVENT TRIGGER another ON ddl_command_start EXECUTE FUNCTION rules_release_is_published()",
)

TO_BECOME_ANOTHER = (
    "SET ROLE compliance_owner",
    "SET ROLE compliance_publisher",
    "SET ROLE compliance",
    "SET ROLE pg_read_server_files",
    "SET SESSION AUTHORIZATION compliance_owner",
    "SET SESSION AUTHORIZATION compliance",
    "SELECT set_config('role', 'compliance_owner', false)",
    "ALTER ROLE CURRENT_USER SUPERUSER",
    "ALTER ROLE CURRENT_USER CREATEROLE",
    "ALTER ROLE CURRENT_USER BYPASSRLS",
    "ALTER ROLE compliance_owner PASSWORD 'another'",
    "ALTER ROLE compliance PASSWORD 'another'",
    "CREATE ROLE another SUPERUSER LOGIN",
    "CREATE DATABASE another",
    "GRANT compliance_owner TO CURRENT_USER",
    "GRANT pg_execute_server_program TO CURRENT_USER",
    "GRANT TRUNCATE ON rules_release TO CURRENT_USER; TRUNCATE rules_release CASCADE",
    "ALTER DEFAULT PRIVILEGES FOR ROLE compliance_owner GRANT ALL ON TABLES TO CURRENT_USER",
    "REASSIGN OWNED BY compliance_owner TO CURRENT_USER",
    "DROP OWNED BY compliance_owner CASCADE",
    f"ALTER DATABASE {NAME} OWNER TO CURRENT_USER",
    f"ALTER DATABASE {NAME} SET rules.ledger_may_be_emptied = 'yes'",
    "ALTER SYSTEM SET log_statement = 'all'",
    "SELECT pg_reload_conf()",
    "SELECT rolpassword FROM pg_authid",
    "SELECT passwd FROM pg_shadow",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'compliance'",
)

TO_READ_OR_WRITE_FILES = (
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_read_file('/proc/self/environ')",
    "SELECT pg_read_binary_file('PG_VERSION')",
    "SELECT pg_ls_dir('/')",
    "SELECT pg_stat_file('/etc/passwd')",
    "SELECT pg_ls_logdir()",
    "SELECT pg_hba_file_rules()",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_export(1, '/tmp/another')",
    "COPY django_session FROM '/etc/passwd'",
    "COPY django_session FROM PROGRAM 'id'",
    "COPY rules_release TO '/tmp/another'",
    "COPY (SELECT 1) TO PROGRAM 'cat > /tmp/another'",
    "LOAD 'dblink'",
    "CREATE FOREIGN DATA WRAPPER another",
    "CREATE LANGUAGE another HANDLER plpgsql_call_handler",
    "CREATE FUNCTION public.another() RETURNS int LANGUAGE c AS 'libc.so.6', 'system'",
    "CREATE SUBSCRIPTION another CONNECTION 'host=127.0.0.1' PUBLICATION another WITH (connect = false)",
    "SHOW data_directory",
)

BY_WEB = (
    *TO_PUBLISH_OR_TO_CHANGE_WHAT_IS,
    *TO_EMPTY_A_LOG,
    *TO_SKIP_A_TRIGGER,
    *TO_BECOME_ANOTHER,
    *TO_READ_OR_WRITE_FILES,
)

BY_WORKER = (
    "UPDATE auth_user SET is_superuser = true",
    "UPDATE auth_user SET password = 'another'",
    "INSERT INTO auth_user_groups (user_id, group_id) SELECT u.id, g.id FROM auth_user AS u, auth_group AS g",
    "SELECT * FROM django_session",
    "SELECT * FROM otp_totp_totpdevice",
    "SELECT * FROM signin_recoverycode",
    "DELETE FROM axes_accessattempt",
    "DELETE FROM compliance_partner",
    "INSERT INTO compliance_partnerkey SELECT * FROM compliance_partnerkey",
    "UPDATE catalog_device SET capacity_mah = 1",
    "DELETE FROM catalog_source",
    "UPDATE catalog_changeset SET state = 'approved'",
    "UPDATE rules_release SET note = 'another'",
    "DELETE FROM catalog_auditentry",
    "UPDATE compliance_verdictrecord SET verdict = 'allowed'",
    "TRUNCATE compliance_verdictrecord",
    "SET session_replication_role = replica",
    "SET ROLE compliance_owner",
    "SELECT pg_read_file('/etc/passwd')",
    "CREATE TEMPORARY TABLE rules_rule (id int)",
)


@pytest.mark.parametrize("attempt", BY_WEB)
def test_a_web_process_does_not(database: Database, attempt: str) -> None:
    _is_refused(database, "web", attempt)


@pytest.mark.parametrize("attempt", BY_WORKER)
def test_a_worker_does_not(database: Database, attempt: str) -> None:
    _is_refused(database, "worker", attempt)


def _is_refused(database: Database, role: str, attempt: str) -> None:
    before = database.contents()
    with database.connect(role) as connection, pytest.raises(REFUSED):
        connection.execute(attempt)
    assert database.contents() == before


@pytest.mark.parametrize("role", ["web", "worker", "publisher", "owner"])
def test_no_session_skips_a_trigger_of_the_package(database: Database, role: str) -> None:
    with psycopg.connect(roles.superuser_on(NAME)) as connection:
        named = connection.execute("SELECT array_agg(tgname)::text FROM pg_trigger").fetchone()
    assert named is not None
    with database.connect(role) as connection:
        connection.execute("SELECT set_config('pgtrigger.ignore', %s, false)", named)
        with pytest.raises(REFUSED if role == "worker" else errors.RestrictViolation):
            connection.execute("UPDATE rules_rule SET rule_id = rule_id || 'x' WHERE state <> 'draft'")
        assert connection.execute("SELECT _pgtrigger_should_ignore('any')").fetchone() == (False,)


@pytest.mark.parametrize("role", ["owner", *grants.ROLES])
def test_no_role_is_superuser_or_makes_others(database: Database, role: str) -> None:
    with database.connect(role) as connection:
        found = connection.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles "
            "WHERE rolname = session_user"
        ).fetchone()
        assert found == (False,) * 5
        belongs = connection.execute(
            "SELECT count(*) FROM pg_roles WHERE rolname <> session_user "
            "AND pg_has_role(session_user, oid, 'MEMBER') AND rolname <> 'pg_database_owner'"
        ).fetchone()
        assert belongs == (0,)


@pytest.mark.parametrize("role", grants.ROLES)
def test_a_role_may_do_with_each_table_what_its_line_says(database: Database, role: grants.Role) -> None:
    every = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
    with database.connect(role) as connection:
        rows = connection.execute(
            "SELECT relname, privilege FROM pg_class, unnest(%s::text[]) AS privilege "
            "WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') "
            "AND has_table_privilege(pg_class.oid, privilege)",
            [list(every)],
        ).fetchall()
    found: dict[str, set[str]] = {}
    for table, privilege in rows:
        found.setdefault(table, set()).add(privilege)
    expected = {table: set(grants.may(role, table)) for table in grants.TABLES if grants.may(role, table)}
    assert found == expected


def test_every_table_has_a_line_and_every_line_a_table() -> None:
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    # A view of events that is never made.
    assert set(grants.TABLES) == tables - {"pghistory_events"} | {"django_migrations"}


@pytest.mark.parametrize("role", grants.ROLES)
def test_a_table_of_an_operator_beside_ours_stops_no_migration_and_stays_closed(
    database: Database, role: grants.Role
) -> None:
    with database.connect(role) as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(f"SELECT * FROM {OF_AN_OPERATOR}")


def test_the_owner_has_all_tables_of_the_database(database: Database) -> None:
    with database.connect("owner") as connection:
        others = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace "
            "AND relowner <> 'compliance_owner'::regrole AND relkind IN ('r', 'v', 'S')"
        ).fetchall()
    assert others == [(OF_AN_OPERATOR,)]
