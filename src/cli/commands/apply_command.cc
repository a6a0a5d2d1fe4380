// tada apply: releases other rows by the cuts of an earlier release.

#include "cli/commands/run_release.h"
#include "commands/release/apply.h"

namespace tada {
namespace {

Result<int> RunApply(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(cuts, ReadCuts(line.operands[0]));
  TADA_TRY(request, ApplyRequestFrom(std::move(cuts), line.operands[0], line.options));
  return RunRelease(std::move(request), line.operands[1], line, console);
}

}  // namespace

Command MakeApplyCommand() {
  return {
      .name = "apply",
      .summary = "release new rows with the cuts of an earlier release",
      .description =
          "Release other rows with the cells of an earlier release, whose cuts were saved ('tada anonymize "
          "--save-cuts'). "
          "Rows go to their boxes. A box is released where its new rows alone meet the requirement of the cuts; a box "
          "that they do not fill is replaced by the smallest box around it that they do, or its rows are withheld. The "
          "file appears only after an independent audit of it has passed.",
      .usage = "<cuts> <input> -o <output> [options]",
      .min_operands = 2,
      .max_operands = 2,
      .examples = {{"Next month's rows, with this month's intervals",
                    "tada apply cuts.json february.csv -o february.anon.csv"},
                   {"Further people of the same table", "tada apply cuts.json more.csv --append -o more.anon.csv"}},
      .options = ApplyCommandOptions(),
      .exits = CommonExits({{0, "released and audited"}, {1, "the audit failed: nothing was released"}}),
      .run = &RunApply};
}

}  // namespace tada
