#include "commands/release/anonymize.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {

OptionSpecs AnonymizeCommandOptions() {
  return Join({RoleOptions(),
               RequirementOptionSpecs(),
               MethodChoiceOptions(),
               InputOptions(),
               CellOptions(),
               Without(OutputOptions(), {"resume"}),
               RunOptions(),
               AllMethodOptions()});
}

}  // namespace tada
