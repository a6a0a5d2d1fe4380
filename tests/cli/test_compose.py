"""tada compose: what two releases give away together. The answers are counted by hand."""

import json

NORTH = 'age,zip,disease,who\n"[20,30]",1,flu,p1\n"[20,30]",1,hiv,p2\n"[31,40]",1,flu,p3\n"[31,40]",1,cold,p4\n'
SOUTH = 'age,zip,disease,who\n"[25,35]",1,hiv,p2\n"[25,35]",1,cold,p4\n"[50,60]",2,flu,q1\n"[50,60]",2,cold,q2\n'
ASKED = ["--quasi", "age,zip", "--sensitive", "disease", "-k", "2", "-l", "2"]


def test_two_good_releases_break_together(tada):
    tada.write("north.csv", NORTH)
    tada.write("south.csv", SOUTH)
    for name in ["north.csv", "south.csv"]:
        tada("audit", name, *ASKED)
    answer = json.loads(tada("compose", "north.csv", "south.csv", *ASKED, "--json", code=1).stdout)
    assert answer["passed"] is False and answer["k"] == 1 and answer["l"] == 1
    assert answer["regions"] == {"all": 2, "below": 2, "below_k": 2, "below_l": 2, "by_l": [[1, 2]]}
    by_key = json.loads(tada("compose", "north.csv", "south.csv", *ASKED, "--overlap-key", "who", "--json", code=1).stdout)
    assert by_key["people"] == {"in_several": 2, "below": 2, "changed": 0}
    assert by_key["worst"][0]["person"] == "p2" and by_key["worst"][0]["values_left"] == {"disease": ["hiv"]}
    text = tada("compose", "north.csv", "south.csv", *ASKED, "--overlap-key", "who", code=1).stdout
    assert text.startswith("FAILED") and "p2" in text and "[20,30]" in text


def test_releases_of_different_people_keep_the_requirement(tada):
    tada.write("north.csv", NORTH)
    tada.write("far.csv", 'age,zip,disease,who\n"[20,30]",9,flu,r1\n"[20,30]",9,hiv,r2\n')
    assert tada("compose", "north.csv", "far.csv", *ASKED).stdout.startswith("PASSED")
    assert "Nobody" in tada("compose", "north.csv", "far.csv", *ASKED, "--overlap-key", "who").stdout


def test_what_is_wrong_is_named(tada):
    tada.write("north.csv", NORTH)
    tada.write("south.csv", SOUTH)
    assert "argument" in tada("compose", "north.csv", *ASKED, code=2).stderr
    assert "nobody" in tada("compose", "north.csv", "south.csv", *ASKED, "--overlap-key", "nobody", code=2).stderr
    assert "'age'" in tada("compose", "north.csv", "south.csv", "--quasi", "agee", code=2).stderr
    tada.write("twice.csv", NORTH.replace("p3", "p1"))
    assert "p1" in tada("compose", "twice.csv", "south.csv", *ASKED, "--overlap-key", "who", code=3).stderr
    tada("compose", "north.csv", "nowhere.csv", *ASKED, code=3)


def test_a_person_in_two_releases_is_seen_however_they_write_their_cells(tada):
    tada("demo", "--write", "people.csv", "--rows", "2000")
    asked = ["--sensitive", "diagnosis", "-k", "40", "-l", "2"]
    for name, quasi in {"numbers.csv": "age,zip", "names.csv": "age,zip:categorical"}.items():
        tada("anonymize", "people.csv", "--quasi", quasi, *asked, "--keep", "id", "--allow", "id", "-o", name)
    run = ["compose", "numbers.csv", "names.csv", "--quasi", "age,zip", *asked, "--json"]
    by_key = json.loads(tada(*run, "--overlap-key", "id", code=1).stdout)
    by_cells = json.loads(tada(*run).stdout)
    assert by_cells["regions"]["all"] >= by_key["regions"]["all"] > 0
    assert by_cells["l"] <= by_key["l"]
    assert any("--overlap-key" in note for note in by_cells["notes"])
