#include "cli/terminal/log_lines.h"

#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "writing/utc_now.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

double Milliseconds(double seconds) { return std::round(seconds * 1000) / 1000; }

std::string Line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; }

}  // namespace

LogLines::~LogLines() {
  const std::lock_guard lock(mutex_);
  EndStage();
}

void LogLines::Begin(std::string_view stage, uint64_t total) {
  {
    const std::lock_guard lock(mutex_);
    EndStage();
    stage_ = stage;
    begun_ = Clock::now();
  }
  shown_->Begin(stage, total);
}

void LogLines::EndStage() {
  if (stage_.empty()) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  const std::string text =
      Line({{"time", UtcStamp()}, {"event", "stage"}, {"stage", stage_}, {"seconds", Milliseconds(seconds)}});
  static_cast<void>(!write(descriptor_, text.data(), text.size()));
}

std::string NoteLine(std::string_view event, std::string_view message) {
  return Line({{"time", UtcStamp()}, {"event", event}, {"message", message}});
}

std::string EndLine(const RunEnd& end) {
  Json json = {{"time", UtcStamp()},
               {"event", "end"},
               {"command", end.command},
               {"exit", end.exit},
               {"seconds", Milliseconds(end.seconds)}};
  if (!end.message.empty()) json["message"] = end.message;
  if (!end.hint.empty()) json["hint"] = end.hint;
  return Line(json);
}

std::string ErrorJson(const RunEnd& end) {
  return Line({{"error", {{"exit", end.exit}, {"message", end.message}, {"hint", end.hint}}}});
}

}  // namespace tada
