"""Several data controllers: each is anonymized and audited by itself, with its own requirement, and the union too."""

import json

from conftest import write_csv
from releases import reached


def hospitals(rows_a=120, rows_b=60):
    people = []
    for number in range(rows_a + rows_b):
        at_a = number < rows_a
        people.append(
            {
                "age": str(20 + number * 7 % 60),
                "job": ["cook", "clerk", "smith"][number % 3],
                "disease": ["flu", "asthma", "cancer", "cold"][number * 5 // 3 % 4],
                "ill": "yes" if number * 7 % 60 > 30 else "no",
                "hospital": "hospital_a" if at_a else "hospital_b",
            }
        )
    return write_csv(people)


ROLES = ["--quasi", "age,job", "--sensitive", "disease", "--label", "ill", "-l", "2"]
PLAN = """
quasi = ["age", "job"]
sensitive = ["disease"]
label = ["ill"]
keep = ["hospital"]
controller-column = "hospital"
k = 4
l = 2

[controllers.hospital_a]
k = 10
l = 3
"""


def test_each_controller_reaches_its_own_requirement(tada):
    tada.write("people.csv", hospitals())
    tada.write("tada.toml", PLAN)
    printed = tada("anonymize", "people.csv", "--plan", "tada.toml", "-o", "out.csv", "--report", "report.json").stdout
    assert "hospital_a" in printed and "hospital_b" in printed
    rows = tada.read("out.csv")
    for name, k, l in [("hospital_a", 10, 3), ("hospital_b", 4, 2)]:
        k_reached, l_reached = reached([row for row in rows if row["hospital"] == name], ["age", "job"], "disease")
        assert k_reached >= k and l_reached >= l
    report = json.loads((tada.folder / "report.json").read_text())
    assert report["requirement"]["k"] == 4 and report["requirement"]["l"] == 2  # what the union is held to
    by_name = {part["name"]: part for part in report["controllers"]}
    assert by_name["hospital_a"]["requirement"] == {"k": 10, "l": 3, "diversity": "distinct"}
    assert by_name["hospital_a"]["reached"]["k"] >= 10 and by_name["hospital_a"]["reached"]["rows"] == 120
    assert by_name["hospital_b"]["reached"]["k"] >= 4 and all(part["passed"] for part in report["controllers"])


def test_the_controller_that_cannot_is_named(tada):
    tada.write("people.csv", hospitals(rows_b=7))
    tada.write("tada.toml", PLAN.replace("hospital_a]", "hospital_b]"))
    result = tada("anonymize", "people.csv", "--plan", "tada.toml", "-o", "out.csv", code=4)
    assert "hospital_b" in result.stderr and "hospital_a" not in result.stderr
    assert not (tada.folder / "out.csv").exists()


def test_a_controller_that_is_not_there_is_refused(tada):
    tada.write("people.csv", hospitals())
    tada.write("tada.toml", PLAN.replace("hospital_a]", "hospital_x]"))
    result = tada("anonymize", "people.csv", "--plan", "tada.toml", "-o", "out.csv", code=2)
    assert "hospital_x" in result.stderr and "hospital_b" not in result.stderr
    shown = tada("anonymize", "people.csv", "--plan", "tada.toml", "-o", "out.csv", "--show-values", code=2)
    assert "hospital_b" in shown.stderr


def test_explanations_of_all_controllers_fit_one_report(tada):
    tada.write("people.csv", hospitals())
    tada("anonymize", "people.csv", *ROLES, "--controllers", "3", "-o", "out.csv", "--report", "report.json", "--report-raw")
    report = json.loads((tada.folder / "report.json").read_text())
    assert [part["name"] for part in report["controllers"]] == ["1", "2", "3"]
    assert sum(part["reached"]["rows"] for part in report["controllers"]) == 180
    assert sorted(report["tree"]) == ["1", "2", "3"]
    tada("anonymize", "people.csv", *ROLES, "--controllers", "3", "-o", "again.csv", "--report", "report.html", "--report-raw")
    page = (tada.folder / "report.html").read_text()
    assert "Data controllers" in page and "(controller 2)" in page
    assert (tada.folder / "out.csv").read_bytes() == (tada.folder / "again.csv").read_bytes()


def test_one_controller_needs_no_list(tada):
    tada.write("people.csv", hospitals())
    tada("anonymize", "people.csv", *ROLES, "-o", "out.csv", "--report", "report.json")
    assert "controllers" not in json.loads((tada.folder / "report.json").read_text())


def test_the_largest_k_and_l_named_are_those_of_the_weakest_controller(tada):
    rows = [f"{20 + i},{'xyz'[i % 3]},large" for i in range(10)] + ["30,x,few", "31,y,few"] + [f"{40 + i},x,alike" for i in range(6)]
    (tada.folder / "people.csv").write_text("age,s,c\n" + "\n".join(rows) + "\n")
    asked = ["anonymize", "people.csv", "--quasi", "age", "--sensitive", "s", "--controller-column", "c", "-o", "out.csv"]
    few = tada(*asked, "-k", "20", code=4).stderr
    assert "Controller few" in few and "largest possible k=2" in few and "at most 2" in few
    both = tada(*asked, "-k", "3", "-l", "2", code=4).stderr
    assert "largest possible k=2, l=2" in both and "Controller alike" in both and "l=1" in both


def test_an_audit_by_the_plan_asks_what_the_plan_asked(tada):
    tada.write("people.csv", "age,h\n" + "".join(f"{20 + i % 30},{'h1' if i < 6 else 'h2'}\n" for i in range(60)))
    tada.write("plan.toml", 'quasi = ["age"]\ncontroller-column = "h"\nk = 10\n[controllers.h1]\nk = 2\n')
    tada("anonymize", "people.csv", "--plan", "plan.toml", "-o", "out.csv")
    tada("audit", "out.csv", "--original", "people.csv", "--plan", "plan.toml")  # the weakest of them
    assert "asked" in tada("audit", "out.csv", "--plan", "plan.toml", "-k", "10", code=1).stdout  # what the line asks is asked of all


def test_a_kept_controller_column_is_audited_by_controller(tada):
    tada.write("out.csv", "age,h\n" + "30,h1\n" * 2 + "30,h2\n")
    answer = tada("audit", "out.csv", "--quasi", "age", "--keep", "h", "--controller-column", "h", "-k", "3", "--json", code=1)
    assert "Controller h1" in answer.stdout and "Controller h2" in answer.stdout
    tada("audit", "out.csv", "--quasi", "age", "--keep", "h", "-k", "3")


def test_a_release_of_one_controller_is_asked_what_that_one_asks(tada):
    tada.write("out.csv", "age,h\n" + "30,h1\n" * 3)
    tada.write("plan.toml", 'quasi = ["age"]\nkeep = ["h"]\ncontroller-column = "h"\nk = 2\n[controllers.h1]\nk = 4\n[controllers.h2]\nk = 3\n')
    assert tada("audit", "out.csv", "--plan", "plan.toml", code=1).stdout.count("also audited") == 0  # h1 asks for 4, h2 is not there
    tada.write("out.csv", "age,h\n" + "30,h1\n" * 4)
    tada("audit", "out.csv", "--plan", "plan.toml")


def test_controllers_may_count_diversity_differently(tada):
    tada.write("people.csv", "a,h,s\n" + "1,h1,x\n1,h1,y\n" * 4 + "1,h2,x\n" * 9 + "1,h2,y\n")
    tada.write("plan.toml", 'quasi = ["a"]\nsensitive = ["s"]\ncontroller-column = "h"\nk = 3\nl = 2\n[controllers.h1]\ndiversity = "entropy"\n')
    tada("anonymize", "people.csv", "--plan", "plan.toml", "-o", "out.csv")
