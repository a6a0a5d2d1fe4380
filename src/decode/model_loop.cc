#include "decode/model_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"

namespace tada {
namespace {

constexpr size_t kRowsJudgedAtOnce = 256;
constexpr size_t kJudgedRows = 3000;
constexpr size_t kLargestBatch = 200, kSmallestBatch = 16;
constexpr uint64_t kFolds = 1, kSample = 2, kNetworks = 3, kOrder = 4, kPicks = 5;  // what a seed is for
constexpr uint64_t kJudgeStep = 1u << 20;

}  // namespace

ModelLoop::ModelLoop(const ModelInputs& inputs, const ModelLabels& labels, const ModelSettings& settings,
                     const Workers& workers, Progress& progress)
    : inputs_(inputs), labels_(labels), settings_(settings), workers_(workers), progress_(progress) {
  ChooseRows();
  for (uint32_t fold = 0; fold < settings_.folds; ++fold) {
    now_.networks.emplace_back(inputs_.size(), labels_.classes, MixSeed(MixSeed(settings_.seed, kNetworks), fold));
  }
}

uint32_t ModelLoop::fold(size_t row) const {
  return static_cast<uint32_t>(MixSeed(MixSeed(settings_.seed, kFolds), row) % settings_.folds);
}

void ModelLoop::ChooseRows() {
  for (size_t row = 0; row < labels_.of_row.size(); ++row) {
    if (labels_.is_known(row)) rows_.push_back(row);
  }
  if (rows_.size() > settings_.most_rows) {
    Random random(MixSeed(settings_.seed, kSample));
    random.Shuffle(std::span(rows_));
    rows_.resize(settings_.most_rows);
    std::sort(rows_.begin(), rows_.end());
  }
  std::vector<NetworkTerm> kept;
  const size_t drawn = inputs_.drawn().size();
  for (size_t i = 0; i < rows_.size(); ++i) {
    kept.clear();
    inputs_.OfKept(rows_[i], kept);
    width_ = drawn + kept.size();
    terms_.resize(rows_.size() * kDraws * width_);
    for (uint32_t draw = 0; draw < kDraws; ++draw) {
      std::copy(kept.begin(), kept.end(), terms_.begin() + (i * kDraws + draw) * width_ + drawn);
    }
  }
}

void ModelLoop::SetDraw(size_t i, uint32_t draw, const ModelScorer& scorer, uint32_t candidate) {
  NetworkTerm* terms = &terms_[(i * kDraws + draw) * width_];
  for (size_t at = 0; at < inputs_.drawn().size(); ++at) {
    terms[at] = inputs_.OfText(inputs_.drawn()[at], scorer.Text(candidate, at));
  }
}

void ModelLoop::DrawByMarginals(uint64_t step) {
  workers_.ForBlocks(rows_.size(), kRowsJudgedAtOnce, [&](size_t begin, size_t end) {
    ModelScorer scorer(inputs_, labels_);
    for (size_t i = begin; i < end; ++i) {
      scorer.Draw(rows_[i], {step, kDraws});
      for (uint32_t draw = 0; draw < kDraws; ++draw) SetDraw(i, draw, scorer, draw);
    }
  });
}

void ModelLoop::Redraw(uint64_t step) {
  workers_.ForBlocks(rows_.size(), kRowsJudgedAtOnce, [&](size_t begin, size_t end) {
    ModelScorer scorer(inputs_, labels_);
    for (size_t i = begin; i < end; ++i) {
      const size_t row = rows_[i];
      scorer.Draw(row, {step, settings_.candidates});
      scorer.Ask(now_.networks[fold(row)]);
      for (uint32_t draw = 0; draw < kDraws; ++draw) {
        const double unit = UnitOf(MixSeed(settings_.seed, kPicks), step * kDraws + draw, row);
        SetDraw(i, draw, scorer, scorer.Pick(now_.sharpness, unit));
      }
    }
  });
}

double ModelLoop::Judge(uint64_t step) {
  const auto sharpnesses = ModelScorer::Sharpnesses(labels_.classes == 0);
  const size_t judged = std::min(rows_.size(), kJudgedRows);
  std::vector<double> logs(judged * sharpnesses.size());
  workers_.ForBlocks(judged, kRowsJudgedAtOnce, [&](size_t begin, size_t end) {
    ModelScorer scorer(inputs_, labels_);
    for (size_t i = begin; i < end; ++i) {
      const size_t row = rows_[i * rows_.size() / judged];
      scorer.Draw(row, {kJudgeStep + step, settings_.candidates});
      scorer.Ask(now_.networks[fold(row)]);
      for (size_t s = 0; s < sharpnesses.size(); ++s) {
        logs[s * judged + i] = std::log(scorer.MeanLikelihood(sharpnesses[s]));
      }
    }
  });
  double best = -std::numeric_limits<double>::infinity();
  for (size_t s = 0; s < sharpnesses.size(); ++s) {
    const double sum = std::accumulate(logs.begin() + s * judged, logs.begin() + (s + 1) * judged, 0.0);
    const double mean = sum / static_cast<double>(judged);
    if (mean <= best) continue;
    best = mean;
    now_.sharpness = sharpnesses[s];
  }
  return best;
}

void ModelLoop::TrainFold(uint32_t fold_number, uint64_t epoch) {
  std::vector<uint32_t> order;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (fold(rows_[i]) == fold_number) continue;
    for (uint32_t draw = 0; draw < kDraws; ++draw) order.push_back(static_cast<uint32_t>(i * kDraws + draw));
  }
  Random random(MixSeed(MixSeed(settings_.seed, kOrder), epoch * settings_.folds + fold_number));
  random.Shuffle(std::span(order));
  const size_t batch = std::clamp(rows_.size() / 32, kSmallestBatch, kLargestBatch);
  std::vector<NetworkTerm> terms;
  std::vector<float> wanted;
  for (size_t begin = 0; begin < order.size(); begin += batch) {
    workers_.Poll();
    terms.clear();
    wanted.clear();
    for (size_t at = begin; at < std::min(begin + batch, order.size()); ++at) {
      const auto own = std::span(terms_).subspan(order[at] * width_, width_);
      terms.insert(terms.end(), own.begin(), own.end());
      wanted.push_back(labels_.of_row[rows_[order[at] / kDraws]]);
    }
    now_.networks[fold_number].Step(terms, width_, wanted);
  }
}

void ModelLoop::Train(uint64_t epoch) {
  workers_.For(settings_.folds, [&](size_t fold_number) { TrainFold(static_cast<uint32_t>(fold_number), epoch); });
}

void ModelLoop::Run() {
  before_ = after_ = -std::numeric_limits<double>::infinity();
  const uint32_t redraws = (settings_.epochs - settings_.warm_epochs) / 2, late = redraws / 2;
  uint32_t redrawn = 0;
  for (uint32_t epoch = 1; epoch <= settings_.epochs; ++epoch) {
    if (epoch <= settings_.warm_epochs) DrawByMarginals(epoch);
    Train(epoch);
    progress_.Advance(1);
    const bool redraw = epoch >= settings_.warm_epochs && (epoch - settings_.warm_epochs) % 2 == 0;
    if (epoch > settings_.warm_epochs && !redraw) continue;
    const double likelihood = Judge(epoch);
    if (epoch <= settings_.warm_epochs) before_ = std::max(before_, likelihood);
    if (!redraw) continue;
    after_ = likelihood;
    Redraw(epoch);
    ++redrawn;
    if (redrawn <= redraws - late) continue;
    const uint32_t place = redrawn - (redraws - late);  // 1 .. late
    if (place * settings_.snapshots / late > snapshots_.size()) snapshots_.push_back(now_);
  }
}

}  // namespace tada
