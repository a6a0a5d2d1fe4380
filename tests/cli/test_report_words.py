"""What the report says must be true: its words, its verdict, and the commands it prints."""

import html
import json
import os
import pty
import re
import shlex
import subprocess

import pytest

from conftest import BINARY, ROLES, make_people, write_csv

HIERARCHIES = ["--hierarchy", "age=count:3,zip=prefix,job=flat"]


def page_of(tada, *arguments, code=0):
    tada("anonymize", *arguments, "--report", "report.html", "--force", code=code)
    return html.unescape((tada.folder / "report.html").read_text(encoding="utf-8"))


def printed_audit(page):
    page = re.sub(r"</?span[^>]*>", "", page)  # options are kept in one piece
    found = re.findall(r"^tada audit .*$|(?<=<pre>)tada audit .*$", page, re.MULTILINE)
    assert len(found) == 1, found
    return found[0].removesuffix("</pre>").split("</pre>")[0]


def run_printed(tada, page):
    """Runs the printed command as somebody would who copies it into a shell."""
    words = shlex.split(printed_audit(page))
    assert words[0] == "tada"
    return subprocess.run([BINARY, *words[1:], "--json"], cwd=tada.folder, capture_output=True, text=True, timeout=60)


def rename(rows, **names):
    return [{names.get(key, key): value for key, value in row.items()} for row in rows]


PLAIN = {"in.csv": lambda rows: write_csv(rows)}
GRID = {
    "plain": [],
    "missing": ["--missing", "NA,''"],
    "no missing": ["--missing", "nothing at all"],
    "label and keep": ["--label", "note:2", "--keep", "name", "--allow", "name"],
    "numeric sensitive": ["--quasi", "age,zip:categorical", "--sensitive", "income:numeric,disease"],
    "ordinal": ["--quasi", "age,zip:ordinal,job", "--sensitive", "disease"],
    "entropy": ["-l", "2", "--diversity", "entropy"],
    "recursive": ["-l", "2", "--diversity", "recursive:3"],
    "hierarchy": HIERARCHIES,
    "optimal": ["--method", "optimal"],
    "datafly": ["--method", "datafly", "--suppress", "10", "--hierarchy", "age=count:4"],
    "noise": ["--method", "dop", "--noise", "mask"],
    "controllers": ["--controllers", "3"],
    "controller column": ["--controller-column", "note", "-k", "3"],
    "controller column kept": ["--controller-column", "note", "--keep", "note", "-k", "3"],
    "keep order": ["--keep-order"],
    "clustering": ["--task", "clustering"],
}


@pytest.mark.parametrize("options", GRID.values(), ids=GRID.keys())
def test_the_printed_audit_passes(tada, people, options):
    roles = [] if "--quasi" in options else ROLES
    page = page_of(tada, people, *roles, "-k", "4", *options, "-o", "out.csv")
    done = run_printed(tada, page)
    assert done.returncode == 0, done.stdout + done.stderr
    verdict = json.loads(done.stdout)
    assert verdict["passed"] and verdict["cover"]
    assert all(column["covered"] is True for column in verdict["cover"].values()), verdict["cover"]


@pytest.mark.parametrize("output", ["out.csv", "out.csv.gz", "out.parquet", "out.arrow", "my out's.csv"])
@pytest.mark.parametrize("cells", ["typed", "text"])
def test_the_printed_audit_passes_whatever_the_file(tada, people, output, cells):
    page = page_of(tada, people, *ROLES, "-k", "4", "-o", output, "--cells", cells)
    done = run_printed(tada, page)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("delimiter", [";", "|", "\t", ":"])
def test_the_printed_audit_passes_with_a_delimiter(tada, people_rows, delimiter):
    tada.write("in.txt.csv", write_csv(people_rows, delimiter=delimiter))
    name = "tab" if delimiter == "\t" else delimiter
    page = page_of(tada, "in.txt.csv", *ROLES, "-k", "4", "--delimiter", name, "-o", "out.csv")
    done = run_printed(tada, page)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_printed_audit_passes_with_awkward_names(tada, people_rows):
    rows = rename(people_rows, age="age, in years", zip='the "zip"', job="job:numeric", disease="it's $HOME; ill")
    tada.write("my people.csv", write_csv(rows))
    quasi = '"age, in years","the ""zip"":categorical",job:numeric:'
    page = page_of(tada, "my people.csv", "--quasi", quasi, "--sensitive", "it's $HOME; ill", "-k", "4", "-o", "out.csv")
    done = run_printed(tada, page)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_printed_audit_passes_with_hierarchies_in_a_folder(tada, people, people_rows):
    (tada.folder / "my hierarchies").mkdir()
    lines = [f"{job};{'care' if job == 'nurse' else 'other work'};*" for job in sorted({row["job"] for row in people_rows})]
    quoted = "".join('"' + '";"'.join(line.replace('"', '""').split(";")) + '"\n' for line in lines)
    tada.write("my hierarchies/job.csv", quoted)
    page = page_of(tada, people, *ROLES, "-k", "4", "--hierarchies", "my hierarchies", "-o", "out.csv")
    done = run_printed(tada, page)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "other work" in (tada.folder / "out.csv").read_text()
    assert json.loads(done.stdout)["cover"]["job"] == {
        "role": "quasi", "covered": True, "uncovered_rows": 0, "unchecked_rows": 0, "example": ""
    }  # fmt: skip


def test_the_printed_audit_passes_when_controllers_ask_for_more_or_less(tada, people):
    tada.write("plan.toml", "[columns]\n[controllers.n1]\nk = 2\n[controllers.n2]\nk = 9\n")
    page = page_of(tada, people, "--plan", "plan.toml", *ROLES, "-k", "5", "--controller-column", "note", "-o", "out.csv")
    done = run_printed(tada, page)
    assert done.returncode == 0, done.stdout + done.stderr


LABELLED = "job\ncare\ncare\ncare\nnurse\nnurse\nnurse\n"
ORIGINAL = "job\nnurse\nnurse\ndoctor\nnurse\nnurse\nnurse\n"


def test_labels_without_their_hierarchy_are_not_called_covered(tada):
    tada.write("out.csv", LABELLED)
    tada.write("in.csv", ORIGINAL)
    arguments = ["audit", "out.csv", "--original", "in.csv", "--quasi", "job", "-k", "3"]
    cover = json.loads(tada(*arguments, "--json", code=6).stdout)["cover"]["job"]
    assert cover["covered"] is None and (cover["uncovered_rows"], cover["unchecked_rows"]) == (0, 3)
    assert "NOT CHECKED in 3 rows" in tada(*arguments, code=6).stdout
    assert "covers the original" not in tada(*arguments, code=6).stdout
    tada(*arguments, "--report", "audit.html", code=6)
    assert "not checked" in (tada.folder / "audit.html").read_text()


def test_labels_are_checked_by_their_hierarchy(tada):
    tada.write("out.csv", LABELLED)
    tada.write("job.csv", "nurse;care;*\ndoctor;care;*\ncook;kitchen;*\n")
    arguments = ["audit", "out.csv", "--original", "in.csv", "--quasi", "job", "-k", "3", "--hierarchy", "job=job.csv", "--json"]
    tada.write("in.csv", ORIGINAL)
    assert json.loads(tada(*arguments).stdout)["cover"]["job"]["covered"] is True
    tada.write("in.csv", ORIGINAL.replace("doctor", "cook"))
    verdict = json.loads(tada(*arguments, code=1).stdout)
    assert verdict["cover"]["job"]["covered"] is False and verdict["cover"]["job"]["uncovered_rows"] == 1


def test_the_report_of_a_run_by_hierarchies_has_checked_every_cell(tada, people, people_rows):
    jobs = sorted({row["job"] for row in people_rows})
    tada.write("job.csv", "".join('"' + job.replace('"', '""') + '";"any work";*\n' for job in jobs))
    tada("anonymize", people, *ROLES, "-k", "4", "--hierarchy", "job=job.csv", "-o", "out.csv", "--report", "report.json")
    assert "any work" in (tada.folder / "out.csv").read_text()
    cover = json.loads((tada.folder / "report.json").read_text())["verdict"]["cover"]
    assert cover["job"] == {"covered": True, "uncovered_rows": 0, "unchecked_rows": 0}


WORDS = {
    "kmeans": (["--task", "clustering", "-l", "2"], "takes in single people", "nearest mean"),
    "merge": (["--task", "clustering", "-l", "2", "--repair", "merge"], "joins the one with the nearest mean", "single people"),
    "dop": (["--method", "dop"], "join the cluster of the person nearest", "aside"),
    "dop mask": (["--method", "dop", "--noise", "mask"], "set aside and masked", "not cut"),
    "compact": (["--method", "compact"], "as long as the loss falls", "mixed"),
    "topdown": (["--method", "topdown"], "two people who are far apart", "median"),
    "optimal": (["--method", "optimal"], "Of all combinations of levels", "median"),
    "datafly": (["--method", "datafly"], "goes up by one level", "median"),
    "target": (["--method", "target_weighted", "--label", "note"], "A random forest (60 trees)", "median"),
}


@pytest.mark.parametrize("options, says, does_not", WORDS.values(), ids=WORDS.keys())
def test_the_report_says_what_the_method_did(tada, people, options, says, does_not):
    page = page_of(tada, people, *ROLES, "-k", "4", *options, "-o", "out.csv")
    words = page[page.index("How the method works") :]
    words = words[: words.index("</section>")] if "</section>" in words else words[:3000]
    assert says in words and does_not not in words, words


def test_methods_that_recode_whole_columns_say_which_levels_they_chose(tada, people):
    for method, next_words in [("optimal", "Next best: "), ("datafly", "Short of the requirement one level lower: ")]:
        done = tada("anonymize", people, *ROLES, "-k", "4", "--method", method, "-o", "out.csv", "--report", "r.json", "--report-raw", "-f")
        levels = json.loads((tada.folder / "r.json").read_text())["levels"]
        chosen = ", ".join(f"{column}={level}" for column, level in levels["chosen"].items())
        assert f"Levels: {chosen}\n" in done.stdout and next_words in done.stdout, done.stdout
        page = page_of(tada, people, *ROLES, "-k", "4", "--method", method, "-o", "out.csv", "--report-raw")
        assert "The levels that were chosen" in page
        if method == "optimal":
            assert all(levels["loss"] <= other["loss"] for other in levels["next"]) and levels["next"]


def test_the_summary_counts_masked_rows_and_one_class_is_one(tada):
    tada.write("in.csv", "age\n1\n2\n3\n")
    done = tada("anonymize", "in.csv", "--quasi", "age", "-k", "3", "-o", "out.csv")
    assert "3 rows in 1 class, k=3" in done.stdout
    assert "1 class," in tada("audit", "out.csv", "--quasi", "age", "-k", "3").stdout
    tada.write("in.csv", "c\n" + "a\n" * 6 + "x\ny\n")
    done = tada("anonymize", "in.csv", "--quasi", "c", "-k", "2", "--method", "datafly", "--suppress", "30", "-o", "out.csv", "-f")
    assert "Masked in every quasi-identifier: 2 rows" in done.stdout


def test_the_progress_bar_is_gone_before_the_summary(tada):
    tada.write("in.csv", write_csv(make_people(60000)))
    master, slave = pty.openpty()
    arguments = ["anonymize", "in.csv", *ROLES, "-o", "out.csv", "--progress"]
    process = subprocess.Popen([BINARY, *arguments], cwd=tada.folder, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    assert process.wait() == 0
    before, _, _ = shown.partition(b"out.csv: 60000 rows")
    # What stands on the summary's line before it: nothing, or blanks that wiped the bar out.
    line = before.rpartition(b"\n")[2].rpartition(b"\r")[2]
    assert line.strip() == b"" or line.endswith(b"\x1b[K"), before[-200:]


SECRET = "405-84-0792"


@pytest.mark.parametrize(
    "command",
    [
        ["anonymize", "in.csv", "--quasi", "age:numeric", "-k", "2", "-o", "out.csv"],
        ["inspect", "in.csv", "--quasi", "age:numeric"],
        ["audit", "in.csv", "--quasi", "note", "--sensitive", "age:numeric", "-k", "1"],
        ["evaluate", "in.csv", "--quasi", "age:numeric", "--label", "note", "-k", "2"],
        ["advise", "in.csv", "--quasi", "age:numeric", "--label", "note"],
    ],
    ids=lambda command: command[0],
)
def test_an_error_says_where_a_value_stands_and_not_what_it_is(tada, command):
    tada.write("in.csv", f"age,note\n1,a\n{SECRET},b\n3,a\n4,b\n")
    done = tada(*command, code=2)
    assert SECRET not in done.stderr + done.stdout
    assert "column=age, line 3" in done.stderr
    assert SECRET in tada(*command, "--show-values", code=2).stderr


def test_errors_of_hierarchies_do_not_quote_values(tada):
    tada.write("in.csv", f"c\na\n{SECRET}\nb\nb\n")
    run = ["anonymize", "in.csv", "--quasi", "c", "-k", "2", "-o", "out.csv", "--hierarchy", "c=h.csv"]
    for text, place in [
        ("a;*\nb;*\n", "line 3"),
        (f"a;x;*\n{SECRET};x;*\nb;x;*\n{SECRET};y;*\n", "h.csv:4"),
        (f"a;{SECRET};*\n{SECRET};x;*\nb;x;*\n", "level 1"),
    ]:
        tada.write("h.csv", text)
        error = tada(*run, code=2).stderr
        assert SECRET not in error and place in error, error


def test_the_values_of_a_controller_column_are_not_listed(tada):
    tada.write("in.csv", f"age,c\n1,{SECRET}\n2,{SECRET}\n3,{SECRET}\n4,{SECRET}\n")
    tada.write("plan.toml", "[columns]\n[controllers.other]\nk = 2\n")
    run = ["anonymize", "in.csv", "--plan", "plan.toml", "--quasi", "age", "--controller-column", "c", "-k", "2", "-o", "out.csv"]
    assert SECRET not in tada(*run, code=2).stderr
    assert SECRET in tada(*run, "--show-values", code=2).stderr
