#include "report/draw/svg_drawing.h"

namespace tada {
namespace {

std::string AxisText(double value, bool share) { return share ? Percent(value) : ShortNumber(value); }

}  // namespace

std::string Shorten(const std::string& text, size_t most) {
  size_t characters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) continue;
    if (++characters > most) return text.substr(0, i) + "\xE2\x80\xA6";
  }
  return text;
}

void DrawYAxis(Drawing& drawing, const ChartFrame& frame, const Area& area, const std::vector<double>& ticks,
               const Scale& y) {
  for (const double tick : ticks) {
    drawing.Add(R"svg(<line x1="{:.1f}" x2="{:.1f}" y1="{:.1f}" y2="{:.1f}" class="cg"/>)svg", area.left, area.right,
                y(tick), y(tick));
    drawing.Text(area.left - 8, y(tick) + 4, "end", AxisText(tick, frame.y_is_share));
  }
  if (frame.y_label.empty()) return;
  const double middle = (area.top + area.bottom) / 2;
  drawing.Add(R"svg(<text transform="translate(13 {:.1f}) rotate(-90)" text-anchor="middle" class="cl">{}</text>)svg",
              middle, Escape(frame.y_label));
}

void DrawXLabel(Drawing& drawing, const ChartFrame& frame, const Area& area) {
  if (!frame.x_label.empty()) {
    drawing.Text((area.left + area.right) / 2, frame.height - 6, "middle", frame.x_label, "cl");
  }
}

}  // namespace tada
