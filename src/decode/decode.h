#pragma once

// From a release to a plain table that any tool can train on (docs/learning-from-a-release.md): every widened cell becomes a value inside it.
//   draw     one value of the cell, drawn in proportion to how often the release as a whole says that it occurs. Rows may be
//            drawn several times (copies); the first copy of all rows comes first, then the second.
//   expect   numbers become their mean inside the cell; a column of names becomes one column per value, `job=clerk`, with the
//            probability of the value.
//   model    draws in which the label has a say: decode/draw_by_model.h.
// Values, and columns without a widened cell, stay as they are. Nothing but the release is read, so that nothing can be
// learned from the result that the release does not tell; the rows of the result are not people.
// A draw depends on the seed, the column's name, the copy and the row's number only, hence not on threads.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/workers.h"
#include "decode/column_decoder.h"
#include "decode/draw_by_model.h"
#include "table/table.h"

namespace tada {

struct DecodeOptions {
  /// The columns to decode, whose cells may be in any notation. Nothing: all columns, where a widened cell is a mask, a set in
  /// braces or an interval in brackets. What else may be one, such as `20-30` or `476**`, may be a value too: a warning says
  /// that it was taken for one.
  std::optional<std::vector<std::string>> columns;
  /// The columns whose type is that of released cells, and what these are. Their texts are in our notation.
  std::map<std::string, Kind> typed_cells;
  /// Whether a column holds numbers or names, where its cells leave it open.
  std::map<std::string, Kind> kinds;
  /// How the values of a column are written, where somebody said so.
  std::map<std::string, Writing> writings;
  std::vector<std::string> missing = {"", "?"};
  /// How often each row is drawn; 0: as often as keeps the table at 30,000 rows, at most 4 times.
  uint32_t copies = 0;
  uint64_t seed = 1;
  bool expect = false;
  /// Draws by a model of this column; empty: by the marginals alone.
  std::string model_label;
  /// Whether it is predicted as a number; nothing: by its values.
  std::optional<bool> regression;
  /// Adds a column of this name with the weight of each row, 1/copies; empty: none.
  std::string weight_column;
  /// Estimates the shares of values from this release instead of the decoded one; null: the decoded one.
  const Table* learn_from = nullptr;
};

/// What became of a decoded column.
struct DecodedColumn {
  std::string name;
  Reading reading = Reading::kNames;
  uint64_t num_values = 0;    ///< that are drawn from
  uint64_t widened_rows = 0;  ///< with a cell that is no value
};

struct Decoded {
  Table table;
  uint32_t copies = 1;
  std::vector<DecodedColumn> columns;
  std::optional<ModelFindings> model;  ///< if one was asked for and there was something to draw
  std::vector<std::string> warnings;
};

/// Decodes a release that was read as text. Errors: a column that is not there, one whose name is taken, copies or
/// values beyond what a table can hold, a label that no model can learn.
Result<Decoded> Decode(const Table& release, const DecodeOptions& options, const Workers& workers, Progress& progress);
Result<Decoded> Decode(const Table& release, const DecodeOptions& options, const Workers& workers);

/// Draws a value for every row of a column, `copies` times, one copy behind the other: `written_as` of the text, an index into
/// decoder.cells().texts, goes to `out`.
void DrawRows(const Column& column, const ColumnDecoder& decoder, uint64_t seed, uint32_t copies,
              std::span<const uint32_t> written_as, const Workers& workers, std::span<uint32_t> out);

/// How often each of `rows` rows is drawn if nobody says.
uint32_t DefaultCopies(size_t rows);

}  // namespace tada
