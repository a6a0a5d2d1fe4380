#include "commands/release/decode.h"

#include <optional>

#include "base/option_mark.h"
#include "plan/option_groups.h"
#include "plan/plan_columns.h"
#include "recode/plain_release.h"
#include "run/decode_plan.h"
#include "run/read_options.h"

namespace tada {
namespace {

Result<TableFile> ReadForDecoding(Source& source, const Plan& plan, const Workers& workers, Progress& progress) {
  if (source.has_header()) {  // said before anything is read
    TADA_TRY(header, source.Header(PlannedLayout(plan)));
    TADA_CHECK_OK(CheckPlannedColumns(plan, header, source.name()));
  }
  ReadOptions reading{PlannedLayout(plan)};
  reading.defaults = DecodedColumnDefaults(plan);
  TADA_TRY(file, source.Read(reading, workers, progress));
  TADA_CHECK_OK(CheckPlannedColumns(plan, file.all_columns, source.name()));
  return file;
}

Error ForDrawing(std::string_view option) {
  return InvalidArgument("{} writes means and probabilities; {} is for drawing", TADA_OPTION("expect"), option)
      .WithHint("Leave out one of the two.");
}

}  // namespace

OptionSpecs DecodeCommandOptions() {
  using enum OptionType;
  const OptionSpecs output = OutputOptions();
  const OptionSpecs roles = RoleOptions();
  return Join(
      {{WithHelp(*FindOption(roles, "quasi"),
                 "Name the columns to decode, in any notation that 'tada audit' reads. By default all with "
                 "typed cells, masks, sets in braces or intervals in brackets. A suffix says what they hold: "
                 "zip:categorical, age:numeric."),
        WithHelp(*FindOption(roles, "label"),
                 "Name the column that a model will predict, for --model. Its values are classes, or numbers "
                 "if they are more than ten different ones; a suffix says which: grade:categorical, "
                 "income:numeric.")},
       InputOptions(),
       QueryOption(),
       {{.name = "copies",
         .type = kInteger,
         .value_name = "count",
         .minimum = 1,
         .maximum = 1000,
         .section = "Decoding",
         .help = "Set how often each row is drawn. By default as often as keeps the table at 30,000 rows, at "
                 "most 4 times."},
        TextOption("weight-column", "name", "Decoding",
                   "Add a column of this name with the weight of each row, 1/copies."),
        {.name = "expect",
         .type = kFlag,
         .section = "Decoding",
         .help = "Write one row for every released row: numbers become their mean inside the cell, names one "
                 "column per value with its probability."},
        {.name = "model",
         .type = kFlag,
         .section = "Decoding",
         .help = "Draw values that also explain the --label of their row, by networks that learn from the "
                 "release and have not seen the row. Used only if it explains labels better than draws without; "
                 "learned from at most 20,000 rows."},
        WithHelp(*FindOption(output, "output"),
                 "Write the decoded table to this file: .csv, .csv.gz, .parquet, .arrow or .feather; - is "
                 "standard output (CSV).")},
       Only(output, {"force", "json"}),
       Without(RunOptions(), {"memory"})});
}

Result<DecodeRequest> DecodeRequestFrom(const PlanFile& file, const OptionValues& options) {
  DecodeRequest request;
  TADA_TRY(plan, DraftPlan(file, options));
  plan.controller_column.clear();  // says how a release was made; the release itself need not have it
  if (options.Flag("expect")) {
    if (options.Has("copies")) return ForDrawing(TADA_OPTION("copies"));
    if (options.Has("weight-column")) return ForDrawing(TADA_OPTION("weight-column"));
    if (options.Flag("model")) return ForDrawing(TADA_OPTION("model"));
  }
  request.plan = std::move(plan);
  TADA_TRY(decode, DecodeOptionsFrom(request.plan, options));
  request.options = std::move(decode);
  return request;
}

Result<Decoded> Decode(const DecodeRequest& request, Source& release, Source* learn_from, Sink& sink,
                       Context& context) {
  const Workers workers(request.plan.threads, &context.cancel);
  if (learn_from != nullptr && !request.options.model_label.empty()) {
    return InvalidArgument("A model learns from the labels of the release itself, not from another release")
        .WithHint("Leave out one of the two.");
  }
  TADA_TRY(input, ReadForDecoding(release, request.plan, workers, context.progress));
  DecodeOptions options = request.options;
  options.typed_cells = input.typed_cells;
  std::optional<TableFile> other;
  if (learn_from != nullptr) {
    TADA_TRY(read, ReadForDecoding(*learn_from, request.plan, workers, context.progress));
    other = std::move(read);
    options.learn_from = &other->table;
  }
  context.progress.Begin("decode", 0);
  TADA_TRY(decoded, Decode(input.table, options, workers, context.progress));
  input.table = Table();  // the decoded table does not need it
  // A column of values that was not decoded keeps the type it came in. The types of others follow from their texts, of typed
  // cells too: none of these is left widened, or it is text.
  WriteOptions writing{.delimiter = input.delimiter, .cells = CellForm::kText, .stored = input.stored.get()};
  for (const DecodedColumn& column : decoded.columns) writing.changed.insert(column.name);
  for (const auto& [name, kind] : input.typed_cells) writing.changed.insert(name);
  TADA_CHECK_OK(sink.Write(PlainRelease(decoded.table), writing, workers, context.progress));
  workers.Poll();
  TADA_CHECK_OK(sink.Publish());
  context.progress.Clear();
  return decoded;
}

}  // namespace tada
