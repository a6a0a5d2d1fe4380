#include "files/arrow/pages/released_leaves.h"

#include <arrow/compute/api_vector.h>
#include <arrow/datum.h>

#include <numeric>

namespace tada {
namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;

// Sets values and entries of a leaf, an entry per value of the array.
arrow::Status SetValues(ArrayPtr array, bool all_differ, LeafCells& leaf) {
  leaf.entries.resize(static_cast<size_t>(array->length()));
  if (array->type_id() != arrow::Type::DICTIONARY && !all_differ) {
    ARROW_ASSIGN_OR_RAISE(const arrow::Datum coded, arrow::compute::DictionaryEncode(array));
    array = coded.make_array();
  }
  if (array->type_id() == arrow::Type::DICTIONARY) {
    const auto& coded = static_cast<const arrow::DictionaryArray&>(*array);
    leaf.values = coded.dictionary();
    for (size_t i = 0; i < leaf.entries.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      leaf.entries[i] = coded.IsNull(at) ? LeafCells::kNoValue : static_cast<int32_t>(coded.GetValueIndex(at));
    }
    return arrow::Status::OK();
  }
  for (size_t i = 0; i < leaf.entries.size(); ++i) {
    const bool null = array->IsNull(static_cast<int64_t>(i));
    leaf.entries[i] = null ? LeafCells::kNoValue : static_cast<int32_t>(i);
  }
  leaf.values = std::move(array);
  return arrow::Status::OK();
}

// A leaf with one level per cell. `parent`: the struct it is a part of, or null.
arrow::Result<LeafCells> OneLevelEach(const ArrayPtr& array, const arrow::Array* parent, bool all_differ) {
  LeafCells leaf;
  ARROW_RETURN_NOT_OK(SetValues(array, all_differ, leaf));
  leaf.begins.resize(leaf.entries.size() + 1);
  std::iota(leaf.begins.begin(), leaf.begins.end(), 0);
  leaf.definitions.resize(leaf.entries.size());
  for (size_t i = 0; i < leaf.entries.size(); ++i) {
    const bool there = parent == nullptr || parent->IsValid(static_cast<int64_t>(i));
    if (!there) leaf.entries[i] = LeafCells::kNoValue;
    leaf.definitions[i] =
        static_cast<int16_t>((parent != nullptr && there ? 1 : 0) + (leaf.entries[i] == LeafCells::kNoValue ? 0 : 1));
  }
  return leaf;
}

// The elements of lists: a null and an empty list have a level as well.
arrow::Result<LeafCells> Elements(const arrow::ListArray& lists) {
  LeafCells elements, leaf;
  ARROW_RETURN_NOT_OK(SetValues(lists.values(), false, elements));
  leaf.values = elements.values;
  leaf.repeated = true;
  const auto add = [&](int16_t definition, int32_t entry) {
    leaf.definitions.push_back(definition);
    leaf.entries.push_back(entry);
  };
  for (int64_t i = 0; i < lists.length(); ++i) {
    leaf.begins.push_back(static_cast<uint32_t>(leaf.entries.size()));
    if (lists.IsNull(i)) {
      add(0, LeafCells::kNoValue);
    } else if (lists.value_length(i) == 0) {
      add(1, LeafCells::kNoValue);
    }
    for (int64_t j = lists.value_offset(i); lists.IsValid(i) && j < lists.value_offset(i + 1); ++j) {
      const int32_t entry = elements.entries[static_cast<size_t>(j)];
      add(entry == LeafCells::kNoValue ? 2 : 3, entry);
    }
  }
  leaf.begins.push_back(static_cast<uint32_t>(leaf.entries.size()));
  return leaf;
}

}  // namespace

arrow::Result<std::vector<LeafCells>> LeavesOf(const ArrayPtr& cells, bool all_differ) {
  std::vector<LeafCells> leaves;
  if (cells->type_id() == arrow::Type::LIST) {
    ARROW_ASSIGN_OR_RAISE(leaves.emplace_back(), Elements(static_cast<const arrow::ListArray&>(*cells)));
  } else if (cells->type_id() == arrow::Type::STRUCT) {
    for (const ArrayPtr& bounds : static_cast<const arrow::StructArray&>(*cells).fields()) {
      ARROW_ASSIGN_OR_RAISE(leaves.emplace_back(), OneLevelEach(bounds, cells.get(), false));
    }
  } else {
    ARROW_ASSIGN_OR_RAISE(leaves.emplace_back(), OneLevelEach(cells, nullptr, all_differ));
  }
  return leaves;
}

}  // namespace tada
