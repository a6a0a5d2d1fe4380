"""Releases and what holds them, pickled and copied: the same to everybody, and nothing of the original in them."""

import contextlib
import copy
import dataclasses
import gzip
import io
import json
import pickle

import pytest

from frames import LARGE_ROLES, PEOPLE, large, people, roles  # noqa: F401 - fixtures

tada_package = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
WAYS = {"pickle": lambda thing: pickle.loads(pickle.dumps(thing)), "copy": copy.copy, "deepcopy": copy.deepcopy}


@pytest.fixture(params=list(WAYS))
def again(request):
    return WAYS[request.param]


def test_a_release_says_the_same(people, roles, again):
    release = tada_package.anonymize(people, **roles)
    loaded = again(release)
    assert loaded.table.equals(release.table) and pa.table(loaded).schema.equals(release.table.schema)
    assert loaded.report == release.report and loaded.plan == release.plan and loaded.warnings == release.warnings
    assert loaded.audit().passed and loaded.audit().details == release.audit().details
    assert repr(loaded) == repr(release) and loaded._repr_html_() == release._repr_html_()
    assert tada_package.audit(loaded, original=people, quasi=["age", "state"], sensitive="income", k=2, l=2).passed


@pytest.mark.parametrize("missing", [None, ["", "unknown"]])
@pytest.mark.parametrize("extension", ["csv", "csv.gz", "parquet", "arrow"])
def test_a_loaded_release_writes_the_same_files(large, tmp_path, extension, missing):
    release = tada_package.anonymize(large, **LARGE_ROLES, missing=missing)
    loaded = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(release))))
    one, other = tmp_path / f"one.{extension}", tmp_path / f"other.{extension}"
    release.write(one)
    loaded.write(other)
    assert one.read_bytes() == other.read_bytes()
    with pytest.raises(tada_package.OutputError, match="exists"):
        loaded.write(other)
    loaded.write(other, force=True)
    for suffix in ["json", "html"]:
        loaded.write_report(tmp_path / f"report.{suffix}")
        assert (tmp_path / f"report.{suffix}").stat().st_size > 1000


def test_a_delimiter_is_kept(tmp_path):
    (tmp_path / "in.csv").write_text("a;b\n" + "".join(f"{row % 4};x{row % 3}\n" for row in range(24)))
    release = tada_package.anonymize(tmp_path / "in.csv", quasi=["a", "b"], k=2)
    pickle.loads(pickle.dumps(release)).write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().startswith("a;b\n")


def test_a_pickle_that_says_failed_is_no_release(people, roles):
    release = tada_package.anonymize(people, **roles)
    state = release.__getstate__()
    verdict = json.dumps({**json.loads(state["held"].verdict), "passed": False})
    with pytest.raises(tada_package.AuditError):
        release.__setstate__({**state, "held": dataclasses.replace(state["held"], verdict=verdict)})


def everything_in(data):
    """The bytes of a pickle, with what is compressed in it laid open."""
    found = [data]
    start = data.find(b"\x1f\x8b\x08")
    while start >= 0:
        with contextlib.suppress(OSError, EOFError):
            found.append(gzip.GzipFile(fileobj=io.BytesIO(data[start:])).read1(1 << 20))
        start = data.find(b"\x1f\x8b\x08", start + 1)
    return b"".join(found)


def test_nothing_of_the_original_is_in_a_pickle():
    learning = pytest.importorskip("tada.sklearn")
    pay = [str(900001 + 7 * row) for row in range(40)]
    rows = pa.table({"name": [f"Person-{row:03d}" for row in range(40)], "pay": pay, "town": ["Ulm", "Jena", "Bonn", "Kiel"] * 10})
    made = learning.Anonymizer(quasi=["pay", "town"], k=4, threads=1).fit(rows)
    shown = {bound for cell in made.release_.table["pay"].to_pylist() for bound in cell.values()}
    confidential = tada_package.anonymize(rows, quasi=["pay", "town"], k=4, threads=1, report_raw=True)
    fitted = learning.Anonymizer(quasi=["pay", "town"], k=4, threads=1, options={"report_raw": True}).fit(rows)
    assert confidential.report["raw_sample"] and fitted.report_["raw_sample"]
    assert made.__getstate__()["_fitted_on"] is None  # nor a digest, which would let anybody check guesses
    for thing in (made, made.release_, confidential, fitted):
        data = everything_in(pickle.dumps(thing))
        assert b"Jena" in data and b"Person-" not in data
        assert {text for text in pay if text.encode() in data} == shown and len(shown) < 40


def test_a_loaded_anonymizer_knows_its_table_again(people):
    learning = pytest.importorskip("tada.sklearn")
    made = learning.Anonymizer(quasi=["age", "state"], k=3, threads=1, other_rows="refuse").fit(people)
    loaded = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(made))))
    assert loaded.transform(people).equals(made.release_.table)
    other = people.set_column(1, "age", pa.array([age + 1 for age in PEOPLE["age"]]))
    for rows in (other, people.slice(0, 3)):
        with pytest.raises(tada_package.UsageError, match="not anonymized"):
            loaded.transform(rows)


@pytest.mark.parametrize("again", list(WAYS))
def test_a_fitted_table_with_missing_numbers_is_known_again(again):
    learning = pytest.importorskip("tada.sklearn")
    numpy = pytest.importorskip("numpy")
    rows = numpy.array([[1, numpy.nan], [2, 3], [3, numpy.nan], [4, 5], [5, 1], [6, 2]])
    made = learning.Anonymizer(k=2, threads=1).fit(rows)
    assert WAYS[again](made).transform(rows).equals(made.release_.table)


def test_a_pipeline_can_be_saved(people, tmp_path, again):
    learning = pytest.importorskip("tada.sklearn")
    pytest.importorskip("pandas")
    import joblib
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    frame = people.to_pandas()
    for mode in learning.MODES:
        model = make_pipeline(
            learning.Anonymizer(quasi=["age", "state"], k=3, threads=1, other_rows="raw"), learning.ReleaseEncoder(mode=mode), LogisticRegression()
        )
        model.fit(frame[["age", "state"]], frame["job"])
        expected = model.predict_proba(frame[["age", "state"]].iloc[:4])
        assert (again(model).predict_proba(frame[["age", "state"]].iloc[:4]) == expected).all()
        joblib.dump(model, tmp_path / "model")
        assert (joblib.load(tmp_path / "model").predict_proba(frame[["age", "state"]].iloc[:4]) == expected).all()


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("given", ["pyarrow", "numpy", "pandas", "polars"])
def test_set_output_makes_the_frame_that_is_asked_for(people, kind, given):
    learning = pytest.importorskip("tada.sklearn")
    wanted = pytest.importorskip(kind)
    from sklearn import config_context

    made = learning.Anonymizer(k=3, threads=1)
    table = people.select(["age", "state"])
    frame = pytest.importorskip("pandas").DataFrame(table.to_pydict())
    rows = {"pyarrow": table, "numpy": frame.to_numpy(), "pandas": frame, "polars": pytest.importorskip("polars").DataFrame(table)}[given]
    configured = learning.Anonymizer(k=3, threads=1).set_output(transform=kind)
    assert isinstance(configured.fit_transform(rows), wanted.DataFrame) and isinstance(configured.transform(rows), wanted.DataFrame)
    with config_context(transform_output=kind):
        assert isinstance(made.fit_transform(rows), wanted.DataFrame)


def test_audit_takes_parsed_frames(people, roles):
    pytest.importorskip("pandas")
    release = tada_package.anonymize(people, **roles)
    frame = tada_package.read_release(release)
    asked = dict(quasi=["age", "state"], sensitive="income", k=2, l=2)
    assert tada_package.audit(frame, **asked).details["risk"] == tada_package.audit(release, **asked).details["risk"]
    assert tada_package.audit(frame, original=people, **asked).passed
    assert not tada_package.audit(frame, **{**asked, "k": 4}).passed
    frame.loc[0, "age"] = None
    with pytest.raises(tada_package.UsageError, match="column age: a missing interval may be a masked or a missing cell"):
        tada_package.audit(frame, **asked)
