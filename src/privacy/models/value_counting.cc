#include "privacy/models/value_counting.h"

namespace tada {
namespace {

OptionSpecs Options() {
  return {
      {.name = "exact-values",
       .type = OptionType::kFlag,
       .section = "Requirement",
       .help = "Compare sensitive values as they are written. By default flu, 'Flu ' and FLU are one value, 7 and 7.0 "
               "are one, and NA, N/A and an empty cell are one."},
      {.name = "missing-counts",
       .type = OptionType::kFlag,
       .section = "Requirement",
       .help = "Count a missing sensitive value towards l, like any other. By default it does not count."}};
}

Status Read(const OptionValues& values, Requirement& requirement) {
  if (values.Has("exact-values")) requirement.exact_values = values.Flag("exact-values");
  if (values.Has("missing-counts")) requirement.missing_counts = values.Flag("missing-counts");
  return Ok();
}

std::vector<WrittenOption> Write(const Requirement& requirement, bool has_sensitive) {
  std::vector<WrittenOption> options;
  if (requirement.exact_values) options.push_back({"exact-values", {"true"}, has_sensitive});
  if (requirement.missing_counts) options.push_back({"missing-counts", {"true"}, has_sensitive});
  return options;
}

Status Check(const Requirement& /*requirement*/, bool /*has_sensitive*/) { return Ok(); }

std::string Words(const Requirement& /*requirement*/, const std::string& /*sensitive*/) { return ""; }

// Whoever compares texts as they are written, or counts missing ones, asks for less.
void Weaken(const Requirement& other, Requirement& weaker) {
  weaker.exact_values |= other.exact_values;
  weaker.missing_counts |= other.missing_counts;
}

std::vector<std::unique_ptr<PrivacyModel>> Bind(const Requirement& /*requirement*/, const Binding& /*binding*/) {
  return {};
}

}  // namespace

RequirementEntry ValueCountingEntry() {
  return {
      .name = "values",
      .options = Options(),
      .meanings = {{"--exact-values", "Sensitive values are compared as they are written, not in a canonical form."},
                   {"--missing-counts", "A missing sensitive value counts towards l."}},
      .read = &Read,
      .write = &Write,
      .check = &Check,
      .words = &Words,
      .weaken = &Weaken,
      .bind = &Bind};
}

}  // namespace tada
