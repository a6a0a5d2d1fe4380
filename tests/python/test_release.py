"""tada.anonymize, audit and inspect: what goes in, what comes out, and that it is what the command line gives."""

import json
import threading

import pytest

from conftest import make_people, write_csv
from frames import LARGE_ROLES, PEOPLE, ROLES, large, people, roles  # noqa: F401 - fixtures

tada_package = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
anonymize = tada_package.anonymize


def rows(table):
    return sorted(map(repr, table.to_pylist()))


def test_releases_the_example_of_the_documentation(people, roles):
    release = anonymize(people, **roles)
    assert release.table.column_names == ["age", "state", "income", "job"]
    assert release.table.num_rows == 10
    assert release.report["reached"]["k"] >= 2 and release.report["reached"]["l"] >= 2
    assert tada_package.audit(release.table, quasi=["age", "state"], sensitive="income", k=2, l=2).passed


def test_cells_are_typed_or_text(people, roles):
    typed = anonymize(people, **roles).table
    assert pa.types.is_struct(typed["age"].type) and typed["age"].type.field("lo").type == pa.int64()
    assert pa.types.is_list(typed["state"].type)
    text = anonymize(people, **roles, cells="text").table
    assert text["age"].type == pa.string() and any(cell.startswith("[") for cell in text["age"].to_pylist())


def test_every_original_value_is_covered(large):
    release = anonymize(large, **LARGE_ROLES, keep_order=True)
    for name in ["age", "weight", "born", "paid"]:
        for cell, value in zip(release.table[name].to_pylist(), large[name].to_pylist(), strict=True):
            assert cell is None or (cell["lo"] is None and value is None) or cell["lo"] <= value <= cell["hi"], name
    for name in ["smokes", "state"]:
        for cell, value in zip(release.table[name].to_pylist(), large[name].to_pylist(), strict=True):
            text = "" if value is None else str(value).lower() if isinstance(value, bool) else value
            assert cell is None or text in cell, name
    assert release.table["seen"].to_pylist() == large["seen"].to_pylist()
    assert release.table["disease"].to_pylist() == large["disease"].to_pylist()
    for name in ["seen", "disease"]:
        assert release.table.schema.field(name).type == large.schema.field(name).type


def test_types_of_bounds_are_those_of_the_column(large):
    table = anonymize(large, **LARGE_ROLES).table
    for name in ["age", "weight", "born", "paid"]:
        assert table.schema.field(name).type.field("lo").type == large.schema.field(name).type


def strings_as(kind):
    def cast(table):
        columns = zip(table.column_names, table.columns, strict=True)
        return pa.table({name: column.cast(kind) if column.type == pa.string() else column for name, column in columns})

    return cast


def sliced(table):
    return pa.concat_tables([table.slice(0, 3), table, table.slice(0, 2)]).slice(3, table.num_rows)


def chunked(table):
    return pa.concat_tables([table.slice(i, 1) for i in range(table.num_rows)] + [table.slice(0, 0)])


def pandas_frame(table):
    pytest.importorskip("pandas")
    return table.to_pandas()


def polars_frame(table):
    return pytest.importorskip("polars").DataFrame(table)


def duckdb_relation(table):
    return pytest.importorskip("duckdb").arrow(table)


PRODUCERS = {
    "table": lambda table: table,
    "reader": lambda table: table.to_reader(),
    "batch": lambda table: table.combine_chunks().to_batches()[0],
    "large_string": strings_as(pa.large_string()),
    "string_view": strings_as(pa.string_view()),
    "dictionary": strings_as(pa.dictionary(pa.int8(), pa.string())),
    "sliced": sliced,
    "chunked": chunked,
    "pandas": pandas_frame,
    "polars": polars_frame,
    "duckdb": duckdb_relation,
}


@pytest.mark.parametrize("producer", PRODUCERS)
def test_takes_every_producer(producer, people, roles):
    expected = anonymize(people, **roles, cells="text").table
    given = PRODUCERS[producer](people)
    got = anonymize(given, **roles, cells="text").table
    assert got.column_names == expected.column_names
    assert got.to_pylist() == expected.to_pylist()


def test_a_dictionary_stays_one_and_holds_released_values_only(people, roles):
    frame = people.set_column(3, "income", pa.DictionaryArray.from_arrays([0, 1, 0, 2, 1, 0, 2, 0, 1, 2], ["low", "high", "mid", "secret"]))
    column = anonymize(frame, **roles).table["income"]
    assert pa.types.is_dictionary(column.type)
    assert "secret" not in column.chunk(0).dictionary.to_pylist()


def test_goes_into_pandas_polars_and_duckdb(people, roles):
    release = anonymize(people, **roles)
    pytest.importorskip("pandas")
    assert list(release.to_pandas().columns) == ["age", "state", "income", "job"]
    polars = pytest.importorskip("polars")
    assert isinstance(release.to_polars(), polars.DataFrame) and release.to_polars().height == 10
    duckdb = pytest.importorskip("duckdb")
    released = release.table  # noqa: F841 - DuckDB finds it by name
    assert duckdb.sql("select count(*) from released where age.lo <= age.hi").fetchall() == [(10,)]


def test_a_stream_can_be_taken_many_times_and_outlives_the_release(people, roles):
    release = anonymize(people, **roles)
    first, second = pa.table(release), pa.table(release)
    del release
    assert first.equals(second) and first.num_rows == 10
    first.validate(full=True)


@pytest.mark.parametrize("extension", ["csv", "csv.gz"])
def test_a_path_gives_the_bytes_of_the_command_line(tada, extension, roles):
    tada.write("people.csv", write_csv(make_people(400)))
    options = ["--quasi", "age,zip:categorical,job", "--sensitive", "disease", "--keep", "note", "-k", "4", "-l", "2"]
    tada("anonymize", "people.csv", *options, "-o", f"program.{extension}")
    release = anonymize(tada.folder / "people.csv", quasi=["age", "zip:categorical", "job"], sensitive="disease", keep="note", k=4, l=2)
    release.write(tada.folder / f"package.{extension}")
    assert (tada.folder / f"package.{extension}").read_bytes() == (tada.folder / f"program.{extension}").read_bytes()


@pytest.mark.parametrize("extension", ["parquet", "arrow"])
def test_columnar_files_have_the_rows_of_the_command_line(tada, extension):
    import pyarrow.feather
    import pyarrow.parquet

    read = pyarrow.parquet.read_table if extension == "parquet" else pyarrow.feather.read_table
    tada.write("people.csv", write_csv(make_people(300)))
    tada("anonymize", "people.csv", "--quasi", "age,zip,job,income", "--sensitive", "disease", "-k", "3", "-o", f"program.{extension}")
    release = anonymize(tada.folder / "people.csv", quasi=["age", "zip", "job", "income"], sensitive="disease", k=3)
    release.write(tada.folder / f"package.{extension}")
    program, package = read(tada.folder / f"program.{extension}"), read(tada.folder / f"package.{extension}")
    assert package.schema.equals(program.schema) and package.equals(program)
    original = tada.folder / "people.csv"
    roles = dict(quasi=["age", "zip", "job", "income"], sensitive="disease", k=3)
    assert tada_package.audit(tada.folder / f"package.{extension}", original=original, **roles).passed
    tada("audit", f"package.{extension}", "--original", "people.csv", "--quasi", "age,zip,job,income", "--sensitive", "disease", "-k", "3")


def test_a_semicolon_file_keeps_its_delimiter(tada):
    tada.write("people.csv", write_csv(make_people(60), delimiter=";"))
    tada("anonymize", "people.csv", "--quasi", "age,job", "-k", "3", "-o", "program.csv")
    anonymize(tada.folder / "people.csv", quasi=["age", "job"], k=3).write(tada.folder / "package.csv")
    assert (tada.folder / "package.csv").read_bytes() == (tada.folder / "program.csv").read_bytes()


def test_a_parquet_file_goes_through_both_alike(tada, large):
    import pyarrow.parquet

    pyarrow.parquet.write_table(large, tada.folder / "large.parquet")
    quasi = ",".join(LARGE_ROLES["quasi"])
    tada("anonymize", "large.parquet", "--quasi", quasi, "--sensitive", "disease", "--keep", "seen", "-k", "10", "-l", "2", "-o", "program.parquet")
    for frame in (tada.folder / "large.parquet", large):
        package = anonymize(frame, **LARGE_ROLES).table
        program = pyarrow.parquet.read_table(tada.folder / "program.parquet")
        assert package.equals(program)


def test_the_report_is_that_of_the_command_line(tada):
    tada.write("people.csv", write_csv(make_people(200)))
    tada("anonymize", "people.csv", "--quasi", "age,job", "--sensitive", "disease", "-k", "4", "-o", "out.csv", "--report", "out.json")
    program = json.loads((tada.folder / "out.json").read_text())
    package = anonymize(tada.folder / "people.csv", quasi=["age", "job"], sensitive="disease", k=4).report
    for key in ["tada", "method", "stages", "seed", "requirement", "reached", "loss"]:
        assert package[key] == program[key], key


def test_the_same_at_any_number_of_threads(large):
    one, four = (anonymize(large, **LARGE_ROLES, threads=threads).table for threads in (1, 4))
    assert one.equals(four)


def test_the_order_follows_from_the_released_cells(people, roles):
    orders = {tuple(anonymize(people, **roles, seed=seed).table["job"].to_pylist()) for seed in range(5)}
    assert len(orders) == 1
    turned = people.take(list(reversed(range(people.num_rows))))
    assert anonymize(turned, **roles).table.equals(anonymize(people, **roles).table)


def test_keep_order_keeps_it(people, roles):
    assert anonymize(people, **roles, keep_order=True).table["job"].to_pylist() == PEOPLE["job"]


def test_works_from_many_threads_at_once(large):
    expected = anonymize(large, **LARGE_ROLES).table
    found = []
    threads = [threading.Thread(target=lambda: found.append(anonymize(large, **LARGE_ROLES).table)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(table.equals(expected) for table in found)


def test_a_plan_file_is_overridden_by_arguments(people, tmp_path):
    plan = tmp_path / "tada.toml"
    plan.write_text('quasi = ["age", "state"]\nsensitive = ["income"]\nk = 2\nl = 2\n')
    assert anonymize(people, plan=plan).report["requirement"]["k"] == 2
    assert anonymize(people, plan=plan, k=3).report["requirement"]["k"] == 3


def test_the_plan_of_a_release_makes_it_again(people, roles, tmp_path):
    release = anonymize(people, **roles)
    (tmp_path / "again.toml").write_text(release.plan)
    assert anonymize(people, plan=tmp_path / "again.toml").table.equals(release.table)


def test_audit_finds_a_small_class(people, roles):
    release = anonymize(people, **roles)
    verdict = tada_package.audit(release, quasi=["age", "state"], sensitive="income", k=9)
    assert not verdict.passed and not verdict and verdict.problems
    assert tada_package.audit(release, original=people, quasi=["age", "state"], sensitive="income", k=2, l=2).passed
    false = people.set_column(1, "age", pa.array([age + 50 for age in PEOPLE["age"]]))
    assert not tada_package.audit(release, original=false, quasi=["age", "state"], sensitive="income", k=2, l=2).passed


def test_a_verdict_says_what_was_not_checked(people, roles):
    labels, ages = pa.table({"age": ["young"] * 10}), people.select(["age"])
    verdict = tada_package.audit(labels, original=ages, quasi="age", k=2)
    assert verdict.passed and not verdict.verified and len(verdict.unverified) == 1
    assert repr(verdict) == "<tada.Verdict not verified: k=10, rows=10, 10 cells not checked>"
    assert "Not verified" in verdict._repr_html_()
    checked = tada_package.audit(anonymize(people, **roles), original=people, **roles)
    assert checked.notes == [] and "not checked" not in repr(checked) + checked._repr_html_()
    together = tada_package.compose(labels, labels, quasi="age", k=2)
    assert any("overlap_key" in note for note in together.notes)


def test_inspect_says_what_the_command_line_says(tada):
    tada.write("people.csv", write_csv(make_people(120)))
    program = json.loads(tada("inspect", "people.csv", "--json").stdout)
    assert dict(tada_package.inspect(tada.folder / "people.csv")) == program


def test_the_report_of_a_release_is_written(people, roles, tmp_path):
    for name in ["r.html", "r.json"]:
        anonymize(people, **roles, report=tmp_path / name)
    assert "<html" in (tmp_path / "r.html").read_text() and json.loads((tmp_path / "r.json").read_text())["reached"]["rows"] == 10
    with pytest.raises(tada_package.OutputError):
        anonymize(people, **roles, report=tmp_path / "r.html")
    with pytest.raises(tada_package.OutputError):
        anonymize(people, **roles, report=tmp_path / "nowhere" / "r.html")
    with pytest.raises(tada_package.UsageError, match="html"):
        anonymize(people, **roles, report=tmp_path / "r.pdf")
    anonymize(people, **roles, report=tmp_path / "r.html", force=True)


def test_a_report_with_raw_values_is_that_of_the_command_line(tada, people, roles):
    (tada.folder / "people.csv").write_text(write_csv(people.to_pylist()))
    tada("anonymize", "people.csv", "--quasi", "age,state", "--sensitive", "income", "--label", "job", "-k", "2", "-l", "2", "-o", "out.csv",
         "--report", "program.json", "--report-raw")  # fmt: skip
    program = json.loads((tada.folder / "program.json").read_text())
    release = anonymize(people, **roles, report=tada.folder / "raw.html", report_raw=True)
    assert release.report["confidential"] and program["confidential"]
    assert release.report["raw_sample"] == program["raw_sample"] and release.report["columns"] == program["columns"]
    assert "Confidential" in (tada.folder / "raw.html").read_text()
    plain = anonymize(people, **roles).report
    assert not plain["confidential"] and "raw_sample" not in plain
    with pytest.raises(tada_package.UsageError, match="report_raw"):
        anonymize(people, **roles, report_raw="yes")


def test_the_report_of_an_audit_is_that_of_the_command_line(tada, people, roles):
    release, options = anonymize(people, **roles), {"quasi": ["age", "state"], "sensitive": "income", "k": 2}
    verdict = tada_package.audit(release, original=people, **options, report=tada.folder / "audit.json")
    written = json.loads((tada.folder / "audit.json").read_text())
    assert verdict.details == tada_package.audit(release, original=people, **options).details
    assert verdict.details["notes"] == [note.replace("--quasi", "quasi=").replace("--keep", "keep=") for note in written["notes"]]
    assert {**verdict.details, "notes": []} == {**written, "notes": []}  # a file names options as the command line does
    assert not tada_package.audit(release, **{**options, "k": 9}, report=tada.folder / "audit.html").passed
    release.write(tada.folder / "out.csv")
    tada("audit", "out.csv", "--quasi", "age,state", "--sensitive", "income", "-k", "9", "--report", "program.html", code=1)
    program = (tada.folder / "program.html").read_text()
    assert (tada.folder / "audit.html").read_text() == program.replace("out.csv", "the release")
    with pytest.raises(tada_package.OutputError):
        tada_package.audit(release, **options, report=tada.folder / "audit.html")


def test_an_audit_takes_the_options_that_made_the_release(people, roles):
    made = {**roles, "task": "classification", "method": "ta_da", "seed": 3, "controllers": 1}
    assert tada_package.audit(anonymize(people, **made), **made).passed
    by_column = {"quasi": ["age"], "k": 2, "controller_column": "job"}
    assert tada_package.audit(anonymize(people, **by_column), **by_column).passed


def test_method_options_reach_the_method(people, roles):
    for method in tada_package.methods():
        assert method["name"] in anonymize.__doc__ or not method["options"]
    with pytest.raises(tada_package.UsageError):
        anonymize(people, quasi=["age"], k=2, method="mondrian", no_such_option=1)


def test_shows_itself_in_a_notebook(people, roles):
    release = anonymize(people, **roles)
    assert "Audit passed" in release._repr_html_() and "NCP" in release._repr_html_()
    assert "k=3" in repr(release) and "passed" in repr(release.audit())
    assert "by leaves" not in release._repr_html_()
    assert "by leaves" not in anonymize(people, **roles, hierarchy=["age=width:10"])._repr_html_()  # it counts values of the input
    assert "by leaves" in anonymize(people, **roles, hierarchy=["age=width:10"], report_raw=True)._repr_html_()


def test_an_awkward_column_name_stays(people):
    frame = people.rename_columns(["name", "a,g e", 'st"ate', "income", "job:numeric"])
    release = anonymize(frame, quasi=["a,g e", 'st"ate'], keep="job:numeric:", k=2)
    assert release.table.column_names == ["a,g e", 'st"ate', "job:numeric"]


@pytest.mark.parametrize("role", ["keep", "label", "sensitive"])
@pytest.mark.parametrize("missing", ["?", "NA", None, ""])
def test_a_column_released_unchanged_may_hold_missing_values_however_they_are_spelled(role, missing, tmp_path):
    table = pa.table({"age": list(range(20, 40)), "s": [missing, "a", "b", "c"] * 5})
    options = {"quasi": ["age"], role: "s", "k": 4, "missing": ["", "?", "NA"], "method": "mondrian"}
    release = tada_package.anonymize(table, **options)
    release.write(tmp_path / "released.csv")
    del options["method"]
    assert tada_package.audit(tmp_path / "released.csv", original=table, **options).passed
    assert tada_package.audit(release, original=table, **options).passed


def test_columns_without_a_role_may_hold_anything():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"age": list(range(24)), "nothing": [None] * 24, "wide": polars.Series([2**100] * 24, dtype=polars.Int128)})
    assert tada_package.anonymize(frame, quasi=["age"], k=3).audit().passed
    assert tada_package.anonymize(frame.drop("wide"), quasi=["age"], keep=["nothing"], k=3).table["nothing"].null_count == 24
