// tada demo: a complete run on made-up people, for a first look; `--write` only makes the people, for benchmarks.

#include "cli/demo/demo_command.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/demo/demo_data.h"
#include "cli/demo/demo_view.h"
#include "commands/release/anonymize.h"
#include "plan/option_groups.h"
#include "plan/shell_command.h"
#include "report/draw/chart_axis.h"
#include "report/draw/text_layout.h"

namespace tada {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kDemoRows = 5000;
constexpr const char kDemoFolder[] = "tada-demo";

bool WantsColours(const Console& console) {
  const char* off = std::getenv("NO_COLOR");
  return &console.out == &std::cout && isatty(STDOUT_FILENO) != 0 && (off == nullptr || *off == '\0');
}

struct DemoFiles {
  std::string input, output, report;
};

bool Contains(const std::string& path, std::string_view text) {
  std::ifstream file(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  return all.find(text) != std::string::npos;
}

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line + "\n";
}

constexpr const char kDemoCommand[] = "tada demo --folder ";  // in the demo's reports

// Refuses to replace files that the demo did not make, before anything is made. Its own it may replace without being asked, but
// a table that somebody has changed since is no longer its own.
Status CheckFiles(const DemoFiles& files, uint64_t seed, bool force) {
  const bool own_table = force || IsDemoTable(files.input, seed) || IsDemoTable(files.input, 1);
  const bool own_release = force || FirstLine(files.output) == DemoHeader().substr(DemoHeader().find(',') + 1);
  TADA_CHECK_OK(PendingFile::Open(files.input, own_table));
  TADA_CHECK_OK(PendingFile::Open(files.output, own_release));
  TADA_CHECK_OK(PendingFile::Open(files.report, force || Contains(files.report, kDemoCommand)));
  return Ok();
}

// The folder of the files. It is removed again if it was made for them and they did not come to be.
class DemoFolder {
 public:
  explicit DemoFolder(const std::string& folder) : path_(folder) {}
  ~DemoFolder() {
    std::error_code error;
    if (made_) fs::remove(path_, error);  // stays if there is something in it
  }
  DemoFolder(const DemoFolder&) = delete;
  DemoFolder& operator=(const DemoFolder&) = delete;

  Status Make() {
    std::error_code error;
    made_ = fs::create_directories(path_, error);
    if (!error) return Ok();
    return IoError("Cannot make the demo's folder: {}: {}", path_.string(), error.message())
        .WithHint("Choose another with --folder.");
  }
  DemoFiles files() const { return {path_ / "people.csv", path_ / "people.anon.csv", path_ / "report.html"}; }

 private:
  fs::path path_;
  bool made_ = false;
};

Status ShowExamples(const DemoFiles& files, const Plan& plan, const Workers& workers, const DemoView& view,
                    Console& console) {
  ReadOptions as_text;
  as_text.defaults.kind = Kind::kCategorical;
  as_text.defaults.missing = {};
  NoProgress silent;
  TADA_TRY(original, console.files.Read(files.input, ReadOptions{}, workers, silent));
  TADA_TRY(released, console.files.Read(files.output, as_text, workers, silent));
  console.out
      << view.Heading("Before and after") << "  "
      << Wrap(
             "Rows of a release are sorted by their cells: what stands on the right is a released row that may be this "
             "person's, or that of any of the others who now look the same.",
             96, 2)
      << "\n\n"
      << view.Examples(FindExamples(original.table, released.table, plan, 2));
  return Ok();
}

void ShowNext(const DemoFiles& files, const Outcome& outcome, const DemoView& view, Console& console) {
  console.out << view.Heading("Look at")
              << AlignColumns({{"  " + files.report, "what was reached and what it cost, to read and to file"},
                               {"  " + files.output, "the release"},
                               {"  " + files.input, "the made-up people"}},
                              {});
  std::string roles = RequirementOptions(outcome.plan);
  if (outcome.plan.seed != 1) roles += fmt::format(" --seed {}", outcome.plan.seed);
  console.out << view.Heading("The same by hand")
              << view.CommandLine("tada anonymize " + ShellQuote(files.input) + " -o my.csv --report my.html \\\n    " +
                                  roles)
              << view.CommandLine("tada audit my.csv --original " + ShellQuote(files.input) + " \\\n    " +
                                  RequirementOptions(outcome.plan))
              << view.Heading("With your own table")
              << view.CommandLine("tada inspect YOURS.csv --write-plan tada.toml")
              << view.CommandLine("tada anonymize YOURS.csv --plan tada.toml -o YOURS.anon.csv --report report.html");
}

Result<int> RunWholeDemo(const ParsedCommandLine& line, uint64_t rows, uint64_t seed, const Workers& workers,
                         Console& console) {
  const std::string folder = line.options.Has("folder") ? line.options.Text("folder") : kDemoFolder;
  DemoFolder place(folder);
  TADA_CHECK_OK(place.Make());
  const DemoFiles files = place.files();
  TADA_CHECK_OK(CheckFiles(files, seed, line.options.Flag("force")));
  TADA_TRY(table, WriteDemoTable(files.input, rows, seed, true, workers, console.progress));
  AnonymizeRequest request;
  request.report = files.report;
  request.force = true;  // CheckFiles has seen them
  request.plan = DemoPlan();
  request.plan.seed = seed;
  request.plan.threads = workers.threads();
  request.command = kDemoCommand + ShellQuote(folder) + fmt::format(" --rows {} --seed {}", rows, seed);
  FileSource source(console.files, table.path(), files.input);
  TADA_TRY(sink, FileSink::Open(console.files, files.output, true));
  TADA_TRY(done, Anonymize(request, source, sink, console));
  const Outcome& outcome = done.outcome;
  if (outcome.verdict.passed) TADA_CHECK_OK(table.Publish());

  const DemoView view(WantsColours(console));
  double seconds = 0;
  for (const auto& [stage, time] : outcome.seconds) seconds += time;
  console.out << view.Heading(fmt::format("{} made-up hospital patients, anonymized with {} in {:.2f} seconds",
                                          WithCommas(rows), outcome.method, seconds));
  if (outcome.verdict.passed) TADA_CHECK_OK(ShowExamples(files, outcome.plan, workers, view, console));
  console.out << view.Heading("What was reached") << view.Reached(outcome) << view.Heading("What it cost")
              << "  How much of a column's range an average cell leaves open: 0% as it was, 100% says nothing.\n\n"
              << view.Cost(outcome);
  if (outcome.verdict.passed) ShowNext(files, outcome, view, console);
  return outcome.verdict.passed ? 0 : 1;
}

Result<int> RunDemo(const ParsedCommandLine& line, Console& console) {
  const Workers workers(static_cast<int>(line.options.Integer("threads", 0)), &console.cancel);
  const auto rows = static_cast<uint64_t>(line.options.Integer("rows", kDemoRows));
  const auto seed = static_cast<uint64_t>(line.options.Integer("seed", 1));
  if (!line.options.Has("write")) return RunWholeDemo(line, rows, seed, workers, console);
  const std::string path = line.options.Text("write");
  if (line.options.Has("folder")) {
    return InvalidArgument("--write and --folder do not go together").WithHint("--write only writes the table.");
  }
  if (path != "-" && !path.ends_with(".csv")) {
    return InvalidArgument("--write writes CSV, so the file must end in .csv: {}", path);
  }
  TADA_TRY(table, WriteDemoTable(path, rows, seed, line.options.Flag("force"), workers, console.progress));
  TADA_CHECK_OK(table.Publish());
  return 0;
}

OptionSpecs DemoOptions() {
  using enum OptionType;
  const std::string_view people = "People";
  return Join({{{.name = "folder",
                 .type = kText,
                 .value_name = "folder",
                 .default_text = kDemoFolder,
                 .section = people,
                 .help = "Write the demo's table, release and report to this folder; created if it does not exist."},
                {.name = "write",
                 .type = kText,
                 .value_name = "file.csv",
                 .section = people,
                 .help = "Only write the made-up table to this file; - is standard output."},
                {.name = "rows",
                 .type = kInteger,
                 .value_name = "count",
                 .default_text = DefaultText(kDemoRows),
                 .minimum = 1,
                 .maximum = 4e9,
                 .section = people,
                 .help = "Set how many people to make up."}},
               Only(OutputOptions(), {"force"}),
               Without(RunOptions(), {"memory", "show-values"})});
}

}  // namespace

Command MakeDemoCommand() {
  return {.name = "demo",
          .summary = "do a complete run on people that tada makes up",
          .description =
              "Make up a table of hospital patients, anonymize it, audit it, and show people before and after, "
              "what was "
              "reached and what it cost. With --write only write the made-up table, of any length.",
          .usage = "[options]",
          .examples = {{"A first look; the files go to the folder tada-demo", "tada demo"},
                       {"A large table to try things on", "tada demo --write big.csv --rows 1000000"}},
          .options = DemoOptions(),
          .exits = CommonExits({{0, "shown, or written"}, {1, "the audit failed"}}),
          .run = &RunDemo};
}

}  // namespace tada
