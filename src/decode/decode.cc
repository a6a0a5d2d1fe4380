#include "decode/decode.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/option_mark.h"
#include "base/random.h"
#include "decode/decode_parts.h"
#include "table/column_doubt.h"

namespace tada {
namespace {

constexpr size_t kEnoughRows = 30000;
constexpr size_t kMostCopies = 4;
constexpr size_t kBlockRows = 1 << 16;
constexpr size_t kCellsShown = 3;

/// The columns to look at, by id: those named, or all.
Result<std::vector<bool>> Wanted(const Table& release, const DecodeOptions& options) {
  std::vector<bool> wanted(release.num_columns(), !options.columns.has_value());
  if (!options.columns) return wanted;
  for (const std::string& name : *options.columns) {
    const auto id = release.Find(name);
    if (!id) return InvalidArgument("The release has no column of that name: {}", name);
    wanted[*id] = true;
  }
  return wanted;
}

DecodedColumn Describe(const Column& column, const ColumnDecoder& decoder) {
  DecodedColumn described{column.name(), decoder.cells().reading, decoder.cells().num_atoms(), 0};
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) described.widened_rows += decoder.widened(code) ? 1 : 0;
  });
  return described;
}

// What is to be said of cells that could not be decoded.
void WarnOf(const Column& column, const ColumnDecoder& decoder, bool expect, std::vector<std::string>& warnings) {
  const std::vector<Code>& unread = decoder.unread();
  if (decoder.cells().beyond_doubles) {
    warnings.push_back(fmt::format(
        "Column {}: of cells with numbers from 2^53 on, an end is taken: none between is known", column.name()));
  }
  if (unread.empty()) return;
  if (!decoder.undecided().empty()) {
    const Error error = UndecidedWriting(column.name(), decoder.undecided());
    warnings.push_back(fmt::format("{}. {}", error.message, error.hint));
  }
  if (decoder.knows_no_value()) {
    warnings.push_back(fmt::format("Column {}: no value is known that its cells could stand for; they stay as they are",
                                   column.name()));
    return;
  }
  std::vector<std::string_view> shown;
  for (size_t i = 0; i < std::min(unread.size(), kCellsShown); ++i) shown.push_back(column.text(unread[i]));
  const bool zero = expect && decoder.any_changed() && decoder.cells().reading == Reading::kNames;
  warnings.push_back(fmt::format("Column {}: {} different cells could not be read and {}: {}", column.name(),
                                 unread.size(), zero ? "have probability 0 for every value" : "stay as they are",
                                 fmt::join(shown, ", ")));
}

Status CheckNames(const std::vector<Column>& columns) {
  std::set<std::string_view> names;
  for (const Column& column : columns) {
    if (names.insert(column.name()).second) continue;
    return InvalidArgument("Two columns of the result would have the same name: {}", column.name())
        .WithHint("Rename the column in the release, or choose another " TADA_OPTION("weight-column") ".");
  }
  return Ok();
}

// The rows of the release, one copy behind the other.
std::vector<RowId> RepeatedRows(size_t rows, uint32_t copies) {
  std::vector<RowId> repeated(rows * copies);
  for (size_t i = 0; i < repeated.size(); ++i) repeated[i] = static_cast<RowId>(i % rows);
  return repeated;
}

Result<Column> WeightColumn(const std::string& name, size_t rows, uint32_t copies) {
  ColumnBuilder builder(name, {.kind = Kind::kNumeric, .missing = {}});
  const uint32_t number = builder.Intern(fmt::format("{}", 1.0 / copies));
  for (uint32_t& row : builder.Extend(rows)) row = number;
  return builder.Finish();
}

template <class Value>
std::optional<Value> At(const std::map<std::string, Value>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

ColumnDecoder ReadColumn(const Column& column, const DecodeOptions& options) {
  const auto learn = options.learn_from == nullptr ? std::nullopt : options.learn_from->Find(column.name());
  const auto kind = At(options.kinds, column.name()), typed = At(options.typed_cells, column.name());
  const auto writing = options.writings.find(column.name());
  return {column,
          learn ? &options.learn_from->column(*learn) : nullptr,
          kind ? kind : typed,
          options.missing,
          options.columns && !typed ? Notation::kAny : Notation::kOurs,
          writing == options.writings.end() ? Writing() : writing->second};
}

// The columns that there is something to do for or to say about; what another notation would read is reported.
Result<std::vector<std::optional<ColumnDecoder>>> ReadColumns(const Table& release, const DecodeOptions& options,
                                                              const Workers& workers,
                                                              std::vector<std::string>& warnings) {
  TADA_TRY(wanted, Wanted(release, options));
  std::vector<std::optional<ColumnDecoder>> decoders(release.num_columns());
  workers.For(release.num_columns(), [&](size_t id) {
    if (!wanted[id]) return;
    workers.Poll();
    decoders[id].emplace(ReadColumn(release.column(static_cast<ColumnId>(id)), options));
  });
  for (ColumnId id = 0; id < release.num_columns(); ++id) {
    if (!decoders[id]) continue;
    const Column& column = release.column(id);
    if (const auto foreign = decoders[id]->cells().foreign) {
      warnings.push_back(fmt::format(
          "Column {}: cells like {} are taken for values. If they are not, name the column in " TADA_OPTION("quasi"),
          column.name(), column.text(*foreign)));
    }
    if (!decoders[id]->any_changed() && decoders[id]->unread().empty()) {
      decoders[id].reset();
    } else if (options.learn_from != nullptr && !options.learn_from->Find(column.name())) {
      return InvalidArgument("The release to learn from has no column of that name: {}", column.name());
    }
  }
  return decoders;
}

// What a model draws, by column; nothing of a table without widened cells.
Result<ModelDraws> AskModel(const Table& release, const std::vector<std::optional<ColumnDecoder>>& decoders,
                            const DecodeOptions& options, uint32_t copies, const Workers& workers, Progress& progress) {
  const auto label = release.Find(options.model_label);
  if (!label) return InvalidArgument("The release has no column of that name: {}", options.model_label);
  if (decoders[*label]) {
    return InvalidArgument("The label {} has widened cells: a model learns from labels that are released as they are",
                           options.model_label)
        .WithHint("Name another column with " TADA_OPTION("label") ", or leave out " TADA_OPTION("model") ".");
  }
  std::vector<ModelColumn> columns;
  for (ColumnId id = 0; id < release.num_columns(); ++id) {
    if (id != *label) columns.push_back({&release.column(id), decoders[id] ? &*decoders[id] : nullptr});
  }
  TADA_TRY(draws,
           DrawByModel({columns, &release.column(*label), options.regression, options.missing, options.seed, copies},
                       workers, progress));
  draws.texts.insert(draws.texts.begin() + *label, std::vector<uint32_t>());
  return draws;
}

}  // namespace

uint64_t SeedOfColumn(uint64_t seed, std::string_view name) {
  uint64_t hash = 0xCBF29CE484222325ull;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  return MixSeed(seed, hash);
}

uint32_t DefaultCopies(size_t rows) {
  return static_cast<uint32_t>(std::clamp<size_t>(rows == 0 ? 1 : kEnoughRows / rows, 1, kMostCopies));
}

void DrawRows(const Column& column, const ColumnDecoder& decoder, uint64_t seed, uint32_t copies,
              std::span<const uint32_t> written_as, const Workers& workers, std::span<uint32_t> out) {
  const uint64_t column_seed = SeedOfColumn(seed, column.name());
  for (uint32_t copy = 0; copy < copies; ++copy) {
    const uint64_t copy_seed = MixSeed(column_seed, copy);
    workers.ForBlocks(column.num_rows(), kBlockRows, [&](size_t begin, size_t end) {
      column.codes().Visit([&](auto codes) {
        for (size_t row = begin; row < end; ++row) {
          const double unit = static_cast<double>(MixSeed(copy_seed, row) >> 11) * 0x1p-53;
          out[copy * column.num_rows() + row] = written_as[decoder.Draw(codes[row], unit)];
        }
      });
    });
  }
}

Result<Column> DrawColumn(const Column& column, const ColumnDecoder& decoder, const DecodeOptions& options,
                          uint32_t copies, std::span<const uint32_t> texts, const Workers& workers) {
  const bool names = decoder.cells().reading == Reading::kNames;
  ColumnBuilder builder(column.name(),
                        {.kind = names ? std::optional(Kind::kCategorical) : std::nullopt, .missing = options.missing});
  std::vector<uint32_t> number_of;
  for (const std::string& text : decoder.cells().texts) number_of.push_back(builder.Intern(text));
  const std::span<uint32_t> out = builder.Extend(column.num_rows() * copies);
  if (texts.empty()) {
    DrawRows(column, decoder, options.seed, copies, number_of, workers, out);
  } else {
    for (size_t i = 0; i < out.size(); ++i) out[i] = number_of[texts[i]];
  }
  return builder.Finish();
}

Result<Decoded> Decode(const Table& release, const DecodeOptions& options, const Workers& workers) {
  NoProgress progress;
  return Decode(release, options, workers, progress);
}

Result<Decoded> Decode(const Table& release, const DecodeOptions& options, const Workers& workers, Progress& progress) {
  Decoded decoded;
  TADA_TRY(decoders, ReadColumns(release, options, workers, decoded.warnings));
  const bool any = std::any_of(decoders.begin(), decoders.end(), [](const auto& d) { return d && d->any_changed(); });
  decoded.copies = options.expect       ? 1
                   : options.copies > 0 ? options.copies
                   : any                ? DefaultCopies(release.num_rows())
                                        : 1;
  if (release.num_rows() * decoded.copies > std::numeric_limits<RowId>::max()) {
    return InvalidArgument("The copies of all rows do not fit into one table: {} times {}", decoded.copies,
                           release.num_rows())
        .WithHint("Lower " TADA_OPTION("copies") ".");
  }
  std::vector<std::vector<uint32_t>> drawn_texts(release.num_columns());
  if (!options.model_label.empty() && any) {
    TADA_TRY(draws, AskModel(release, decoders, options, decoded.copies, workers, progress));
    decoded.model = std::move(draws.findings);
    drawn_texts = std::move(draws.texts);
  }
  const std::vector<RowId> repeated =
      decoded.copies > 1 ? RepeatedRows(release.num_rows(), decoded.copies) : std::vector<RowId>();
  std::vector<Column> columns;
  for (ColumnId id = 0; id < release.num_columns(); ++id) {
    workers.Poll();
    const Column& column = release.column(id);
    if (decoders[id]) WarnOf(column, *decoders[id], options.expect, decoded.warnings);
    if (!decoders[id] || !decoders[id]->any_changed()) {
      columns.push_back(decoded.copies > 1 ? column.Select(repeated) : column);
      continue;
    }
    decoded.columns.push_back(Describe(column, *decoders[id]));
    if (options.expect) {
      TADA_CHECK_OK(ExpectColumns(column, *decoders[id], options, workers, columns));
    } else {
      TADA_TRY(drawn, DrawColumn(column, *decoders[id], options, decoded.copies, drawn_texts[id], workers));
      columns.push_back(std::move(drawn));
      drawn_texts[id] = {};
    }
    decoders[id].reset();
  }
  if (!options.weight_column.empty()) {
    TADA_TRY(weights, WeightColumn(options.weight_column, release.num_rows() * decoded.copies, decoded.copies));
    columns.push_back(std::move(weights));
  }
  TADA_CHECK_OK(CheckNames(columns));
  decoded.table = Table(std::move(columns));
  return decoded;
}

}  // namespace tada
