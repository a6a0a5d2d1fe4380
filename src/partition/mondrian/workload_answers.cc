#include <algorithm>
#include <cmath>

#include "partition/engine/splits/taxonomy_split.h"
#include "partition/mondrian/workload.h"

namespace tada {
namespace {

// Whether all values of a column are whole numbers: then a range holds a number of them, else it has a length.
bool IsWhole(const Column& column) {
  if (!column.is_numeric() || column.is_date()) return false;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    if (column.number(code) != std::floor(column.number(code))) return false;
  }
  return true;
}

// Says for groups which share of a cell meets a condition, if values are spread evenly over the cell.
class CellShare {
 public:
  CellShare(const Problem& problem, const BoundCondition& condition)
      : condition_(condition),
        column_(problem.quasi(condition.column)),
        domain_(problem.domains[condition.column]),
        hierarchy_(problem.hierarchy(condition.column)),
        whole_(IsWhole(column_)) {}

  double Of(std::span<const RowId> rows) {
    return column_.codes().Visit([&](auto codes) { return Of(codes, rows); });
  }

 private:
  template <class Codes>
  double Of(Codes codes, std::span<const RowId> rows) {
    Code low = codes[rows[0]], high = low;
    for (const RowId row : rows) {
      low = std::min<Code>(low, codes[row]);
      high = std::max<Code>(high, codes[row]);
    }
    if (low == high) return condition_.inside[low];
    if (hierarchy_ != nullptr) return OfNode(codes, rows);
    if (!column_.is_numeric()) return OfSet(codes, rows);
    if (column_.is_missing(low)) return OfRange(domain_.low, domain_.high);  // `*`
    return OfRange(low, high);
  }

  double OfRange(Code low, Code high) const {
    if (low > high) return 0;
    if (!condition_.is_range)
      return static_cast<double>(condition_.below[high + 1] - condition_.below[low]) / (high - low + 1);
    double from = std::max(condition_.low, column_.number(low)), to = std::min(condition_.high, column_.number(high));
    const double span = column_.number(high) - column_.number(low);
    if (whole_) return std::max(0.0, std::floor(to) - std::ceil(from) + 1) / (span + 1);
    return span > 0 ? std::max(0.0, to - from) / span : condition_.inside[low];
  }

  template <class Codes>
  double OfSet(Codes codes, std::span<const RowId> rows) {
    values_.clear();
    for (const RowId row : rows) values_.push_back(codes[row]);
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    double inside = 0;
    for (const Code code : values_) inside += condition_.inside[code];
    return inside / static_cast<double>(values_.size());
  }

  template <class Codes>
  double OfNode(Codes codes, std::span<const RowId> rows) {
    values_.clear();
    for (const RowId row : rows) values_.push_back(codes[row]);
    const uint32_t level = CommonLevel<Code>(*hierarchy_, std::span<const Code>(values_));
    double inside = 0, leaves = 0;
    for (Code code = 0; code < column_.num_codes(); ++code) {
      if (hierarchy_->node(level, code) != hierarchy_->node(level, values_[0])) continue;
      inside += condition_.inside[code];
      leaves += 1;
    }
    return inside / leaves;
  }

  const BoundCondition& condition_;
  const Column& column_;
  const Domain& domain_;
  const Hierarchy* hierarchy_;
  bool whole_;
  std::vector<Code> values_;
};

// Rows, and the label's sum or counts, as an answer is made from.
struct Sums {
  double rows = 0, labelled = 0, sum = 0;
  std::vector<double> classes;
};

class Collector {
 public:
  Collector(const Problem& problem, const BoundQuery& query) {
    if (!query.target) return;
    label_ = &problem.table.column(problem.roles.label[*query.target]);
    // Numbers beside classes are averaged, numbers alone are classes if the task says so.
    const bool has_classes = std::any_of(problem.roles.label.begin(), problem.roles.label.end(),
                                         [&](ColumnId id) { return !problem.table.column(id).is_numeric(); });
    numeric_ = label_->is_numeric() && (has_classes || problem.task != Task::kClassification);
    if (!numeric_) raw.classes.assign(label_->num_values(), 0), released.classes = raw.classes;
  }

  void Add(RowId row, double share, Sums& to) const {
    to.rows += share;
    if (label_ == nullptr) return;
    const Code code = label_->codes()[row];
    if (!numeric_) {
      to.classes[label_->value_id(code)] += share;
    } else if (!label_->is_missing(code)) {
      to.labelled += share;
      to.sum += share * label_->number(code);
    }
  }

  QueryAnswer Answer() const {
    QueryAnswer answer;
    if (label_ != nullptr && !numeric_) {
      const auto top =
          static_cast<size_t>(std::max_element(raw.classes.begin(), raw.classes.end()) - raw.classes.begin());
      const auto share = [](const Sums& sums, size_t c) { return sums.rows > 0 ? sums.classes[c] / sums.rows : 0; };
      answer.raw = share(raw, top);
      answer.released = share(released, top);
      for (size_t c = 0; c < raw.classes.size(); ++c)
        answer.error += 0.5 * std::abs(share(raw, c) - share(released, c));
      return answer;
    }
    const auto value = [&](const Sums& sums) {
      return label_ == nullptr ? sums.rows : sums.labelled > 0 ? sums.sum / sums.labelled : 0;
    };
    answer.raw = value(raw);
    answer.released = value(released);
    const double least = label_ == nullptr ? 1 : 1e-12;
    answer.error = std::abs(answer.released - answer.raw) / std::max(std::abs(answer.raw), least);
    return answer;
  }

  Sums raw, released;

 private:
  const Column* label_ = nullptr;
  bool numeric_ = false;
};

}  // namespace

std::vector<QueryAnswer> AnswerQueries(const Problem& problem, const Groups& groups,
                                       const std::vector<BoundQuery>& queries) {
  std::vector<QueryAnswer> answers(queries.size());
  problem.workers.For(queries.size(), [&](size_t j) {
    const BoundQuery& query = queries[j];
    std::vector<CellShare> shares;
    for (const BoundCondition& condition : query.where) shares.emplace_back(problem, condition);
    Collector collector(problem, query);
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      double share = 1;
      for (CellShare& cell : shares) share *= cell.Of(groups.rows(group));
      for (const RowId row : groups.rows(group)) {
        const bool inside = std::all_of(query.where.begin(), query.where.end(), [&](const BoundCondition& condition) {
          return condition.inside[problem.quasi(condition.column).codes()[row]] != 0;
        });
        if (inside) collector.Add(row, 1, collector.raw);
        if (share > 0) collector.Add(row, share, collector.released);
      }
    }
    answers[j] = collector.Answer();
  });
  return answers;
}

NoteSection ExplainWorkload(const std::vector<BoundQuery>& queries, const std::vector<QueryAnswer>& made,
                            const std::vector<QueryAnswer>& plain, const Problem& problem) {
  NoteSection section{.key = "workload", .title = "Queries of the workload", .raw = true};
  DataTable table{
      .header = {"Query", "Asks for", "Weight", "Raw answer", "Released answer", "Error", "Error of plain Mondrian"},
      .right = {false, false, true, true, true, true, true}};
  Fact::List facts;
  for (size_t j = 0; j < queries.size(); ++j) {
    const BoundQuery& query = queries[j];
    const std::string asks =
        query.target ? problem.table.column(problem.roles.label[*query.target]).name() : std::string("rows");
    table.rows.push_back({query.name, asks, fmt::format("{:g}", query.weight), fmt::format("{:.6g}", made[j].raw),
                          fmt::format("{:.6g}", made[j].released), fmt::format("{:.2f}%", 100 * made[j].error),
                          fmt::format("{:.2f}%", 100 * plain[j].error)});
    section.text += fmt::format("{}: {} {:.6g}, released {:.6g}, error {:.2f}% (plain Mondrian {:.2f}%)\n", query.name,
                                asks, made[j].raw, made[j].released, 100 * made[j].error, 100 * plain[j].error);
    facts.push_back(FactMap()
                        .Add("name", query.name)
                        .Add("asks", asks)
                        .Add("weight", query.weight)
                        .Add("raw", made[j].raw)
                        .Add("released", made[j].released)
                        .Add("error", made[j].error)
                        .Add("plain_released", plain[j].released)
                        .Add("plain_error", plain[j].error));
  }
  section.facts = std::move(facts);
  section.blocks.push_back({std::move(table)});
  return section;
}

}  // namespace tada
