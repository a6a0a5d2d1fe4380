// Any bytes, read as a CSV file, either give an error or a release that the audit of the finished file passes. The first four
// bytes choose the plan; the rest is the file. A thrown InternalError, a sanitizer's report or a failed audit ends the run.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "commands/release/anonymize.h"
#include "files/arrow/arrow_files.h"
#include "folder.h"

namespace {

// Gives each column of the file a role, by the bits of `choice`.
tada::Plan MakePlan(const std::vector<std::string>& header, const uint8_t* choice) {
  tada::Plan plan;
  for (size_t i = 0; i < header.size(); ++i) {
    const unsigned role = (choice[0] >> (2 * (i % 4))) & 3u;
    std::vector<tada::PlannedColumn>* lists[] = {&plan.quasi, &plan.quasi, &plan.sensitive, &plan.keep};
    tada::PlannedColumn column;
    column.name = header[i];
    if (role == 1) column.kind = tada::Kind::kCategorical;
    lists[role]->push_back(column);
  }
  plan.requirement.k = choice[1] % 5 + 1;
  plan.requirement.l = plan.sensitive.empty() ? 1 : choice[1] / 5 % 3 + 1;
  const tada::Diversity kinds[] = {tada::Diversity::kDistinct, tada::Diversity::kEntropy, tada::Diversity::kRecursive};
  plan.requirement.diversity = kinds[choice[2] % 3];
  plan.keep_order = (choice[2] & 8) != 0;
  plan.controllers = (choice[2] & 16) != 0 ? 2 : 1;
  plan.cells = (choice[2] & 32) != 0 ? "text" : "typed";
  plan.seed = choice[3];
  plan.threads = 1;
  return plan;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  static const Folder folder;
  const std::string input = folder.Write("in.csv", data + 4, size - 4);
  tada::ArrowFiles files;
  const auto header = files.Header(input, {});
  if (!header.ok() || header->size() > 64) return 0;

  const char* outputs[] = {"out.csv", "out.parquet", "out.arrow", "out.csv.gz"};
  tada::AnonymizeRequest request;
  request.plan = MakePlan(*header, data);
  if (request.plan.quasi.empty()) return 0;
  tada::FileSource source(files, input);
  auto sink = tada::FileSink::Open(files, folder / outputs[data[2] >> 6], true);
  if (!sink.ok()) std::abort();
  tada::NoProgress silent;
  const tada::Cancel never;
  tada::Context context{files, silent, never};
  const auto done = tada::Anonymize(request, source, *sink, context);
  if (done.ok() && !done->outcome.verdict.passed) {
    for (const std::string& problem : done->outcome.verdict.problems) std::fprintf(stderr, "%s\n", problem.c_str());
    std::fprintf(stderr, "a release that its own audit does not pass\n");
    std::abort();
  }
  return 0;
}
