#include "hierarchy/hierarchy_toml.h"

#include <algorithm>

#include "base/disk/toml_file.h"

namespace tada {
namespace {

class TreeReader {
 public:
  explicit TreeReader(const std::string& path) { lines_.source = path; }

  Result<HierarchyLines> Read(const toml::table& root) {
    TADA_CHECK_OK(ReadTable(root));
    return AlignLines(std::move(lines_));
  }

 private:
  Status ReadTable(const toml::table& table) {
    for (auto&& [key, node] : table) {
      above_.emplace_back(key.str());
      if (const toml::table* below = node.as_table()) {
        TADA_CHECK_OK(ReadTable(*below));
      } else if (const toml::array* values = node.as_array()) {
        TADA_CHECK_OK(ReadValues(*values));
      } else {
        return At(node, fmt::format("'{}' must hold labels or a list of values", key.str()));
      }
      above_.pop_back();
    }
    return Ok();
  }

  Status ReadValues(const toml::array& values) {
    for (const toml::node& node : values) {
      std::vector<std::string> line;
      if (const auto* text = node.as_string()) {
        line.push_back(text->get());
      } else if (const auto* integer = node.as_integer()) {
        line.push_back(std::to_string(integer->get()));
      } else if (const auto* real = node.as_floating_point()) {
        line.push_back(fmt::format("{}", real->get()));
      } else {
        return At(node, "a value is a text or a number");
      }
      line.insert(line.end(), above_.rbegin(), above_.rend());
      lines_.lines.push_back(std::move(line));
      lines_.line_numbers.push_back(node.source().begin.line);
    }
    return Ok();
  }

  Error At(const toml::node& node, std::string message) const {
    return InvalidArgument("{}:{}: {}", lines_.source, node.source().begin.line, message)
        .WithHint("A hierarchy is a tree of labels: [\"*\".Asia] then East = [\"China\", \"Japan\"]");
  }

  HierarchyLines lines_;
  std::vector<std::string> above_;  // labels from the root to here
};

}  // namespace

Result<HierarchyLines> ParseHierarchyToml(std::string_view text, const std::string& path) {
  TADA_TRY(parsed, ParseToml(text, path));
  return TreeReader(path).Read(parsed);
}

}  // namespace tada
