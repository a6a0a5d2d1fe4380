// Means and probabilities instead of draws. What is written depends on the cell only, so each text is made once per cell.

#include "base/option_mark.h"
#include "decode/decode_parts.h"

namespace tada {
namespace {

constexpr uint32_t kMostValues = 1000;  // columns that one column of names may become

// A column with texts[cell] in every row that shows the cell.
Result<Column> FromCells(const Column& column, std::string name, const std::vector<std::string>& texts,
                         const std::vector<std::string>& missing) {
  ColumnBuilder builder(std::move(name), {.kind = std::nullopt, .missing = missing});
  std::vector<uint32_t> number_of;
  for (const std::string& text : texts) number_of.push_back(builder.Intern(text));
  const std::span<uint32_t> out = builder.Extend(column.num_rows());
  column.codes().Visit([&](auto codes) {
    for (size_t row = 0; row < codes.size(); ++row) out[row] = number_of[codes[row]];
  });
  return builder.Finish();
}

Result<Column> Means(const Column& column, const ColumnDecoder& decoder, const DecodeOptions& options) {
  const CellAtoms& cells = decoder.cells();
  std::vector<std::string> texts(column.num_codes());
  for (Code code = 0; code < column.num_codes(); ++code) {
    const CellAtoms::Choice& choice = cells.choices[code];
    if (choice.text != CellAtoms::kDrawn) {
      texts[code] = cells.texts[choice.text];
    } else if (const auto mean = decoder.ExpectedNumber(code)) {
      texts[code] = cells.reading == Reading::kDates ? MomentText(*mean, cells.moments) : fmt::format("{}", *mean);
      if (!decoder.writing().is_plain()) texts[code] = decoder.writing().Write(texts[code]);
    } else {
      texts[code] = cells.texts[cells.atom(choice, 0)];  // nothing but "missing"
    }
  }
  return FromCells(column, column.name(), texts, options.missing);
}

}  // namespace

Status ExpectColumns(const Column& column, const ColumnDecoder& decoder, const DecodeOptions& options,
                     const Workers& workers, std::vector<Column>& columns) {
  const CellAtoms& cells = decoder.cells();
  if (cells.reading != Reading::kNames) {
    TADA_TRY(means, Means(column, decoder, options));
    columns.push_back(std::move(means));
    return Ok();
  }
  if (cells.num_atoms() > kMostValues) {
    return InvalidArgument("Column {} has {} values, too many for one column of probabilities each", column.name(),
                           cells.num_atoms())
        .WithHint("Draw values instead, or name in " TADA_OPTION("quasi") " the columns to decode, without it.");
  }
  // Transposed, one list of texts per value; a cell that could not be read is none of the values.
  std::vector<std::vector<std::string>> texts(cells.num_atoms(), std::vector<std::string>(column.num_codes(), "0"));
  for (Code code = 0; code < column.num_codes(); ++code) {
    const CellAtoms::Choice& choice = cells.choices[code];
    const std::vector<double> probabilities = decoder.Probabilities(code);
    for (uint32_t i = 0; i < choice.size(); ++i) {
      texts[cells.atom(choice, i)][code] = fmt::format("{:.6g}", probabilities[i]);
    }
  }
  std::vector<std::optional<Result<Column>>> made(cells.num_atoms());
  workers.For(made.size(), [&](size_t atom) {
    made[atom].emplace(FromCells(column, fmt::format("{}={}", column.name(), cells.texts[atom]), texts[atom], {}));
  });
  for (auto& one : made) {
    TADA_TRY(finished, *std::move(one));
    columns.push_back(std::move(finished));
  }
  return Ok();
}

}  // namespace tada
