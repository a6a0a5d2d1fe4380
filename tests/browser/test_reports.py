"""The pages that commands write, light and dark, wide and on a phone: no violations of accessibility rules, no sideways scroll, nothing asked of anybody."""

import subprocess

import pytest

from pages import AXE, browser  # noqa: F401
from served import BINARY

pytestmark = pytest.mark.slow  # `make browser` runs them

ROLES = ["--quasi", "age,sex,job,marital", "--sensitive", "diagnosis", "--label", "readmitted"]
COMMANDS = {
    "anonymize": ["anonymize", "people.csv", *ROLES, "-k", "10", "-l", "2", "-o", "a.csv"],
    "audit": ["audit", "a.csv", "--original", "people.csv", *ROLES, "-k", "10", "-l", "2"],
    "attack": ["attack", "a.csv", "--original", "people.csv", *ROLES],
    "compare": ["compare", "a.csv", "a.csv", "--original", "people.csv", *ROLES],
    "evaluate": ["evaluate", "people.csv", *ROLES, "--methods", "raw,ta_da,mondrian", "-k", "5,10,50", "--seeds", "2"],
    "advise": ["advise", "people.csv", "--quasi", "age,sex,marital", "--label", "readmitted", "-o", "advice.json"],
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    subprocess.run([str(BINARY), "demo", "--write", "people.csv"], cwd=folder, check=True, timeout=300)
    for name, command in COMMANDS.items():
        subprocess.run([str(BINARY), *command, "--report", f"{name}.html"], cwd=folder, check=True, capture_output=True, timeout=900)
    return folder


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("name", COMMANDS)
def test_reports(browser, reports, name, scheme, width):
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    wrong, asked = [], []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"file://{reports}/{name}.html")
    page.get_by_role("heading", level=1).wait_for()
    if not page.evaluate("document.fonts.ready.then(() => document.fonts.size > 0 && document.fonts.check('14px Geist'))"):
        wrong.append("the font is not in the page")
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    if wide[0] > wide[1]:
        wrong.append(f"{wide[0]} px wide on {wide[1]}")
    if AXE.exists():
        page.evaluate(AXE.read_text())
        found = page.evaluate(
            "axe.run(document, {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
        )
        wrong += [f"{v['id']}: {v['nodes'][0]['html'][:160]} ({len(v['nodes'])})" for v in found["violations"]]
    context.close()
    assert not wrong, "\n".join(wrong)
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [f"file://{reports}/{name}.html"]
