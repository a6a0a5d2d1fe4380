#pragma once

// A child process: the same program, given its arguments as they are (no shell), with its progress on a descriptor of its own. It
// dies with the server, and gets nothing of what the server has open.

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"

namespace tada {

inline constexpr int kProgressDescriptor = 3;

struct ChildRequest {
  std::vector<std::string> arguments;  ///< behind the program's name
  std::string folder;                  ///< it runs in
  std::string output;                  ///< the file that standard output goes to
};

struct ChildEnd {
  int exit_code = 70;  ///< 70 if a signal ended it, 130 if it was stopped on request
  std::string errors;  ///< its standard error, the last of it
};

/// What the server asks of a child while it runs.
enum class ChildWish { kGoOn, kStop };

/// The program that children are, as words before their arguments; this program unless somebody says otherwise, before the server starts. For whoever
/// runs inside another program, such as Python.
void SetChildProgram(std::vector<std::string> words);

/// Runs it to its end. `on_line` gets each line of progress; `wish` is asked several times a second: kStop interrupts it, and kills it
/// after five seconds.
Result<ChildEnd> RunChild(const ChildRequest& request, const std::function<void(const std::string&)>& on_line,
                          const std::function<ChildWish()>& wish);

}  // namespace tada
