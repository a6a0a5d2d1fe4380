#include "partition/full_domain/datafly.h"

#include <algorithm>

#include "base/option_mark.h"
#include "partition/full_domain/full_domain.h"
#include "table/number.h"

namespace tada {
namespace {

// Different nodes that the rows show in a column.
uint32_t CountNodes(const LevelRows& rows, size_t column, uint32_t level) {
  std::vector<uint8_t> seen(rows.num_nodes(column, level), 0);
  rows.nodes(column, level).Visit([&](auto nodes) {
    for (const auto node : nodes) seen[node] = 1;
  });
  return static_cast<uint32_t>(std::count(seen.begin(), seen.end(), 1));
}

class DataflyStage final : public Stage {
 public:
  std::string_view name() const override { return "datafly"; }
  bool MergesGroups() const override { return true; }
  std::string About(const Problem& problem) const override {
    return "Whole columns are recoded by their hierarchies: the column that shows most different values goes up by one "
           "level, again and again, until the requirement is met" +
           SuppressWords(problem) + ".";
  }
  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    const FullDomain domain(problem, groups.order());
    const LevelRows& rows = domain.rows();
    const uint64_t allowed = RowsToSuppress(problem, rows.num_rows());
    problem.progress.Begin(name(), 0);
    LevelVector levels(rows.num_columns(), 0);
    for (;;) {
      problem.workers.Poll();
      const LevelClasses classes = rows.FindClasses(levels);
      std::vector<uint8_t> outliers = domain.FindOutliers(classes);
      if (FullDomain::CountRows(classes, outliers) <= allowed) {
        domain.CompleteMask(classes, outliers);
        if (FullDomain::CountRows(classes, outliers) <= allowed) {
          problem.notes.sections.push_back(DescribeLevels(domain, levels));
          WarnOfMask(problem, domain, levels);
          return domain.MakeGroups(levels, classes, outliers);
        }
      }
      // Ties go to the first column. Raising ends at the top, where all rows are one class, which meets the requirement.
      size_t widest = rows.num_columns();
      double most = 0;  // different values; what is important is raised later
      for (size_t c = 0; c < rows.num_columns(); ++c) {
        if (levels[c] == rows.top(c)) continue;
        const double nodes = CountNodes(rows, c, levels[c]) / problem.importance(c);
        if (nodes > most) most = nodes, widest = c;
      }
      TADA_ASSERT(widest < rows.num_columns());
      ++levels[widest];
    }
  }
};

class LevelsStage final : public Stage {
 public:
  std::string_view name() const override { return "levels"; }
  bool MergesGroups() const override { return true; }
  std::string About(const Problem& problem) const override {
    return "Whole columns are recoded to the levels of their hierarchies that were asked for, and to the top where "
           "none "
           "was" +
           SuppressWords(problem) + ".";
  }
  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    const FullDomain domain(problem, groups.order());
    TADA_TRY(levels, FindLevels(problem, domain.rows()));
    const LevelClasses classes = domain.rows().FindClasses(levels);
    std::vector<uint8_t> outliers = domain.FindOutliers(classes);
    const uint64_t short_rows = FullDomain::CountRows(classes, outliers),
                   allowed = RowsToSuppress(problem, groups.num_rows());
    domain.CompleteMask(classes, outliers);
    const uint64_t masked = FullDomain::CountRows(classes, outliers);
    if (masked > allowed) {
      return Infeasible(
                 "These levels do not meet the requirement: {} of {} rows are in classes that fall short, smallest "
                 "class={}",
                 short_rows, groups.num_rows(), classes.Smallest())
          .WithHint("Raise a level, lower k or l, let rows be masked with " TADA_OPTION(
              "suppress=<percent>") ", or leave them out with " TADA_OPTION("withhold=<percent>") ".");
    }
    problem.notes.sections.push_back(DescribeLevels(domain, levels));
    return domain.MakeGroups(levels, classes, outliers);
  }

 private:
  static Result<LevelVector> FindLevels(const Problem& problem, const LevelRows& rows) {
    LevelVector levels = rows.Top();
    for (const std::string& text : problem.options.List("levels")) {
      const size_t equals = std::min(text.rfind('='), text.size());
      const std::string column = text.substr(0, equals);
      size_t c = 0;
      while (c < problem.num_quasi() && problem.quasi(c).name() != column) ++c;
      if (c == problem.num_quasi())
        return InvalidArgument(TADA_OPTION("levels") " names a column that is no quasi-identifier: {}", text);
      const auto level = equals == text.size() ? std::nullopt : ParseNumber(text.substr(equals + 1));
      if (!level || *level < 0 || *level > rows.top(c) || *level != static_cast<double>(static_cast<int>(*level))) {
        return InvalidArgument(TADA_OPTION("levels") " takes <column>=<level>, and {} has levels 0 to {}: {}", column,
                               rows.top(c), text);
      }
      levels[c] = static_cast<uint8_t>(*level);
    }
    return levels;
  }
};

template <class S>
Result<std::vector<std::unique_ptr<Stage>>> MakeOne(const MethodContext&) {
  std::vector<std::unique_ptr<Stage>> stages;
  stages.push_back(std::make_unique<S>());
  return stages;
}

}  // namespace

MethodEntry DataflyMethod() {
  return {.name = "datafly",
          .maturity = Maturity::kExperimental,
          .summary =
              "Recodes whole columns by hierarchies: raises the column with most values until the requirement is met.",
          .page = "docs/algorithms/rules.md",
          .tasks = {},
          .options = {SuppressOption()},
          .make = &MakeOne<DataflyStage>,
          .by_levels = true,
          .row_order = &ByPosition,
          .by_quasi_alone = &Always};
}

MethodEntry LevelsMethod() {
  return {
      .name = "levels",
      .maturity = Maturity::kExperimental,
      .summary = "Recodes whole columns to levels of their hierarchies that you name; the others to their top.",
      .page = "docs/algorithms/rules.md",
      .tasks = {},
      .options = {{.name = "levels",
                   .type = OptionType::kList,
                   .value_name = "column=level",
                   .section = "Recoding of columns",
                   .help =
                       "Recode to these levels, as in age=2,sex=0; a column that is not named goes to its top level."},
                  SuppressOption()},
      .make = &MakeOne<LevelsStage>,
      .by_levels = true,
      .row_order = &ByPosition,
      .by_quasi_alone = &Always};
}

}  // namespace tada
