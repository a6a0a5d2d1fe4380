"""tada in SQL of DuckDB: `from tada_anonymize('visits', {quasi: ['age', 'job'], k: 5})`.

DuckDB lets Python add functions of values only, no tables. So the table is a macro over DuckDB's `query()`: a function makes the release while the query is
bound, writes it to a private Parquet file, and says where it is."""

from __future__ import annotations

import hashlib
import json
import pathlib
import shutil
import tempfile
import weakref
from typing import TYPE_CHECKING, Any

import tada
from tada._errors import UsageError

if TYPE_CHECKING:
    import duckdb


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Adds `tada_anonymize(source, options)`, a table, and `tada_audit(source, options)`, a verdict as JSON, to a connection.

    `source` is the name of a table or view, or a query; `options` is a struct of what the functions of this package take. Both are constants. The source is
    read by a connection of its own, which sees what is committed and no temporary tables. DuckDB binds a query more than once, so a release is made more than
    once, each time the same.

    >>> import duckdb
    >>> with duckdb.connect() as database:
    ...     _ = database.execute("create table visits as select 20 + i % 30 as age, 'job ' || i % 4 as job from range(600) r(i)")
    ...     tada.duckdb.register(database)
    ...     database.sql("select count(*), min(age.lo) from tada_anonymize('visits', {quasi: ['age', 'job'], k: 5})").fetchall()
    [(600, 20)]
    """
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tada-duckdb-"))
    weakref.finalize(connection, shutil.rmtree, folder, ignore_errors=True)
    database = weakref.ref(connection)  # which holds the functions

    def release(source: str, options: str) -> str:
        made = tada.anonymize(_rows(database(), source), **_options(options))
        path = folder / (hashlib.sha256(json.dumps([source, options]).encode()).hexdigest() + ".parquet")
        made.write(path, force=True)
        return f"from read_parquet('{path}')"

    def verdict(source: str, options: str) -> str:
        return json.dumps(tada.audit(_rows(database(), source), **_options(options)).details)

    for name, function in (("tada_release", release), ("tada_verdict", verdict)):
        connection.create_function(name, function, ["VARCHAR", "VARCHAR"], "VARCHAR")
    connection.execute("create or replace temp macro tada_anonymize(source, options) as table from query(tada_release(source, to_json(options)))")
    connection.execute("create or replace temp macro tada_audit(source, options) as tada_verdict(source, to_json(options))::json")


def _rows(connection: Any, source: str) -> Any:
    """The rows of a table by its name, or of a query."""
    with connection.cursor() as reader:
        relation = reader.sql(source) if any(letter.isspace() for letter in source) else reader.table(source)
        return relation.to_arrow_table()


def _options(text: str) -> dict[str, Any]:
    options = json.loads(text)
    if not isinstance(options, dict):
        raise UsageError("The options are no struct", "Give {quasi: ['age', 'job'], k: 5}")
    return options

