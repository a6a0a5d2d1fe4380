"""Policies: what a profile sets, what it refuses, what the report says of it; and the report's answers to a regulator."""

import json

import pytest

from conftest import write_csv

ROLES = ["--quasi", "age,zip:categorical,sex", "--sensitive", "disease"]


def people(count=120):
    return [
        {
            "age": str(20 + i * 13 % 79),
            "zip": ["03601", "10115", "10117", "90210"][i % 4],
            "sex": "mf"[i % 2],
            "born": f"{1930 + i % 70}-0{1 + i % 9}-1{i % 9}",
            "city": ["Aville", "Btown", "Cford", "Dham", "Eport", "Fton", "Gbury", "Hdale", "Iwick", "Jstad", "Kholm"][i % 11],
            "disease": ["flu", "gout", "cold"][i % 3],
        }
        for i in range(count)
    ]


def classes(rows):
    sizes = {}
    for row in rows:
        key = row["age"], row["zip"], row["sex"]
        sizes[key] = sizes.get(key, 0) + 1
    return sizes


@pytest.mark.parametrize(("profile", "k"), [("cms", 11), ("risk:0.09", 12), ("risk:0.2", 5), ("risk:1", 5)])
def test_profiles_set_k(tada, profile, k):
    tada.write("in.csv", write_csv(people()))
    tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--profile", profile, "--report", "out.json")
    report = json.loads((tada.folder / "out.json").read_text())
    assert report["requirement"]["k"] == k and min(classes(tada.read("out.csv")).values()) >= k
    assert report["policy"][0] == f"Profile {profile}"
    tada("audit", "out.csv", *ROLES, "--profile", profile)


def test_weaker_requirements_are_refused(tada):
    tada.write("in.csv", write_csv(people()))
    told = tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--profile", "cms", "-k", "5", code=2)
    assert "-k 5 is below what --profile cms asks for" in told.stderr
    tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "-k", "5")
    tada("audit", "out.csv", *ROLES, "--profile", "cms", code=1)
    assert "risk:" in tada("anonymize", "in.csv", "-o", "x.csv", *ROLES, "--profile", "risk:2", code=2).stderr
    assert "hipaa-safe-harbor" in tada("anonymize", "in.csv", "-o", "x.csv", *ROLES, "--profile", "hippa", code=2).stderr


def test_safe_harbor_changes_cells_and_checks_them(tada):
    tada.write("in.csv", write_csv(people()))
    roles = [*ROLES[:1], "age,zip:categorical,sex,born", *ROLES[2:], "-k", "5"]
    tada("anonymize", "in.csv", "-o", "out.csv", *roles, "--profile", "hipaa-safe-harbor", "--report", "out.html")
    text = (tada.folder / "out.csv").read_text()
    for seen in ("03601", "036", "10115", "-01"):
        assert seen not in text, seen
    assert not any(age in row["age"] for row in tada.read("out.csv") for age in ("91", "98"))
    page = (tada.folder / "out.html").read_text()
    assert "certifies nothing" in page and "Ages of 90 and more are one cell" in page
    tada("audit", "out.csv", "--original", "in.csv", *roles, "--profile", "hipaa-safe-harbor")
    tada("anonymize", "in.csv", "-o", "raw.csv", *roles)
    told = tada("audit", "raw.csv", *roles, "--profile", "hipaa-safe-harbor", code=1).stdout
    words = " ".join(told.split())
    assert "shows dates finer than a year" in words and "shows ZIP codes" in words and "shows ages above 90" in words
    told = tada("anonymize", "in.csv", "-o", "x.csv", *roles, "--keep", "city", "--allow", "city", "--profile", "hipaa-safe-harbor", code=2)
    assert "--allow" in told.stderr
    told = tada("anonymize", "in.csv", "-o", "x.csv", "--quasi", "age,city", "-k", "5", "--profile", "hipaa-safe-harbor", code=2)
    assert "'city'" in told.stderr


def test_a_team_has_its_own_policy(tada):
    tada.write("in.csv", write_csv(people()))
    tada.write("team.toml", 'name = "registry"\nk = 7\nl = 2\ntop-ages = true\n')
    tada("anonymize", "in.csv", "-o", "out.csv", *ROLES, "--profile", "team.toml", "--report", "out.json")
    report = json.loads((tada.folder / "out.json").read_text())
    assert report["requirement"]["k"] == 7 and report["requirement"]["l"] == 2 and report["policy"][0] == "Profile registry"
    assert "k is at least 7" in report["policy"]
    tada.write("team.toml", "kk = 7\n")
    assert "team.toml:1" in tada("anonymize", "in.csv", "-o", "x.csv", *ROLES, "--profile", "team.toml", code=2).stderr


def test_the_report_answers_a_regulator(tada):
    tada.write("in.csv", write_csv(people()))
    tada.write("tada.toml", 'quasi = ["age", "zip:categorical", "sex"]\nsensitive = ["disease"]\nk = 5\nl = 2\n\n[about]\n'
               'purpose = "A study of gout"\nlegal-basis = "Consent"\nrecipient = "University"\nauthor = "A. Nobody"\nretention = "5 years"\n')
    tada("anonymize", "in.csv", "--plan", "tada.toml", "-o", "out.csv", "--report", "out.html")
    page = (tada.folder / "out.html").read_text()
    for words in ("A study of gout", "Legal basis", "Can somebody be singled out?", "Can records of a person be linked?",
                  "Can something about somebody be inferred?", "Not checked.", "Approved for release by", "SHA-256"):
        assert words in page, words
    assert "before and after" not in page
    tada("anonymize", "in.csv", "--plan", "tada.toml", "-o", "out.csv", "--report", "out.json", "--force")
    report = json.loads((tada.folder / "out.json").read_text())
    assert report["purpose"]["legal-basis"] == "Consent" and len(report["regulator"]) == 3
    assert "before" not in report["columns"][0] and "[about]" in report["plan"]
    tada("anonymize", "in.csv", "--plan", "tada.toml", "-o", "out.csv", "--report", "raw.json", "--report-raw", "--force")
    age = json.loads((tada.folder / "raw.json").read_text())["columns"][0]
    ages = [int(row["age"]) for row in people()]
    assert age["before"]["mean"] == pytest.approx(sum(ages) / len(ages))
    assert age["after"]["mean"] == pytest.approx(age["before"]["mean"], rel=0.2)
    tada.write("bad.toml", 'quasi = ["age"]\n[about]\npurpse = "x"\n')
    assert "purpose" in tada("anonymize", "in.csv", "--plan", "bad.toml", "-o", "x.csv", code=2).stderr
