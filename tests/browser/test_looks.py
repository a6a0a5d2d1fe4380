"""Every screen, light and dark, wide and on a phone: no violations of accessibility rules, no sideways scroll."""

import pytest

from pages import AXE, Page, browser, server  # noqa: F401

pytestmark = pytest.mark.slow  # `make browser` runs them

SCREENS = {
    "open": [".list li"], "columns": [".big", ".sizes"], "requirement": [".note.met"], "method": [".pick"], "frontier": ["svg .m", ".cmp"],
    "compare": ["svg .after", "table.tight"], "hierarchies": [".tree .node"], "controllers": [".seg"], "runs": ["tbody tr"], "result": [".figures", ".attack"],
}  # fmt: skip


@pytest.fixture(scope="module")
def made(server):
    """A release to look at."""
    plan = {"values": {"quasi": ["age", "sex", "job", "marital"], "sensitive": ["diagnosis"], "label": ["readmitted"], "k": 10, "l": 2}}
    job = server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": server.table(), "plan": plan})[2]["id"]
    advice = {"values": {"quasi": ["age", "sex", "marital"], "label": ["readmitted"]}}
    searched = server.ask("POST", "/api/jobs", {"kind": "advise", "table": server.table(), "plan": advice})[2]["id"]
    attacked = server.ask("POST", "/api/jobs", {"kind": "attack", "after": server.wait(job)["id"]})[2]["id"]
    methods = {"methods": ["raw", "mondrian", "ta_da"], "k": ["10"], "seeds": "2"}
    compared = server.ask("POST", "/api/jobs", {"kind": "evaluate", "table": server.table(), "plan": advice, "options": methods})[2]["id"]
    for each in (searched, attacked, compared):
        assert server.wait(each)["state"] == "done"
    return job


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_screens(browser, server, made, scheme, width):
    page = Page(browser, server, color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
    page.demo()
    wrong = []
    for screen in SCREENS:
        page.go(f"result/{made}" if screen == "result" else screen)
        for there in SCREENS[screen]:  # what comes later than the frame
            page.page.locator(there).first.wait_for()
        page.page.evaluate("() => document.querySelectorAll('details').forEach((d) => { d.open = true })")
        wide = page.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        if wide[0] > wide[1]:
            wrong.append(f"{screen}: {wide[0]} px wide on {wide[1]}")
        if not AXE.exists():
            continue
        page.page.add_script_tag(path=str(AXE))
        found = page.page.evaluate(
            "axe.run(document, {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
        )
        for violation in found["violations"]:
            wrong.append(
                f"{screen}: {violation['id']}: {violation['nodes'][0]['html'][:160]} ({len(violation['nodes'])}) "
                f"{violation['nodes'][0].get('failureSummary', '')[:200]}"
            )
    page.close()
    assert not wrong, "\n".join(wrong)
