#pragma once

// What came of a run: everything that the report, the command line and Python say about it.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "partition/engine/problem.h"
#include "plan/plan.h"
#include "score/scorecard.h"

namespace tada {

struct Outcome {
  std::string method;
  std::vector<std::string> stages;
  Plan plan;        ///< as it was run, defaults filled in
  Verdict verdict;  ///< of the finished file
  /// With several data controllers: each one's rows of the file, audited by themselves against its own requirement.
  struct ControllerPart {
    std::string name;
    Verdict verdict;
  };
  std::vector<ControllerPart> controllers;
  Scorecard score;        ///< over what the released cells show, so that it tells nothing else
  Scorecard input_score;  ///< over the input: shown only with report_raw
  /// NCP over the input that no release of these rows has less of at this k and l, where that is known: shown only with report_raw.
  std::optional<double> least_ncp;
  uint64_t rare_members = 0;  ///< values that cells name and fewer than k rows have: shown only with report_raw
  uint64_t withheld_rows = 0;
  std::optional<uint64_t> withheld_people;  ///< where people have several rows
  /// NCP over the input with every withheld row counted 1: shown only with report_raw.
  double ncp_with_withheld() const {
    const auto rows = static_cast<double>(input_rows), withheld = static_cast<double>(withheld_rows);
    return rows > 0 ? ((rows - withheld) * input_score.ncp + withheld) / rows : 0;
  }
  /// By which part of it the least possible NCP is exceeded, at most; nothing if nothing is known or the least is 0.
  std::optional<double> above_least() const {
    if (!least_ncp || *least_ncp <= 0) return std::nullopt;
    return std::max(0.0, input_score.ncp / *least_ncp - 1);
  }
  /// Classes in which "missing" stands beside values of a quasi-identifier, by their cells: a set that holds it, a masked number.
  uint64_t mixed_missing = 0;
  std::vector<std::pair<std::string, double>> seconds;  ///< by stage, in order
  double peak_memory_mb = 0;
  std::string input_path, input_format;
  std::string input_sha256;    ///< shown only with report_raw: it would tell whether a guessed table is the right one
  std::string release_sha256;  ///< of the finished file; "" if it is none
  uint64_t input_rows = 0, input_columns = 0;
  std::string output_path;
  std::vector<std::string> dropped_columns;  ///< had no role
  std::vector<std::string> warnings;
  std::vector<std::string>
      raw_warnings;  ///< tell about the raw table: for its owner, and only with report_raw in a report
  std::vector<std::string> all_warnings() const {
    std::vector<std::string> all = warnings;
    all.insert(all.end(), raw_warnings.begin(), raw_warnings.end());
    return all;
  }
  std::vector<std::string> policy;  ///< what the plan's profile asked for, rule by rule; the first says which profile
  /// Some released rows, header first, for the report's sample.
  std::vector<std::vector<std::string>> sample;
  struct Column {
    std::string name, role, kind;
    uint64_t distinct = 0, missing = 0;  ///< of the input: shown only with report_raw, or where it is released as it is
    std::string smallest, largest;       ///< raw values: shown only with report_raw
    bool released = true;
    /// What a report may say of `distinct` and `missing`: nothing of a column that is widened or not released.
    bool as_it_is() const { return released && role != "quasi-identifier"; }
    /// Of the column before and after the release, shown only with report_raw. Of a number: mean and variance; released intervals
    /// count by their middles. Of names: the share of the most frequent value.
    struct Statistics {
      std::optional<double> mean, variance;
      double top_share = 0;
      uint64_t distinct = 0;
    };
    std::optional<Statistics> before, after;
  };
  std::vector<Column> columns;
  std::vector<std::pair<std::string, std::string>> about;  ///< stage by stage: its name, and what it did in words
  std::string created;                                     ///< when, as "2026-03-01 12:00 UTC"; "" leaves it out
  std::string command;                ///< how it was run, for the report; "": with the plan in a file
  std::vector<NoteSection> sections;  ///< what the method itself has to show
  /// The report may hold raw values, and then says that it is confidential. Without it the raw fields here are not shown.
  bool report_raw = false;
  std::vector<std::vector<std::string>> raw_sample;  ///< some rows of the input, header first
};

}  // namespace tada
