#pragma once

// What the audit of a release is asked: by the run that made it, which knows everything, or by a plan that it is said to be made by.

#include <vector>

#include "audit/audit.h"
#include "run/anonymize/anonymize.h"

namespace tada {

/// Of a release by the run that made it.
Result<AuditOptions> OptionsOfRun(const Table& released, const Table& original, const Plan& plan,
                                  const Anonymized& made);

/// Of a release by a plan; what is asked of classes and the facts about values are left out.
AuditOptions OptionsOfPlan(const Table& released, const Table* original, const Plan& plan);

/// For AuditOptions::order: released row i stands for original row i.
std::shared_ptr<const std::vector<RowId>> RowsAsTheyStand(size_t count);

/// Adds what the plan and the original know of sensitive columns and the release does not say.
Status AddValueFacts(const Table& released, const Table* original, const Plan& plan, AuditOptions& options);

/// What controllers are asked for and their union is not: it is only measured there.
std::vector<Demand> MeasuredOnly(const std::vector<Controller>& controllers, const Requirement& of_union);

/// What is known of the labels of released columns, by released column. `quasi` are columns of the original, one per hierarchy. `codes`: the
/// original's code of each of the hierarchy's, if they differ.
std::vector<LabelCodes> LabelsOfColumns(const Table& released, const Table& original,
                                        const std::vector<ColumnId>& quasi, const ColumnHierarchies& hierarchies,
                                        const std::vector<std::vector<Code>>& codes = {});

/// What the labels of the plan's hierarchies stand for, by released column: codes of the original. Pre: the original has the quasi-identifiers.
Result<std::vector<LabelCodes>> LabelsByPlan(const Table& released, const Table& original, const Plan& plan);

}  // namespace tada
