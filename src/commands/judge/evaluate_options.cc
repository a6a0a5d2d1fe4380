#include <fmt/ranges.h>

#include "commands/context/memory_size.h"
#include "commands/judge/evaluate.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {

using enum OptionType;

namespace {

template <class T, class F>
std::string Names(const std::vector<T>& items, const F& name) {
  std::string text;
  for (const T& item : items) text += fmt::format("{}{}", text.empty() ? "" : ",", name(item));
  return text;
}

OptionSpecs GridOptions() {
  const std::string_view grid = "Grid";
  const EvaluateOptions defaults;
  return {{.name = "methods",
           .type = kList,
           .value_name = "methods",
           .default_text = "raw,mondrian,ta_da",
           .section = grid,
           .help = "Compare these methods; raw is the table itself. A method's options follow it: ta_da:split=binary."},
          {.name = "method",
           .type = kText,
           .value_name = "name",
           .section = grid,
           .help = "Compare this method with the raw table and plain mondrian: short for --methods "
                   "raw,mondrian,<name>."},
          {.name = "k",
           .letter = 'k',
           .type = kList,
           .value_name = "rows",
           .default_text = fmt::format("{}", fmt::join(defaults.k, ",")),
           .minimum = 1,
           .section = grid,
           .help = "Release with each of these k: 2,5,10."},
          {.name = "l",
           .letter = 'l',
           .type = kList,
           .value_name = "values",
           .default_text = fmt::format("{}", fmt::join(defaults.l, ",")),
           .minimum = 1,
           .section = grid,
           .help = "Release with each of these l; above 1 needs --sensitive."},
          {.name = "seeds",
           .type = kInteger,
           .value_name = "count",
           .default_text = DefaultText(defaults.seeds),
           .minimum = 1,
           .maximum = 10000,
           .section = grid,
           .help = "Set how often everything is repeated, with a split of its own each time; from --seed on."},
          {.name = "protocol",
           .type = kChoice,
           .value_name = "protocol",
           .default_text = std::string(ProtocolName(defaults.protocol)),
           .choices = {ProtocolName(Protocol::kRawTest), ProtocolName(Protocol::kReleasedTest)},
           .section = grid,
           .help = "Set the protocol. raw-test: split, release the training rows, test on raw rows. released-test: "
                   "release, then split."},
          {.name = "learners",
           .type = kList,
           .value_name = "models",
           .default_text = Names(defaults.learners, LearnerName),
           .section = grid,
           .help = "Judge by these models: tree, bayes, logistic, svm, svm_rbf; for a numeric label tree and ridge."},
          {.name = "encoding",
           .type = kChoice,
           .value_name = "encoding",
           .default_text = std::string(EncodingName(defaults.encoding)),
           .choices = {"direct", "multi-hot", "draw", "model", "expected"},
           .section = grid,
           .help = "Set how models read cells: for each value covered, in proportion; the papers' ones and midpoints; "
                   "values as 'tada decode' draws them, alone or with its --model; or the means and probabilities of "
                   "its --expect."},
          {.name = "baseline",
           .type = kText,
           .value_name = "method",
           .default_text = "mondrian",
           .section = grid,
           .help = "Set the method that the others are compared with, seed by seed."},
          {.name = "raw-clusters",
           .type = kInteger,
           .value_name = "count",
           .default_text = DefaultText(defaults.clusters),
           .minimum = 2,
           .maximum = 1000,
           .section = grid,
           .help = "Set the number of clusters of the raw rows that --task clustering compares with."}};
}

// --memory, which has a default here: a grid makes as many releases at the same time as there are threads.
OptionSpecs GridRunOptions() {
  OptionSpecs run = RunOptions();
  for (OptionSpec& spec : run) {
    if (spec.name == "memory") spec.default_text = MemoryText(EvaluateOptions().memory);
  }
  return run;
}

}  // namespace

OptionSpecs EvaluateCommandOptions() {
  const OptionSpecs output = OutputOptions();
  return Join({RoleOptions(),
               Without(RequirementOptionSpecs(), {"k", "l", "risk"}),
               Without(MethodChoiceOptions(), {"method"}),
               CellOptions(),
               InputOptions(),
               QueryOption(),
               GridOptions(),
               {WithHelp(*FindOption(output, "output"),
                         "Write every single result to this file: .csv, as they are made, or .json.")},
               Only(output, {"force", "report", "resume", "json"}),
               GridRunOptions(),
               NotListed(Only(output, {"keep-order"}))});
}

}  // namespace tada
