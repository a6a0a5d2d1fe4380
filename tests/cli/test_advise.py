"""tada advise and tada hierarchy, from outside; the page is opened in a headless browser."""

import json
import random
import re
import shutil
import signal
import subprocess
import time

import pytest

from conftest import BINARY

PLAN = ["--label", "y", "--hierarchy", "age=width:10,zip=prefix"]


@pytest.fixture
def people(tada):
    draw = random.Random(3)
    rows = ["age,zip,job,y"]
    for _ in range(300):
        age = draw.randint(18, 79)
        rows.append(f"{age},47{draw.randint(0, 9)}{draw.randint(0, 9)}0,{draw.choice('abc')},{'yes' if age + draw.randint(-9, 9) > 50 else 'no'}")
    return tada.write("people.csv", "\n".join(rows) + "\n")


@pytest.fixture
def advice(tada, people):
    tada("advise", people, *PLAN, "--baselines", "mondrian", "-o", "advice.json", "--report", "advice.html", timeout=300)
    return json.loads((tada.folder / "advice.json").read_text())


def dominates(a, b):
    keys = ("k", "accuracy", "information_gain")
    return all(a[key] >= b[key] for key in keys) and any(a[key] > b[key] for key in keys)


def test_the_frontier_is_what_no_other_rule_dominates(advice):
    rules = advice["rules"]
    assert rules and all(rule["k"] >= 2 for rule in rules)
    for rule in rules:
        assert rule["frontier"] == (not any(dominates(other, rule) for other in rules)), rule["id"]
        assert ("tree_accuracy" in rule) == rule["frontier"]


def test_a_chosen_rule_is_released_with_the_k_that_was_promised(tada, advice):
    for rule in [rule for rule in advice["rules"] if rule["frontier"]][:3]:
        tada("advise", "--choose", rule["id"], "--from", "advice.json", "-o", "out.csv", "--force")
        seen = {}
        for row in tada.read("out.csv"):
            key = (row["age"], row["zip"], row["job"])
            seen[key] = seen.get(key, 0) + 1
        assert min(seen.values()) == rule["k"]
        tada("audit", "out.csv", "--original", "people.csv", "--quasi", "age,zip,job", "-k", rule["k"])


def test_an_unknown_rule_is_refused(tada, advice):
    assert "no rule 'r99999'" in tada("advise", "--choose", "r99999", "--from", "advice.json", "-o", "out.csv", code=2).stderr
    assert "--from" in tada("advise", "--choose", "r1", "-o", "out.csv", code=2).stderr


def test_says_when_no_rule_is_anonymous_enough(tada, people):
    said = tada("advise", people, *PLAN, "--coverage", "100", "--min-k", "200", "--validate", "none", "--baselines", "none").stdout
    assert "No way to recode" in said and "--coverage" in said and "To release" not in said


def test_all_levels_hold_every_rule(tada, people, advice):
    tada("advise", people, *PLAN, "--all-levels", "--validate", "none", "--baselines", "none", "-o", "all.json")
    vectors = json.loads((tada.folder / "all.json").read_text())["rules"]
    known = [vector["levels"] for vector in vectors]
    assert all(rule["levels"] in known for rule in advice["rules"])
    assert all(vector["best_information_gain_of_k"] >= vector["information_gain"] for vector in vectors if vector["origin"] != "vector")


def test_methods_recode_by_hierarchies(tada, people):
    for method in ("datafly", "optimal", "topdown", "mondrian"):
        tada("anonymize", people, "--quasi", "age,zip", "--hierarchy", "age=width:10,zip=prefix", "--method", method, "-k", "5", "-o", f"{method}.csv")
    levels = {re.sub(r"\d", "9", row["age"]) for row in tada.read("datafly.csv")}
    assert len(levels) <= 2, levels  # one level for the whole column


def test_the_loss_by_leaves_is_said_where_there_are_hierarchies(tada):
    # Europe is 3 of the 4 cities, Asia is one: its label costs nothing. Ages have no hierarchy: (5-0)/20 for three rows, 0 for two.
    tada.write("city.csv", "Rome;Europe;*\nOslo;Europe;*\nBonn;Europe;*\nKyoto;Asia;*\n")
    source = tada.write("cities.csv", "city,age\nRome,0\nOslo,5\nBonn,5\nKyoto,20\nKyoto,20\n")
    line = ["--quasi", "city,age", "--hierarchy", "city=city.csv", "-k", "2", "--method", "mondrian"]
    said = tada("anonymize", source, *line, "-o", "out.csv", "--report", "out.json", "--report-raw").stdout
    loss = json.loads((tada.folder / "out.json").read_text())["loss"]
    assert loss["per_column_leaves"] == pytest.approx({"city": 3 / 5 * 3 / 4, "age": 3 / 5 * 5 / 20})
    assert loss["ncp_leaves"] == pytest.approx((0.45 + 0.15) / 2) and "by leaves of hierarchies: 0.3000" in said
    assert loss["per_column"] == pytest.approx({"city": 3 / 5 * 2 / 3, "age": 3 / 5 * 5 / 20})  # plain NCP
    tada("anonymize", source, "--quasi", "city,age", "-k", "2", "-o", "plain.csv", "--report", "plain.json")
    assert "ncp_leaves" not in json.loads((tada.folder / "plain.json").read_text())["loss"]


def test_optimal_minimizes_either_loss(tada, people):
    found = {}
    for what in ("ncp", "leaves"):
        tada("anonymize", people, "--quasi", "age,zip,job", "--hierarchy", "age=width:10,zip=prefix", "--method", "optimal", "--minimize", what,
             "--suppress", "20", "-k", "5", "-o", f"{what}.csv", "--report", f"{what}.json", "--report-raw")
        found[what] = json.loads((tada.folder / f"{what}.json").read_text())["loss"]
    assert found["ncp"]["ncp_input"] <= found["leaves"]["ncp_input"] and found["leaves"]["ncp_leaves"] <= found["ncp"]["ncp_leaves"]


@pytest.mark.parametrize("controllers", [1, 2])
def test_rules_say_their_l_and_those_that_miss_it_are_not_released(tada, controllers):
    draw = random.Random(8)
    rows = ["age,zip,owner,ill,y"]
    for _ in range(400):
        age, zip_code = draw.randint(20, 59), draw.randint(0, 3)
        ill = "flu" if age < 30 and zip_code == 0 else draw.choice(["flu", "gout", "none"])  # one corner of the table is uniform
        rows.append(f"{age},47{zip_code}00,{'ab'[draw.random() < 0.5]},{ill},{'yes' if age + draw.randint(-9, 9) > 40 else 'no'}")
    source = tada.write("ill.csv", "\n".join(rows) + "\n")
    own = [] if controllers == 1 else ["--controller-column", "owner"]
    tada(
        "advise",
        source,
        "--label",
        "y",
        "--quasi",
        "age,zip:categorical",
        "--sensitive",
        "ill",
        "-l",
        "2",
        *own,
        "--hierarchy",
        "age=width:10,zip=prefix",
        "--coverage",
        "60",
        "--all-levels",
        "--validate",
        "none",
        "--baselines",
        "none",
        "-o",
        "advice.json",
        "--report",
        "advice.html",
    )
    rules = json.loads((tada.folder / "advice.json").read_text())["rules"]
    assert {rule["meets"] for rule in rules} == {True, False}
    for rule in rules:
        assert rule["meets"] == (rule["l"] >= 2) and (rule["meets"] or not rule["frontier"]) and ("controller_k" in rule) == (controllers == 2)
    met = [rule for rule in rules if rule["meets"]]
    assert all(rule["frontier"] == (not any(dominates(other, rule) for other in met)) for rule in met)
    missed = next(rule["id"] for rule in rules if not rule["meets"])
    refused = tada("advise", "--choose", missed, "--from", "advice.json", "-o", "out.csv", code=4)
    assert "l=1" in refused.stderr and not (tada.folder / "out.csv").exists()
    for rule in [rule for rule in met if rule["frontier"]][:3]:
        tada("advise", "--choose", rule["id"], "--from", "advice.json", "-o", "out.csv", "--report", "out.json", "--report-raw", "--force")
        report = json.loads((tada.folder / "out.json").read_text())
        parts = [part["reached"] for part in report["controllers"]] if controllers == 2 else [report["reached"]]
        assert min(part["l"] for part in parts) == rule["l"] and min(part["k"] for part in parts) == rule.get("controller_k", rule["k"])
    ids = {candidate["id"] for candidate in json.loads((tada.folder / "advice.json").read_text())["candidates"]}
    assert missed not in ids and {rule["id"] for rule in met} <= ids  # what cannot be released is no candidate


def test_hierarchies_are_built_checked_and_shown(tada, people):
    tada("hierarchy", "build", people, "--column", "age", "--builder", "width:10", "-o", "age.csv")
    assert "covers all" in tada("hierarchy", "check", "age.csv", people, "--column", "age").stdout
    assert "[40,50)" in tada("hierarchy", "show", "age.csv").stdout
    tada.write("broken.csv", "1;a;*\n2;a;+\n")
    assert "two roots" in tada("hierarchy", "check", "broken.csv", code=2).stderr
    tada.write("short.csv", "18;young;*\n")
    assert "lacks" in tada("hierarchy", "check", "short.csv", people, "--column", "age", code=2).stderr


def test_files_and_folders_of_several_columns_are_checked_and_shown(tada, people):
    jobs = "a;ab;*\nb;ab;*\nc;c;*\n"
    tada.write("tax.txt", "%\ny\nyes;*\nno;*\n%\nJob\n" + jobs)
    assert "Job: 3 values, 3 levels" in tada("hierarchy", "check", "tax.txt").stdout
    assert "job: covers all 3 values" in tada("hierarchy", "check", "tax.txt", people).stdout
    assert "job: covers all 3 values" in tada("hierarchy", "check", "tax.txt", people, "--column", "job").stdout
    assert "no hierarchy of these columns" in tada("hierarchy", "check", "tax.txt", people, "--column", "age", code=2).stderr
    assert "─ ab (2)" in tada("hierarchy", "show", "tax.txt", "--column", "Job").stdout
    assert "one of" in tada("hierarchy", "show", "tax.txt", code=2).stderr
    (tada.folder / "several").mkdir()
    (tada.folder / "several" / "job.csv").write_text(jobs)
    assert "job: covers all 3 values" in tada("hierarchy", "check", "several", people).stdout


def test_what_hierarchy_cannot_find_is_blamed_on_its_own_options(tada, people):
    assert "--column names a column" in tada("hierarchy", "build", people, "--column", "nope", code=2).stderr
    tada.write("tax.txt", "%\ny\nyes;*\nno;*\n%\nJob\na;ab;*\nb;ab;*\nc;c;*\n")
    assert "─ ab (2)" in tada("hierarchy", "show", "tax.txt", "--column", "job").stdout
    nameless = tada("hierarchy", "show", "tax.txt", code=2).stderr
    assert "several columns" in nameless and "one of: y, Job" in nameless and "''" not in nameless
    assert "called 'salary'" in tada("hierarchy", "show", "tax.txt", "--column", "salary", code=2).stderr


def test_a_hierarchy_that_is_not_utf8_is_named_with_its_line(tada):
    tada.write("v.csv", "v\nA\nB\nA\nB\n")
    (tada.folder / "h.csv").write_bytes(b"A;X;*\nB;\xff;*\n")
    release = ["anonymize", "v.csv", "--quasi", "v", "--hierarchy", "v=h.csv", "-k", "2", "-o", "r.csv"]
    for line in [["hierarchy", "check", "h.csv"], ["hierarchy", "show", "h.csv"], release]:
        assert "h.csv:2: the line is not UTF-8" in tada(*line, code=2).stderr


def test_numbers_next_to_nothing_get_hierarchies(tada):
    tada.write("tiny.csv", "a\n1e-320\n2e-320\n3e-320\n5e-324\n")
    for builder in ["round", "width:1e-320", "width:5:1e-320"]:
        tada("hierarchy", "build", "tiny.csv", "--column", "a", "--builder", builder)
    tada("anonymize", "tiny.csv", "--quasi", "a", "--hierarchy", "a=width:1e-310", "--method", "datafly", "-k", "2", "-o", "tiny_released.csv")


def test_help_says_that_masked_rows_are_lost_to_the_label(tada):
    assert "rows that are masked or whose label" in " ".join(tada("anonymize", "--help", "--method", "optimal").stdout.split())


AGES = [20, 21, 22, 23, 24, 41, 42, 43, 60, 60]
# Labels, what they cost where whole columns are recoded, and by mondrian, which shows 60 as it is.
WIDTHS = {
    "width:10": (0.25, 0.2),
    "[20,30) [40,50) [60,70)": (0.25, 0.2),
    "20-29 40-49 60-69": (9 / 40, 0.18),
    "[20,29] [40,49] [60,69]": (9 / 40, 0.18),
    "[20,24] [41,43] 60": (0.065, 0.065),
    "young middle old": (0.325, 0.325),
}


@pytest.mark.parametrize("labels", WIDTHS)
@pytest.mark.parametrize("method", [["levels", "--levels", "age=1"], ["optimal"], ["mondrian"]], ids=lambda method: method[0])
def test_an_interval_costs_its_width_wherever_it_comes_from(tada, labels, method):
    tada.write("ages.csv", "age\n" + "".join(f"{age}\n" for age in AGES))
    names = labels.split()
    tada.write("age.csv", "".join(f"{age};{names[age // 20 - 1]};*\n" for age in sorted(set(AGES))) if len(names) > 1 else "")
    tada(
        "anonymize",
        "ages.csv",
        "--quasi",
        "age",
        "--hierarchy",
        "age=" + (labels if len(names) == 1 else "age.csv"),
        "--method",
        *method,
        "-k",
        "2",
        "-o",
        "out.csv",
        "--report",
        "out.json",
        "--report-raw",
    )
    loss = json.loads((tada.folder / "out.json").read_text())["loss"]
    expected = pytest.approx(WIDTHS[labels][method[0] == "mondrian"])
    assert loss["ncp_input"] == expected and loss["per_column_input"]["age"] == expected


@pytest.mark.parametrize("label", ["{A,B}", "X*"])
def test_a_label_that_lacks_a_value_is_refused_with_its_line(tada, label):
    tada.write("v.csv", "v\nA\nB\nC\nA\nB\nC\n")
    tada.write("h.csv", f"A;{label};*\nB;{label};*\nC;{label};*\n")
    for line in [
        ["hierarchy", "check", "h.csv", "v.csv", "--column", "v"],
        ["anonymize", "v.csv", "--quasi", "v", "--hierarchy", "v=h.csv", "--method", "levels", "--levels", "v=1", "-k", "2", "-o", "r.csv"],
    ]:
        said = tada(*line, code=2).stderr
        assert f"h.csv:{3 if label == '{A,B}' else 1}: label '{label}'" in said and "tada: hint: Correct the label" in said


def test_check_names_intervals_that_are_corrected(tada):
    tada.write("v.csv", "v\n1\n2\n3\n")
    tada.write("h.csv", "1;1-2;*\n2;1-2;*\n3;1-2;*\n")
    assert "false label: 1-2 lacks the value of line 4\n" in tada("hierarchy", "check", "h.csv", "v.csv", "--column", "v").stdout


def browse(page, script, folder):
    """What `script` finds on a page in a browser, after the page's own script has run."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("no chromium")
    probe = folder / "probe.html"
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)  # which would stop the probe's own script
    probe.write_text(page.replace("</body>", f"<script>(async()=>{{const wait=()=>new Promise(r=>setTimeout(r,60));document.title=JSON.stringify(await (async()=>{{{script}}})())}})()</script></body>"))  # noqa: E501
    found = subprocess.run(
        [browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=4000", "--dump-dom",
         probe.as_uri()],
        capture_output=True,
        timeout=120,
        text=True,
    )  # fmt: skip
    title = re.search(r"<title>(.*?)</title>", found.stdout, re.S)
    assert title, found.stderr[-2000:]
    return json.loads(title[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def test_the_page_draws_filters_compares_and_shows_commands(tada, advice):
    page = (tada.folder / "advice.html").read_text()
    assert "Content-Security-Policy" in page and "http://" not in page.replace("http://www.w3.org/", "") and "https://" not in page
    seen = browse(
        page,
        """
      const $=q=>document.querySelector(q), $$=q=>[...document.querySelectorAll(q)];
      const marks=$$("svg.chart .m").length, focusable=$$("svg.chart g.m[tabindex='0']").length, diamonds=$$("svg.chart path.m, svg.chart .m path").length;
      const other=$$("svg.chart g.m").find(m=>m.getAttribute("aria-pressed")==="false"), id=other.dataset.id;
      other.dispatchEvent(new MouseEvent("click",{bubbles:true})); await wait();
      const first=$("table.cmp thead").textContent, command=$("table.cmp details code").textContent;
      const row=$$("table.cmp tbody tr").some(r=>r.textContent.includes("What becomes of row 1")), before=$$("table.cmp tbody tr").length;
      $("table.cmp input[type=checkbox]").click(); await wait(); const after=$$("table.cmp tbody tr").length;
      $$("button").find(b=>b.textContent==="As a table").click(); await wait();
      const rows=$$(".tall tbody tr").length;
      const k=$("#least-k"); k.value=k.max; k.dispatchEvent(new Event("input",{bubbles:true})); await wait();
      const fits=$("[role=status]").textContent;
      return {marks,focusable,diamonds,id,first,command,row,before,after,rows,fits};""",
        tada.folder,
    )
    shown = [candidate for candidate in advice["candidates"] if "same_as" not in candidate]
    assert seen["marks"] == len(shown) == seen["rows"] and seen["focusable"] == 1 and seen["diamonds"] > 0
    assert seen["command"] == f"tada advise --choose {seen['id']} --from advice.json -o {seen['id']}.csv" and seen["row"]
    assert seen["after"] >= seen["before"] and "meet" in seen["fits"]


def test_an_interrupted_run_goes_on_where_it_stopped(tada):
    draw = random.Random(5)
    rows = ["a,b,c,y"]
    for _ in range(3000):
        values = [draw.randint(0, 39) for _ in range(3)]
        rows.append(",".join(map(str, values)) + ("," + ["no", "yes", "may"][(sum(values) + draw.randint(0, 30)) // 50]))
    source = tada.write("many.csv", "\n".join(rows) + "\n")
    tada.write("c.csv", "".join(f"{value};{value // 5 * 5}-{value // 5 * 5 + 4};*\n" for value in range(40)))
    hierarchies = "a=width:5,b=width:5,c=c.csv"
    line = [
        "advise",
        source,
        "--label",
        "y",
        "--hierarchy",
        hierarchies,
        "--coverage",
        "50",
        "--validate-all",
        "--all-levels",
        "--baselines",
        "none",
        "--threads",
        "1",
    ]
    process = subprocess.Popen([str(BINARY), *map(str, line), "-o", "advice.json", "--resume", "--progress"], cwd=tada.folder, stderr=subprocess.PIPE)
    seen = b""
    while b"validate" not in seen.lower() and b"cross" not in seen.lower():
        piece = process.stderr.read1(4096)
        assert piece, seen
        seen += piece
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    process.stderr.read()
    assert process.wait(timeout=60) == 130
    kept = tada.folder / "advice.json.partial"
    assert kept.exists() and not (tada.folder / "advice.json").exists()
    finished = json.loads(kept.read_text())["validated"]
    assert finished
    # What was kept is used, not made again: a number nobody could have computed comes back.
    finished[0]["tree"] = 0.123456
    changed = json.dumps({**json.loads(kept.read_text()), "validated": finished})
    kept.write_text(changed)
    tada(*line, "-o", "advice.json", "--resume", timeout=300)
    assert not kept.exists()
    resumed = json.loads((tada.folder / "advice.json").read_text())["rules"]
    tada(*line, "-o", "anew.json", timeout=300)
    anew = json.loads((tada.folder / "anew.json").read_text())["rules"]
    differ = [(a["tree_accuracy"], b["tree_accuracy"]) for a, b in zip(resumed, anew, strict=True) if a != b]
    assert len(differ) == 1 and differ[0][0] == 0.123456
    # What another hierarchy had led to is not.
    kept.write_text(changed)
    tada.write("c.csv", "".join(f"{value};{value // 10 * 10}-{value // 10 * 10 + 9};*\n" for value in range(40)))
    tada(*line, "-o", "advice.json", "--resume", "--force", timeout=300)
    assert 0.123456 not in [rule["tree_accuracy"] for rule in json.loads((tada.folder / "advice.json").read_text())["rules"]]


def test_the_report_is_json_or_a_page_by_its_ending(tada, people):
    line = ["advise", people, *PLAN, "--baselines", "none", "--validate", "none", "-o", "advice.json"]
    tada(*line, "--report", "report.json", timeout=300)
    assert json.loads((tada.folder / "report.json").read_text()) == json.loads((tada.folder / "advice.json").read_text())
    assert "same file" in tada(*line, "--report", "advice.json", "--force", code=2).stderr
    assert "rules" in json.loads((tada.folder / "advice.json").read_text())


def test_baselines_need_no_more_rows_than_a_controller_has(tada):
    rows = "".join(f"{20 + i},{'mf'[i % 2]},{'ABC'[i % 3]},{i % 2}\n" for i in range(12))
    tada.write("few.csv", "age,sex,city,y\n" + rows)
    tada("advise", "few.csv", "--label", "y", "--controller-column", "city", "--quasi", "age,sex", "-o", "x.json")
