#include "decode/draw_by_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "audit/classes/reading.h"
#include "base/option_mark.h"
#include "base/random.h"
#include "base/status.h"
#include "decode/model_loop.h"

namespace tada {
namespace {

constexpr size_t kMostClasses = 256;
constexpr size_t kFewestRows = 100;  // below that no network learns anything
constexpr size_t kMostNumberedClasses = 10;
constexpr double kLeastGain = 0.03;  // docs/learning-from-a-release.md has what it was taken from
constexpr size_t kRowsDrawnAtOnce = 1024;
constexpr uint64_t kOutputStep = 1u << 24, kOutputPicks = 6;

ModelLabels Numbers(const Column& label, std::span<const double> numbers) {
  const std::vector<double> rows = RowsOfCodes(label);
  double mass = 0, sum = 0, squares = 0;
  for (size_t code = 0; code < rows.size(); ++code) {
    if (std::isfinite(numbers[code])) mass += rows[code], sum += rows[code] * numbers[code];
  }
  const double mean = sum / mass;
  for (size_t code = 0; code < rows.size(); ++code) {
    if (std::isfinite(numbers[code])) squares += rows[code] * (numbers[code] - mean) * (numbers[code] - mean);
  }
  const double deviation = squares > 0 ? std::sqrt(squares / mass) : 1;
  ModelLabels labels;
  for (size_t row = 0; row < label.num_rows(); ++row) {
    labels.of_row.push_back(static_cast<float>((numbers[label.codes()[row]] - mean) / deviation));
  }
  return labels;
}

Result<ModelLabels> Classes(const Column& label, std::span<const std::string> missing) {
  std::vector<float> class_of(label.num_codes(), std::numeric_limits<float>::quiet_NaN());
  std::vector<float> of_value(label.num_values(), -1.0f);
  const std::vector<double> rows = RowsOfCodes(label);
  ModelLabels labels;
  for (Code code = 0; code < label.num_codes(); ++code) {
    if (rows[code] == 0 || label.is_missing(code) || IsMissingText(label.text(code), missing)) continue;
    float& own = of_value[label.value_id(code)];
    if (own < 0) own = static_cast<float>(labels.classes++);
    class_of[code] = own;
  }
  if (labels.classes > kMostClasses) {
    return InvalidArgument("The label {} has {} values, more classes than a model tells apart: at most {}",
                           label.name(), labels.classes, kMostClasses)
        .WithHint("Name the column to predict with " TADA_OPTION("label") ", <name>:numeric if it holds numbers.");
  }
  for (size_t row = 0; row < label.num_rows(); ++row) labels.of_row.push_back(class_of[label.codes()[row]]);
  return labels;
}

Result<ModelLabels> ReadLabels(const ModelRequest& request) {
  const Column& label = *request.label;
  const auto numbers = NumbersOf(label, request.missing);
  if (request.regression == true && !numbers) {
    return InvalidArgument("The label {} is to be predicted as a number and has other values", label.name())
        .WithHint("Name a numeric column with " TADA_OPTION("label") ", or leave out :numeric.");
  }
  const bool many = label.num_codes() > kMostNumberedClasses;
  TADA_TRY(labels, numbers && request.regression.value_or(many) ? Result<ModelLabels>(Numbers(label, *numbers))
                                                                : Classes(label, request.missing));
  if (labels.classes == 1 || label.num_codes() <= 1) {
    return InvalidArgument("The label {} has a single value: there is nothing to learn", label.name())
        .WithHint("Name the column to predict with " TADA_OPTION("label") ", or leave out " TADA_OPTION("model") ".");
  }
  return labels;
}

void DrawAll(const ModelRequest& request, const ModelInputs& inputs, const ModelLabels& labels, const ModelLoop& loop,
             const ModelSettings& settings, const Workers& workers, Progress& progress,
             std::vector<std::vector<uint32_t>>& texts) {
  const size_t rows = labels.of_row.size();
  for (const size_t place : inputs.drawn()) texts[place].resize(rows * request.copies);
  for (uint32_t copy = 0; copy < request.copies; ++copy) {
    const ModelSnapshot& model = loop.snapshots()[copy % loop.snapshots().size()];
    workers.ForBlocks(rows, kRowsDrawnAtOnce, [&](size_t begin, size_t end) {
      workers.Poll();
      ModelScorer scorer(inputs, labels);
      for (size_t row = begin; row < end; ++row) {
        const bool ask = labels.is_known(row) && inputs.IsWidened(row);
        scorer.Draw(row, {kOutputStep + copy, ask ? settings.candidates : 1});
        uint32_t picked = 0;
        if (ask) {
          scorer.Ask(model.networks[loop.fold(row)]);
          picked = scorer.Pick(model.sharpness, UnitOf(MixSeed(settings.seed, kOutputPicks), copy, row));
        }
        for (size_t i = 0; i < inputs.drawn().size(); ++i) {
          texts[inputs.drawn()[i]][copy * rows + row] = scorer.Text(picked, i);
        }
      }
      progress.Advance(end - begin);
    });
  }
}

}  // namespace

double ModelFindings::gain() const {
  const double more = likelihood_after - likelihood_before;
  return regression ? 1 - std::exp(-more) : more / std::max(-likelihood_before, 1e-9);
}

Result<ModelDraws> DrawByModel(const ModelRequest& request, const Workers& workers, Progress& progress) {
  TADA_TRY(labels, ReadLabels(request));
  ModelDraws draws;
  draws.findings.label = request.label->name();
  draws.findings.regression = labels.classes == 0;
  draws.texts.resize(request.columns.size());
  ModelSettings settings;
  settings.seed = request.seed;
  settings.snapshots = std::min(request.copies, settings.snapshots);
  const ModelInputs inputs(request.columns, request.missing, request.seed);
  ModelLoop loop(inputs, labels, settings, workers, progress);
  draws.findings.learned_rows = loop.num_rows();
  if (loop.num_rows() < kFewestRows || inputs.drawn().empty()) return draws;
  progress.Begin("learn", settings.epochs);
  loop.Run();
  draws.findings.likelihood_before = loop.likelihood_before();
  draws.findings.likelihood_after = loop.likelihood_after();
  draws.findings.used = draws.findings.gain() >= kLeastGain;
  if (!draws.findings.used) return draws;
  progress.Begin("draw", labels.of_row.size() * request.copies);
  DrawAll(request, inputs, labels, loop, settings, workers, progress, draws.texts);
  return draws;
}

}  // namespace tada
