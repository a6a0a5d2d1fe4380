#pragma once

// What the program prints holds names and cells of other people's files. Control characters among them would move the cursor, change colours or turn
// the direction of a line: they are written out, as \u001b, on their way to the terminal. Options that texts name (base/option_mark.h) are
// spelled as the command line has them.

#include <ostream>
#include <streambuf>
#include <string>

namespace tada {

/// Passes bytes on to `target`, control characters (line ends and tabs apart) and those that turn the direction of text as \uXXXX.
class EscapingBuffer final : public std::streambuf {
 public:
  explicit EscapingBuffer(std::ostream& target) : target_(target) {}

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  std::ostream& target_;
  std::string held_;  // the beginning of a character of several bytes
};

class EscapingStream final : public std::ostream {
 public:
  explicit EscapingStream(std::ostream& target) : std::ostream(nullptr), buffer_(target) { rdbuf(&buffer_); }

 private:
  EscapingBuffer buffer_;
};

}  // namespace tada
