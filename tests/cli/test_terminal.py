"""What a person sees: help, the man page, completions, the progress bar on a terminal."""

import os
import pty
import re
import select
import subprocess

import pytest

from conftest import BINARY, ROLES, make_people, write_csv

COMMANDS = ["anonymize", "audit", "inspect", "demo", "methods"]


def test_version(tada):
    assert re.fullmatch(r"tada \d+\.\d+\.\d+\S*\n", tada("--version").stdout)


def test_help_names_every_command(tada):
    shown = tada("--help").stdout
    for command in COMMANDS:
        assert command in shown


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_an_example_and_the_options(tada, command):
    shown = tada(command, "--help").stdout
    assert f"tada {command}" in shown and "Example" in shown
    if command == "anonymize":
        options = "--quasi --sensitive --label --keep --task --method -k -l --diversity --controllers --controller-column "
        options += "--missing --plan --delimiter --seed --threads --keep-order --report --progress --quiet --force --cells"
        for option in options.split():
            assert option in shown
        assert "Exit status" in shown


def test_no_command_shows_help_and_is_wrong_usage(tada):
    assert "anonymize" in "".join(tada("--help").stdout)
    tada(code=2)


def test_the_man_page_formats(tada):
    page = tada("man").stdout
    assert page.startswith(".TH") or "\n.TH" in page
    for option in ("quasi", "sensitive", "keep\\-order"):
        assert option in page or option.replace("\\", "") in page


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_name_commands_and_options(tada, shell):
    script = tada("completion", shell).stdout
    for word in ("anonymize", "audit", "quasi", "keep-order"):
        assert word in script


def test_the_bash_completion_works(tada):
    script = tada("completion", "bash").stdout
    tada.write("tada.bash", script)
    ask = 'source ./tada.bash; COMP_WORDS=(tada anonymize --qu); COMP_CWORD=2; COMP_LINE="tada anonymize --qu"; COMP_POINT=19;'
    ask += ' f=$(complete -p tada | sed -E "s/.*-F ([^ ]+).*/\\1/"); $f tada --qu anonymize; printf "%s\\n" "${COMPREPLY[@]}"'
    shown = subprocess.run(["bash", "-c", ask], cwd=tada.folder, capture_output=True, text=True)
    assert "--quasi" in shown.stdout, shown.stderr


def on_terminal(folder, *arguments):
    """Runs the binary with standard error on a terminal; gives what it drew and its exit code."""
    master, slave = pty.openpty()
    process = subprocess.Popen([BINARY, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    drawn = b""
    while True:
        ready, _, _ = select.select([master], [], [], 0.05)
        if ready:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            drawn += piece
    process.stdout.close()
    os.close(master)
    return drawn, process.wait()


def test_a_progress_bar_on_a_terminal_and_nowhere_else(tada):
    tada.write("in.csv", write_csv(make_people(60000)))
    drawn, code = on_terminal(tada.folder, "anonymize", "in.csv", *ROLES, "-o", "out.csv")
    assert code == 0 and b"\r" in drawn
    drawn, code = on_terminal(tada.folder, "anonymize", "in.csv", *ROLES, "-o", "out.csv", "--force", "--quiet")
    assert code == 0 and drawn == b""
    result = tada("anonymize", "in.csv", *ROLES, "-o", "out.csv", "--force")
    assert "\r" not in result.stderr


def test_progress_can_be_asked_for_in_a_pipe(tada, people):
    assert tada("anonymize", people, *ROLES, "-o", "out.csv", "--progress").stderr != ""


def test_the_demo_shows_rows_before_and_after_and_where_the_report_is(tada):
    shown = tada("demo").stdout
    assert "[" in shown and "k" in shown
    reports = re.findall(r"\S+\.html", shown)
    assert reports, shown
    path = tada.folder / reports[0]
    assert path.exists()


def test_the_demo_writes_the_same_table_for_the_same_seed(tada):
    tada("demo", "--write", "a.csv", "--rows", "3000")
    tada("demo", "--write", "b.csv", "--rows", "3000")
    tada("demo", "--write", "c.csv", "--rows", "3000", "--seed", "9")
    a, b, c = ((tada.folder / name).read_bytes() for name in ("a.csv", "b.csv", "c.csv"))
    assert a == b != c and len(a.splitlines()) == 3001
    tada("demo", "--write", "a.csv", code=5)
    assert (tada.folder / "a.csv").read_bytes() == a
