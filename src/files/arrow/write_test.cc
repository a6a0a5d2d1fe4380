#include "files/write.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/option_mark.h"
#include "files/arrow/arrow_testing.h"
#include "files/format.h"
#include "testing/tables.h"

namespace tada {
namespace {

using testing::AsItIs;
using testing::Bytes;
using testing::Folder;
using testing::MakeTable;
using testing::Publish;
using testing::Read;
using testing::Rows;
using Texts = std::vector<std::vector<std::string>>;

Table FromTexts(const std::vector<std::string>& names, const Texts& rows) {
  std::vector<Column> columns;
  for (size_t c = 0; c < names.size(); ++c) {
    ColumnBuilder builder(names[c], {});
    for (const auto& row : rows) builder.AppendText(row[c]);
    columns.push_back(std::move(builder.Finish()).value());
  }
  return Table(std::move(columns));
}

/// Two groups of the table below: the first is widened, the second masked or plain.
Release Recoded(const Table& table) {
  Release release = AsItIs(table);
  release.group_of_row = {0, 0, 0, 1, 1, 2};
  release.num_groups = 3;
  ReleasedColumn& age = release.columns[0];
  age.recoded = true;
  age.cells = {{Cell::Form::kInterval, 1, 3, 0}, {Cell::Form::kMask, 0, 0, 0}, {Cell::Form::kValue, 0, 0, 0}};
  age.cell_of_group = {0, 1, 2};
  ReleasedColumn& state = release.columns[1];
  state.recoded = true;
  state.sets = {{0, 1, 2}};
  state.cells = {{Cell::Form::kSet, 0, 0, 0}, {Cell::Form::kValue, 3, 3, 0}, {Cell::Form::kMask, 0, 0, 0}};
  state.cell_of_group = {0, 1, 2};
  return release;
}

Table People() {
  return MakeTable(R"(age state note
    20 CA x
    25 "b,\c" y
    30 _ z
    35 MN x
    35 MN y
    _ TX z)");
}

const Texts kReleased = {{"[20,30]", R"({"","\"b,\\c\"",CA})", "x"},
                         {"[20,30]", R"({"","\"b,\\c\"",CA})", "y"},
                         {"[20,30]", R"({"","\"b,\\c\"",CA})", "z"},
                         {"*", "MN", "x"},
                         {"*", "MN", "y"},
                         {"", "*", "z"}};

TEST(WriteCsv, QuotesOnlyWhatNeedsIt) {
  const Folder folder;
  const Table table = FromTexts({"a", "b,c"}, {{"x y", " z "}, {"1,2", "say \"hi\""}, {"l\nm", "c\rd"}, {"", "p;q"}});
  ASSERT_TRUE(Publish(AsItIs(table), folder / "t.csv").ok());
  EXPECT_EQ(Bytes(folder / "t.csv"), "a,\"b,c\"\nx y, z \n\"1,2\",\"say \"\"hi\"\"\"\n\"l\nm\",\"c\rd\"\n,p;q\n");
  ASSERT_TRUE(Publish(AsItIs(table), folder / "u.csv", {.delimiter = ';'}).ok());
  EXPECT_EQ(Bytes(folder / "u.csv"), "a;b,c\nx y; z \n1,2;\"say \"\"hi\"\"\"\n\"l\nm\";\"c\rd\"\n;\"p;q\"\n");
}

TEST(WriteCsv, WritesAnEmptyCellOfOneColumnAsQuotes) {
  const Folder folder;
  ASSERT_TRUE(Publish(AsItIs(FromTexts({""}, {{""}, {"1"}})), folder / "t.csv").ok());
  EXPECT_EQ(Bytes(folder / "t.csv"), "\"\"\n\"\"\n1\n");
}

TEST(WriteCsv, WritesRecodedCellsAndQuotesIntervals) {
  const Folder folder;
  const Table table = People();
  ASSERT_TRUE(Publish(Recoded(table), folder / "t.csv").ok());
  EXPECT_TRUE(Bytes(folder / "t.csv").starts_with("age,state,note\n\"[20,30]\",")) << Bytes(folder / "t.csv");
  EXPECT_EQ(Rows(Read(folder / "t.csv")->table), kReleased);
}

TEST(WriteCsv, FollowsTheRowOrderAndLeavesWithheldRowsOut) {
  const Folder folder;
  const Table table = MakeTable("a b\n1 x\n2 y\n3 z");
  Release release = AsItIs(table);
  release.row_order = {2, 0};
  release.columns.erase(release.columns.begin());
  ASSERT_TRUE(Publish(release, folder / "t.csv").ok());
  EXPECT_EQ(Bytes(folder / "t.csv"), "b\nz\nx\n");
}

TEST(WriteTyped, ReadsBackAsTheDocumentedTexts) {
  const Folder folder;
  const Table table = People();
  for (const char* name : {"t.csv.gz", "t.parquet", "t.arrow", "t.feather"}) {
    ASSERT_TRUE(Publish(Recoded(table), folder / name).ok());
    const auto typed = Read(folder / name);
    ASSERT_TRUE(typed.ok()) << typed.error().message;
    EXPECT_EQ(Rows(typed->table), kReleased) << name;
    ASSERT_TRUE(Publish(Recoded(table), folder / (std::string("text_") + name), {.cells = CellForm::kText}).ok());
    EXPECT_EQ(Rows(Read(folder / (std::string("text_") + name))->table), kReleased) << name;
  }
}

TEST(WriteTyped, WritesLabelsAsPlainTexts) {
  const Folder folder;
  const Table table = People();
  Release release = Recoded(table);
  release.columns[0].labels = {"young"};
  release.columns[0].cells[0] = {Cell::Form::kLabel, 1, 3, 0};
  ASSERT_TRUE(Publish(release, folder / "t.parquet").ok());
  const auto read = Read(folder / "t.parquet");
  EXPECT_EQ(Rows(read->table)[0][0], "young");
  EXPECT_EQ(Rows(read->table)[3][0], "*");
}

TEST(WriteTyped, GivesTextsThatPrintBackTheSameAType) {
  const Folder folder;
  const Table table = FromTexts(
      {"int", "real", "date", "zeros", "mixed"},
      {{"1", "0.5", "2024-02-29", "007", "1"}, {"-20", "1e+20", "1969-12-31", "8", "x"}, {"", "3", "", "9", "?"}});
  ASSERT_TRUE(Publish(AsItIs(table), folder / "t.parquet").ok());
  const auto read = Read(folder / "t.parquet");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(Rows(read->table), Rows(table));
  std::vector<ValueType> types;
  for (const Column& column : read->table.columns()) types.push_back(column.type());
  EXPECT_EQ(types, (std::vector<ValueType>{ValueType::kInteger, ValueType::kReal, ValueType::kDate, ValueType::kText,
                                           ValueType::kText}));
}

TEST(WriteRelease, GivesTheSameBytesAtAnyNumberOfThreads) {
  const Folder folder;
  std::vector<ColumnBuilder> builders;
  for (const char* name : {"a", "b"}) builders.emplace_back(name, ColumnOptions{});
  for (int i = 0; i < 100'000; ++i) {  // more than one batch
    builders[0].AppendText(std::to_string(i * 31 % 1009));
    builders[1].AppendText(fmt::format("v{}", i));
  }
  const Table table({std::move(builders[0].Finish()).value(), std::move(builders[1].Finish()).value()});
  const Texts rows = Rows(table);
  for (const char* name : {"t.csv", "t.csv.gz", "t.parquet", "t.arrow"}) {
    ASSERT_TRUE(Publish(AsItIs(table), folder / name, {}, 1).ok());
    const std::string one = Bytes(folder / name);
    ASSERT_TRUE(Publish(AsItIs(table), folder / name, {}, 3, true).ok());
    EXPECT_TRUE(one == Bytes(folder / name)) << name;
    EXPECT_TRUE(Rows(Read(folder / name)->table) == rows) << name;
  }
}

TEST(WriteRelease, AsksForNoGroupsWhereNoColumnIsRecoded) {
  const Folder folder;
  const Table table = MakeTable("a b\n1 x\n2 y\n2 y");
  Release release = AsItIs(table);
  std::vector<GroupId>().swap(release.group_of_row);
  for (const char* name : {"t.csv", "t.parquet", "t.arrow"}) {
    ASSERT_TRUE(Publish(release, folder / name).ok());
    EXPECT_EQ(Rows(Read(folder / name)->table), Rows(table)) << name;
  }
}

TEST(WriteRelease, GoesOnInAnotherRowGroupOfParquet) {
  const Folder folder;
  std::vector<ColumnBuilder> builders;
  for (const char* name : {"a", "b"}) builders.emplace_back(name, ColumnOptions{});
  constexpr size_t kRows = (1 << 20) + 30'000;
  for (size_t i = 0; i < kRows; ++i) {
    builders[0].AppendText(std::to_string(i / 100));
    builders[1].AppendText(i % 3 == 0 ? "x" : "y");
  }
  const Table table({std::move(builders[0].Finish()).value(), std::move(builders[1].Finish()).value()});
  Release release = AsItIs(table);
  std::ranges::reverse(release.row_order);
  ASSERT_TRUE(Publish(release, folder / "t.parquet").ok());
  const auto read = Read(folder / "t.parquet");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->table.num_rows(), kRows);
  for (const ColumnId column : {0, 1}) {
    for (size_t i = 0; i < kRows; ++i) {
      const Column& before = table.column(column);
      const Column& after = read->table.column(column);
      ASSERT_EQ(after.text(after.codes()[i]), before.text(before.codes()[kRows - 1 - i])) << i;
    }
  }
  EXPECT_TRUE(ArrowFiles().Outside(folder / "t.parquet").value()->empty());
}

TEST(WriteRelease, WritesATableWithoutRows) {
  const Folder folder;
  const Table table = FromTexts({"a", "b"}, {});
  for (const char* name : {"t.csv", "t.csv.gz", "t.parquet", "t.arrow"}) {
    ASSERT_TRUE(Publish(AsItIs(table), folder / name).ok());
    const auto read = Read(folder / name);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->table.num_rows(), 0u);
    EXPECT_EQ(read->all_columns, (std::vector<std::string>{"a", "b"}));
  }
}

TEST(WriteRelease, ComesBackWhateverTheTexts) {
  const Folder folder;
  static const std::vector<std::string> kPieces = {"a", "7", "\"", "\"\"", ",", ";", "\n", "\r\n", "\r", "\t",
                                                   "|", " ", "é",  "😀",   "{", "*", "\\", "",     "?",  "0"};
  const auto any_text = rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)),
                                     [](const std::vector<std::string>& pieces) {
                                       std::string text;
                                       for (const std::string& piece : pieces) text += piece;
                                       return text;
                                     });
  EXPECT_TRUE(rc::check("texts come back byte for byte", [&] {
    const size_t width = *rc::gen::inRange<size_t>(1, 4);
    std::vector<std::string> names = *rc::gen::unique<std::vector<std::string>>(width, any_text);
    const auto rows = *rc::gen::container<Texts>(rc::gen::container<std::vector<std::string>>(width, any_text));
    const Table table = FromTexts(names, rows);
    const WriteOptions options{.delimiter = *rc::gen::element(',', ';', '\t', '|')};
    for (const char* name : {"t.csv", "t.csv.gz", "t.parquet", "t.arrow"}) {
      RC_ASSERT(Publish(AsItIs(table), folder / name, options, 1, true).ok());
      ReadOptions reading;
      reading.delimiter = options.delimiter;
      const auto read = Read(folder / name, reading, 1);
      RC_ASSERT(read.ok());
      RC_ASSERT(read->all_columns == names);
      // A type that holds numbers knows one "missing" only.
      if (std::string_view(name).starts_with("t.csv")) RC_ASSERT(Rows(read->table) == rows);
      RC_ASSERT(read->table.num_rows() == rows.size());
    }
  }));
}

TEST(PendingFile, AppearsUnderItsNameOnlyWhenPublished) {
  const Folder folder;
  {
    auto file = PendingFile::Open(folder / "t.csv", false);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->Write("a\n1\n").ok());
    ASSERT_TRUE(file->Sync().ok());
    EXPECT_FALSE(std::filesystem::exists(folder / "t.csv"));
    EXPECT_TRUE(file->path().ends_with(".csv"));
    EXPECT_EQ(Rows(Read(file->path())->table), (Texts{{"1"}}));
    ASSERT_TRUE(file->Publish().ok());
  }
  EXPECT_EQ(folder.Names(), std::vector<std::string>{"t.csv"});
  EXPECT_EQ(Bytes(folder / "t.csv"), "a\n1\n");
}

TEST(PendingFile, HasThePermissionsOfANormalFile) {
  const Folder folder;
  const mode_t before = ::umask(027);
  ASSERT_TRUE(Publish(AsItIs(MakeTable("a\n1")), folder / "t.csv").ok());
  ::umask(before);
  struct stat there{};
  ASSERT_EQ(::stat((folder / "t.csv").c_str(), &there), 0);
  EXPECT_EQ(there.st_mode & 0777, 0640u);
}

TEST(PendingFile, LeavesNothingWhenItIsNotPublished) {
  const Folder folder;
  {
    ASSERT_TRUE(PendingFile::Open(folder / "t.csv", false).ok());
  }
  EXPECT_TRUE(folder.Names().empty());
}

TEST(PendingFile, OverwritesOnlyWithForce) {
  const Folder folder;
  folder.Write("t.csv", "old");
  const auto refused = PendingFile::Open(folder / "t.csv", false);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kIo);
  EXPECT_NE(refused.error().hint.find(TADA_OPTION("force")), std::string::npos);
  ASSERT_TRUE(Publish(AsItIs(MakeTable("a\n1")), folder / "t.csv", {}, 1, true).ok());
  EXPECT_EQ(Bytes(folder / "t.csv"), "a\n1\n");
}

TEST(PendingFile, DoesNotOverwriteAFileThatAppearedMeanwhile) {
  const Folder folder;
  {
    auto file = PendingFile::Open(folder / "t.csv", false);
    ASSERT_TRUE(file.ok() && file->Write("new").ok() && file->Sync().ok());
    folder.Write("t.csv", "somebody else's");
    const Status published = file->Publish();
    ASSERT_FALSE(published.ok());
    EXPECT_EQ(published.error().code, ErrorCode::kIo);
  }
  EXPECT_EQ(Bytes(folder / "t.csv"), "somebody else's");
  EXPECT_EQ(folder.Names(), std::vector<std::string>{"t.csv"});
}

TEST(PendingFile, RefusesTargetsThatCannotBeWritten) {
  const Folder folder;
  std::filesystem::create_directory(folder / "d.csv");
  folder.Write("file", "");
  ASSERT_EQ(::mkfifo((folder / "p.csv").c_str(), 0600), 0);
  for (const char* name : {"none/t.csv", "d.csv", "file/t.csv", "p.csv"}) {
    const auto file = PendingFile::Open(folder / name, true);
    ASSERT_FALSE(file.ok()) << name;
    EXPECT_EQ(file.error().code, ErrorCode::kIo);
    EXPECT_NE(file.error().message.find(name), std::string::npos) << file.error().message;
    EXPECT_FALSE(file.error().hint.empty());
  }
  EXPECT_EQ(FormatOf("t.doc").error().code, ErrorCode::kInvalidArgument);  // asked before a release is written
  EXPECT_EQ(PendingFile::Open("/proc/t.csv", true).error().code, ErrorCode::kIo);
}

TEST(PendingFile, RemovesWhatAKilledRunLeftAndNothingElse) {
  const Folder folder;
  folder.Write(".tada-notes.csv", "the user's own");
  auto alive = PendingFile::Open(folder / "alive.csv", false);
  ASSERT_TRUE(alive.ok());
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = PendingFile::Open(folder / "killed.csv", false);
    if (!file.ok() || !file->Write("half").ok()) ::_exit(1);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(folder.Names().size(), 3u);
  auto next = PendingFile::Open(folder / "next.csv", false);
  ASSERT_TRUE(next.ok());
  std::vector<std::string> expected = {".tada-notes.csv", std::filesystem::path(alive->path()).filename().string(),
                                       std::filesystem::path(next->path()).filename().string()};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(folder.Names(), expected);
}

TEST(PendingFile, SaysWhenTheDiskIsFullAndLeavesNothing) {
  // A limit on the size of files stands for a full disk: the kernel refuses the write half way.
  const Folder folder;
  std::vector<ColumnBuilder> builders;
  builders.emplace_back("a", ColumnOptions{});
  for (int i = 0; i < 50'000; ++i) builders[0].AppendText("value" + std::to_string(i * 7919L));
  const Table table({std::move(builders[0].Finish()).value()});
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::vector<Status> results;
  for (const char* name : {"t.csv", "t.csv.gz", "t.parquet", "t.arrow"})
    results.push_back(Publish(AsItIs(table), folder / name));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  for (const Status& result : results) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::kIo);
    EXPECT_TRUE(result.error().message.starts_with("Cannot write " + folder.path())) << result.error().message;
  }
  EXPECT_TRUE(folder.Names().empty());
}

/// Runs `act` with standard output going to `path`.
template <class F>
auto WithOutput(const std::string& path, F&& act) {
  ::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  const int to = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  ::dup2(to, STDOUT_FILENO);
  ::close(to);
  auto result = act();
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  return result;
}

TEST(PendingFile, WritesToStandardOutputOnlyWhenPublished) {
  const Folder folder;
  const Table table = MakeTable("a b\n1 2");
  ASSERT_TRUE(WithOutput(folder / "out", [&] { return Publish(AsItIs(table), "-"); }).ok());
  EXPECT_EQ(Bytes(folder / "out"), "a,b\n1,2\n");
  ASSERT_TRUE(WithOutput(folder / "none", [&] { return PendingFile::Open("-", false); }).ok());
  EXPECT_EQ(Bytes(folder / "none"), "");
  const Status full = WithOutput("/dev/full", [&] { return Publish(AsItIs(table), "-"); });
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().code, ErrorCode::kIo);
  EXPECT_EQ(full.error().hint, "Make room on the disk, or write to another one.");
}

}  // namespace
}  // namespace tada
