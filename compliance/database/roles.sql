-- Makes the roles of the service in the database that psql is connected to, and lets nobody else in. For a superuser;
-- running it again changes passwords. They come from the environment, where no other account reads them:
--
--     COMPLIANCE_OWNER_PASSWORD=... COMPLIANCE_WEB_PASSWORD=... COMPLIANCE_WORKER_PASSWORD=... \
--     COMPLIANCE_PUBLISHER_PASSWORD=... psql --dbname=compliance --file=roles.sql
--
-- What the roles may do with each table is in grants.py; `manage.py migrate`, run as the owner, gives it to them.
\set ON_ERROR_STOP on
\set owner_password `printf %s "$COMPLIANCE_OWNER_PASSWORD"`
\set web_password `printf %s "$COMPLIANCE_WEB_PASSWORD"`
\set worker_password `printf %s "$COMPLIANCE_WORKER_PASSWORD"`
\set publisher_password `printf %s "$COMPLIANCE_PUBLISHER_PASSWORD"`

BEGIN;
SELECT format('CREATE ROLE %I', name)
FROM unnest(ARRAY['compliance_owner', 'compliance_web', 'compliance_worker', 'compliance_publisher']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE compliance_owner LOGIN NOCREATEDB NOCREATEROLE PASSWORD :'owner_password';
ALTER ROLE compliance_web LOGIN NOCREATEDB NOCREATEROLE PASSWORD :'web_password';
ALTER ROLE compliance_worker LOGIN NOCREATEDB NOCREATEROLE PASSWORD :'worker_password';
ALTER ROLE compliance_publisher LOGIN NOCREATEDB NOCREATEROLE PASSWORD :'publisher_password';

-- Temporary tables too are for the owner alone: one named like a real table would be found before it, by triggers too.
SELECT format('ALTER DATABASE %I OWNER TO compliance_owner', current_database()) \gexec
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO compliance_web, compliance_worker, compliance_publisher', current_database()) \gexec
ALTER SCHEMA public OWNER TO compliance_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO compliance_web, compliance_worker, compliance_publisher;

-- What an earlier version made as another role goes to the owner.
DO $$
DECLARE
    statement text;
BEGIN
    FOR statement IN
        SELECT format('ALTER TABLE %s OWNER TO compliance_owner', oid::regclass)
        FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
        AND relowner <> 'compliance_owner'::regrole
        UNION ALL
        SELECT format('ALTER ROUTINE %s OWNER TO compliance_owner', oid::regprocedure)
        FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND proowner <> 'compliance_owner'::regrole
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    LOOP
        EXECUTE statement;
    END LOOP;
END
$$;
COMMIT;
