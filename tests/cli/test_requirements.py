"""What requirements promise to searches: which conclusions a method may draw from a group that fails."""

import json

from conftest import write_csv


def test_optimal_draws_no_conclusion_from_outliers_that_finer_levels_need_not_have(tada):
    # A class fails recursive diversity though its parts hold: with rows to suppress, the lowest levels are allowed and best.
    blocks = [("p", "Bp", "m", "u", 5), ("p", "Bp", "m", "v", 5), ("p", "Bp", "n", "u", 2)]
    blocks += [("q", "Bq", "m", "u", 5), ("q", "Bq", "m", "v", 5), ("q", "Bq", "n", "v", 2)]
    rows = [dict(zip("abcs", block, strict=False)) for block in blocks for _ in range(block[4])]
    tada.write("in.csv", write_csv(rows))
    tada(
        "anonymize", "in.csv", "-o", "out.csv", "--quasi", "a,b,c", "--sensitive", "s", "-k", "4", "-l", "2",
        "--diversity", "recursive:1.2", "--method", "optimal", "--suppress", "20", "--hierarchy", "a=flat,b=flat,c=flat",
        "--report", "out.json",
    )  # fmt: skip
    assert json.loads((tada.folder / "out.json").read_text())["loss"]["ncp"] < 0.17
