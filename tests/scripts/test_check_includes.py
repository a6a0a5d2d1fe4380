"""scripts/check_includes refuses a function that two source files define: the linker would keep either."""

import pathlib
import subprocess
import sys

import pytest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_includes"

WORDS = """#include "base/words.h"
namespace tada {
namespace {
std::string Own(int value) { return fmt::format("{{{}}}", value); }
}  // namespace
static int Hidden() { return 1; }
std::string VerdictText(const Verdict& verdict, size_t i = 0) {
  if (verdict.passed) { return "{"; }
  return Own(1'000);
}
}  // namespace tada
"""


def check(folder: pathlib.Path, files: dict[str, str]) -> subprocess.CompletedProcess[str]:
    for name, text in files.items():
        path = folder / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, CHECK, folder / "src"], capture_output=True, text=True)


def test_a_function_defined_in_two_files_is_refused(tmp_path):
    second = "namespace tada {\n\nstd::string VerdictText(const Verdict& other,\n                        size_t j) {\n  return {};\n}\n}\n"
    done = check(tmp_path, {"base/words.cc": WORDS, "table/text.cc": second})
    assert done.returncode == 1
    assert "table/text.cc:3: VerdictText(constVerdict&,size_t) is also defined in" in done.stderr
    assert "1 problems" in done.stdout


@pytest.mark.parametrize(
    "second",
    [
        "std::string VerdictText(const Verdict& verdict) { return {}; }",  # an overload
        "std::string VerdictText(Verdict& verdict, size_t i) { return {}; }",
        "namespace {\nstd::string VerdictText(const Verdict& v, size_t i) { return {}; }\n}",
        "static std::string VerdictText(const Verdict& v, size_t i) { return {}; }",
        "std::string Page::VerdictText(const Verdict& v, size_t i) { return {}; }",
        "std::string VerdictText(const Verdict& v, size_t i);",
        "namespace {\nstd::string Own(int value) { return {}; }\n}\nstatic int Hidden() { return 2; }",
    ],
)
def test_what_the_linker_tells_apart_is_not(tmp_path, second):
    done = check(tmp_path, {"base/words.cc": WORDS, "table/text.cc": f"namespace tada {{\n{second}\n}}\n"})
    assert done.returncode == 0, done.stderr


def test_a_folder_of_too_many_files_is_refused(tmp_path):
    files = {f"base/part_{number}.h": "#pragma once\n" for number in range(25)}
    files["base/part_test.cc"] = "namespace tada {}\n"  # tests do not count
    assert check(tmp_path, files).returncode == 0
    done = check(tmp_path, {"base/one_more.h": "#pragma once\n"})
    assert done.returncode == 1 and "base: 26 files, more than 25" in done.stderr


def test_a_message_that_spells_an_option_is_refused(tmp_path):
    message = 'Error Bad() {\n  return InvalidArgument("The column is not there: "\n                         "name it in --quasi");\n}\n'
    done = check(tmp_path, {"base/words.cc": message})
    assert done.returncode == 1 and "base/words.cc:2: spells an option" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        'Error Bad() { return InvalidArgument(TADA_OPTION("quasi") " is missing"); }',
        'OptionSpec Spec() { return {.name = "safe", .help = "Set K; goes with --range cut."}; }',
        "Error Bad() { return Usage(\"'tada inspect <input> --write-plan tada.toml' drafts one\"); }",
        "// --quasi names columns\nint Own() { return 1; }",
    ],
)
def test_marks_help_and_commands_are_not(tmp_path, text):
    assert check(tmp_path, {"base/words.cc": text}).returncode == 0
