#include "run/audit/audit_controllers.h"

#include <span>

#include "privacy/check/requirements.h"
#include "privacy/models/max_risk.h"
#include "table/select_rows.h"

namespace tada {
namespace {

// A controller's rows are a part of those that were drawn from the population.
void AddDrawn(size_t rows, Requirement& requirement) {
  for (Demand& demand : requirement.more) {
    if (demand.kind == "population") demand.values.push_back(fmt::format("{}", rows));
  }
}

bool HasWeights(const Requirement& requirement) {
  const Demand* risk = RiskDemand(requirement);
  return risk != nullptr && !risk->column.empty();
}

// Whose the rows of a part are, where their order tells.
void AddOriginal(const std::vector<RowId>& rows, const AuditOptions& whole, AuditOptions& options) {
  options.person = whole.person;
  options.own_k = whole.own_k;
  options.original = whole.original;
  options.means = whole.means;
  options.original_column = whole.original_column;
  std::vector<RowId> order;
  for (const RowId row : rows) order.push_back((*whole.order)[row]);
  options.order = std::make_shared<const std::vector<RowId>>(std::move(order));
}

AuditOptions OptionsOfPart(const Table& released, const Controller& controller, const AuditOptions& whole) {
  AuditOptions options;
  options.quasi = whole.quasi;
  options.sensitive = whole.sensitive;
  options.requirement = controller.requirement;
  AddDrawn(released.num_rows(), options.requirement);
  options.value_facts = whole.value_facts;
  if (controller.requirement.reference == ReferenceRows::kTable) {
    options.reference = &released;
    if (whole.order) options.reference_order = *whole.order;
  }
  const bool of_people = !whole.person.empty() || whole.own_k || HasWeights(controller.requirement);
  if (of_people && whole.order) AddOriginal(controller.rows, whole, options);
  return options;
}

}  // namespace

Result<std::vector<Controller>> AskedOf(const Plan& plan, std::vector<Controller> controllers) {
  std::vector<std::string> sensitive;
  for (const PlannedColumn& column : plan.sensitive) sensitive.push_back(column.name);
  if (controllers.empty()) {
    controllers.push_back({"", {}, plan.requirement});
    for (const auto& [name, requirement] : plan.controller_requirements) controllers.push_back({name, {}, requirement});
    const bool several = plan.controllers > 1 || !plan.controller_column.empty();
    if (several && controllers.size() == 1) controllers.push_back(controllers.front());
  }
  for (Controller& controller : controllers) {
    TADA_TRY(expanded, ExpandDemands(controller.requirement, sensitive));
    controller.requirement = std::move(expanded);
  }
  return controllers;
}

Requirement WeakestOf(const std::vector<Controller>& controllers) {
  Requirement weakest = controllers.front().requirement;
  for (const Controller& controller : std::span(controllers).subspan(1)) {
    weakest = Weaker(weakest, controller.requirement);
  }
  return weakest;
}

std::vector<Controller> InRelease(const Anonymized& made) {
  if (made.controllers.size() < 2) return {};                             // what one has is the whole release
  std::vector<uint32_t> controller_of(made.release.group_of_row.size());  // rows that are withheld have none
  for (uint32_t c = 0; c < made.controllers.size(); ++c) {
    for (const RowId row : made.controllers[c].rows) controller_of[row] = c;
  }
  std::vector<Controller> controllers;
  for (const Controller& controller : made.controllers)
    controllers.push_back({controller.name, {}, controller.requirement});
  for (RowId i = 0; i < made.release.row_order.size(); ++i)
    controllers[controller_of[made.release.row_order[i]]].rows.push_back(i);
  return controllers;
}

Result<std::vector<Outcome::ControllerPart>> AuditControllers(const Table& released,
                                                              const std::vector<Controller>& controllers,
                                                              const AuditOptions& whole, const Workers& workers,
                                                              Verdict& of_whole) {
  std::vector<Outcome::ControllerPart> parts;
  if (controllers.size() < 2) return parts;
  for (const Controller& controller : controllers) {
    workers.Poll();
    const AuditOptions options = OptionsOfPart(released, controller, whole);
    TADA_TRY(verdict, Audit(SelectRows(released, controller.rows), options, workers));
    for (const std::string& problem : verdict.problems) {
      of_whole.passed = false;
      of_whole.problems.push_back(fmt::format("Controller {}: {}", controller.name, problem));
    }
    parts.push_back({controller.name, std::move(verdict)});
  }
  return parts;
}

}  // namespace tada
