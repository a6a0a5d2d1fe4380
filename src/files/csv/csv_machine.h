#pragma once

// CSV, byte by byte: what is a cell and what is a record, exactly as the fast reader sees it.
//   record   a header or a row: cells between delimiters, up to a line end that is not quoted.
//   blank    a record of no bytes at all; a table of several columns skips it, a table of one has an empty cell there.
//   line     counted from 1 as an editor counts: LF, CR LF or CR alone ends one, quoted or not.
// A quote opens only at the start of a cell; inside, two quotes are one; after it closes, bytes are taken as they come.
// Slow and exact: used for the header, and to say where a file is wrong once the fast reader has refused it.

#include <cstdint>
#include <string_view>

namespace tada {

/// What the machine reports.
class CsvEvents {
 public:
  virtual ~CsvEvents() = default;
  virtual void OnByte(char byte) = 0;
  virtual void OnCell() = 0;
  /// A record ended that began at `line`; false stops the machine.
  virtual bool OnRecord(uint64_t line, bool blank) = 0;
};

class CsvMachine {
 public:
  CsvMachine(char delimiter, CsvEvents& events) : delimiter_(delimiter), events_(events) {}

  /// Takes bytes, all of them unless an event stopped it; the number taken, the whole line end of a record included.
  size_t Feed(std::string_view bytes) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      const char byte = bytes[i];
      if (after_return_) {
        after_return_ = false;
        if (byte == '\n') {
          if (state_ == State::kQuoted) events_.OnByte(byte);
          continue;
        }
      }
      if (stopped_) return i;
      Take(byte);
    }
    return bytes.size();
  }
  /// Ends the last record if its line has no end.
  void Finish() {
    if (!stopped_ && state_ != State::kRecordStart) EndRecord();
  }

  bool stopped() const { return stopped_; }
  uint64_t line() const { return line_; }
  /// Whether a quote is open, and the line where it was opened.
  bool in_quotes() const { return state_ == State::kQuoted; }
  uint64_t quote_line() const { return quote_line_; }

 private:
  enum class State { kRecordStart, kCellStart, kCell, kQuoted, kQuoteInQuotes };

  void Take(char byte) {
    switch (state_) {
      case State::kQuoted:
        if (byte == '"') {
          state_ = State::kQuoteInQuotes;
        } else {
          CountLine(byte);
          events_.OnByte(byte);
        }
        return;
      case State::kQuoteInQuotes:
        if (byte == '"') {
          events_.OnByte(byte);
          state_ = State::kQuoted;
          return;
        }
        break;
      case State::kRecordStart:
      case State::kCellStart:
        if (byte == '"') {
          quote_line_ = line_;
          state_ = State::kQuoted;
          return;
        }
        break;
      case State::kCell:
        break;
    }
    if (byte == delimiter_) {
      events_.OnCell();
      state_ = State::kCellStart;
    } else if (byte == '\n' || byte == '\r') {
      EndRecord();
      CountLine(byte);
      record_line_ = line_;
    } else {
      events_.OnByte(byte);
      state_ = State::kCell;
    }
  }
  void CountLine(char byte) {
    if (byte == '\r') after_return_ = true;  // a line feed that follows belongs to it
    if (byte == '\n' || byte == '\r') ++line_;
  }
  void EndRecord() {
    const bool blank = state_ == State::kRecordStart;
    events_.OnCell();
    stopped_ = !events_.OnRecord(record_line_, blank);
    state_ = State::kRecordStart;
  }

  char delimiter_;
  CsvEvents& events_;
  State state_ = State::kRecordStart;
  bool after_return_ = false;
  bool stopped_ = false;
  uint64_t line_ = 1, record_line_ = 1, quote_line_ = 1;
};

}  // namespace tada
