#include "files/c_stream/read_stream.h"

#include <algorithm>
#include <unordered_set>

#include "files/c_stream/stream_column.h"
#include "table/column_doubt.h"

namespace tada {
namespace {

Error Damaged(const std::string& name, std::string_view why) {
  return DataError("Cannot read {}: {}", name, why).WithHint("Whoever made the Arrow stream says so; make it again.");
}

Result<std::vector<std::string>> ColumnNames(const ArrowSchema& schema, const std::string& name) {
  if (schema.format == nullptr || std::string_view(schema.format) != "+s") {
    return DataError("{} is a column, not a table: {}", name, TypeName(schema))
        .WithHint("Give a table, a data frame or a relation.");
  }
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (int64_t i = 0; i < schema.n_children; ++i) {
    names.emplace_back(schema.children[i]->name == nullptr ? "" : schema.children[i]->name);
    if (!seen.insert(names.back()).second) {
      return DataError("{}: two columns have the name '{}'", name, names.back()).WithHint("Rename one of them.");
    }
  }
  return names;
}

Result<nanoarrow::UniqueSchema> SchemaOf(ArrowArrayStream& stream, const std::string& name) {
  nanoarrow::UniqueSchema schema;
  ArrowError error;
  if (ArrowArrayStreamGetSchema(&stream, schema.get(), &error) != NANOARROW_OK) return Damaged(name, error.message);
  return schema;
}

// A column of a batch. One of type null has no buffers by the book; some producers give one.
Status SetView(ArrowArrayView& view, const ArrowArray& batch, int64_t field, const std::string& name) {
  ArrowArray column = *batch.children[field];
  if (view.storage_type == NANOARROW_TYPE_NA) column.n_buffers = 0;
  ArrowError error;
  if (ArrowArrayViewSetArray(&view, &column, &error) != NANOARROW_OK ||
      ArrowArrayViewValidate(&view, NANOARROW_VALIDATION_LEVEL_FULL, &error) != NANOARROW_OK) {
    return Damaged(name, error.message);
  }
  if (column.length < batch.offset + batch.length) return Damaged(name, "it is shorter than its batch");
  return Ok();
}

}  // namespace

struct StreamReader::State {
  StreamOptions options;
  std::vector<std::string> names;
  std::vector<int64_t> fields;  // of the columns below, in the stream
  std::vector<std::unique_ptr<StreamColumn>> columns;
  std::vector<nanoarrow::UniqueArrayView> views;  // of the columns; others are not looked at, whatever they hold
};

StreamReader::StreamReader() : state_(std::make_unique<State>()) {}
StreamReader::StreamReader(StreamReader&&) noexcept = default;
StreamReader::~StreamReader() = default;

Result<StreamReader> StreamReader::Open(const ArrowSchema& schema, const StreamOptions& options) {
  StreamReader reader;
  State& state = *reader.state_;
  state.options = options;
  TADA_TRY(names, ColumnNames(schema, options.name));
  state.names = std::move(names);
  for (int64_t i = 0; i < schema.n_children; ++i) {
    const std::string& name = state.names[static_cast<size_t>(i)];
    if (options.columns &&
        std::find(options.columns->begin(), options.columns->end(), name) == options.columns->end()) {
      continue;
    }
    const auto own = options.by_name.find(name);
    TADA_TRY(column, StreamColumn::Make(*schema.children[i],
                                        own != options.by_name.end() ? own->second : options.defaults, options.name));
    state.fields.push_back(i);
    state.columns.push_back(std::move(column));
    ArrowError error;
    if (ArrowArrayViewInitFromSchema(state.views.emplace_back().get(), schema.children[i], &error) != NANOARROW_OK) {
      return Damaged(fmt::format("{}, column '{}'", options.name, name), error.message);
    }
  }
  return reader;
}

Status StreamReader::Add(const ArrowArray& batch, const Workers& workers) {
  State& state = *state_;
  if (batch.n_children != static_cast<int64_t>(state.names.size()) || batch.n_buffers != 1 || batch.offset < 0) {
    return Damaged(state.options.name, "a batch has other columns than its schema says");
  }
  const auto* valid = static_cast<const uint8_t*>(batch.buffers[0]);
  for (int64_t i = 0; valid != nullptr && i < batch.length; ++i) {
    if (!ArrowBitGet(valid, batch.offset + i)) return Damaged(state.options.name, "a whole row is null");
  }
  for (size_t i = 0; i < state.columns.size(); ++i) {
    TADA_CHECK_OK(SetView(*state.views[i].get(), batch, state.fields[i],
                          fmt::format("{}, column '{}'", state.options.name, state.names[state.fields[i]])));
  }
  std::vector<Status> failed(state.columns.size());
  workers.For(state.columns.size(), [&](size_t i) {
    failed[i] = state.columns[i]->Feed(*state.views[i].get(), batch.offset, static_cast<size_t>(batch.length));
  });
  for (Status& status : failed) TADA_CHECK_OK(std::move(status));
  return Ok();
}

Result<StreamTable> StreamReader::Finish(const Workers& workers) {
  State& state = *state_;
  StreamTable made;
  made.all_columns = state.names;
  made.stored.resize(state.columns.size());
  std::vector<std::optional<Result<Column>>> finished(state.columns.size());
  workers.For(finished.size(), [&](size_t i) {
    finished[i] = state.columns[i]->Finish();
    if (finished[i]->ok()) made.stored[i] = state.columns[i]->Stored(**finished[i]);
  });
  std::vector<Column> columns;
  for (size_t i = 0; i < finished.size(); ++i) {
    if (!finished[i]->ok()) {
      Error error = std::move(*finished[i]).error();
      error.message = WithPlaces(error.message, nullptr);
      return error;
    }
    Column done = std::move(*finished[i]).value();
    if (const auto kind = state.columns[i]->typed_cells()) made.typed_cells[done.name()] = *kind;
    columns.push_back(std::move(done));
  }
  made.table = Table(std::move(columns));
  return made;
}

Error FailedStream(const std::string& name, std::string_view words) {
  constexpr std::string_view kOurs = "the reader of ", kKind = " failed: ";
  const size_t begin = words.find(kOurs), kind = words.find(kKind, begin == words.npos ? words.size() : begin);
  std::string why = "it failed before its end";
  if (words.find("a RecordBatchReader that was read before") != words.npos) {
    why = "it is a RecordBatchReader that was read before, and has its rows only once";
  } else if (kind != words.npos) {
    const size_t end =
        words.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", kind + kKind.size());
    why = words.substr(begin, end == words.npos ? end : end - begin);
  }
  return DataError("Cannot read {}: {}", name, why)
      .WithHint("Make the Arrow stream again; what its maker says may hold cells, and is left out.");
}

Result<StreamTable> ReadStream(ArrowArrayStream& stream, const StreamOptions& options, const Workers& workers,
                               Progress& progress) {
  TADA_TRY(schema, SchemaOf(stream, options.name));
  TADA_TRY(reader, StreamReader::Open(*schema.get(), options));
  progress.Begin("read", 0);
  for (;;) {
    workers.Poll();
    nanoarrow::UniqueArray batch;
    ArrowError error;
    if (ArrowArrayStreamGetNext(&stream, batch.get(), &error) != NANOARROW_OK)
      return FailedStream(options.name, error.message);
    if (batch->release == nullptr) break;
    TADA_CHECK_OK(reader.Add(*batch.get(), workers));
  }
  return reader.Finish(workers);
}

Result<std::vector<std::string>> StreamHeader(ArrowArrayStream& stream, const std::string& name) {
  TADA_TRY(schema, SchemaOf(stream, name));
  return ColumnNames(*schema.get(), name);
}

}  // namespace tada
