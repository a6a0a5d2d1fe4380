"""`ta_da --label-share`: compact's search after the tree, by a loss of which the label has a share."""

import json

import pytest

ROLES = ["--quasi", "age,zip,job", "--sensitive", "disease"]


def released(tada, people, *options, label="income", threads=2):
    found = tada("anonymize", people, *ROLES, "--label", label, "-k", "5", "-l", "2", *options, "-o", "out.csv", "--force", "--threads", str(threads),
                 "--report-raw", "--json")  # fmt: skip
    tada("audit", "out.csv", "--original", people, *ROLES, "-k", "5", "-l", "2")
    return json.loads(found.stdout), (tada.folder / "out.csv").read_bytes()


@pytest.mark.parametrize("label", ["note:categorical", "income:numeric"])
def test_more_share_leaves_less_label_loss(tada, people, label):
    reports = [released(tada, people, "--label-share", share, label=label)[0]["compact"] for share in ["0.02", "0.9"]]
    assert reports[1]["label_loss_after"] < reports[0]["label_loss_after"]
    assert reports[1]["ncp_after"] > reports[0]["ncp_after"]
    for report in reports:
        assert report["label_loss_after"] <= report["label_loss_before"] or report["ncp_after"] < report["ncp_before"]


def test_share_of_nothing_is_less_loss_than_mondrian(tada, people):
    assert released(tada, people, "--label-share", "0")[0]["loss"]["ncp"] < released(tada, people)[0]["loss"]["ncp"]


def test_threads_change_nothing(tada, people):
    assert released(tada, people, "--label-share", "0.3", threads=1)[1] == released(tada, people, "--label-share", "0.3", threads=2)[1]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--label", "income", "--label-share", "1.5"], "--label-share"),
        (["--label", "income", "--label-share", "0.1", "--relaxed"], "--relaxed"),
        (["--label", "income", "--label-share", "0.1", "--range", "cut"], "--range"),
        (["--label", "income", "--label-share", "0.1", "--save-cuts", "cuts.json"], "--save-cuts"),
        (["--task", "clustering", "--label-share", "0.1"], "--label-share"),
    ],
)
def test_what_does_not_go_together_is_refused(tada, people, options, named):
    assert named in tada("anonymize", people, *ROLES, "--method", "ta_da", *options, "-o", "out.csv", code=2).stderr
    assert not (tada.folder / "out.csv").exists()
