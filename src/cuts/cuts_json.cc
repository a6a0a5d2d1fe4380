#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/disk/whole_file.h"
#include "base/option_mark.h"
#include "cuts/cuts.h"
#include "keys/sha256_text.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kKinds[] = {"boxes", "means", "levels"};

Json JsonOf(const CutCell& cell) {
  switch (cell.form) {
    case CutCell::Form::kValue:
      return {{"value", cell.low}};
    case CutCell::Form::kInterval:
      return {{"from", cell.low}, {"to", cell.high}};
    case CutCell::Form::kSet:
      return {{"values", cell.values}};
    case CutCell::Form::kLabel:
      return {{"label", cell.low}};
    case CutCell::Form::kMask:
      break;
  }
  return "*";
}

Json JsonOf(const CutColumn& column) {
  Json json = {{"name", column.name}, {"kind", KindName(column.kind)}};
  if (column.dates) json["dates"] = true;
  if (!column.writing.empty()) json["writing"] = column.writing;
  if (!column.rule.empty()) json["rule"] = column.rule;
  if (!column.lines.empty()) json["hierarchy"] = column.lines;
  if (column.center != 0 || column.scale != 1) json["center"] = column.center, json["scale"] = column.scale;
  if (!column.order.empty()) json["order"] = column.order;
  json["cells"] = Json::array();
  for (const CutCell& cell : column.cells) json["cells"].push_back(JsonOf(cell));
  return json;
}

Json JsonOf(const CutPart& part) {
  if (!part.below.empty()) return {{"below", part.below}};
  if (!part.numbers) return {{"values", part.values}};
  Json json = {{"from", part.from.empty() ? Json() : Json(part.from)}};
  if (part.missing) json["missing"] = part.only_missing ? "only" : "too";
  return json;
}

Json JsonOf(const CutNode& node) {
  Json json = {{"parent", node.parent == CutNode::kNone ? Json() : Json(node.parent)}, {"cells", node.cells}};
  if (!node.mean.empty()) json["mean"] = node.mean;
  if (node.column == CutNode::kNone) return json;
  json["column"] = node.column;
  json["parts"] = Json::array();
  for (const CutPart& part : node.parts) json["parts"].push_back(JsonOf(part));
  return json;
}

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Reads the parts of the text, and knows where it is.
class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  Error Damaged(std::string_view what) const {
    return DataError("The cuts are damaged: {}{}{}: {}", path_, place_.empty() ? "" : ", ", place_, what)
        .WithHint("Use the file that " TADA_OPTION("save-cuts") " wrote, as it was written.");
  }

  Result<Cuts> Read(const Json& json) {
    Cuts cuts;
    place_ = "plan";
    cuts.tada = json.at("tada").get<std::string>();
    cuts.plan = json.at("plan").get<std::string>();
    place_ = "by";
    const auto kind = std::find(std::begin(kKinds), std::end(kKinds), json.at("by").get<std::string>());
    if (kind == std::end(kKinds)) return Damaged("neither boxes, means nor levels");
    cuts.by = static_cast<Cuts::By>(kind - std::begin(kKinds));
    cuts.range_cut = json.at("range").get<std::string>() == "cut";
    cuts.release_sha256 = json.at("release").get<std::string>();
    place_ = "reference";
    if (json.contains("reference")) cuts.reference = json.at("reference").get<decltype(cuts.reference)>();
    place_ = "levels";
    if (json.contains("levels")) cuts.levels = json.at("levels").get<decltype(cuts.levels)>();
    place_ = "columns";
    for (const Json& column : json.at("columns")) {
      place_ = fmt::format("columns[{}]", cuts.columns.size());
      cuts.columns.push_back(Column(column));
    }
    place_ = "nodes";
    for (const Json& node : json.at("nodes")) {
      place_ = fmt::format("nodes[{}]", cuts.nodes.size());
      cuts.nodes.push_back(Node(node));
    }
    TADA_CHECK_OK(Check(cuts));
    return cuts;
  }

 private:
  static CutCell CellOf(const Json& json) {
    using enum CutCell::Form;
    if (json.is_string()) return {};
    if (json.contains("value")) return {kValue, json.at("value").get<std::string>(), "", {}};
    if (json.contains("label")) return {kLabel, json.at("label").get<std::string>(), "", {}};
    if (json.contains("values")) return {kSet, "", "", json.at("values").get<std::vector<std::string>>()};
    return {kInterval, json.at("from").get<std::string>(), json.at("to").get<std::string>(), {}};
  }

  static CutColumn Column(const Json& json) {
    CutColumn column;
    column.name = json.at("name").get<std::string>();
    const auto kind = json.at("kind").get<std::string>();
    for (const Kind known : {Kind::kNumeric, Kind::kCategorical, Kind::kOrdinal}) {
      if (kind == KindName(known)) column.kind = known;
    }
    column.dates = json.value("dates", false);
    column.writing = json.value("writing", "");
    column.rule = json.value("rule", "");
    column.lines = json.value("hierarchy", column.lines);
    column.center = json.value("center", 0.0);
    column.scale = json.value("scale", 1.0);
    column.order = json.value("order", column.order);
    for (const Json& cell : json.at("cells")) column.cells.push_back(CellOf(cell));
    return column;
  }

  static CutNode Node(const Json& json) {
    CutNode node;
    if (!json.at("parent").is_null()) node.parent = json.at("parent").get<uint32_t>();
    node.cells = json.at("cells").get<std::vector<uint32_t>>();
    node.mean = json.value("mean", node.mean);
    if (!json.contains("parts")) return node;
    node.column = json.at("column").get<uint32_t>();
    for (const Json& json_part : json.at("parts")) {
      CutPart& part = node.parts.emplace_back();
      part.numbers = json_part.contains("from");
      if (json_part.contains("below")) {
        part.below = json_part.at("below").get<decltype(part.below)>();
        continue;
      }
      if (!part.numbers) {
        part.values = json_part.at("values").get<std::vector<std::string>>();
        continue;
      }
      if (!json_part.at("from").is_null()) part.from = json_part.at("from").get<std::string>();
      part.missing = json_part.contains("missing");
      part.only_missing = json_part.value("missing", "") == "only";
    }
    return node;
  }

  // Whether the parts fit together.
  Status Check(Cuts& cuts) {
    place_ = "columns";
    if (cuts.columns.empty()) return Damaged("there is none");
    place_ = "levels";
    for (const auto& levels : cuts.levels) {
      if (levels.size() != cuts.columns.size()) return Damaged("not one level per column");
    }
    if (cuts.by == Cuts::By::kLevels) return cuts.levels.empty() ? Status(Damaged("there is none")) : Ok();
    if (cuts.nodes.empty()) return Damaged("there is no node");
    for (uint32_t i = 0; i < cuts.nodes.size(); ++i) {
      place_ = fmt::format("nodes[{}]", i);
      CutNode& node = cuts.nodes[i];
      if ((node.parent == CutNode::kNone) != (i == 0)) return Damaged("only the first has no parent");
      if (i > 0 && node.parent >= i) return Damaged("it stands before its parent");
      if (node.cells.size() != cuts.columns.size()) return Damaged("not one cell per column");
      for (size_t c = 0; c < node.cells.size(); ++c) {
        if (node.cells[c] >= cuts.columns[c].cells.size()) return Damaged("a cell that its column does not have");
      }
      if (node.column != CutNode::kNone && node.column >= cuts.columns.size()) return Damaged("no such column");
      if (i > 0) cuts.nodes[node.parent].children.push_back(i);
    }
    for (uint32_t i = 0; i < cuts.nodes.size(); ++i) {
      place_ = fmt::format("nodes[{}]", i);
      const CutNode& node = cuts.nodes[i];
      const bool splits = cuts.by == Cuts::By::kBoxes;
      if (splits && node.parts.size() != node.children.size()) return Damaged("not one part per child");
      if (cuts.by == Cuts::By::kMeans && node.children.empty() && node.mean.size() != cuts.columns.size()) {
        return Damaged("a leaf without a mean");
      }
    }
    return Ok();
  }

  std::string path_, place_;
};

// Where in a text a byte stands.
std::string PlaceOf(std::string_view text, size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t begin = before.rfind('\n');
  return fmt::format("line {}, column {}", line, before.size() - (begin == std::string_view::npos ? 0 : begin + 1));
}

}  // namespace

std::string CutsJson(const Cuts& cuts) {
  Json json = {{"cuts", Cuts::kVersion},
               {"tada", cuts.tada},
               {"by", kKinds[static_cast<size_t>(cuts.by)]},
               {"range", cuts.range_cut ? "cut" : "tight"},
               {"release", cuts.release_sha256},
               {"plan", cuts.plan}};
  if (!cuts.reference.empty()) json["reference"] = cuts.reference;
  if (!cuts.levels.empty()) json["levels"] = cuts.levels;
  json["columns"] = Json::array();
  for (const CutColumn& column : cuts.columns) json["columns"].push_back(JsonOf(column));
  json["nodes"] = Json::array();
  for (const CutNode& node : cuts.nodes) json["nodes"].push_back(JsonOf(node));
  const std::string digest = Sha256OfText(Dump(json));
  // A line per column and per node: for people, and so that damage has a place.
  std::string text = "{";
  for (const auto& [key, value] : json.items()) {
    text += fmt::format("{}:", Dump(key));
    if (key != "columns" && key != "nodes") {
      text += Dump(value) + ",\n";
      continue;
    }
    text += "[\n";
    for (size_t i = 0; i < value.size(); ++i) text += Dump(value[i]) + (i + 1 < value.size() ? ",\n" : "\n");
    text += "],\n";
  }
  return text + fmt::format("\"digest\":\"{}\"}}\n", digest);
}

Result<Cuts> ReadCutsText(std::string_view text, const std::string& path) {
  Reader reader(path);
  try {
    Json json = Json::parse(text);
    if (!json.is_object() || !json.contains("cuts"))
      return reader.Damaged("this is no file of " TADA_OPTION("save-cuts"));
    if (json.at("cuts") != Cuts::kVersion) {
      return DataError("The cuts are of another form than this version reads: {}: form {}, not {}", path,
                       Dump(json.at("cuts")), Cuts::kVersion)
          .WithHint("Use the version of tada that wrote them, or a later one.");
    }
    const std::string digest = json.value("digest", "");
    json.erase("digest");
    if (digest != Sha256OfText(Dump(json))) {
      return reader.Damaged("they are not what their digest, on the last line, says: something was changed");
    }
    return reader.Read(json);
  } catch (const Json::parse_error& error) {
    return DataError("The cuts are damaged: {}, {}: this is no JSON", path, PlaceOf(text, error.byte))
        .WithHint("Use the file that " TADA_OPTION("save-cuts") " wrote, as it was written.");
  } catch (const Json::exception&) {
    return reader.Damaged("something is missing there, or of another kind");
  }
}

Result<Cuts> ReadCuts(const std::string& path) {
  const auto text = ReadWholeFile(path);
  if (!text.ok()) return DataError("Cannot read the cuts: {}: {}", path, text.error().message);
  return ReadCutsText(*text, path);
}

}  // namespace tada
