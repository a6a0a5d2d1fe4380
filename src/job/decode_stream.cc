#include "job/decode_stream.h"

#include <algorithm>

#include "plan/plan_columns.h"
#include "recode/plain_release.h"

namespace tada {
namespace {

Result<StreamTable> ReadForDecoding(ArrowArrayStream& stream, const Plan& plan, const std::string& name,
                                    const Workers& workers, Progress& progress) {
  TADA_TRY(header, StreamHeader(stream, name));
  TADA_CHECK_OK(CheckPlannedColumns(plan, header, name));
  StreamOptions options;
  options.name = name;
  options.defaults = DecodedColumnDefaults(plan);
  return ReadStream(stream, options, workers, progress);
}

// A column of values that was not decoded keeps the type it came in: its codes are those of the release. The types of others
// follow from their texts, of typed cells too: none of these is left widened, or it is text.
StreamTable WithStoredValues(Decoded& decoded, StreamTable& read) {
  StreamTable out;
  for (const Column& column : decoded.table.columns()) {
    const auto id = read.table.Find(column.name());
    const bool changed = std::any_of(decoded.columns.begin(), decoded.columns.end(),
                                     [&](const DecodedColumn& one) { return one.name == column.name(); });
    out.stored.emplace_back();
    if (id && !changed && !read.typed_cells.contains(column.name())) {
      out.stored.back() = std::move(read.stored[*id]);
    } else {
      out.stored.back().inferred = true;
    }
    out.all_columns.push_back(column.name());
  }
  out.table = std::move(decoded.table);
  return out;
}

}  // namespace

Result<StreamDecoded> DecodeStream(ArrowArrayStream& release, ArrowArrayStream* learn_from, const DecodeStreamJob& job,
                                   const Workers& workers, Progress& progress) {
  TADA_TRY(read, ReadForDecoding(release, job.plan, job.name, workers, progress));
  DecodeOptions options = job.options;
  options.typed_cells = read.typed_cells;
  std::optional<StreamTable> learn;
  if (learn_from != nullptr) {
    TADA_TRY(other, ReadForDecoding(*learn_from, job.plan, "the release to learn from", workers, progress));
    learn.emplace(std::move(other));
    options.learn_from = &learn->table;
  }
  progress.Begin("decode", 0);
  TADA_TRY(decoded, Decode(read.table, options, workers));
  StreamDecoded done;
  done.json = DecodeJson(decoded, options);
  const StreamTable out = WithStoredValues(decoded, read);
  done.batches = std::make_shared<const Batches>(
      MakeBatches(out.stored, PlainRelease(out.table), false, job.untyped, workers, progress));
  workers.Poll();
  return done;
}

}  // namespace tada
