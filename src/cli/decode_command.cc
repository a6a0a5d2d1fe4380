// tada decode: a plain table to train models on.

#include "cli/commands.h"
#include "job/decode_file.h"

namespace tada {
namespace {

Status CheckDecodeOptions(const OptionValues& options) {
  if (options.Text("output").empty()) {
    return InvalidArgument("-o is missing: where should the table go?")
        .WithHint("Add -o <file>, or -o - for standard output.");
  }
  if (options.Flag("expect") && options.Has("copies")) {
    return InvalidArgument("--expect writes one row for every released row; --copies is for drawing")
        .WithHint("Leave out one of the two.");
  }
  return Ok();
}

Result<int> RunDecode(const ParsedCommandLine& line, Console& console) {
  DecodeJob job;
  TADA_TRY(plan, DraftFromCommandLine(line));
  plan.controller_column.clear();  // says how a release was made; the release itself need not have it
  TADA_CHECK_OK(CheckDecodeOptions(line.options));
  job.plan = std::move(plan);
  TADA_TRY(options, DecodeOptionsFrom(job.plan, line.options));
  job.options = std::move(options);
  job.input = line.operands[0];
  job.output = line.options.Text("output");
  job.force = line.options.Flag("force");
  const Workers workers(job.plan.threads, &console.cancel);
  TADA_TRY(decoded, DecodeFile(job, workers, console.progress));
  console.progress.Clear();
  std::ostream& out = job.output == "-" ? console.err : console.out;
  for (const std::string& warning : decoded.warnings) console.err << "tada: warning: " << warning << '\n';
  if (line.options.Flag("json")) {
    out << DecodeJson(decoded, job.options) << '\n';
  } else if (!line.options.Flag("quiet")) {
    out << DecodeText(decoded, job.options, job.output);
  }
  return 0;
}

}  // namespace

Command MakeDecodeCommand() {
  return {
      .name = "decode",
      .summary = "make a plain table to train models on, from a release alone",
      .description =
          "Replace every widened cell of a release ([20,30], {a,b}, *) by a value drawn inside it, in proportion to "
          "how "
          "often the release as a whole says that the value occurs. Values and all other columns stay as they are. Any "
          "tool can train on the result, and the model can be asked about raw rows. It reads nothing but the release, "
          "so it costs no privacy.",
      .usage = "<release> -o <output> [options]",
      .min_operands = 1,
      .max_operands = 1,
      .examples = {{"A table that looks like the original one did", "tada decode out.csv -o train.csv"},
                   {"Only these columns, each row drawn four times, with weights",
                    "tada decode out.csv --quasi age,zip,job --copies 4 --weight-column weight -o train.csv"},
                   {"Means and probabilities instead of draws", "tada decode out.parquet --expect -o train.parquet"}},
      .exits = CommonExits({{0, "decoded"}}),
      .note =
          "Drawn rows are not people: count, join or publish the release itself, never them. Draw from releases of "
          "ta_da and target_weighted. Do not draw from one of plain mondrian, or of any method that did not look at "
          "the label: a draw treats label and value as independent inside a cell, which may cost more than it gains. "
          "For such releases try --expect: networks gain by it, boosted trees on some tables only. Labels of a "
          "hierarchy are taken for values. See docs/learning-from-a-release.md.",
      .run = &RunDecode};
}

}  // namespace tada
