#include "cli/terminal/exit_code.h"

#include "base/version.h"

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

std::string_view DefaultHint(ErrorCode code) {
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

int ExitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return 2;
    case ErrorCode::kData:
      return 3;
    case ErrorCode::kInfeasible:
      return 4;
    case ErrorCode::kIo:
      return 5;
  }
  return kExitInternal;
}

void PrintError(std::ostream& stream, const Error& error) {
  stream << "tada: error: " << OneLine(error.message) << '\n'
         << "tada: hint: " << OneLine(error.hint.empty() ? DefaultHint(error.code) : error.hint) << std::endl;
}

void PrintInternalError(std::ostream& stream, const char* what) {
  stream
      << "tada: error: This is a bug in tada " << kVersion << ", nothing was released: " << OneLine(what) << '\n'
      << "tada: hint: Please open an issue with this message and the command line; SECURITY.md says how to report in "
         "private. Attach no personal data."
      << std::endl;
}

}  // namespace tada
