// tada decode: a plain table to train models on.

#include "cli/commands/command.h"
#include "commands/release/decode.h"
#include "run/decode_plan.h"

namespace tada {
namespace {

Result<int> RunDecode(const ParsedCommandLine& line, Console& console) {
  TADA_TRY(file, PlanFileOf(line));
  const std::string output = line.options.Text("output");
  if (output.empty()) {
    return InvalidArgument("-o is missing: where should the table go?")
        .WithHint("Add -o <file>, or -o - for standard output.");
  }
  TADA_TRY(request, DecodeRequestFrom(file, line.options));
  TADA_TRY(path, TableOperand(line));
  FileSource release(console.files, path);
  TADA_TRY(sink, console.files.OpenSink(output, {.force = line.options.Flag("force")}));
  TADA_TRY(decoded, Decode(request, release, nullptr, *sink, console));
  std::ostream& out = output == "-" ? console.err : console.out;
  for (const std::string& warning : decoded.warnings) console.err << "tada: warning: " << warning << '\n';
  if (line.options.Flag("json")) {
    out << DecodeJson(decoded, request.options) << '\n';
  } else if (!line.options.Flag("quiet")) {
    out << DecodeText(decoded, request.options, output);
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
                   {"Values that also explain what a model will predict",
                    "tada decode out.csv --model --label income -o train.csv"},
                   {"Means and probabilities instead of draws", "tada decode out.parquet --expect -o train.parquet"}},
      .options = DecodeCommandOptions(),
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
