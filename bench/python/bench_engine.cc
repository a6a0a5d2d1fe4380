// The engine alone, without Python: releases an Arrow file that is already in memory, through the same door as the package
// (commands/release/anonymize.h), and prints how long that took. overhead.py compares the package with it on the same table.
//   bench_engine FILE.arrow PLAN.toml ROUNDS
// Prints one line of JSON: seconds of each round, and the stages of the last.

#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/table.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>

#include "commands/release/anonymize.h"
#include "files/c_stream/stream_files.h"

namespace {

template <class T>
T Take(arrow::Result<T> result) {
  if (result.ok()) return std::move(result).ValueUnsafe();
  fmt::print(stderr, "bench_engine: {}\n", result.status().ToString());
  std::exit(1);
}

template <class T>
T Take(tada::Result<T> result) {
  if (result.ok()) return std::move(result).value();
  fmt::print(stderr, "bench_engine: {}\n", result.error().message);
  std::exit(1);
}

std::shared_ptr<arrow::Table> ReadArrowFile(const std::string& path) {
  const auto reader = Take(arrow::ipc::RecordBatchFileReader::Open(Take(arrow::io::ReadableFile::Open(path))));
  arrow::RecordBatchVector batches;
  for (int i = 0; i < reader->num_record_batches(); ++i) batches.push_back(Take(reader->ReadRecordBatch(i)));
  return Take(arrow::Table::FromRecordBatches(reader->schema(), batches));
}

// The engine reads no file here.
class NoFiles final : public tada::CsvFiles {
 public:
  tada::Result<std::string> Digest(const std::string&) override { return std::string(); }

 protected:
  tada::Result<tada::TableFile> ReadColumnar(const std::string& path, tada::Format, const tada::ReadOptions&,
                                             const tada::Workers&, tada::Progress&) override {
    return tada::DataError("not read here: {}", path);
  }
  tada::Result<std::vector<std::string>> ColumnarHeader(const std::string& path, tada::Format) override {
    return tada::DataError("not read here: {}", path);
  }
  tada::Status WriteColumnar(const tada::Release&, tada::Format, const tada::WriteOptions&, const tada::Workers&,
                             tada::Progress&, tada::PendingFile& file) override {
    return tada::IoError("not written here: {}", file.target());
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: bench_engine FILE.arrow PLAN.toml ROUNDS\n");
    return 2;
  }
  const auto table = ReadArrowFile(argv[1]);
  const tada::AnonymizeRequest request = Take(tada::AnonymizeRequestFrom(Take(tada::ReadPlanFile(argv[2])), {}));
  NoFiles files;
  std::vector<double> rounds;
  std::string stages;
  for (int round = 0; round < std::atoi(argv[3]); ++round) {
    const auto start = std::chrono::steady_clock::now();
    tada::NoProgress silent;
    const tada::Cancel never;
    tada::Context context{files, silent, never};
    nanoarrow::UniqueArrayStream stream;
    const auto batches = std::make_shared<arrow::TableBatchReader>(table);
    if (!arrow::ExportRecordBatchReader(batches, stream.get()).ok()) return 1;
    tada::StreamSource source(std::move(stream), "the frame");
    tada::BatchesSink sink;
    const tada::FinishedRelease done = Take(tada::Anonymize(request, source, sink, context));
    rounds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!done.outcome.verdict.passed) return 1;
    stages.clear();
    for (const auto& [name, seconds] : done.outcome.seconds)
      stages += fmt::format("{}\"{}\": {:.4f}", stages.empty() ? "" : ", ", name, seconds);
  }
  fmt::print("{{\"seconds\": [{:.4f}], \"stages\": {{{}}}}}\n", fmt::join(rounds, ", "), stages);
  return 0;
}
