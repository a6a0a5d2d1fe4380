// A requirement that no method was written for: at least m rows of every group have the commonest sensitive value of the
// table. It stands beside k, with and without l, and every method keeps it.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "partition/registry.h"
#include "privacy/check/requirements.h"
#include "property/random_case.h"
#include "table/column_builder.h"

namespace tada::testing {
namespace {

// Groups have at least m rows of a value, the commonest of all rows of the controller, in the first sensitive column.
class AtLeast final : public PrivacyModel {
 public:
  AtLeast(uint64_t m, Code value) : m_(m), value_(value) {}
  bool Holds(const Tally& tally) const override { return tally.columns[0].count(value_) >= m_; }
  bool KeptByMerging() const override { return true; }
  bool FailingIsInherited() const override { return true; }
  uint64_t SmallestGroup() const override { return m_; }
  std::string Reaches(const Tally& tally) const override {
    return fmt::format("at-least={}", tally.columns[0].count(value_));
  }
  std::string Hint(const Tally&) const override { return "Lower it."; }

 private:
  uint64_t m_;
  Code value_;
};

Code Commonest(const Tally& tally) {
  Code commonest = 0;
  const ValueCounts& counts = tally.columns[0];
  for (const Code value : counts.present()) {
    const bool more = counts.count(value) > counts.count(commonest);
    if (more || (counts.count(value) == counts.count(commonest) && value < commonest)) commonest = value;
  }
  return commonest;
}

uint64_t Asked(const Requirement& requirement) {
  for (const Demand& demand : requirement.more) {
    if (demand.name == "at-least") return std::stoull(demand.limit);
  }
  return 0;
}

RequirementEntry AtLeastEntry() {
  return {.name = "at-least",
          .options = {},
          .meanings = {},
          .read = [](const OptionValues&, Requirement&) { return Ok(); },
          .write = [](const Requirement&, bool) { return std::vector<WrittenOption>(); },
          .check = [](const Requirement&, bool) { return Ok(); },
          .words = [](const Requirement&, const std::string&) { return std::string(); },
          .weaken = [](const Requirement&, Requirement&) {},
          .bind =
              [](const Requirement& requirement, const Binding& binding) {
                std::vector<std::unique_ptr<PrivacyModel>> models;
                if (const uint64_t m = Asked(requirement); m > 0)
                  models.push_back(std::make_unique<AtLeast>(m, Commonest(binding.Reference())));
                return models;
              }};
}

RC_GTEST_PROP(ThirdModel, IsKeptByEveryMethodBesideK, ()) {
  const AddedRequirement added(AtLeastEntry());
  Case c = DrawCase({});
  ColumnBuilder builder("v", {.kind = Kind::kCategorical});
  for (size_t row = 0; row < c.table.num_rows(); ++row)
    builder.AppendText(*rc::gen::element<std::string>("a", "b", "c"));
  std::vector<Column> columns = c.table.columns();
  columns.push_back(std::move(builder.Finish()).value());
  c.table = Table(std::move(columns));
  c.plan.sensitive.insert(c.plan.sensitive.begin(), {.name = "v", .kind = Kind::kCategorical});
  c.plan.requirement.l = *rc::gen::element<int64_t>(1, 1, 2);
  const auto m = *rc::gen::inRange<uint64_t>(1, 4);
  c.plan.requirement.more = {{.name = "at-least", .limit = std::to_string(m)}};
  for (const MethodEntry& method : Methods()) {
    Plan plan = WithMethod(c.plan, method, method.tasks.empty() ? Task::kNone : method.tasks.front());
    NoProgress silent;
    const auto made = Anonymize(c.table, plan, Workers(1), silent);
    if (!made.ok()) {
      RC_ASSERT(made.error().code == ErrorCode::kInfeasible);
      continue;
    }
    const Column& column = c.table.column(made->bound.roles.sensitive.front());
    const auto value = [&](RowId row) { return column.value_id(column.codes()[row]); };
    for (const Controller& controller : made->controllers) {
      std::vector<uint64_t> counts(column.num_values(), 0);
      for (const RowId row : controller.rows) ++counts[value(row)];
      const auto commonest = static_cast<Code>(std::max_element(counts.begin(), counts.end()) - counts.begin());
      for (GroupId group = 0; group < made->groups.num_groups(); ++group) {
        const auto rows = made->groups.rows(group);
        if (std::ranges::find(controller.rows, rows.front()) == controller.rows.end()) continue;
        RC_ASSERT(std::ranges::count_if(rows, [&](RowId row) { return value(row) == commonest; }) >=
                  static_cast<int64_t>(m));
      }
    }
  }
}

}  // namespace
}  // namespace tada::testing
