"""tada evaluate with methods that are not ours: finished releases, programs, functions; audited like ours."""

import json
import sys

import pytest

ROLES = ["--quasi", "age,zip:categorical,job", "--label", "disease"]
MASK = 'import csv, sys\nrows = list(csv.DictReader(open(sys.argv[1])))\nout = csv.DictWriter(open(sys.argv[2], "w"), rows[0].keys())\nout.writeheader()\n'


def evaluate(tada, people, *arguments, code=0):
    return tada("evaluate", people, *ROLES, "-k", "5", "--seeds", "2", "--learners", "tree", "--methods", "raw,mondrian", *arguments, "--json", code=code)


def summaries(run):
    return {entry["method"]: entry for entry in json.loads(run.stdout)["summary"]}


@pytest.fixture
def program(tada):
    """A program that masks everything, and one that releases rows as they are."""
    tada.write("mask.py", MASK + 'for row in rows:\n    out.writerow({**row, "age": "*", "zip": "*", "job": "*"})\n')
    tada.write("raw.py", MASK + "out.writerows(rows)\n")
    return sys.executable


@pytest.mark.parametrize("protocol", ["raw-test", "released-test"])
def test_a_program_is_a_method(tada, people, program, protocol):
    command = f"mine={program} mask.py {{input}} {{output}}"
    found = summaries(evaluate(tada, people, "--protocol", protocol, "--run", command))
    assert found["mine"]["seeds"] == 2 and found["mine"]["ncp"] == 1 and found["mine"]["reached_k"] >= 100
    assert found["mondrian"]["ncp"] < 1


def test_what_breaks_the_requirement_is_shown_as_failing(tada, people, program):
    found = summaries(evaluate(tada, people, "--run", f"theirs={program} raw.py {{input}} {{output}}", "--run", "broken=false {input} {output}"))
    assert found["theirs"]["seeds"] == 0 and "the audit fails" in found["theirs"]["problem"]
    assert found["broken"]["seeds"] == 0 and "exit status 1" in found["broken"]["problem"]
    assert found["mondrian"]["seeds"] == 2


def test_a_finished_release_is_judged(tada, people):
    tada("anonymize", people, *ROLES, "-k", "5", "--method", "mondrian", "-o", "m.csv")
    found = summaries(evaluate(tada, people, "--protocol", "released-test", "--release", "file=m.csv"))
    assert found["file"]["seeds"] == 2 and found["file"]["ncp"] == pytest.approx(found["mondrian"]["ncp"], abs=1e-6)
    assert "released-test" in evaluate(tada, people, "--release", "file=m.csv", code=2).stderr


def test_what_is_wrong_is_named(tada, people):
    assert "{output}" in evaluate(tada, people, "--run", "mine=cat {input}", code=2).stderr
    assert "--run" in evaluate(tada, people, "--run", "cat {input} {output}", code=2).stderr
    assert "mondrian" in evaluate(tada, people, "--run", "mondrian=cat {input} {output}", code=2).stderr
    assert "Python" in tada("evaluate", people, *ROLES, "--learners", "mlp", code=2).stderr
