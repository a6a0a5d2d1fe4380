#include "plan/option_table.h"

#include <algorithm>

#include "plan/methods.h"
#include "privacy/requirements.h"

namespace tada {
namespace {

using enum OptionType;

// One function per section of the help; commands list their options in this order.
using Names = std::vector<std::string_view>;

void Add(std::vector<OptionEntry>& table, OptionSpec spec, Names commands, bool in_plan = false,
         Names tolerated_by = {}) {
  table.push_back({std::move(spec), std::move(commands), in_plan, std::move(tolerated_by)});
}

void AddColumns(std::vector<OptionEntry>& table) {
  const std::string_view columns = "Columns";
  Add(table,
      {.name = "quasi",
       .type = kList,
       .value_name = "columns",
       .section = columns,
       .help = "Name the quasi-identifiers: what somebody could know about a person and look up. The kind is inferred; "
               "a suffix overrides it: zip:categorical, age:numeric, grade:ordinal."},
      {"anonymize", "audit", "inspect", "advise", "compose", "attack", "evaluate"}, true);
  Add(table,
      {.name = "quasi",
       .type = kList,
       .value_name = "columns",
       .section = columns,
       .help = "Name the columns to decode, in any notation that 'tada audit' reads. By default all with typed cells, "
               "masks, sets in braces or intervals in brackets. A suffix says what they hold: zip:categorical, "
               "age:numeric."},
      {"decode"});
  Add(table,
      {.name = "sensitive",
       .type = kList,
       .value_name = "columns",
       .section = columns,
       .help = "Name the sensitive columns, released as they are and protected by l."},
      {"anonymize", "audit", "inspect", "advise", "compose", "attack", "evaluate"}, true);
  Add(table,
      {.name = "label",
       .type = kList,
       .value_name = "columns",
       .section = columns,
       .help = "Name the column that a model will predict, released as it is; several with weights: y:2,z:1."},
      {"anonymize", "audit", "inspect", "advise", "hierarchy", "evaluate"}, true);
  Add(table,
      {.name = "keep",
       .type = kList,
       .value_name = "columns",
       .section = columns,
       .help = "Release these other columns unchanged. A column without a role is never released."},
      {"anonymize", "audit", "inspect", "advise", "evaluate"}, true);

  Add(table,
      {.name = "person",
       .type = kList,
       .value_name = "columns",
       .section = columns,
       .help =
           "Columns that together name a person, where people have several rows; never released. k, l and all other "
           "requirements count different people. COLUMN:together (the default) keeps all rows of a person in one "
           "group; COLUMN:apart lets them stand anywhere, which protects only against somebody who knows one row."},
      {"anonymize", "audit", "inspect", "evaluate"}, true);
  Add(table,
      {.name = "rows-are-people",
       .type = kFlag,
       .section = columns,
       .help = "State that every row is a person of its own, though a column looks like an identifier of people and "
               "repeats."},
      {"anonymize", "evaluate"}, true, {"audit", "inspect"});

  Add(table,
      {.name = "hierarchies",
       .type = kText,
       .value_name = "folder",
       .section = columns,
       .help = "Read the hierarchies of the quasi-identifiers from a folder with a file such as age.csv for each "
               "column, or from one file with a section per column. A column that has one is released by its labels."},
      {"anonymize", "audit", "advise", "evaluate"}, true);
  Add(table,
      {.name = "hierarchy",
       .type = kList,
       .value_name = "column=file",
       .section = columns,
       .help = "Set the hierarchy of a column: a file, or a builder (count:5, width:10, round, dates, prefix, means, "
               "flat)."},
      {"anonymize", "audit", "advise", "evaluate"}, true);
}

void AddRequirement(std::vector<OptionEntry>& table) {
  for (const RequirementEntry& entry : Requirements()) {
    for (const RequirementOption& option : entry.options) Add(table, option.spec, option.commands, true);
  }
}

void AddMethod(std::vector<OptionEntry>& table) {
  const std::string_view method = "Method";
  Add(table,
      {.name = "task",
       .type = kChoice,
       .value_name = "task",
       .choices = {"classification", "clustering", "regression", "none"},
       .section = method,
       .help = "Set what the release is for. By default classification with a categorical label, regression with a "
               "numeric one, none without."},
      {"anonymize", "evaluate"}, true, {"audit"});
  Add(table,
      {.name = "method",
       .type = kText,
       .value_name = "name",
       .section = method,
       .help = "Set how groups are formed; 'tada methods' lists the methods. By default ta_da with a task, mondrian "
               "without."},
      {"anonymize"}, true, {"audit"});
  Add(table,
      {.name = "method",
       .type = kText,
       .value_name = "name",
       .section = method,
       .help = "Compare this method with the raw table and plain mondrian: short for --methods raw,mondrian,<name>."},
      {"evaluate"});
  Add(table,
      {.name = "controllers",
       .type = kInteger,
       .value_name = "count",
       .default_text = "1",
       .minimum = 1,
       .section = method,
       .help = "Split the rows at random into this many controllers, each anonymized on its own."},
      {"anonymize", "evaluate", "advise"}, true, {"audit"});
  Add(table,
      {.name = "controller-column",
       .type = kText,
       .value_name = "column",
       .section = method,
       .help = "Take the controllers from a column, which is dropped from the release unless kept."},
      {"anonymize", "evaluate", "advise"}, true, {"audit"});
}

void AddInput(std::vector<OptionEntry>& table) {
  const std::string_view input = "Input";
  Add(table,
      {.name = "plan",
       .type = kText,
       .value_name = "file.toml",
       .section = input,
       .help = "Take roles, requirement and method from a plan file; the command line overrides it."},
      {"anonymize", "audit", "advise", "compose", "attack", "decode", "evaluate"});
  Add(table,
      {.name = "overlap-key",
       .type = kText,
       .value_name = "column",
       .section = input,
       .help = "Name the column that identifies a person in every release. Without it all classes that may share a "
               "person are compared."},
      {"compose"});
  Add(table,
      {.name = "original",
       .type = kText,
       .value_name = "file",
       .section = input,
       .help = "Read the table that the release was made from: an audit also verifies that released cells cover its "
               "values, an attack takes it as what the attacker knows."},
      {"audit", "attack"});
  Add(table,
      {.name = "allow-unverified",
       .type = kFlag,
       .section = input,
       .help = "Exit with 0 even if something that was asked could not be checked (labels without their hierarchy, an "
               "order of rows that was not found); by default the exit code is 6."},
      {"audit"});
  Add(table,
      {.name = "population",
       .type = kText,
       .value_name = "file",
       .section = input,
       .help = "Read people who may or may not be in the release, for risk and membership. By default the original, "
               "and made-up people."},
      {"attack"});
  Add(table,
      {.name = "missing",
       .type = kList,
       .value_name = "spellings",
       .default_text = "'',?",
       .section = input,
       .help = "Set the spellings of a missing value; '' is the empty cell.",
       .blank_is_item = true},
      {"anonymize", "audit", "inspect", "advise", "hierarchy", "compose", "attack", "decode", "evaluate"}, true);
  Add(table,
      {.name = "delimiter",
       .type = kText,
       .value_name = "character",
       .section = input,
       .help = "Set the delimiter of CSV; 'tab' is one. By default detected among comma, semicolon, tab and |."},
      {"anonymize", "audit", "inspect", "advise", "hierarchy", "compose", "attack", "decode", "evaluate"}, true);
}

void AddShowValues(std::vector<OptionEntry>& table) {
  Add(table,
      {.name = "show-values",
       .type = kFlag,
       .section = "Run",
       .help = "Quote values of the data in error messages, which otherwise only say where they stand."},
      {"anonymize", "audit", "inspect", "advise", "hierarchy", "compose", "attack", "decode", "evaluate"});
}

void AddOutput(std::vector<OptionEntry>& table) {
  const std::string_view output = "Output";
  Add(table,
      {.name = "output",
       .letter = 'o',
       .type = kText,
       .value_name = "file",
       .section = output,
       .help =
           "Write the release to this file: .csv, .csv.gz, .parquet, .arrow or .feather; - is standard output (CSV)."},
      {"anonymize"});
  for (const auto& [command, help] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"advise", "Write the advice to this file, .json; with --choose the release, as in 'tada anonymize'."},
           {"hierarchy", "Write the hierarchy to this file, .csv; - is standard output."},
           {"decode",
            "Write the decoded table to this file: .csv, .csv.gz, .parquet, .arrow or .feather; - is standard output "
            "(CSV)."},
           {"evaluate", "Write every single result to this file: .csv, as they are made, or .json."}}) {
    Add(table, {.name = "output", .letter = 'o', .type = kText, .value_name = "file", .section = output, .help = help},
        {command});
  }
  Add(table, {.name = "force", .letter = 'f', .type = kFlag, .section = output, .help = "Overwrite an existing file."},
      {"anonymize", "inspect", "demo", "advise", "hierarchy", "attack", "audit", "decode", "evaluate"});
  Add(table,
      {.name = "keep-order",
       .type = kFlag,
       .section = output,
       .help =
           "Release rows in input order, which identifies people. By default rows are sorted by what is released of "
           "them. In an audit: released row i stands for row i of the original."},
      {"anonymize", "audit"}, true, {"evaluate"});
  Add(table,
      {.name = "cells",
       .type = kChoice,
       .value_name = "form",
       .default_text = "typed",
       .choices = {"typed", "text"},
       .section = output,
       .help = "Write cells of Parquet and Arrow as struct<lo,hi> and list<string>, or as text as in CSV."},
      {"anonymize"}, true);
  Add(table,
      {.name = "report",
       .type = kText,
       .value_name = "file.json|file.html",
       .section = output,
       .help = "Write what was reached, what it cost and how long each stage took."},
      {"anonymize", "audit", "advise", "attack", "evaluate"});
  Add(table,
      {.name = "report-raw",
       .type = kFlag,
       .section = output,
       .help = "Let the report show raw values; the report is then confidential, and says so."},
      {"anonymize"});
  Add(table,
      {.name = "write-plan",
       .type = kText,
       .value_name = "file.toml",
       .section = output,
       .help = "Write a commented draft of a plan from what is proposed, for 'tada anonymize --plan'."},
      {"inspect"});
  Add(table,
      {.name = "sql",
       .type = kFlag,
       .section = output,
       .help = "Print the verification of k and distinct l as an SQL query for DuckDB and PostgreSQL instead of "
               "running it."},
      {"audit"});
  Add(table,
      {.name = "sql-table",
       .type = kText,
       .value_name = "name",
       .section = output,
       .help = "Name the table that the query of --sql reads. By default named like the file."},
      {"audit"});
  Add(table, {.name = "json", .type = kFlag, .section = output, .help = "Print the result as JSON."},
      {"anonymize", "audit", "inspect", "methods", "advise", "compose", "attack", "decode", "evaluate"});
}

void AddPeople(std::vector<OptionEntry>& table) {
  const std::string_view people = "People";
  Add(table,
      {.name = "folder",
       .type = kText,
       .value_name = "folder",
       .default_text = "tada-demo",
       .section = people,
       .help = "Write the demo's table, release and report to this folder; created if it does not exist."},
      {"demo"});
  Add(table,
      {.name = "write",
       .type = kText,
       .value_name = "file.csv",
       .section = people,
       .help = "Only write the made-up table to this file; - is standard output."},
      {"demo"});
  Add(table,
      {.name = "rows",
       .type = kInteger,
       .value_name = "count",
       .default_text = "5000",
       .minimum = 1,
       .maximum = 4e9,
       .section = people,
       .help = "Set how many people to make up."},
      {"demo"});
}

void AddServe(std::vector<OptionEntry>& table) {
  const std::string_view serve = "Server";
  Add(table,
      {.name = "port",
       .type = kInteger,
       .value_name = "number",
       .minimum = 1,
       .maximum = 65535,
       .section = serve,
       .help = "Listen on this port of 127.0.0.1. By default any that is free."},
      {"serve"});
  Add(table,
      {.name = "folder",
       .type = kText,
       .value_name = "folder",
       .section = serve,
       .help = "Keep plans, releases and the history of runs in this folder; created if it does not exist. By default "
               "all is deleted when the server stops."},
      {"serve"});
  Add(table,
      {.name = "no-open", .type = kFlag, .section = serve, .help = "Do not open a browser; print the address only."},
      {"serve"});
  Add(table, {.name = "demo", .type = kFlag, .section = serve, .help = "Open a table of made-up patients."}, {"serve"});
  Add(table,
      {.name = "max-upload",
       .type = kInteger,
       .value_name = "MB",
       .default_text = "2048",
       .minimum = 1,
       .maximum = 1e6,
       .section = serve,
       .help = "Set the largest file that the page may upload; files named on the command line are read in place."},
      {"serve"});
}

void AddRun(std::vector<OptionEntry>& table) {
  const std::string_view run = "Run";
  Add(table,
      {.name = "seed",
       .type = kInteger,
       .value_name = "number",
       .default_text = "1",
       .minimum = 0,
       .section = run,
       .help = "Set the seed. The same input, plan, seed and version give the same bytes, at any number of threads."},
      {"anonymize", "demo", "advise", "attack", "decode", "evaluate"}, true, {"audit"});
  Add(table,
      {.name = "threads",
       .type = kInteger,
       .value_name = "count",
       .minimum = 0,
       .maximum = 4096,
       .section = run,
       .help = "Set the number of threads; by default, or with 0, all cores."},
      {"anonymize", "audit", "inspect", "demo", "advise", "hierarchy", "compose", "attack", "decode", "evaluate"},
      true);
  Add(table,
      {.name = "memory",
       .type = kText,
       .value_name = "size",
       .section = run,
       .help = "Stay within about this much memory, e.g. 512MB: what is larger goes to spill files beside the output. "
               "The release is the same."},
      {"anonymize"});
  Add(table,
      {.name = "progress",
       .type = kFlag,
       .choices = {"json"},
       .section = run,
       .help = "Show a progress bar even if standard error is not a terminal. 'json' writes lines of JSON there instead, "
               "'json:3' to file descriptor 3: stage, done, total, words, seconds."},
      {"anonymize", "audit", "inspect", "demo", "advise", "hierarchy", "compose", "attack", "decode", "evaluate"});
  Add(table,
      {.name = "quiet",
       .letter = 'q',
       .type = kFlag,
       .section = run,
       .help = "Show no progress bar and no summary; errors are still shown."},
      {"anonymize", "audit", "inspect", "demo", "advise", "hierarchy", "compose", "attack", "decode", "evaluate"});
}

void AddAttack(std::vector<OptionEntry>& table) {
  const std::string_view attack = "Attack";
  Add(table,
      {.name = "subsets",
       .type = kInteger,
       .value_name = "size",
       .default_text = "0",
       .minimum = 0,
       .maximum = 64,
       .section = attack,
       .help = "Also attack with every set of at most this many quasi-identifiers, for somebody who knows less."},
      {"attack"});
  Add(table,
      {.name = "people",
       .type = kInteger,
       .value_name = "count",
       .default_text = "100000",
       .minimum = 0,
       .section = attack,
       .help = "Set how many people to attack; a table with more is sampled. 0 attacks everybody."},
      {"attack"});
}

void AddDecoding(std::vector<OptionEntry>& table) {
  const std::string_view decoding = "Decoding";
  Add(table,
      {.name = "copies",
       .type = kInteger,
       .value_name = "count",
       .minimum = 1,
       .maximum = 1000,
       .section = decoding,
       .help =
           "Set how often each row is drawn. By default as often as keeps the table at 30,000 rows, at most 4 times."},
      {"decode"});
  Add(table,
      {.name = "weight-column",
       .type = kText,
       .value_name = "name",
       .section = decoding,
       .help = "Add a column of this name with the weight of each row, 1/copies."},
      {"decode"});
  Add(table,
      {.name = "expect",
       .type = kFlag,
       .section = decoding,
       .help = "Write one row for every released row: numbers become their mean inside the cell, names one column per "
               "value with its probability."},
      {"decode"});
}

void AddGrid(std::vector<OptionEntry>& table) {
  const std::string_view grid = "Grid";
  Add(table,
      {.name = "methods",
       .type = kList,
       .value_name = "methods",
       .default_text = "raw,mondrian,ta_da",
       .section = grid,
       .help = "Compare these methods; raw is the table itself. A method's options follow it: ta_da:split=binary."},
      {"evaluate"});
  Add(table,
      {.name = "k",
       .letter = 'k',
       .type = kList,
       .value_name = "rows",
       .default_text = "5",
       .minimum = 1,
       .section = grid,
       .help = "Release with each of these k: 2,5,10."},
      {"evaluate"});
  Add(table,
      {.name = "l",
       .letter = 'l',
       .type = kList,
       .value_name = "values",
       .default_text = "1",
       .minimum = 1,
       .section = grid,
       .help = "Release with each of these l; above 1 needs --sensitive."},
      {"evaluate"});
  Add(table,
      {.name = "seeds",
       .type = kInteger,
       .value_name = "count",
       .default_text = "10",
       .minimum = 1,
       .maximum = 10000,
       .section = grid,
       .help = "Set how often everything is repeated, with a split of its own each time; from --seed on."},
      {"evaluate"});
  Add(table,
      {.name = "protocol",
       .type = kChoice,
       .value_name = "protocol",
       .default_text = "raw-test",
       .choices = {"raw-test", "released-test"},
       .section = grid,
       .help = "Set the protocol. raw-test: split, release the training rows, test on raw rows. released-test: "
               "release, then split."},
      {"evaluate"});
  Add(table,
      {.name = "learners",
       .type = kList,
       .value_name = "models",
       .default_text = "tree,logistic",
       .section = grid,
       .help = "Judge by these models: tree, bayes, logistic, svm, svm_rbf; for a numeric label tree and ridge."},
      {"evaluate"});
  Add(table,
      {.name = "encoding",
       .type = kChoice,
       .value_name = "encoding",
       .default_text = "direct",
       .choices = {"direct", "multi-hot", "draw", "expected"},
       .section = grid,
       .help = "Set how models read cells: for each value covered, in proportion; the papers' ones and midpoints; "
               "values as 'tada decode' draws them; or the means and probabilities of its --expect."},
      {"evaluate"});
  Add(table,
      {.name = "baseline",
       .type = kText,
       .value_name = "method",
       .default_text = "mondrian",
       .section = grid,
       .help = "Set the method that the others are compared with, seed by seed."},
      {"evaluate"});
  Add(table,
      {.name = "raw-clusters",
       .type = kInteger,
       .value_name = "count",
       .default_text = "5",
       .minimum = 2,
       .maximum = 1000,
       .section = grid,
       .help = "Set the number of clusters of the raw rows that --task clustering compares with."},
      {"evaluate"});
  Add(table,
      {.name = "memory",
       .type = kInteger,
       .value_name = "MB",
       .default_text = "4096",
       .minimum = 1,
       .section = grid,
       .help = "Set how much memory, as estimated, releases that are made at the same time may take."},
      {"evaluate"});
}

void AddRules(std::vector<OptionEntry>& table) {
  const std::string_view rules = "Rules";
  Add(table,
      {.name = "coverage",
       .type = kReal,
       .value_name = "percent",
       .default_text = "5",
       .minimum = 0,
       .maximum = 100,
       .section = rules,
       .help = "Set the share of the pairs of rows with different labels that rules must keep apart, the most frequent "
               "patterns first. More makes longer rules of smaller k."},
      {"advise"});
  Add(table,
      {.name = "min-k",
       .type = kInteger,
       .value_name = "rows",
       .default_text = "2",
       .minimum = 1,
       .section = rules,
       .help = "Set the smallest k of interest."},
      {"advise"});
  Add(table,
      {.name = "all-levels",
       .type = kFlag,
       .section = rules,
       .help =
           "Also list every combination of levels with that k, and say how far each rule is from the best of them."},
      {"advise"});
  Add(table,
      {.name = "pairs",
       .type = kInteger,
       .value_name = "count",
       .default_text = "4000000000",
       .minimum = 1,
       .maximum = 4e9,
       .section = rules,
       .help = "Set the maximum number of pairs to count; a table with more is sampled, and the advice says so."},
      {"advise"});
  Add(table,
      {.name = "max-rules",
       .type = kInteger,
       .value_name = "count",
       .default_text = "1000000",
       .minimum = 1,
       .section = rules,
       .help = "Give up beyond this many rules."},
      {"advise"});
  Add(table,
      {.name = "validate",
       .type = kList,
       .value_name = "tree,svm|none",
       .default_text = "tree,svm",
       .section = rules,
       .help = "Cross-validate these models on the frontier: a decision tree (C4.5), a linear support vector machine."},
      {"advise"});
  Add(table,
      {.name = "validate-all",
       .type = kFlag,
       .section = rules,
       .help = "Cross-validate every rule, not only the frontier."},
      {"advise"});
  Add(table,
      {.name = "baselines",
       .type = kList,
       .value_name = "methods",
       .default_text = "mondrian,datafly",
       .section = rules,
       .help = "Show these methods beside the rules, at k of 5, 20 and 100; none shows no method."},
      {"advise"});
  Add(table,
      {.name = "choose",
       .type = kText,
       .value_name = "id",
       .section = rules,
       .help = "Release this rule of the advice that --from names, audited."},
      {"advise"});
  Add(table,
      {.name = "from",
       .type = kText,
       .value_name = "advice.json",
       .section = rules,
       .help = "Read the advice that --choose chooses from."},
      {"advise"});
  Add(table,
      {.name = "resume",
       .type = kFlag,
       .section = rules,
       .help = "Keep what is finished beside the output when interrupted, and continue from there."},
      {"advise", "evaluate"});
}

void AddHierarchy(std::vector<OptionEntry>& table) {
  const std::string_view hierarchy = "Hierarchy";
  Add(table,
      {.name = "column",
       .type = kText,
       .value_name = "name",
       .section = hierarchy,
       .help = "Name the column; a suffix overrides its kind: zip:categorical."},
      {"hierarchy"});
  Add(table,
      {.name = "builder",
       .type = kText,
       .value_name = "builder",
       .section = hierarchy,
       .help = "Set the builder: count:5, width:10, width:10:15, round, dates, prefix, means or flat. By default "
               "count:5 for numbers, dates for dates, means for names."},
      {"hierarchy"});
}

std::vector<OptionEntry> MakeTable() {
  std::vector<OptionEntry> table;
  AddColumns(table);
  AddRequirement(table);
  AddMethod(table);
  AddInput(table);
  AddShowValues(table);
  AddOutput(table);
  AddPeople(table);
  AddServe(table);
  AddRun(table);
  AddAttack(table);
  AddDecoding(table);
  AddGrid(table);
  AddRules(table);
  AddHierarchy(table);
  return table;
}

bool Contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool Takes(const OptionEntry& entry, std::string_view command) {
  return Contains(entry.commands, command) || Contains(entry.tolerated_by, command);
}

constexpr std::string_view kRunsAMethod = "anonymize";

void AddMethodOptions(std::vector<OptionSpec>& specs) {
  for (const std::string& method : MethodNames()) {
    for (OptionSpec& spec : MethodOptions(method)) {
      const bool known = std::any_of(specs.begin(), specs.end(), [&](const auto& s) { return s.name == spec.name; });
      if (!known) specs.push_back(std::move(spec));
    }
  }
}

}  // namespace

std::span<const OptionEntry> OptionTable() {
  static const std::vector<OptionEntry> kTable = MakeTable();
  return kTable;
}

const OptionEntry* FindOption(std::string_view command, std::string_view name) {
  for (const OptionEntry& entry : OptionTable()) {
    if (entry.spec.name == name && Takes(entry, command)) return &entry;
  }
  return nullptr;
}

std::vector<std::string> CommandsTaking(std::string_view option) {
  std::vector<std::string> commands;
  if (!MethodsTaking(option).empty()) commands.emplace_back(kRunsAMethod);
  for (const OptionEntry& entry : OptionTable()) {
    if (entry.spec.name == option) commands.insert(commands.end(), entry.commands.begin(), entry.commands.end());
  }
  return commands;
}

std::vector<OptionSpec> OptionsOfCommand(std::string_view command, bool with_tolerated) {
  std::vector<OptionSpec> specs;
  for (const OptionEntry& entry : OptionTable()) {
    if (Contains(entry.commands, command) || (with_tolerated && Takes(entry, command))) specs.push_back(entry.spec);
  }
  if (command == kRunsAMethod) AddMethodOptions(specs);
  return specs;
}

std::vector<OptionSpec> PlanOptions() {
  std::vector<OptionSpec> specs;
  for (const OptionEntry& entry : OptionTable()) {
    if (entry.in_plan) specs.push_back(entry.spec);
  }
  return specs;
}

std::vector<std::string> MethodsTaking(std::string_view option) {
  std::vector<std::string> methods;
  for (const std::string& method : MethodNames()) {
    for (const OptionSpec& spec : MethodOptions(method)) {
      if (spec.name == option) methods.push_back(method);
    }
  }
  return methods;
}

std::optional<std::string> SuggestName(std::string_view word, const std::vector<std::string>& known) {
  for (const std::string& name : known) {
    if (word.size() >= 2 && name.starts_with(word)) return name;
  }
  return NearestName(word, known);
}

Status ValidateValues(const OptionValues& values) {
  std::vector<OptionSpec> specs = OptionsOfCommand(kRunsAMethod, true);
  for (const OptionEntry& entry : OptionTable()) specs.push_back(entry.spec);
  for (const auto& [name, given] : values.all()) {
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.name == name; });
    if (spec == specs.end()) {
      std::vector<std::string> known;
      for (const OptionSpec& candidate : specs) known.emplace_back(candidate.name);
      const auto nearest = SuggestName(name, known);
      return InvalidArgument("Unknown option: {}", name)
          .WithHint(nearest ? fmt::format("Did you mean {}?", *nearest) : "'tada anonymize --help' lists them.");
    }
    if (spec->type != kList && given.size() != 1) {
      return InvalidArgument("--{} takes one value, not {}", name, given.size());
    }
    for (const std::string& text : given) TADA_CHECK_OK(ValidateOption(*spec, text));
  }
  return Ok();
}

Result<std::vector<std::string>> SplitList(std::string_view text) {
  std::vector<std::string> items;
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  size_t at = 0;
  for (;;) {
    while (at < text.size() && blank(text[at])) ++at;
    std::string item;
    if (at < text.size() && text[at] == '"') {
      for (++at;; ++at) {
        if (at == text.size()) return InvalidArgument("A quote is not closed: {}", text);
        if (text[at] != '"') {
          item += text[at];
        } else if (at + 1 < text.size() && text[at + 1] == '"') {
          item += text[++at];
        } else {
          break;
        }
      }
      for (++at; at < text.size() && blank(text[at]);) ++at;
      if (at < text.size() && text[at] != ',')
        return InvalidArgument("A comma must follow the closing quote: {}", text);
    } else {
      const size_t end = std::min(text.find(',', at), text.size());
      item = text.substr(at, end - at);
      while (!item.empty() && blank(item.back())) item.pop_back();
      if (item == "''") item.clear();
      at = end;
    }
    items.push_back(std::move(item));
    if (at >= text.size()) return items;
    ++at;
  }
}

std::string JoinList(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    if (&item != &items.front()) text += ',';
    const bool plain =
        !item.empty() && item.find_first_of(",\"'\t") == std::string::npos && item.front() != ' ' && item.back() != ' ';
    if (plain) {
      text += item;
      continue;
    }
    text += '"';
    for (const char c : item) text += c == '"' ? "\"\"" : std::string(1, c);
    text += '"';
  }
  return text;
}

}  // namespace tada
