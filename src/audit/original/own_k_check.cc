#include "audit/original/own_k_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/option_mark.h"
#include "table/column_doubt.h"

namespace tada {
namespace {

class OwnKCheck final : public ClassCheck {
 public:
  OwnKCheck(std::string column, std::vector<uint64_t> members, std::vector<uint64_t> largest, bool known)
      : column_(std::move(column)), members_(std::move(members)), largest_(std::move(largest)), known_(known) {}

  std::string Breaks(size_t index) const override {
    if (!known_ || members_[index] >= largest_[index]) return "";
    return fmt::format("{} members, and one of them asks for k={}", members_[index], largest_[index]);
  }
  ReachedDemand Reached() const override {
    uint64_t broken = 0;
    for (size_t index = 0; known_ && index < members_.size(); ++index)
      broken += members_[index] < largest_[index] ? 1 : 0;
    ReachedDemand reached{.name = "below_own_k", .column = column_, .asked = "0"};
    reached.reached = known_ ? fmt::format("{}", broken) : "not verified";
    if (known_) reached.value = static_cast<double>(broken);
    reached.holds = broken == 0;
    return reached;
  }
  std::string Unverified() const override {
    if (known_) return "";
    return fmt::format(
        "k-column: not verified. A release does not say which k its rows ask for: give the table it was made from "
        "(" TADA_OPTION(
            "original") "), with the column {}. If its rows fit into more than one class, it cannot be told.",
        column_);
  }

 private:
  std::string column_;
  std::vector<uint64_t> members_, largest_;  // by class
  bool known_;
};

// The whole number that a cell spells; nothing for any other text.
std::optional<uint64_t> WholeNumber(std::string_view text) {
  if (const size_t point = text.find('.'); point != std::string_view::npos) {
    if (text.find_first_not_of('0', point + 1) != std::string_view::npos) return std::nullopt;
    text = text.substr(0, point);
  }
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Result<std::unique_ptr<ClassCheck>> MakeOwnKCheck(const AuditOptions& options, const Classes& classes,
                                                  const ClassOfOriginal& classes_of, const PeopleOfClasses* people) {
  const bool known = classes_of.known && options.own_k;
  std::vector<uint64_t> members(classes.count()), largest(classes.count(), 0);
  for (size_t index = 0; index < classes.count(); ++index) {
    members[index] = people != nullptr ? people->count(index) : classes.size(index);
  }
  for (RowId row = 0; known && row < classes_of.of_row.size(); ++row) {
    const Column& column = options.original->column(*options.own_k);
    const Code code = column.codes()[row];
    if (classes_of.of_row[row] == ClassOfOriginal::kNone || column.is_missing(code)) continue;
    const auto own = WholeNumber(column.text(code));
    if (!own) {
      return DataError(TADA_OPTION("k-column={}") ": {} of the original does not hold a whole number above 0",
                       column.name(), PlaceOfRow(column, row));
    }
    uint64_t& most = largest[classes_of.of_row[row]];
    most = std::max(most, *own);
  }
  std::unique_ptr<ClassCheck> check =
      std::make_unique<OwnKCheck>(options.requirement.k_column, std::move(members), std::move(largest), known);
  return check;
}

}  // namespace tada
