#include "plan/option_groups.h"

#include "plan/methods.h"
#include "plan/plan.h"
#include "privacy/check/requirements.h"

namespace tada {
namespace {

using enum OptionType;

OptionSpecs InPlan(OptionSpecs group) {
  for (OptionSpec& spec : group) spec.in_plan = true;
  return group;
}

// The spellings of a missing value as a list on the command line: '',?
std::string SpellingsText(const std::vector<std::string>& spellings) {
  std::string text;
  for (const std::string& spelling : spellings) {
    text += (text.empty() ? "" : ",") + (spelling.empty() ? "''" : spelling);
  }
  return text;
}

}  // namespace

OptionSpecs RoleOptions() {
  const std::string_view columns = "Columns";
  return InPlan(
      {{.name = "quasi",
        .type = kList,
        .value_name = "columns",
        .section = columns,
        .help =
            "Name the quasi-identifiers: what somebody could know about a person and look up. The kind is inferred; "
            "a suffix overrides it: zip:categorical, age:numeric, grade:ordinal, dob:date. Numbers and dates may say "
            "how "
            "they are written: dob:date:%d/%m/%Y, income:numeric:comma."},
       {.name = "sensitive",
        .type = kList,
        .value_name = "columns",
        .section = columns,
        .help = "Name the sensitive columns, released as they are and protected by l."},
       {.name = "label",
        .type = kList,
        .value_name = "columns",
        .section = columns,
        .help = "Name the column that a model will predict, released as it is; several with weights: y:2,z:1."},
       {.name = "keep",
        .type = kList,
        .value_name = "columns",
        .section = columns,
        .help = "Release these other columns unchanged. A column without a role is never released."},
       {.name = "person",
        .type = kList,
        .value_name = "columns",
        .section = columns,
        .help =
            "Name the columns that together name a person, where people have several rows; never released. k, l and "
            "all other requirements count different people. <column>:together (the default) keeps all rows of a "
            "person in one group; <column>:apart lets them stand anywhere, which protects only against somebody who "
            "knows one row."},
       {.name = "rows-are-people",
        .type = kFlag,
        .section = columns,
        .help = "State that every row is a person of its own, though a column looks like an identifier of people and "
                "repeats."},
       {.name = "allow",
        .type = kList,
        .value_name = "columns",
        .section = columns,
        .help =
            "Release these columns though they look like something that identifies people: names, e-mail addresses, "
            "numbers of accounts or persons, free text. Without it such a column is refused."},
       {.name = "hierarchies",
        .type = kText,
        .value_name = "folder",
        .section = columns,
        .help = "Read the hierarchies of the quasi-identifiers from a folder with a file such as age.csv for each "
                "column, or from one file with a section per column. A column that has one is released by its labels."},
       {.name = "hierarchy",
        .type = kList,
        .value_name = "column=file",
        .section = columns,
        .help = "Set the hierarchy of a column: a file, a rule that holds on every table (width:10, 0-120/5/10/20, "
                "dates, prefix:5/3/1, split:., zip3, icd10), or a builder from the data (count:5, round, prefix, "
                "means, flat)."}});
}

OptionSpecs ProtectOptions() {
  const std::string_view columns = "Columns";
  return InPlan(
      {{.name = "pseudonym",
        .type = kList,
        .value_name = "columns",
        .section = columns,
        .help = "Release these columns as pseudonyms: HMAC-SHA-256 of the value by the key of --key, for --key-domain. "
                "They name people "
                "unless --person does. Which rows are one person's is known then, so that k people must share their "
                "number."},
       {.name = "shift-dates",
        .type = kList,
        .value_name = "columns",
        .section = columns,
        .help = "Release these dates moved by days that the key of --key gives every person, so that intervals stay; "
                "<column>:month and <column>:year release less of them. k people must share the gaps between a "
                "person's dates."},
       {.name = "key",
        .type = kText,
        .value_name = "file",
        .section = columns,
        .help = "Read the secret key of pseudonyms, shifted dates and the signature of --manifest from this file; "
                "'tada key -o <file>' makes one."},
       {.name = "key-domain",
        .type = kText,
        .value_name = "name",
        .section = columns,
        .help =
            "Set what pseudonyms are for: releases of the same key and domain can be joined by them, others cannot."},
       TextOption("profile", "policy", "Requirement",
                  "Set and check a policy: cms (no cell of fewer than 11 people), risk:0.09 (k of at least 1/0.09), "
                  "hipaa-safe-harbor, or a file of your own, .toml.")});
}

OptionSpecs MethodChoiceOptions() {
  const std::string_view method = "Method";
  return InPlan(
      {{.name = "task",
        .type = kChoice,
        .value_name = "task",
        .choices = {"classification", "clustering", "regression", "none"},
        .section = method,
        .help = "Set what the release is for. By default classification with a categorical label, regression with a "
                "numeric one, none without."},
       {.name = "method",
        .type = kText,
        .value_name = "name",
        .section = method,
        .help = "Set how groups are formed; 'tada methods' lists the methods. By default ta_da with a task, mondrian "
                "without."},
       {.name = "controllers",
        .type = kInteger,
        .value_name = "count",
        .default_text = DefaultText(Plan().controllers),
        .minimum = 1,
        .section = method,
        .help = "Split the rows at random into this many controllers, each anonymized on its own."},
       {.name = "controller-column",
        .type = kText,
        .value_name = "column",
        .section = method,
        .help = "Take the controllers from a column, which is dropped from the release unless kept."}});
}

OptionSpecs CellOptions() {
  const std::string_view cells = "Cells";
  return InPlan(
      {{.name = "safe",
        .type = kInteger,
        .value_name = "rows",
        .minimum = 2,
        .section = "Requirement",
        .help =
            "Form groups of at least this many rows by the quasi-identifiers alone, before any other value is looked "
            "at; if they do not meet the requirement then, nothing is released. Whoever runs the program again "
            "learns nothing about values that the cells do not tell."},
       {.name = "range",
        .type = kChoice,
        .value_name = "bounds",
        .default_text = "tight",
        .choices = {"tight", "cut"},
        .section = cells,
        .help = "Let cells reach from the smallest to the largest value of the people inside, or show the boxes of the "
                "cuts, whose bounds are nobody's values (mondrian, infogain, regression, ta_da with a label)."},
       {.name = "domain",
        .type = kList,
        .value_name = "column=lowest..highest",
        .section = cells,
        .help = "With --range cut: set where boxes of a numeric column end that were never cut, as in age=0..120. By "
                "default its extremes, rounded outward."},
       {.name = "min-member",
        .type = kInteger,
        .value_name = "rows",
        .minimum = 1,
        .section = cells,
        .help = "Name no value in a cell that fewer rows have: such a cell shows the label of the column's hierarchy, "
                "or '*'."},
       {.name = "recode",
        .type = kChoice,
        .value_name = "how",
        .default_text = Plan().recode,
        .choices = {"cells", "exact", "mean"},
        .section = cells,
        .help = "Show the values of a group as intervals, sets and labels; only where they are all the same and '*' "
                "elsewhere (exact); or as their mean, names as the most frequent (mean), which is not everybody's."},
       {.name = "clip",
        .type = kList,
        .value_name = "column=lowest..highest",
        .section = cells,
        .help = "Take numbers below and above for the nearer end, before anything else, as in age=18..90; either end "
                "may be left out."},
       {.name = "withhold",
        .type = kReal,
        .value_name = "percent",
        .default_text = "0",
        .minimum = 0,
        .maximum = 99,
        .section = "Method",
        .help = "Leave out at most this share of the people, with all their rows: those who widen the cells of others "
                "most. In an audit: how many may be missing."},
       {.name = "importance",
        .type = kList,
        .value_name = "column=weight",
        .section = "Method",
        .help = "Weigh quasi-identifiers in losses and cuts, as in age=2,zip=0.5: what is important stays precise. 1 "
                "where nothing is said."}});
}

OptionSpecs AllMethodOptions() {
  OptionSpecs all;
  for (const std::string& method : MethodNames()) {
    for (OptionSpec& spec : MethodOptions(method)) {
      if (FindOption(all, spec.name) == nullptr) all.emplace_back(std::move(spec)).of_method = true;
    }
  }
  return all;
}

OptionSpecs InputOptions() {
  const std::string_view input = "Input";
  return Join(
      {{{.name = "plan",
         .type = kText,
         .value_name = "file.toml",
         .section = input,
         .help = "Take roles, requirement and method from a plan file; the command line overrides it."}},
       InPlan({{.name = "missing",
                .type = kList,
                .value_name = "spellings",
                .default_text = SpellingsText(Plan().missing),
                .section = input,
                .help = "Set the spellings of a missing value; '' is the empty cell.",
                .blank_is_item = true},
               {.name = "delimiter",
                .type = kText,
                .value_name = "character",
                .section = input,
                .help = "Set the delimiter of CSV; 'tab' is one. By default detected among comma, semicolon, "
                        "tab and |."},
               {.name = "charset",
                .type = kText,
                .value_name = "name",
                .section = input,
                .help = "Set what a text is written in that is not UTF-8: cp1252, latin1, utf-16 and all others "
                        "that iconv knows. A byte order mark decides by itself; without either a file has to be "
                        "UTF-8."},
               {.name = "sheet",
                .type = kText,
                .value_name = "name",
                .section = input,
                .help = "Set the sheet of an .xlsx workbook, by its name or its number from 1. By default the "
                        "first."}})});
}

OptionSpecs QueryOption() {
  return {TextOption("query", "select", "Input",
                     "Read what this query gives instead of a table: of postgresql://<user>@<host>/<database>.")};
}

OptionSpecs OutputOptions() {
  const std::string_view output = "Output";
  return Join(
      {{{.name = "output",
         .letter = 'o',
         .type = kText,
         .value_name = "file",
         .section = output,
         .help = "Write the release to this file: .csv, .csv.gz, .parquet, .arrow or .feather; - is standard output "
                 "(CSV), a name that ends in / a folder, postgresql://...?table=<name> a table."},
        {.name = "force", .letter = 'f', .type = kFlag, .section = output, .help = "Overwrite an existing file."}},
       InPlan({{.name = "keep-order",
                .type = kFlag,
                .section = output,
                .help = "Release rows in input order, which identifies people. By default rows are sorted by what is "
                        "released of them. In an audit: released row i stands for row i of the original."},
               {.name = "guard-formulas",
                .type = kFlag,
                .section = output,
                .help =
                    "Put an apostrophe before cells of CSV that a spreadsheet would run as formulas (=, +, -, @ and no "
                    "number). In an audit: the release was written so."},
               {.name = "cells",
                .type = kChoice,
                .value_name = "form",
                .default_text = Plan().cells,
                .choices = {"typed", "text", "postgres"},
                .section = output,
                .help = "Write cells of Parquet and Arrow as struct<lo,hi> and list<string>, or as text as in CSV; or "
                        "write every "
                        "cell, of CSV too, as a literal of PostgreSQL's ranges and arrays ([76,76], {nurse}, (,))."}}),
       {{.name = "report",
         .type = kText,
         .value_name = "file.json|file.html",
         .section = output,
         .help = "Write what was reached, what it cost and how long each stage took."},
        {.name = "report-raw",
         .type = kFlag,
         .section = output,
         .help = "Let the report show raw values; the report is then confidential, and says so."},
        {.name = "resume",
         .type = kFlag,
         .section = output,
         .help = "Keep what is finished beside the output when interrupted, and continue from there."},
        {.name = "json", .type = kFlag, .section = output, .help = "Print the result as JSON."}}});
}

OptionSpecs RunOptions() {
  const std::string_view run = "Run";
  return Join(
      {InPlan({{.name = "seed",
                .type = kInteger,
                .value_name = "number",
                .default_text = DefaultText(Plan().seed),
                .minimum = 0,
                .section = run,
                .help = "Set the seed. The same input, plan, seed and version give the same bytes, at any number of "
                        "threads."},
               {.name = "threads",
                .type = kInteger,
                .value_name = "count",
                .minimum = 0,
                .maximum = 4096,
                .section = run,
                .help = "Set the number of threads; by default, or with 0, all cores."}}),
       {{.name = "memory",
         .type = kText,
         .value_name = "size",
         .section = run,
         .help =
             "Stay within about this much memory, e.g. 512MB. A release puts what is larger into spill files beside "
             "the output, and does so by default within half of the machine's memory if the input looks larger than "
             "that; a grid of "
             "releases makes fewer at the same time. The result is the same."},
        {.name = "progress",
         .type = kFlag,
         .choices = {"json"},
         .section = run,
         .help =
             "Show a progress bar even if standard error is not a terminal. 'json' writes lines of JSON there instead, "
             "'json:3' to file descriptor 3: stage, done, total, words, seconds."},
        {.name = "log",
         .type = kChoice,
         .value_name = "form",
         .choices = {"json"},
         .section = run,
         .help = "Write nothing to standard error but lines of JSON: one for every stage and warning, and one at the "
                 "end, without values of the data."},
        {.name = "quiet",
         .letter = 'q',
         .type = kFlag,
         .section = run,
         .help = "Show no progress bar and no summary; errors are still shown."},
        {.name = "show-values",
         .type = kFlag,
         .section = run,
         .help = "Quote values of the data in error messages, which otherwise only say where they stand."}}});
}

OptionSpecs PlanOptions() {
  OptionSpecs planned;
  for (OptionSpec& spec : Join({RoleOptions(), ProtectOptions(), RequirementOptionSpecs(), MethodChoiceOptions(),
                                CellOptions(), InputOptions(), OutputOptions(), RunOptions()})) {
    if (spec.in_plan) planned.push_back(std::move(spec));
  }
  return planned;
}

}  // namespace tada
