#include "cli/terminal/exit_code.h"

#include <fmt/ranges.h>

#include "base/option_mark.h"
#include "base/version.h"
#include "files/published.h"

namespace tada {
namespace {

/// The text on one line: line ends and other control characters become blanks, so that no file name and no cell can
/// forge a line of the program's or move the cursor.
std::string OneLine(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

/// What the run had finished before it failed, in words; "" if nothing.
std::string WrittenBefore() {
  const std::vector<std::string> files = PublishedFiles();
  return files.empty() ? "" : fmt::format("Complete, and written before that: {}.", fmt::join(files, ", "));
}

std::string DefaultHint(ErrorCode code) {
  if (std::string written = WrittenBefore(); !written.empty()) return written;
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "'tada <command> --help' lists options and examples.";
    case ErrorCode::kData:
      return "Nothing was written. Repair the input, or see the options under 'Input' in --help.";
    case ErrorCode::kInfeasible:
      return "Nothing was written. Ask for less, or give more rows.";
    case ErrorCode::kIo:
      return "Nothing was written. Choose another place for the output.";
  }
  return "";
}

}  // namespace

void PrintError(std::ostream& stream, const Error& error) {
  stream << "tada: error: " << OneLine(OnCommandLine(error.message)) << '\n'
         << "tada: hint: " << OneLine(OnCommandLine(error.hint.empty() ? DefaultHint(error.code) : error.hint))
         << std::endl;
}

void PrintStopped(std::ostream& stream, std::string_view why, std::string_view hint) {
  const std::string written = WrittenBefore();
  stream << "tada: error: " << why << (written.empty() ? ": nothing was released" : "") << '\n'
         << "tada: hint: " << OneLine(written) << (written.empty() ? "" : " ") << hint << std::endl;
}

void PrintInternalError(std::ostream& stream, const char* what) {
  const std::string written = WrittenBefore();
  stream << "tada: error: This is a bug in tada " << kVersion << (written.empty() ? ", nothing was released: " : ": ")
         << OneLine(what) << '\n'
         << "tada: hint: " << OneLine(written) << (written.empty() ? "" : " ")
         << "Please open an issue with this message and the command line; SECURITY.md says how to report in "
            "private. Attach no personal data."
         << std::endl;
}

}  // namespace tada
