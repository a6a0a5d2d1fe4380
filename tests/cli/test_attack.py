"""tada attack: the figures fall as k and l rise, on other tools' files too, and the command keeps the exit codes."""

import json

import pytest

ADULT = "adult/adult_train_complete.csv"
ROLES = ["--quasi", "age,sex,race,marital-status,education,native-country,workclass", "--sensitive", "occupation"]
PEOPLE = "age,zip,disease\n20,1,flu\n21,1,flu\n30,1,hiv\n31,1,cold\n"
RELEASE = 'age,zip,disease\n20-21,1,flu\n20-21,1,flu\n"[30,31]",1,hiv\n"[30,31]",1,cold\n'
ASKED = ["--original", "people.csv", "--quasi", "age,zip", "--sensitive", "disease"]


def test_figures_fall_from_raw_to_k_to_l(tada, data):
    def attack(release):
        answer = json.loads(tada("attack", release, "--original", data / ADULT, *ROLES, "--json").stdout)
        return answer["all"]["reidentification"]["prosecutor"], answer["all"]["disclosure"][0], answer["all"]["membership"]

    for k, l in [(10, 1), (10, 3)]:
        tada("anonymize", data / ADULT, *ROLES, "--label", "income", "--method", "mondrian", "-k", k, "-l", l, "-o", f"{k}_{l}.csv")
    raw, k10, l3 = attack(data / ADULT), attack("10_1.csv"), attack("10_3.csv")
    assert raw[0]["highest"] == 1 and k10[0]["highest"] <= 0.1 and l3[0]["highest"] <= 0.1
    assert raw[0]["average"] > k10[0]["average"] >= l3[0]["average"] > 0
    assert raw[1]["gain"] > k10[1]["gain"] >= l3[1]["gain"] > 0
    assert raw[1]["certain"] > k10[1]["certain"] > l3[1]["certain"] == 0
    assert raw[2]["advantage"] > k10[2]["advantage"] > 0


def test_the_answer_counted_by_hand(tada):
    tada.write("people.csv", PEOPLE)
    tada.write("release.csv", RELEASE)
    answer = json.loads(tada("attack", "release.csv", *ASKED, "--json").stdout)["all"]
    assert answer["reidentification"]["prosecutor"] == {"highest": 0.5, "average": 0.5}
    assert answer["disclosure"] == [{"column": "disease", "guessed": 0.75, "baseline": 0.5, "gain": 0.25, "certain": 0.5}]
    text = tada("attack", "release.csv", *ASKED, "--subsets", "1").stdout
    assert "+25.00%" in text and "Who knows less (2 sets" in text


def test_a_report_with_charts(tada):
    tada.write("people.csv", PEOPLE)
    tada.write("release.csv", RELEASE)
    tada("attack", "release.csv", *ASKED, "--subsets", "1", "--report", "attack.html")
    page = (tada.folder / "attack.html").read_text()
    assert page.count('<svg class="chart wide"') == page.count('<svg class="chart narrow"') >= 5 and "Not for publication" in page
    assert "exists" in tada("attack", "release.csv", *ASKED, "--report", "attack.html", code=5).stderr


def test_what_is_wrong_is_named(tada):
    tada.write("people.csv", PEOPLE)
    tada.write("release.csv", RELEASE)
    assert "--original" in tada("attack", "release.csv", "--quasi", "age", code=2).stderr
    assert "'age'" in tada("attack", "release.csv", "--original", "people.csv", "--quasi", "agee", code=2).stderr
    assert ".html" in tada("attack", "release.csv", *ASKED, "--report", "attack.txt", code=2).stderr
    tada("attack", "nowhere.csv", *ASKED, code=3)


def test_a_sample_of_the_people_changes_nothing_for_the_journalist(tada):
    roles = ["--quasi", "age,zip,sex", "--sensitive", "diagnosis"]
    tada("demo", "--write", "people.csv", "--rows", "2000")
    tada("anonymize", "people.csv", *roles, "-k", "10", "-l", "3", "-o", "out.csv")

    def journalist(*options):
        run = ["attack", "out.csv", "--original", "people.csv", *roles, "--json", *options]
        return json.loads(tada(*run).stdout)["all"]["reidentification"]["journalist"]

    everybody = journalist()
    assert everybody["highest"] <= 0.1
    assert journalist("--people", "200") == pytest.approx(everybody)
    assert journalist("--people", "200", "--population", "people.csv") == pytest.approx(everybody)


def test_a_file_without_rows_is_named(tada):
    tada.write("people.csv", PEOPLE)
    tada.write("release.csv", RELEASE)
    tada.write("empty.csv", "age,zip,disease\n")
    assert "empty.csv" in tada("attack", "release.csv", *ASKED, "--population", "empty.csv", code=3).stderr
    assert "empty.csv" in tada("attack", "empty.csv", *ASKED, code=3).stderr
    assert "empty.csv" in tada("attack", "release.csv", "--original", "empty.csv", *ASKED[2:], code=3).stderr
