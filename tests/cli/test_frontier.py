"""The joint frontier of tada advise: what every candidate promises, it keeps when it is chosen."""

import collections
import json
import random
import shlex

import pytest

QUICK = ["--validate", "none", "--baselines", "none"]


def patients(tada, rows=240, visits=1, name="people.csv"):
    draw = random.Random(7)
    lines = ["id,age,zip,job,ill,y"]
    for person in range(rows // visits):
        age, zip_code, job = draw.randint(18, 79), f"47{draw.randint(0, 9)}{draw.randint(0, 3)}0", draw.choice("abc")
        for _ in range(visits):
            ill = draw.choice(["flu", "cold", "ache", "burn"])
            lines.append(f"p{person},{age + draw.randint(0, visits - 1)},{zip_code},{job},{ill},{'yes' if age + draw.randint(-9, 9) > 50 else 'no'}")
    return tada.write(name, "\n".join(lines) + "\n")


def advise(tada, source, *options, out="advice.json"):
    hierarchies = ["--hierarchy", "age=width:10,zip=prefix"]
    tada("advise", source, "--quasi", "age,zip:categorical,job", *hierarchies, *QUICK, *options, "-o", out, "--force", timeout=300)
    return json.loads((tada.folder / out).read_text())


def objectives(advice, candidate):
    if "label" in advice:
        return (candidate["k"], candidate["accuracy"], candidate["information_gain"])
    return (candidate["k"], -candidate["ncp"], -candidate["query_error"])


def beats(a, b):
    return a != b and all(x >= y for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("label", [["--label", "y"], []], ids=["label", "none"])
def test_the_frontier_is_what_nothing_beats_and_the_others_say_what_does(tada, label):
    advice = advise(tada, patients(tada), *label)
    by_id = {candidate["id"]: candidate for candidate in advice["candidates"]}
    assert {candidate["origin"] for candidate in by_id.values()} >= {"vector", "method"} and len(by_id) == len(advice["candidates"])
    points = {name: objectives(advice, candidate) for name, candidate in by_id.items()}
    for name, candidate in by_id.items():
        beaten = any(beats(other, points[name]) for other in points.values())
        assert candidate["frontier"] == (not beaten and "same_as" not in candidate), name
        assert ("beaten_by" in candidate) == beaten
        if beaten:
            assert by_id[candidate["beaten_by"]]["frontier"] and beats(points[candidate["beaten_by"]], points[name])
    assert 1 <= len(advice["places"]) <= 3 and all(by_id[place["id"]]["k"] >= advice["needed_k"] for place in advice["places"])
    assert advice["places"][0]["name"] == "Most useful"
    assert all(rule["id"] in by_id for rule in advice["rules"])


def released_k(tada, file, who=None):
    """The smallest class of a file; `who` has the person of each row where rows are in the order of the input."""
    classes = collections.defaultdict(set)
    for i, row in enumerate(tada.read(file)):
        classes[row["age"], row["zip"], row["job"]].add(i if who is None else who[i])
    return min(map(len, classes.values()))


def test_a_chosen_candidate_has_its_k_and_the_bytes_of_its_command(tada):
    source = patients(tada)
    advice = advise(tada, source, "--label", "y", "--sensitive", "ill", "-l", "2")
    kinds = collections.defaultdict(list)
    for candidate in advice["candidates"]:
        kinds[candidate["method"], candidate["origin"], candidate.get("suppress")].append(candidate)
    assert {kind[0] for kind in kinds} >= {"levels", "mondrian", "ta_da", "infogain", "compact", "datafly", "optimal"}
    for same in kinds.values():
        candidate = same[len(same) // 2]
        tada("advise", "--choose", candidate["id"], "--from", "advice.json", "-o", "out.csv", "--force")
        assert released_k(tada, "out.csv") == candidate["k"], candidate
        words = shlex.split(candidate["command"])
        assert words[0] == "tada"
        tada(*words[1:], "--force")
        assert (tada.folder / words[-1]).read_bytes() == (tada.folder / "out.csv").read_bytes()
        tada("audit", "out.csv", "--original", source, "--quasi", "age,zip:categorical,job", "--sensitive", "ill", "-k", candidate["k"], "-l", "2",
             "--hierarchy", "age=width:10,zip=prefix", "--method", "levels")  # fmt: skip


@pytest.mark.parametrize("how", ["together", "apart"])
def test_people_with_several_rows_are_counted(tada, how):
    source = patients(tada, visits=2)
    who = [row["id"] for row in tada.read("people.csv")]
    advice = advise(tada, source, "--label", "y", "--person", f"id:{how}")
    assert {candidate["origin"] for candidate in advice["candidates"]} >= {"vector", "method"}
    draw = random.Random(1)
    for candidate in draw.sample(advice["candidates"], 6):
        words = shlex.split(candidate["command"])
        tada(*words[1:], "--keep-order", "--force")  # in the order of the input, so that rows can be counted by person
        assert released_k(tada, words[-1], who) == candidate["k"], candidate
        tada("advise", "--choose", candidate["id"], "--from", "advice.json", "-o", "out.csv", "--force")


def test_every_candidate_meets_everything_that_is_asked(tada):
    source = patients(tada, rows=400)
    advice = advise(tada, source, "--sensitive", "ill", "--closeness", "0.25", "-l", "2")
    assert advice["candidates"]
    for candidate in [one for one in advice["candidates"] if one["frontier"]][::3]:
        tada("advise", "--choose", candidate["id"], "--from", "advice.json", "-o", "out.csv", "--force")
        tada("audit", "out.csv", "--original", source, "--quasi", "age,zip:categorical,job", "--sensitive", "ill", "--closeness", "0.25", "-l", "2",
             "-k", candidate["k"], "--hierarchy", "age=width:10,zip=prefix", "--method", "levels")  # fmt: skip


def test_groups_formed_by_labels_are_not_judged_by_them(tada):
    draw = random.Random(2)
    rows = "".join(f"{draw.randint(0, 999)},{draw.randint(0, 999)},{draw.choice('pq')}\n" for _ in range(600))
    tada.write("noise.csv", "a,b,y\n" + rows)
    tada("advise", "noise.csv", "--label", "y", *QUICK, "--methods", "ta_da,infogain", "-o", "advice.json")
    advice = json.loads((tada.folder / "advice.json").read_text())
    guided = [candidate["accuracy"] for candidate in advice["candidates"] if candidate["origin"] == "method"]
    assert guided and max(guided) < 0.6  # nothing can be predicted; inside groups that were formed by labels it looks like .8


def test_what_is_asked_of_methods_is_checked(tada):
    source = patients(tada)
    assert "does not exist" in tada("advise", source, "--methods", "mondrain", code=2).stderr
    assert "no method of its own" in tada("advise", source, "--methods", "levels", code=2).stderr
    none = advise(tada, source, "--methods", "none")
    assert {candidate["method"] for candidate in none["candidates"]} == {"levels"}


def test_candidates_are_the_same_at_any_number_of_threads(tada):
    source = patients(tada)
    one, two = (advise(tada, source, "--label", "y", "--threads", str(threads), out=f"{threads}.json") for threads in (1, 3))
    assert one["candidates"] == two["candidates"] and one["places"] == two["places"]
