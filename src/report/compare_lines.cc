#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "report/compare_report.h"
#include "report/draw/chart_axis.h"

namespace tada {
namespace {

// A line of figures: its name, and what is said of a table.
using Say = std::function<std::string(const TableFigures&)>;

class LineMaker {
 public:
  LineMaker(const Comparison& comparison, std::string title, std::string lead) : comparison_(comparison) {
    made_.title = std::move(title);
    made_.lead = std::move(lead);
  }
  /// A line that says nothing of any release is left out.
  LineMaker& Add(std::string name, const Say& of_original, const Say& of_release) {
    std::vector<std::string> line{std::move(name), of_original(comparison_.original)};
    for (const TableFigures& release : comparison_.releases) line.push_back(of_release(release));
    if (std::any_of(line.begin() + 2, line.end(), [](const std::string& text) { return !text.empty(); })) {
      made_.lines.push_back(std::move(line));
    }
    return *this;
  }
  LineMaker& Add(std::string name, const Say& say) { return Add(std::move(name), say, say); }
  LineMaker& OfReleases(std::string name, const Say& say) {
    return Add(std::move(name), [](const TableFigures&) { return std::string(); }, say);
  }
  ComparedLines Take() { return std::move(made_); }

 private:
  const Comparison& comparison_;
  ComparedLines made_;
};

// All lines of a kind with as many digits, to be compared.
std::string Percent(double share) { return fmt::format("{:.2f}%", 100 * share); }

std::string Number(double value) { return fmt::format("{:.5g}", value); }

std::string AuditWord(const TableFigures& release) {
  const Verdict& verdict = release.verdict;
  return !verdict.passed ? "FAILED" : verdict.unverified.empty() ? "passed" : "not verified";
}

const ColumnFigures* FindColumn(const TableFigures& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name, &ColumnFigures::column);
  return found == table.columns.end() ? nullptr : &*found;
}

ComparedLines ReachedLines(const Comparison& comparison) {
  LineMaker lines(comparison, "Reached", "What every class of rows that look alike has at least.");
  lines.OfReleases("audit", AuditWord)
      .Add("rows", [](const TableFigures& table) { return WithCommas(table.verdict.rows); })
      .OfReleases("rows withheld", [](const TableFigures& table) { return WithCommas(table.verdict.withheld_rows); })
      .OfReleases("rows masked", [](const TableFigures& table) { return WithCommas(table.verdict.masked_rows); })
      .Add("classes", [](const TableFigures& table) { return WithCommas(table.verdict.classes); })
      .Add("k", [](const TableFigures& table) { return WithCommas(table.verdict.k); });
  const std::vector<std::string>& sensitive = comparison.original.verdict.sensitive;
  for (size_t i = 0; i < sensitive.size(); ++i) {
    lines.Add("l of " + sensitive[i], [i](const TableFigures& table) {
      return i < table.verdict.l_of_column.size() ? WithCommas(table.verdict.l_of_column[i]) : "";
    });
  }
  const std::vector<ReachedDemand>& further = comparison.original.verdict.further;
  for (size_t i = 0; i < further.size(); ++i) {
    lines.Add(fmt::format("{} of {}", further[i].name, further[i].column), [i](const TableFigures& table) {
      return i < table.verdict.further.size() ? table.verdict.further[i].reached : "";
    });
  }
  const auto risk = [](double AuditRisk::* figure) {
    return [figure](const TableFigures& table) { return Percent(table.verdict.prosecutor.*figure); };
  };
  lines.Add("risk, highest", risk(&AuditRisk::highest)).Add("risk, average", risk(&AuditRisk::average));
  return lines.Take();
}

ComparedLines LossLines(const Comparison& comparison) {
  LineMaker lines(comparison, "Information loss",
                  "What the cells leave open, as a share of what the whole column would.");
  const auto of_loss = [](auto&& say) {
    return [say](const TableFigures& table) { return table.verdict.loss ? say(*table.verdict.loss) : std::string(); };
  };
  lines.OfReleases("NCP", of_loss([](const ReleaseLoss& loss) { return Percent(loss.ncp); }));
  if (std::ranges::any_of(comparison.releases, [](const auto& release) { return release.verdict.withheld_rows > 0; })) {
    lines.OfReleases("NCP, withheld rows counted 1",
                     of_loss([](const ReleaseLoss& loss) { return Percent(loss.ncp_with_withheld); }));
  }
  for (size_t i = 0; i < comparison.original.verdict.quasi.size(); ++i) {
    const std::string& name = comparison.original.verdict.quasi[i];
    lines.OfReleases("NCP of " + name, of_loss([name](const ReleaseLoss& loss) {
                       const auto found =
                           std::ranges::find(loss.per_column, name, &std::pair<std::string, double>::first);
                       return found == loss.per_column.end() ? std::string() : Percent(found->second);
                     }));
  }
  lines.OfReleases("discernibility", of_loss([](const ReleaseLoss& loss) { return ShortNumber(loss.discernibility); }));
  lines.OfReleases("average class",
                   of_loss([](const ReleaseLoss& loss) { return fmt::format("{:.1f}", loss.average_class); }));
  return lines.Take();
}

ComparedLines StatisticsLines(const Comparison& comparison) {
  LineMaker lines(comparison, "Statistics",
                  "As somebody finds them who decodes a release. The distance of marginals is half the sum of the "
                  "differences of shares.");
  for (const ColumnFigures& column : comparison.original.columns) {
    const auto figure = [&](auto&& say) {
      return [say, name = column.column](const TableFigures& table) {
        const ColumnFigures* found = FindColumn(table, name);
        return found == nullptr ? std::string() : say(*found);
      };
    };
    if (column.mean) {
      lines.Add("mean of " + column.column,
                figure([](const ColumnFigures& of) { return of.mean ? Number(*of.mean) : std::string(); }));
      lines.Add("variance of " + column.column,
                figure([](const ColumnFigures& of) { return of.variance ? Number(*of.variance) : std::string(); }));
    }
    lines.OfReleases("distance of the marginal of " + column.column,
                     figure([](const ColumnFigures& of) { return Percent(of.marginal_error); }));
  }
  for (const Correlation& pair : comparison.original.correlations) {
    lines.Add(fmt::format("correlation of {} and {}", pair.first, pair.second), [&](const TableFigures& table) {
      for (const Correlation& found : table.correlations) {
        if (found.first == pair.first && found.second == pair.second && found.value)
          return fmt::format("{:.3f}", *found.value);
      }
      return std::string();
    });
  }
  return lines.Take();
}

ComparedLines QueryLines(const Comparison& comparison) {
  LineMaker lines(comparison, "Queries",
                  comparison.made_up_queries ? "Relative errors of made-up count queries over one to three columns."
                                             : "Relative errors of the workload's count queries.");
  const auto of_queries = [](double QueryErrors::* figure) {
    return [figure](const TableFigures& table) {
      return table.queries ? Percent((*table.queries).*figure) : std::string();
    };
  };
  lines.OfReleases("error, median", of_queries(&QueryErrors::median));
  lines.OfReleases("error, mean", of_queries(&QueryErrors::mean));
  lines.OfReleases("error, highest", of_queries(&QueryErrors::highest));
  return lines.Take();
}

ComparedLines AttackLines(const Comparison& comparison) {
  LineMaker lines(comparison, "Attack", "By somebody who knows the quasi-identifiers of the people in the original.");
  const auto figure = [](auto&& say) {
    return [say](const TableFigures& table) { return table.attack ? say(table.attack->all) : std::string(); };
  };
  lines.OfReleases("found, on average", figure([](const AttackFigures& of) { return Percent(of.prosecutor_average); }));
  lines.OfReleases("found, at worst", figure([](const AttackFigures& of) { return Percent(of.prosecutor_highest); }));
  lines.OfReleases("one row can be theirs", figure([](const AttackFigures& of) { return Percent(of.single); }));
  const std::vector<std::string>& sensitive = comparison.original.verdict.sensitive;
  for (size_t i = 0; i < sensitive.size(); ++i) {
    const auto guess = [&figure, i](double Disclosure::* share) {
      return figure([i, share](const AttackFigures& of) {
        return i < of.disclosure.size() ? Percent(of.disclosure[i].*share) : std::string();
      });
    };
    const Say without = [&](const TableFigures&) {
      return comparison.releases.empty() ? "" : guess(&Disclosure::baseline)(comparison.releases.front());
    };
    lines.Add(sensitive[i] + " guessed", without, guess(&Disclosure::guessed));
    lines.OfReleases(sensitive[i] + " known for certain", guess(&Disclosure::certain));
  }
  lines.OfReleases("membership advantage",
                   figure([](const AttackFigures& of) { return Percent(of.membership_advantage()); }));
  return lines.Take();
}

}  // namespace

std::vector<ComparedLines> CompareLines(const Comparison& comparison) {
  std::vector<ComparedLines> all = {ReachedLines(comparison), LossLines(comparison), StatisticsLines(comparison),
                                    QueryLines(comparison), AttackLines(comparison)};
  std::erase_if(all, [](const ComparedLines& lines) { return lines.lines.empty(); });
  return all;
}

}  // namespace tada
