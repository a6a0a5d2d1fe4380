#pragma once

// A made-up outcome for the tests of reports.

#include "run/audit/outcome.h"

namespace tada::testing {

inline Outcome SampleOutcome() {
  Outcome outcome;
  outcome.method = "ta_da";
  outcome.stages = {"tree", "mondrian"};
  for (const char* name : {"age", "sex", "zip", "education", "job", "hours"})
    outcome.plan.quasi.push_back({.name = name});
  outcome.plan.sensitive.push_back({.name = "diagnosis"});
  outcome.plan.label.push_back({.name = "readmitted"});
  outcome.plan.requirement.k = 10;
  outcome.plan.requirement.l = 3;
  Verdict& verdict = outcome.verdict;
  verdict.passed = true;
  verdict.rows = 4000;
  verdict.classes = 283;
  verdict.k = 10;
  verdict.l = 3;
  verdict.largest_class = 31;
  verdict.prosecutor = {0.1, 283 / 4000.0, 0};
  verdict.journalist = verdict.marketer = verdict.prosecutor;
  verdict.cover.push_back({.column = "age", .example = "row 1: [1,2] does not cover raw-example"});
  verdict.problems = {"row 1: [1,2] does not cover raw-example"};
  outcome.score.ncp = 0.1873;
  outcome.score.discernibility = 58213;
  outcome.score.average_group = 14.13;
  outcome.score.per_column = {{"age", 0.094},       {"sex", 0.31},  {"zip", 0.4127},
                              {"education", 0.152}, {"job", 0.118}, {"hours", 0.0367}};
  for (uint64_t size = 10; size <= 31; ++size) {
    outcome.score.group_sizes.emplace_back(size, size < 20 ? 38 - size : (40 - size) / 3 + size % 3);
  }
  outcome.input_score = outcome.score;
  outcome.seconds = {{"read", 0.021},   {"tree", 0.013},  {"mondrian", 0.009},
                     {"recode", 0.002}, {"write", 0.011}, {"audit", 0.019}};
  outcome.peak_memory_mb = 48;
  outcome.input_path = "hospital/people.csv";
  outcome.output_path = "hospital/people.anon.csv";
  outcome.input_format = "csv";
  outcome.input_sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  outcome.release_sha256 = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";
  outcome.input_rows = 4000;
  outcome.input_columns = 9;
  outcome.dropped_columns = {"id"};
  outcome.sample = {
      {"age", "sex", "zip", "education", "job", "hours", "diagnosis", "readmitted"},
      {"[34,41]", "female", "[10115,10247]", "{bachelor,master}", "engineer", "[38,40]", "asthma", "no"},
      {"[34,41]", "female", "[10115,10247]", "{bachelor,master}", "engineer", "[38,40]", "diabetes", "yes"},
      {"[66,81]", "{female,male}", "[80331,80939]", "{primary,secondary,vocational,associate}", "retired", "*",
       "hypertension", "yes"}};
  outcome.columns = {{"age", "quasi-identifier", "numeric", 78, 0, "raw-smallest", "raw-largest"},
                     {"sex", "quasi-identifier", "categorical", 2, 0, "", ""},
                     {"zip", "quasi-identifier", "numeric", 2411, 0, "", ""},
                     {"education", "quasi-identifier", "categorical", 8, 61, "", ""},
                     {"job", "quasi-identifier", "categorical", 14, 80, "", ""},
                     {"hours", "quasi-identifier", "numeric", 61, 92, "", ""},
                     {"diagnosis", "sensitive", "categorical", 12, 0, "", ""},
                     {"readmitted", "label", "categorical", 2, 0, "", ""}};
  outcome.raw_sample = {{"id", "age"}, {"raw-id", "34"}};
  outcome.created = "2026-03-01 12:00 UTC";
  return outcome;
}

}  // namespace tada::testing
