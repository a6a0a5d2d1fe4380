"""Every exit code (docs/formats.md), with a message that names what is wrong and a hint what to do."""

import json
import os
import subprocess

import pytest

from conftest import BINARY, ROLES, write_csv


def error_of(result):
    """The error line and the hint below it."""
    lines = result.stderr.splitlines()
    assert len(lines) >= 2 and lines[1].strip(), f"no hint line: {result.stderr}"
    return lines[0], lines[1]


def test_0_released_and_audited(tada, people):
    tada("anonymize", people, *ROLES, "-o", "out.csv")
    tada("audit", "out.csv", *ROLES)


def test_1_a_release_that_breaks_the_requirement(tada):
    tada.write("bad.csv", 'age,disease\n"[20,30]",flu\n"[20,30]",flu\n40,cancer\n')
    result = tada("audit", "bad.csv", "--quasi", "age", "--sensitive", "disease", "-k", "2", code=1)
    assert "40" in result.stdout
    answer = json.loads(tada("audit", "bad.csv", "--quasi", "age", "-k", "2", "--json", code=1).stdout)
    assert answer["passed"] is False


def test_1_a_released_cell_that_does_not_cover_the_original(tada):
    tada.write("raw.csv", "age,disease\n21,flu\n35,cancer\n")
    tada.write("bad.csv", 'age,disease\n"[20,30]",flu\n"[20,30]",cancer\n')
    result = tada("audit", "bad.csv", "--original", "raw.csv", "--quasi", "age", "--sensitive", "disease", "-k", "2", code=1)
    assert "35" in result.stdout or "age" in result.stdout


@pytest.mark.parametrize(
    "arguments, names",
    [
        (["--quasi", "age", "--qasi", "job"], ["--qasi", "--quasi"]),
        (["--quasi", "agee"], ["agee", "age"]),
        (["--quasi", "age", "--method", "mondrain"], ["mondrain", "mondrian"]),
        (["--quasi", "age,job", "--keep", "job"], ["job"]),
        (["--quasi", "age", "-k", "0"], ["-k", "0"]),
        (["--quasi", "age", "-k", "-3"], ["-3"]),
        (["--quasi", "age", "-k", "two"], ["two"]),
        (["--quasi", "age", "-k", "99999999999999999999"], ["99999999999999999999"]),
        (["--quasi", "age", "-l", "0", "--sensitive", "disease"], ["0"]),
        (["--quasi", "age", "-l", "2"], ["--sensitive"]),
        (["--quasi", "age", "--sensitive", "disease", "--diversity", "entropic"], ["entropic", "entropy"]),
        (["--quasi", "age", "--sensitive", "disease", "--diversity", "recursive:x"], ["recursive"]),
        (["--quasi", "age", "--controllers", "0"], ["controllers"]),
        (["--quasi", "age", "--controllers", "2", "--controller-column", "job"], ["controller"]),
        (["--quasi", "age", "--controller-column", "nope"], ["nope"]),
        (["--quasi", "age", "--delimiter", "ab"], ["delimiter"]),
        (["--quasi", "job:numeric"], ["job"]),
        (["--quasi", "age:number"], ["number"]),
        (["--quasi", "age", "--threads", "-1"], ["threads"]),
        (["--quasi", "age", "--task", "ranking"], ["ranking"]),
        (["--quasi", "age", "--seed", "x"], ["seed"]),
        (["--quasi", "age", "--plan", "nope.toml"], ["nope.toml"]),
        ([], ["--quasi"]),
        (["--quasi", "age", "--sensitive", "disease", "--label", "disease"], ["disease"]),
        (["--quasi", "age", "surplus.csv"], ["surplus.csv"]),
        (["--quasi", "age", "--quasi"], ["--quasi"]),
    ],
)
def test_2_wrong_usage_names_the_option_and_what_would_be_right(tada, people, arguments, names):
    result = tada("anonymize", people, "-o", "out.csv", *arguments, code=2)
    text = " ".join(error_of(result))
    for name in names:
        assert name in text
    assert not (tada.folder / "out.csv").exists() and not tada.litter()


def test_2_without_an_output(tada, people):
    assert "-o" in " ".join(error_of(tada("anonymize", people, *ROLES, code=2)))


def test_2_an_unknown_command_suggests_the_nearest(tada):
    assert "anonymize" in " ".join(error_of(tada("anonymise", code=2)))


@pytest.mark.parametrize(
    "plan, names",
    [
        ("quasi = [\n", ["plan.toml"]),
        ('quazi = ["age"]\n', ["quazi", "quasi"]),
        ('quasi = ["age"]\nk = "many"\n', ["k"]),
        ('quasi = ["agee"]\n', ["agee"]),
    ],
)
def test_2_a_wrong_plan(tada, people, plan, names):
    tada.write("plan.toml", plan)
    text = " ".join(error_of(tada("anonymize", people, "--plan", "plan.toml", "-o", "out.csv", code=2)))
    for name in names:
        assert name in text


@pytest.mark.parametrize(
    "content, names",
    [
        (b"", ["in.csv"]),
        (b"age,job\n1,a\n2\n", ["in.csv", "3"]),
        (b"age,job\n1,a\n2,b,c\n", ["in.csv", "3"]),
        (b"age,job\n1,a\n2,b\xff\n", ["in.csv", "3"]),
        (b"age,age\n1,2\n", ["in.csv", "age"]),
        (b'age,job\n1,"a\n', ["in.csv"]),
    ],
)
def test_3_a_damaged_input_is_named_with_its_line(tada, content, names):
    tada.write("in.csv", content)
    text = " ".join(error_of(tada("anonymize", "in.csv", "--quasi", "age", "-k", "1", "-o", "out.csv", code=3)))
    for name in names:
        assert name in text
    assert not (tada.folder / "out.csv").exists() and not tada.litter()


@pytest.mark.parametrize("name", ["in.csv.gz", "in.parquet", "in.arrow", "in.feather"])
def test_3_a_file_that_is_not_what_its_name_says(tada, name):
    tada.write(name, b"this is not it" * 20)
    assert name in " ".join(error_of(tada("anonymize", name, "--quasi", "age", "-o", "out.csv", code=3)))


def test_3_a_cut_gzip_file(tada, people):
    import gzip

    whole = gzip.compress((tada.folder / people).read_bytes())
    tada.write("cut.csv.gz", whole[: len(whole) // 2])
    tada("anonymize", "cut.csv.gz", *ROLES, "-o", "out.csv", code=3)


def test_3_a_missing_file_and_a_folder(tada):
    assert "nope.csv" in error_of(tada("anonymize", "nope.csv", "--quasi", "age", "-o", "out.csv", code=3))[0]
    (tada.folder / "folder.csv").mkdir()
    tada("anonymize", "folder.csv", "--quasi", "age", "-o", "out.csv", code=3)
    tada("audit", "nope.csv", "--quasi", "age", code=3)
    tada("inspect", "nope.csv", code=3)


def test_4_too_few_rows_names_the_largest_k(tada, people):
    text = " ".join(error_of(tada("anonymize", people, *ROLES, "-k", "401", "-o", "out.csv", code=4)))
    assert "400" in text
    assert not (tada.folder / "out.csv").exists() and not tada.litter()


def test_4_no_rows(tada):
    tada.write("empty.csv", "age,disease\n")
    tada("anonymize", "empty.csv", "--quasi", "age", "-o", "out.csv", code=4)


def test_4_too_few_sensitive_values_names_the_largest_l(tada, people):
    text = " ".join(error_of(tada("anonymize", people, *ROLES, "-l", "5", "-o", "out.csv", code=4)))
    assert "l=4" in text


def test_4_one_controller_is_too_small(tada, people_rows):
    rows = [dict(row, hospital="small" if number < 3 else "large") for number, row in enumerate(people_rows)]
    tada.write("in.csv", write_csv(rows))
    text = " ".join(error_of(tada("anonymize", "in.csv", *ROLES, "--controller-column", "hospital", "-o", "out.csv", code=4)))
    assert "small" in text or "3" in text


def test_5_an_output_that_exists_needs_force(tada, people):
    tada.write("out.csv", "precious")
    text = " ".join(error_of(tada("anonymize", people, *ROLES, "-o", "out.csv", code=5)))
    assert "--force" in text and "out.csv" in text
    assert (tada.folder / "out.csv").read_text() == "precious"
    tada("anonymize", people, *ROLES, "-o", "out.csv", "--force")
    assert (tada.folder / "out.csv").read_text() != "precious"


def test_5_force_keeps_the_old_file_when_the_run_fails(tada, people):
    tada.write("out.csv", "precious")
    tada("anonymize", people, *ROLES, "-k", "401", "-o", "out.csv", "--force", code=4)
    assert (tada.folder / "out.csv").read_text() == "precious"


def test_5_no_such_folder(tada, people):
    assert "nowhere" in error_of(tada("anonymize", people, *ROLES, "-o", "nowhere/out.csv", code=5))[0]


def test_5_the_output_is_a_folder(tada, people):
    (tada.folder / "out.csv").mkdir()
    tada("anonymize", people, *ROLES, "-o", "out.csv", "--force", code=5)
    assert not tada.litter()


def test_5_a_report_that_cannot_be_written_releases_nothing(tada, people):
    tada("anonymize", people, *ROLES, "-o", "out.csv", "--report", "nowhere/report.json", code=5)
    assert not (tada.folder / "out.csv").exists() and not tada.litter()


def test_2_an_unknown_extension_is_wrong_usage(tada, people):
    text = " ".join(error_of(tada("anonymize", people, *ROLES, "-o", "out.xlsx", code=2)))
    assert "csv" in text and "parquet" in text


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into read-only folders; test_disk.py has the mount")
def test_5_a_read_only_folder(tada, people):
    folder = tada.folder / "locked"
    folder.mkdir(mode=0o555)
    tada("anonymize", people, *ROLES, "-o", "locked/out.csv", code=5)


def test_2_a_plan_that_cannot_be_read_or_names_what_is_not_there(tada, people):
    (tada.folder / "plans").mkdir()
    assert "Is a directory" in tada("anonymize", people, *ROLES, "--plan", "plans", "-o", "out.csv", code=2).stderr
    tada.write("plan.toml", '[columns.agee]\nhierarchy = "width:5"\n')
    error, hint = error_of(tada("anonymize", people, *ROLES, "--plan", "plan.toml", "-o", "out.csv", code=2))
    assert "[columns.agee]" in error and "'age'" in hint


def test_3_names_file_line_and_column(tada):
    for text, where in [("a,b\n1,2\n3\n", "in.csv, line 3, column b:"), ("a,b\n1,2,3\n", "in.csv, line 2, column 3:"),
                        ('a,b\n1,"2\n', "in.csv, line 2, column b:"), ('a,"b\n', "in.csv, line 1, column 2:")]:  # fmt: skip
        tada.write("in.csv", text)
        assert where in tada("anonymize", "in.csv", "--quasi", "a", "-k", "1", "-o", "out.csv", code=3).stderr


def test_3_a_hierarchy_that_is_not_there(tada):
    for verb in ["check", "show"]:
        assert "nosuch.csv" in tada("hierarchy", verb, "nosuch.csv", code=3).stderr


def test_a_log_is_nothing_but_lines_of_json(tada, people):
    """Also of a run that failed, and of one that warned."""
    tada.write("odd.csv", "age,job\n" + "".join(f"{20 + i % 9},cook\n" for i in range(40)) + "many,cook\n")
    for words, code, events in [
        ([people, *ROLES, "-o", "out.csv"], 0, {"stage", "end"}),
        ([people, *ROLES, "-k", "5000", "-o", "x.csv"], 4, {"stage", "end"}),
        (["none.csv", *ROLES, "-o", "x.csv"], 3, {"end"}),
        ([people, "--quasy", "age"], 2, {"end"}),
        (["odd.csv", "--quasi", "age,job", "-k", "2", "-o", "y.csv"], 0, {"stage", "note", "end"}),
    ]:
        run = subprocess.run([BINARY, "anonymize", *words, "--quiet", "--log", "json"], cwd=tada.folder, capture_output=True, text=True)
        assert run.returncode == code
        log = [json.loads(line) for line in run.stderr.splitlines()]
        assert {line["event"] for line in log} == events, words
        assert (log[-1]["event"], log[-1]["exit"]) == ("end", code)
        assert ("message" in log[-1], "hint" in log[-1]) == (code != 0, code != 0)
