#include "commands/release/anonymize.h"

#include <optional>
#include <tuple>

#include "base/option_mark.h"
#include "commands/context/memory_size.h"
#include "evaluate/auto_method.h"
#include "keys/secret_key.h"
#include "report/release/manifest.h"
#include "report/release/report.h"
#include "report/release/report_html.h"
#include "run/apply/ledger.h"
#include "run/apply/released_people.h"

namespace tada {
namespace {

bool IsHtml(std::string_view path) { return path.ends_with(".html") || path.ends_with(".htm"); }

// A file that is written beside the release, whole or not at all.
Result<std::optional<PendingFile>> OpenBeside(const std::string& path, bool force) {
  if (path.empty()) return std::optional<PendingFile>();
  TADA_TRY(opened, PendingFile::Open(path, force));
  return std::optional(std::move(opened));
}

Status WriteBeside(std::string_view text, PendingFile& file) {
  TADA_CHECK_OK(file.Write(text));
  return file.Sync();
}

// Makes it visible, when the release is.
Status PublishBeside(std::optional<PendingFile>& file, std::string_view what, const Sink& sink) {
  if (!file) return Ok();
  const Status published = file->Publish();
  if (published.ok()) return Ok();
  return Error(published.error())
      .WithHint(fmt::format("The release was written; its {} was not: {}", what, sink.name()));
}

Result<std::optional<SecretKey>> ReadKey(const std::string& path) {
  if (path.empty()) return std::optional<SecretKey>();
  TADA_TRY(key, SecretKey::Read(path));
  return std::optional(std::move(key));
}

Status WriteManifest(const FinishedRelease& done, const std::optional<SecretKey>& key, Files& files,
                     PendingFile& file) {
  if (done.outcome.release_sha256.empty()) {
    return InvalidArgument(TADA_OPTION("manifest") " is about a file, and the release is none")
        .WithHint("Write the release to a file.");
  }
  TADA_TRY(binary, files.Digest("/proc/self/exe"));
  return WriteBeside(ManifestJson(done.outcome, binary, key ? &*key : nullptr), file);
}

// What needs a key has one, and a key is for something.
Status CheckKey(const AnonymizeRequest& request) {
  const bool people = !request.save_people.empty() || !request.people.empty();
  if (!request.key.empty() && request.manifest.empty() && !LinksRows(request.plan) && !people) {
    return InvalidArgument(TADA_OPTION("key") " is for pseudonyms, shifted dates and manifests: there are none")
        .WithHint("Add " TADA_OPTION("manifest=<file.json>") ", " TADA_OPTION("pseudonym=<column>") " or " TADA_OPTION(
            "shift-dates=<column>") ".");
  }
  if (!people) return Ok();
  const std::string_view option =
      request.save_people.empty() ? TADA_OPTION("released-people") : TADA_OPTION("save-people");
  if (request.plan.person.empty()) {
    return InvalidArgument("{} knows people by " TADA_OPTION("person") ": there is none", option)
        .WithHint("Name the column that tells people apart with " TADA_OPTION("person") ", when the cuts are made.");
  }
  if (!request.key.empty()) return Ok();
  return InvalidArgument("{} needs " TADA_OPTION("key") ", by which people become codes", option)
      .WithHint("Make one with 'tada key -o <file>', and keep it where nobody else reads it.");
}

// What is written beside a release.
struct Beside {
  std::optional<PendingFile> report, manifest, cuts, people, ledger;
};

Result<Beside> OpenAll(const AnonymizeRequest& request) {
  Beside beside;
  for (auto& [path, file, force] :
       {std::tuple(&request.report, &beside.report, request.force),
        std::tuple(&request.manifest, &beside.manifest, request.force),
        std::tuple(&request.save_cuts, &beside.cuts, request.force),
        std::tuple(&request.save_people, &beside.people, request.force),
        std::tuple(&request.ledger, &beside.ledger, true)}) {  // what a ledger holds stays in it
    TADA_TRY(opened, OpenBeside(*path, force));
    *file = std::move(opened);
  }
  if (beside.people) beside.people->KeepPrivate();
  if (beside.ledger) beside.ledger->KeepPrivate();
  return beside;
}

// The release, made by the plan's method or by saved cuts, after people who were released before are refused.
Result<Anonymized> MakeGroups(const AnonymizeRequest& request, const ReleasedPeople* known, const Table& table,
                              Plan& plan, const Workers& workers, Progress& progress) {
  if (known != nullptr) {
    TADA_TRY(bound, BindPlan(plan, table));
    TADA_CHECK_OK(known->CheckNew(table, bound.person));
  }
  if (request.cuts == nullptr) return AnonymizeOrChoose(table, plan, workers, progress, request.takes_cuts);
  return ApplyCuts(table, plan, *request.cuts, request.apply, workers, progress);
}

Status WriteAll(const std::optional<SecretKey>& key, ReleasedPeople* people, const Ledger* ledger, Files& files,
                const FinishedRelease& done, Beside& beside) {
  if (beside.report) {
    const bool html = IsHtml(beside.report->target());
    TADA_CHECK_OK(
        WriteBeside(OnCommandLine(html ? ReportHtml(done.outcome) : ReportJson(done.outcome)), *beside.report));
  }
  if (beside.manifest) TADA_CHECK_OK(WriteManifest(done, key, files, *beside.manifest));
  if (beside.cuts) {
    done.made.cuts->release_sha256 = done.outcome.release_sha256;
    TADA_CHECK_OK(WriteBeside(CutsJson(*done.made.cuts), *beside.cuts));
  }
  if (beside.people) {
    people->Add(done.input->table, done.made.bound.person, done.made.release.row_order);
    TADA_CHECK_OK(WriteBeside(people->FileText(), *beside.people));
  }
  if (beside.ledger) TADA_CHECK_OK(WriteBeside(ledger->FileText(), *beside.ledger));
  return Ok();
}

}  // namespace

Result<AnonymizeRequest> AnonymizeRequestFrom(const PlanFile& file, const OptionValues& options) {
  TADA_TRY(plan, PlanFromFile(file, options));
  return AnonymizeRequestOf(std::move(plan), options);
}

Result<AnonymizeRequest> AnonymizeRequestOf(Plan plan, const OptionValues& options) {
  AnonymizeRequest request;
  request.plan = std::move(plan);
  request.report = options.Text("report");
  if (!request.report.empty() && !IsHtml(request.report) && !request.report.ends_with(".json")) {
    return InvalidArgument(TADA_OPTION("report") " takes a file that ends in .json or .html, not '{}'", request.report);
  }
  request.manifest = options.Text("manifest");
  request.key = options.Text("key");
  request.save_cuts = options.Text("save-cuts");
  request.takes_cuts = options.Has("save-cuts");
  request.save_people = options.Text("save-people");
  request.people = options.Text("released-people");
  request.ledger = options.Text("ledger");
  TADA_CHECK_OK(CheckKey(request));
  request.report_raw = options.Flag("report-raw");
  request.force = options.Flag("force");
  if (options.Has("memory")) {
    TADA_TRY(memory, MemoryOf(options.Text("memory")));
    request.memory = memory;
  }
  return request;
}

Result<FinishedRelease> Anonymize(const AnonymizeRequest& request, Source& source, Sink& sink, Context& context) {
  TADA_TRY(key, ReadKey(request.key));
  std::optional<ReleasedPeople> people;
  if (!request.save_people.empty() || !request.people.empty()) people.emplace(*key);
  if (!request.people.empty()) TADA_CHECK_OK(people->Read(request.people));
  std::optional<Ledger> ledger;
  if (!request.ledger.empty()) {
    TADA_TRY(opened, Ledger::Open(request.ledger));
    ledger = std::move(opened);
  }
  TADA_TRY(beside, OpenAll(request));
  ReleaseRequest asked;
  asked.plan = request.plan;
  asked.report_raw = request.report_raw;
  asked.digests = beside.report || beside.manifest || beside.cuts || beside.ledger;
  asked.memory = request.memory;
  asked.command = request.command;
  asked.anonymize = [&](const Table& table, Plan& plan, const Workers& workers, Progress& progress) {
    return MakeGroups(request, people ? &*people : nullptr, table, plan, workers, progress);
  };
  const Workers workers(request.plan.threads, &context.cancel);
  TADA_TRY(done, MakeRelease(asked, source, sink, workers, context.progress));
  if (ledger && done.outcome.verdict.passed) {
    TADA_TRY(digest, source.Digest());
    TADA_CHECK_OK(ledger->Judge(digest, workers, done));
  }
  if (!done.outcome.verdict.passed) return done;
  TADA_CHECK_OK(WriteAll(key, people ? &*people : nullptr, ledger ? &*ledger : nullptr, context.files, done, beside));
  workers.Poll();
  TADA_CHECK_OK(sink.Publish());
  TADA_CHECK_OK(PublishBeside(beside.report, "report", sink));
  TADA_CHECK_OK(PublishBeside(beside.manifest, "manifest", sink));
  TADA_CHECK_OK(PublishBeside(beside.cuts, "cuts", sink));
  TADA_CHECK_OK(PublishBeside(beside.people, "list of people", sink));
  TADA_CHECK_OK(PublishBeside(beside.ledger, "ledger", sink));
  return done;
}

}  // namespace tada
