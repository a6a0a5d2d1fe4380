#include "cli/run_command_line.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <new>
#include <sstream>

#include "base/version.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/terminal/escaping_stream.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/log_lines.h"
#include "cli/terminal/progress_bar.h"
#include "cli/terminal/progress_lines.h"
#include "files/format.h"
#include "files/published.h"

namespace tada {
namespace {

Cancel stop_requested;  // the signal handler's only way to reach the work

/// The first signal asks the work to stop and clean up; a second one does not wait for that. What a run that ended so
/// leaves in a folder is removed by the next one (files/write.h).
extern "C" void OnSignal(int) {
  if (stop_requested.requested()) _exit(kExitInterrupted);
  stop_requested.Request();
}

/// A library that runs out of memory may give up by itself, after a line that says why.
extern "C" void OnAbort(int) {
  constexpr std::string_view kWords =
      "tada: error: A library gave up, most often for lack of memory: nothing more was written\n"
      "tada: hint: Use a machine with more memory, or --memory. Unfinished files are removed by the next run.\n";
  static_cast<void>(!write(STDERR_FILENO, kWords.data(), kWords.size()));
  _exit(kExitInternal);
}

void ListenToSignals() {
  struct sigaction action{};
  action.sa_handler = &OnSignal;  // no SA_RESTART: a read that waits for input returns
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  std::signal(SIGABRT, &OnAbort);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is a write error, reported as such
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that grows beyond its limit
}

Result<int> Answer(const ParsedCommandLine& line, Console& console) {
  switch (line.ask) {
    case ParsedCommandLine::Ask::kShowHelp:
      console.out << (line.command == nullptr ? ProgramHelp() : CommandHelp(*line.command));
      return 0;
    case ParsedCommandLine::Ask::kShowVersion:
      console.out << "tada " << kVersion << '\n';
      return 0;
    case ParsedCommandLine::Ask::kRun:
      break;
  }
  return line.command->run(line, console);
}

std::unique_ptr<Progress> MakeProgress(const OptionValues& options, bool err_is_terminal) {
  if (const std::string form = options.Text("progress"); form.starts_with("json"))
    return std::make_unique<ProgressLines>(form == "json" ? STDERR_FILENO : std::atoi(form.c_str() + 5));
  if (WantsProgress(options.Flag("quiet"), options.Flag("progress"), err_is_terminal))
    return std::make_unique<ProgressBar>();
  return std::make_unique<NoProgress>();
}

std::unique_ptr<Progress> MakeLog(const OptionValues& options, bool err_is_terminal) {
  if (options.Text("log") != "json") return MakeProgress(options, err_is_terminal);
  return std::make_unique<LogLines>(STDERR_FILENO, MakeProgress(options, false));
}

// Whether what goes to standard output is a file's content, or has colours of its own over data that the program made up.
bool PrintsAsIs(const ParsedCommandLine& line) {
  return line.command != nullptr && (line.command->name == "demo" || line.options.Text("output") == "-");
}

Result<int> ParseAndRun(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
                        bool err_is_terminal, Files& files, const Cancel& cancel, ServeFunction serve) {
  TADA_TRY(line, ParseCommandLine(arguments));
  const std::unique_ptr<Progress> progress = MakeLog(line.options, err_is_terminal);
  EscapingStream shown(out), noted(err);
  Console console{{files, *progress, cancel}, PrintsAsIs(line) ? out : shown, noted, serve};
  TADA_TRY(code, Answer(line, console));
  errno = 0;
  noted.flush();
  shown.flush();
  out.flush();
  if (!out) {
    return IoError("Standard output cannot be written: {}", errno != 0 ? std::strerror(errno) : "write error")
        .WithHint("Files that the command writes are as if it had succeeded; only what it prints is lost.");
  }
  return code;
}

// What ps shows of us is the words that we were started with.
void HidePassword(char* word) {
  if (SchemeOf(word).empty()) return;
  const std::string shown = ShownPath(word);
  if (shown == word) return;
  const size_t length = std::strlen(word);
  for (size_t i = 0; i < length; ++i) word[i] = i < shown.size() ? shown[i] : ' ';
}

int RunOrExplain(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err, std::ostream& said,
                 bool err_is_terminal, Files& files, const Cancel& cancel, ServeFunction serve) {
  try {
    const Result<int> code = ParseAndRun(arguments, out, err, err_is_terminal, files, cancel, serve);
    if (code.ok()) return *code;
    if (cancel.requested()) throw Interrupted();  // what failed, failed because it was stopped
    PrintError(said, code.error());
    return ExitCode(code.error().code);
  } catch (const Interrupted&) {
    PrintStopped(said, "Interrupted", "Run the same command again.");
    return kExitInterrupted;
  } catch (const std::bad_alloc&) {
    PrintStopped(said, "Not enough memory",
                 "Release fewer columns or rows at a time, or use a machine with more memory.");
    return kExitInternal;
  } catch (const std::exception& exception) {
    PrintInternalError(said, exception.what());
    return kExitInternal;
  }
}

// Whether an option is given, with that value if it is not "".
bool Asks(const std::vector<std::string>& arguments, const std::string& option, const std::string& value) {
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i] == option + (value.empty() ? "" : "=" + value)) return true;
    if (!value.empty() && arguments[i] == option && i + 1 < arguments.size() && arguments[i + 1] == value) return true;
  }
  return false;
}

// Whether standard output is for the release.
bool WritesToOutput(const std::vector<std::string>& arguments) {
  return Asks(arguments, "-o", "-") || Asks(arguments, "--output", "-") || Asks(arguments, "-o-", "");
}

// The two lines of an error, taken apart.
void TakeWords(const std::string& said, RunEnd& end) {
  const auto after = [&](std::string_view begin) {
    const size_t at = said.find(begin);
    return at == std::string::npos ? "" : said.substr(at + begin.size(), said.find('\n', at) - at - begin.size());
  };
  end.message = after("tada: error: ");
  end.hint = after("tada: hint: ");
}

// Standard error of a run with a log: what was noted as lines of the log too, so that whoever reads it reads nothing but JSON. A summary, which
// goes there where standard output is for the release, stays as it is; --quiet leaves it out.
void LogNotes(const std::string& noted, std::ostream& err) {
  std::istringstream lines(noted);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("tada: error: ") || line.starts_with("tada: hint: ")) continue;  // the last line has them
    const bool warning = line.starts_with("tada: warning: "), note = line.starts_with("tada: note: ");
    err << (warning || note ? NoteLine(warning ? "warning" : "note", line.substr(line.find(": ", 6) + 2))
                            : line + '\n');
  }
}

}  // namespace

int RunArguments(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err, bool err_is_terminal,
                 Files& files, const Cancel& cancel, ServeFunction serve) {
  // By the words as they were given, since they may be what is wrong.
  const bool json = Asks(arguments, "--json", ""), log = Asks(arguments, "--log", "json");
  if (!json && !log) return RunOrExplain(arguments, out, err, err, err_is_terminal, files, cancel, serve);
  std::ostringstream said, noted;
  const auto begun = std::chrono::steady_clock::now();
  const int code = RunOrExplain(arguments, out, log ? noted : err, said, err_is_terminal, files, cancel, serve);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
  RunEnd end{arguments.empty() ? "" : arguments.front(), code, spent.count(), "", ""};
  TakeWords(noted.str() + said.str(), end);
  if (json && !end.message.empty() && !WritesToOutput(arguments)) out << ErrorJson(end) << std::flush;
  if (log) {
    LogNotes(noted.str(), err);
    err << EndLine(end) << std::flush;
  } else {
    err << said.str() << std::flush;
  }
  return code;
}

int RunCommandLine(int argc, char** argv, Files& files, ServeFunction serve) {
  ListenToSignals();
  RememberPublished();
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  for (int i = 1; i < argc; ++i) HidePassword(argv[i]);
  return RunArguments(arguments, std::cout, std::cerr, isatty(STDERR_FILENO) == 1, files, stop_requested, serve);
}

}  // namespace tada
