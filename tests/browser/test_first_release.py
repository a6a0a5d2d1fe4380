"""The page, quickly: with every `make test`. The rest is in test_flows.py, which `make browser` runs."""

import hashlib
import subprocess

from pages import browser, opened, server, sync_api  # noqa: F401
from served import BINARY
from walks import drop, release


def test_from_the_demo_to_a_release_with_the_bytes_of_the_command_shown(opened, tmp_path):
    page = opened().demo()
    sync_api.expect(page.locator("table.roles tbody tr")).to_have_count(11)
    release(page)
    sync_api.expect(page.locator(".planbar code")).to_contain_text("tada anonymize people.csv --plan tada.toml")
    command = page.locator(".planbar code").inner_text()
    with page.expect_download() as file:
        page.get_by_role("button", name="Download people.anon.csv").first.click()
    clicked = file.value.path().read_bytes()
    with page.expect_download() as plan:
        page.get_by_role("button", name="Download tada.toml").click()
    subprocess.run([str(BINARY), "demo", "--write", "people.csv"], cwd=tmp_path, check=True, timeout=300)
    (tmp_path / "tada.toml").write_bytes(plan.value.path().read_bytes())
    subprocess.run([str(BINARY), *command.split()[1:]], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    assert hashlib.sha256((tmp_path / "people.anon.csv").read_bytes()).digest() == hashlib.sha256(clicked).digest()
    page.get_by_text("nothing stands out").or_(page.get_by_text("to look at")).first.wait_for()  # the attacker was played
    page.get_by_role("button", name="Show a group").click()
    page.get_by_text("Shows raw rows: confidential").wait_for()


def test_everything_that_can_be_released_is_on_the_frontier(opened):
    made = opened()
    page = made.demo()
    drop(page, "zip", "income", "hours", "education", "job")
    made.go("frontier")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_text("Good places to start").wait_for()
    first = page.locator("svg.chart g.m[tabindex='0']")
    first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Release A").click()
    page.get_by_role("heading", name="Released, and the audit passed").wait_for()
