#include "attack/attack.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "attack/matches.h"
#include "attack/strangers.h"
#include "audit/checks/folding.h"
#include "base/option.h"
#include "base/option_mark.h"
#include "table/select_rows.h"

namespace tada {
namespace {

constexpr size_t kMostSubsets = 5'000;

Result<std::vector<ColumnId>> FindColumns(const Table& table, const std::vector<std::string>& names,
                                          std::string_view whose) {
  std::vector<ColumnId> ids;
  for (const std::string& name : names) {
    const auto id = table.Find(name);
    if (!id) {
      std::vector<std::string> known;
      for (const Column& column : table.columns()) known.push_back(column.name());
      const auto nearest = NearestName(name, known);
      return InvalidArgument("No such column in the {}: {}", whose, name)
          .WithHint(nearest ? fmt::format("Did you mean '{}'?", *nearest)
                            : fmt::format("It has: {}", fmt::join(known, ", ")));
    }
    ids.push_back(*id);
  }
  return ids;
}

// How many rows of each class have each sensitive value: entries of class i from begin[i] on, values ascending.
struct ValueCounts {
  std::vector<uint32_t> begin{0};
  std::vector<std::pair<uint32_t, uint32_t>> entries;
};

ValueCounts CountValues(const Classes& classes, const Column& column, const std::vector<uint32_t>& value_of_code) {
  ValueCounts counts;
  std::map<uint32_t, uint32_t> of_class;
  for (size_t i = 0; i < classes.count(); ++i) {
    of_class.clear();
    for (const RowId row : classes.members(i)) ++of_class[value_of_code[column.codes()[row]]];
    counts.entries.insert(counts.entries.end(), of_class.begin(), of_class.end());
    counts.begin.push_back(static_cast<uint32_t>(counts.entries.size()));
  }
  return counts;
}

// What an attacker concludes from counts of values: the commonest ones, and whether there is only one.
struct Guess {
  std::vector<uint32_t> values;
  bool certain = false;
  double Right(uint32_t truth) const {
    return std::find(values.begin(), values.end(), truth) == values.end() ? 0.0
                                                                          : 1.0 / static_cast<double>(values.size());
  }
};

Guess Commonest(const std::map<uint32_t, uint64_t>& counts) {
  Guess guess;
  uint64_t most = 0;
  for (const auto& [value, count] : counts) {
    if (count > most) guess.values.clear();
    most = std::max(most, count);
    if (count == most) guess.values.push_back(value);
  }
  guess.certain = counts.size() == 1;
  return guess;
}

// The same with texts that are one value under one number.
SharedValues Folded(SharedValues values, const Column& released, const Column& original) {
  std::vector<uint32_t> number_of(values.count, UINT32_MAX);
  std::unordered_map<std::string, uint32_t> known = {{"", 0}};  // 0 is "missing"
  const auto fold = [&](const Column& column, std::vector<uint32_t>& of_code) {
    for (Code code = 0; code < column.num_codes(); ++code) {
      uint32_t& number = number_of[of_code[code]];
      if (of_code[code] == 0) number = 0;
      if (number == UINT32_MAX) {
        const auto next = static_cast<uint32_t>(known.size());
        number = known
                     .try_emplace(
                         column.is_numeric() ? fmt::format("#{}", of_code[code]) : FoldedText(column.text(code)), next)
                     .first->second;
      }
      of_code[code] = number;
    }
  };
  fold(released, values.of_released);
  fold(original, values.of_original);
  values.count = static_cast<uint32_t>(known.size());
  return values;
}

class Attacker {
 public:
  Attacker(const Table& release, const Table& original, const AttackOptions& options, const Workers& workers)
      : release_(release), original_(original), options_(options), workers_(workers) {}

  Result<AttackResult> Run(Progress& progress) {
    TADA_CHECK_OK(Prepare());
    std::vector<std::vector<size_t>> subsets = Subsets();
    if (subsets.size() > kMostSubsets) {
      return InvalidArgument(TADA_OPTION("subsets") " makes too many sets of quasi-identifiers: {}, at most {}",
                             subsets.size(), kMostSubsets)
          .WithHint("Name a smaller size.");
    }
    progress.Begin("attack", subsets.size() + 1);
    std::vector<size_t> all(options_.quasi.size());
    std::iota(all.begin(), all.end(), size_t{0});
    TADA_TRY(figures, Measure(all));
    result_.all = std::move(figures);
    progress.Advance(1);
    for (const std::vector<size_t>& known : subsets) {
      workers_.Poll();
      TADA_TRY(of_subset, Measure(known));
      result_.subsets.push_back(std::move(of_subset));
      progress.Advance(1);
    }
    AddNotes();
    return std::move(result_);
  }

 private:
  Status Prepare() {
    if (options_.quasi.empty())
      return InvalidArgument(TADA_OPTION("quasi") " is missing: what does the attacker know?");
    TADA_CHECK_OK(CheckRows());
    TADA_TRY(release_quasi, FindColumns(release_, options_.quasi, "release"));
    TADA_TRY(quasi, FindColumns(original_, options_.quasi, "original"));
    TADA_TRY(release_sensitive, FindColumns(release_, options_.sensitive, "release"));
    TADA_TRY(sensitive, FindColumns(original_, options_.sensitive, "original"));
    release_quasi_ = std::move(release_quasi);
    release_sensitive_ = std::move(release_sensitive);
    sensitive_ = std::move(sensitive);
    rows_ = SampleRows(original_.num_rows(), options_.person.empty() ? options_.max_people : 0, options_.seed);
    TADA_CHECK_OK(NumberPeople());
    attacked_ = SelectRows(original_, rows_);
    made_up_ = MakeUpPeople(attacked_, quasi, options_.seed);
    targets_ = MeetPeople(release_, release_quasi_, attacked_, quasi);
    std::vector<ColumnId> in_order(quasi.size());
    std::iota(in_order.begin(), in_order.end(), ColumnId{0});
    others_ = MeetPeople(release_, release_quasi_, made_up_, in_order);
    if (options_.population != nullptr) {
      TADA_CHECK_OK(MeetPopulation(quasi));
    } else {
      suspects_ = MeetPeople(release_, release_quasi_, original_, quasi);
    }
    all_classes_ = FindClasses(release_, release_quasi_, workers_);
    for (size_t s = 0; s < sensitive_.size(); ++s) {
      const Column& released = release_.column(release_sensitive_[s]);
      const Column& original = original_.column(sensitive_[s]);
      SharedValues shared = ShareValues(released, original);
      values_.push_back(options_.exact_values ? std::move(shared) : Folded(std::move(shared), released, original));
    }
    result_.released_rows = release_.num_rows();
    result_.original_rows = original_.num_rows();
    result_.sampled = attacked_.num_rows() < original_.num_rows();
    return Ok();
  }

  // Who each row of the original is; a row without a name is a person of its own.
  Status NumberPeople() {
    if (options_.person.empty()) return Ok();
    TADA_TRY(columns, FindColumns(original_, options_.person, "original"));
    std::map<std::vector<Code>, uint32_t> known;
    for (RowId row = 0; row < original_.num_rows(); ++row) {
      std::vector<Code> name;
      bool named = false;
      for (const ColumnId id : columns) {
        name.push_back(original_.column(id).codes()[row]);
        named |= !original_.column(id).is_missing(name.back());
      }
      const auto [found, is_new] = named ? known.emplace(std::move(name), num_people_) : std::pair{known.end(), true};
      person_of_.push_back(is_new ? num_people_ : found->second);
      num_people_ += is_new ? 1 : 0;
    }
    return Ok();
  }

  Status CheckRows() const {
    for (const auto& [table, whose] : {std::pair{&release_, "release"}, std::pair{&original_, "original"},
                                       std::pair{options_.population, "population"}}) {
      if (table != nullptr && table->num_rows() == 0) return DataError("The {} has no rows", whose);
    }
    return Ok();
  }

  Status MeetPopulation(const std::vector<ColumnId>& quasi) {
    TADA_TRY(columns, FindColumns(*options_.population, options_.quasi, "population"));
    result_.population_rows = options_.population->num_rows();
    Table others = FindOthers(*options_.population, columns, original_, quasi);
    suspects_ = MeetPeople(release_, release_quasi_, *options_.population, columns);
    if (others.num_rows() == 0) {
      result_.notes.push_back(
          "Everybody of the population is in the original, so membership is judged by made-up people.");
      return Ok();
    }
    made_up_ = SelectRows(others, SampleRows(others.num_rows(), options_.max_people, options_.seed));
    others_ = MeetPeople(release_, release_quasi_, made_up_, columns);
    return Ok();
  }

  // Every set of at most subset_size quasi-identifiers, but for the set of all; smallest first.
  std::vector<std::vector<size_t>> Subsets() const {
    std::vector<std::vector<size_t>> done, open{{}};
    for (size_t size = 1; size <= std::min(options_.subset_size, options_.quasi.size() - 1); ++size) {
      std::vector<std::vector<size_t>> larger;
      for (const auto& set : open) {
        for (size_t q = set.empty() ? 0 : set.back() + 1; q < options_.quasi.size(); ++q) {
          larger.push_back(set);
          larger.back().push_back(q);
        }
      }
      done.insert(done.end(), larger.begin(), larger.end());
      if (done.size() > kMostSubsets) break;
      open = std::move(larger);
    }
    return done;
  }

  Result<AttackFigures> Measure(const std::vector<size_t>& known) {
    std::vector<ColumnId> columns;
    for (const size_t q : known) columns.push_back(release_quasi_[q]);
    const Classes classes = FindClasses(release_, columns, workers_);
    TADA_TRY(matches, FindMatches(release_, release_quasi_, classes, targets_, known, workers_));
    AttackFigures figures;
    for (const size_t q : known) figures.known.push_back(options_.quasi[q]);
    figures.people = attacked_.num_rows();
    figures.kinds = matches.kinds.count();
    std::vector<std::vector<uint32_t>> people;
    if (num_people_ > 0) {
      people = PeopleOfClasses(classes, matches, person_of_);
      if (known.size() == options_.quasi.size()) {
        figures.by_all_rows = AttackKnownPeople(matches, people, person_of_, num_people_);
      }
    }
    FindRows(classes, matches, people, figures);
    for (size_t s = 0; s < sensitive_.size(); ++s) figures.disclosure.push_back(GuessValues(s, classes, matches));
    if (options_.knows_method && known.size() == options_.quasi.size()) KnowMethod(classes, matches);
    TADA_TRY(others, FindMatches(release_, release_quasi_, classes, others_, known, workers_));
    figures.others_matched = MatchedShare(others);
    TADA_TRY(suspects, CountSuspects(classes, matches, known));
    Suspect(classes, suspects, figures);
    return figures;
  }

  // What the cells tell beside themselves, and who is behind them.
  void KnowMethod(const Classes& classes, const Matches& matches) {
    result_.knows_method = true;
    result_.narrowing = MeasureNarrowing(release_, release_quasi_, classes, targets_, matches);
    std::vector<std::vector<RowId>> people(classes.count());
    std::vector<uint8_t> doubtful(classes.count(), 0);
    for (size_t kind = 0; kind < matches.kinds.count(); ++kind) {
      const auto candidates = matches.of_kind(kind);
      for (const uint32_t index : candidates) {
        if (candidates.size() > 1) doubtful[index] = 1;
        for (const RowId row : matches.kinds.members(kind)) people[index].push_back(rows_[row]);
      }
    }
    for (size_t i = 0; i < people.size(); ++i) {
      if (doubtful[i] == 0 && people[i].size() == classes.size(i)) result_.people_of_class.push_back(people[i]);
    }
  }

  // By class, the people of the population that it covers. These are never sampled: a class would look as if it covered fewer.
  Result<std::vector<uint64_t>> CountSuspects(const Classes& classes, const Matches& matches,
                                              const std::vector<size_t>& known) const {
    if (options_.population != nullptr || result_.sampled) {
      return CountCovered(release_, release_quasi_, classes, suspects_, known, workers_);
    }
    std::vector<uint64_t> covered(classes.count(), 0);
    for (size_t kind = 0; kind < matches.kinds.count(); ++kind) {
      for (const uint32_t index : matches.of_kind(kind)) covered[index] += matches.kinds.size(kind);
    }
    return covered;
  }

  static double MatchedShare(const Matches& matches) {
    uint64_t matched = 0;
    for (size_t kind = 0; kind < matches.kinds.count(); ++kind) {
      if (!matches.of_kind(kind).empty()) matched += matches.kinds.size(kind);
    }
    const uint32_t people = matches.kinds.num_rows();
    return people == 0 ? 0 : static_cast<double>(matched) / static_cast<double>(people);
  }

  // The prosecutor: everybody's row is among the rows of the candidates.
  void FindRows(const Classes& classes, const Matches& matches,
                const std::vector<std::vector<uint32_t>>& people_of_class, AttackFigures& figures) const {
    std::vector<uint64_t> stamps(num_people_, 0);
    uint64_t stamp = 0;
    // Rows that are alike in what is known may be of several classes: those differ in other quasi-identifiers.
    std::vector<uint64_t> classes_in(classes.count(), 0);
    const std::vector<uint32_t> class_of_row = classes.OfRows();
    for (size_t i = 0; i < all_classes_.count(); ++i) ++classes_in[class_of_row[all_classes_.members(i).front()]];
    std::map<uint64_t, uint64_t> people_by_rows;
    uint64_t in_one_class = 0;
    for (size_t kind = 0; kind < matches.kinds.count(); ++kind) {
      uint64_t rows = 0, candidates = 0;
      for (const uint32_t index : matches.of_kind(kind)) {
        rows += classes.size(index);
        candidates += classes_in[index];
      }
      if (num_people_ > 0) rows = PeopleOfKind(matches, kind, people_of_class, stamps, stamp);
      people_by_rows[rows] += matches.kinds.size(kind);
      if (candidates == 1) in_one_class += matches.kinds.size(kind);
    }
    const auto people = static_cast<double>(figures.people);
    figures.matched = MatchedShare(matches);
    figures.class_found = static_cast<double>(in_one_class) / people;
    for (const auto& [rows, count] : people_by_rows) {
      if (rows == 0) continue;
      if (rows == 1) figures.single = static_cast<double>(count) / people;
      figures.prosecutor_highest = std::max(figures.prosecutor_highest, 1.0 / static_cast<double>(rows));
      figures.prosecutor_average += static_cast<double>(count) / static_cast<double>(rows) / people;
    }
    figures.candidate_rows.assign(people_by_rows.begin(), people_by_rows.end());
  }

  // The journalist: every person of the population that a class covers may be behind any of its rows, and any row behind the person.
  // A class that covers nobody leads to nobody. Where classes overlap, whoever does not know that somebody is in the release still
  // finds no more than whoever does.
  void Suspect(const Classes& classes, const std::vector<uint64_t>& covered, AttackFigures& figures) const {
    for (size_t i = 0; i < classes.count(); ++i) {
      if (covered[i] == 0) continue;
      const double risk = 1.0 / static_cast<double>(std::max<uint64_t>(classes.size(i), covered[i]));
      figures.journalist_highest = std::max(figures.journalist_highest, risk);
      figures.journalist_average += risk * classes.size(i) / static_cast<double>(release_.num_rows());
    }
    if (result_.sampled) return;  // the prosecutor's figures are then of few
    figures.journalist_highest = std::min(figures.journalist_highest, figures.prosecutor_highest);
    figures.journalist_average = std::min(figures.journalist_average, figures.prosecutor_average);
  }

  Disclosure GuessValues(size_t s, const Classes& classes, const Matches& matches) const {
    const Column& truth = original_.column(sensitive_[s]);
    const ValueCounts counts = CountValues(classes, release_.column(release_sensitive_[s]), values_[s].of_released);
    std::map<uint32_t, uint64_t> overall, among;
    for (RowId row = 0; row < original_.num_rows(); ++row) ++overall[values_[s].of_original[truth.codes()[row]]];
    const Guess blind = Commonest(overall);
    Disclosure found{truth.name(), 0, 0, 0};
    for (size_t kind = 0; kind < matches.kinds.count(); ++kind) {
      among.clear();
      for (const uint32_t index : matches.of_kind(kind)) {
        for (uint32_t e = counts.begin[index]; e < counts.begin[index + 1]; ++e) {
          among[counts.entries[e].first] += counts.entries[e].second;
        }
      }
      const Guess guess = among.empty() ? blind : Commonest(among);  // who finds nobody knows what they knew
      for (const RowId row : matches.kinds.members(kind)) {
        const uint32_t value = values_[s].of_original[truth.codes()[rows_[row]]];
        found.guessed += guess.Right(value);
        found.baseline += blind.Right(value);
        found.certain += !among.empty() && guess.certain ? 1 : 0;
      }
    }
    const auto people = static_cast<double>(attacked_.num_rows());
    found.guessed /= people;
    found.baseline /= people;
    found.certain /= people;
    return found;
  }

  void AddNotes() {
    std::vector<std::string> labels;
    for (size_t q = 0; q < options_.quasi.size(); ++q) {
      const Column& column = release_.column(release_quasi_[q]);
      uint64_t unread = 0;
      for (Code cell = 0; cell < column.num_codes(); ++cell) {
        if (!targets_.covers[q]->is_mask(cell)) unread += targets_.covers[q]->is_unchecked(cell) ? 1 : 0;
      }
      if (unread > 0) labels.push_back(column.name());
    }
    if (!labels.empty()) {
      result_.notes.push_back(
          fmt::format("Cells of {} are labels that no original value has; they are taken to cover everything, so an "
                      "attacker who knows the hierarchy does better than shown.",
                      fmt::join(labels, ", ")));
    }
    if (result_.sampled) {
      result_.notes.push_back(fmt::format("A sample of {} of {} people was attacked (" TADA_OPTION("people") ").",
                                          attacked_.num_rows(), original_.num_rows()));
    }
    if (result_.all.matched < 1 && release_.num_rows() >= original_.num_rows()) {
      result_.notes.push_back("Some people of the original are covered by no released row: the release is not true.");
    }
  }

  const Table& release_;
  const Table& original_;
  const AttackOptions& options_;
  const Workers& workers_;
  std::vector<ColumnId> release_quasi_, release_sensitive_, sensitive_;
  std::vector<RowId> rows_;          // of the original, that are attacked
  std::vector<uint32_t> person_of_;  // by row, if people have several
  uint32_t num_people_ = 0;
  Table attacked_, made_up_;
  Classes all_classes_;  // by all quasi-identifiers, known or not
  People targets_, others_, suspects_;
  std::vector<SharedValues> values_;  // one per sensitive column
  AttackResult result_;
};

}  // namespace

Result<AttackResult> Attack(const Table& release, const Table& original, const AttackOptions& options,
                            const Workers& workers, Progress& progress) {
  return Attacker(release, original, options, workers).Run(progress);
}

}  // namespace tada
