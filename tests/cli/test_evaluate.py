"""tada evaluate: a grid from the command line: results, resuming, page, exit codes."""

import csv
import json
import sys

import pytest

from conftest import ROOT

ROLES = ["--quasi", "age,sex,zip", "--sensitive", "diagnosis", "--label", "readmitted"]
GRID = ["--methods", "raw,mondrian,ta_da", "-k", "5,20", "-l", "1,2", "--seeds", "2", "--quiet"]


@pytest.fixture
def people(tada):
    tada("demo", "--write", "people.csv", "--rows", "400")
    return "people.csv"


def rows(tada):
    with open(tada.folder / "results.csv", newline="") as file:
        return list(csv.DictReader(file))


def without_times(found):
    return [{key: value for key, value in row.items() if not key.endswith("_seconds")} for row in found]


def test_a_grid_and_its_page(tada, people):
    tada("evaluate", people, *ROLES, *GRID, "-o", "results.csv", "--report", "results.html")
    found = rows(tada)
    assert len(found) == 2 * 2 * (1 + 2 * 4)  # seeds, learners, raw and two methods at four k and l
    assert all(float(row["f1_macro"]) > 0.3 and row["problem"] == "" for row in found)
    assert all(int(row["reached_k"]) >= int(row["k"]) and int(row["reached_l"]) >= int(row["l"]) for row in found)
    page = (tada.folder / "results.html").read_text()
    assert page.count('<svg class="chart wide"') == page.count('<svg class="chart narrow"') == 4 and "aria-sort" in page and "7 5" in page
    assert "exists" in tada("evaluate", people, *ROLES, *GRID, "-o", "results.csv", code=5).stderr


def test_controllers_from_a_column_without_another_role(tada, people):
    tada("evaluate", people, "--quasi", "age,zip", "--label", "readmitted", "--controller-column", "sex", "--methods", "mondrian", "-k", "5",
         "--seeds", "2", "--quiet", "-o", "results.csv")  # fmt: skip
    assert all(row["problem"] == "" and int(row["reached_k"]) >= 5 for row in rows(tada))


def test_an_interrupted_grid_resumes(tada, people):
    tada("evaluate", people, *ROLES, *GRID, "-o", "results.csv")
    whole = rows(tada)
    text = (tada.folder / "results.csv").read_text()
    lines = text.splitlines(keepends=True)
    (tada.folder / "results.csv").write_text("".join(lines[:20]) + lines[20][:30])  # stopped while writing
    tada("evaluate", people, *ROLES, *GRID, "-o", "results.csv", "--resume")
    assert without_times(rows(tada)) == without_times(whole)
    kept = [row for row in rows(tada) if row in whole]
    assert len(kept) >= 18  # with their times: they were not run again


def test_json_and_statistics(tada, people):
    answer = json.loads(tada("evaluate", people, *ROLES, *GRID, "--json", "--learners", "bayes,svm").stdout)
    assert answer["protocol"] == "raw-test" and answer["metric"] == "f1_macro"
    one = next(entry for entry in answer["summary"] if entry["method"] == "ta_da")
    assert one["against_baseline"] in ("win", "tie", "loss") and one["low"] <= one["mean"] <= one["high"]


def test_clustering_and_regression(tada, people):
    clusters = json.loads(
        tada(
            "evaluate", people, "--quasi", "age,sex,zip,hours", "--task", "clustering", "--methods", "raw,mondrian", "-k", "10", "--seeds", "1", "--json"
        ).stdout
    )
    assert [entry["mean"] for entry in clusters["summary"] if entry["method"] == "raw"] == [1, 1]
    numbers = json.loads(
        tada("evaluate", people, "--quasi", "age,sex,job", "--label", "income", "--methods", "raw,mondrian", "-k", "10", "--seeds", "2", "--json").stdout
    )
    assert numbers["metric"] == "r2" and [entry["learner"] for entry in numbers["summary"]] == ["tree"] * 2 + ["ridge"] * 2
    assert all(entry["mean"] > 0 for entry in numbers["summary"] if entry["method"] == "raw")


def test_what_is_wrong_is_named(tada, people):
    assert "mondrian" in tada("evaluate", people, *ROLES, "--methods", "mondriaan", code=2).stderr
    assert "--label" in tada("evaluate", people, "--quasi", "age", "--methods", "mondrian", code=2).stderr
    assert "--sensitive" in tada("evaluate", people, "--quasi", "age", "--label", "sex", "-l", "2", code=2).stderr
    assert "forest" in tada("evaluate", people, *ROLES, "--learners", "forest", code=2).stderr
    assert "-k" in tada("evaluate", people, *ROLES, "-k", "2,x", code=2).stderr
    tada("evaluate", people, *ROLES, "--methods", "mondrian", "-k", "10000", "--seeds", "1", code=4)


def test_resuming_another_grid_keeps_what_is_there(tada, people):
    one = ["--methods", "mondrian", "-k", "5", "--seeds", "1", "--quiet", "-o", "results.csv"]
    tada("evaluate", people, *ROLES, *one)
    first = rows(tada)
    tada("evaluate", people, *ROLES, *one, "--resume", "-k", "20")
    tada("evaluate", people, *ROLES, *one, "--resume", "--protocol", "released-test")
    found = rows(tada)
    assert len(found) == 6 and all(row in found for row in first)
    assert {(row["protocol"], row["k"]) for row in found} == {("raw-test", "5"), ("raw-test", "20"), ("released-test", "5")}


def test_the_studies_compare_as_the_program_does(tada, people):
    pytest.importorskip("scipy")
    sys.path.insert(0, str(ROOT / "studies"))
    from evaluation_results import load, paired

    said = json.loads(tada("evaluate", people, *ROLES, *GRID[:-3], "--seeds", "4", "-o", "results.csv", "--json").stdout)
    entries = [entry for entry in said["summary"] if entry["p"] is not None]
    assert len(entries) == 8
    for entry in entries:
        found = load([tada.folder / "results.csv"], [entry["learner"]])
        cell = (entry["k"], entry["l"])
        difference, _, p = paired(found[entry["method"], *cell], found["mondrian", *cell])
        assert (difference, p) == pytest.approx((entry["difference"], entry["p"]), abs=1e-9)


def test_numbers_near_the_largest_double_are_learned_from(tada):
    lines = [f"{('1', '2', '1e308', '-1e308')[i % 4]},{i % 9},{'pq'[i % 4 // 2]}" for i in range(60)]
    (tada.folder / "huge.csv").write_text("a,b,y\n" + "\n".join(lines) + "\n")
    for encoding in ["direct", "multi-hot", "draw", "expected"]:
        made = tada("evaluate", "huge.csv", "--quasi", "a,b", "--label", "y", "--methods", "raw,mondrian", "-k", "2", "--seeds", "1",
                    "--learners", "tree,bayes,logistic,svm,svm_rbf", "--encoding", encoding, "--json")  # fmt: skip
        assert "NaN" not in made.stdout
    for method in ["mondrian", "ta_da", "auto"]:
        tada("anonymize", "huge.csv", "--quasi", "a,b", "--task", "clustering", "--method", method, "-k", "2", "-o", f"{method}.csv")
    tada("evaluate", "huge.csv", "--quasi", "a,b", "--task", "clustering", "--methods", "mondrian,ta_da", "-k", "2", "--seeds", "1")


def test_the_models_encoding_and_the_clusterings_share_a_name(tada, people):
    grid = ["evaluate", people, *ROLES[:2], "--seeds", "1", "-k", "4", "--json"]
    for encoding in ["direct", "multi-hot", "draw", "expected"]:
        said = json.loads(tada(*grid, *ROLES[2:], "--methods", "mondrian", "--encoding", encoding).stdout)
        assert said["encoding"] == encoding
    for encoding in ["draw", "expected"]:
        drawn = [*grid, *ROLES[2:], "--methods", "mondrian", "--encoding", encoding]
        assert f"--encoding {encoding} is for raw test rows" in tada(*drawn, "--protocol", "released-test", code=2).stderr
    assert "clustering has no model" in tada(*grid, "--task", "clustering", "--methods", "mondrian", "--encoding", "draw", code=2).stderr
    said = json.loads(tada(*grid, "--task", "clustering", "--methods", "mondrian,ta_da:encoding=one-hot").stdout)
    assert "ta_da:encoding=one-hot" in {entry["method"] for entry in said["summary"]}
    clustered = ["anonymize", people, *ROLES[:2], "--task", "clustering", "--method", "ta_da", "-o", "released.csv"]
    tada(*clustered, "--encoding", "one-hot")
    assert "codes, appearance, hierarchy, one-hot" in tada(*clustered, "--force", "--encoding", "draw", code=2).stderr


def test_tables_too_small_to_judge_by_are_refused(tada):
    (tada.folder / "four.csv").write_text("a,b,y\n1,2,p\n2,3,q\n3,4,q\n4,5,p\n")
    grid = ["--quasi", "a,b", "--methods", "mondrian", "-k", "2", "--seeds", "1"]
    assert "rows=4, at least 5" in tada("evaluate", "four.csv", "--label", "y", *grid, code=4).stderr
    assert "--raw-clusters of at most 4" in tada("evaluate", "four.csv", "--task", "clustering", *grid, code=4).stderr
    tada("evaluate", "four.csv", "--task", "clustering", "--raw-clusters", "2", *grid)
    tada("anonymize", "four.csv", "--quasi", "a,b", "--task", "clustering", "--method", "auto", "-k", "2", "-o", "released.csv")


@pytest.mark.parametrize("command", ["evaluate", "anonymize"])
def test_a_regression_needs_a_label_of_numbers(tada, people, command):
    out = ["-o", "released.csv"] if command == "anonymize" else ["--methods", "raw"]
    refused = tada(command, people, *ROLES, "--task", "regression", *out, code=2).stderr
    assert "readmitted is categorical" in refused and "leave --task out" in refused


def test_a_plan_says_k_l_and_method(tada, people):
    tada.write("plan.toml", 'quasi = ["age", "sex", "zip"]\nsensitive = ["diagnosis"]\nlabel = ["readmitted"]\nk = 10\nl = 2\nmethod = "compact"\n'
               "[methods.mondrian]\nrelaxed = true\n")  # fmt: skip
    once = ["--seeds", "1", "--learners", "tree", "--quiet", "-o", "results.csv", "--force"]
    tada("evaluate", people, "--plan", "plan.toml", *once)
    planned = rows(tada)
    assert [(row["method"], row["k"], row["l"]) for row in planned] == [("raw", "0", "0"), ("mondrian", "10", "2"), ("compact", "10", "2")]
    tada("evaluate", people, "--plan", "plan.toml", "-k", "5", "-l", "1", "--methods", "mondrian:relaxed=true,mondrian:relaxed=false", *once)
    relaxed, plain = rows(tada)
    assert (relaxed["k"], relaxed["l"]) == ("5", "1") and relaxed["ncp"] != plain["ncp"]
    tada("evaluate", people, "--plan", "plan.toml", "-k", "5", "-l", "1", "--methods", "mondrian", *once)
    assert rows(tada)[0]["ncp"] == relaxed["ncp"]  # by the plan
    assert rows(tada)[0]["run"] != without_plan(tada, people)["run"]


def without_plan(tada, people):
    tada("evaluate", people, *ROLES, "--methods", "mondrian", "--seeds", "1", "--learners", "tree", "--quiet", "-o", "results.csv", "--force")
    return rows(tada)[0]


def test_method_is_compared_with_raw_and_mondrian(tada, people):
    tada("evaluate", people, *ROLES, "--method", "compact", "--keep-order", "--seeds", "1", "--quiet", "-o", "results.csv")
    assert [row["method"] for row in rows(tada)][::2] == ["raw", "mondrian", "compact"]
    assert "cannot go together" in tada("evaluate", people, *ROLES, "--method", "compact", "--methods", "raw", code=2).stderr


def test_a_grid_without_any_release_leaves_files_as_they_were(tada, people):
    tada.write("results.csv", "mine\n")
    failing = ["evaluate", people, *ROLES, "-k", "2000", "--seeds", "1", "--report", "page.html"]
    for output in ["results.csv", "results.json"]:
        tada.write(output, "mine\n")
        assert "Nothing was written" in tada(*failing, "-o", output, "--force", code=4).stderr
        assert (tada.folder / output).read_text() == "mine\n"
    tada(*failing, "-o", "new.csv", code=4)
    assert not (tada.folder / "new.csv").exists() and not (tada.folder / "page.html").exists()


def test_a_baseline_is_a_method_of_the_grid(tada, people):
    for wrong in ["foo", "dop", "raw"]:
        assert "raw" not in (said := tada("evaluate", people, *ROLES, *GRID, "--baseline", wrong, code=2).stderr).split("hint:")[1]
        assert "mondrian, ta_da" in said
    assert "against ta_da" in tada("evaluate", people, *ROLES, "--baseline", "ta_da", "--seeds", "1").stdout


def test_memory_takes_sizes_and_changes_nothing(tada, people):
    grid = ["--methods", "mondrian", "-k", "5", "--seeds", "2", "--quiet"]
    found = []
    for size in ["64MB", "2 GB"]:
        tada("evaluate", people, *ROLES, *grid, "-o", "results.csv", "--force", "--memory", size)
        found.append(without_times(rows(tada)))
    assert len(found[0]) == 4 and found[0] == found[1]
    refused = tada("evaluate", people, *ROLES, *grid, "--memory", "4096", code=2).stderr
    assert "--memory is too small" in refused
    assert "[default: 4GB]" in tada("evaluate", "--help").stdout
