#include "commands/release/anonymize.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {

OptionSpecs LastingOptions() {
  using enum OptionType;
  return {
      TextOption("save-people", "file.json", "Output",
                 "Write codes of the people who are released to this file, HMAC-SHA-256 of --person by the key of "
                 "--key; confidential. 'tada apply --append --released-people <file>' refuses people who are in it."),
      TextOption("ledger", "file.json", "Output",
                 "Remember in this file what is released of whom; confidential. A later release is composed with "
                 "those of the ledger before it appears, and stopped if together they break the requirement.")};
}

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
       {TextOption("manifest", "file.json", "Output",
                   "Write the digests of release, plan and program, and the verdict, to this file: for "
                   "'tada audit --manifest'; with --key it is signed."),
        TextOption("save-cuts", "file.json", "Output",
                   "Write the cuts to this file, by which 'tada apply' releases other rows with the same cells. "
                   "Use --range cut, or they hold values of people."),
        {.name = "rows-per-file",
         .type = kInteger,
         .value_name = "rows",
         .minimum = 1,
         .section = "Output",
         .help = "Write a folder of files with at most this many rows each. They appear together, once all have been "
                 "audited as one table."},
        TextOption("partition-by", "column", "Output",
                   "Write a folder with a folder for each value of this column, which is released as it is: sex=f/.")},
       LastingOptions(),
       RunOptions(),
       AllMethodOptions()});
}

}  // namespace tada
