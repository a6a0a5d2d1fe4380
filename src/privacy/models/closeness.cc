#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/option_mark.h"
#include "privacy/models/demand.h"
#include "privacy/models/value_entries.h"

namespace tada {
namespace {

constexpr uint32_t kLeastPlaces = 4;  // of what is named in messages
constexpr uint64_t kLargestTried = 10'000;

// What the kinds share. The distance is a fraction; everything is decided on integers.
class Closeness : public PrivacyModel {
 public:
  Closeness(const Demand& demand, const Binding& binding, size_t s)
      : column_(s),
        limit_(*ParseDecimal(demand.limit)),
        name_(binding.sensitive()[s].source->name()),
        reference_(binding, s) {}

  bool Holds(const Tally& tally) const override {
    const uint64_t total = Total(tally.columns[column_]);
    return total == 0 || limit_.AtLeast(Work(tally.columns[column_], total), Whole(total));
  }
  bool KeptByMerging() const override { return true; }
  bool FailingIsInherited() const override { return false; }
  bool SmallerIsStricter() const override { return true; }
  uint64_t SmallestGroup() const override { return 1; }
  std::string Reaches(const Tally& tally) const override {
    const uint32_t places = std::max(kLeastPlaces, limit_.places);
    const uint64_t total = Total(tally.columns[column_]);
    const Wide scaled = total == 0 ? 0 : Work(tally.columns[column_], total) * Decimal{.places = places}.scale();
    const Wide whole = total == 0 ? 1 : Whole(total);
    return fmt::format("t={} ({})", DecimalText(static_cast<uint64_t>((scaled + whole - 1) / whole), places), name_);
  }
  std::string Hint(const Tally& /*tally*/) const override {
    return "Ask for a closeness of at least the value named, or compare with " TADA_OPTION("reference=controller") ".";
  }
  // Values of which the group has too few.
  std::function<bool(Code, uint32_t)> Wanted(const Tally& tally, size_t column) const override {
    if (column != column_ || Holds(tally)) return {};
    const uint64_t total = Total(tally.columns[column_]);
    return [this, total](Code value, uint32_t count) {
      return reference_.total * count < total * reference_.counts[value];
    };
  }

 protected:
  /// The distance times Whole(). Pre: total > 0.
  virtual Wide Work(const ValueCounts& counts, uint64_t total) const = 0;
  /// m N, times what the cost of a move is divided by.
  virtual Wide Whole(uint64_t total) const { return Wide{total} * reference_.total; }
  const ReferenceCounts& reference() const { return reference_; }
  const Decimal& limit() const { return limit_; }

  /// What a value of the group has too much of, times m N.
  uint64_t Surplus(uint64_t count, uint64_t of_reference, uint64_t total) const {
    const uint64_t has = reference_.total * count, fair = total * of_reference;
    return has > fair ? has - fair : 0;
  }

 private:
  size_t column_;
  Decimal limit_;
  std::string name_;
  ReferenceCounts reference_;
};

class EqualCloseness final : public Closeness {
 public:
  EqualCloseness(const Demand& demand, const Binding& binding, size_t s) : Closeness(demand, binding, s) {
    if (reference().total != reference().members) return;  // people with several values: nothing is known
    const uint64_t last = std::min(reference().total, kLargestTried);
    while (smallest_ < last && !limit().AtLeast(LeastWork(smallest_), Whole(smallest_))) ++smallest_;
  }
  uint64_t SmallestGroup() const override { return smallest_; }

 private:
  Wide Work(const ValueCounts& counts, uint64_t total) const override {
    uint64_t sum = 0;
    for (const Code value : counts.present()) sum += Surplus(counts.count(value), reference().counts[value], total);
    return sum;
  }

  // Of any group of m rows: shares are rounded down, and the rows that are left go where most was cut off.
  Wide LeastWork(uint64_t m) const {
    std::vector<uint64_t> cut_off;
    uint64_t left = m;
    for (const uint64_t count : reference().counts) {
      left -= m * count / reference().total;
      cut_off.push_back(m * count % reference().total);
    }
    std::ranges::nth_element(cut_off, cut_off.begin() + static_cast<std::ptrdiff_t>(left), std::greater<>());
    Wide work = 0;
    for (uint64_t i = 0; i < left; ++i) work += reference().total - cut_off[i];
    return work;
  }

  uint64_t smallest_ = 1;
};

class OrderedCloseness final : public Closeness {
 public:
  OrderedCloseness(const Demand& demand, const Binding& binding, size_t s) : Closeness(demand, binding, s) {
    const CountedColumn& column = binding.sensitive()[s];
    rank_of_.assign(column.num_values, UINT32_MAX);
    uint64_t rows = 0;
    Wide sum = 0;
    sums_.push_back(0);
    for (const Code value : column.value_of_code) {  // codes ascend; values that never occur have no rank
      if (reference().counts[value] == 0 || rank_of_[value] != UINT32_MAX) continue;
      rank_of_[value] = static_cast<uint32_t>(value_at_.size());
      value_at_.push_back(value);
      rows += reference().counts[value];
      up_to_.push_back(rows);
      sums_.push_back(sum += rows);
    }
  }

 private:
  Wide Whole(uint64_t total) const override {
    return Closeness::Whole(total) * std::max<size_t>(1, value_at_.size() - 1);
  }

  Wide Work(const ValueCounts& counts, uint64_t total) const override {
    if (value_at_.size() <= 8 * counts.present().size()) return OverAllValues(counts, total);
    thread_local std::vector<uint32_t> ranks;
    ranks.clear();
    for (const Code value : counts.present()) ranks.push_back(rank_of_[value]);
    std::ranges::sort(ranks);
    Wide work = 0;
    uint64_t rows = 0;
    uint32_t done = 0;
    for (const uint32_t rank : ranks) {
      work += Between(done, rank, rows, total);
      rows += counts.count(value_at_[rank]);
      done = rank;
    }
    return work + Between(done, static_cast<uint32_t>(value_at_.size()), rows, total);
  }

  // What has to cross the gap behind each rank, summed: the definition.
  Wide OverAllValues(const ValueCounts& counts, uint64_t total) const {
    Wide work = 0;
    uint64_t rows = 0;
    for (size_t rank = 0; rank < value_at_.size(); ++rank) {
      rows += counts.count(value_at_[rank]);
      const uint64_t has = reference().total * rows, fair = total * up_to_[rank];
      work += has > fair ? has - fair : fair - has;
    }
    return work;
  }

  // The same for ranks begin..end-1 behind all of which the group has the same number of rows: what is too much there becomes
  // too little at one place.
  Wide Between(uint32_t begin, uint32_t end, uint64_t rows, uint64_t total) const {
    const Wide has = Wide{reference().total} * rows;
    const auto turn = std::partition_point(up_to_.begin() + begin, up_to_.begin() + end,
                                           [&](uint64_t of_reference) { return Wide{total} * of_reference <= has; });
    const auto middle = static_cast<uint32_t>(turn - up_to_.begin());
    const Wide too_much = (middle - begin) * has - total * (sums_[middle] - sums_[begin]);
    return too_much + total * (sums_[end] - sums_[middle]) - (end - middle) * has;
  }

  std::vector<uint32_t> rank_of_;  // by value
  std::vector<Code> value_at_;     // by rank
  std::vector<uint64_t> up_to_;    // by rank: rows of the reference with that rank or a lower one
  std::vector<Wide> sums_;         // of the first i of these
};

// The mean over the levels below the top of `equal` on the column at that level.
class HierarchyCloseness final : public Closeness {
 public:
  HierarchyCloseness(const Demand& demand, const Binding& binding, size_t s) : Closeness(demand, binding, s) {
    const CountedColumn& column = binding.sensitive()[s];
    for (const std::vector<Code>& node_of_code : column.levels) {
      std::vector<Code> node_of(column.num_values, 0);
      for (Code code = 0; code < node_of_code.size(); ++code) node_of[column.value_of_code[code]] = node_of_code[code];
      node_of_.push_back(std::move(node_of));
    }
    if (!node_of_.empty()) std::iota(node_of_[0].begin(), node_of_[0].end(), Code{0});  // spellings of a value are one
    for (const std::vector<Code>& node_of : node_of_) {
      std::vector<uint64_t>& of_node = of_node_.emplace_back(*std::ranges::max_element(node_of) + 1, 0);
      for (Code value = 0; value < node_of.size(); ++value) of_node[node_of[value]] += reference().counts[value];
    }
    std::vector<Code> by_path(column.num_values);
    std::iota(by_path.begin(), by_path.end(), Code{0});
    std::ranges::sort(by_path, [&](Code a, Code b) {
      for (size_t level = node_of_.size(); level-- > 0;) {
        if (node_of_[level][a] != node_of_[level][b]) return node_of_[level][a] < node_of_[level][b];
      }
      return false;
    });
    place_of_.resize(column.num_values);
    for (uint32_t place = 0; place < by_path.size(); ++place) place_of_[by_path[place]] = place;
  }

 private:
  Wide Whole(uint64_t total) const override { return Closeness::Whole(total) * std::max<size_t>(1, node_of_.size()); }

  Wide Work(const ValueCounts& counts, uint64_t total) const override {
    thread_local std::vector<Code> values;  // values of a node are neighbours, at every level
    values.assign(counts.present().begin(), counts.present().end());
    std::ranges::sort(values, {}, [&](Code value) { return place_of_[value]; });
    Wide work = 0;
    for (size_t level = 0; level < node_of_.size(); ++level) {
      for (size_t i = 0; i < values.size();) {
        const Code node = node_of_[level][values[i]];
        uint64_t count = 0;
        for (; i < values.size() && node_of_[level][values[i]] == node; ++i) count += counts.count(values[i]);
        work += Surplus(count, of_node_[level][node], total);
      }
    }
    return work;
  }

  std::vector<std::vector<Code>> node_of_;      // by level, by value
  std::vector<std::vector<uint64_t>> of_node_;  // by level, by node: counts of the reference
  std::vector<uint32_t> place_of_;              // by value: in the order of paths from the top
};

const DemandForm& Form() {
  static const DemandForm form{
      .option = "closeness",
      .kinds = {"equal", "ordered", "hierarchy"},
      .example = TADA_OPTION("closeness=0.2") ", or " TADA_OPTION("closeness=salary=0.2:ordered,disease=0.3")};
  return form;
}

bool AsksNothing(const Demand& demand) {
  const Decimal limit = *ParseDecimal(demand.limit);
  return limit.digits >= limit.scale();
}

std::vector<std::unique_ptr<PrivacyModel>> Bind(const Requirement& requirement, const Binding& binding) {
  return BindDemands(requirement, "closeness", binding,
                     [&](const Demand& demand, size_t s) -> std::unique_ptr<PrivacyModel> {
                       if (AsksNothing(demand)) return nullptr;
                       const std::string kind = DemandKind(demand, *binding.sensitive()[s].source);
                       if (kind == "ordered") return std::make_unique<OrderedCloseness>(demand, binding, s);
                       if (kind == "hierarchy") return std::make_unique<HierarchyCloseness>(demand, binding, s);
                       return std::make_unique<EqualCloseness>(demand, binding, s);
                     });
}

Result<Demand> Resolve(const Demand& demand, const CountedColumn& column) {
  Demand resolved = demand;
  resolved.kind = DemandKind(demand, *column.source);
  if (resolved.kind == "ordered" && column.source->kind() == Kind::kCategorical) {
    return InvalidArgument(TADA_OPTION("closeness={}") ": the values of {} have no order", DemandText(demand),
                           demand.column)
        .WithHint(fmt::format("Ask for 'equal', or read the column as ordinal: " TADA_OPTION("sensitive={}:ordinal"),
                              demand.column));
  }
  if (resolved.kind == "hierarchy" && column.levels.empty()) {
    return InvalidArgument(TADA_OPTION("closeness={}") ": {} has no hierarchy", DemandText(demand), demand.column)
        .WithHint(fmt::format("Name one: " TADA_OPTION("hierarchy={}=<file>"), demand.column));
  }
  return resolved;
}

void Weaken(const Requirement& other, Requirement& weaker) {
  // Each controller's groups are close to its own rows, which says nothing about the rows of all.
  if (weaker.reference == ReferenceRows::kController) return DropDemands("closeness", weaker);
  WeakenDemands(other, "closeness", true, weaker);
}

std::string Idle(const Requirement& requirement) {
  for (const Demand& demand : DemandsOf(requirement, "closeness")) {
    if (AsksNothing(demand)) {
      return fmt::format(
          TADA_OPTION("closeness={}") " asks for nothing: no two distributions are further apart than 1.",
          DemandText(demand));
    }
  }
  return "";
}

std::string Words(const Requirement& requirement, const std::string& sensitive) {
  return DemandWords(requirement, "closeness", sensitive, [](const Demand& demand, const std::string& column) {
    return fmt::format("values of {} distributed nearly as among all people (t-closeness, distance at most {})", column,
                       demand.limit);
  });
}

OptionSpecs Options() {
  return {{.name = "closeness",
           .type = OptionType::kList,
           .value_name = "[column=]t[:equal|ordered|hierarchy]",
           .section = "Requirement",
           .help = "Set how far the distribution of a sensitive column in a group may be from that among all "
                   "people, 0 to 1 (t-closeness). 'ordered' counts how far values are apart, and is the "
                   "default for numbers and ordinal columns; 'hierarchy' needs --hierarchy for the column."}};
}

OptionSpecs ReferenceOptions() {
  return {{.name = "reference",
           .type = OptionType::kChoice,
           .value_name = "rows",
           .default_text = "controller",
           .choices = {"controller", "table"},
           .section = "Requirement",
           .help = "Compare distributions with those of the controller's own rows, or with those of the "
                   "whole table, which controllers then have to agree on."}};
}

}  // namespace

RequirementEntry ClosenessEntry() {
  return {.name = "closeness",
          .options = Options(),
          .meanings = {{"--closeness T",
                        "t-closeness: the distribution of a sensitive column in every group is at most T away (earth "
                        "mover's distance, 0 to 1) from that among all people."}},
          .read = [](const OptionValues& values,
                     Requirement& requirement) { return ReadDemands(values, Form(), requirement); },
          .write = [](const Requirement& requirement, bool) { return WriteDemands(requirement, "closeness"); },
          .check = [](const Requirement& requirement,
                      bool has_sensitive) { return CheckDemands(requirement, "closeness", has_sensitive); },
          .words = &Words,
          .plain =
              "Whoever finds a person's group learns hardly more about the sensitive value than anybody knows who has "
              "seen how the values are distributed among all people.",
          .weaken = &Weaken,
          .bind = &Bind,
          .resolve = &Resolve,
          .idle = &Idle};
}

RequirementEntry ReferenceEntry() {
  return {.name = "reference",
          .options = ReferenceOptions(),
          .meanings = {},
          .read =
              [](const OptionValues& values, Requirement& requirement) {
                if (!values.Has("reference")) return Ok();
                requirement.reference =
                    values.Text("reference") == "table" ? ReferenceRows::kTable : ReferenceRows::kController;
                return Ok();
              },
          .write = [](const Requirement& requirement, bool) -> std::vector<WrittenOption> {
            if (requirement.reference == ReferenceRows::kController) return {};
            return {{"reference", {"table"}, true}};
          },
          .check = [](const Requirement&, bool) { return Ok(); },
          .words = [](const Requirement&, const std::string&) { return std::string(); },
          .weaken = [](const Requirement&, Requirement&) {},
          .bind = [](const Requirement&, const Binding&) { return std::vector<std::unique_ptr<PrivacyModel>>(); }};
}

}  // namespace tada
