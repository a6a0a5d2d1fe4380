#include "commands/release/anonymize.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {

OptionSpecs AnonymizeCommandOptions() {
  using enum OptionType;
  return Join({RoleOptions(),
               ProtectOptions(),
               RequirementOptionSpecs(),
               MethodChoiceOptions(),
               InputOptions(),
               CellOptions(),
               Without(OutputOptions(), {"resume"}),
               {{.name = "manifest",
                 .type = kText,
                 .value_name = "file.json",
                 .section = "Output",
                 .help = "Write the digests of release, plan and program, and the verdict, to this file: for "
                         "'tada audit --manifest'; with --key it is signed."}},
               RunOptions(),
               AllMethodOptions()});
}

}  // namespace tada
