#include "cli/terminal/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tada {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr auto kBetweenDraws = milliseconds(100);
constexpr size_t kBarWidth = 20;

size_t TerminalWidth() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void WriteToStandardError(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

/// "950", "12k", "1.2M".
std::string Short(double number) {
  if (number >= 1e9) return fmt::format("{:.1f}G", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.1f}M", number / 1e6);
  if (number >= 1e3) return fmt::format("{:.0f}k", number / 1e3);
  return fmt::format("{:.0f}", number);
}

std::string Span(double seconds) {
  const auto whole = static_cast<uint64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  return fmt::format("{}s", whole);
}

}  // namespace

ProgressBar::ProgressBar() : ProgressBar(&WriteToStandardError, &steady_clock::now, TerminalWidth()) {}

ProgressBar::ProgressBar(Sink sink, Clock clock, size_t width)
    : sink_(std::move(sink)), clock_(std::move(clock)), width_(width) {}

ProgressBar::~ProgressBar() { Clear(); }

void ProgressBar::Begin(std::string_view stage, uint64_t total) {
  std::lock_guard lock(mutex_);
  stage_ = stage;
  words_.clear();
  total_ = total;
  done_ = 0;
  begun_ = clock_();
  if (begun_.time_since_epoch().count() >= next_draw_) Draw(begun_);
}

void ProgressBar::Advance(uint64_t units) {
  done_.fetch_add(units, std::memory_order_relaxed);
  const Time now = clock_();
  if (now.time_since_epoch().count() < next_draw_.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);  // somebody else draws: not worth waiting for
  if (lock.owns_lock() && now.time_since_epoch().count() >= next_draw_) Draw(now);
}

void ProgressBar::Tell(std::string_view words) {
  std::lock_guard lock(mutex_);
  words_ = fmt::format("  {}", words);
}

void ProgressBar::Clear() {
  std::lock_guard lock(mutex_);
  if (shown_ == 0) return;
  sink_("\r" + std::string(shown_, ' ') + "\r");
  shown_ = 0;
  next_draw_ = 0;
}

void ProgressBar::Draw(Time now) {
  std::string line = Line(now);
  if (width_ > 0 && line.size() >= width_) line.resize(width_ - 1);  // a full line would wrap, and then not be cleared
  const size_t length = line.size();
  if (length < shown_) line.append(shown_ - length, ' ');
  sink_("\r" + line);
  shown_ = length;
  next_draw_ = (now + kBetweenDraws).time_since_epoch().count();
}

std::string ProgressBar::Line(Time now) const {
  const double seconds = duration<double>(now - begun_).count();
  const double done = static_cast<double>(done_.load());
  const double total = static_cast<double>(total_.load());
  const double rate = seconds > 0 ? done / seconds : 0;
  const std::string speed = rate > 0 ? fmt::format("  {}/s", Short(rate)) : "";
  if (total <= 0) return fmt::format("{:<10} {}{}{}", stage_, done > 0 ? Short(done) : "...", speed, words_);
  const double share = std::min(done / total, 1.0);
  const auto filled = static_cast<size_t>(share * kBarWidth);
  const std::string left = rate > 0 && done < total ? fmt::format("  {} left", Span((total - done) / rate)) : "";
  return fmt::format("{:<10} [{}{}] {:3.0f}%{}{}{}", stage_, std::string(filled, '#'),
                     std::string(kBarWidth - filled, '-'), share * 100, speed, left, words_);
}

bool WantsProgress(bool quiet, bool progress, bool is_terminal) { return !quiet && (progress || is_terminal); }

}  // namespace tada
