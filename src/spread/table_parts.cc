#include "spread/table_parts.h"

#include <algorithm>
#include <map>

namespace tada {
namespace {

void PutPart(const SparseCounts& counts, ByteWriter& out) {
  out.PutAll(counts.begin);
  out.PutAll(counts.value);
  out.PutAll(counts.count);
}

SparseCounts GetSparse(ByteReader& in) {
  SparseCounts counts;
  counts.begin = in.GetAll<uint32_t>();
  counts.value = in.GetAll<Code>();
  counts.count = in.GetAll<uint32_t>();
  return counts;
}

template <class T, class F>
std::vector<T> GetList(ByteReader& in, const F& get) {
  std::vector<T> list(in.Get<uint32_t>());
  for (T& item : list) item = get(in);
  return list;
}

}  // namespace

std::string TableParts::Pack(std::span<const ValueTable> tables) {
  ByteWriter out;
  for (const ValueTable& table : tables) {
    out.PutAll(table.codes_);
    out.PutAll(table.rows_);
    out.Put(table.num_classes_);
    out.PutAll(table.classes_);
    out.Put(static_cast<uint32_t>(table.labels_.size()));
    for (const SparseCounts& counts : table.labels_) PutPart(counts, out);
    out.Put(static_cast<uint32_t>(table.sums_.size()));
    for (const std::vector<LabelSums>& sums : table.sums_) out.PutAll(sums);
    out.Put(static_cast<uint32_t>(table.masks_.size()));
    for (const RawVector<uint64_t>& masks : table.masks_) out.PutAll(masks);
    out.Put(static_cast<uint32_t>(table.sensitive_.size()));
    for (const SparseCounts& counts : table.sensitive_) PutPart(counts, out);
  }
  return std::move(out).Take();
}

std::vector<ValueTable> TableParts::Unpack(std::string_view bytes, size_t num_tables) {
  ByteReader in(bytes);
  std::vector<ValueTable> tables(num_tables);
  for (ValueTable& table : tables) {
    table.codes_ = in.GetAll<Code, RawVector<Code>>();
    table.rows_ = in.GetAll<uint32_t, RawVector<uint32_t>>();
    table.num_classes_ = in.Get<uint32_t>();
    table.classes_ = in.GetAll<uint32_t, RawVector<uint32_t>>();
    table.labels_ = GetList<SparseCounts>(in, &GetSparse);
    table.sums_ = GetList<std::vector<LabelSums>>(in, [](ByteReader& from) { return from.GetAll<LabelSums>(); });
    table.masks_ =
        GetList<RawVector<uint64_t>>(in, [](ByteReader& from) { return from.GetAll<uint64_t, RawVector<uint64_t>>(); });
    table.sensitive_ = GetList<SparseCounts>(in, &GetSparse);
  }
  TADA_ASSERT(in.at_end());
  return tables;
}

void TableParts::AddValue(std::span<const LabelView> labels, std::span<const ValueTable* const> parts,
                          std::span<const At> same, ValueTable& sum) {
  const auto add_counts = [&](const auto& of_part, SparseCounts& out) {
    std::map<Code, uint32_t> counts;
    for (const At& at : same) {
      const SparseCounts& part = of_part(*parts[at.part]);
      for (uint32_t i = part.begin[at.index]; i < part.begin[at.index + 1]; ++i) counts[part.value[i]] += part.count[i];
    }
    for (const auto& [value, count] : counts) {
      out.value.push_back(value);
      out.count.push_back(count);
    }
    out.begin.push_back(static_cast<uint32_t>(out.value.size()));
  };
  sum.codes_.push_back(same.front().code);
  sum.rows_.push_back(0);
  const size_t first_class = sum.classes_.size();
  sum.classes_.resize(first_class + sum.num_classes_, 0);
  for (const At& at : same) {
    sum.rows_.back() += parts[at.part]->rows_[at.index];
    for (uint32_t c = 0; c < sum.num_classes_; ++c)
      sum.classes_[first_class + c] += parts[at.part]->classes(at.index)[c];
  }
  for (size_t t = 0; t < labels.size(); ++t) {
    if (labels[t].numeric()) {
      LabelSums& sums = sum.sums_[t].emplace_back();
      for (const At& at : same) sums.Add(parts[at.part]->sums_[t][at.index]);
    } else if (!labels[t].few_classes()) {
      add_counts([&](const ValueTable& part) -> const SparseCounts& { return part.labels_[t]; }, sum.labels_[t]);
    }
  }
  for (size_t s = 0; s < sum.masks_.size(); ++s) {
    uint64_t& mask = sum.masks_[s].emplace_back(0);
    for (const At& at : same) mask |= parts[at.part]->masks_[s][at.index];
  }
  for (size_t s = 0; sum.masks_.empty() && s < sum.sensitive_.size(); ++s) {
    add_counts([&](const ValueTable& part) -> const SparseCounts& { return part.sensitive_[s]; }, sum.sensitive_[s]);
  }
}

ValueTable TableParts::Merge(const Problem& problem, std::span<const LabelView> labels,
                             std::span<const ValueTable* const> parts) {
  std::vector<At> all;
  for (uint32_t p = 0; p < parts.size(); ++p) {
    for (uint32_t i = 0; i < parts[p]->size(); ++i) all.push_back({parts[p]->code(i), p, i});
  }
  std::sort(all.begin(), all.end(),
            [](const At& a, const At& b) { return a.code != b.code ? a.code < b.code : a.part < b.part; });
  ValueTable sum;
  sum.Restart(problem.checker, labels);
  for (std::vector<LabelSums>& sums : sum.sums_) sums.clear();
  for (size_t begin = 0; begin < all.size();) {
    size_t end = begin;
    while (end < all.size() && all[end].code == all[begin].code) ++end;
    AddValue(labels, parts, std::span(all).subspan(begin, end - begin), sum);
    begin = end;
  }
  return sum;
}

}  // namespace tada
