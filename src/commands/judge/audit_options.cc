#include "commands/judge/audit.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"

namespace tada {

using enum OptionType;

OptionSpecs AuditCommandOptions() {
  const OptionSpecs columns = RoleOptions(), run = RunOptions();
  return Join(
      {Without(columns, {"rows-are-people"}),
       ProtectOptions(),
       RequirementOptionSpecs(),
       Only(CellOptions(), {"withhold", "clip", "recode"}),
       InputOptions(),
       QueryOption(),
       {TextOption("original", "file", "Input",
                   "Read the table that the release was made from, and verify that released cells cover its "
                   "values."),
        TextOption("manifest", "file.json", "Input",
                   "Verify that the release is the one that this manifest is of, and was not changed since; the "
                   "plan is taken from it unless one is given."),
        TextOption("public-key", "ed25519:...", "Input",
                   "Verify that the manifest is signed by the key whose public half this is ('tada key <file>' "
                   "shows it)."),
        {.name = "allow-unverified",
         .type = kFlag,
         .section = "Input",
         .help = "Exit with 0 even if something that was asked could not be checked (labels without their "
                 "hierarchy, an order of rows that was not found); by default the exit code is 6."}},
       Only(OutputOptions(), {"force", "keep-order", "guard-formulas", "report", "json"}),
       {{.name = "sql",
         .type = kFlag,
         .section = "Output",
         .help = "Print the verification of k and distinct l as an SQL query for DuckDB and PostgreSQL instead "
                 "of running it."},
        TextOption("folds", "file.csv", "Output",
                   "Write which texts are counted as one sensitive value to this file, with the columns column, "
                   "value and canonical: for 'tada-verify --fold'."),
        TextOption("sql-table", "name", "Output",
                   "Name the table that the query of --sql reads. By default named like the file, or as the address of "
                   "a database names it.")},
       Without(run, {"seed", "memory"}),
       // How a release was made plays no part: one line of options serves anonymize and audit.
       NotListed(Join({Only(columns, {"rows-are-people"}), MethodChoiceOptions(),
                       Without(CellOptions(), {"withhold", "clip", "recode"}), Only(OutputOptions(), {"cells"}),
                       Only(run, {"seed"}), AllMethodOptions()}))});
}

}  // namespace tada
