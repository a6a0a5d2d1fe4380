#include "commands/release/anonymize.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {

using enum OptionType;

OptionSpecs AnonymizeCommandOptions() {
  return Join({RoleOptions(),
               RequirementOptionSpecs(),
               MethodChoiceOptions(),
               InputOptions(),
               Without(OutputOptions(), {"resume"}),
               {{.name = "manifest",
                 .type = kText,
                 .value_name = "file.json",
                 .section = "Output",
                 .help = "Write the digests of release, plan and program, and the verdict, to this file: for "
                         "'tada audit --manifest'."},
                {.name = "key",
                 .type = kText,
                 .value_name = "file",
                 .section = "Output",
                 .help = "Sign the manifest with this secret key ('tada key -o <file>' makes one)."},
                {.name = "report-raw",
                 .type = kFlag,
                 .section = "Output",
                 .help = "Let the report show raw values; the report is then confidential, and says so."}},
               RunOptions(),
               AllMethodOptions()});
}

}  // namespace tada
