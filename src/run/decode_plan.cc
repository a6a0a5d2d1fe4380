#include "run/decode_plan.h"

#include <nlohmann/json.hpp>

#include "base/option_mark.h"

namespace tada {
namespace {

std::string_view ReadingName(Reading reading) {
  switch (reading) {
    case Reading::kNames:
      return "names";
    case Reading::kNumbers:
      return "numbers";
    case Reading::kDates:
      return "dates";
  }
  return "";
}

Status TakeLabel(const Plan& plan, DecodeOptions& options) {
  if (plan.label.size() != 1) {
    const std::string_view wrong =
        plan.label.empty()
            ? TADA_OPTION("model") " needs " TADA_OPTION("label") ", the column that a model will predict"
            : TADA_OPTION("model") " learns one label; several are named";
    return InvalidArgument("{}", wrong).WithHint("Name it with " TADA_OPTION("label=<column>") ".");
  }
  const PlannedColumn& label = plan.label.front();
  options.model_label = label.name;
  if (label.kind) options.regression = *label.kind == Kind::kNumeric;
  return Ok();
}

std::string_view ModeName(const Decoded& decoded, const DecodeOptions& options) {
  return options.expect ? "expect" : decoded.model && decoded.model->used ? "model" : "draw";
}

// What the model came to, in a line.
std::string ModelText(const ModelFindings& model) {
  if (model.learned_rows > 0 && model.likelihood_after == 0) {
    return fmt::format("Drawn without a model: {} rows with a label are too few to learn from\n", model.learned_rows);
  }
  const double gain = 100 * model.gain();
  if (!model.used) {
    return fmt::format("Drawn without a model: it explains {} no better than draws by frequency do ({:+.1f}%)\n",
                       model.label, gain);
  }
  return fmt::format(
      "By a model of {}, learned from {} rows, which explains labels that it has not seen {:.1f}% better\n",
      model.label, model.learned_rows, gain);
}

nlohmann::ordered_json ModelJson(const ModelFindings& model) {
  return {{"label", model.label},
          {"predicts", model.regression ? "numbers" : "classes"},
          {"learned_rows", model.learned_rows},
          {"used", model.used},
          {"log_likelihood_before", model.likelihood_before},
          {"log_likelihood_after", model.likelihood_after},
          {"gain", model.gain()}};
}

}  // namespace

Result<DecodeOptions> DecodeOptionsFrom(const Plan& plan, const OptionValues& values) {
  if (values.Has("quasi") && plan.quasi.empty()) {
    return InvalidArgument(TADA_OPTION("quasi") " names no column")
        .WithHint("Leave it out to decode all that have widened cells.");
  }
  DecodeOptions options;
  if (!plan.quasi.empty()) options.columns.emplace();
  for (const PlannedColumn& column : plan.quasi) {
    options.columns->push_back(column.name);
    if (column.kind) options.kinds[column.name] = *column.kind;
    if (!column.format.empty()) options.writings[column.name] = Writing::Parse(column.format).value();
  }
  options.missing = plan.missing;
  options.copies = static_cast<uint32_t>(values.Integer("copies", 0));
  options.seed = plan.seed;
  options.expect = values.Flag("expect");
  options.weight_column = values.Text("weight-column");
  if (values.Flag("model")) TADA_CHECK_OK(TakeLabel(plan, options));
  return options;
}

ColumnOptions DecodedColumnDefaults(const Plan& plan) { return {.kind = Kind::kCategorical, .missing = plan.missing}; }

std::string DecodeText(const Decoded& decoded, const DecodeOptions& options, const std::string& output) {
  std::string text = fmt::format("{}: {} rows", output, decoded.table.num_rows());
  if (decoded.copies > 1) text += fmt::format(", {} for every released row", decoded.copies);
  text += !decoded.columns.empty()   ? "\n"
          : decoded.warnings.empty() ? "\nNo cell is widened: all values are as they were\n"
                                     : "\nNo value could be drawn: all cells are as they were\n";
  for (const DecodedColumn& column : decoded.columns) {
    text += fmt::format("  {}: {} rows with a widened cell, {} among {} {}\n", column.name, column.widened_rows,
                        options.expect ? "averaged" : "drawn", column.num_values,
                        column.reading == Reading::kNames ? "values" : ReadingName(column.reading));
  }
  if (decoded.model) text += ModelText(*decoded.model);
  if (!decoded.columns.empty()) text += "The rows are for training models; they are not people\n";
  return text;
}

std::string DecodeJson(const Decoded& decoded, const DecodeOptions& options) {
  nlohmann::ordered_json json = {{"rows", decoded.table.num_rows()},           {"copies", decoded.copies},
                                 {"mode", ModeName(decoded, options)},         {"seed", options.seed},
                                 {"columns", nlohmann::ordered_json::array()}, {"warnings", decoded.warnings}};
  for (const DecodedColumn& column : decoded.columns) {
    json["columns"].push_back({{"name", column.name},
                               {"holds", ReadingName(column.reading)},
                               {"values", column.num_values},
                               {"widened_rows", column.widened_rows}});
  }
  if (decoded.model) json["model"] = ModelJson(*decoded.model);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace tada
