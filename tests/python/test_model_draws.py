"""tada.decode(model=True) and ReleaseEncoder(mode="model"): draws in which the label has a say."""

import random

import pytest

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("sklearn")
numpy = pytest.importorskip("numpy")

import tada.sklearn  # noqa: E402


@pytest.fixture(scope="module")
def shop():
    draw = random.Random(3)
    rows = [(draw.randrange(20, 60), draw.choice("abcd")) for _ in range(400)]
    table = pa.table(
        {"age": [age for age, _ in rows], "town": [town for _, town in rows], "bought": ["yes" if age > 40 or town == "a" else "no" for age, town in rows]}
    )
    return table, tada.anonymize(table, quasi=["age", "town"], label="bought", k=20, keep_order=True)


def test_a_release_knows_its_label(shop):
    raw, release = shop
    drawn = tada.decode(release, model=True, copies=1)
    assert drawn.num_rows == raw.num_rows and drawn.column_names == release.table.column_names
    assert drawn["bought"].to_pylist() == release.table["bought"].to_pylist()
    assert drawn.equals(tada.decode(release.table, model=True, label="bought", copies=1))
    assert not drawn.equals(tada.decode(release, model=True, copies=1, seed=2))


def test_a_frame_does_not(shop):
    with pytest.raises(tada.UsageError, match="label"):
        tada.decode(shop[1].table, model=True)


def test_the_encoder_takes_y_or_the_label_of_the_release(shop):
    raw, release = shop
    encoder = tada.sklearn.ReleaseEncoder(columns=["age", "town"], mode="model", standardize=False)
    by_label, by_y = encoder.fit_transform(release), encoder.fit_transform(release.table, release.table["bought"].to_pylist())
    assert by_label.shape == (400, 5) and (by_label == by_y).all()
    assert set(by_label[:, 1:].ravel()) <= {0.0, 1.0} and (by_label[:, 1:].sum(axis=1) == 1).all()
    assert encoder.transform(raw)[:, 0].tolist() == raw["age"].to_pylist()
    with pytest.raises(tada.UsageError, match="needs y"):
        encoder.fit(release.table)
