#include "commands/release/hierarchy.h"

#include <filesystem>

#include "base/option_mark.h"
#include "hierarchy/hierarchy_builders.h"
#include "plan/option_groups.h"
#include "plan/plan_columns.h"
#include "run/protect/input_notes.h"
#include "run/read_options.h"

namespace tada {
namespace {

Result<TableFile> ReadInput(const HierarchyRequest& request, Source& table, Context& context) {
  const Plan& plan = request.plan;
  TADA_TRY(header, table.Header(PlannedLayout(plan)));
  if (request.of_column) TADA_CHECK_OK(CheckColumn(plan.quasi[0].name, "column", header, table.name()));
  TADA_CHECK_OK(CheckPlannedColumns(plan, header, table.name()));
  const Workers workers(plan.threads, &context.cancel);
  TADA_TRY(file, table.Read(OriginalReadOptions(plan), workers, context.progress));
  TADA_CHECK_OK(CheckDecided(file.table, plan));
  context.progress.Clear();
  return file;
}

Status CheckHasColumn(const HierarchyRequest& request) {
  if (request.of_column) return Ok();
  return InvalidArgument(TADA_OPTION("column") " is missing: whose hierarchy?");
}

// Of every column of a folder or a file of sections, or of the request's.
Result<CheckedHierarchies> CheckSeveral(const HierarchyRequest& request, const std::string& path, Source& source,
                                        Context& context) {
  CheckedHierarchies checked;
  TADA_TRY(file, ReadInput(request, source, context));
  checked.file = std::move(file);
  const Table& table = checked.file.table;
  std::vector<ColumnId> columns;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    if (!request.of_column || table.column(id).name() == request.plan.quasi[0].name) columns.push_back(id);
  }
  TADA_TRY(found, ReadHierarchies(path, table, columns));
  if (found.empty()) return InvalidArgument("{} has no hierarchy of these columns", path);
  for (const NamedHierarchy& named : found) {
    const ColumnId id = *table.Find(named.column);
    TADA_TRY(hierarchy, BindHierarchy(named.lines, table.column(id)));
    checked.hierarchies.push_back({id, std::move(hierarchy)});
  }
  return checked;
}

}  // namespace

OptionSpecs HierarchyCommandOptions() {
  using enum OptionType;
  const OptionSpecs output = OutputOptions();
  return Join(
      {Only(RoleOptions(), {"label"}),
       Without(InputOptions(), {"plan"}),
       {TextOption("column", "name", "Hierarchy", "Name the column; a suffix overrides its kind: zip:categorical."),
        TextOption("builder", "builder", "Hierarchy",
                   "Set the rule (width:10, width:10:15, 0-120/5/10/20, dates, prefix:5/3/1, split:., zip3, icd10) or "
                   "the builder from the data (count:5, round, prefix, means, flat). By default count:5 for numbers, "
                   "dates for dates, means for names."),
        WithHelp(*FindOption(output, "output"), "Write the hierarchy to this file, .csv; - is standard output.")},
       Only(output, {"force"}),
       Without(RunOptions(), {"seed", "memory"})});
}

Result<HierarchyRequest> HierarchyRequestFrom(const PlanFile& file, const OptionValues& options) {
  HierarchyRequest request;
  TADA_TRY(plan, DraftPlan(file, options));
  request.plan = std::move(plan);
  request.of_column = options.Has("column");
  if (request.of_column) request.plan.quasi = {ParsePlannedColumn(options.Text("column"), false)};
  request.builder = options.Text("builder");
  return request;
}

Result<BuiltHierarchy> BuildHierarchy(const HierarchyRequest& request, Source& source, Context& context) {
  TADA_CHECK_OK(CheckHasColumn(request));
  TADA_TRY(file, ReadInput(request, source, context));
  const Table& table = file.table;
  const ColumnId column = *table.Find(request.plan.quasi[0].name);
  if (table.column(column).num_codes() == table.column(column).num_missing()) {
    return DataError("Nothing but missing values: column={}", request.plan.quasi[0].name)
        .WithHint("There is nothing to build a hierarchy of.");
  }
  std::optional<ColumnId> label;
  if (!request.plan.label.empty()) label = table.Find(request.plan.label[0].name);
  const std::string builder =
      request.builder.empty() ? std::string(DefaultBuilder(table.column(column))) : request.builder;
  TADA_TRY(hierarchy, BuildHierarchy(builder, table, column, label));
  return BuiltHierarchy{std::move(file), column, builder, std::move(hierarchy)};
}

Result<CheckedHierarchies> CheckHierarchies(const HierarchyRequest& request, const std::string& path, Source& source,
                                            Context& context) {
  if (IsBuilder(path) && !std::filesystem::exists(path)) {
    HierarchyRequest built_by = request;
    built_by.builder = path;
    TADA_TRY(built, BuildHierarchy(built_by, source, context));
    CheckedHierarchies checked;
    checked.hierarchies.push_back({built.column, std::move(built.hierarchy)});
    checked.file = std::move(built.file);
    checked.is_single = true;
    return checked;
  }
  if (std::filesystem::is_directory(path)) return CheckSeveral(request, path, source, context);
  TADA_TRY(sections, ReadSections(path));
  if (!sections.front().name.empty()) return CheckSeveral(request, path, source, context);
  TADA_CHECK_OK(CheckHasColumn(request));
  TADA_TRY(file, ReadInput(request, source, context));
  const ColumnId id = file.table.Find(request.plan.quasi[0].name).value();
  TADA_TRY(hierarchy, BindHierarchy(sections.front().lines, file.table.column(id)));
  CheckedHierarchies checked;
  checked.hierarchies.push_back({id, std::move(hierarchy)});
  checked.file = std::move(file);
  checked.is_single = true;
  return checked;
}

Result<HierarchyLines> FindHierarchy(const std::string& path, const std::optional<std::string>& column) {
  TADA_TRY(sections, ReadSections(path));
  const bool several = !sections.front().name.empty();
  const std::optional<size_t> found = several ? FindSection(sections, column.value_or("")) : 0;
  if (column.has_value() == several && found) return std::move(sections[*found].lines);
  if (!several) {
    return InvalidArgument("{} has no hierarchy called '{}'", path, *column)
        .WithHint("It holds one column: leave " TADA_OPTION("column") " out.");
  }
  std::vector<std::string> names;
  for (const TaxSection& section : sections) names.push_back(section.name);
  Error error = column ? InvalidArgument("{} has no hierarchy called '{}'", path, *column)
                       : InvalidArgument("{} has hierarchies of several columns: which is to be shown?", path);
  return std::move(error).WithHint(fmt::format("Give " TADA_OPTION("column") " one of: {}", fmt::join(names, ", ")));
}

}  // namespace tada
