// Numbers at the ends of what there is (infinities, NaN, the largest, the smallest, -0, many digits) and names, in any table that a few
// bytes choose: hierarchies of every builder, and learners over raw rows and a release, end with an answer or an error.

#include <cstdint>

#include "commands/judge/evaluate.h"
#include "commands/release/hierarchy.h"
#include "files/arrow/arrow_files.h"
#include "folder.h"

namespace {

constexpr const char* kValues[] = {"nan",
                                   "inf",
                                   "-inf",
                                   "NaN",
                                   "1e308",
                                   "-1e308",
                                   "1.7976931348623157e308",
                                   "5e-324",
                                   "-0",
                                   "0",
                                   "9223372036854775807",
                                   "-9223372036854775808",
                                   "18446744073709551616",
                                   "123456789012345678901234567890",
                                   "1e400",
                                   "1",
                                   "2",
                                   "3",
                                   "0001-01-01",
                                   "9999-12-31",
                                   "2024-02-29",
                                   "a",
                                   "b",
                                   "",
                                   "?",
                                   "0.1"};

// A table of four columns, a cell a byte.
std::string Csv(const uint8_t* data, size_t size) {
  std::string text = "a,b,y,s\n";
  for (size_t i = 0; i + 4 <= size && i < 4 * 60; i += 4) {
    for (size_t c = 0; c < 4; ++c) {
      text += kValues[data[i + c] % std::size(kValues)];
      text += c < 3 ? ',' : '\n';
    }
  }
  return text;
}

void Build(const std::string& path, const char* builder, tada::Context& context) {
  tada::OptionValues values;
  values.Set("column", {"a"});
  values.Set("builder", {builder});
  const auto request = tada::HierarchyRequestFrom({}, values);
  if (!request.ok()) std::abort();
  tada::FileSource source(context.files, path);
  static_cast<void>(tada::BuildHierarchy(*request, source, context).ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 9) return 0;
  static const Folder folder;
  const std::string text = Csv(data + 1, size - 1);
  const std::string path = folder.Write("in.csv", reinterpret_cast<const uint8_t*>(text.data()), text.size());
  tada::ArrowFiles files;
  tada::NoProgress silent;
  const tada::Cancel never;
  tada::Context context{files, silent, never};
  static constexpr const char* kBuilders[] = {"count:5", "width:10", "round", "dates", "prefix", "means", "flat"};
  if (data[0] % 8 < std::size(kBuilders)) {
    Build(path, kBuilders[data[0] % 8], context);
    return 0;
  }
  tada::OptionValues values;
  values.Set("quasi", {"a", "b"});
  values.Set("label", {"y"});
  values.Set("k", {"2"});
  values.Set("methods", {"raw", data[0] % 16 < 8 ? "mondrian" : "ta_da"});
  values.Set("learners", {"tree"});
  values.Set("seeds", {"1"});
  values.Set("threads", {"1"});
  const auto request = tada::EvaluateRequestFrom({}, values);
  if (!request.ok()) std::abort();
  tada::FileSource source(files, path);
  static_cast<void>(tada::Evaluate(*request, source, context).ok());
  return 0;
}
