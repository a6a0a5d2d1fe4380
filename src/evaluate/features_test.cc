#include "evaluate/features.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "decode/decode.h"
#include "run/anonymize/anonymize.h"
#include "table/number.h"
#include "testing/tables.h"

namespace tada {
namespace {

Table People(size_t rows) {
  Random random(5);
  std::string text = "age job label\n";
  const char* jobs[] = {"cook", "nurse", "smith", "clerk"};
  for (size_t i = 0; i < rows; ++i) {
    text +=
        fmt::format("{} {} {}\n", 20 + random.Below(50), jobs[random.Below(4)], random.Below(2) == 0 ? "yes" : "no");
  }
  return testing::MakeTable(text);
}

Anonymized Released(const Table& table, int64_t k = 7) {
  Plan plan;
  plan.quasi = {{.name = "age"}, {.name = "job"}};
  plan.label = {{.name = "label"}};
  plan.method = "mondrian";
  plan.requirement.k = k;
  NoProgress progress;
  return Anonymize(table, plan, Workers(1), progress).value();
}

// The release as the file that a receiver has.
Table ReleasedTable(const Release& release) {
  std::vector<Column> columns;
  for (const ReleasedColumn& shown : release.columns) {
    const Column& source = release.table->column(shown.source);
    ColumnBuilder builder(source.name(), {.kind = Kind::kCategorical, .missing = {}});
    for (RowId row = 0; row < source.num_rows(); ++row) {
      const std::string text =
          shown.recoded ? CellText(source, shown, shown.cells[shown.cell_of_group[release.group_of_row[row]]])
                        : std::string(source.text(source.codes()[row]));
      builder.Append(builder.Intern(text));
    }
    columns.push_back(builder.Finish().value());
  }
  return Table(std::move(columns));
}

TEST(Features, ALabelOfNumbersIsTheIntervalOfItsValues) {
  const Table table = testing::MakeTable("age label\n20 a\n25 a\n41 b\n47 b\n59 b\n");
  Plan plan;
  plan.quasi = {{.name = "age", .hierarchy = "width:20"}};
  plan.label = {{.name = "label"}};
  plan.method = "levels";
  plan.requirement.k = 2;
  plan.method_options.Set("levels", {"age=1"});
  NoProgress progress;
  const auto made = Anonymize(table, plan, Workers(1), progress);
  ASSERT_TRUE(made.ok()) << made.error().message;
  const CellTable cells = ReleasedCells(made->release, made->bound.roles, false);
  for (const RowId row : {0u, 2u}) {
    EXPECT_EQ(cells.columns[0].cell(row).low, row == 0 ? 20 : 41);
    EXPECT_EQ(cells.columns[0].cell(row).high, row == 0 ? 25 : 59);
  }
}

TEST(Features, DrawnCellsAreTheRowsThatDecodeWrites) {
  const Table table = People(200);
  const Anonymized made = Released(table);
  const std::vector<std::string> missing = {"", "?"};
  const Workers workers(2);
  const CellTable cells = DrawnCells(made.release, made.bound.roles, false, {missing, 11, 3, workers}).value();
  DecodeOptions options;
  options.seed = 11;
  options.copies = 3;
  const Table decoded = Decode(ReleasedTable(made.release), options, workers).value().table;
  ASSERT_EQ(cells.num_rows, 600u);
  ASSERT_EQ(decoded.num_rows(), 600u);
  const Column &age = decoded.column(0), &job = decoded.column(1), &label = decoded.column(2);
  size_t widened = 0;
  for (RowId row = 0; row < 600; ++row) {
    EXPECT_EQ(cells.columns[0].cell(row).low, *ParseNumber(age.text(age.codes()[row])));
    EXPECT_TRUE(cells.columns[0].cell(row).is_point());
    const auto names = cells.columns[1].names_of(cells.columns[1].cell(row));
    ASSERT_EQ(names.size(), 1u);
    EXPECT_EQ(table.column(1).text(names[0]), job.text(job.codes()[row]));
    EXPECT_EQ(table.column(2).text(cells.labels[row]), label.text(label.codes()[row]));
    widened += cells.columns[0].cell(row).low != table.column(0).number(table.column(0).codes()[row % 200]) ? 1 : 0;
  }
  EXPECT_GT(widened, 100u);  // something was drawn
}

TEST(Features, ExpectedCellsAreWhatDecodeWritesWithExpect) {
  const Table table = People(200);
  const Anonymized made = Released(table, 60);
  const std::vector<std::string> missing = {"", "?"};
  const CellTable cells = ExpectedCells(made.release, made.bound.roles, false, missing);
  DecodeOptions options;
  options.expect = true;
  const Table decoded = Decode(ReleasedTable(made.release), options, Workers(1)).value().table;
  ASSERT_EQ(cells.num_rows, 200u);
  ASSERT_EQ(cells.columns.size(), 5u);  // age, four jobs
  const auto number = [&](std::string_view name, RowId row) {
    const Column& column = decoded.column(decoded.Find(name).value());
    return *ParseNumber(column.text(column.codes()[row]));
  };
  size_t uncertain = 0;
  for (RowId row = 0; row < 200; ++row) {
    EXPECT_EQ(cells.columns[0].cell(row).low, number("age", row));
    for (uint32_t job = 0; job < 4; ++job) {
      const double probability = cells.columns[1 + job].cell(row).low;
      EXPECT_NEAR(probability, number(fmt::format("job={}", table.column(1).text(job)), row), 1e-6);
      uncertain += probability > 0 && probability < 1 ? 1 : 0;
    }
  }
  EXPECT_GT(uncertain, 100u);
  EXPECT_EQ(ShareCells(RawCells(table, made.bound.roles, false, std::vector<RowId>{0, 1})).columns.size(), 5u);
}

// With more than 400 ends an interval may hold none of those that are kept: it is its middle, and a point to models.
TEST(Features, DrawnMiddlesArePoints) {
  Random random(3);
  std::string text = "age job label\n";
  for (size_t i = 0; i < 3000; ++i) text += fmt::format("{}.5 cook {}\n", random.Below(100000), i % 2);
  const Table table = testing::MakeTable(text);
  Plan plan;
  plan.quasi = {{.name = "age"}, {.name = "job"}};
  plan.label = {{.name = "label"}};
  plan.method = "mondrian";
  plan.requirement.k = 2;
  NoProgress progress;
  const Anonymized made = Anonymize(table, plan, Workers(1), progress).value();
  const std::vector<std::string> missing = {"", "?"};
  const Workers workers(1);
  const CellTable cells = DrawnCells(made.release, made.bound.roles, false, {missing, 11, 1, workers}).value();
  const CellTable shown = ReleasedCells(made.release, made.bound.roles, false);
  for (RowId row = 0; row < 3000; ++row) {
    const CellColumn::Cell &drawn = cells.columns[0].cell(row), &cell = shown.columns[0].cell(row);
    ASSERT_TRUE(drawn.is_point());
    ASSERT_GE(drawn.low, cell.low);
    ASSERT_LE(drawn.low, cell.high);
  }
}

TEST(Features, RowsWithoutANumberToLearnAreLeftOut) {
  const Table table = testing::MakeTable("age label\n1 10\n2 ?\n3 30\n4 40\n");
  Plan plan;
  plan.quasi = {{.name = "age"}};
  plan.label = {{.name = "label"}};
  const BoundPlan bound = BindPlan(plan, table).value();
  const CellTable cells = RowsWithTarget(RawCells(table, bound.roles, true, std::vector<RowId>{0, 1, 2, 3}));
  EXPECT_EQ(cells.targets, (std::vector<double>{10, 30, 40}));
  ASSERT_EQ(cells.num_rows, 3u);
  EXPECT_EQ(cells.columns[0].cell(1).low, 3);
}

TEST(Features, ReleasedCellsCoverTheValuesOfTheirRows) {
  const Table table = People(200);
  const Anonymized made = Released(table);
  const CellTable cells = ReleasedCells(made.release, made.bound.roles, false);
  for (RowId row = 0; row < 200; ++row) {
    const double age = table.column(0).number(table.column(0).codes()[row]);
    EXPECT_LE(cells.columns[0].cell(row).low, age);
    EXPECT_GE(cells.columns[0].cell(row).high, age);
    const auto names = cells.columns[1].names_of(cells.columns[1].cell(row));
    EXPECT_TRUE(std::find(names.begin(), names.end(), table.column(1).codes()[row]) != names.end());
  }
}

}  // namespace
}  // namespace tada
