"""Requirements on sensitive values, from the command line to the report and back through the audit."""

import json
import math
import random
import subprocess
from collections import Counter
from fractions import Fraction

import pytest

from conftest import BINARY, write_csv

ROLES = ["--quasi", "age,zip", "--sensitive", "salary,disease"]


@pytest.fixture
def staff(tmp_path):
    """A table whose salaries grow with age, so that groups of neighbours have salaries of their own."""
    lines = ["age,zip,salary,disease"]
    for i in range(240):
        lines.append(f"{20 + i // 6},{9000 + i * 37 % 11},{1000 + i // 6 * 50 + i % 3},{['flu', 'cold', 'flu', 'hiv'][(i * 7 // 3) % 4]}")
    path = tmp_path / "staff.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def reached(tada, *arguments):
    result = tada("anonymize", *arguments, "--json")
    return json.loads(result.stdout)["reached"]


def test_closeness_is_kept_reported_and_audited(tada, staff):
    found = reached(tada, staff, *ROLES, "-k", "4", "--closeness", "salary=0.2,disease=0.3", "-o", "out.csv")
    assert 0 < found["t"]["salary"] <= 0.2
    assert 0 < found["t"]["disease"] <= 0.3
    verdict = json.loads(tada("audit", "out.csv", *ROLES, "-k", "4", "--closeness", "salary=0.2,disease=0.3", "--json").stdout)
    assert verdict["t"] == found["t"]
    assert verdict["verified"] is True
    short = tada("audit", "out.csv", *ROLES, "-k", "4", "--closeness", "salary=0.01", code=1)
    assert "t of salary (ordered)" in short.stdout
    assert "at most 0.01 asked" in short.stdout


def test_the_summary_names_what_was_asked_and_reached(tada, staff):
    said = tada("anonymize", staff, *ROLES, "-k", "4", "--closeness", "salary=0.2", "-o", "out.csv").stdout
    assert "t of salary 0." in said
    assert ", asked 0.2" in said


@pytest.mark.parametrize(
    ("options", "key", "column"),
    [
        (["--likeness", "disease=1"], "beta", "disease"),
        (["--disclosure", "disease=1"], "delta", "disease"),
        (["--alpha", "disease=0.6"], "alpha", "disease"),
        (["--alpha", "disease=0.3:hiv,cold"], "alpha", "disease"),
        (["--spread", "salary=300"], "spread", "salary"),
        (["--spread", "salary=9000.5:variance"], "spread", "salary"),
    ],
)
def test_every_requirement_is_kept_and_audited(tada, staff, options, key, column):
    limit = float(options[1].split("=")[1].split(":")[0])
    found = reached(tada, staff, *ROLES, "-k", "3", *options, "-o", "out.csv")[key][column]
    assert found >= limit if key == "spread" else found <= limit
    assert json.loads(tada("audit", "out.csv", *ROLES, "-k", "3", *options, "--json").stdout)["verified"] is True


def test_the_printed_audit_command_asks_the_same(tada, staff):
    tada("anonymize", staff, *ROLES, "-k", "4", "--closeness", "0.3", "--alpha", "disease=0.7:hiv,cold", "-o", "out.csv", "--report", "out.html")
    page = (staff.parent / "out.html").read_text()
    assert "--closeness salary=0.3:ordered,disease=0.3:equal" in page
    assert "--alpha disease=0.7:hiv,cold" in page
    assert "t-closeness" in page  # in words


def test_ordered_needs_an_order_and_hierarchy_a_hierarchy(tada, staff):
    assert "have no order" in tada("anonymize", staff, *ROLES, "--closeness", "disease=0.2:ordered", "-o", "out.csv", code=2).stderr
    assert "no hierarchy" in tada("anonymize", staff, *ROLES, "--closeness", "disease=0.2:hierarchy", "-o", "out.csv", code=2).stderr
    assert "not sensitive" in tada("anonymize", staff, *ROLES, "--closeness", "age=0.2", "-o", "out.csv", code=2).stderr
    assert "needs numbers" in tada("anonymize", staff, *ROLES, "--spread", "disease=2", "-o", "out.csv", code=2).stderr
    assert "does not have" in tada("anonymize", staff, *ROLES, "--alpha", "disease=0.2:plague", "-o", "out.csv", code=2).stderr


def test_a_hierarchy_of_a_sensitive_column(tada, staff):
    (staff.parent / "disease.csv").write_text("flu;light;*\ncold;light;*\nhiv;grave;*\n")
    options = [*ROLES, "-k", "4", "--closeness", "disease=0.2:hierarchy", "--hierarchy", "disease=disease.csv"]
    found = reached(tada, staff, *options, "-o", "out.csv")
    assert found["t"]["disease"] <= 0.2
    assert json.loads(tada("audit", "out.csv", *options, "--json").stdout)["t"] == found["t"]
    unknown = tada("audit", "out.csv", *ROLES, "-k", "4", "--closeness", "disease=0.2:hierarchy", code=6)
    assert "hierarchy of disease is not known" in unknown.stdout
    assert "has no use" in tada("anonymize", staff, *ROLES, "--hierarchy", "disease=disease.csv", "-o", "x.csv", code=2).stderr


def test_risk_sets_k_on_exact_decimals(tada, staff):
    assert "k=12" in tada("anonymize", staff, *ROLES, "--risk", "0.09", "-o", "out.csv").stdout
    assert json.loads(tada("anonymize", staff, *ROLES, "--risk", ".1", "-o", "two.csv", "--json").stdout)["requirement"]["k"] == 10
    assert "above 0 and at most 1" in tada("anonymize", staff, *ROLES, "--risk", "0", "-o", "x.csv", code=2).stderr


def test_rows_ask_for_a_k_of_their_own(tada, staff):
    lines = staff.read_text().splitlines()
    staff.write_text("\n".join([lines[0] + ",mine"] + [f"{line},{20 if i % 50 == 0 else ''}" for i, line in enumerate(lines[1:])]) + "\n")
    found = reached(tada, staff, *ROLES, "-k", "3", "--k-column", "mine", "-o", "out.csv")
    assert found["below_own_k"]["mine"] == 0
    assert "mine" not in (staff.parent / "out.csv").read_text().splitlines()[0]
    rows = [line.split(",") for line in (staff.parent / "out.csv").read_text().splitlines()[1:]]
    assert len(rows) == 240
    assert "not verified" in tada("audit", "out.csv", *ROLES, "-k", "3", "--k-column", "mine", code=6).stdout
    assert "two roles" in tada("anonymize", staff, *ROLES, "--k-column", "mine", "--keep", "mine", "-o", "x.csv", code=2).stderr


def test_what_somebody_asks_for_is_in_no_message(tada):
    """Asking for more than all others is telling: the column is not released, and the message does not quote it."""
    tada.write("in.csv", write_csv([{"age": str(number), "mine": "48931" if number == 33 else ""} for number in range(20, 41)]))
    told = tada("anonymize", "in.csv", "--quasi", "age", "-k", "3", "--k-column", "mine", "-o", "out.csv", code=4).stderr
    assert "largest possible k=21" in told and "A row asks for more than the 21" in told and "48931" not in told


def test_controllers_are_compared_with_their_own_rows_or_with_all(tada, staff):
    lines = staff.read_text().splitlines()
    staff.write_text("\n".join([lines[0] + ",site"] + [f"{line},{'north' if i < 150 else 'south'}" for i, line in enumerate(lines[1:])]) + "\n")
    options = [staff, *ROLES, "-k", "3", "--closeness", "salary=0.1", "--controller-column", "site"]
    own = json.loads(tada("anonymize", *options, "--keep", "site", "-o", "own.csv", "--json").stdout)
    assert all(part["reached"]["t"]["salary"] <= 0.1 for part in own["controllers"])
    assert own["reached"]["t"]["salary"] > 0.1  # the union is only measured
    said = tada("anonymize", *options, "--reference", "table", "-o", "all.csv", code=4).stderr
    assert "Controller" in said
    assert "smallest possible t=" in said
    smallest = said.split("smallest possible t=")[1].split(" ")[0]
    again = [staff, *ROLES, "-k", "3", "--closeness", f"salary={smallest}", "--controller-column", "site", "--reference", "table"]
    union = reached(tada, *again, "-o", "all.csv")
    assert union["t"]["salary"] <= float(smallest)


def test_plans_know_them(tada, staff):
    (staff.parent / "tada.toml").write_text(
        'quasi = ["age", "zip"]\nsensitive = ["salary", "disease"]\nk = 4\ncloseness = ["salary=0.2", "disease=0.3"]\nlikeness = "disease=2"\n'
    )
    found = reached(tada, staff, "--plan", "tada.toml", "-o", "out.csv")
    assert found["t"]["salary"] <= 0.2
    assert found["beta"]["disease"] <= 2
    assert tada("audit", "out.csv", "--plan", "tada.toml").stdout.startswith("PASSED")


def up(value):
    """Rounded up to four places."""
    return math.ceil(value * 10000) / 10000 if value != math.inf else "infinite"


def reference(classes, numbers):
    """What classes of values reach, from the definitions, in fractions."""
    everybody = Counter(value for rows in classes for value in rows)
    n, order = sum(everybody.values()), sorted(everybody)
    equal, ordered, beta, delta, alpha, spread = [], [], [], [], [], []
    for rows in classes:
        counts, m = Counter(rows), len(rows)
        extra = {value: Fraction(counts[value], m) - Fraction(everybody[value], n) for value in order}
        equal.append(sum(abs(x) for x in extra.values()) / 2)
        crossing = [abs(sum(extra[value] for value in order[: i + 1])) for i in range(len(order))]
        ordered.append(sum(crossing) / max(1, len(order) - 1))
        beta.append(max(extra[value] / Fraction(everybody[value], n) for value in order))
        alpha.append(Fraction(max(counts.values()), m))
        shares = [Fraction(counts[value] * n, m * everybody[value]) for value in order]
        delta.append(max(abs(math.log(share)) for share in shares) if all(shares) else math.inf)
        spread.append(max(rows) - min(rows) if numbers else 0)
    return {"equal": max(equal), "ordered": max(ordered), "beta": max(*beta, 0), "delta": max(delta), "alpha": max(alpha), "spread": min(spread)}


def measured(tada, *options):
    """What an audit finds, whether it passes or not."""
    done = subprocess.run([BINARY, "audit", "release.csv", *options, "--json"], cwd=tada.folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def test_the_audit_measures_as_the_definitions_do(tada):
    draw = random.Random(25)
    for _ in range(12):
        rows = [(draw.randrange(3), draw.choice([1, 2, 5, 9][: draw.randint(1, 4)])) for _ in range(draw.randint(4, 60))]
        tada.write("release.csv", "q,s\n" + "".join(f"c{q},{s}\n" for q, s in rows))
        expected = reference([[s for q, s in rows if q == c] for c in sorted({q for q, _ in rows})], numbers=True)
        for kind in ("equal", "ordered"):
            options = ["--quasi", "q", "--sensitive", "s", "-k", "1", "--closeness", f"0.9999:{kind}", "--likeness", "1000:basic", "--disclosure", "1000"]
            found = measured(tada, *options, "--alpha", "0.9999", "--spread", "1")
            assert found["t"]["s"] == up(expected[kind])
            assert found["beta"]["s"] == up(expected["beta"])
            assert found["alpha"]["s"] == up(expected["alpha"])
            assert found["spread"]["s"] == expected["spread"]
            assert found["delta"]["s"] == ("infinite" if expected["delta"] == math.inf else pytest.approx(expected["delta"], abs=1.1e-4))


@pytest.mark.parametrize("method", ["mondrian", "compact"])
def test_stratified_cuts_can_be_asked_for_by_name(tada, staff, method):
    """They are made by default where distributions are compared, so that asking changes nothing; without that it is refused."""
    asked = ["anonymize", staff, *ROLES, "-k", "4", "--method", method]
    tada(*asked, "--closeness", "disease=0.3", "-o", "default.csv")
    tada(*asked, "--closeness", "disease=0.3", "--stratify", "-o", "asked.csv")
    assert (tada.folder / "asked.csv").read_bytes() == (tada.folder / "default.csv").read_bytes()
    tada("audit", "asked.csv", *ROLES, "-k", "4", "--method", method, "--closeness", "disease=0.3", "--stratify")  # one line of options serves both


@pytest.mark.parametrize("method", ["mondrian", "compact"])
def test_a_closeness_that_asks_for_nothing_changes_nothing(tada, staff, method):
    plain, asked = ([*ROLES, "-k", "4", "--method", method, "-o", name] for name in ("plain.csv", "asked.csv"))
    tada("anonymize", staff, *plain)
    assert "asks for nothing" in tada("anonymize", staff, *asked, "--closeness", "1").stderr
    assert (staff.parent / "asked.csv").read_bytes() == (staff.parent / "plain.csv").read_bytes()


def test_stratified_cuts_need_something_that_compares_distributions(tada, staff):
    told = tada("anonymize", staff, *ROLES, "-k", "4", "--method", "mondrian", "--stratify", "-o", "out.csv", code=2).stderr
    assert "--stratify" in told and "--closeness" in told


@pytest.mark.parametrize("form", ["range", "variance"])
def test_spread_of_numbers_whose_range_no_double_holds(tada, form):
    tada.write("in.csv", "age,salary\n1,1e308\n2,-1e308\n3,5\n4,7\n")
    asked = ["--quasi", "age", "--sensitive", "salary", "--spread", f"2:{form}", "-k", "2"]
    tada("anonymize", "in.csv", *asked, "-o", "out.csv", timeout=30)
    tada("audit", "out.csv", *asked, "--original", "in.csv", timeout=30)


def test_spread_of_large_numbers_that_lie_close_together(tada):
    tada.write("in.csv", "age,salary\n" + "".join(f"{i},{10**19 + i % 2 * 4096}\n" for i in range(8)))
    asked = ["--quasi", "age", "--sensitive", "salary", "-k", "2"]
    tada("anonymize", "in.csv", *asked, "--spread", "4096", "-o", "out.csv")
    tada("audit", "out.csv", *asked, "--spread", "4097", code=1)


def test_a_spread_of_nothing_is_not_named_as_something_to_ask_for(tada):
    tada.write("in.csv", "age,salary\n1,5\n2,5\n3,5\n4,5\n")
    told = tada("anonymize", "in.csv", "--quasi", "age", "--sensitive", "salary", "--spread", "2", "-k", "2", "-o", "out.csv", code=4).stderr
    assert "spread=0 (salary)" in told and "do not differ" in told and "of at most the value named" not in told


def test_a_disclosure_that_nothing_meets_says_what_to_do(tada):
    tada.write("in.csv", "age,c,disease\n" + "".join(f"{i},{'AB'[i % 2]},{['flu', 'cold', 'flu', 'flu'][i % 4]}\n" for i in range(8)))
    asked = ["--quasi", "age", "--sensitive", "disease", "--disclosure", "1", "-k", "2", "--controller-column", "c"]
    told = tada("anonymize", "in.csv", *asked, "--reference", "table", "-o", "out.csv", code=4).stderr
    assert "delta=infinite" in told and "--reference controller" in told and "of at least the value named" not in told
    tada("anonymize", "in.csv", *asked, "--reference", "controller", "-o", "out.csv")
