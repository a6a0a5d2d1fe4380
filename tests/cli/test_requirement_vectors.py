"""Known values of requirements, through the program: from the papers, from other tools, and computed by hand.

Where the others are tested: the distances of small tables, Li's nine people, likeness, disclosure, alpha and spread in
src/privacy/check/value_models_test.cc; entropy and recursive l in src/audit/checks/diversity_test.cc; uniques, individual risk and special uniques
in src/risk/risk_test.cc; levels chosen with suppression in src/partition/full_domain; people in tests/cli/test_people.py and test_visits_trial.py;
runs of the method against itself in test_knows_method.py; other tools' known errors in test_peers.py.
"""

import json
import re

import pytest

from conftest import DATA

ADULT = "adult/adult_train_complete.csv"
QUASI = "age,workclass,education-num,marital-status,occupation,race,native-country"  # without sex


def reached(tada, *arguments, code=(0, 1)):
    for expected in code:
        try:
            return json.loads(tada("audit", *arguments, "-k", "1", "--json", code=expected).stdout)
        except AssertionError:
            if expected == code[-1]:
                raise


def table(tada, name, head, rows):
    return tada.write(name, head + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)).name


def counts(**classes):
    """Rows of (class, value) from counts by class: a='xx y'."""
    return [(name, value) for name, values in classes.items() for value in values.split()]


DISEASES = ["ulcer", "gastritis", "stomach cancer", "gastritis", "flu", "bronchitis", "bronchitis", "pneumonia", "stomach cancer"]
LI = list(zip(DISEASES, (3, 4, 5, 6, 11, 8, 7, 9, 10), strict=True))
LI_TREE = """ulcer;stomach disease;digestive;any
gastritis;stomach disease;digestive;any
stomach cancer;stomach disease;digestive;any
flu;respiratory infection;respiratory;any
bronchitis;respiratory infection;respiratory;any
pneumonia;respiratory infection;respiratory;any
"""


def test_lis_nine_people(tada):
    classes = {1: "a", 3: "a", 8: "a", 4: "b", 5: "b", 6: "b", 2: "c", 7: "c", 9: "c"}
    table(tada, "li.csv", "class,disease,salary", [(classes[i + 1], *LI[i]) for i in range(9)])
    roles = ["li.csv", "--quasi", "class", "--sensitive", "disease,salary"]
    found = reached(tada, *roles, "--closeness", "disease=1:equal,salary=1:ordered")
    assert found["t"] == {"disease": 0.5556, "salary": 0.1667}  # 5/9 and 1/6, rounded up
    tada.write("tree.csv", LI_TREE)
    by_tree = reached(tada, *roles, "--closeness", "disease=1:hierarchy", "--hierarchy", "disease=tree.csv")
    assert by_tree["t"]["disease"] == 0.2963  # 8/27
    tada("audit", *roles, "-k", "3", "--closeness", "salary=0.167")
    tada("audit", *roles, "-k", "3", "--closeness", "salary=0.166", code=1)


def test_lis_first_classes(tada):
    table(tada, "li.csv", "class,salary", [("abc"[i // 3], LI[i][1]) for i in range(9)])
    assert reached(tada, "li.csv", "--quasi", "class", "--sensitive", "salary", "--closeness", "1:ordered")["t"]["salary"] == 0.375


@pytest.mark.parametrize(
    ("classes", "l", "entropy", "t", "beta", "delta"),
    [
        # Machanavajjhala's Fig. 3 (every class 2, 1, 1 of five cancers, four infections, three hearts) and Fig. 2.
        ({"a": "c c v h", "b": "c v v h", "c": "c c v h"}, 3, 2, 0.1667, 0.5, 0.5109),
        ({"a": "h h v v", "b": "c h v v", "c": "c c c c"}, 1, 1, 0.5834, "infinite", "infinite"),
    ],
)
def test_the_hospital_of_l_diversity(tada, classes, l, entropy, t, beta, delta):
    rows = counts(**classes)
    table(tada, "t.csv", "class,s", rows)
    roles = ["t.csv", "--quasi", "class", "--sensitive", "s"]
    found = reached(tada, *roles, "--closeness", "1", "--likeness", "9", "--disclosure", "9")
    if l == 3:
        assert found["l"] == 3
        assert reached(tada, *roles, "--diversity", "entropy", "-l", "2")["l"] == entropy
        tada("audit", *roles, "-k", "4", "-l", "3", "--diversity", "recursive:2", code=1)
        tada("audit", *roles, "-k", "4", "-l", "3", "--diversity", "recursive:2.01")
        tada("audit", *roles, "-k", "4", "-l", "2", "--diversity", "recursive:1", code=1)
        tada("audit", *roles, "-k", "4", "-l", "2", "--diversity", "recursive:1.01")
    assert found["l"] == l
    assert found["t"]["s"] == t
    assert found["beta"]["s"] == beta
    assert found["delta"]["s"] == delta


def test_three_tenths_is_three_tenths(tada):
    table(tada, "t.csv", "class,s", counts(a="x " * 8 + "y " * 2, b="x " * 42 + "y " * 48))
    tada("audit", "t.csv", "--quasi", "class", "--sensitive", "s", "-k", "1", "--closeness", "0.3")
    tada("audit", "t.csv", "--quasi", "class", "--sensitive", "s", "-k", "1", "--closeness", "0.299999999", code=1)


def test_a_value_that_a_class_lacks_breaks_disclosure(tada):
    table(tada, "t.csv", "class,s", counts(a="a a a a a b b b b b", b="a a a a a c c c c c"))
    assert reached(tada, "t.csv", "--quasi", "class", "--sensitive", "s", "--disclosure", "9")["delta"]["s"] == "infinite"


@pytest.fixture
def adult():
    if not (DATA / ADULT).exists():
        pytest.skip("needs TADA_DATA")
    return DATA / ADULT


def test_adult_as_other_tools_measure_it(tada, adult):
    found = reached(tada, adult, "--quasi", "sex,race", "--sensitive", "occupation,income", "--closeness", "0.1")
    assert found["t"] == {"occupation": 0.325, "income": 0.203}  # .324962 and .202945, rounded up
    ordered = reached(tada, adult, "--quasi", "marital-status", "--sensitive", "education-num:numeric", "--closeness", "0.01:ordered")
    assert 0.0628 <= ordered["t"]["education-num"] <= 0.0629  # .062823


def test_levels_of_adult_as_arx_measures_them(tada, adult):
    # Marital status alone, at its levels 0 and 1; everything else is `*`.
    tree = DATA / "adult" / "hierarchies" / "arx" / "adult_hierarchy_occupation.csv"
    options = ["--sensitive", "occupation", "--closeness", "0.2:equal", "--likeness", "9:basic", "--disclosure", "9"]
    found = reached(tada, adult, "--quasi", "marital-status", *options)
    assert found["classes"] == 7 and found["breaking_rows"] >= 848
    assert found["t"]["occupation"] == pytest.approx(0.2580, abs=1e-4)
    assert found["beta"]["occupation"] == pytest.approx(4.611, abs=1e-3)
    assert found["delta"]["occupation"] == "infinite"
    only_t = reached(tada, adult, "--quasi", "marital-status", "--sensitive", "occupation", "--closeness", "0.2:equal")
    assert only_t["breaking_rows"] == 848
    with_tree = ["--sensitive", "occupation", "--closeness", "0.2:hierarchy", "--hierarchy", f"occupation={tree}"]
    by_tree = reached(tada, adult, "--quasi", "marital-status", *with_tree)
    assert by_tree["t"]["occupation"] == pytest.approx(0.2442, abs=1e-4)
    lines = adult.read_text().splitlines()
    at = lines[0].split(",").index("marital-status")
    with open(tada.folder / "two.csv", "w") as out:
        out.write(lines[0] + "\n")
        for line in lines[1:]:
            cells = line.split(",")
            cells[at] = "spouse present" if cells[at].strip() in ("Married-civ-spouse", "Married-AF-spouse") else "spouse not present"
            out.write(",".join(cells) + "\n")
    found = reached(tada, "two.csv", "--quasi", "marital-status", *options)
    assert found["classes"] == 2
    assert found["t"]["occupation"] == pytest.approx(0.1315, abs=1e-4)
    assert found["beta"]["occupation"] == pytest.approx(0.6794, abs=1e-4)
    assert found["delta"]["occupation"] == pytest.approx(1.4934, abs=1e-4)
    by_tree = reached(tada, "two.csv", "--quasi", "marital-status", *with_tree)
    assert by_tree["t"]["occupation"] == pytest.approx(0.1073, abs=1e-4)


def test_the_union_of_two_controllers_of_adult(tada, adult):
    options = [adult, "--quasi", QUASI, "--sensitive", "income", "-k", "10", "--controller-column", "sex", "--rows-are-people", "--method", "mondrian"]
    own = json.loads(tada("anonymize", *options, "--closeness", "0.1", "--keep", "sex", "-o", "own.csv", "--json").stdout)
    assert all(part["reached"]["t"]["income"] <= 0.1 for part in own["controllers"])
    assert 0.1 < own["reached"]["t"]["income"] <= 0.2353  # T + .135244, the distance of the women from all
    said = tada("anonymize", *options, "--closeness", "0.1", "--reference", "table", "-o", "all.csv", code=4).stderr
    assert "Controller Female" in said and "smallest possible t=0.1353" in said
    all_of = json.loads(tada("anonymize", *options, "--closeness", "0.1353", "--reference", "table", "-o", "all.csv", "--json").stdout)
    assert all_of["reached"]["t"]["income"] <= 0.1353


@pytest.fixture
def sites(tada):
    """Two hospitals with diseases of their own; three of five people have flu."""
    rows = [(20 + i, "north", "flu" if i % 5 < 4 else "hiv", 100 + i % 7, f"p{i // 2}") for i in range(60)]
    rows += [(20 + i, "south", "flu" if i % 5 < 2 else "hiv", 300 + i % 9, f"q{i // 2}") for i in range(60)]
    return table(tada, "sites.csv", "age,site,ill,pay,who", rows)


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (["--closeness", "{}", "--reference", "table", "--controller-column", "site"], "t"),
        (["--likeness", "{}:basic", "--reference", "table", "--controller-column", "site"], "beta"),
        (["--disclosure", "{}", "--reference", "table", "--controller-column", "site"], "delta"),
        (["--alpha", "{}"], "alpha"),
        (["--alpha", "{}:hiv"], "alpha"),
        (["--max-risk", "{}", "--sampling", "0.5"], "max-risk"),
    ],
)
def test_the_smallest_limit_that_is_named_works(tada, sites, asked, named):
    roles = ["--quasi", "age", "--sensitive", "ill", "-k", "2", "--rows-are-people"]
    said = tada("anonymize", sites, *roles, *(word.format("0.001") for word in asked), "-o", "x.csv", code=4).stderr
    limits = re.findall(rf"\b{named}=([0-9.]+[0-9])", said.split("smallest possible", 1)[1])
    assert limits, said
    limit = max(limits, key=float)  # of the controller that needs most
    tada("anonymize", sites, *roles, *(word.format(limit) for word in asked), "-o", "x.csv")
    below = f"{float(limit) - 0.0001:.4f}"
    tada("anonymize", sites, *roles, *(word.format(below) for word in asked), "-o", "y.csv", code=4)


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (["-k", "{}"], "k"),
        (["-k", "{}", "--person", "who"], "k"),
        (["-k", "2", "-l", "{}"], "l"),
        (["-k", "2", "--spread", "pay={}"], "spread"),
        (["-k", "2", "--spread", "pay={}:variance"], "spread"),
    ],
)
def test_the_largest_limit_that_is_named_works(tada, sites, asked, named):
    people = [] if "--person" in asked else ["--rows-are-people"]
    roles = ["--quasi", "age", "--sensitive", "pay:numeric", *people]
    said = tada("anonymize", sites, *roles, *(word.format("99999") for word in asked), "-o", "x.csv", code=4).stderr
    limit = re.search(rf"largest possible .*?\b{named}=([0-9.]*[0-9])", said)
    assert limit, said
    tada("anonymize", sites, *roles, *(word.format(limit[1]) for word in asked), "-o", "x.csv")
