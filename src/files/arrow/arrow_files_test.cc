#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "files/arrow/arrow_testing.h"

namespace tada {
namespace {

using testing::Folder;
using testing::Names;
using testing::Read;
using testing::Rows;
using Texts = std::vector<std::vector<std::string>>;

Texts RowsOf(std::string_view bytes, const ReadOptions& options = {}) {
  const Folder folder;
  const auto read = Read(folder.Write("t.csv", bytes), options);
  if (!read.ok()) ADD_FAILURE() << read.error().message;
  return read.ok() ? Rows(read->table) : Texts{};
}

/// The message, with the folder cut away.
std::string ErrorOf(std::string_view bytes, const ReadOptions& options = {}) {
  const Folder folder;
  const auto read = Read(folder.Write("t.csv", bytes), options);
  if (read.ok()) return "";
  EXPECT_EQ(read.error().code, ErrorCode::kData);
  std::string message = read.error().message;
  if (const size_t at = message.find(folder.path()); at != std::string::npos)
    message.erase(at, folder.path().size() + 1);
  return message;
}

std::string Gzip(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(ReadCsv, KeepsValuesAsTheyAreWritten) {
  EXPECT_EQ(RowsOf("a,b\n007,1.50\n+5, x \n1e3,?\n"), (Texts{{"007", "1.50"}, {"+5", " x "}, {"1e3", "?"}}));
}

TEST(ReadCsv, TakesAnyLineEnd) {
  const Texts expected{{"1", "2"}, {"3", "4"}};
  EXPECT_EQ(RowsOf("a,b\n1,2\n3,4\n"), expected);
  EXPECT_EQ(RowsOf("a,b\n1,2\n3,4"), expected);
  EXPECT_EQ(RowsOf("a,b\r\n1,2\r\n3,4\r\n"), expected);
  EXPECT_EQ(RowsOf("a,b\r1,2\r3,4\r"), expected);
}

TEST(ReadCsv, SkipsAByteOrderMark) {
  const Folder folder;
  const auto read = Read(folder.Write("t.csv",
                                      "\xEF\xBB\xBF"
                                      "a,b\n1,2\n"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(Names(read->table), (std::vector<std::string>{"a", "b"}));
}

TEST(ReadCsv, ReadsQuotedCells) {
  EXPECT_EQ(RowsOf("a,\"b,\nb\"\n\"x\ny\",\"say \"\"hi\"\"\"\n\"1,2\",\"\"\n"),
            (Texts{{"x\ny", "say \"hi\""}, {"1,2", ""}}));
  EXPECT_EQ(RowsOf("a,b\n\"x\r\ny\",5\" pipe\n"), (Texts{{"x\r\ny", "5\" pipe"}}));
}

TEST(ReadCsv, SkipsBlankLinesOfAWideTable) {
  EXPECT_EQ(RowsOf("a,b\n\n1,2\n\n3,4\n\n\n"), (Texts{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(RowsOf("a,b\r\n\r\n1,2\r\n\r\n"), (Texts{{"1", "2"}}));
}

TEST(ReadCsv, TakesABlankLineOfOneColumnForAnEmptyCell) {
  EXPECT_EQ(RowsOf("a\n1\n\n2\n"), (Texts{{"1"}, {""}, {"2"}}));
  EXPECT_EQ(RowsOf("a\r\n\r\n2\r\n"), (Texts{{""}, {"2"}}));
  EXPECT_EQ(RowsOf("a\n\"\"\n"), (Texts{{""}}));
}

TEST(ReadCsv, GivesATableWithoutRowsForAHeaderAlone) {
  const Folder folder;
  for (const char* bytes : {"a,b", "a,b\n", "a,b\r\n", "a,b\n\n\n"}) {
    const auto read = Read(folder.Write("t.csv", bytes));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->table.num_rows(), 0u);
    EXPECT_EQ(Names(read->table), (std::vector<std::string>{"a", "b"}));
  }
}

TEST(ReadCsv, RefusesAnEmptyFile) {
  EXPECT_EQ(ErrorOf(""), "t.csv: the file is empty");
  EXPECT_EQ(ErrorOf("\xEF\xBB\xBF"), "t.csv: the file is empty");
  EXPECT_EQ(ErrorOf("\n1,2\n"), "t.csv, line 1: the header is blank");
}

TEST(ReadCsv, RefusesTwoColumnsOfOneName) {
  EXPECT_EQ(ErrorOf("a,b,a\n1,2,3\n"), "t.csv, line 1, column 3: two columns have the name 'a'");
  EXPECT_EQ(ErrorOf("a,,\n1,2,3\n"), "t.csv, line 1, column 3: two columns have the name ''");
}

TEST(ReadCsv, TakesOneColumnWithoutAName) {
  const Folder folder;
  const auto read = Read(folder.Write("t.csv", ",a\n0,x\n1,y\n"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(Names(read->table), (std::vector<std::string>{"", "a"}));
}

TEST(ReadCsv, NamesTheLineThatIsRagged) {
  EXPECT_EQ(ErrorOf("a,b,c,d\n1,2,3,4\n1,2,3\n"), "t.csv, line 3, column d: 3 cells where the header has 4");
  EXPECT_EQ(ErrorOf("a,b\n\"x\n\ny\",2\n\n1\n"), "t.csv, line 6, column b: 1 cell where the header has 2");
  EXPECT_EQ(ErrorOf("a;b;c\n1;2;3\n1;2\n"), "t.csv, line 3, column c: 2 cells where the header has 3");
  EXPECT_EQ(ErrorOf("a\r\nb\r\nx,y\r\n"), "t.csv, line 3, column 2: 2 cells where the header has 1");
}

TEST(ReadCsv, NamesTheCellThatIsNotUtf8) {
  EXPECT_EQ(ErrorOf("a,name\n1,x\n2,caf\xE9\n"), "t.csv, line 3, column name: invalid UTF-8");
  EXPECT_EQ(ErrorOf("a,name\n1,x\n2,caf\xC3"), "t.csv, line 3, column name: invalid UTF-8");
  EXPECT_EQ(ErrorOf("a,n\xE9\n1,x\n"), "t.csv, line 1, column 2: the column's name is not UTF-8");
  ReadOptions only_a;  // a damaged file is damaged, whatever is read of it
  only_a.columns = {"a"};
  EXPECT_EQ(ErrorOf("a,name\n1,x\n2,caf\xE9\n", only_a), "t.csv, line 3, column name: invalid UTF-8");
}

TEST(ReadCsv, ReadsWhatIsNotUtf8IfItSaysSo) {
  const Texts rows{{"1", "caf\xC3\xA9 \xE2\x82\xAC"}};
  EXPECT_EQ(RowsOf(std::string_view("\xFF\xFE"
                                    "a\0,\0b\0\n\0"
                                    "1\0,\0c\0a\0f\0\xE9\0 \0\xAC\x20\n\0",
                                    28)),
            rows);
  ReadOptions windows;
  windows.charset = "cp1252";
  EXPECT_EQ(RowsOf("a,b\n1,caf\xE9 \x80\n", windows), rows);
  EXPECT_EQ(RowsOf("\xEF\xBB\xBF"
                   "a,b\n1,caf\xC3\xA9 \xE2\x82\xAC\n",
                   windows),
            rows);  // the mark decides
  EXPECT_NE(ErrorOf("a,b\n1,\x81\n", windows).find("not cp1252: byte 7"), std::string::npos);
  EXPECT_NE(ErrorOf(std::string_view("\xFF\xFE"
                                     "a\0,\0b",
                                     7))
                .find("middle of a character"),
            std::string::npos);
}

TEST(ReadCsv, NamesTheLineWhereAQuoteIsNotClosed) {
  EXPECT_EQ(ErrorOf("a,b\n1,2\n3,\"4\n5,6\n"), "t.csv, line 3, column b: a quote is opened here and never closed");
  EXPECT_EQ(ErrorOf("a,b\n1,5\" pipe\n3,\"4"), "t.csv, line 3, column b: a quote is opened here and never closed");
  EXPECT_EQ(ErrorOf("a,\"b\n1,2\n"), "t.csv, line 1, column 2: a quote is opened here and never closed");
}

TEST(ReadCsv, KeepsZeroBytesInCellsAndRefusesThemInNames) {
  EXPECT_EQ(RowsOf(std::string_view("a,b\n1,x\0y\n", 10)), (Texts{{"1", std::string("x\0y", 3)}}));
  EXPECT_EQ(ErrorOf(std::string_view("a\0,b\n1,2\n", 9)),
            "t.csv, line 1, column 1: the column's name holds a zero byte; is this text?");
}

TEST(ReadCsv, SniffsTheDelimiter) {
  const Texts expected{{"1", "x,y"}, {"2", "z,w"}};
  EXPECT_EQ(RowsOf("a;b\n1;x,y\n2;z,w\n"), expected);
  EXPECT_EQ(RowsOf("a\tb\n1\tx,y\n2\tz,w\n"), expected);
  EXPECT_EQ(RowsOf("a|b\n1|x,y\n2|z,w\n"), expected);
  EXPECT_EQ(RowsOf("a,b\n1,\"x,y\"\n2,\"z,w\"\n"), expected);
  EXPECT_EQ(RowsOf("\"a;b\",c\n1,2\n"), (Texts{{"1", "2"}}));
  ReadOptions semicolon;
  semicolon.delimiter = ';';
  EXPECT_EQ(RowsOf("a,b\n1,2\n", semicolon), (Texts{{"1,2"}}));
}

TEST(ReadCsv, ReadsOnlyTheColumnsAskedForInTheOrderOfTheFile) {
  ReadOptions options;
  options.columns = {"c", "a"};
  EXPECT_EQ(RowsOf("a,b,c\n1,2,3\n4,5,6\n", options), (Texts{{"1", "3"}, {"4", "6"}}));
  options.columns = std::vector<std::string>{};
  EXPECT_TRUE(RowsOf("a,b,c\n1,2,3\n", options).empty());
  const Folder folder;
  options.columns = {"d"};
  const auto read = Read(folder.Write("t.csv", "a,b\n1,2\n"), options);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(read.error().hint, "Its columns are: a, b");
}

TEST(ReadCsv, ReadsALineLongerThanABlock) {
  const std::string longer(3 << 20, 'x');
  EXPECT_EQ(RowsOf("a,b\n1,\"" + longer + "\n\"\n2,y\n"), (Texts{{"1", longer + "\n"}, {"2", "y"}}));
}

TEST(ReadCsv, GivesTheSameTableAtAnyNumberOfThreads) {
  const Folder folder;
  std::string bytes = "a,b,c\n";
  for (int i = 0; i < 300'000; ++i) {
    bytes += fmt::format("{},v{},\"q{},\n\"\n", i % 977, (i * 7919L) % 100'003, i % 13);
  }
  folder.Write("t.csv", bytes);
  const auto one = Read(folder / "t.csv", {}, 1), three = Read(folder / "t.csv", {}, 3);
  ASSERT_TRUE(one.ok() && three.ok());
  EXPECT_EQ(one->table.num_rows(), 300'000u);
  EXPECT_EQ(Rows(one->table), Rows(three->table));
  EXPECT_EQ(one->table.column(1).text(one->table.column(1).codes()[299'999]),
            fmt::format("v{}", 299'999 * 7919L % 100'003));
}

TEST(ReadCsv, UnpacksGzip) {
  const Folder folder;
  const std::string packed = Gzip("a,b\n1,2\n") + Gzip("3,4\n");
  const auto read = Read(folder.Write("t.CSV.GZ", packed));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(Rows(read->table), (Texts{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(read->format, "csv.gz");
  EXPECT_EQ(*ArrowFiles().Header(folder / "t.CSV.GZ", {}), (std::vector<std::string>{"a", "b"}));
}

TEST(ReadCsv, RefusesDamagedGzip) {
  const Folder folder;
  const std::string packed = Gzip("a,b\n1,2\n3,4\n5,6\n");
  for (size_t length = 1; length < packed.size(); ++length) {
    const auto read = Read(folder.Write("t.csv.gz", packed.substr(0, length)));
    ASSERT_FALSE(read.ok()) << length;
    EXPECT_EQ(read.error().code, ErrorCode::kData);
    EXPECT_NE(read.error().message.find("t.csv.gz"), std::string::npos);
  }
  EXPECT_FALSE(Read(folder.Write("t.csv.gz", "a,b\n1,2\n")).ok());
  EXPECT_FALSE(Read(folder.Write("t.csv.gz", packed + "junk")).ok());
}

TEST(ReadCsv, RefusesWhatIsNoFile) {
  const Folder folder;
  std::filesystem::create_directory(folder / "d.csv");
  ASSERT_EQ(::mkfifo((folder / "p.csv").c_str(), 0600), 0);
  for (const char* name : {"none.csv", "d.csv", "p.csv", "none.parquet", "d.csv/x.arrow"}) {
    const auto read = Read(folder / name);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code, ErrorCode::kData);
    EXPECT_NE(read.error().message.find(name), std::string::npos) << read.error().message;
  }
  const auto unknown = Read(folder.Write("t.xls", "a"));
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(unknown.error().hint.find(".parquet"), std::string::npos);
}

/// Does something to the file while it is read.
class Meddler final : public Progress {
 public:
  explicit Meddler(std::function<void()> act) : act_(std::move(act)) {}
  void Begin(std::string_view, uint64_t) override { act_(); }
  void Advance(uint64_t) override {}

 private:
  std::function<void()> act_;
};

TEST(ReadCsv, RefusesAFileThatChangesOrVanishes) {
  const Folder folder;
  const std::string path = folder / "t.csv";
  const auto error = [&](std::function<void()> act) {
    folder.Write("t.csv", "a,b\n1,2\n");
    Meddler meddler(std::move(act));
    const auto read = ArrowFiles().Read(path, {}, Workers(2), meddler);
    return read.ok() ? "" : read.error().message;
  };
  EXPECT_EQ(error([&] { std::filesystem::remove(path); }), "Input vanished while it was read: " + path);
  EXPECT_EQ(error([&] { std::ofstream(path, std::ios::app) << "3,4\n"; }), "Input changed while it was read: " + path);
  EXPECT_EQ(error([&] { std::filesystem::rename(folder.Write("u.csv", "a,b\n1,2\n"), path); }),
            "Input changed while it was read: " + path);
}

TEST(ReadCsv, StopsWhenInterrupted) {
  const Folder folder;
  folder.Write("t.csv", "a,b\n1,2\n");
  Cancel cancel;
  Meddler meddler([&] { cancel.Request(); });
  EXPECT_THROW((void)ArrowFiles().Read(folder / "t.csv", {}, Workers(2, &cancel), meddler), Interrupted);
}

TEST(ReadCsv, ReadsStandardInputMoreThanOnce) {
  const Folder folder;
  folder.Write("t.csv", "a,b\n1,2\n");
  const int saved = ::dup(STDIN_FILENO);
  ASSERT_NE(::freopen((folder / "t.csv").c_str(), "r", stdin), nullptr);
  EXPECT_EQ(*ArrowFiles().Header("-", {}), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(Rows(Read("-")->table), (Texts{{"1", "2"}}));
  EXPECT_EQ(*ArrowFiles().Digest("-"), *ArrowFiles().Digest(folder / "t.csv"));
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

TEST(ReadCsv, HashesAFile) {
  const Folder folder;
  EXPECT_EQ(*ArrowFiles().Digest(folder.Write("t.csv", "abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_FALSE(ArrowFiles().Digest(folder / "none").ok());
}

TEST(ReadCsv, SurvivesAnyBytes) {
  const Folder folder;
  EXPECT_TRUE(rc::check("any bytes give a table or kData", [&](const std::vector<uint8_t>& choices) {
    static constexpr std::string_view kPieces[] = {"a",    "1",    ",",    ";", "\"", "\n", "\r",
                                                   "\r\n", "\xC3", "\xA9", "|", "\t", " "};
    std::string bytes;
    for (const uint8_t choice : choices) {
      bytes += choice < 200 ? kPieces[choice % std::size(kPieces)]
                            : std::string_view(reinterpret_cast<const char*>(&choice), 1);
    }
    const auto read = Read(folder.Write("t.csv", bytes), {}, 1);
    RC_ASSERT((read.ok() || read.error().code == ErrorCode::kData));
  }));
}

}  // namespace
}  // namespace tada
