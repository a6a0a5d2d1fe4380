"""People who have several rows: k and l count people, and nobody falls into the trap of counting rows unwarned."""

import collections
import json

import pytest

from conftest import write_csv

DISEASES = ["flu", "asthma", "cancer", "cold", "gout", "mumps", "ulcer"]


def visits(people=120, aging=True):
    """Person i has 1 + i * 7919 % 5 visits; her age grows with them."""
    rows = []
    for i in range(people):
        for j in range(1 + i * 7919 % 5):
            rows.append(
                {
                    "patient_id": f"p{i:03}",
                    "age": str(20 + i * 13 % 60 + (j if aging else 0)),
                    "zip": f"{10000 + i * 37 % 50 * 10}",
                    "sex": "mf"[i % 2],
                    "disease": DISEASES[(i + 3 * j) % len(DISEASES)],
                }
            )
    return rows


ROLES = ["--quasi", "age,zip:categorical,sex", "--sensitive", "disease", "-k", "5"]


def classes(released, rows):
    """The people of each class; rows stand in the order of the input."""
    people = collections.defaultdict(list)
    for cells, row in zip(released, rows, strict=True):
        people[cells["age"], cells["zip"], cells["sex"]].append((row["patient_id"], row["disease"]))
    return people


METHODS = ["mondrian", "ta_da", "dop", "compact", "datafly", "optimal", "topdown"]


@pytest.mark.parametrize("method", METHODS)
def test_every_class_holds_k_people_and_all_of_their_rows(tada, method):
    rows = visits()
    tada.write("in.csv", write_csv(rows))
    task = ["--task", "clustering"] if method in ("ta_da", "dop") else []
    tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--person", "patient_id", "--keep-order", "--method", method, *task)
    released = tada.read("out.csv")
    assert "patient_id" not in released[0]
    home = {}
    for cells, members in classes(released, rows).items():
        assert len({person for person, _ in members}) >= 5
        for person, _ in members:
            assert home.setdefault(person, cells) == cells


def test_a_value_that_everybody_has_is_no_diversity(tada):
    rows = [{"patient_id": f"p{i // 2}", "age": str(i // 2), "disease": "flu" if i % 2 else DISEASES[1 + i // 2 % 6]} for i in range(40)]
    tada.write("in.csv", write_csv(rows))
    told = tada(
        "anonymize",
        "in.csv",
        "-o",
        "out.csv",
        "--quasi",
        "age",
        "--sensitive",
        "disease",
        "--person",
        "patient_id",
        "-k",
        "2",
        "-l",
        "2",
        code=4,
    )
    assert "20 people" in told.stderr


def test_apart_counts_people_and_warns(tada):
    rows = visits()
    tada.write("in.csv", write_csv(rows))
    told = tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "-l", "2", "--person", "patient_id:apart", "--keep-order", "--report", "out.json")
    assert "knows one row" in told.stderr
    for members in classes(tada.read("out.csv"), rows).values():
        assert len({person for person, _ in members}) >= 5
    report = json.loads((tada.folder / "out.json").read_text())
    assert report["requirement"]["persons"] == "apart"
    assert any("knows one row" in warning for warning in report["warnings"])
    told = tada("anonymize", "in.csv", "-o", "x.csv", *ROLES, "-l", "2", "--diversity", "entropy", "--person", "patient_id:apart", code=2)
    assert "apart" in told.stderr


def test_the_report_says_how_many_people(tada):
    tada.write("in.csv", write_csv(visits()))
    told = tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--person", "patient_id", "--report", "out.json")
    reached = json.loads((tada.folder / "out.json").read_text())["reached"]
    assert reached["people"] >= 5
    assert f"Each class holds at least {reached['people']} people" in told.stdout


def test_a_persons_column_is_never_released(tada):
    tada.write("in.csv", write_csv(visits()))
    for role in ("--keep", "--label"):
        told = tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--person", "patient_id", role, "patient_id", code=2)
        assert "never released" in told.stderr
    assert not (tada.folder / "out.csv").exists()


def test_one_row_each_gives_the_same_release(tada):
    rows = [row | {"patient_id": f"q{i}"} for i, row in enumerate(visits())]
    tada.write("in.csv", write_csv(rows))
    tada("anonymize", "in.csv", "-o", "with.csv", *ROLES, "-l", "2", "--person", "patient_id", "--keep-order")
    tada("anonymize", "in.csv", "-o", "without.csv", *ROLES, "-l", "2", "--keep-order")
    assert (tada.folder / "with.csv").read_bytes() == (tada.folder / "without.csv").read_bytes()


def test_nobody_counts_rows_for_people_unwarned(tada):
    tada.write("in.csv", write_csv(visits()))
    told = tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, code=2)
    assert "--person patient_id" in told.stderr and "--rows-are-people" in told.stderr
    assert not (tada.folder / "out.csv").exists()
    tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--rows-are-people")
    told = tada("anonymize", "-", "-o", "-", *ROLES, stdin=write_csv(visits()), code=2)
    assert "repeats" in told.stderr
    unique = [row | {"patient_id": f"q{i}"} for i, row in enumerate(visits())]
    tada.write("unique.csv", write_csv(unique))
    tada("anonymize", "unique.csv", "-o", "unique.out.csv", *ROLES)


def test_inspect_says_it_first(tada):
    tada.write("in.csv", write_csv(visits()))
    told = tada("inspect", "in.csv", "--write-plan", "tada.toml")
    assert "120 people have" in told.stdout and "--person patient_id" in told.stdout
    tada("anonymize", "in.csv", "--plan", "tada.toml", "-k", "5", "-l", "1", "-o", "out.csv")
    assert "patient_id" not in tada.read("out.csv")[0]


def test_audit_verifies_people_by_assignment_or_says_that_it_cannot(tada):
    rows = visits()
    tada.write("in.csv", write_csv(rows))
    tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--person", "patient_id", "--keep-order")
    told = tada("audit", "out.csv", "--original", "in.csv", *ROLES, "--person", "patient_id")
    assert "k (people)" in told.stdout
    told = tada("audit", "out.csv", *ROLES, "--person", "patient_id", code=6)
    assert "persons: not verified" in told.stdout
    tada("audit", "out.csv", *ROLES, "--person", "patient_id", "--allow-unverified")
    # Rows of one person that look like a crowd: k rows, one person.
    alone = [dict(rows[0], patient_id="p0") for _ in range(6)] + [dict(rows[1], patient_id=f"r{i}") for i in range(6)]
    tada.write("alone.csv", write_csv(alone))
    released = write_csv([{name: row[name] for name in ("age", "zip", "sex", "disease")} for row in alone])
    tada.write("alone.out.csv", released)
    tada("audit", "alone.out.csv", "--original", "alone.csv", *ROLES)
    told = tada("audit", "alone.out.csv", "--original", "alone.csv", *ROLES, "--person", "patient_id", code=1)
    assert "1 person, k=5 asked" in told.stdout


def test_a_trial_with_repeated_measurements_has_no_class_of_few_patients(tada):
    """A table of the shape of R's pbcseq: 312 patients, about six rows each; age and sex stay, edema changes from row to row."""
    rows = [
        {
            "id": str(i + 1),
            "age": f"{26 + i * 7 % 52 + i % 10 / 10:.1f}",
            "sex": "fm"[i % 8 == 0],
            "edema": ["0", "0.5", "1"][(i + j) % 7 // 3],
            "status": str(i % 3),
        }
        for i in range(312)
        for j in range(1 + i * 31 % 12)
    ]
    tada.write("seq.csv", write_csv(rows))
    asked = ["--quasi", "age,sex,edema", "--sensitive", "status", "-k", "5"]
    assert "--person id" in tada("anonymize", "seq.csv", "-o", "out.csv", *asked, code=2).stderr
    for mode in ("together", "apart"):
        tada("anonymize", "seq.csv", "-o", "out.csv", *asked, "--person", f"id:{mode}", "--keep-order", "--force")
        people = collections.defaultdict(set)
        for cells, row in zip(tada.read("out.csv"), rows, strict=True):
            people[cells["age"], cells["sex"], cells["edema"]].add(row["id"])
        assert min(map(len, people.values())) >= 5


def test_compose_counts_people_by_their_pseudonyms(tada):
    """Four rows of a class, but two people: an attacker who has two releases is left with two."""
    tada.write("a.csv", "age,disease,who\n1,flu,p\n1,cold,p\n1,flu,q\n1,cold,q\n")
    tada.write("b.csv", "age,disease,who\n1,cold,p\n1,flu,p\n1,flu,q\n1,cold,q\n")
    asked = ["--quasi", "age", "--sensitive", "disease", "--overlap-key", "who", "--json"]
    assert json.loads(tada("compose", "a.csv", "b.csv", *asked, "-k", "2").stdout)["k"] == 2
    assert json.loads(tada("compose", "a.csv", "b.csv", *asked, "-k", "3", code=1).stdout)["k"] == 2


def test_shares_that_only_people_decide_are_not_verified_rather_than_failed(tada):
    """Recursive l counts people; where nobody knows whose rows are whose, rows decide nothing but the number of values."""
    rows = [
        {"patient_id": "a", "age": "30", "disease": "flu"},
        {"patient_id": "a", "age": "31", "disease": "flu"},
        {"patient_id": "a", "age": "32", "disease": "flu"},
        {"patient_id": "b", "age": "30", "disease": "cold"},
        {"patient_id": "c", "age": "40", "disease": "flu"},
        {"patient_id": "d", "age": "33", "disease": "cold"},
    ]
    tada.write("in.csv", write_csv(rows))
    asked = ["--quasi", "age", "--sensitive", "disease", "--person", "patient_id", "-k", "2", "-l", "2", "--diversity", "recursive:2"]
    tada("anonymize", "in.csv", *asked, "-o", "out.csv")
    verdict = json.loads(tada("audit", "out.csv", *asked, "--json", code=6).stdout)
    assert verdict["passed"] and not verdict["verified"] and verdict["unverified"][0].startswith("persons: not verified")
    one_value = "age,disease\n" + '"[30,40]",flu\n' * 6
    tada.write("one.csv", one_value)
    tada("audit", "one.csv", *asked, code=1)  # whoever has them: there is one value only


def test_the_l_that_is_named_as_possible_is(tada):
    """With people who have several values, no value may be everybody's; values that are all missing allow no l but 1."""
    rows = [("a", "flu"), ("a", "cold"), ("b", "flu"), ("b", "gout")]
    tada.write("in.csv", write_csv([{"patient_id": who, "age": str(30 + i), "disease": what} for i, (who, what) in enumerate(rows)]))
    asked = ["anonymize", "in.csv", "--quasi", "age", "--sensitive", "disease", "--person", "patient_id", "-k", "2", "-o", "out.csv"]
    assert "2 people, largest possible k=2, l=1\n" in tada(*asked, "-l", "2", code=4).stderr
    tada(*asked, "-l", "1")
    tada.write("in.csv", write_csv([{"age": "30", "disease": "NA"}]))
    asked = ["anonymize", "in.csv", "--quasi", "age", "--sensitive", "disease", "-k", "1", "-o", "out.csv", "--force"]
    assert "1 row, largest possible k=1, l=1\n" in tada(*asked, "-l", "2", code=4).stderr
    tada(*asked, "-l", "1")


def test_a_stream_is_asked_whether_people_repeat_like_a_file(tada):
    one_row_each = "id,age,disease\n" + "".join(f"{i},{20 + i % 7},{DISEASES[i % 3]}\n" for i in range(30))
    asked = ["anonymize", "-", "--quasi", "age", "--sensitive", "disease", "-k", "3", "-o", "-"]
    released = tada(*asked, stdin=one_row_each).stdout
    assert released.startswith("age,disease\n") and released.count("\n") == 31
    several = one_row_each.replace("\n29,", "\n28,")
    assert "'id' looks like an identifier of people and repeats" in tada(*asked, stdin=several, code=2).stderr
    tada(*asked, "--rows-are-people", stdin=several)


def test_people_whose_rows_several_controllers_have_are_told_and_audited_as_they_are_kept(tada):
    """Each controller keeps its own rows of a person together; the audit asks for no more, and for no less."""
    rows = [{"patient_id": f"p{i // 4:03}", "age": str(20 + i % 37), "site": "NS"[i // 2 % 2], "sex": "mf"[i % 2]} for i in range(240)]
    tada.write("in.csv", write_csv(rows))
    asked = ["--quasi", "age,sex", "-k", "5", "--person", "patient_id", "--controller-column", "site", "--keep-order"]
    assert "60 people have rows with several controllers" in tada("anonymize", "in.csv", "-o", "out.csv", *asked).stderr
    tada("audit", "out.csv", "--original", "in.csv", *asked)
    assert "in more than one class" in tada("audit", "out.csv", "--original", "in.csv", *asked[:6], "--keep-order", code=1).stdout
    released = tada.read("out.csv")
    other = next(row for row in released if row["age"] != released[0]["age"])
    released[0].update(age="*", sex="*")
    other.update(age="*", sex="*")
    tada.write("torn.csv", write_csv(released))
    assert "in more than one class" in tada("audit", "torn.csv", "--original", "in.csv", *asked, code=1).stdout
