#include "commands/judge/minimality.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/random.h"
#include "partition/registry.h"
#include "run/anonymize/anonymize.h"
#include "run/bind/hierarchies.h"
#include "table/select_rows.h"

namespace tada {
namespace {

constexpr size_t kMostPeople = 200;  // of a class: larger ones tell little, and take long

// Runs the method on the people of a class, with their values dealt anew.
class Rerunner {
 public:
  Rerunner(const Table& original, const Plan& plan, const BoundPlan& bound, const MethodEntry& method,
           const std::vector<std::unique_ptr<Stage>>& stages, const ColumnHierarchies& hierarchies,
           const Workers& workers)
      : original_(original), plan_(plan), bound_(bound), stages_(stages), hierarchies_(hierarchies), workers_(workers) {
    std::vector<RowId> all(original.num_rows());
    std::iota(all.begin(), all.end(), RowId{0});
    domains_ = FindDomains(original, bound.roles, all, workers);
    // What comes before the last stage looks at all rows, but for the tree, which goes down as cuts do.
    first_stage_ = method.has_boxes != nullptr ? 0 : stages.size() - 1;
  }

  /// Whether the class stays one group when person i has the values of person dealt[i].
  Result<bool> StaysWhole(const std::vector<RowId>& people, const std::vector<RowId>& dealt) const {
    std::vector<Column> columns;
    for (ColumnId id = 0; id < original_.num_columns(); ++id) {
      const bool known = std::ranges::find(bound_.roles.quasi, id) != bound_.roles.quasi.end();
      columns.push_back(original_.column(id).Select(known ? people : dealt));
    }
    const Table table(std::move(columns));
    Requirement requirement = plan_.requirement;
    const Roles roles = plan_.safe > 0 ? Roles{bound_.roles.quasi, {}, {}, {}} : bound_.roles;
    if (plan_.safe > 0) requirement = Requirement{.k = plan_.safe};
    const Checker checker(requirement, table, roles.sensitive);
    StageNotes notes;
    NoProgress silent;
    std::vector<double> weights;
    for (size_t i = 0; i < roles.label.size(); ++i) weights.push_back(plan_.label[i].weight);
    const Problem problem{table,      roles,    bound_.task, weights, checker,  plan_.method_options,
                          plan_.seed, workers_, silent,      notes,   domains_, hierarchies_.pointers()};
    Groups groups = Groups::Whole(table.num_rows());
    for (size_t i = first_stage_; i < stages_.size(); ++i) {
      TADA_TRY(refined, stages_[i]->Refine(problem, std::move(groups)));
      groups = std::move(refined);
      if (groups.num_groups() > 1) return false;
    }
    return true;
  }

 private:
  const Table& original_;
  const Plan& plan_;
  const BoundPlan& bound_;
  const std::vector<std::unique_ptr<Stage>>& stages_;
  const ColumnHierarchies& hierarchies_;
  const Workers& workers_;
  std::vector<Domain> domains_;
  size_t first_stage_ = 0;
};

// How often each person has each value among deals.
class Beliefs {
 public:
  Beliefs(const Column& column, size_t people) : column_(column), counts_(people) {}
  void Add(const std::vector<RowId>& dealt) {
    ++deals_;
    for (size_t i = 0; i < dealt.size(); ++i) ++counts_[i][column_.value_id(column_.codes()[dealt[i]])];
  }
  double In(size_t person, RowId truth) const {
    const auto found = counts_[person].find(column_.value_id(column_.codes()[truth]));
    return found == counts_[person].end() ? 0 : static_cast<double>(found->second) / static_cast<double>(deals_);
  }
  double Highest() const {
    uint64_t most = 0;
    for (const auto& person : counts_) {
      for (const auto& [value, count] : person) most = std::max(most, count);
    }
    return deals_ == 0 ? 0 : static_cast<double>(most) / static_cast<double>(deals_);
  }

 private:
  const Column& column_;
  std::vector<std::map<Code, uint64_t>> counts_;
  uint64_t deals_ = 0;
};

// The truth first, which did make the release, then deals at random.
std::vector<std::vector<RowId>> Deals(const std::vector<RowId>& people, uint64_t count, Random& random) {
  std::vector<std::vector<RowId>> deals{people};
  while (deals.size() < count) {
    deals.push_back(people);
    random.Shuffle(std::span(deals.back()));
  }
  return deals;
}

bool Varied(const Column& column, const std::vector<RowId>& people) {
  return std::ranges::any_of(people, [&](RowId row) {
    return column.value_id(column.codes()[row]) != column.value_id(column.codes()[people[0]]);
  });
}

void AddClass(const std::vector<RowId>& people, const std::vector<std::vector<RowId>>& deals,
              const std::vector<uint8_t>& stays, const Column& column, Minimality& found) {
  if (!Varied(column, people)) return;
  Beliefs blind(column, people.size()), belief(column, people.size());
  bool any = false;
  for (size_t d = 1; d < deals.size(); ++d) {
    blind.Add(deals[d]);  // at random: the shares of the class, but for chance
    if (stays[d] == 0) continue;
    belief.Add(deals[d]);
    any = true;
  }
  if (!any) belief.Add(deals[0]);  // no other deal was found that could have made the release
  ++found.classes;
  found.people += people.size();
  for (size_t i = 0; i < people.size(); ++i) {
    found.blind += blind.In(i, people[i]);
    found.belief += belief.In(i, people[i]);
  }
  found.blind_highest = std::max(found.blind_highest, blind.Highest());
  found.belief_highest = std::max(found.belief_highest, belief.Highest());
}

}  // namespace

Status MeasureMinimality(const Table& original, const Plan& plan, const MinimalityOptions& options,
                         const Workers& workers, AttackResult& attack) {
  const std::vector<std::vector<RowId>>& classes = attack.people_of_class;
  TADA_TRY(bound, BindPlan(plan, original));
  const MethodEntry& method = *FindMethod(bound.method);
  const MethodContext context{bound.task, plan.method_options};
  const bool cuts = (method.has_boxes != nullptr && method.has_boxes(context)) || method.name == "dop";
  if (!cuts || !plan.requirement.more.empty() || !plan.person.empty()) {
    attack.notes.push_back(
        fmt::format("Minimality was not measured: it is for k and l by methods that cut (mondrian, infogain, "
                    "regression, ta_da with a label, dop), without people or further requirements, not for {}.",
                    method.name));
    return Ok();
  }
  TADA_TRY(stages, method.make(context));
  TADA_TRY(hierarchies, LoadHierarchies(plan, original, bound.roles, method.by_levels));
  const Rerunner rerunner(original, plan, bound, method, stages, hierarchies, workers);
  std::vector<Minimality> columns;
  for (const ColumnId id : bound.roles.sensitive) columns.push_back({.column = original.column(id).name()});
  std::vector<uint32_t> order(classes.size());
  std::iota(order.begin(), order.end(), 0u);
  Random random(MixSeed(plan.seed, 0x314159));
  random.Shuffle(std::span(order));
  uint64_t looked = 0;
  for (const uint32_t index : order) {
    const std::vector<RowId>& people = classes[index];
    const bool varied =
        std::ranges::any_of(bound.roles.sensitive, [&](ColumnId id) { return Varied(original.column(id), people); });
    if (people.size() > kMostPeople || !varied) continue;
    if (++looked > options.max_classes) break;
    workers.Poll();
    const std::vector<std::vector<RowId>> deals = Deals(people, options.deals + 1, random);
    std::vector<uint8_t> stays(deals.size(), 0);
    for (size_t d = 0; d < deals.size(); ++d) {
      TADA_TRY(whole, rerunner.StaysWhole(people, deals[d]));
      stays[d] = whole ? 1 : 0;
    }
    if (stays[0] == 0) continue;  // not a class that this method would leave as it is
    for (size_t s = 0; s < columns.size(); ++s) {
      AddClass(people, deals, stays, original.column(bound.roles.sensitive[s]), columns[s]);
    }
  }
  for (Minimality& found : columns) {
    if (found.people == 0) continue;
    found.blind /= static_cast<double>(found.people);
    found.belief /= static_cast<double>(found.people);
  }
  if (std::ranges::all_of(columns, [](const Minimality& found) { return found.classes == 0; })) {
    attack.notes.push_back(fmt::format(
        "Minimality: no class is one that {} would leave whole; was it made by another method?", method.name));
    return Ok();
  }
  attack.minimality = std::move(columns);
  return Ok();
}

}  // namespace tada
