// What the page asks about tables: profile, risk, plans, hierarchies.

#include <filesystem>
#include <set>

#include "base/disk/whole_file.h"
#include "base/option_mark.h"
#include "commands/option_table.h"
#include "hierarchy/hierarchy_builders.h"
#include "hierarchy/hierarchy_files.h"
#include "plan/plan_columns.h"
#include "plan/shell_command.h"
#include "report/profile_report.h"
#include "run/bind/feasible.h"
#include "run/inspect/inspect.h"
#include "run/inspect/quasi_risk.h"
#include "run/read_options.h"
#include "server/app.h"
#include "server/http/problem.h"
#include "server/json_body.h"
#include "server/plan_json.h"

namespace tada {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

std::vector<ColumnId> ColumnsNamed(const Table& table, const Json& asked, const char* role) {
  std::vector<ColumnId> ids;
  if (!asked.contains(role) || !asked[role].is_array()) return ids;
  std::set<ColumnId> seen;
  for (const Json& name : asked[role]) {
    if (!name.is_string()) continue;
    if (const auto id = table.Find(ParsePlannedColumn(name.get<std::string>(), false).name);
        id && seen.insert(*id).second)
      ids.push_back(*id);
  }
  return ids;
}

Ordered RiskJson(const QuasiRisk& risk, const Table& table) {
  Ordered sizes = Ordered::array(), columns = Ordered::object();
  for (const auto& bin : risk.sizes) sizes.push_back({{"from", bin.from}, {"to", bin.to}, {"members", bin.members}});
  Ordered changed = Ordered::array();
  for (ColumnId id = 0; id < risk.unique_if_changed.size(); ++id)
    changed.push_back({{"name", table.column(id).name()}, {"unique", risk.unique_if_changed[id]}});
  return {{"members", risk.members}, {"unique", risk.unique}, {"classes", risk.classes},
          {"below_k", risk.below_k}, {"sizes", sizes},        {"if_changed", changed}};
}

/// How a table is read, as options of a plan.
Ordered ReadingJson(const LayoutOptions& layout) {
  Ordered json = Ordered::object();
  if (layout.delimiter) json["delimiter"] = std::string(1, *layout.delimiter);
  if (!layout.charset.empty()) json["charset"] = layout.charset;
  if (!layout.sheet.empty()) json["sheet"] = layout.sheet;
  return json;
}

uint64_t KOf(const Json& asked) {
  if (!asked.contains("k")) return 5;
  const Json& k = asked["k"];
  constexpr int64_t kMost = 1'000'000'000;
  if (k.is_number_unsigned()) return std::clamp<uint64_t>(k.get<uint64_t>(), 1, kMost);
  return k.is_number_integer() ? 1 : 5;  // negative
}

}  // namespace

void App::AddTableRoutes(std::vector<Route>& routes) {
  routes.push_back({"GET", "/api/tables", "The tables",
                    [this](const HttpRequest&) {
                      Ordered list = Ordered::array();
                      for (const ServedTable& table : tables_.All()) list.push_back(TableJson(table));
                      return JsonResponse({{"tables", list}});
                    },
                    false, true});
  routes.push_back({"POST", "/api/demo", "Take in 5,000 people that tada makes up", [this](const HttpRequest&) {
                      const auto id = AddDemo();
                      if (!id.ok()) return ProblemResponse(id.error());
                      return JsonResponse(TableJson(*tables_.Find(*id)), 201);
                    }});
  routes.push_back({"PUT", "/api/tables/{name}", "Upload a table; the body is the file",
                    [this](const HttpRequest& request) {
                      const std::string id = tables_.AddUpload(request.body_file, request.captures[0]);
                      return JsonResponse(TableJson(*tables_.Find(id)), 201);
                    },
                    true});
  routes.push_back({"GET", "/api/tables/{id}", "The profile of a table: columns, proposed roles, risk",
                    [this](const HttpRequest& request) { return ShowTable(request.captures[0]); }});
  routes.push_back(
      {"DELETE", "/api/tables/{id}", "Forget a table; an upload is deleted", [this](const HttpRequest& request) {
         const std::string& id = request.captures[0];
         if (jobs_.Uses(id)) return ProblemResponse(409, "A job reads this table", "Cancel the job first.");
         if (!tables_.Forget(id)) return ProblemResponse(404, "There is no such table", "");
         HttpResponse response;
         response.status = 204;
         return response;
       }});
  routes.push_back({"POST", "/api/tables/{id}/reading",
                    "Read a table as a plan says: charset, delimiter, sheet; its profile",
                    [this](const HttpRequest& request) {
                      return WithBody(request, [&](const Json& body) { return ReadTable(request.captures[0], body); });
                    }});
  routes.push_back({"POST", "/api/tables/{id}/risk", "How identifying quasi-identifiers are, and what each column adds",
                    [this](const HttpRequest& request) {
                      return WithBody(request, [&](const Json& body) { return ShowRisk(request.captures[0], body); });
                    }});
  routes.push_back({"POST", "/api/tables/{id}/feasible", "What can be asked of a table, without a run",
                    [this](const HttpRequest& request) {
                      return WithBody(request,
                                      [&](const Json& body) { return ShowFeasible(request.captures[0], body); });
                    }});
  routes.push_back({"POST", "/api/plan", "A plan as TOML, command and Python, and what is wrong with it",
                    [this](const HttpRequest& request) {
                      return WithBody(request, [&](const Json& body) { return ShowPlan(body); });
                    }});
  routes.push_back({"GET", "/api/tables/{id}/hierarchies/{column}",
                    "The hierarchy of a column: saved, or made by a builder", [this](const HttpRequest& request) {
                      const auto builder = request.query.find("builder");
                      return ShowHierarchy(request.captures[0], request.captures[1],
                                           builder == request.query.end() ? "" : builder->second);
                    }});
  routes.push_back({"POST", "/api/tables/{id}/hierarchies/{column}", "Check and save the hierarchy of a column",
                    [this](const HttpRequest& request) {
                      return WithBody(request, [&](const Json& body) {
                        return SaveHierarchy(request.captures[0], request.captures[1], body);
                      });
                    }});
}

HttpResponse App::ShowTable(const std::string& id) {
  const auto served = tables_.Find(id);
  if (!served) return ProblemResponse(404, "There is no such table", "");
  const auto file = tables_.Read(id);
  if (!file.ok()) return ProblemResponse(file.error());
  const Table& table = (*file)->table;
  const Profile profile = Inspect(table, Plan{});
  Ordered json = TableJson(*served);
  json.update(Ordered::parse(ProfileJson(profile, Plan{})));
  json.erase("class_sizes");
  constexpr size_t kBins = 24;
  for (ColumnId column = 0; column < table.num_columns(); ++column)
    json["columns"][column]["shape"] = ColumnShape(table.column(column), kBins);
  json["format"] = (*file)->format;
  json["reading"] = ReadingJson(tables_.LayoutOf(id));
  return JsonResponse(json);
}

HttpResponse App::ReadTable(const std::string& id, const Json& asked) {
  if (!tables_.Find(id)) return ProblemResponse(404, "There is no such table", "");
  const auto read = PlanFileFromJson(asked.contains("plan") ? asked["plan"] : Json::object());
  if (!read.ok()) return ProblemResponse(read.error());
  const auto plan = DraftPlan(*read, {});
  if (!plan.ok()) return ProblemResponse(plan.error());
  tables_.SetLayout(id, PlannedLayout(*plan));
  return ShowTable(id);
}

HttpResponse App::ShowRisk(const std::string& id, const Json& asked) {
  if (!tables_.Find(id)) return ProblemResponse(404, "There is no such table", "");
  const Asked question = tables_.Ask(id);
  const auto file = tables_.Read(id);
  if (!file.ok()) return ProblemResponse(file.error());
  const Table& table = (*file)->table;
  const std::vector<ColumnId> person = ColumnsNamed(table, asked, "person");
  PeopleOfRows people;
  if (!person.empty()) people = FindPeople(table, person);
  const Workers workers(0, &question.cancel());
  const QuasiRisk risk = MeasureQuasiRisk(table, ColumnsNamed(table, asked, "quasi"),
                                          person.empty() ? nullptr : &people, KOf(asked), true, workers);
  return JsonResponse(RiskJson(risk, table));
}

HttpResponse App::ShowFeasible(const std::string& id, const Json& asked) {
  if (!tables_.Find(id)) return ProblemResponse(404, "There is no such table", "");
  const auto read = PlanFileFromJson(asked.contains("plan") ? asked["plan"] : Json::object());
  if (!read.ok()) return ProblemResponse(read.error());
  const auto plan = PlanFromFile(*read, {});
  if (!plan.ok()) return ProblemResponse(plan.error());
  const auto file = tables_.Read(id);
  if (!file.ok()) return ProblemResponse(file.error());
  const auto found = FindFeasible((*file)->table, *plan);
  if (!found.ok()) return ProblemResponse(found.error());
  Ordered controllers = Ordered::array();
  bool all = true;
  for (const Feasibility& one : *found) {
    Ordered told = {
        {"name", one.controller}, {"members", one.members}, {"largest", one.largest}, {"feasible", one.status.ok()}};
    if (!one.status.ok()) {
      all = false;
      told["detail"] = AsKeys(one.status.error().message);
      told["hint"] = AsKeys(one.status.error().hint);
    }
    controllers.push_back(std::move(told));
  }
  return JsonResponse({{"feasible", all}, {"controllers", controllers}});
}

HttpResponse App::ShowPlan(const Json& asked) {
  PlanFile file;
  Ordered errors = Ordered::array();
  const auto wrong = [&](const Error& error) {
    errors.push_back(
        {{"field", FieldOf(error.message)}, {"detail", AsKeys(error.message)}, {"hint", AsKeys(error.hint)}});
  };
  if (asked.contains("toml")) {
    if (!asked["toml"].is_string()) return ProblemResponse(400, "'toml' is a text", "", 2);
    auto read = PlanFileFromToml(asked["toml"].get<std::string>());
    if (!read.ok()) return ProblemResponse(read.error());
    file = std::move(*read);
  } else {
    auto read = PlanFileFromJson(asked.contains("plan") ? asked["plan"] : Json::object());
    if (!read.ok()) return ProblemResponse(read.error());
    file = std::move(*read);
  }
  std::string input = "input.csv";
  if (asked.contains("table") && asked["table"].is_string()) {
    if (const auto table = tables_.Find(asked["table"].get<std::string>())) input = table->file;
  }
  const std::string output = input.substr(0, input.find('.')) + ".anon.csv";
  Ordered json = {{"plan", PlanFileJson(file)}};
  const auto draft = DraftPlan(file, {});
  if (!draft.ok()) {
    wrong(draft.error());
  } else {
    json["toml"] = PlanToToml(*draft);
    json["inspect"] =
        "tada inspect " + ShellQuote(input) + (draft->quasi.empty() ? "" : " " + RequirementOptions(*draft));
    if (const Status whole = CheckPlan(*draft); !whole.ok()) wrong(whole.error());
    if (errors.empty()) json["options"] = RequirementOptions(*draft) + ReadingOptions(*draft);
  }
  json["command"] = AnonymizeCommand(input, output) + " --report report.html --json";
  json["python"] = PythonCall(file, input, output);
  json["errors"] = errors;
  return JsonResponse(json);
}

namespace {

Ordered LinesJson(const HierarchyLines& lines, size_t most) {
  Ordered rows = Ordered::array();
  for (const auto& line : lines.lines) {
    if (rows.size() == most) break;
    rows.push_back(line);
  }
  return rows;
}

/// A name for the file of a column's hierarchy: its number, since its name may be anything.
std::string HierarchyFile(ColumnId column) { return fmt::format("column-{}.csv", column + 1); }

Ordered HierarchyJson(const Hierarchy& hierarchy, const Column& column, const std::string& from) {
  constexpr size_t kMostLines = 20'000;
  Ordered levels = Ordered::array();
  const std::vector<uint64_t> smallest = hierarchy.SmallestNodes(column);
  for (uint32_t level = 0; level < hierarchy.num_levels(); ++level)
    levels.push_back({{"nodes", hierarchy.num_nodes(level)}, {"smallest", smallest[level]}});
  const HierarchyLines lines = LinesOf(hierarchy, column);
  return {{"column", column.name()},
          {"from", from},
          {"levels", levels},
          {"lines", LinesJson(lines, kMostLines)},
          {"values", lines.lines.size()},
          {"corrected", hierarchy.corrected()}};
}

}  // namespace

HttpResponse App::ShowHierarchy(const std::string& id, const std::string& name, const std::string& builder) {
  if (!tables_.Find(id)) return ProblemResponse(404, "There is no such table", "");
  const auto file = tables_.Read(id);
  if (!file.ok()) return ProblemResponse(file.error());
  const Table& table = (*file)->table;
  const auto column = table.Find(name);
  if (!column) return ProblemResponse(404, "The table has no such column", "");
  const std::string saved = tables_.HierarchyFolder(id) + "/" + HierarchyFile(*column);
  if (builder.empty() && std::filesystem::exists(saved)) {
    const auto lines = ReadHierarchyFile(saved);
    if (!lines.ok()) return ProblemResponse(lines.error());
    const auto hierarchy = BindHierarchy(*lines, table.column(*column));
    if (!hierarchy.ok()) return ProblemResponse(hierarchy.error());
    return JsonResponse(HierarchyJson(*hierarchy, table.column(*column), "hierarchies/" + HierarchyFile(*column)));
  }
  const std::string used = builder.empty() ? std::string(DefaultBuilder(table.column(*column))) : builder;
  const auto hierarchy = BuildHierarchy(used, table, *column);
  if (!hierarchy.ok()) return ProblemResponse(hierarchy.error());
  return JsonResponse(HierarchyJson(*hierarchy, table.column(*column), used));
}

HttpResponse App::SaveHierarchy(const std::string& id, const std::string& name, const Json& asked) {
  if (!tables_.Find(id)) return ProblemResponse(404, "There is no such table", "");
  const auto file = tables_.Read(id);
  if (!file.ok()) return ProblemResponse(file.error());
  const Table& table = (*file)->table;
  const auto column = table.Find(name);
  if (!column) return ProblemResponse(404, "The table has no such column", "");
  if (asked.contains("check_only") && !asked["check_only"].is_boolean())
    return ProblemResponse(400, "'check_only' is true or false", "", 2);
  HierarchyLines lines;
  lines.source = HierarchyFile(*column);
  if (!asked.contains("lines") || !asked["lines"].is_array())
    return ProblemResponse(400, "'lines' is a list of lists of texts", "", 2);
  for (const Json& line : asked["lines"]) {
    if (!line.is_array()) return ProblemResponse(400, "'lines' is a list of lists of texts", "", 2);
    lines.lines.emplace_back();
    for (const Json& label : line) {
      if (!label.is_string()) return ProblemResponse(400, "'lines' is a list of lists of texts", "", 2);
      lines.lines.back().push_back(label.get<std::string>());
    }
  }
  if (lines.lines.empty()) return ProblemResponse(400, "A hierarchy has at least one line", "", 2);
  auto aligned = AlignLines(std::move(lines));
  if (!aligned.ok()) return ProblemResponse(aligned.error());
  const auto hierarchy = BindHierarchy(*aligned, table.column(*column));
  if (!hierarchy.ok()) return ProblemResponse(hierarchy.error());
  if (!asked.value("check_only", false)) {
    const std::string folder = tables_.HierarchyFolder(id);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const Status written = WriteWhole(folder + "/" + HierarchyFile(*column), true, HierarchyCsv(*aligned));
    if (!written.ok()) return ProblemResponse(written.error());
  }
  return JsonResponse(HierarchyJson(*hierarchy, table.column(*column), "hierarchies/" + HierarchyFile(*column)));
}

}  // namespace tada
