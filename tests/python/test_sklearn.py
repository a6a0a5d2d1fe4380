"""tada.sklearn and tada.read_release: released cells as numbers."""

import pytest

from frames import PEOPLE, people, roles  # noqa: F401 - fixtures

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("sklearn")
numpy = pytest.importorskip("numpy")

from sklearn.base import clone  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

import tada.sklearn  # noqa: E402


def test_intervals_become_middles_and_sets_multi_hot():
    table = pa.table(
        {
            "age": pa.array([{"lo": 20, "hi": 30}, {"lo": 40, "hi": 40}, None]),
            "state": pa.array([["CA", "MN"], ["NY"], None]),
        }
    )
    encoder = tada.sklearn.ReleaseEncoder(standardize=False).fit(table)
    assert list(encoder.get_feature_names_out()) == ["age", "state=CA", "state=MN", "state=NY"]
    assert encoder.transform(table).tolist() == [[25, 1, 1, 0], [40, 0, 0, 1], [32.5, 1, 1, 1]]
    shares = tada.sklearn.ReleaseEncoder(standardize=False, sets="shares").fit_transform(table)
    assert shares.tolist() == [[25, 0.5, 0.5, 0], [40, 0, 0, 1], [32.5, 0.25, 0.25, 0.5]]
    with pytest.raises(tada.UsageError, match="sets"):
        tada.sklearn.ReleaseEncoder(sets="no").fit(table)


def test_text_cells_are_encoded_like_typed_ones(people, roles):
    typed = tada.anonymize(people, **roles).table
    text = tada.anonymize(people, **roles, cells="text").table
    encode = lambda table: tada.sklearn.ReleaseEncoder(columns=["age", "state"]).fit_transform(table)  # noqa: E731
    assert numpy.allclose(encode(typed), encode(text))


def test_numbers_are_standardized_and_names_are_not(people, roles):
    encoded = tada.sklearn.ReleaseEncoder(columns=["age", "state"]).fit_transform(tada.anonymize(people, **roles))
    assert numpy.allclose(encoded[:, 0].mean(), 0) and numpy.allclose(encoded[:, 0].std(), 1)
    assert set(encoded[:, 1:].ravel()) == {0.0, 1.0}


def test_a_model_of_a_release_scores_raw_rows(people, roles):
    release = tada.anonymize(people, **roles)
    model = make_pipeline(tada.sklearn.ReleaseEncoder(columns=["age", "state"]), LogisticRegression())
    model.fit(release.table, release.table["job"].to_pylist())
    assert len(model.predict(people)) == 10


def test_the_anonymizer_keeps_rows_in_order_and_frames_in_kind(people):
    pandas = pytest.importorskip("pandas")
    frame = people.to_pandas().set_index("name", drop=True)
    made = tada.sklearn.Anonymizer(quasi=["age", "state"], sensitive="income", keep=["job"], k=2, l=2)
    released = made.fit_transform(frame)
    assert isinstance(released, pandas.DataFrame) and list(released.index) == PEOPLE["name"]
    assert list(released["job"]) == PEOPLE["job"]
    assert made.report_["reached"]["k"] >= 2


def test_the_anonymizer_can_be_cloned_and_changed():
    made = tada.sklearn.Anonymizer(quasi=["age"], k=7)
    again = clone(made).set_params(k=3)
    assert again.get_params()["k"] == 3 and again.get_params()["quasi"] == ["age"] and made.k == 7


def test_other_rows_never_pass_through_unasked(people):
    made = tada.sklearn.Anonymizer(quasi=["age", "state"], k=2, threads=1, other_rows="refuse").fit(people)
    for other in (people.slice(0, 3), people.take(list(range(9, -1, -1)))):
        with pytest.raises(tada.UsageError, match="not anonymized") as refused:
            made.transform(other)
        assert "fit_transform" in str(refused.value)
    assert made.set_params(other_rows="raw").transform(people.slice(0, 3)).equals(people.slice(0, 3).select(["age", "state"]))
    with pytest.raises(tada.UsageError, match="refuse"):
        tada.sklearn.Anonymizer(other_rows="all").fit(people)


def test_cross_validation_trains_on_releases_and_scores_raw_rows(people):
    pandas = pytest.importorskip("pandas")
    from sklearn.model_selection import cross_val_score

    frame = pandas.concat([people.to_pandas()] * 6, ignore_index=True)
    model = make_pipeline(
        tada.sklearn.Anonymizer(quasi=["age", "state"], k=3, other_rows="raw"), tada.sklearn.ReleaseEncoder(columns=["age", "state"]), LogisticRegression()
    )
    scores = cross_val_score(model, frame[["age", "state"]], frame["job"], cv=3)
    assert len(scores) == 3 and scores.mean() > 0.3


# What a transformer of mixed tables cannot promise, and why.
TABLE = "what comes out is a table of cells, not a matrix of numbers"
CANNOT = {
    "ReleaseEncoder": {},
    "Anonymizer": {
        "check_estimators_pickle": TABLE,  # it is pickled, and then the check subtracts cells: test_pickle.py compares them
        "check_fit_idempotent": TABLE,
        "check_fit2d_1sample": "one row cannot be anonymized, and the error says so in words of its own",
        "check_pipeline_consistency": TABLE,
        "check_transformer_general": TABLE,
        "check_transformer_data_not_an_array": TABLE,
        "check_methods_sample_order_invariance": TABLE,
        "check_methods_subset_invariance": TABLE,
    },
}


@pytest.mark.parametrize("estimator", [tada.sklearn.ReleaseEncoder(), tada.sklearn.Anonymizer(k=2)], ids=["ReleaseEncoder", "Anonymizer"])
def test_check_estimator_finds_nothing_new(estimator):
    from sklearn.utils.estimator_checks import check_estimator

    failed = {}
    for result in check_estimator(estimator, on_fail=None, on_skip=None):
        if result["status"] == "failed":
            failed[result["check_name"]] = str(result["exception"])[:200]
    assert set(failed) == set(CANNOT[type(estimator).__name__]), failed


def test_read_release_parses_cells(people, roles, tmp_path):
    pandas = pytest.importorskip("pandas")
    release = tada.anonymize(people, **roles)
    for name in ["out.csv", "out.parquet"]:
        release.write(tmp_path / name)
        frame = tada.read_release(tmp_path / name)
        assert isinstance(frame["age"].dtype, pandas.IntervalDtype) and frame["age"].dtype.closed == "both"
        assert {value for cell in frame["state"] for value in ([cell] if isinstance(cell, str) else cell)} == {"CA", "MN", "NY"}
        assert list(frame["income"]) == release.table["income"].to_pylist()


def test_drawn_features_are_those_of_raw_rows(people, roles):
    release = tada.anonymize(people, **roles)
    encoder = tada.sklearn.ReleaseEncoder(columns=["age", "state"], mode="draw", standardize=False).fit(release)
    encoded = encoder.transform(release)
    assert set(encoded[:, 1:].ravel()) <= {0.0, 1.0} and (encoded[:, 1:].sum(axis=1) == 1).all()
    assert (encoded == encoder.transform(release)).all()
    raw = encoder.transform(people)
    assert raw[:, 0].tolist() == PEOPLE["age"]


def test_expected_features_are_means_and_probabilities():
    table = pa.table(
        {
            "age": pa.array([{"lo": 20, "hi": 40}, {"lo": 20, "hi": 20}, {"lo": 40, "hi": 40}, {"lo": 40, "hi": 40}]),
            "state": pa.array([["CA", "MN"], ["CA"], ["MN"], ["MN"]]),
        }
    )
    encoder = tada.sklearn.ReleaseEncoder(mode="expected", standardize=False).fit(table)
    assert list(encoder.get_feature_names_out()) == ["age", "state=CA", "state=MN"]
    first, second, *_ = encoder.transform(table)
    assert numpy.allclose(first, [20 + 20 * 2 / 3, 1 / 3, 2 / 3], atol=1e-3) and second.tolist() == [20, 1, 0]
    assert encoder.transform(pa.table({"age": [33], "state": ["MN"]})).tolist() == [[33, 0, 1]]
    with pytest.raises(ValueError, match="multi-hot"):
        tada.sklearn.ReleaseEncoder(mode="hot").fit(table)


def test_decode_draws_inside_the_cells(people, roles):
    release = tada.anonymize(people, **roles, keep_order=True)
    decoded = tada.decode(release, copies=3, weight_column="weight")
    assert decoded.num_rows == 30 and decoded["job"].to_pylist() == 3 * PEOPLE["job"] and set(decoded["weight"].to_pylist()) == {1 / 3}
    for cell, value in zip(3 * release.table["age"].to_pylist(), decoded["age"].to_pylist(), strict=True):
        assert cell is None or cell["lo"] <= value <= cell["hi"]
    assert tada.decode(people).equals(people)
    with pytest.raises(tada.UsageError):
        tada.decode(release, expect=True, copies=2)


def test_rows_that_changed_in_place_are_no_longer_those_fitted():
    pandas = pytest.importorskip("pandas")
    numbers = numpy.arange(20)
    for frame in (pa.table({"a": pa.array(numbers)}), pandas.DataFrame({"a": numbers}, copy=False)):
        fitted = tada.sklearn.Anonymizer(k=2, threads=1, other_rows="refuse").fit(frame)
        assert len(set(map(str, fitted.transform(frame)["a"]))) <= 10
        numbers += 100  # both frames hold this very memory
        with pytest.raises(tada.UsageError, match="not anonymized"):
            fitted.transform(frame)
        assert [int(str(value)) for value in fitted.set_params(other_rows="raw").transform(frame)["a"]] == numbers.tolist()


@pytest.mark.parametrize("estimator", [tada.sklearn.ReleaseEncoder(), tada.sklearn.Anonymizer(k=2, threads=1)], ids=["ReleaseEncoder", "Anonymizer"])
def test_readers_are_fitted_and_transformed(people, estimator):
    rows = people.select(["age", "state"])
    for made in (estimator.fit(rows.to_reader()).transform(rows.to_reader()), estimator.fit_transform(rows.to_reader())):
        assert str(made) == str(estimator.fit_transform(rows))
    with pytest.raises(tada.DataError, match="as a table"):
        estimator.fit(people["age"])


def test_hierarchies_and_controllers_are_parameters(people):
    by_tens = tada.sklearn.Anonymizer(quasi=["age"], k=2, method="datafly", hierarchy=["age=width:10"]).fit(people)
    assert by_tens.release_.table["age"].type == pa.string()
    rows = people.select(["age", "state"])
    assert 'missing = ["NA"]' in tada.sklearn.Anonymizer(k=2, missing="NA").fit(rows).release_.plan  # one spelling, not two
    shared = tada.sklearn.Anonymizer(k=2, controllers=2).fit(rows)
    assert shared.release_.plan == tada.anonymize(rows, quasi=["age", "state"], k=2, controllers=2, keep_order=True).plan
    owned = tada.sklearn.Anonymizer(k=2, controller_column="state").fit(rows)  # which is no quasi-identifier then
    assert "controller" in owned.release_.plan and 'quasi = ["age"]' in owned.release_.plan


def test_no_rows_are_refused(people):
    with pytest.raises(tada.DataError, match="no rows"):
        tada.sklearn.ReleaseEncoder().fit(people.slice(0, 0))


def test_wrong_parameters_are_named(people):
    encoder, anonymizer = tada.sklearn.ReleaseEncoder, tada.sklearn.Anonymizer
    for columns in (["age", "age"], []):
        with pytest.raises(tada.UsageError, match="each once"):
            encoder(columns=columns).fit(people)
    for cells in ([{"a": 1}], [{"lo": [1], "hi": [2]}], [[[1]]]):
        with pytest.raises(tada.DataError, match="Column odd"):
            encoder().fit(pa.table({"odd": cells}))
    for options in ({"k": 3}, {"keep_order": False}, {"plan": "p.toml"}, {"report": "r.html"}, {"force": True}, {"progress": True}, {"delimiter": ";"}):
        with pytest.raises(tada.UsageError, match=next(iter(options))):
            anonymizer(k=3, options=options).fit(people)
    with pytest.raises(tada.UsageError, match="dictionary"):
        anonymizer(k=3, quasi={"age": "categorical"}).fit(people)
