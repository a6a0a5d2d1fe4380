#include "privacy/models/l_diversity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/option_mark.h"
#include "table/number.h"

namespace tada {
namespace {

constexpr const char* kLowerL =
    "Lower l to at most the value named, or choose another sensitive column. Spellings of one value count once, and "
    "missing "
    "ones do not count: " TADA_OPTION("exact-values") " and " TADA_OPTION("missing-counts") " change that.";

// l = 1 asks nothing, so that a group without any value that counts has it too.
std::string LText(uint64_t reached) { return fmt::format("l={}", std::max<uint64_t>(1, reached)); }

// What the three kinds share: each column must reach l on its own.
class LDiversity : public PrivacyModel {
 public:
  LDiversity(uint64_t l, size_t num_sensitive) : l_(l), num_sensitive_(num_sensitive) {}
  bool Holds(const Tally& tally) const override {
    return std::ranges::all_of(Sensitive(tally), [&](const ValueCounts& counts) { return ColumnHolds(counts, l_); });
  }
  bool KeptByMerging() const override { return true; }
  bool FailingIsInherited() const override { return false; }
  uint64_t SmallestGroup() const override { return l_; }
  uint64_t ReachedL(const Tally& tally) const {
    uint64_t reached = UINT64_MAX;
    for (const ValueCounts& counts : Sensitive(tally)) {
      uint64_t l = counts.Distinct();  // no kind of l-diversity exceeds the number of values
      while (l > 1 && !ColumnHolds(counts, l)) --l;
      reached = std::min(reached, l);
    }
    return reached;
  }
  std::string Reaches(const Tally& tally) const override { return LText(ReachedL(tally)); }
  std::string Hint(const Tally& /*tally*/) const override { return kLowerL; }

 protected:
  virtual bool ColumnHolds(const ValueCounts& counts, uint64_t l) const = 0;
  uint64_t l() const { return l_; }
  /// Sensitive columns come first; what is counted besides is no matter of values.
  std::span<const ValueCounts> Sensitive(const Tally& tally) const {
    return std::span(tally.columns).first(num_sensitive_);
  }

 private:
  uint64_t l_;
  size_t num_sensitive_;
};

// Whether a value that counts towards l occurs less often than `limit`.
std::function<bool(Code, uint32_t)> Below(const ValueCounts& counts, double limit) {
  return [limit, uncounted = counts.uncounted()](Code value, uint32_t count) {
    return count < limit && value != uncounted;
  };
}

class DistinctLDiversity : public LDiversity {
 public:
  using LDiversity::LDiversity;
  DecidedBy decided_by() const override { return DecidedBy::kDistinctValues; }
  uint64_t LeastDistinct() const override { return l(); }
  bool FailingIsInherited() const override { return true; }
  std::function<bool(Code, uint32_t)> Wanted(const Tally& tally, size_t column) const override {
    return Below(tally.columns[column], tally.columns[column].Distinct() < l() ? 1 : 0);  // values that are not there
  }

 private:
  bool ColumnHolds(const ValueCounts& counts, uint64_t l) const override { return counts.Distinct() >= l; }
};

// People with several values each: besides, no value may be one that everybody has. Merging cannot make one that is.
class DistinctLDiversityOfPeople final : public DistinctLDiversity {
 public:
  using DistinctLDiversity::DistinctLDiversity;
  DecidedBy decided_by() const override { return DecidedBy::kCounts; }
  uint64_t LeastDistinct() const override { return 0; }
  bool Holds(const Tally& tally) const override { return DistinctLDiversity::Holds(tally) && !EverybodyHasOne(tally); }
  std::string Reaches(const Tally& tally) const override {
    return EverybodyHasOne(tally) ? LText(1) : DistinctLDiversity::Reaches(tally);
  }

 private:
  bool EverybodyHasOne(const Tally& tally) const {
    return std::ranges::any_of(Sensitive(tally), [&](const ValueCounts& counts) {
      return std::ranges::any_of(counts.present(),
                                 [&](Code value) { return counts.counts(value) && counts.count(value) == tally.rows; });
    });
  }
};

class EntropyLDiversity final : public LDiversity {
 public:
  using LDiversity::LDiversity;
  // One more row of a value with a share below 1/l raises an entropy that is below ln l.
  std::function<bool(Code, uint32_t)> Wanted(const Tally& tally, size_t column) const override {
    return Below(tally.columns[column], static_cast<double>(tally.rows) / static_cast<double>(l()));
  }

 private:
  bool ColumnHolds(const ValueCounts& counts, uint64_t l) const override {
    double rows = 0, sum = 0;
    for (const uint32_t count : counts.Descending()) {
      rows += count;
      sum += count * std::log(static_cast<double>(count));
    }
    if (rows == 0) return false;
    // l equally frequent values have entropy ln l exactly, which doubles reach only nearly: hence the last term.
    return std::log(rows) - sum / rows >= std::log(static_cast<double>(l)) - 1e-12;
  }
};

class RecursiveLDiversity final : public LDiversity {
 public:
  RecursiveLDiversity(uint64_t l, size_t num_sensitive, double c) : LDiversity(l, num_sensitive), c_(c) {}
  // Below the (l-1)th largest count one more row joins the tail; if there are fewer values, one that is not there does.
  std::function<bool(Code, uint32_t)> Wanted(const Tally& tally, size_t column) const override {
    const std::vector<uint32_t> descending = tally.columns[column].Descending();
    return Below(tally.columns[column], l() >= 2 && descending.size() + 1 >= l() ? descending[l() - 2] : 1);
  }

 private:
  bool ColumnHolds(const ValueCounts& counts, uint64_t l) const override {
    const std::vector<uint32_t> descending = counts.Descending();
    if (descending.size() < l) return false;
    if (l <= 1 && descending.size() == 1) return true;  // l = 1 asks nothing
    uint64_t tail = 0;
    for (size_t i = l - 1; i < descending.size(); ++i) tail += descending[i];
    return l <= 1 || static_cast<double>(descending[0]) < c_ * static_cast<double>(tail);
  }

  double c_;
};

// People whose rows may stand in several groups: a group has l different people with l different values, each her own. The
// largest number is that of a matching of people and values (Kuhn 1955), which more rows never make smaller.
class MatchingLDiversity final : public PrivacyModel {
 public:
  MatchingLDiversity(uint64_t l, const Binding& binding) : l_(l) {
    for (const CountedColumn& column : binding.sensitive().subspan(1)) {
      if (!column.is_sensitive()) continue;
      pairs_.push_back(column.pairs);
      uncounted_.push_back(column.uncounted);
    }
  }
  bool Holds(const Tally& tally) const override {
    for (size_t s = 0; s < pairs_.size(); ++s) {
      if (Matched(tally.columns[s + 1], s, l_) < l_) return false;
    }
    return true;
  }
  bool KeptByMerging() const override { return true; }
  bool FailingIsInherited() const override { return true; }
  uint64_t SmallestGroup() const override { return l_; }
  std::string Reaches(const Tally& tally) const override {
    uint64_t reached = UINT64_MAX;
    for (size_t s = 0; s < pairs_.size(); ++s)
      reached = std::min(reached, Matched(tally.columns[s + 1], s, UINT64_MAX));
    return LText(reached);
  }
  std::string Hint(const Tally& /*tally*/) const override { return kLowerL; }

 private:
  using People = std::vector<uint32_t>;

  // Finds a person for a value, moving others to other values; each person is tried once.
  static bool Match(Code value, const std::map<Code, People>& people_of, std::map<uint32_t, Code>& value_of,
                    std::set<uint32_t>& tried) {
    for (const uint32_t person : people_of.at(value)) {
      if (!tried.insert(person).second) continue;
      const auto taken = value_of.find(person);
      if (taken != value_of.end() && !Match(taken->second, people_of, value_of, tried)) continue;
      value_of[person] = value;
      return true;
    }
    return false;
  }

  // How many values can be given to different people, counted up to `enough`.
  uint64_t Matched(const ValueCounts& counts, size_t s, uint64_t enough) const {
    std::map<Code, People> people_of;
    for (const Code pair : counts.present()) {
      if (pairs_[s][pair].value != uncounted_[s]) people_of[pairs_[s][pair].value].push_back(pairs_[s][pair].person);
    }
    std::map<uint32_t, Code> value_of;
    uint64_t matched = 0;
    for (const auto& [value, people] : people_of) {
      std::set<uint32_t> tried;
      matched += Match(value, people_of, value_of, tried) ? 1 : 0;
      if (matched >= enough) break;
    }
    return matched;
  }

  uint64_t l_;
  std::vector<std::vector<CountedColumn::PersonValue>> pairs_;  // by sensitive column
  std::vector<std::optional<Code>> uncounted_;
};

std::unique_ptr<LDiversity> MakeLDiversity(const Requirement& requirement, size_t num_sensitive) {
  const auto l = static_cast<uint64_t>(requirement.l);
  switch (requirement.diversity) {
    case Diversity::kDistinct:
      return std::make_unique<DistinctLDiversity>(l, num_sensitive);
    case Diversity::kEntropy:
      return std::make_unique<EntropyLDiversity>(l, num_sensitive);
    case Diversity::kRecursive:
      return std::make_unique<RecursiveLDiversity>(l, num_sensitive, requirement.c);
  }
  return nullptr;
}

Status ReadDiversity(const std::string& text, Requirement& requirement) {
  if (text == "distinct") {
    requirement.diversity = Diversity::kDistinct;
  } else if (text == "entropy") {
    requirement.diversity = Diversity::kEntropy;
  } else if (text.starts_with("recursive:")) {
    const auto c = ParseNumber(std::string_view(text).substr(10));
    if (!c || !std::isfinite(*c) || *c <= 0) {
      return InvalidArgument(TADA_OPTION("diversity=recursive:C") " takes a number C above 0, not '{}'",
                             text.substr(10))
          .WithHint("For example: " TADA_OPTION("diversity=recursive:3"));
    }
    requirement.diversity = Diversity::kRecursive;
    requirement.c = *c;
  } else {
    return InvalidArgument(TADA_OPTION("diversity") " takes distinct, entropy or recursive:C, not '{}'", text)
        .WithHint(text == "recursive" ? "C says how much more frequent the commonest value may be: recursive:3"
                                      : "distinct counts different sensitive values, and is the default.");
  }
  return Ok();
}

OptionSpecs Options() {
  return {{.name = "l",
           .letter = 'l',
           .type = OptionType::kInteger,
           .value_name = "values",
           .default_text = DefaultText(Requirement().l),
           .minimum = 1,
           .section = "Requirement",
           .help = "Set the smallest number of different sensitive values in a group; needs --sensitive."},
          {.name = "diversity",
           .type = OptionType::kText,
           .value_name = "distinct|entropy|recursive:C",
           .default_text = "distinct",
           .section = "Requirement",
           .help = "Set how l is counted."}};
}

Status Read(const OptionValues& values, Requirement& requirement) {
  requirement.l = values.Integer("l", requirement.l);
  return values.Has("diversity") ? ReadDiversity(values.Text("diversity"), requirement) : Ok();
}

std::vector<WrittenOption> Write(const Requirement& requirement, bool has_sensitive) {
  return {{"l", {fmt::format("{}", requirement.l)}, has_sensitive},
          {"diversity", {DiversityName(requirement)}, has_sensitive && requirement.diversity != Diversity::kDistinct}};
}

Status Check(const Requirement& requirement, bool has_sensitive) {
  if (requirement.l < 1) return InvalidArgument(TADA_OPTION("-l") " must be at least 1, not {}", requirement.l);
  if (requirement.l > 1 && !has_sensitive) {
    return InvalidArgument(TADA_OPTION("-l") " needs " TADA_OPTION(
                               "sensitive") ": l={} asks for different sensitive values, and no column is sensitive",
                           requirement.l)
        .WithHint("Name the column to protect, as in " TADA_OPTION("sensitive=disease") ", or leave " TADA_OPTION(
            "-l") " out.");
  }
  return Ok();
}

std::string Words(const Requirement& requirement, const std::string& sensitive) {
  if (requirement.l < 2) return "";
  switch (requirement.diversity) {
    case Diversity::kDistinct:
      return fmt::format("at least {} different values of {}", requirement.l, sensitive);
    case Diversity::kEntropy:
      return fmt::format("values of {} as uncertain as {} equally likely ones (entropy)", sensitive, requirement.l);
    case Diversity::kRecursive:
      return fmt::format("values of {} among which no single one dominates (recursive ({},{})-diversity)", sensitive,
                         requirement.c, requirement.l);
  }
  return "";
}

void Weaken(const Requirement& other, Requirement& weaker) {
  weaker.l = std::min(weaker.l, other.l);
  weaker.c = std::max(weaker.c, other.c);
  if (weaker.diversity != other.diversity) weaker.diversity = Diversity::kDistinct;  // which the others imply
}

std::vector<std::unique_ptr<PrivacyModel>> Bind(const Requirement& requirement, const Binding& binding) {
  std::vector<std::unique_ptr<PrivacyModel>> models;
  if (requirement.l < 2) return models;
  if (requirement.persons == Persons::kApart) {
    models.push_back(std::make_unique<MatchingLDiversity>(static_cast<uint64_t>(requirement.l), binding));
    return models;
  }
  const auto num_sensitive =
      static_cast<size_t>(std::ranges::count_if(binding.sensitive(), &CountedColumn::is_sensitive));
  const bool sets = std::ranges::any_of(
      binding.sensitive(), [](const auto& column) { return column.is_sensitive() && !column.sets.empty(); });
  if (sets && requirement.diversity == Diversity::kDistinct) {
    models.push_back(std::make_unique<DistinctLDiversityOfPeople>(static_cast<uint64_t>(requirement.l), num_sensitive));
  } else {
    models.push_back(MakeLDiversity(requirement, num_sensitive));
  }
  return models;
}

std::string Idle(const Requirement& requirement) {
  if (requirement.diversity == Diversity::kDistinct || requirement.l > 1) return "";
  return fmt::format(TADA_OPTION("diversity={}") " says how " TADA_OPTION("-l") " is counted, and " TADA_OPTION(
                         "-l") " is 1, which asks for nothing: ask for 2 or more.",
                     DiversityName(requirement));
}

}  // namespace

uint64_t ReachedL(const Requirement& requirement, const Tally& tally) {
  return MakeLDiversity(requirement, tally.columns.size())->ReachedL(tally);
}

RequirementEntry LDiversityEntry() {
  return {.name = "l",
          .options = Options(),
          .meanings =
              {{"-l N", "l-diversity, distinct: every group has at least N different values of each sensitive column."},
               {"-l N --diversity entropy", "The entropy of the sensitive values of a group is at least ln N."},
               {"-l N --diversity recursive:C",
                "The commonest value of a group has fewer rows than C times those of the N-th commonest and all rarer "
                "ones."}},
          .read = &Read,
          .write = &Write,
          .check = &Check,
          .words = &Words,
          .plain = "Whoever finds a person's group still finds several sensitive values in it.",
          .weaken = &Weaken,
          .bind = &Bind,
          .idle = &Idle};
}

}  // namespace tada
