#pragma once

// Releases as Arrow batches. Cells are typed as in files (struct<lo,hi>, list<string>), columns that are not
// recoded keep the type they came in: numbers, dates and bools exactly; strings as string or large_string; dictionaries of
// strings as dictionaries that hold released values only.

#include <span>
#include <vector>

#include "base/progress.h"
#include "base/workers.h"
#include "files/c_stream/read_stream.h"
#include "recode/cell_form.h"

namespace tada {

struct Batches {
  nanoarrow::UniqueSchema schema;
  std::vector<nanoarrow::UniqueArray> arrays;
};

/// Makes the batches of a release. `stored`: how the columns of release.table came, one each. In another form than kTyped recoded
/// cells are text; those of the columns `as_text` are in any case. `untyped`: the input's texts come from a CSV file, so types are inferred.
Batches MakeBatches(std::span<const StoredValues> stored, const Release& release, CellForm form, bool untyped,
                    const Workers& workers, Progress& progress, std::span<const ColumnId> as_text = {});

/// A stream over copies of nothing: the batches are shared and live until the last stream is released.
void ExportStream(std::shared_ptr<const Batches> batches, ArrowArrayStream* out);

}  // namespace tada
