// Any bytes as one of the small files that tada reads: a plan, a hierarchy, a workload, results of a grid, advice, a manifest or a key.
// Each gives an error or something to go on with; a plan that is read can be written, and reads back to the same text. The first byte
// chooses the kind of file.

#include <sys/stat.h>

#include <cstdio>

#include "commands/release/advise.h"
#include "evaluate/results.h"
#include "folder.h"
#include "hierarchy/hierarchy_files.h"
#include "hierarchy/hierarchy_toml.h"
#include "keys/secret_key.h"
#include "partition/mondrian/workload.h"
#include "plan/plan.h"
#include "report/release/manifest.h"

namespace {

void ReadPlan(const std::string& text) {
  const auto file = tada::ParsePlanFile(text, "plan.toml");
  if (!file.ok()) return;
  const auto plan = tada::PlanFromFile(*file, {});
  if (!plan.ok()) return;
  const std::string written = tada::PlanToToml(*plan);
  const auto again = tada::ParsePlanFile(written, "again.toml");
  const bool same = again.ok() && tada::PlanFromFile(*again, {}).ok() &&
                    tada::PlanToToml(tada::PlanFromFile(*again, {}).value()) == written;
  if (same) return;
  std::fprintf(stderr, "a plan that does not read back:\n%s\n", written.c_str());
  std::abort();
}

void ReadAManifest(const std::string& path) {
  const auto manifest = tada::ReadManifest(path);
  if (!manifest.ok()) return;
  tada::Verdict verdict;
  verdict.passed = true;
  tada::CheckManifest(*manifest, "", "", "", verdict);
  if (!verdict.passed) return;
  std::fprintf(stderr, "a manifest of no release passes\n");
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static const Folder folder;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 8) {
    case 0:
      ReadPlan(text);
      break;
    case 1:
      static_cast<void>(tada::ParseHierarchy(text, "h.csv").ok());
      break;
    case 2:
      static_cast<void>(tada::ParseHierarchyToml(text, "h.toml").ok());
      break;
    case 3:
      static_cast<void>(tada::ParseTaxFile(text, "h.tax").ok());
      break;
    case 4:
      static_cast<void>(tada::ParseWorkload(text, "w.txt").ok());
      break;
    case 5:
      static_cast<void>(tada::ReadResults(text, "run", "results.csv").ok());
      break;
    case 6:
      static_cast<void>(tada::ChooseRelease(folder.Write("advice.json", data + 1, size - 1), "r1", {}).ok());
      break;
    default: {
      const std::string path = folder.Write("file", data + 1, size - 1);
      ::chmod(path.c_str(), 0600);
      ReadAManifest(path);
      static_cast<void>(tada::SecretKey::Read(path).ok());
    }
  }
  return 0;
}
