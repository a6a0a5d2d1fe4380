"""PostgreSQL in and out, against a server of our own: types, one snapshot, one transaction, grants, kills, passwords."""

import json
import os
import pathlib
import signal
import subprocess
import urllib.parse

import pytest

from conftest import BINARY, ROLES, write_csv

ASKED = [*ROLES, "-k", "4", "-l", "2"]


@pytest.fixture
def visits(postgres, tada, people):
    """The table visits, of people.csv, with types; dropped with its releases afterwards."""
    postgres.run(
        "create type seen as enum ('flu', 'asthma', 'diabetes', 'cancer');\n"
        "create table visits (name text, age int, zip text, job text, income numeric(10,2), disease seen, note text, born date default '1950-02-03', "
        "at timestamptz default '2024-01-01 10:00:00+02', ok boolean default true, id uuid default gen_random_uuid(), tags int[] default '{1,2}');\n"
        "\\copy visits (name, age, zip, job, income, disease, note) from 'people.csv' csv header\n"
        "update visits set born = date '1940-01-01' + (income * 10)::int, at = at + income * interval '1 hour', ok = age > 40;\n",
        tada.folder,
    )
    yield postgres.uri("table=visits")
    postgres.run("drop table if exists visits, visits_anon cascade; drop type if exists seen cascade; drop role if exists reader;")


def columns(postgres, table: str) -> dict[str, str]:
    where = f"attrelid = '{table}'::regclass and attnum > 0 and not attisdropped"
    return dict(postgres.run(f"select attname, format_type(atttypid, atttypmod) from pg_attribute where {where}"))


def exists(postgres, table: str) -> bool:
    return postgres.run(f"select to_regclass('{table}') is not null") == [["t"]]


def test_a_table_gives_what_its_csv_gives(tada, people, visits):
    tada("anonymize", people, *ASKED, "--keep", "income", "--allow", "income", "-o", "csv.csv")
    tada("anonymize", visits, *ASKED, "--keep", "income", "--allow", "income", "-o", "pg.csv")
    assert (tada.folder / "pg.csv").read_bytes() == (tada.folder / "csv.csv").read_bytes()
    tada("audit", "pg.csv", *ASKED, "--original", visits)


def test_types_are_kept(tada, visits, postgres):
    out = postgres.uri("table=visits_anon")
    asked = ["--quasi", "age,job,born,income", "--sensitive", "disease", "--keep", "at,ok", "--allow", "at", "-k", "4", "-l", "2"]
    said = tada("anonymize", visits, *asked, "-o", out).stdout
    assert "table=visits_anon: 400 rows" in said
    assert columns(postgres, "visits_anon") == {
        "age": "int4range",
        "job": "text[]",
        "income": "numrange",
        "disease": "seen",
        "born": "daterange",
        "at": "timestamp with time zone",
        "ok": "boolean",
    }
    for figure in ("count(*)", "sum(extract(epoch from at))", "count(*) filter (where ok)"):
        assert postgres.run(f"select (select {figure} from visits) = (select {figure} from visits_anon)") == [["t"]]
    # Ranges of integers and days come back with an open end, and the audit reads them.
    assert postgres.run("select count(*) from visits_anon where upper_inc(age)") == [["0"]]
    tada("audit", out, *asked, "--original", visits)
    tada("attack", out, "--quasi", "age,job", "--sensitive", "disease", "--original", visits)
    tada("decode", out, "--quasi", "age,job", "-o", "plain.csv")
    tada("compose", out, out, "--quasi", "age,job", "--sensitive", "disease", "-k", "1", "-l", "1")
    assert json.loads(tada("inspect", out, "--json", code=0).stdout)["rows"] == 400


def test_ranges_cost_what_their_bounds_say(tada, visits, postgres):
    """The server's `[20,31)` of `[20,30]` leaves no more open, and its `[20,21)` is one value."""
    asked = ["--quasi", "age,born", "--sensitive", "disease", "-k", "2", "-l", "1"]
    out = postgres.uri("table=visits_anon")
    tada("anonymize", visits, *asked, "-o", "plain.csv")
    tada("anonymize", visits, *asked, "-o", out)
    assert columns(postgres, "visits_anon") == {"age": "int4range", "born": "daterange", "disease": "seen"}
    lost = [json.loads(tada("audit", name, *asked, "--original", visits, "--json").stdout)["loss"] for name in (out, "plain.csv")]
    assert lost[0] == lost[1]
    # What no release of ours has, and others' may: ends that are open, nothing at all, null.
    odd = "select * from (values ('[20,30]'::int4range), ('[40,)'), ('(,)'), ('empty'), (null), ('[7,7]')) r(age)"
    tada("decode", f"{postgres.uri()}&query={urllib.parse.quote(odd)}", "--quasi", "age", "--copies", "1", "-o", "odd.csv")


def test_the_query_reads_the_table_where_it_is(tada, visits, postgres):
    """`--sql` of an address names its table, so the query runs as it is printed; also one of a schema."""
    postgres.run("create schema research")
    try:
        for table in ("visits_anon", "research.visits_anon"):
            out = postgres.uri(f"table={table}")
            tada("anonymize", visits, *ASKED, "-o", out)
            query = tada("audit", out, *ASKED, "--sql").stdout
            assert [row[1] for row in postgres.run(query)] == ["t", "t"]
            postgres.run(f"delete from {table} where ctid <> (select min(ctid) from {table})")
            assert [row[1] for row in postgres.run(query)] == ["f", "f"]
    finally:
        postgres.run("drop schema research cascade")


def test_cells_as_text(tada, visits, postgres):
    out = postgres.uri("table=visits_anon")
    tada("anonymize", visits, *ASKED, "--cells", "text", "-o", out)
    assert columns(postgres, "visits_anon") == {"age": "text", "zip": "text", "job": "text", "disease": "seen"}
    tada("audit", out, *ASKED, "--original", visits)


def test_a_csv_goes_to_a_table(tada, people, postgres):
    out = postgres.uri("table=visits_anon")
    tada("anonymize", people, *ASKED, "--keep", "income,note", "--allow", "income", "-o", out)
    assert columns(postgres, "visits_anon") == {
        "age": "numrange", "zip": "text[]", "job": "text[]", "income": "numeric", "disease": "text", "note": "text",
    }
    tada("audit", out, *ASKED, "--keep", "income,note", "--allow", "income", "--original", people)
    postgres.run("drop table visits_anon")


def test_a_query(tada, visits, postgres):
    base = postgres.uri()
    asked = ["--quasi", "age,job", "-k", "2", "-o", "out.csv"]
    tada("anonymize", base, "--query", "select age, job from visits where age > 60;", *asked)
    assert len(tada.read("out.csv")) == int(postgres.run("select count(*) from visits where age > 60")[0][0])
    assert json.loads(tada("inspect", base, "--query", "select age, age + 1 as next from visits", "--json").stdout)["rows"] == 400
    assert "--query is for databases" in tada("anonymize", "in.csv", "--query", "select 1", *asked, "--force", code=2).stderr
    assert "No table is named" in tada("anonymize", base, *asked, "--force", code=2).stderr
    assert "SQLSTATE 42P01" in tada("anonymize", base, "--query", "select * from nowhere", *asked, "--force", code=3).stderr


def test_an_evaluation_is_resumed_for_its_own_query_alone(tada, visits, postgres):
    """The name of a run holds the query, not its text: two queries of one database are two inputs."""
    base = postgres.uri()
    grid = ["--quasi", "age,zip:categorical", "--label", "disease", "--methods", "mondrian", "-k", "4", "--learners", "tree", "--seeds", "2"]
    out = ["-o", "results.csv", "--resume", "--quiet"]

    def runs(where: str) -> list[str]:
        tada("evaluate", base, "--query", f"select age, zip, disease from visits where age > {where}", *grid, *out)
        return [line.split(",")[0] for line in (tada.folder / "results.csv").read_text().splitlines()[1:]]

    first = runs("20")
    written = (tada.folder / "results.csv").read_text()
    assert len(first) == 2 and len(set(first)) == 1
    assert runs("20") == first and (tada.folder / "results.csv").read_text() == written  # times and all: nothing was run again
    both = runs("30")
    assert len(both) == 4 and len(set(both)) == 2
    assert "select" not in (tada.folder / "results.csv").read_text()


def test_every_command_reads_a_query(tada, visits, postgres):
    """By --query where there is one table, in the address where there are several."""
    out, base = postgres.uri("table=visits_anon"), postgres.uri()
    original = postgres.uri("query=" + urllib.parse.quote("select age, job, disease from visits"))
    roles = ["--quasi", "age,job", "--sensitive", "disease"]
    tada("anonymize", base, "--query", "select age, job, disease from visits", *roles, "-k", "4", "-l", "2", "-o", out)
    everything = ["--query", "select * from visits_anon"]
    release = postgres.uri("query=" + urllib.parse.quote("select * from visits_anon"))
    tada("audit", base, *everything, *roles, "-k", "4", "-l", "2", "--original", original)
    assert json.loads(tada("inspect", base, *everything, "--json").stdout)["rows"] == 400
    assert json.loads(tada("attack", base, *everything, *roles, "--original", original, "--json").stdout)["released_rows"] == 400
    assert "released_rows" in json.loads(tada("attack", release, *roles, "--original", visits, "--json").stdout)
    tada("compose", release, out, *roles, "-k", "1", "-l", "1")
    tada("compare", release, "--original", original, *roles)
    tada("decode", base, *everything, "--quasi", "age,job", "-o", "plain.csv")
    asked = ["--quasi", "age,job", "--label", "disease", "--methods", "mondrian", "-k", "5", "--seeds", "1", "--learners", "tree", "-o", "grid.csv"]
    tada("evaluate", base, "--query", "select age, job, disease from visits", *asked)
    assert len(tada.read("grid.csv")) > 0
    for command, *more in (["inspect"], ["attack", *roles, "--original", visits], ["decode", "--quasi", "age,job", "-o", "x.csv"]):
        assert "42P01" in tada(command, base, "--query", "select * from nowhere", *more, code=3).stderr


def test_each_type_in_each_role(tada, visits, postgres):
    """uuid, enum, timestamptz, boolean and numeric are read as they are; a time stamp has its zone, whatever the session's is."""
    query = "select age, job, disease, at, id, ok, income from visits"
    asked = ["--quasi", "age,at,ok:categorical", "--sensitive", "disease", "--keep", "id", "--allow", "id,at", "-k", "4", "-l", "2"]
    out = postgres.uri("table=visits_anon")
    tada("anonymize", postgres.uri(), "--query", query, *asked, "-o", out)
    found = columns(postgres, "visits_anon")
    assert found == {"age": "int4range", "disease": "seen", "at": "tstzrange", "id": "uuid", "ok": "text[]"}
    assert postgres.run("select count(*) from visits v join visits_anon a using (id) where a.at @> v.at and v.disease = a.disease") == [["400"]]
    tada("audit", out, *asked, "--original", visits)
    tada("anonymize", postgres.uri(), "--query", query, *asked, "-o", "out.csv")
    assert len({row["id"] for row in tada.read("out.csv")}) == 400


@pytest.mark.parametrize("kind", ["int[]", "text[]", "json", "jsonb", "xml", "point", "bytea", "int4range", "tsvector"])
def test_what_has_no_order_is_refused_by_its_name(tada, postgres, kind):
    postgres.run(f"create table odd (age int, thing {kind}); insert into odd select 20 + i from generate_series(1, 20) i")
    try:
        stderr = tada("anonymize", postgres.uri("table=odd"), "--quasi", "age,thing", "-k", "2", "-o", "o.csv", code=3).stderr
        assert "'thing'" in stderr
        tada("anonymize", postgres.uri("table=odd"), "--quasi", "age", "-k", "2", "-o", "o.csv")
    finally:
        postgres.run("drop table odd")


def test_what_is_no_column_of_people_is_refused_by_name(tada, visits, postgres):
    stderr = tada("anonymize", visits, "--quasi", "age,tags", "-k", "2", "-o", "out.csv", code=3).stderr
    assert "'tags'" in stderr and "integer[]" in stderr
    query = "select age, array[job] as jobs from visits"
    stderr = tada("anonymize", postgres.uri(), "--query", query, "--quasi", "age,jobs", "-k", "2", "-o", "o.csv", code=3).stderr
    assert "'jobs'" in stderr and "arrays" in stderr


def test_messages(tada, people, visits, postgres):
    assert "Cannot connect" in tada("inspect", "postgresql:///x?host=/nowhere&table=t", code=3).stderr
    assert "Cannot connect" in tada("anonymize", people, *ASKED, "-o", "postgresql:///x?host=/nowhere&table=t", code=5).stderr
    assert "42P01" in tada("inspect", postgres.uri("table=nowhere"), code=3).stderr
    assert "42P01" in tada("inspect", postgres.uri("table=no.where"), code=3).stderr
    assert "exists" in tada("anonymize", people, *ASKED, "-o", visits, code=5).stderr
    assert "row" in tada("anonymize", people, *ASKED, "-o", postgres.uri("table=x"), "--rows-per-file", "5", code=2).stderr
    assert "Unknown kind of address" in tada("inspect", "ftp://host/file.csv", code=2).stderr


def test_no_cell_is_in_a_message(tada, visits, postgres):
    query = "select (job || 'secret')::int as age from visits"
    stderr = tada("anonymize", postgres.uri(), "--query", query, "--quasi", "age", "-k", "2", "-o", "o.csv", code=3).stderr
    assert "22P02" in stderr and "secret" not in stderr


def test_grants_are_kept_by_force(tada, visits, postgres):
    out = postgres.uri("table=visits_anon")
    postgres.run(
        "create role reader; create table visits_anon (age text, secret text);\n"
        "grant select on visits_anon to reader; grant update (age) on visits_anon to reader;\n"
        "comment on table visits_anon is 'for research'; alter default privileges grant select on tables to public;"
    )
    try:
        tada("anonymize", visits, *ASKED, "-o", out, code=5)
        tada("anonymize", visits, *ASKED, "-o", out, "--force")
    finally:
        postgres.run("alter default privileges revoke select on tables from public")
    others = "table_name = 'visits_anon' and grantee <> 'postgres'"
    assert postgres.run(f"select grantee, privilege_type from information_schema.role_table_grants where {others}") == [["reader", "SELECT"]]
    updates = f"select grantee, column_name from information_schema.column_privileges where {others} and privilege_type = 'UPDATE'"
    assert postgres.run(updates) == [["reader", "age"]]
    assert postgres.run("select obj_description('visits_anon'::regclass), count(*) from visits_anon") == [["for research", "400"]]
    postgres.run("drop table visits_anon")


def test_rules_on_rows_are_not_lost(tada, visits, postgres):
    postgres.run("create table visits_anon (age text); alter table visits_anon enable row level security;")
    assert "row level security" in tada("anonymize", visits, *ASKED, "-o", postgres.uri("table=visits_anon"), "--force", code=5).stderr
    postgres.run("create table base (age text); create view seen_by as select * from base")
    assert "2BP01" in tada("anonymize", visits, *ASKED, "-o", postgres.uri("table=base"), "--force", code=5).stderr
    assert columns(postgres, "base") == {"age": "text"}
    postgres.run("drop view seen_by; drop table base")


@pytest.mark.parametrize("stage", ["write", "audit"])
def test_killed_there_is_no_table(tada, visits, postgres, stage):
    postgres.run("create table visits_anon (age text); insert into visits_anon values ('old')")
    command = [BINARY, "anonymize", visits, *ASKED, "-o", postgres.uri("table=visits_anon"), "--force", "--quiet", "--progress", "json"]
    run = subprocess.Popen(command, cwd=tada.folder, stderr=subprocess.PIPE, text=True)
    for line in run.stderr:
        if f'"{stage}"' in line:
            break
    run.send_signal(signal.SIGKILL)
    run.communicate()
    if run.returncode == -signal.SIGKILL:
        held = postgres.run("select * from visits_anon")
        assert held == [["old"]] or len(held) == 400  # committed before the signal came
    assert postgres.run("select count(*) from pg_class where relname like 'tada_pending%'") == [["0"]]


def test_the_audit_reads_what_the_server_has_and_commits_only_that(tada, visits, postgres):
    """Something in the database changes rows on their way in: the audit finds it, and there is no table."""
    postgres.run(
        "create function spoil() returns trigger language plpgsql as $$ begin new.job = '{nobody}'; return new; end $$;\n"
        "create function watch() returns event_trigger language plpgsql as $$ declare made record; begin\n"
        "  for made in select object_identity from pg_event_trigger_ddl_commands() where object_identity like '%tada_pending%' loop\n"
        "    execute format('create trigger spoil before insert on %s for each row execute function spoil()', made.object_identity);\n"
        "  end loop; end $$;\n"
        "create event trigger watch on ddl_command_end when tag in ('CREATE TABLE') execute function watch();"
    )
    try:
        stderr = tada("anonymize", visits, *ASKED, "-o", postgres.uri("table=visits_anon"), code=1).stderr
    finally:
        postgres.run("drop event trigger watch; drop function watch(); drop function spoil() cascade")
    assert "audit" in stderr and not exists(postgres, "visits_anon")


def test_nothing_is_there_when_the_requirement_cannot_be_met(tada, visits, postgres):
    tada("anonymize", visits, *ROLES, "-k", "500", "-o", postgres.uri("table=visits_anon"), code=4)
    assert not exists(postgres, "visits_anon")


def test_passwords_are_nowhere(tada, visits, postgres):
    """In the address, as people do; libpq's own ways are PGPASSFILE and services."""
    address = postgres.uri("table=visits").replace("postgres@", "postgres:hunter2@")
    run = tada("anonymize", address, *ASKED, "-o", "out.csv", "--report", "r.json", "--log", "json", "--report-raw")
    written = run.stdout + run.stderr + (tada.folder / "r.json").read_text()
    assert "hunter2" not in written and "postgres:***@" in written
    failed = tada("inspect", address.replace("table=visits", "table=nowhere&password=hunter3"), "--json", code=3)
    assert "hunter" not in failed.stdout + failed.stderr
    process = subprocess.Popen([BINARY, "anonymize", address, *ASKED, "-o", "-"], cwd=tada.folder, stdout=subprocess.PIPE)
    process.stdout.read(1)  # it has begun, and still has to write
    title = pathlib.Path(f"/proc/{process.pid}/cmdline").read_bytes() if process.poll() is None else b""
    process.communicate()
    assert b"hunter2" not in title


def test_python_reads_a_table(tada, people, visits, monkeypatch):
    package = pytest.importorskip("tada")
    release = package.anonymize(visits, quasi=["age", "zip:categorical", "job"], sensitive="disease", k=4, l=2)
    assert release.table.num_rows == 400
    with pytest.raises(package.UsageError, match="query"):
        package.anonymize(visits, quasi="age", query="select 1")


def test_libpq_is_needed_for_databases_alone():
    """The program starts where there is no libpq."""
    needed = subprocess.run(["ldd", BINARY], capture_output=True, text=True).stdout
    assert "libpq" not in needed


@pytest.mark.parametrize("more", ["", ", cost numeric(8,2) default 1.50"])
def test_cells_arrive_as_they_are_in_either_format_of_copy(tada, postgres, more):
    """The binary format is taken where all types have one that we write, the text format with a column of numeric: what the server holds
    is what it reads from a released CSV."""
    names = ["a b", "a,b", 'a"b', "a\\b", "NULL", "null", "{a}", "tab\there", "line\nend", "é", " ", "", None]
    quoted = ", ".join("null" if name is None else "E'" + name.replace("\\", "\\\\") + "'" for name in names)
    postgres.run(
        f"create table odd (n int, big bigint, day date, word text, note varchar(20), at date, i bigint{more});\n"
        f"insert into odd select i % 9 - 4, 4294967296 * (i % 7 - 3), date '1999-12-25' + i % 11, (array[{quoted}])[i % 13 + 1], "
        f"(array[{quoted}])[i % 13 + 1], date '2000-02-28' + i % 3, i from generate_series(1, 900) i;\n"
        "update odd set n = null, day = null where i <= 40;"
    )
    asked = ["--quasi", "n,big,day,word", "--keep", "note,at,i" + (",cost" if more else ""), "--allow", "i,at", "-k", "5", "--rows-are-people"]
    try:
        tada("anonymize", postgres.uri("table=odd"), *asked, "-o", postgres.uri("table=many"))
        tada("anonymize", postgres.uri("table=odd"), *asked, "-o", "many.csv", "--cells", "postgres")
        found = columns(postgres, "many")
        assert (found["n"], found["big"], found["day"], found["word"]) == ("int4range", "int8range", "daterange", "text[]")
        postgres.run("create table loaded (like many);\n\\copy loaded from 'many.csv' csv header", tada.folder)
        others = "table many except all table loaded union all (table loaded except all table many)"
        assert postgres.run(f"select (select count(*) from many), (select count(*) from ({others}) o)") == [["900", "0"]]
        tada("audit", postgres.uri("table=many"), *asked, "--original", postgres.uri("table=odd"))
    finally:
        postgres.run("drop table if exists odd, many, loaded")


def test_a_million_rows_are_not_needed_to_see_the_order(tada, postgres):
    """Rows stand in the order of the release, which the audit reads back."""
    tada.write("in.csv", write_csv([{"age": str(20 + i % 50), "s": str(i % 7)} for i in range(30000)]))
    tada("anonymize", "in.csv", "--quasi", "age", "--sensitive", "s", "-k", "5", "-l", "2", "-o", postgres.uri("table=many"), "--rows-are-people")
    tada("anonymize", "in.csv", "--quasi", "age", "--sensitive", "s", "-k", "5", "-l", "2", "-o", "many.csv", "--rows-are-people", "--cells", "postgres")
    (tada.folder / "back.csv").touch()
    os.chmod(tada.folder / "back.csv", 0o666)
    postgres.run("\\copy many to 'back.csv' csv header\ndrop table many;", tada.folder)
    assert (tada.folder / "back.csv").read_bytes() == (tada.folder / "many.csv").read_bytes()
