#include "evaluate/external.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "audit/original/cover.h"
#include "base/option_mark.h"
#include "evaluate/cell_maker.h"
#include "plan/shell_command.h"
#include "recode/plain_release.h"
#include "run/read_options.h"
#include "table/number.h"
#include "table/parsed_cell.h"

namespace tada {
namespace {

bool IsName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  });
}

// A folder of its own, gone at the end.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tada-run-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;  // for nobody else to read
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  bool ok() const { return !path_.empty(); }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string Filled(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    const std::string mark = "{" + name + "}";
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  }
  return text;
}

// A running command, with everything that it started; gone with this.
class Child {
 public:
  // Runs a command of the shell, with nothing to read and its words in a file.
  Child(const std::string& command, const std::string& words) {
    const std::string redirected = fmt::format("exec </dev/null >{} 2>&1\n{}", ShellQuote(words), command);
    pid_ = fork();
    if (pid_ != 0) return;
    setpgid(0, 0);
    execl("/bin/sh", "sh", "-c", redirected.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  ~Child() {
    if (pid_ <= 0) return;
    kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The exit status; throws Interrupted soon after a stop was requested.
  int Wait(const Workers& workers) {
    if (pid_ < 0) return 127;
    for (;;) {
      int status = 0;
      const pid_t done = waitpid(pid_, &status, WNOHANG);
      if (done == pid_) {
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
      workers.Poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

 private:
  pid_t pid_ = 0;
};

Result<Table> ReadReleased(Files& files, const std::string& path, const Plan& plan, const Workers& workers) {
  NoProgress progress;
  TADA_TRY(file, files.Read(path, ReleaseReadOptions(plan), workers, progress));
  return std::move(file.table);
}

Result<Table> RunProgram(const std::string& name, const std::string& command, Files& files, const Table& rows,
                         const Plan& plan, const Workers& workers) {
  const WorkFolder folder;
  if (!folder.ok()) return IoError("No folder for the files of " TADA_OPTION("run={}") " can be made", name);
  const std::string input = folder.File("input.csv"), output = folder.File("output.csv");
  {
    NoProgress progress;
    TADA_TRY(sink, FileSink::Open(files, input, true));
    TADA_CHECK_OK(sink.Write(PlainRelease(rows), {.delimiter = ',', .cells = CellForm::kText}, workers, progress));
    TADA_CHECK_OK(sink.Publish());
  }
  Child child(Filled(command, {{"input", ShellQuote(input)},
                               {"output", ShellQuote(output)},
                               {"k", fmt::format("{}", plan.requirement.k)},
                               {"l", fmt::format("{}", plan.requirement.l)},
                               {"seed", fmt::format("{}", plan.seed)}}),
              folder.File("words.txt"));
  const int status = child.Wait(workers);
  if (status != 0) return Infeasible(TADA_OPTION("run={}") ": the command failed with exit status {}", name, status);
  if (!std::filesystem::exists(output))
    return Infeasible(TADA_OPTION("run={}") ": the command wrote no {{output}}", name);
  Plan own = plan;
  own.delimiter.reset();
  Result<Table> released = ReadReleased(files, output, own, workers);
  if (!released.ok())
    return Infeasible(TADA_OPTION("run={}") ": what it wrote cannot be read: {}", name, released.error().message);
  return released;
}

// The numbers from which to which a cell reaches; nothing if it names none.
std::optional<std::pair<double, double>> BoundsOf(std::string_view text, const Column& source) {
  const Reading reading = source.is_date() ? Reading::kDates : Reading::kNumbers;
  const std::string plain = PlainCell(text, source.writing());
  const ParsedCell cell = ParseCell(plain, reading);
  const auto number = [&](std::string_view bound) { return source.is_date() ? ParseDate(bound) : ParseNumber(bound); };
  if (cell.form == ParsedCell::Form::kInterval) {
    const auto low = number(cell.low), high = number(cell.high);
    if (low && high && *low <= *high) return std::pair(*low, *high);
  } else if (const auto value = number(plain)) {
    return std::pair(*value, *value);
  }
  return std::nullopt;
}

// What each cell of a released column is as a cell of the original's column.
std::vector<uint32_t> CellNumbers(const Column& released, const Column& source, const std::vector<std::string>& missing,
                                  CellMaker& maker) {
  const CellCover cover(released, source, missing);
  std::vector<uint32_t> numbers;
  for (Code cell = 0; cell < released.num_codes(); ++cell) {
    if (cover.is_mask(cell) || cover.is_unchecked(cell)) {
      numbers.push_back(maker.anything());
    } else if (source.is_numeric()) {
      const auto bounds = BoundsOf(released.text(cell), source);
      numbers.push_back(bounds ? maker.AddInterval(bounds->first, bounds->second) : maker.anything());
    } else {
      std::set<uint32_t> names;
      for (uint32_t at = cover.hull_begin(cell); at < cover.hull_end(cell); ++at) {
        if (cover.Covers(cell, at)) names.insert(source.value_id(cover.value_at(at)));
      }
      numbers.push_back(names.empty() ? maker.anything() : maker.AddNames(names));
    }
  }
  return numbers;
}

CellColumn ForeignColumn(const Table& released, const Column& source, const std::vector<std::string>& missing) {
  CellMaker maker(source);
  const auto id = released.Find(source.name());
  if (!id) {  // it was not released
    maker.column().of_row.assign(released.num_rows(), maker.anything());
    return std::move(maker.column());
  }
  const Column& column = released.column(*id);
  const std::vector<uint32_t> numbers = CellNumbers(column, source, missing, maker);
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) maker.column().of_row.push_back(numbers[code]);
  });
  return std::move(maker.column());
}

void AddForeignLabels(const Table& released, const Column& source, bool regression, CellTable& cells) {
  const Column& column = released.column(released.Find(source.name()).value());
  const SharedValues shared = ShareValues(column, source);
  std::vector<Code> source_of(shared.count, 0);
  for (Code code = 0; code < source.num_codes(); ++code) source_of[shared.of_original[code]] = code;
  cells.num_labels = source.num_values();
  for (RowId row = 0; row < released.num_rows(); ++row) {
    const Code code = source_of[shared.of_released[column.codes()[row]]];
    cells.labels.push_back(source.value_id(code));
    if (regression) cells.targets.push_back(source.is_missing(code) ? NAN : source.number(code));
  }
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> NamedItems(std::string_view option,
                                                                    const std::vector<std::string>& items) {
  std::vector<std::pair<std::string, std::string>> named;
  for (const std::string& item : items) {
    const size_t equals = item.find('=');
    const bool has_name = equals != std::string::npos && IsName(std::string_view(item).substr(0, equals));
    if (has_name) {
      named.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    } else if (!named.empty()) {
      named.back().second += "," + item;  // a comma of its own
    } else {
      return InvalidArgument(TADA_OPTION("{}") " takes <name>=<...>, with a name of letters, digits, - and _: {}",
                             option, item);
    }
  }
  for (const auto& [name, value] : named) {
    if (value.empty()) return InvalidArgument(TADA_OPTION("{}") " says nothing of {}", option, name);
  }
  return named;
}

ExternalMethod ReleasedFile(const std::string& name, const std::string& path, Files& files) {
  struct Once {
    std::mutex mutex;
    std::optional<Table> table;
  };
  const auto once = std::make_shared<Once>();
  return {name,
          [once, path, &files](const Table&, const Plan& plan, const Workers& workers) -> Result<Table> {
            const std::lock_guard lock(once->mutex);
            if (!once->table) {
              TADA_TRY(table, ReadReleased(files, path, plan, workers));
              once->table = std::move(table);
            }
            return *once->table;
          },
          true};
}

Result<ExternalMethod> Program(const std::string& name, const std::string& command, Files& files) {
  for (const std::string_view mark : {"{input}", "{output}"}) {
    if (command.find(mark) != std::string::npos) continue;
    return InvalidArgument(TADA_OPTION("run={}") ": the command has no {}", name, mark)
        .WithHint("Write " TADA_OPTION(
            "run") " name='COMMAND {input} {output} {k} {l} {seed}': the program reads a CSV file and writes one.");
  }
  return ExternalMethod{name,
                        [=, &files](const Table& rows, const Plan& plan, const Workers& workers) {
                          return RunProgram(name, command, files, rows, plan, workers);
                        },
                        false};
}

CellTable ForeignCells(const Table& released, const Table& original, const Roles& roles, bool regression,
                       const std::vector<std::string>& missing) {
  CellTable cells;
  cells.num_rows = released.num_rows();
  for (const ColumnId id : FeatureColumns(roles)) {
    cells.columns.push_back(ForeignColumn(released, original.column(id), missing));
  }
  if (!roles.label.empty()) AddForeignLabels(released, original.column(roles.label.front()), regression, cells);
  return cells;
}

}  // namespace tada
