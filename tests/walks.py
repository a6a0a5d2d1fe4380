"""Steps that several tests of the page take."""


def next_to(page, *buttons):
    for name, heading in buttons:
        page.get_by_role("button", name=name, exact=True).click()
        page.get_by_role("heading", level=1, name=heading).wait_for()


def release(page):
    next_to(page, ("Accept and continue", "How well must people be hidden?"), ("Continue", "What will the release be used for?"))
    page.get_by_role("button", name="Release", exact=True).click()
    page.get_by_role("heading", name="Released, and the audit passed").wait_for()


def drop(page, *names):
    """Fewer columns, where a search shall take seconds."""
    for name in names:
        page.get_by_role("radio", name=f"{name}: Drop").click()
