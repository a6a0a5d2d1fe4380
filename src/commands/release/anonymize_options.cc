#include "commands/release/anonymize.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {

OptionSpecs AnonymizeCommandOptions() {
  using enum OptionType;
  return Join(
      {RoleOptions(),
       ProtectOptions(),
       RequirementOptionSpecs(),
       MethodChoiceOptions(),
       InputOptions(),
       QueryOption(),
       CellOptions(),
       Without(OutputOptions(), {"resume"}),
       {{.name = "manifest",
         .type = kText,
         .value_name = "file.json",
         .section = "Output",
         .help = "Write the digests of release, plan and program, and the verdict, to this file: for "
                 "'tada audit --manifest'; with --key it is signed."},
        {.name = "rows-per-file",
         .type = kInteger,
         .value_name = "rows",
         .minimum = 1,
         .section = "Output",
         .help = "Write a folder of files with at most so many rows each. They appear together, once all have been "
                 "audited as one table."},
        {.name = "partition-by",
         .type = kText,
         .value_name = "column",
         .section = "Output",
         .help = "Write a folder with a folder for each value of this column, which is released as it is: sex=f/."}},
       RunOptions(),
       AllMethodOptions()});
}

}  // namespace tada
