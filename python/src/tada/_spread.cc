// The doors of runs over spread rows: what tada.spark calls on the driver and on executors. Codes come as arrays of int32, one
// per column; counts, splits and trees travel as bytes. Every decision is made in src/spread.

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <array>
#include <tuple>

#include "doors.h"
#include "commands/judge/audit.h"
#include "plan/plan_columns.h"
#include "report/release/report.h"
#include "report/release/report_html.h"
#include "report/verdict/verdict_json.h"
#include "run/audit/audit_release.h"
#include "run/audit/released_columns.h"
#include "run/inspect/guard_people.h"
#include "spread/merged_verdict.h"
#include "spread/refusals.h"
#include "spread/shared.h"
#include "spread/spread_outcome.h"
#include "spread/text_digests.h"

namespace tada {
namespace {

using Codes32 = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts64 = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes8 = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Plan PlanOf(const Options& options) {
  const OptionValues values = ValuesOf(options);
  if (Status valid = ValidateValues(OptionsOfCommand("anonymize"), values); !valid.ok()) Raise(valid.error());
  PlanFile file;
  if (values.Has("plan")) file = ValueOrRaise(ReadPlanFile(values.Text("plan")));
  if (Status known = CheckSpreadOptions(file, values); !known.ok()) Raise(known.error());
  return ValueOrRaise(PlanFromFile(file, values));
}

StreamTable ReadColumns(const nb::object& capsule, const std::map<std::string, ColumnOptions>& by_name,
                        const std::vector<std::string>* only) {
  nanoarrow::UniqueArrayStream stream = TakeStream(capsule);
  StreamOptions options;
  options.by_name = by_name;
  if (only != nullptr) options.columns = *only;
  NoProgress silent;
  return ValueOrRaise(ReadStream(*stream.get(), options, Workers(1), silent));
}

CodeColumns ColumnsOf(const std::vector<Codes32>& codes) {
  CodeColumns columns;
  for (const Codes32& of_column : codes) columns.emplace_back(of_column.data(), of_column.shape(0));
  return columns;
}

nb::bytes BytesOf(const std::vector<int32_t>& codes) {
  return nb::bytes(reinterpret_cast<const char*>(codes.data()), codes.size() * sizeof(int32_t));
}
nb::bytes BytesOf(const std::string& text) { return nb::bytes(text.data(), text.size()); }
std::string_view ViewOf(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// The columns of a plan by role, "controller" among them; what the caller has to hand over.
nb::dict SpreadColumns(const Options& options) {
  const Plan plan = PlanOf(options);
  if (Status known = CheckSpreadPlan(plan); !known.ok()) Raise(known.error());
  nb::dict found;
  const std::pair<const char*, const std::vector<PlannedColumn>*> roles[] = {
      {"quasi", &plan.quasi}, {"sensitive", &plan.sensitive}, {"label", &plan.label}, {"keep", &plan.keep}};
  for (const auto& [role, columns] : roles) {
    nb::list names;
    for (const PlannedColumn& column : *columns) names.append(column.name);
    found[role] = names;
  }
  found["controller"] = plan.controller_column;
  found["names"] = SpreadNames(plan);
  found["reference"] = plan.requirement.reference == ReferenceRows::kTable ? "table" : "controller";
  const auto further = [](const Requirement& requirement) { return !requirement.more.empty(); };
  found["compares"] = further(plan.requirement) || std::ranges::any_of(plan.controller_requirements, further,
                                                                       [](const auto& one) -> const Requirement& { return one.second; });
  found["missing"] = plan.missing;
  return found;
}

// Checks that the header has every column that the plan names; gives those that may name people with several rows.
std::vector<std::string> CheckHeader(const Options& options, const std::vector<std::string>& header) {
  const Plan plan = PlanOf(options);
  if (Status there = CheckInputColumns(plan, header, "the frame"); !there.ok()) Raise(there.error());
  return ColumnsToGuard(plan, header);
}

// One entry per column: its values as a stream, their controllers as another or None, and their rows.
using SurveyEntry = std::tuple<nb::object, nb::object, Counts64>;

std::unique_ptr<Shared> MakeShared(const Options& options, const std::vector<SurveyEntry>& entries) {
  const Plan plan = PlanOf(options);
  const auto by_name = PlannedColumnOptions(plan);
  std::vector<ColumnSurvey> survey;
  for (const auto& [values, controllers, rows] : entries) {
    ColumnSurvey& column = survey.emplace_back();
    column.values = ReadColumns(values, by_name, nullptr);
    if (!controllers.is_none()) column.controllers = ReadColumns(controllers, by_name, nullptr);
    for (size_t i = 0; i < rows.shape(0); ++i) column.rows.push_back(static_cast<uint64_t>(rows.data()[i]));
  }
  return ValueOrRaise(Shared::Make(plan, std::move(survey)));
}

// Codes of a batch, column by column.
nb::list EncodePart(const Shared& shared, const nb::object& capsule) {
  const StreamTable part = ReadColumns(capsule, PlannedColumnOptions(shared.plan()), &shared.names());
  nb::list codes;
  for (const std::vector<int32_t>& of_column : ValueOrRaise(shared.Encode(part.table))) codes.append(BytesOf(of_column));
  return codes;
}

nb::list CountPart(const Shared& shared, const SpreadTree& tree, const std::vector<Codes32>& codes) {
  std::vector<std::pair<uint32_t, std::string>> counted;
  {
    const CodeColumns columns = ColumnsOf(codes);
    const nb::gil_scoped_release unlocked;
    counted = shared.Count(tree, columns);
  }
  nb::list entries;
  for (const auto& [node, counts] : counted) entries.append(nb::make_tuple(node, BytesOf(counts)));
  return entries;
}

nb::bytes ChooseSplit(const Shared& shared, const SpreadTree& tree, uint32_t node, const std::vector<nb::bytes>& counts) {
  std::vector<std::string_view> views;
  for (const nb::bytes& part : counts) views.push_back(ViewOf(part));
  return BytesOf(shared.Choose(tree, node, views).Pack());
}

// The cells of a node's rows, what they lose (packed), and warnings.
nb::tuple FinishNode(const Shared& shared, const SpreadTree& tree, uint32_t node,
                                           const std::vector<Codes32>& codes) {
  const CodeColumns columns = ColumnsOf(codes);
  std::optional<Result<FinishedNode>> made;
  {
    const nb::gil_scoped_release unlocked;
    made = shared.Finish(tree, node, columns);
  }
  const FinishedNode finished = ValueOrRaise(*std::move(made));
  return nb::make_tuple(Capsule(finished.cells), BytesOf(finished.shown), finished.warnings);
}

// How many rows each value of a reference stands for, by sensitive column.
std::vector<std::vector<uint64_t>> RowsOf(const std::vector<Counts64>& reference) {
  std::vector<std::vector<uint64_t>> rows;
  for (const Counts64& counts : reference) rows.emplace_back(counts.data(), counts.data() + counts.shape(0));
  return rows;
}

// Whole classes of a release, judged by the audit; the verdict holds no cell. The last rows are what classes are compared with.
std::string AuditClasses(const Options& options, const nb::object& released, const std::vector<Counts64>& reference) {
  const AuditRequest request = Request("audit", options, &AuditRequestFrom);
  const StreamTable part = ReadColumns(released, ReleasedColumnOptions(request.plan), nullptr);
  const std::vector<Controller> asked{{"", {}, request.plan.requirement}};
  return PackVerdict(
      ValueOrRaise(AuditPart({part.table, RowsOf(reference)}, request.plan, asked, nullptr, Workers(1))));
}

// The same for the release of a run.
std::string AuditClassesOf(const Shared& shared, const nb::object& released, const std::vector<Counts64>& reference,
                           std::optional<uint32_t> controller) {
  const StreamTable part = ReadColumns(released, ReleasedColumnOptions(shared.PlanWithKinds()), nullptr);
  return PackVerdict(ValueOrRaise(shared.AuditClasses(part.table, RowsOf(reference), controller)));
}

// The verdict of the whole from those of its parts, as JSON.
std::string MergePackedVerdicts(const std::vector<std::string>& packed, const Options& options) {
  const AuditRequest request = Request("audit", options, &AuditRequestFrom);
  std::vector<Verdict> parts;
  for (const std::string& part : packed) parts.push_back(UnpackVerdict(part));
  Verdict whole = MergeVerdicts(parts);
  whole.requirement = request.plan.requirement;
  for (const PlannedColumn& column : request.plan.quasi) whole.quasi.push_back(column.name);
  for (const PlannedColumn& column : request.plan.sensitive) whole.sensitive.push_back(column.name);
  AddRisks(whole);
  return AsKeywords(VerdictJson(whole));
}

// Released rows beside what they were made of, in the same order.
std::string CoverPart(const Shared& shared, const nb::object& released, const nb::object& original) {
  const StreamTable table = ReadColumns(released, ReleasedColumnOptions(shared.plan()), nullptr);
  const StreamTable before = ReadColumns(original, PlannedColumnOptions(shared.plan()), nullptr);
  return PackVerdict(ValueOrRaise(shared.Cover(table.table, before.table)));
}

// Refuses columns that identify: `some` are rows with all released columns, `people` columns whose names say that they name people. Gives what
// was allowed, in words, and the kinds of the columns.
nb::tuple GuardColumns(const Shared& shared, const nb::object& some, const nb::object& people) {
  const Plan& plan = shared.plan();
  if (!people.is_none()) {
    const StreamTable found = ReadColumns(people, {}, nullptr);
    if (Status guarded = GuardPeople(found.table, found.all_columns); !guarded.ok()) Raise(guarded.error());
  }
  const StreamTable rows = ReadColumns(some, PlannedColumnOptions(plan), nullptr);
  std::map<std::string, std::string> kinds;
  for (const Column& column : rows.table.columns()) kinds[column.name()] = KindName(column.kind());
  return nb::make_tuple(ValueOrRaise(shared.Guard(rows.table)), kinds);
}

// Of texts that stand in one buffer, each with a tag; 16 bytes of each.
nb::bytes TextDigests(const Bytes8& tags, const Counts64& begins, const Counts64& ends, const Bytes8& texts) {
  const std::string_view all(reinterpret_cast<const char*>(texts.data()), texts.shape(0));
  std::vector<std::array<uint64_t, 2>> digests(tags.shape(0));
  for (size_t i = 0; i < digests.size(); ++i) {
    const auto begin = static_cast<size_t>(begins.data()[i]), end = static_cast<size_t>(ends.data()[i]);
    digests[i] = TextDigest(tags.data()[i], all.substr(begin, end - begin));
  }
  return nb::bytes(reinterpret_cast<const char*>(digests.data()), digests.size() * sizeof(digests[0]));
}

struct SpreadReport {
  Outcome outcome;
};

template <class T>
T FactOf(const nb::dict& facts, const char* name) {
  return facts.contains(name) ? nb::cast<T>(facts[name]) : T();
}

SpreadReport MakeReport(const Shared& shared, const nb::dict& given) {
  using Words = std::vector<std::string>;
  SpreadFacts facts;
  facts.classes = FactOf<Words>(given, "classes");
  facts.covers = FactOf<Words>(given, "covers");
  facts.of_controllers = FactOf<std::vector<std::pair<uint32_t, std::string>>>(given, "of_controllers");
  for (const nb::bytes& part : FactOf<std::vector<nb::bytes>>(given, "shown")) facts.shown.emplace_back(ViewOf(part));
  facts.seconds = FactOf<std::vector<std::pair<std::string, double>>>(given, "seconds");
  facts.warnings = FactOf<Words>(given, "warnings");
  facts.raw_warnings = FactOf<Words>(given, "raw_warnings");
  facts.problems = FactOf<Words>(given, "problems");
  facts.columns = FactOf<Words>(given, "columns");
  facts.sample = FactOf<std::vector<Words>>(given, "sample");
  using Kept = std::tuple<std::string, std::string, uint64_t, uint64_t>;
  for (const auto& [name, kind, distinct, missing] : FactOf<std::vector<Kept>>(given, "kept")) {
    facts.kept.push_back({name, kind, distinct, missing});
  }
  return {DescribeSpread(shared, facts)};
}

// A column with the kind that it has over the whole table: a part might be read as another.
std::string TextWithKind(PlannedColumn column, const Table& table) {
  if (const auto id = table.Find(column.name); id && !column.kind) {
    const Kind kind = table.column(*id).kind();
    if (kind != Kind::kOrdinal) column.kind = kind;
  }
  return PlannedColumnText(column, false);
}

// The columns of an audit by role, after its options were looked at.
nb::dict AuditColumns(const Options& options) {
  const OptionValues values = ValuesOf(options);
  const AuditRequest request = Request("audit", options, &AuditRequestFrom);
  PlanFile file;
  if (values.Has("plan")) file = ValueOrRaise(ReadPlanFile(values.Text("plan")));
  if (Status known = CheckSpreadOptions(file, values); !known.ok()) Raise(known.error());
  nb::dict found;
  nb::list quasi, sensitive;
  for (const PlannedColumn& column : request.plan.quasi) quasi.append(column.name);
  for (const PlannedColumn& column : request.plan.sensitive) sensitive.append(column.name);
  found["quasi"] = quasi;
  found["sensitive"] = sensitive;
  found["compares"] = !request.plan.requirement.more.empty();
  return found;
}

// The options of an audit, with the kinds of sensitive columns over all of their values, which come as one stream per column.
Options WithKinds(const Options& options, const std::vector<nb::object>& sensitive) {
  const AuditRequest request = Request("audit", options, &AuditRequestFrom);
  Options with = options;
  with.erase("plan");
  with["quasi"].clear();
  for (const PlannedColumn& column : request.plan.quasi) with["quasi"].push_back(PlannedColumnText(column, false));
  with["k"] = {std::to_string(request.plan.requirement.k)};
  with["missing"] = request.plan.missing;
  if (request.plan.sensitive.empty()) return with;
  with["sensitive"].clear();
  for (size_t i = 0; i < sensitive.size(); ++i) {
    const StreamTable values = ReadColumns(sensitive[i], ReleasedColumnOptions(request.plan), nullptr);
    with["sensitive"].push_back(TextWithKind(request.plan.sensitive[i], values.table));
  }
  with["l"] = {std::to_string(request.plan.requirement.l)};
  const Requirement& asked = request.plan.requirement;
  with["diversity"] = {DiversityName(asked)};
  if (asked.exact_values) with["exact-values"] = {"true"};
  if (asked.missing_counts) with["missing-counts"] = {"true"};
  for (const Demand& demand : asked.more) with[demand.name].clear();
  for (const Demand& demand : asked.more) {
    for (std::string& item : DemandItems(demand)) with[demand.name].push_back(std::move(item));
  }
  return with;
}

}  // namespace

void BindSpread(nb::module_& module) {
  module.def("spread_columns", &SpreadColumns, nb::arg("options"));
  module.def("spread_check_header", &CheckHeader, nb::arg("options"), nb::arg("header"));
  module.def("spread_audit_classes", &AuditClasses, nb::arg("options"), nb::arg("released"),
             nb::arg("reference"));
  module.def("spread_merge", &MergePackedVerdicts, nb::arg("packed"), nb::arg("options"));
  module.def("spread_audit_columns", &AuditColumns, nb::arg("options"));
  module.def("spread_digests", &TextDigests, nb::arg("tags"), nb::arg("begins"), nb::arg("ends"), nb::arg("texts"));
  module.def("spread_with_kinds", &WithKinds, nb::arg("options"), nb::arg("sensitive"));
  nb::class_<SpreadTree>(module, "SpreadTree")
      .def(nb::init<>())
      .def_static("unpack", [](const nb::bytes& bytes) { return SpreadTree::Unpack(ViewOf(bytes)); })
      .def("pack", [](const SpreadTree& tree) { return BytesOf(tree.Pack()); })
      .def("add_root", &SpreadTree::AddRoot, nb::arg("rows"), nb::arg("local_rows"))
      .def(
          "apply",
          [](SpreadTree& tree, uint32_t node, const nb::bytes& split, uint64_t local_rows) {
            tree.Apply(node, StageSplit::Unpack(ViewOf(split)), local_rows);
          },
          nb::arg("node"), nb::arg("split"), nb::arg("local_rows"))
      .def("open", [](const SpreadTree& tree) { return tree.In(SpreadTree::State::kOpen); })
      .def("local", [](const SpreadTree& tree) { return tree.In(SpreadTree::State::kLocal); })
      .def("final", [](const SpreadTree& tree) { return tree.In(SpreadTree::State::kFinal); })
      .def("rows", [](const SpreadTree& tree, uint32_t node) { return tree.nodes().at(node).rows; })
      .def("controller", [](const SpreadTree& tree, uint32_t node) { return tree.nodes().at(node).controller; })
      .def("__len__", [](const SpreadTree& tree) { return tree.nodes().size(); });
  nb::class_<SpreadReport>(module, "SpreadReport")
      .def_prop_ro("passed", [](const SpreadReport& report) { return report.outcome.verdict.passed; })
      .def_prop_ro("problems", [](const SpreadReport& report) { return AsKeywords(report.outcome.verdict.problems); })
      .def_prop_ro("warnings", [](const SpreadReport& report) { return AsKeywords(report.outcome.all_warnings()); })
      .def("plan_toml", [](const SpreadReport& report) { return PlanToToml(report.outcome.plan); })
      .def("json", [](const SpreadReport& report) { return OnCommandLine(ReportJson(report.outcome)); })
      .def("html", [](const SpreadReport& report) { return OnCommandLine(ReportHtml(report.outcome)); })
      .def("verdict_json", [](const SpreadReport& report) { return AsKeywords(VerdictJson(report.outcome.verdict)); });
  nb::class_<Shared>(module, "SpreadShared")
      .def_static("make", &MakeShared, nb::arg("options"), nb::arg("survey"))
      .def_prop_ro("names", &Shared::names)
      .def_prop_ro("root_rows", &Shared::root_rows)
      .def_prop_ro("stages", &Shared::stage_names)
      .def(
          "check_local",
          [](const Shared& shared, uint64_t local_rows) {
            if (Status few = shared.CheckLocal(local_rows); !few.ok()) Raise(few.error());
          },
          nb::arg("local_rows"))
      .def("audit_classes", &AuditClassesOf, nb::arg("released"), nb::arg("reference"), nb::arg("controller").none())
      .def("cell_types", [](const Shared& shared) { return Capsule(shared.CellTypes()); })
      .def("encode", &EncodePart, nb::arg("batch"))
      .def(
          "decode",
          [](const Shared& shared, const std::vector<Codes32>& codes) { return Capsule(shared.Decode(ColumnsOf(codes))); },
          nb::arg("codes"))
      .def(
          "route",
          [](const Shared& shared, const SpreadTree& tree, const std::vector<Codes32>& codes) {
            return BytesOf(shared.Route(tree, ColumnsOf(codes)));
          },
          nb::arg("tree"), nb::arg("codes"))
      .def("count", &CountPart, nb::arg("tree"), nb::arg("codes"))
      .def("choose", &ChooseSplit, nb::arg("tree"), nb::arg("node"), nb::arg("counts"))
      .def("finish", &FinishNode, nb::arg("tree"), nb::arg("node"), nb::arg("codes"))
      .def("cover", &CoverPart, nb::arg("released"), nb::arg("original"))
      .def("guard", &GuardColumns, nb::arg("some"), nb::arg("people").none())
      .def("report", &MakeReport, nb::arg("facts"));
}

}  // namespace tada
