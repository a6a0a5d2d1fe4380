#include "evaluate/features.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "decode/decode.h"
#include "table/column_builder.h"
#include "table/number.h"

namespace tada {
namespace {

// Cells of one original column: those of its codes come first, under the codes' numbers; then "anything".
class CellMaker {
 public:
  explicit CellMaker(const Column& source) : source_(source) {
    made_.numeric = source.is_numeric();
    for (Code code = source.num_missing(); code < source.num_codes() && made_.numeric; ++code) {
      low_ = std::min(low_, source.number(code));
      high_ = std::max(high_, source.number(code));
    }
    if (!(low_ <= high_)) low_ = high_ = 0;
    made_.num_names = made_.numeric ? 0 : source.num_values();
    for (Code code = 0; code < source.num_codes(); ++code) {
      if (!made_.numeric) {
        AddNames({source.value_id(code)});
      } else if (source.is_missing(code)) {
        AddInterval(low_, high_);
      } else {
        AddInterval(source.number(code), source.number(code));
      }
    }
    AddAnything();
  }

  uint32_t AddInterval(double low, double high) {
    made_.cells.push_back({low, high, 0, 0});
    return Last();
  }
  uint32_t AddNames(const std::set<uint32_t>& names) {
    const auto begin = static_cast<uint32_t>(made_.names.size());
    made_.names.insert(made_.names.end(), names.begin(), names.end());
    made_.cells.push_back({0, 0, begin, static_cast<uint32_t>(made_.names.size())});
    return Last();
  }
  uint32_t anything() const { return source_.num_codes(); }
  CellColumn& column() { return made_; }

 private:
  uint32_t Last() const { return static_cast<uint32_t>(made_.cells.size()) - 1; }
  void AddAnything() {
    if (made_.numeric) {
      AddInterval(low_, high_);
      return;
    }
    std::set<uint32_t> all;
    for (uint32_t name = 0; name < made_.num_names; ++name) all.insert(all.end(), name);
    AddNames(all);
  }

  const Column& source_;
  CellColumn made_;
  double low_ = INFINITY, high_ = -INFINITY;
};

// A label of a hierarchy stands for the values that its rows have: who receives the release knows the hierarchy.
std::vector<std::set<uint32_t>> NamesOfLabels(const Release& release, const ReleasedColumn& shown,
                                              const Column& source) {
  std::vector<std::set<uint32_t>> names(shown.cells.size());
  if (shown.labels.empty()) return names;
  for (RowId row = 0; row < release.group_of_row.size(); ++row) {
    const GroupId group = release.group_of_row[row];
    if (group >= shown.cell_of_group.size()) continue;  // withheld
    names[shown.cell_of_group[group]].insert(source.value_id(source.codes()[row]));
  }
  return names;
}

CellColumn Recoded(const Release& release, const ReleasedColumn& shown, const Column& source) {
  CellMaker maker(source);
  const auto of_label = NamesOfLabels(release, shown, source);
  std::vector<uint32_t> number;
  for (size_t i = 0; i < shown.cells.size(); ++i) {
    const Cell& cell = shown.cells[i];
    if (cell.form == Cell::Form::kMask) {
      number.push_back(maker.anything());
    } else if (cell.form == Cell::Form::kValue) {
      number.push_back(cell.low);
    } else if (source.is_numeric()) {
      const bool missing = source.is_missing(cell.low) || source.is_missing(cell.high);
      number.push_back(missing ? maker.anything()
                               : maker.AddInterval(source.number(cell.low), source.number(cell.high)));
    } else if (cell.form == Cell::Form::kLabel) {
      number.push_back(maker.AddNames(of_label[i]));
    } else {
      std::set<uint32_t> names;
      for (const Code code : shown.sets[cell.index]) names.insert(source.value_id(code));
      number.push_back(maker.AddNames(names));
    }
  }
  for (const GroupId group : release.group_of_row) {
    maker.column().of_row.push_back(group < shown.cell_of_group.size() ? number[shown.cell_of_group[group]]
                                                                       : maker.anything());
  }
  return std::move(maker.column());
}

// What a release shows of a column, as text: what a receiver decodes.
Column ShownColumn(const Release& release, const ReleasedColumn& shown, const Column& source) {
  ColumnBuilder builder(source.name(), {.kind = Kind::kCategorical, .missing = {}});
  std::vector<uint32_t> texts;
  for (const Cell& cell : shown.cells) {
    const std::string text = CellText(source, shown, cell);
    const bool is_name = cell.form == Cell::Form::kValue && !source.is_numeric();
    texts.push_back(builder.Intern(is_name ? SingleCellText(text) : text));
  }
  for (const GroupId group : release.group_of_row) {
    builder.Append(group < shown.cell_of_group.size() ? texts[shown.cell_of_group[group]] : builder.Intern("*"));
  }
  Result<Column> built = builder.Finish();
  TADA_ASSERT(built.ok());
  return std::move(built).value();
}

std::optional<double> NumberOf(std::string_view text, Reading reading, const Writing& writing) {
  const auto plain = writing.Plain(text);
  const std::string_view as = plain ? std::string_view(*plain) : text;
  return reading == Reading::kDates ? ParseDate(as) : ParseNumber(as);
}

// A recoded column, what its cells stand for, and the cell that each drawn text is.
class DrawnColumn {
 public:
  DrawnColumn(const Release& release, const ReleasedColumn& shown, const Column& source,
              std::span<const std::string> missing)
      : column_(ShownColumn(release, shown, source)),
        decoder_(column_, nullptr, source.kind(), missing, Notation::kOurs, source.writing()),
        maker_(source) {
    std::unordered_map<std::string_view, Code> code_of;
    for (Code code = 0; code < source.num_codes(); ++code) code_of.emplace(source.text(code), code);
    const CellAtoms& atoms = decoder_.cells();
    for (const std::string& text : atoms.texts) {
      const auto found = code_of.find(text);
      const auto number = found == code_of.end() && source.is_numeric()
                              ? NumberOf(text, atoms.reading, source.writing())
                              : std::nullopt;
      cell_of_text_.push_back(found != code_of.end() ? found->second
                              : number               ? maker_.AddInterval(*number, *number)
                                                     : maker_.anything());
    }
  }

  ModelColumn for_model() const { return {&column_, decoder_.any_changed() ? &decoder_ : nullptr}; }
  /// The drawn cells; `texts` are those of a model, empty if the marginals draw.
  CellColumn Cells(const DrawSettings& settings, std::span<const uint32_t> texts) && {
    std::vector<uint32_t>& of_row = maker_.column().of_row;
    of_row.resize(column_.num_rows() * settings.copies);
    if (texts.empty()) {
      DrawRows(column_, decoder_, settings.seed, settings.copies, cell_of_text_, settings.workers, of_row);
    } else {
      for (size_t i = 0; i < of_row.size(); ++i) of_row[i] = cell_of_text_[texts[i]];
    }
    return std::move(maker_.column());
  }

 private:
  Column column_;
  ColumnDecoder decoder_;
  CellMaker maker_;
  std::vector<uint32_t> cell_of_text_;
};

std::vector<uint32_t> CodesOf(const Column& column) {
  std::vector<uint32_t> of_row;
  column.codes().Visit([&](auto codes) { of_row.assign(codes.begin(), codes.end()); });
  return of_row;
}

// The values that the names of a column are, by atom: its number, or that of none.
std::vector<uint32_t> NamesOfAtoms(const CellAtoms& atoms, const Column& source) {
  std::unordered_map<std::string_view, Code> code_of;
  for (Code code = 0; code < source.num_codes(); ++code) code_of.emplace(source.text(code), code);
  std::vector<uint32_t> names;
  for (uint32_t atom = 0; atom < atoms.num_atoms(); ++atom) {
    const auto found = code_of.find(atoms.texts[atom]);
    names.push_back(found != code_of.end() ? source.value_id(found->second) : source.num_values());
  }
  return names;
}

// A column of probabilities for each name. What is none of the original's values, as a label of a hierarchy, may be any.
void AddProbabilities(const Column& column, const ColumnDecoder& decoder, const Column& source,
                      std::vector<CellColumn>& columns) {
  const CellAtoms& atoms = decoder.cells();
  const std::vector<uint32_t> name_of = NamesOfAtoms(atoms, source);
  const size_t num_names = source.num_values();
  std::vector<std::vector<double>> by_name(num_names, std::vector<double>(column.num_codes(), 0.0));
  for (Code code = 0; code < column.num_codes(); ++code) {
    double left = 1;
    const std::vector<double> probabilities = decoder.Probabilities(code);
    for (uint32_t i = 0; i < probabilities.size(); ++i) {
      const uint32_t name = name_of[atoms.atom(atoms.choices[code], i)];
      if (name == num_names) continue;
      by_name[name][code] += probabilities[i];
      left -= probabilities[i];
    }
    for (auto& of_cell : by_name) of_cell[code] += std::max(left, 0.0) / static_cast<double>(num_names);
  }
  for (const auto& of_cell : by_name) columns.push_back(NumberColumn(of_cell, CodesOf(column), true));
}

// The mean of each cell; where there is none, as for a missing value, the middle of the column.
CellColumn Means(const Column& column, const ColumnDecoder& decoder, const Column& source) {
  const CellAtoms& atoms = decoder.cells();
  CellMaker maker(source);
  const double middle = maker.column().cells[maker.anything()].middle();
  std::vector<double> of_cell;
  for (Code code = 0; code < column.num_codes(); ++code) {
    const uint32_t text = atoms.choices[code].text;
    const auto mean = text != CellAtoms::kDrawn ? NumberOf(atoms.texts[text], atoms.reading, source.writing())
                                                : decoder.ExpectedNumber(code);
    of_cell.push_back(mean.value_or(middle));
  }
  return NumberColumn(of_cell, CodesOf(column), false);
}

CellColumn Raw(const Column& source, std::span<const RowId> rows) {
  CellMaker maker(source);
  for (const RowId row : rows) maker.column().of_row.push_back(source.codes()[row]);
  return std::move(maker.column());
}

std::vector<ColumnId> Features(const Roles& roles) {
  std::vector<ColumnId> ids;
  for (const auto* list : {&roles.quasi, &roles.sensitive, &roles.keep})
    ids.insert(ids.end(), list->begin(), list->end());
  std::sort(ids.begin(), ids.end());
  return ids;
}

void AddLabels(const Table& table, const Roles& roles, bool regression, std::span<const RowId> rows, CellTable& cells) {
  cells.num_rows = rows.size();
  if (roles.label.empty()) return;
  const Column& label = table.column(roles.label.front());
  cells.num_labels = label.num_values();
  for (const RowId row : rows) {
    const Code code = label.codes()[row];
    cells.labels.push_back(label.value_id(code));
    if (regression) {
      cells.targets.push_back(label.is_missing(code) ? std::numeric_limits<double>::quiet_NaN() : label.number(code));
    }
  }
}

// All rows, one copy behind the other.
std::vector<RowId> AllRows(const Table& table, uint32_t copies) {
  std::vector<RowId> rows(table.num_rows() * copies);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<RowId>(i % table.num_rows());
  return rows;
}

const ReleasedColumn& Shown(const Release& release, ColumnId id) {
  const auto shown = std::find_if(release.columns.begin(), release.columns.end(),
                                  [&](const ReleasedColumn& column) { return column.source == id; });
  TADA_ASSERT(shown != release.columns.end());
  return *shown;
}

template <class Make>
CellTable FromRelease(const Release& release, const Roles& roles, bool regression, const Make& make) {
  const Table& table = *release.table;
  const std::vector<RowId> rows = AllRows(table, 1);
  CellTable cells;
  for (const ColumnId id : Features(roles)) {
    const ReleasedColumn& shown = Shown(release, id);
    cells.columns.push_back(shown.recoded ? make(shown, table.column(id)) : Raw(table.column(id), rows));
  }
  AddLabels(table, roles, regression, rows, cells);
  return cells;
}

}  // namespace

CellTable RawCells(const Table& table, const Roles& roles, bool regression, std::span<const RowId> rows) {
  CellTable cells;
  for (const ColumnId id : Features(roles)) cells.columns.push_back(Raw(table.column(id), rows));
  AddLabels(table, roles, regression, rows, cells);
  return cells;
}

CellTable ReleasedCells(const Release& release, const Roles& roles, bool regression) {
  return FromRelease(release, roles, regression, [&](const ReleasedColumn& shown, const Column& source) {
    return Recoded(release, shown, source);
  });
}

CellTable ExpectedCells(const Release& release, const Roles& roles, bool regression,
                        std::span<const std::string> missing) {
  CellTable cells{{}, {}, 0, {}, 0};
  const Table& table = *release.table;
  const std::vector<RowId> rows = AllRows(table, 1);
  for (const ColumnId id : Features(roles)) {
    const ReleasedColumn& shown = Shown(release, id);
    const Column& source = table.column(id);
    if (!shown.recoded) {
      CellTable one = ShareCells({{Raw(source, rows)}, {}, 0, {}, rows.size()});
      std::move(one.columns.begin(), one.columns.end(), std::back_inserter(cells.columns));
      continue;
    }
    const Column column = ShownColumn(release, shown, source);
    const ColumnDecoder decoder(column, nullptr, source.kind(), missing, Notation::kOurs, source.writing());
    if (source.is_numeric()) {
      cells.columns.push_back(Means(column, decoder, source));
    } else {
      AddProbabilities(column, decoder, source, cells.columns);
    }
  }
  AddLabels(table, roles, regression, rows, cells);
  return cells;
}

Result<CellTable> DrawnCells(const Release& release, const Roles& roles, bool regression,
                             const DrawSettings& settings) {
  const Table& table = *release.table;
  const std::vector<ColumnId> ids = Features(roles);
  std::vector<std::unique_ptr<DrawnColumn>> drawn;  // null: released as it is
  std::vector<ModelColumn> for_model;
  for (const ColumnId id : ids) {
    const ReleasedColumn& shown = Shown(release, id);
    drawn.push_back(shown.recoded ? std::make_unique<DrawnColumn>(release, shown, table.column(id), settings.missing)
                                  : nullptr);
    for_model.push_back(drawn.back() ? drawn.back()->for_model() : ModelColumn{&table.column(id), nullptr});
  }
  std::vector<std::vector<uint32_t>> texts(ids.size());
  if (settings.by_model && !roles.label.empty()) {
    NoProgress progress;
    TADA_TRY(draws, DrawByModel({for_model, &table.column(roles.label.front()), regression, settings.missing,
                                 settings.seed, settings.copies},
                                settings.workers, progress));
    texts = std::move(draws.texts);
  }
  const std::vector<RowId> rows = AllRows(table, settings.copies);
  CellTable cells;
  for (size_t i = 0; i < ids.size(); ++i) {
    cells.columns.push_back(drawn[i] ? std::move(*drawn[i]).Cells(settings, texts[i])
                                     : Raw(table.column(ids[i]), rows));
  }
  AddLabels(table, roles, regression, rows, cells);
  return cells;
}

}  // namespace tada
