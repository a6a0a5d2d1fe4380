#include "job/decode_file.h"

#include "files/format.h"
#include "files/read.h"
#include "files/write.h"
#include "plan/plan_columns.h"
#include "recode/plain_release.h"

namespace tada {

Result<Decoded> DecodeFile(const DecodeJob& job, const Workers& workers, Progress& progress) {
  TADA_CHECK_OK(FormatOf(job.output));  // said before anything is read
  TADA_TRY(file, PendingFile::Open(job.output, job.force));
  ReadOptions reading;
  reading.delimiter = job.plan.delimiter;
  reading.defaults = DecodedColumnDefaults(job.plan);
  if (job.input != "-") {
    TADA_TRY(header, ReadHeader(job.input, job.plan.delimiter));
    TADA_CHECK_OK(CheckPlannedColumns(job.plan, header, job.input));
  }
  TADA_TRY(input, ReadTable(job.input, reading, workers, progress));
  TADA_CHECK_OK(CheckPlannedColumns(job.plan, input.all_columns, job.input));
  progress.Begin("decode", 0);
  DecodeOptions options = job.options;
  options.typed_cells = input.typed_cells;
  TADA_TRY(decoded, Decode(input.table, options, workers));
  input.table = Table();  // the decoded table does not need it
  TADA_CHECK_OK(WriteRelease(PlainRelease(decoded.table), {.delimiter = input.delimiter}, workers, progress, file));
  workers.Poll();
  TADA_CHECK_OK(file.Publish());
  return decoded;
}

}  // namespace tada
