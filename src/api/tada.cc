// The C interface: each function finds its request in the plan's text, makes sources and sinks of its arguments, and calls the
// command of its name. Errors and exceptions end here.

#include "tada/tada.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "api/request_text.h"
#include "base/exit_code.h"
#include "base/option_mark.h"
#include "base/version.h"
#include "commands/judge/attack.h"
#include "commands/judge/audit.h"
#include "commands/judge/compare.h"
#include "commands/judge/compose.h"
#include "commands/judge/evaluate.h"
#include "commands/judge/inspect.h"
#include "commands/release/advise.h"
#include "commands/release/anonymize.h"
#include "commands/release/apply.h"
#include "commands/release/decode.h"
#include "commands/release/key.h"
#include "files/c_stream/stream_files.h"
#include "files/digest/sha256.h"
#include "files/stores/store_files.h"
#include "report/attack_report.h"
#include "report/compare_report.h"
#include "report/compose_text.h"
#include "report/profile_report.h"
#include "report/release/report.h"
#include "report/verdict/verdict_json.h"
#include "run/decode_plan.h"

struct tada_cancel {
  tada::Cancel cancel;
};

namespace tada {
namespace {

// Without Arrow C++ there is nobody to read its files.
class NoColumnarFiles final : public ColumnarFiles {
 public:
  Result<nanoarrow::UniqueArrayStream> Read(const std::string& path, Format) override { return Refuse(path); }
  Result<std::vector<std::string>> Names(const std::string& path, Format) override { return Refuse(path); }
  Status Write(const std::shared_ptr<const Batches>&, Format, PendingFile& file) override {
    return Refuse(file.target());
  }
  Result<std::string> Sha256(const std::string& path) override { return Sha256OfFile(path); }

 private:
  static Error Refuse(const std::string& path) {
    return InvalidArgument("libtada reads and writes CSV files only: {}", path)
        .WithHint("Hand over an Arrow stream, or use the program, which reads Parquet and Arrow files too.");
  }
};

// Tells a function of C how far the work is, one call at a time.
class CallbackProgress final : public Progress {
 public:
  explicit CallbackProgress(const tada_context* context) : context_(context) {}
  void Begin(std::string_view stage, uint64_t total) override {
    const std::lock_guard lock(mutex_);
    stage_ = stage;
    done_ = 0;
    total_ = total;
    Call();
  }
  void Advance(uint64_t units) override {
    const std::lock_guard lock(mutex_);
    done_ += units;
    Call();
  }

 private:
  void Call() {
    if (context_ != nullptr && context_->progress != nullptr)
      context_->progress(context_->data, stage_.c_str(), done_, total_);
  }
  const tada_context* context_;
  std::mutex mutex_;
  std::string stage_;
  uint64_t done_ = 0, total_ = 0;
};

char* CopyText(const std::string& text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

static_assert(ExitCode(ErrorCode::kInvalidArgument) == TADA_USAGE && ExitCode(ErrorCode::kData) == TADA_DATA &&
              ExitCode(ErrorCode::kInfeasible) == TADA_INFEASIBLE && ExitCode(ErrorCode::kIo) == TADA_OUTPUT);

int Fail(tada_error* error, int code, const std::string& message, const std::string& hint) noexcept {
  if (error == nullptr) return code;
  tada_error_clear(error);
  error->code = code;
  try {
    error->message = CopyText(AsKeys(message));
    error->hint = CopyText(AsKeys(hint));
  } catch (const std::bad_alloc&) {
    error->hint = nullptr;  // then the code has to do
  }
  return code;
}

// What a call has: files, progress and who may stop it.
struct Call {
  explicit Call(const tada_context* given)
      : by_extension(columnar),
        files(by_extension),
        progress(given),
        context{files, progress, given != nullptr && given->cancel != nullptr ? given->cancel->cancel : never} {}
  NoColumnarFiles columnar;
  StreamFiles by_extension;
  StoreFiles files;
  CallbackProgress progress;
  const Cancel never;
  Context context;
};

// Runs the body of a function: a Result<int> whose value is the code to return.
template <class F>
int Guard(const tada_context* context, tada_error* error, F&& body) noexcept {
  try {
    Call call(context);
    const Result<int> code = body(call);
    if (code.ok()) return *code;
    return Fail(error, ExitCode(code.error().code), code.error().message, code.error().hint);
  } catch (const Interrupted&) {
    return Fail(error, TADA_INTERRUPTED, "Interrupted: nothing was released", "");
  } catch (const std::bad_alloc&) {
    return Fail(error, TADA_INTERNAL, "Not enough memory: nothing was released",
                "Release fewer columns or rows at a time, or use a machine with more memory.");
  } catch (const std::exception& exception) {
    return Fail(error, TADA_INTERNAL, exception.what(), "This is a bug in tada; please report it.");
  }
}

Result<std::unique_ptr<Source>> SourceOf(const tada_table* table, Files& files) {
  if (table == nullptr) return InvalidArgument("A table is missing");
  if (table->stream != nullptr) {
    if (table->stream->release == nullptr) {
      return DataError("The Arrow stream was read before").WithHint("Make a new one.");
    }
    nanoarrow::UniqueArrayStream taken;
    ArrowArrayStreamMove(table->stream, taken.get());
    return std::unique_ptr<Source>(
        std::make_unique<StreamSource>(std::move(taken), table->name != nullptr ? table->name : "the table"));
  }
  if (table->path == nullptr) return InvalidArgument("A table has neither a stream nor a path");
  return std::unique_ptr<Source>(std::make_unique<FileSource>(files, table->path));
}

Result<std::unique_ptr<Source>> OptionalSource(const tada_table* table, Files& files) {
  if (table == nullptr) return std::unique_ptr<Source>();
  return SourceOf(table, files);
}

// Where a table goes. A stream is filled in by HandOut, after the work.
class OutputSink {
 public:
  static Result<OutputSink> Open(const tada_output* output, Files& files) {
    OutputSink made;
    if (output == nullptr || (output->stream == nullptr && output->path == nullptr)) {
      return InvalidArgument("The output has neither a stream nor a path");
    }
    if (output->stream != nullptr) {
      made.stream_ = output->stream;
      made.batches_ = std::make_unique<BatchesSink>();
      return made;
    }
    TADA_TRY(file, files.OpenSink(output->path, {.force = output->force != 0}));
    made.file_ = std::move(file);
    return made;
  }
  Sink& sink() { return batches_ ? static_cast<Sink&>(*batches_) : *file_; }
  void HandOut() {
    if (stream_ != nullptr && batches_->batches() != nullptr) ExportStream(batches_->batches(), stream_);
  }

 private:
  ArrowArrayStream* stream_ = nullptr;
  std::unique_ptr<BatchesSink> batches_;
  std::unique_ptr<Sink> file_;
};

void HandOut(const std::string& text, char** out) {
  if (out != nullptr) *out = CopyText(AsKeys(text));
}

std::string ProblemsOf(const Verdict& verdict) {
  std::string text = "The audit of the finished release failed, nothing was released:";
  for (const std::string& problem : verdict.problems) text += " " + problem + ";";
  text.pop_back();
  return text;
}

// Releases a table as `ask()`, a Result<AnonymizeRequest>, says.
template <class Ask>
int ReleaseTable(const tada_table* table, const tada_output* output, const tada_context* context, char** report,
                 tada_error* error, const Ask& ask) {
  std::string failed;
  const int code = Guard(context, error, [&](Call& call) -> Result<int> {
    TADA_TRY(request, ask());
    TADA_TRY(source, SourceOf(table, call.files));
    TADA_TRY(out, OutputSink::Open(output, call.files));
    TADA_TRY(done, Anonymize(request, *source, out.sink(), call.context));
    if (!done.outcome.verdict.passed) {
      failed = ProblemsOf(done.outcome.verdict);
      return TADA_AUDIT_FAILED;
    }
    HandOut(ReportJson(done.outcome), report);
    out.HandOut();
    return TADA_OK;
  });
  if (code != TADA_AUDIT_FAILED) return code;
  return Fail(error, code, failed, "This is a bug in tada; please report it with the plan or cuts that show it.");
}

}  // namespace
}  // namespace tada

using tada::OutputSink;
using tada::Result;

extern "C" {

const char* tada_version(void) { return tada::kVersion; }
void tada_free(char* text) { std::free(text); }

void tada_error_clear(tada_error* error) {
  if (error == nullptr) return;
  std::free(error->message);
  std::free(error->hint);
  *error = {};
}

tada_cancel* tada_cancel_new(void) { return new (std::nothrow) tada_cancel; }
void tada_cancel_request(tada_cancel* cancel) { cancel->cancel.Request(); }
void tada_cancel_free(tada_cancel* cancel) { delete cancel; }

int tada_anonymize(const tada_table* table, const char* plan, const tada_output* output, const tada_context* context,
                   char** report, tada_error* error) {
  return tada::ReleaseTable(table, output, context, report, error, [&]() -> Result<tada::AnonymizeRequest> {
    TADA_TRY(text, tada::ReadRequestText("anonymize", plan));
    return tada::AnonymizeRequestFrom(text.file, text.values);
  });
}

int tada_apply(const char* cuts, const tada_table* table, const char* plan, const tada_output* output,
               const tada_context* context, char** report, tada_error* error) {
  return tada::ReleaseTable(table, output, context, report, error, [&]() -> Result<tada::AnonymizeRequest> {
    if (cuts == nullptr) return tada::InvalidArgument("tada_apply: there are no cuts");
    TADA_TRY(text, tada::ReadRequestText("apply", plan));
    TADA_TRY(read, tada::ReadCutsText(cuts, "cuts"));
    return tada::ApplyRequestFrom(std::move(read), "cuts", text.values);
  });
}

int tada_audit(const tada_table* release, const tada_table* original, const char* plan, const tada_context* context,
               char** verdict, tada_error* error) {
  return tada::Guard(context, error, [&](tada::Call& call) -> Result<int> {
    TADA_TRY(text, tada::ReadRequestText("audit", plan));
    TADA_TRY(request, tada::AuditRequestFrom(text.file, text.values));
    TADA_TRY(released, tada::SourceOf(release, call.files));
    TADA_TRY(before, tada::OptionalSource(original, call.files));
    TADA_TRY(found, tada::Audit(request, *released, before.get(), call.context));
    tada::HandOut(tada::VerdictJson(found), verdict);
    return TADA_OK;
  });
}

int tada_inspect(const tada_table* table, const char* plan, const tada_context* context, char** profile, char** draft,
                 tada_error* error) {
  return tada::Guard(context, error, [&](tada::Call& call) -> Result<int> {
    TADA_TRY(text, tada::ReadRequestText("inspect", plan));
    TADA_TRY(request, tada::InspectRequestFrom(text.file, text.values));
    TADA_TRY(source, tada::SourceOf(table, call.files));
    TADA_TRY(found, tada::Inspect(request, *source, call.context));
    tada::HandOut(tada::ProfileJson(found, request.plan), profile);
    tada::HandOut(tada::DraftPlanToml(found, request.plan, source->name()), draft);
    return TADA_OK;
  });
}

int tada_attack(const tada_table* release, const tada_table* original, const tada_table* population, const char* plan,
                const tada_context* context, char** result, tada_error* error) {
  return tada::Guard(context, error, [&](tada::Call& call) -> Result<int> {
    TADA_TRY(text, tada::ReadRequestText("attack", plan));
    TADA_TRY(request, tada::AttackRequestFrom(text.file, text.values));
    TADA_TRY(released, tada::SourceOf(release, call.files));
    TADA_TRY(before, tada::SourceOf(original, call.files));
    TADA_TRY(everybody, tada::OptionalSource(population, call.files));
    TADA_TRY(found, tada::Attack(request, *released, *before, everybody.get(), call.context));
    tada::HandOut(tada::AttackJson(found), result);
    return TADA_OK;
  });
}

int tada_compose(const tada_table* releases, size_t count, const char* plan, const tada_context* context, char** result,
                 tada_error* error) {
  return tada::Guard(context, error, [&](tada::Call& call) -> Result<int> {
    TADA_TRY(text, tada::ReadRequestText("compose", plan));
    TADA_TRY(request, tada::ComposeRequestFrom(text.file, text.values));
    if (count < 2) return tada::InvalidArgument("compose takes two releases or more, not {}", count);
    std::vector<std::unique_ptr<tada::Source>> held;
    std::vector<tada::Source*> sources;
    for (size_t i = 0; i < count; ++i) {
      TADA_TRY(source, tada::SourceOf(&releases[i], call.files));
      sources.push_back(held.emplace_back(std::move(source)).get());
    }
    TADA_TRY(found, tada::Compose(request, sources, call.context));
    tada::HandOut(tada::ComposeJson(found), result);
    return TADA_OK;
  });
}

int tada_compare(const tada_table* releases, size_t count, const tada_table* original, const char* plan,
                 const tada_context* context, char** result, tada_error* error) {
  return tada::Guard(context, error, [&](tada::Call& call) -> Result<int> {
    TADA_TRY(text, tada::ReadRequestText("compare", plan));
    TADA_TRY(request, tada::CompareRequestFrom(text.file, text.values));
    if (count < 1) return tada::InvalidArgument("compare takes one release or more");
    std::vector<std::unique_ptr<tada::Source>> held;
    std::vector<tada::Source*> sources;
    for (size_t i = 0; i < count; ++i) {
      TADA_TRY(source, tada::SourceOf(&releases[i], call.files));
      sources.push_back(held.emplace_back(std::move(source)).get());
    }
    TADA_TRY(before, tada::SourceOf(original, call.files));
    TADA_TRY(found, tada::Compare(request, sources, *before, call.context));
    tada::HandOut(tada::CompareJson(found), result);
    return TADA_OK;
  });
}

int tada_decode(const tada_table* release, const tada_table* learn_from, const char* plan, const tada_output* output,
                const tada_context* context, char** result, tada_error* error) {
  return tada::Guard(context, error, [&](tada::Call& call) -> Result<int> {
    TADA_TRY(text, tada::ReadRequestText("decode", plan));
    TADA_TRY(request, tada::DecodeRequestFrom(text.file, text.values));
    TADA_TRY(released, tada::SourceOf(release, call.files));
    TADA_TRY(other, tada::OptionalSource(learn_from, call.files));
    TADA_TRY(out, OutputSink::Open(output, call.files));
    TADA_TRY(decoded, tada::Decode(request, *released, other.get(), out.sink(), call.context));
    tada::HandOut(tada::DecodeJson(decoded, request.options), result);
    out.HandOut();
    return TADA_OK;
  });
}

int tada_evaluate(const tada_table* table, const char* plan, const tada_context* context, char** result,
                  tada_error* error) {
  return tada::Guard(context, error, [&](tada::Call& call) -> Result<int> {
    TADA_TRY(text, tada::ReadRequestText("evaluate", plan));
    TADA_TRY(request, tada::EvaluateRequestFrom(text.file, text.values));
    TADA_TRY(source, tada::SourceOf(table, call.files));
    TADA_TRY(found, tada::Evaluate(request, *source, call.context));
    tada::HandOut(found.json, result);
    return TADA_OK;
  });
}

int tada_advise(const tada_table* table, const char* plan, const tada_context* context, char** advice,
                tada_error* error) {
  return tada::Guard(context, error, [&](tada::Call& call) -> Result<int> {
    TADA_TRY(text, tada::ReadRequestText("advise", plan));
    TADA_TRY(request, tada::AdviseRequestFrom(text.file, text.values));
    TADA_TRY(source, tada::SourceOf(table, call.files));
    TADA_TRY(found, tada::Advise(request, *source, call.context));
    tada::HandOut(found.json, advice);
    return TADA_OK;
  });
}

int tada_key(const char* path, char** public_key, tada_error* error) {
  return tada::Guard(nullptr, error, [&](tada::Call&) -> Result<int> {
    if (path == nullptr) return tada::InvalidArgument("tada_key needs the path of a file");
    TADA_TRY(made, tada::MakeKey(path));
    tada::HandOut(made, public_key);
    return TADA_OK;
  });
}

}  // extern "C"
