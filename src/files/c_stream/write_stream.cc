#include "files/c_stream/write_stream.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>

#include "files/c_stream/distinct_values.h"
#include "files/write_parts.h"

namespace tada {
namespace {

// A released column: its type, and arrays of rows by the indices of their cells (or codes).
class ReleasedCells {
 public:
  virtual ~ReleasedCells() = default;
  virtual void FillSchema(ArrowSchema* out) const = 0;
  virtual void Gather(std::span<const uint32_t> indices, ArrowArray* out) const = 0;
};

class PlainCells final : public ReleasedCells {
 public:
  explicit PlainCells(DistinctValues values, std::deque<std::string> kept = {})
      : kept_(std::move(kept)), values_(std::move(values)) {}
  void FillSchema(ArrowSchema* out) const override { CheckArrow(ArrowSchemaDeepCopy(values_.type.get(), out)); }
  void Gather(std::span<const uint32_t> indices, ArrowArray* out) const override {
    GatherValues(values_, indices, out);
  }

 private:
  std::deque<std::string> kept_;
  DistinctValues values_;
};

// Nothing but nulls, of the type that only has nulls.
class NullCells final : public ReleasedCells {
 public:
  void FillSchema(ArrowSchema* out) const override {
    ArrowSchemaInit(out);
    CheckArrow(ArrowSchemaSetType(out, NANOARROW_TYPE_NA));
  }
  void Gather(std::span<const uint32_t> indices, ArrowArray* out) const override {
    CheckArrow(ArrowArrayInitFromType(out, NANOARROW_TYPE_NA));
    out->length = out->null_count = static_cast<int64_t>(indices.size());
    CheckArrow(ArrowArrayFinishBuilding(out, NANOARROW_VALIDATION_LEVEL_MINIMAL, nullptr));
  }
};

// A dictionary of strings: every batch has the whole dictionary, of those values that some released row has.
class DictionaryCells final : public ReleasedCells {
 public:
  DictionaryCells(const Column& column, const Release& release, DistinctValues values, bool ordered)
      : values_(std::move(values)), ordered_(ordered), index_of_(column.num_codes(), 0) {
    std::vector<bool> shown(column.num_codes());
    column.codes().Visit([&](auto codes) {
      for (const RowId row : release.row_order) shown[codes[row]] = true;
    });
    for (Code code = 0; code < column.num_codes(); ++code) {
      if (!shown[code] || values_.null[code]) continue;
      index_of_[code] = static_cast<uint32_t>(entries_.size());
      entries_.push_back(code);
    }
  }
  void FillSchema(ArrowSchema* out) const override {
    ArrowSchemaInit(out);
    CheckArrow(ArrowSchemaSetType(out, NANOARROW_TYPE_INT32));
    CheckArrow(ArrowSchemaAllocateDictionary(out));
    CheckArrow(ArrowSchemaDeepCopy(values_.type.get(), out->dictionary));
    if (ordered_) out->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
  }
  void Gather(std::span<const uint32_t> indices, ArrowArray* out) const override {
    CheckArrow(ArrowArrayInitFromType(out, NANOARROW_TYPE_INT32));
    CheckArrow(ArrowArrayAllocateDictionary(out));
    GatherValues(values_, entries_, out->dictionary);
    GatherValidity(values_.null, indices, out);
    ArrowBuffer* buffer = ArrowArrayBuffer(out, 1);
    CheckArrow(ArrowBufferResize(buffer, static_cast<int64_t>(indices.size() * sizeof(uint32_t)), 0));
    auto* into = reinterpret_cast<uint32_t*>(buffer->data);
    for (size_t i = 0; i < indices.size(); ++i) into[i] = index_of_[indices[i]];
    out->length = static_cast<int64_t>(indices.size());
    CheckArrow(ArrowArrayFinishBuilding(out, NANOARROW_VALIDATION_LEVEL_NONE, nullptr));
  }

 private:
  DistinctValues values_;
  bool ordered_;
  std::vector<uint32_t> index_of_;  // by code
  std::vector<uint32_t> entries_;   // codes
};

class IntervalCells final : public ReleasedCells {
 public:
  IntervalCells(const ReleasedColumn& released, DistinctValues values) : values_(std::move(values)) {
    // A masked cell has no bounds: they are null, by an entry behind the codes.
    const auto codes = static_cast<uint32_t>(values_.null.size());
    values_.null.push_back(true);
    if (values_.width == 0) values_.texts.emplace_back();
    values_.bytes.resize(values_.bytes.size() + values_.width);
    for (const Cell& cell : released.cells) {
      const bool mask = cell.form == Cell::Form::kMask;
      mask_.push_back(mask);
      low_.push_back(mask ? codes : cell.low);
      high_.push_back(mask ? codes : cell.form == Cell::Form::kInterval ? cell.high : cell.low);
    }
  }
  void FillSchema(ArrowSchema* out) const override {
    ArrowSchemaInit(out);
    CheckArrow(ArrowSchemaSetTypeStruct(out, 2));
    for (int i = 0; i < 2; ++i) {
      ArrowSchemaRelease(out->children[i]);
      CheckArrow(ArrowSchemaDeepCopy(values_.type.get(), out->children[i]));
      CheckArrow(ArrowSchemaSetName(out->children[i], i == 0 ? "lo" : "hi"));
      out->children[i]->flags = ARROW_FLAG_NULLABLE;
    }
  }
  void Gather(std::span<const uint32_t> indices, ArrowArray* out) const override {
    CheckArrow(ArrowArrayInitFromType(out, NANOARROW_TYPE_STRUCT));
    CheckArrow(ArrowArrayAllocateChildren(out, 2));
    GatherValidity(mask_, indices, out);
    std::vector<uint32_t> bounds(indices.size());
    for (size_t i = 0; i < indices.size(); ++i) bounds[i] = low_[indices[i]];
    GatherValues(values_, bounds, out->children[0]);
    for (size_t i = 0; i < indices.size(); ++i) bounds[i] = high_[indices[i]];
    GatherValues(values_, bounds, out->children[1]);
    out->length = static_cast<int64_t>(indices.size());
    CheckArrow(ArrowArrayFinishBuilding(out, NANOARROW_VALIDATION_LEVEL_NONE, nullptr));
  }

 private:
  DistinctValues values_;
  std::vector<bool> mask_;
  std::vector<uint32_t> low_, high_;
};

class SetCells final : public ReleasedCells {
 public:
  SetCells(const Column& column, const ReleasedColumn& released) {
    std::vector<std::string_view> texts;
    const auto text = [&](Code code) { return column.is_missing(code) ? std::string_view("") : column.text(code); };
    for (const Cell& cell : released.cells) {
      mask_.push_back(cell.form == Cell::Form::kMask);
      begin_.push_back(static_cast<uint32_t>(texts.size()));
      if (cell.form == Cell::Form::kMask) continue;
      if (cell.form == Cell::Form::kValue) {
        texts.push_back(text(cell.low));
        continue;
      }
      // As CellText has them: by text, since the order of codes may be the user's; missing is one element, however spelled.
      for (const Code code : released.sets[cell.index]) texts.push_back(text(code));
      const auto first = texts.begin() + begin_.back();
      std::sort(first, texts.end());
      texts.erase(std::unique(first, texts.end()), texts.end());
    }
    begin_.push_back(static_cast<uint32_t>(texts.size()));
    size_t longest = 1;
    for (size_t i = 0; i + 1 < begin_.size(); ++i) longest = std::max<size_t>(longest, begin_[i + 1] - begin_[i]);
    large_ = longest * kBatchRows > std::numeric_limits<int32_t>::max();
    values_ = StringValues(std::move(texts), {}, longest * kBatchRows);
  }
  void FillSchema(ArrowSchema* out) const override {
    ArrowSchemaInit(out);
    CheckArrow(ArrowSchemaSetType(out, large_ ? NANOARROW_TYPE_LARGE_LIST : NANOARROW_TYPE_LIST));
    ArrowSchemaRelease(out->children[0]);
    CheckArrow(ArrowSchemaDeepCopy(values_.type.get(), out->children[0]));
    CheckArrow(ArrowSchemaSetName(out->children[0], "item"));
    out->children[0]->flags = ARROW_FLAG_NULLABLE;
  }
  void Gather(std::span<const uint32_t> indices, ArrowArray* out) const override {
    large_ ? GatherLists<int64_t>(indices, out) : GatherLists<int32_t>(indices, out);
  }

 private:
  template <class Offset>
  void GatherLists(std::span<const uint32_t> indices, ArrowArray* out) const {
    CheckArrow(ArrowArrayInitFromType(out, large_ ? NANOARROW_TYPE_LARGE_LIST : NANOARROW_TYPE_LIST));
    CheckArrow(ArrowArrayAllocateChildren(out, 1));
    GatherValidity(mask_, indices, out);
    ArrowBuffer* buffer = ArrowArrayBuffer(out, 1);
    CheckArrow(ArrowBufferResize(buffer, static_cast<int64_t>((indices.size() + 1) * sizeof(Offset)), 0));
    auto* offsets = reinterpret_cast<Offset*>(buffer->data);
    std::vector<uint32_t> elements;
    offsets[0] = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
      for (uint32_t at = begin_[indices[i]]; at < begin_[indices[i] + 1]; ++at) elements.push_back(at);
      offsets[i + 1] = static_cast<Offset>(elements.size());
    }
    GatherValues(values_, elements, out->children[0]);
    out->length = static_cast<int64_t>(indices.size());
    CheckArrow(ArrowArrayFinishBuilding(out, NANOARROW_VALIDATION_LEVEL_NONE, nullptr));
  }

  DistinctValues values_;
  bool large_ = false;
  std::vector<bool> mask_;
  std::vector<uint32_t> begin_;  // of each cell's elements, and the end
};

std::unique_ptr<ReleasedCells> CellsOfUnchanged(const Column& column, const StoredValues& stored,
                                                const Release& release, bool untyped) {
  if (stored.leaf && stored.leaf->type == NANOARROW_TYPE_NA) return std::make_unique<NullCells>();
  DistinctValues values = ValuesOfColumn(column, stored, untyped || stored.inferred, false);
  if (!untyped && stored.leaf && stored.leaf->is_dictionary && values.width == 0) {
    return std::make_unique<DictionaryCells>(column, release, std::move(values), stored.leaf->is_ordered);
  }
  return std::make_unique<PlainCells>(std::move(values));
}

std::unique_ptr<ReleasedCells> MakeCells(const StoredValues& stored, const Release& release,
                                         const ReleasedColumn& released, CellForm form, bool untyped) {
  const Column& column = release.table->column(released.source);
  if (!released.recoded) return CellsOfUnchanged(column, stored, release, untyped);
  const auto has = [&](Cell::Form wanted) {
    return std::any_of(released.cells.begin(), released.cells.end(),
                       [&](const Cell& cell) { return cell.form == wanted; });
  };
  if (form != CellForm::kTyped || has(Cell::Form::kLabel)) {
    std::deque<std::string> kept;
    std::vector<std::string_view> texts;
    for (std::string& text : CellTexts(column, released, form)) texts.push_back(kept.emplace_back(std::move(text)));
    return std::make_unique<PlainCells>(StringValues(std::move(texts), {}, kBatchRows), std::move(kept));
  }
  if (released.bounds != nullptr && column.is_numeric() &&
      !has(Cell::Form::kSet)) {  // no values of the input: their type follows from their texts
    return std::make_unique<IntervalCells>(released, ValuesOfColumn(*released.bounds, StoredValues(), true, true));
  }
  if (column.is_numeric() && !has(Cell::Form::kSet)) {
    return std::make_unique<IntervalCells>(released, ValuesOfColumn(column, stored, untyped, true));
  }
  TADA_ASSERT(!has(Cell::Form::kInterval));
  return std::make_unique<SetCells>(released.shown(column), released);
}

// A stream's own state: which batch is next.
struct Export {
  std::shared_ptr<const Batches> batches;
  size_t next = 0;
};

// An array that shares the buffers of a batch: released by dropping its share of the whole.
struct SharedArray {
  std::shared_ptr<const Batches> owner;
  std::vector<ArrowArray*> child_arrays;
  std::vector<ArrowArray> child_storage;
  ArrowArray dictionary;
};

void ReleaseShared(ArrowArray* array);

void Share(const ArrowArray& from, const std::shared_ptr<const Batches>& owner, ArrowArray* out) {
  auto shared = std::make_unique<SharedArray>();
  shared->owner = owner;
  *out = from;  // lengths and buffers
  shared->child_storage.resize(static_cast<size_t>(from.n_children));
  for (int64_t i = 0; i < from.n_children; ++i) {
    ArrowArray& child = shared->child_storage[static_cast<size_t>(i)];
    Share(*from.children[i], owner, &child);
    shared->child_arrays.push_back(&child);
  }
  out->children = shared->child_arrays.data();
  if (from.dictionary != nullptr) {
    Share(*from.dictionary, owner, &shared->dictionary);
    out->dictionary = &shared->dictionary;
  }
  out->release = &ReleaseShared;
  out->private_data = shared.release();
}

void ReleaseShared(ArrowArray* array) {
  const std::unique_ptr<SharedArray> shared(static_cast<SharedArray*>(array->private_data));
  for (ArrowArray& child : shared->child_storage) {
    if (child.release != nullptr) child.release(&child);  // unless its consumer moved it away
  }
  if (array->dictionary != nullptr && array->dictionary->release != nullptr)
    array->dictionary->release(array->dictionary);
  array->release = nullptr;
}

int StreamSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  return ArrowSchemaDeepCopy(static_cast<Export*>(stream->private_data)->batches->schema.get(), out);
}

int StreamNext(ArrowArrayStream* stream, ArrowArray* out) {
  auto& state = *static_cast<Export*>(stream->private_data);
  out->release = nullptr;
  if (state.next < state.batches->arrays.size()) Share(*state.batches->arrays[state.next++].get(), state.batches, out);
  return NANOARROW_OK;
}

const char* StreamError(ArrowArrayStream*) { return nullptr; }

void StreamRelease(ArrowArrayStream* stream) {
  delete static_cast<Export*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

Batches MakeBatches(std::span<const StoredValues> stored, const Release& release, CellForm form, bool untyped,
                    const Workers& workers, Progress& progress, std::span<const ColumnId> as_text) {
  const size_t num_columns = release.columns.size();
  std::vector<std::unique_ptr<ReleasedCells>> columns(num_columns);
  workers.For(num_columns, [&](size_t i) {
    const ReleasedColumn& released = release.columns[i];
    const bool text = form == CellForm::kTyped && std::ranges::find(as_text, released.source) != as_text.end();
    columns[i] = MakeCells(stored[released.source], release, released, text ? CellForm::kText : form, untyped);
  });
  Batches made;
  ArrowSchemaInit(made.schema.get());
  CheckArrow(ArrowSchemaSetTypeStruct(made.schema.get(), static_cast<int64_t>(num_columns)));
  for (size_t i = 0; i < num_columns; ++i) {
    ArrowSchema* field = made.schema->children[i];
    ArrowSchemaRelease(field);
    columns[i]->FillSchema(field);
    CheckArrow(ArrowSchemaSetName(field, release.table->column(release.columns[i].source).name().c_str()));
    field->flags |= ARROW_FLAG_NULLABLE;
  }
  const size_t rows = release.row_order.size();
  progress.Begin("write", rows);
  for (size_t begin = 0; begin < rows; begin += kBatchRows) {
    const size_t count = std::min(kBatchRows, rows - begin);
    nanoarrow::UniqueArray batch;
    CheckArrow(ArrowArrayInitFromType(batch.get(), NANOARROW_TYPE_STRUCT));
    CheckArrow(ArrowArrayAllocateChildren(batch.get(), static_cast<int64_t>(num_columns)));
    workers.For(num_columns, [&](size_t i) {
      std::vector<uint32_t> indices(count);
      CellIndices(release, release.columns[i], begin, indices);
      columns[i]->Gather(indices, batch->children[i]);
    });
    batch->length = static_cast<int64_t>(count);
    CheckArrow(ArrowArrayFinishBuilding(batch.get(), NANOARROW_VALIDATION_LEVEL_NONE, nullptr));
    made.arrays.push_back(std::move(batch));
    progress.Advance(count);
  }
  return made;
}

void ExportStream(std::shared_ptr<const Batches> batches, ArrowArrayStream* out) {
  out->get_schema = &StreamSchema;
  out->get_next = &StreamNext;
  out->get_last_error = &StreamError;
  out->release = &StreamRelease;
  out->private_data = new Export{std::move(batches)};
}

}  // namespace tada
