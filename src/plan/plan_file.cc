// Reads plan files. The only place of this folder that sees toml++.
//   key       stands for the option of that name; `_` and `-` are the same in it, so that Python's names work too.
//   section   [columns.NAME], [controllers.NAME] or [methods.NAME]: what only a file can say.

#include <algorithm>

#include "base/disk/toml_file.h"
#include "base/disk/whole_file.h"
#include "base/option_mark.h"
#include "plan/methods.h"
#include "plan/option_groups.h"
#include "plan/plan.h"
#include "privacy/check/requirements.h"

namespace tada {
namespace {

constexpr std::string_view kSections[] = {"columns", "controllers", "methods", "about"};
constexpr std::string_view kAbout[] = {"purpose", "legal-basis", "recipient", "author", "retention"};

class PlanReader {
 public:
  explicit PlanReader(std::string path) : path_(std::move(path)) {}

  Result<PlanFile> Read(const toml::table& root, const OptionSpecs& also) {
    const OptionSpecs options = Join({also, PlanOptions()});
    for (auto&& [key, node] : root) {
      const std::string name(key.str());
      if (std::find(std::begin(kSections), std::end(kSections), name) != std::end(kSections) && node.is_table()) {
        TADA_CHECK_OK(ReadSections(name, *node.as_table()));
      } else {
        TADA_CHECK_OK(ReadOption(options, "", key, node, file_.values));
      }
    }
    return std::move(file_);
  }

 private:
  /// An error at a place of the file.
  Error At(const toml::source_region& where, std::string message, std::string hint = "") const {
    return InvalidArgument("{}:{}: {}", path_, where.begin.line, message).WithHint(std::move(hint));
  }

  /// [about]: texts for the report, in the order in which it shows them.
  Status ReadAbout(const toml::table& section) {
    std::map<std::string, std::string> given;
    for (auto&& [key, node] : section) {
      std::string name(key.str());
      std::replace(name.begin(), name.end(), '_', '-');
      if (std::find(std::begin(kAbout), std::end(kAbout), name) == std::end(kAbout)) {
        return UnknownKey("about", key, {std::begin(kAbout), std::end(kAbout)});
      }
      const auto text = node.value<std::string>();
      if (!text) return At(node.source(), fmt::format("{} takes a text in quotes", name));
      given[name] = *text;
    }
    for (const std::string_view name : kAbout) {
      if (const auto found = given.find(std::string(name)); found != given.end()) file_.about.push_back(*found);
    }
    return Ok();
  }

  Status ReadSections(const std::string& kind, const toml::table& sections) {
    if (kind == "about") return ReadAbout(sections);
    for (auto&& [key, node] : sections) {
      const std::string name(key.str());
      if (!node.is_table()) {
        return At(key.source(), fmt::format("[{}] holds sections, not values: {}", kind, name),
                  fmt::format("Write [{}.<name>], and the values below it.", kind));
      }
      const toml::table& section = *node.as_table();
      if (kind == "columns") {
        TADA_CHECK_OK(ReadColumn(name, section));
      } else if (kind == "controllers") {
        TADA_CHECK_OK(ReadOptions(RequirementOptionSpecs(), "controllers." + name, section, file_.controllers[name]));
      } else {
        TADA_CHECK_OK(ReadMethod(name, key.source(), section));
      }
    }
    return Ok();
  }

  Status ReadMethod(const std::string& name, const toml::source_region& where, const toml::table& section) {
    const std::vector<std::string> known = MethodNames();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const auto nearest = SuggestName(name, known);
      return At(where, fmt::format("unknown method: [methods.{}]", name),
                nearest ? fmt::format("Did you mean [methods.{}]?", *nearest)
                        : fmt::format("Methods are: {}.", fmt::join(known, ", ")));
    }
    return ReadOptions(MethodOptions(name), "methods." + name, section, file_.methods[name]);
  }

  Status ReadColumn(const std::string& name, const toml::table& section) {
    PlannedColumn& column = file_.columns[name];
    column.name = name;
    for (auto&& [key, node] : section) {
      if (key.str() == "kind") {
        const auto kind = node.value<std::string>();
        const PlannedColumn parsed = ParsePlannedColumn("x:" + kind.value_or(""), false);
        if (!parsed.kind) return At(node.source(), "kind is \"numeric\", \"categorical\", \"ordinal\" or \"date\"");
        column.kind = parsed.kind;
        column.dates = parsed.dates;
        if (const auto writing = Writing::Parse(parsed.format); !writing.ok())
          return At(node.source(), writing.error().message, writing.error().hint);
        column.format = parsed.format;
      } else if (key.str() == "order") {
        if (node.value<std::string>() == "appearance") {
          column.order_of_appearance = true;
          continue;
        }
        const toml::array* values = node.as_array();
        if (values == nullptr || values->empty()) {
          return At(node.source(), "order is a list of texts, or \"appearance\"",
                    "For example: order = [\"low\", \"high\"]");
        }
        TADA_TRY(texts, Texts("order", *values));
        column.order = std::move(texts);
      } else if (key.str() == "hierarchy") {
        const auto hierarchy = node.value<std::string>();
        if (!hierarchy || hierarchy->empty()) {
          return At(node.source(), "hierarchy is a file or a builder",
                    "For example: hierarchy = \"age.csv\" or \"width:5\"");
        }
        column.hierarchy = *hierarchy;
      } else {
        return UnknownKey("columns." + name, key, {"kind", "order", "hierarchy"});
      }
    }
    return Ok();
  }

  Status ReadOptions(const OptionSpecs& options, const std::string& section, const toml::table& table,
                     OptionValues& values) {
    for (auto&& [key, node] : table) TADA_CHECK_OK(ReadOption(options, section, key, node, values));
    return Ok();
  }

  Status ReadOption(const OptionSpecs& options, const std::string& section, const toml::key& key,
                    const toml::node& node, OptionValues& values) {
    std::string name(key.str());
    std::replace(name.begin(), name.end(), '_', '-');
    if (section == "methods.dop" && name == "weights") name = "column-weights";  // what it was called
    const auto spec = std::find_if(options.begin(), options.end(), [&](const auto& s) {
      std::string dashed(s.name);
      std::replace(dashed.begin(), dashed.end(), '_', '-');
      return dashed == name;
    });
    if (spec == options.end()) {
      std::vector<std::string> known;
      for (const OptionSpec& option : options) known.emplace_back(option.name);
      if (section.empty()) known.insert(known.end(), std::begin(kSections), std::end(kSections));
      return UnknownKey(section, key, known);
    }
    if (spec->name == "method" && node.is_table()) {
      return At(key.source(), "method is a name", "Options of a method belong in [methods.<name>].");
    }
    if (values.Has(spec->name)) return At(key.source(), fmt::format("{} is given twice", spec->name));
    TADA_TRY(texts, Values(*spec, node));
    for (const std::string& text : texts) {
      Status valid = ValidateOption(*spec, text);
      if (valid.ok()) continue;
      return At(node.source(), AsKeys(valid.error().message), valid.error().hint);
    }
    values.Set(spec->name, std::move(texts));
    return Ok();
  }

  Error UnknownKey(const std::string& section, const toml::key& key, const std::vector<std::string>& known) const {
    const std::string where = section.empty() ? "" : fmt::format(" in [{}]", section);
    std::string hint = fmt::format("Known keys are: {}.", fmt::join(known, ", "));
    if (const auto nearest = SuggestName(key.str(), known)) hint = fmt::format("Did you mean {}?", *nearest);
    if (known.empty()) hint = "It takes no options.";
    if (const auto methods = MethodsTaking(key.str()); section.empty() && !methods.empty()) {
      hint = fmt::format("It is an option of a method: write it below [methods.<name>], where <name> is {}.",
                         fmt::join(methods, " or "));
    }
    return At(key.source(), fmt::format("unknown key{}: {}", where, key.str()), hint);
  }

  Result<std::vector<std::string>> Texts(std::string_view name, const toml::array& items) const {
    std::vector<std::string> texts;
    for (const toml::node& item : items) {
      const auto* text = item.as_string();
      if (text == nullptr) return At(item.source(), fmt::format("{} is a list of texts in quotes", name));
      texts.push_back(text->get());
    }
    return texts;
  }

  /// The texts that the command line would have given, if the value has the type that the option asks for.
  Result<std::vector<std::string>> Values(const OptionSpec& spec, const toml::node& node) const {
    using Texts_ = std::vector<std::string>;
    const auto wrong = [&](std::string_view what) {
      return At(node.source(), fmt::format("{} takes {}", spec.name, what));
    };
    switch (spec.type) {
      case OptionType::kFlag:
        if (const auto* flag = node.as_boolean()) return Texts_{flag->get() ? "true" : "false"};
        if (const auto* word = node.as_string(); word != nullptr && !spec.choices.empty()) return Texts_{word->get()};
        return wrong("true or false");
      case OptionType::kInteger:
        if (const auto* number = node.as_integer()) return Texts_{std::to_string(number->get())};
        if (const auto* word = node.as_string(); word != nullptr && !spec.choices.empty()) return Texts_{word->get()};
        return wrong("a whole number");
      case OptionType::kReal:
        if (const auto* number = node.as_integer()) return Texts_{std::to_string(number->get())};
        if (const auto* number = node.as_floating_point()) return Texts_{fmt::format("{}", number->get())};
        return wrong("a number");
      case OptionType::kText:
      case OptionType::kChoice:
        if (const auto* text = node.as_string()) return Texts_{text->get()};
        return wrong("a text in quotes");
      case OptionType::kList:
        if (const auto* text = node.as_string()) return Texts_{text->get()};
        if (const auto* items = node.as_array()) return Texts(spec.name, *items);
        return wrong("a list of texts: [\"a\", \"b\"]");
    }
    return wrong("another type");
  }

  std::string path_;
  PlanFile file_;
};

}  // namespace

Result<PlanFile> ParsePlanFile(std::string_view text, const std::string& path, const OptionSpecs& also) {
  Result<toml::table> parsed = ParseToml(text, path);
  if (parsed.ok()) return PlanReader(path).Read(*parsed, also);
  if (!parsed.error().hint.empty()) return parsed.error();
  return Error(parsed.error())
      .WithHint("docs/formats.md shows a plan; 'tada inspect <input> --write-plan tada.toml' drafts one.");
}

Result<PlanFile> ReadPlanFile(const std::string& path) {
  const auto text = ReadWholeFile(path);
  if (!text.ok()) {
    return InvalidArgument("The plan cannot be read: {}: {}", path, text.error().message)
        .WithHint("'tada inspect <input> --write-plan tada.toml' drafts one.");
  }
  return ParsePlanFile(*text, path);
}

}  // namespace tada
