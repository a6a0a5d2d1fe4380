// Two releases of one table: whoever is in both must be found to be able to be in both, however the releases were made.

#include "compose/compose.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "compose/cell_box.h"
#include "partition/registry.h"
#include "property/random_case.h"
#include "table/column_builder.h"

namespace tada::testing {
namespace {

constexpr int kMostQuasi = 3;

// What the values of a column look like. Some can be read as numbers and as names.
std::vector<std::string> DrawTexts(int rows) {
  static const std::vector<std::vector<std::string>> kDomains = {
      {"1", "2", "3", "5", "8", "13", "21", "34"},
      {"7", "007", "7.0", "-1", "+5", "5", "1e1", "10", "9007199254740993", "9007199254740992"},
      {"47601", "47602", "47655", "47700", "48001", "01234"},
      {"2023-12-31", "2024-01-01", "2024-02-29", "2024-04-01", "2011-05-05", "2024-02-29T12:30:00Z"},
      {"a", "b", "c", "d", "{a,b}", "b;c", "a*", "Zürich", " x", "a,b"},
      {"11-20", "21-30", "30-40", "555-123", "60+", "[1,2]", "old"},
      {"2024", "2025", "2024-02", "2024-Q1", "2020s"},
      {"1", "2", "x", "y", "1~2", "<5", "z"},
      {"a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b1", "b2", "b3",
       "b4", "b5", "b6", "b7", "b8", "b9", "c1", "c2", "c3", "c4", "c5", "c6"}};
  const auto& domain = *rc::gen::elementOf(kDomains);
  const bool missing = *rc::gen::weightedElement<bool>({{3, false}, {1, true}});
  std::vector<std::string> texts;
  for (int row = 0; row < rows; ++row) {
    const int cell = *rc::gen::inRange(missing ? -1 : 0, static_cast<int>(domain.size()));
    texts.push_back(cell < 0 ? "" : domain[static_cast<size_t>(cell)]);
  }
  return texts;
}

Column MakeColumn(const std::string& name, const std::vector<std::string>& texts, std::optional<Kind> kind) {
  ColumnOptions options;
  options.kind = kind;
  options.merge_missing = true;
  ColumnBuilder builder(name, options);
  for (const std::string& text : texts) builder.AppendText(text);
  return std::move(builder.Finish()).value();
}

// A builder of hierarchies that takes the column, or "".
std::string DrawBuilder(const Column& column) {
  if (column.is_date()) return *rc::gen::element<std::string>("", "dates", "prefix");
  if (column.is_numeric()) return *rc::gen::element<std::string>("", "round", "count:2", "width:5", "prefix");
  return *rc::gen::element<std::string>("", "means", "prefix", "flat");
}

struct Made {
  Table texts;
  std::vector<RowId> row_of;  // where a row of the table is in the release
};

// A release of the table by some method, with its columns read in some way. Nothing if the draw does not go together.
std::optional<Made> DrawRelease(const std::vector<std::vector<std::string>>& quasi,
                                const std::vector<std::string>& ill) {
  Plan plan;
  std::vector<Column> columns;
  for (size_t q = 0; q < quasi.size(); ++q) {
    const std::string name = fmt::format("q{}", q);
    const bool inferred = *rc::gen::arbitrary<bool>();
    columns.push_back(MakeColumn(name, quasi[q], inferred ? std::nullopt : std::optional(Kind::kCategorical)));
    plan.quasi.push_back({.name = name, .kind = columns.back().kind()});
    plan.quasi.back().hierarchy = DrawBuilder(columns.back());
  }
  columns.push_back(MakeColumn("s", ill, Kind::kCategorical));
  plan.sensitive = {{.name = "s", .kind = Kind::kCategorical}};
  std::vector<std::string> methods;
  for (const MethodEntry& method : Methods()) {
    if (method.tasks.empty() || std::count(method.tasks.begin(), method.tasks.end(), Task::kNone) > 0) {
      methods.emplace_back(method.name);
    }
  }
  plan.method = *rc::gen::elementOf(methods);
  plan.task = Task::kNone;
  plan.requirement.k = *rc::gen::inRange(1, 6);
  const Table table(std::move(columns));
  NoProgress silent;
  const auto made = Anonymize(table, plan, Workers(1), silent);
  RC_LOG() << (made.ok() ? "" : made.error().message + "\n") << Describe({table, plan});
  if (!made.ok()) return std::nullopt;
  Made release{Texts(made->release), std::vector<RowId>(table.num_rows())};
  for (size_t i = 0; i < made->release.row_order.size(); ++i) {
    release.row_of[made->release.row_order[i]] = static_cast<RowId>(i);
  }
  return release;
}

RC_GTEST_PROP(ComposedReleases, SeeThatAPersonIsInBoth, ()) {
  const int rows = *rc::gen::inRange(1, 40);
  std::vector<std::vector<std::string>> quasi;
  const int num_quasi = *rc::gen::inRange(1, kMostQuasi + 1);
  for (int q = 0; q < num_quasi; ++q) quasi.push_back(DrawTexts(rows));
  std::vector<std::string> ill;
  for (int row = 0; row < rows; ++row) ill.push_back(*rc::gen::element<std::string>("x", "y", "z"));
  const std::optional<Made> a = DrawRelease(quasi, ill), b = DrawRelease(quasi, ill);
  RC_CLASSIFY(a && b, "composed");
  if (!a || !b) return;
  ComposeOptions options;
  options.sensitive = {"s"};
  std::set<std::vector<Code>> pairs;  // of classes that somebody is in
  std::vector<std::vector<Code>> cells(static_cast<size_t>(rows));
  for (ColumnId q = 0; q < quasi.size(); ++q) {
    const Column* both[] = {&a->texts.column(q), &b->texts.column(q)};
    options.quasi.push_back(both[0]->name());
    const CellBoxes boxes(both, options.missing);
    for (size_t row = 0; row < cells.size(); ++row) {
      const Code left = both[0]->codes()[a->row_of[row]], right = both[1]->codes()[b->row_of[row]];
      const CellBoxes::Box &x = boxes.box(0, left), &y = boxes.box(1, right);
      RC_LOG() << both[0]->name() << " " << both[0]->text(left) << " " << both[1]->text(right) << "\n";
      RC_ASSERT(x.low <= y.high && y.low <= x.high);
      RC_ASSERT(boxes.ShareAPlace(x, y));
      cells[row].insert(cells[row].end(), {left, right});
    }
  }
  pairs.insert(cells.begin(), cells.end());
  const auto together = Compose({{"a", &a->texts}, {"b", &b->texts}}, options, Workers(1));
  RC_ASSERT(together.ok());
  RC_ASSERT(together->regions >= pairs.size());
}

}  // namespace
}  // namespace tada::testing
