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
               {{.name = "report-raw",
                 .type = kFlag,
                 .section = "Output",
                 .help = "Let the report show raw values; the report is then confidential, and says so."}},
               RunOptions(),
               AllMethodOptions()});
}

}  // namespace tada
