#include "audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "audit/checks/class_check.h"
#include "audit/checks/diversity.h"
#include "audit/checks/folding.h"
#include "audit/checks/linked_rows.h"
#include "audit/classes/classes.h"
#include "audit/original/against_original.h"
#include "audit/original/own_k_check.h"
#include "audit/original/people.h"
#include "audit/original/risk_check.h"
#include "base/option_mark.h"
#include "table/mask_text.h"
#include "table/parsed_cell.h"

namespace tada {
namespace {

constexpr size_t kRowsToName = 20;
constexpr size_t kBlocks = 64;  // of classes; each has a counter a sensitive value

Status CheckColumns(const Table& release, const AuditOptions& options) {
  const auto known = [&](ColumnId id) { return id < release.num_columns(); };
  for (const ColumnId id : options.quasi) {
    if (!known(id)) return InvalidArgument("No such quasi-identifier in the release: column number {}", id);
    if (std::find(options.sensitive.begin(), options.sensitive.end(), id) != options.sensitive.end()) {
      return InvalidArgument("A column is both quasi-identifier and sensitive: {}", release.column(id).name())
          .WithHint("Name it in " TADA_OPTION("quasi") " or in " TADA_OPTION("sensitive") ", not in both.");
    }
  }
  for (const ColumnId id : options.sensitive) {
    if (!known(id)) return InvalidArgument("No such sensitive column in the release: column number {}", id);
  }
  if (options.quasi.empty()) {
    return InvalidArgument("Nothing to audit: no quasi-identifier is given")
        .WithHint("Name the columns with " TADA_OPTION("quasi") ".");
  }
  return Ok();
}

Status CheckRequirement(const AuditOptions& options) {
  const Requirement& requirement = options.requirement;
  if (requirement.k < 1) return InvalidArgument("k must be at least 1: k={}", requirement.k);
  if (requirement.l < 1) return InvalidArgument("l must be at least 1: l={}", requirement.l);
  if (requirement.l > 1 && options.sensitive.empty()) {
    return InvalidArgument("l needs a sensitive column: l={}", requirement.l)
        .WithHint("Name it with " TADA_OPTION("sensitive") ", or leave " TADA_OPTION("-l") " out.");
  }
  if (requirement.diversity == Diversity::kRecursive && !(std::isfinite(requirement.c) && requirement.c > 0)) {
    return InvalidArgument("The C of recursive diversity must be a number above 0: C={}", requirement.c);
  }
  return Ok();
}

Status CheckOriginal(const Table& release, const AuditOptions& options) {
  if (options.original == nullptr) return Ok();
  for (const auto& id : options.original_column) {
    if (id && *id >= options.original->num_columns())
      return InvalidArgument("No such column in the original: number {}", *id);
  }
  if (!options.order) return Ok();
  if (options.order->size() != release.num_rows()) {
    return InvalidArgument("The order does not name a row for every released one: {} named, {} released",
                           options.order->size(), release.num_rows());
  }
  for (const RowId row : *options.order) {
    if (row >= options.original->num_rows()) {
      return InvalidArgument("The order names a row that the original does not have: row {}, {} rows", row,
                             options.original->num_rows());
    }
  }
  return Ok();
}

// Shares of rows say nothing about shares of people, but people have no more different values than rows: where nobody knows
// whose rows are whose, l is the number of these, which no kind of diversity exceeds.
Requirement OfRows(Requirement requirement) {
  if (requirement.persons != Persons::kRows) requirement.diversity = Diversity::kDistinct;
  return requirement;
}

// The l that every class reaches in one sensitive column.
std::vector<uint64_t> DiversityOfClasses(const Column& column, const Classes& classes, const Requirement& requirement,
                                         const Workers& workers) {
  const FoldedColumn folded = FoldColumn(column, requirement);
  std::vector<uint64_t> reached(classes.count());
  const size_t block = std::max<size_t>(1, (classes.count() + kBlocks - 1) / kBlocks);
  workers.ForBlocks(classes.count(), block, [&](size_t begin, size_t end) {
    std::vector<uint32_t> count_of(folded.count, 0), counts;
    std::vector<uint32_t> values;
    column.codes().Visit([&](auto codes) {
      for (size_t index = begin; index < end; ++index) {
        values.clear();
        for (const RowId row : classes.members(index)) {
          const uint32_t value = folded.value_of_code[codes[row]];
          if (count_of[value]++ == 0) values.push_back(value);
        }
        counts.clear();
        for (const uint32_t value : values) {
          if (folded.Counts(value)) counts.push_back(count_of[value]);
          count_of[value] = 0;
        }
        std::sort(counts.begin(), counts.end(), std::greater<>());
        reached[index] = ReachedDiversity(counts, requirement);
      }
    });
  });
  return reached;
}

// Masked rows are a class like any other; they are counted because masking is the most that can be lost.
uint64_t CountMaskedRows(const Table& release, const AuditOptions& options, const Classes& classes) {
  uint64_t masked = 0;
  for (size_t index = 0; index < classes.count(); ++index) {
    const RowId row = classes.members(index).front();
    const bool all = std::all_of(options.quasi.begin(), options.quasi.end(), [&](ColumnId id) {
      const Column& column = release.column(id);
      return IsMaskText(column.text(column.codes()[row]));
    });
    if (all) masked += classes.size(index);
  }
  return masked;
}

// Of people where they are known, else of rows.
void SetRisks(const Classes& classes, const PeopleOfClasses* people, uint64_t k, Verdict& verdict) {
  uint64_t members = 0, above = 0;
  for (size_t index = 0; index < classes.count(); ++index) {
    const uint64_t size = people != nullptr ? people->count(index) : classes.size(index);
    members += size;
    if (size < k) above += size;
  }
  const auto all = static_cast<double>(members);
  verdict.prosecutor = {1.0 / static_cast<double>(verdict.k), static_cast<double>(verdict.classes) / all,
                        static_cast<double>(above) / all};
  verdict.journalist = verdict.prosecutor;
  const double average = verdict.prosecutor.average;
  verdict.marketer = {average, average, average > 1.0 / static_cast<double>(k) ? 1.0 : 0.0};
}

class ClassJudge {
 public:
  ClassJudge(const Table& release, const AuditOptions& options, const Classes& classes,
             std::vector<std::unique_ptr<ClassCheck>> further, const PeopleOfClasses* people, const Workers& workers)
      : release_(release), options_(options), classes_(classes), people_(people), further_(std::move(further)) {
    for (const ColumnId id : options.sensitive) {
      if (people != nullptr && options.original == nullptr) {
        reached_.push_back(people->ReachedL(release.column(id), options.requirement));
        continue;
      }
      if (people != nullptr && options.original_column[id]) {
        reached_.push_back(
            people->ReachedL(options.original->column(*options.original_column[id]), options.requirement));
        continue;
      }
      const Requirement counted = people == nullptr ? OfRows(options.requirement) : options.requirement;
      reached_.push_back(DiversityOfClasses(release.column(id), classes, counted, workers));
    }
  }

  void Judge(Verdict& verdict) const {
    std::map<uint64_t, uint64_t> sizes;
    std::optional<size_t> worst;
    for (size_t index = 0; index < classes_.count(); ++index) {
      ++sizes[classes_.size(index)];
      if (people_ != nullptr) verdict.people = std::min(verdict.people.value_or(UINT64_MAX), people_->count(index));
      if (!Breaks(index)) continue;
      ++verdict.breaking_classes;
      verdict.breaking_rows += classes_.size(index);
      if (!worst || classes_.size(index) < classes_.size(*worst)) worst = index;
    }
    verdict.class_sizes.assign(sizes.begin(), sizes.end());
    verdict.smallest_class = verdict.class_sizes.front().first;
    verdict.k = verdict.people.value_or(verdict.smallest_class);
    verdict.largest_class = verdict.class_sizes.back().first;
    for (const auto& column : reached_) verdict.l_of_column.push_back(*std::min_element(column.begin(), column.end()));
    if (!reached_.empty()) verdict.l = *std::min_element(verdict.l_of_column.begin(), verdict.l_of_column.end());
    for (const auto& check : further_) verdict.further.push_back(check->Reached());
    if (worst) verdict.worst = Describe(*worst);
  }

 private:
  // What k counts.
  uint64_t Members(size_t index) const { return people_ != nullptr ? people_->count(index) : classes_.size(index); }
  bool TooSmall(size_t index) const { return Members(index) < static_cast<uint64_t>(options_.requirement.k); }
  bool TooUniform(size_t index, size_t column) const {  // l = 1 asks nothing, of classes without any value either
    return options_.requirement.l > 1 && reached_[column][index] < static_cast<uint64_t>(options_.requirement.l);
  }
  bool Breaks(size_t index) const {
    bool breaks = TooSmall(index);
    for (size_t column = 0; column < reached_.size(); ++column) breaks |= TooUniform(index, column);
    return breaks || std::ranges::any_of(further_, [&](const auto& check) { return !check->Breaks(index).empty(); });
  }

  AuditClass Describe(size_t index) const {
    AuditClass described;
    const auto members = classes_.members(index);
    for (const ColumnId id : options_.quasi) {
      const Column& column = release_.column(id);
      described.cells.emplace_back(column.text(column.codes()[members.front()]));
    }
    for (size_t i = 0; i < std::min<size_t>(kRowsToName, members.size()); ++i)
      described.rows.push_back(uint64_t{members[i]} + 1);
    described.size = members.size();
    if (TooSmall(index)) {
      const uint64_t count = Members(index);
      const std::string_view one = people_ != nullptr ? "person" : "row", many = people_ != nullptr ? "people" : "rows";
      described.reason = fmt::format("{} {}, k={} asked", count, count == 1 ? one : many, options_.requirement.k);
    }
    for (size_t column = 0; column < reached_.size(); ++column) {
      const uint64_t l = reached_[column][index];
      described.l = column == 0 ? l : std::min(described.l, l);
      if (!TooUniform(index, column)) continue;
      described.reason += fmt::format("{}l={} in {}, l={} asked", described.reason.empty() ? "" : "; ", l,
                                      release_.column(options_.sensitive[column]).name(), options_.requirement.l);
    }
    for (const auto& check : further_) {
      const std::string reason = check->Breaks(index);
      if (!reason.empty()) described.reason += (described.reason.empty() ? "" : "; ") + reason;
    }
    return described;
  }

  const Table& release_;
  const AuditOptions& options_;
  const Classes& classes_;
  const PeopleOfClasses* people_;  // null: rows are counted
  std::vector<std::unique_ptr<ClassCheck>> further_;
  std::vector<std::vector<uint64_t>> reached_;  // by sensitive column, then by class
};

// The spellings that were counted as one value, of what is released anyway.
std::vector<FoldedSpelling> FoldedSpellings(const Table& release, const AuditOptions& options) {
  std::vector<FoldedSpelling> spellings;
  for (const ColumnId id : options.sensitive) {
    const Column& column = release.column(id);
    for (auto& [text, value] : FoldedPairs(column, FoldColumn(column, options.requirement))) {
      spellings.push_back({column.name(), std::move(text), std::move(value)});
    }
  }
  return spellings;
}

// "disease: 'Flu ' is flu, 'N/A' is missing": some of them.
std::string FoldedWords(const std::vector<FoldedSpelling>& spellings) {
  constexpr size_t kShown = 5;
  std::string words, column;
  for (size_t i = 0; i < std::min(kShown, spellings.size()); ++i) {
    const FoldedSpelling& one = spellings[i];
    if (i > 0) words += one.column == column ? ", " : "; ";
    if (one.column != column) words += one.column + ": ";
    column = one.column;
    words += fmt::format("'{}' is {}", one.text, one.value.empty() ? "missing" : fmt::format("'{}'", one.value));
  }
  return words + (spellings.size() > kShown ? fmt::format(", and {} more", spellings.size() - kShown) : "");
}

void TakeCover(const Verdict& found, Verdict& verdict) {
  verdict.cover = found.cover;
  verdict.row_match = found.row_match;
  verdict.rows_match = found.rows_match;
  verdict.withheld_rows = found.withheld_rows;
  verdict.loss = found.loss;
}

// Whether people are kept together, and what is known of them if nobody knows who stands where.
void JudgePeople(const AuditOptions& options, const PeopleOfClasses* people, Verdict& verdict) {
  const bool together = options.requirement.persons == Persons::kTogether;
  if (people != nullptr) {
    if (together && people->num_apart() > 0) {
      verdict.problems.push_back(fmt::format("{} people have rows in more than one class.", people->num_apart()));
    }
    return;
  }
  const auto k = static_cast<uint64_t>(options.requirement.k);
  if (options.original == nullptr || options.person.empty()) {
    verdict.unverified.emplace_back(
        "persons: not verified. A release does not say whose its rows are: give the table it was made from "
        "(" TADA_OPTION("original") ") "
        "and the column that names people (" TADA_OPTION("person") "). What is reached is counted over rows, and people "
        "reach no more than that.");
    return;
  }
  const uint64_t most = MostRowsOfAPerson(*options.original, options.person);
  const bool proven = verdict.smallest_class >= k * most && options.requirement.l < 2 && !together;
  if (proven) {
    verdict.notes.push_back(
        fmt::format("Nobody has more than {} rows, and every class has at least {}: at least {} people.", most,
                    verdict.smallest_class, k));
    return;
  }
  verdict.unverified.emplace_back(
      "persons: not verified. Some original rows fit into more than one class, so it is not known whose rows stand in "
      "it. What is reached is counted over rows, and people reach no more than that.");
}

}  // namespace

Result<Verdict> Audit(const Table& release, const AuditOptions& options, const Workers& workers) {
  TADA_CHECK_OK(CheckColumns(release, options));
  TADA_CHECK_OK(CheckRequirement(options));
  TADA_CHECK_OK(CheckOriginal(release, options));
  Verdict verdict;
  verdict.requirement = options.requirement;
  for (const ColumnId id : options.quasi) verdict.quasi.push_back(release.column(id).name());
  for (const ColumnId id : options.sensitive) verdict.sensitive.push_back(release.column(id).name());
  verdict.rows = release.num_rows();
  verdict.folded = FoldedSpellings(release, options);
  const Classes classes = FindClasses(release, options.quasi, workers);
  Verdict of_original;  // what comparing with the original has to say comes behind the requirement
  ClassOfOriginal classes_of;
  if (options.original != nullptr) {
    classes_of = CheckAgainstOriginal(release, options, classes, workers, of_original);
    TakeCover(of_original, verdict);
  }
  if (verdict.rows == 0) {
    verdict.problems.push_back("The release has no rows: there is nothing to be hidden among.");
  } else {
    verdict.classes = classes.count();
    std::optional<PeopleOfClasses> people;
    if (classes_of.known && !options.person.empty()) {
      people.emplace(*options.original, options.person, classes_of, classes.count(), options.controllers);
    } else if (options.original == nullptr &&
               !options.pseudonym.empty()) {  // the release itself says whose its rows are
      people.emplace(release, options.pseudonym, ClassOfOriginal{classes.OfRows(), true}, classes.count());
    }
    TADA_TRY(further, MakeClassChecks(release, options, [&](ColumnId id) -> std::shared_ptr<const ClassValues> {
               if (people && options.original != nullptr && options.original_column[id]) {
                 return std::make_shared<ClassValues>(ValuesOfPeople(options, id, *people, classes.count()));
               }
               if (options.requirement.persons != Persons::kRows) return nullptr;  // nobody knows them
               return std::make_shared<ClassValues>(ClassValues::OfRows(release, options, id, classes));
             }));
    if (!options.requirement.k_column.empty()) {
      TADA_TRY(own_k, MakeOwnKCheck(options, classes, classes_of, people ? &*people : nullptr));
      further.push_back(std::move(own_k));
    }
    TADA_TRY(risk, MakeRiskCheck(release, options, classes, classes_of, people ? &*people : nullptr));
    if (risk != nullptr) further.push_back(std::move(risk));
    for (const auto& check : further) {
      if (std::string open = check->Unverified(); !open.empty()) verdict.unverified.push_back(std::move(open));
    }
    ClassJudge(release, options, classes, std::move(further), people ? &*people : nullptr, workers).Judge(verdict);
    verdict.masked_rows = CountMaskedRows(release, options, classes);
    SetRisks(classes, people ? &*people : nullptr, static_cast<uint64_t>(options.requirement.k), verdict);
    if (options.requirement.persons != Persons::kRows) JudgePeople(options, people ? &*people : nullptr, verdict);
    JudgeLinkedRows(release, options, classes, verdict);
  }
  if (verdict.breaking_classes > 0) {
    verdict.problems.push_back(fmt::format("{} of {} classes, {} of {} rows, break the requirement. Smallest: {}.",
                                           verdict.breaking_classes, verdict.classes, verdict.breaking_rows,
                                           verdict.rows, verdict.worst->reason));
  }
  if (!verdict.folded.empty()) {
    verdict.notes.push_back(fmt::format(
        "Spellings that are counted as one sensitive value (" TADA_OPTION("exact-values") " tells them apart): {}.",
        FoldedWords(verdict.folded)));
  }
  for (std::string& problem : of_original.problems) verdict.problems.push_back(std::move(problem));
  for (std::string& open : of_original.unverified) verdict.unverified.push_back(std::move(open));
  for (std::string& note : of_original.notes) verdict.notes.push_back(std::move(note));
  verdict.passed = verdict.problems.empty();
  return verdict;
}

}  // namespace tada
