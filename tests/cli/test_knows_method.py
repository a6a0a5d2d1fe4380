"""tada attack --knows-method: what somebody learns who knows how a release was made (docs/attack.md)."""

import json
import random

import pytest

from conftest import write_csv

EXAMPLE = "age,s\n20,hiv\n20,hiv\n30,flu\n30,cold\n30,cough\n"


def attack(tada, release, *options, original="in.csv"):
    return json.loads(tada("attack", release, "--original", original, "--json", "--knows-method", *options).stdout)["knows_method"]


@pytest.mark.parametrize("method", ["mondrian", "dop"])
def test_the_example_of_minimality(tada, method):
    tada.write("in.csv", EXAMPLE)
    roles = ["--quasi", "age", "--sensitive", "s", "-k", "2", "-l", "2", "--method", method]
    tada("anonymize", "in.csv", *roles, "-o", "out.csv")
    found = attack(tada, "out.csv", *roles)["minimality"][0]
    assert found["belief_highest"] == 1 and found["belief"] > found["blind"] + 0.2
    assert found["blind"] == pytest.approx((2 * 2 / 5 + 3 / 5) / 5, abs=0.05)
    tada("anonymize", "in.csv", *roles, "--safe", "5", "-o", "safe.csv")
    safe = attack(tada, "safe.csv", *roles, "--safe", "5")["minimality"][0]
    assert safe["gain"] == pytest.approx(0, abs=0.01) and safe["belief_highest"] < 0.5


def test_k_alone_tells_nothing(tada):
    draw = random.Random(2)
    tada.write("in.csv", write_csv([{"age": str(draw.randint(20, 60)), "s": draw.choice("abcd")} for _ in range(80)]))
    roles = ["--quasi", "age", "--sensitive", "s", "-k", "4"]
    tada("anonymize", "in.csv", *roles, "-o", "out.csv")
    assert attack(tada, "out.csv", *roles)["minimality"][0]["gain"] == pytest.approx(0, abs=0.01)


def test_which_bounds_are_values(tada):
    draw = random.Random(3)
    tada.write("in.csv", write_csv([{"pay": str(draw.randint(1000, 9000)), "job": draw.choice("abcdefgh"), "s": draw.choice("abcd")} for _ in range(120)]))
    roles = ["--quasi", "pay,job", "--sensitive", "s", "-k", "4"]
    for bounds in ("tight", "cut"):
        tada("anonymize", "in.csv", *roles, "--range", bounds, "-o", f"{bounds}.csv")
    tight = {found["column"]: found for found in attack(tada, "tight.csv", *roles)["narrowing"]}
    cut = {found["column"]: found for found in attack(tada, "cut.csv", *roles, "--range", "cut")["narrowing"]}
    assert all(found["tight"] and found["values"] == found["bounds"] and found["bits"] > 0 for found in tight.values()) and set(tight) == {"pay", "job"}
    assert cut["pay"]["values"] < cut["pay"]["bounds"] / 10 and cut["pay"]["bits"] == 0


def test_two_people_in_an_interval_are_its_ends(tada):
    """Two people in [20,30], four ages possible (20, 25, 28, 30): 16 ways, 2 of which use both ends; 3 bits for two people."""
    tada.write("in.csv", "age\n20\n30\n25\n28\n")
    tada.write("out.csv", 'age\n"[20,30]"\n"[20,30]"\n"[25,28]"\n"[25,28]"\n')
    found = attack(tada, "out.csv", "--quasi", "age:numeric", "-k", "2")["narrowing"][0]
    assert (found["bounds"], found["values"]) == (4, 4)
    assert found["bits"] == pytest.approx((3 + 1) / 4)  # [25,28]: 4 ways, 2 of which use both


def test_other_tools_files_and_methods_that_do_not_cut(tada):
    tada.write("in.csv", EXAMPLE)
    tada.write("other.csv", "age,s\n20-30,hiv\n20-30,hiv\n20-30,flu\n20-30,cold\n20-30,cough\n")
    roles = ["--quasi", "age:numeric", "--sensitive", "s", "-k", "2", "-l", "2"]
    assert attack(tada, "other.csv", *roles, "--method", "mondrian")["minimality"][0]["belief_highest"] == 1
    done = json.loads(tada("attack", "other.csv", "--original", "in.csv", *roles, "--json", "--knows-method", "--method", "compact").stdout)
    assert done["knows_method"]["minimality"] == [] and any("not measured" in note for note in done["notes"])


def test_the_page_shows_it(tada):
    tada.write("in.csv", EXAMPLE)
    roles = ["--quasi", "age", "--sensitive", "s", "-k", "2", "-l", "2", "--method", "mondrian"]
    tada("anonymize", "in.csv", *roles, "-o", "out.csv")
    said = tada("attack", "out.csv", "--original", "in.csv", *roles, "--knows-method", "--report", "a.html").stdout
    assert "running the method again" in said and "somebody's value" in said
    assert "Knowing how it was made" in (tada.folder / "a.html").read_text()
