"""tada decode --model: draws in which the label of a row has a say."""

import json
import random

import pytest

import releases


@pytest.fixture
def shop(tada):
    """A release of customers whose choice is a rule over what the cells hide."""
    draw = random.Random(7)
    lines = ["age,town,size,bought"]
    for _ in range(1200):
        age, town, size = draw.randrange(20, 60), draw.choice("abcd"), draw.randrange(1, 5)
        lines.append(f"{age},{town},{size},{'yes' if (age > 40) == (town in 'ab') else 'no'}")
    (tada.folder / "shop.csv").write_text("\n".join(lines) + "\n")
    tada(
        "anonymize", "shop.csv", "--quasi", "age,town", "--keep", "size", "--label", "bought", "-k", "40", "--controllers", "2", "-o", "out.csv", "--keep-order"
    )
    return "out.csv"


def test_values_lie_inside_their_cells_and_everything_else_stays(tada, shop):
    released = tada.read(shop)
    said = json.loads(tada("decode", shop, "--model", "--label", "bought", "--copies", 2, "--json", "-o", "train.csv").stdout)
    decoded = tada.read("train.csv")
    assert len(decoded) == 2 * len(released) and said["copies"] == 2
    assert said["mode"] == ("model" if said["model"]["used"] else "draw")
    assert said["model"]["label"] == "bought" and said["model"]["predicts"] == "classes" and said["model"]["learned_rows"] == 1200
    for number, row in enumerate(decoded):
        source = released[number % len(released)]
        assert all(row[name] == source[name] for name in ("size", "bought"))
        assert releases.covers(source["age"], row["age"], True) and releases.covers(source["town"], row["town"], False)


def test_the_seed_decides_and_not_the_threads_or_the_format(tada, shop):
    outputs = []
    for number, options in enumerate((["--threads", 1], ["--threads", 3], ["--seed", 2])):
        tada("decode", shop, "--model", "--label", "bought", "--copies", 1, "-o", f"{number}.csv", *options)
        outputs.append((tada.folder / f"{number}.csv").read_bytes())
    assert outputs[0] == outputs[1] != outputs[2]


def test_a_plan_may_name_the_label(tada, shop):
    (tada.folder / "plan.toml").write_text('quasi = ["age", "town"]\nkeep = ["size"]\nlabel = ["bought"]\nk = 40\n')
    said = tada("decode", shop, "--plan", "plan.toml", "--model", "--copies", 1, "-o", "train.csv").stdout
    assert "model" in said and "bought" in said


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--model"], "--model needs --label, the column that a model will predict"),
        (["--model", "--label", "bought,size"], "--model learns one label; several are named"),
        (["--model", "--label", "bought", "--expect"], "--expect writes means and probabilities; --model is for drawing"),
        (["--model", "--label", "town"], "The label town has widened cells: a model learns from labels that are released as they are"),
        (["--model", "--label", "bought:numeric"], "The label bought is to be predicted as a number and has other values"),
    ],
)
def test_what_cannot_be_learned_is_refused_and_nothing_is_written(tada, shop, options, words):
    result = tada("decode", shop, *options, "-o", "train.csv", code=2)
    assert words in result.stderr and not (tada.folder / "train.csv").exists()


def test_a_number_is_explained_too(tada):
    draw = random.Random(9)
    lines = ["age,town,price"]
    for _ in range(800):
        age, town = draw.randrange(20, 60), draw.choice("abcd")
        lines.append(f"{age},{town},{10 * 'abcd'.index(town) + age + draw.random():.2f}")
    (tada.folder / "shop.csv").write_text("\n".join(lines) + "\n")
    tada("anonymize", "shop.csv", "--quasi", "age,town", "--label", "price", "-k", "20", "--method", "mondrian", "-o", "out.csv")
    said = json.loads(tada("decode", "out.csv", "--model", "--label", "price", "--copies", 1, "--json", "-o", "train.csv").stdout)
    assert said["model"]["predicts"] == "numbers" and said["mode"] == "model" and said["model"]["gain"] > 0.01
