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
            "a suffix overrides it: zip:categorical, age:numeric, grade:ordinal."},
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
        .help = "Set the hierarchy of a column: a file, or a builder (count:5, width:10, round, dates, prefix, means, "
                "flat)."}});
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
  return Join({{{.name = "plan",
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
                                "tab and |."}})});
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
                 "(CSV)."},
        {.name = "force", .letter = 'f', .type = kFlag, .section = output, .help = "Overwrite an existing file."}},
       InPlan({{.name = "keep-order",
                .type = kFlag,
                .section = output,
                .help = "Release rows in input order, which identifies people. By default rows are sorted by what is "
                        "released of them. In an audit: released row i stands for row i of the original."},
               {.name = "cells",
                .type = kChoice,
                .value_name = "form",
                .default_text = Plan().cells,
                .choices = {"typed", "text"},
                .section = output,
                .help = "Write cells of Parquet and Arrow as struct<lo,hi> and list<string>, or as text as in CSV."}}),
       {{.name = "report",
         .type = kText,
         .value_name = "file.json|file.html",
         .section = output,
         .help = "Write what was reached, what it cost and how long each stage took."},
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
             "the output; a grid of releases makes fewer at the same time. The result is the same."},
        {.name = "progress",
         .type = kFlag,
         .choices = {"json"},
         .section = run,
         .help =
             "Show a progress bar even if standard error is not a terminal. 'json' writes lines of JSON there instead, "
             "'json:3' to file descriptor 3: stage, done, total, words, seconds."},
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
  for (OptionSpec& spec : Join({RoleOptions(), RequirementOptionSpecs(), MethodChoiceOptions(), InputOptions(),
                                OutputOptions(), RunOptions()})) {
    if (spec.in_plan) planned.push_back(std::move(spec));
  }
  return planned;
}

}  // namespace tada
