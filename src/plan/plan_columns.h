#pragma once

// A plan's columns and the columns of a file: whether the ones it names are there, and how they are to be read.

#include <map>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace tada {

/// Checks that `header`, the columns of `file`, has every column that the plan names. The error names the option and the
/// column, and proposes the nearest one, or the right kind where `age:number` looks like a name with a wrong suffix.
Status CheckPlannedColumns(const Plan& plan, const std::vector<std::string>& header, const std::string& file);

/// The same for the table that a release is made of, which also has every column that the plan has a section for.
Status CheckInputColumns(const Plan& plan, const std::vector<std::string>& header, const std::string& file);

/// The same for one column, which the option `option` names.
Status CheckColumn(const std::string& name, std::string_view option, const std::vector<std::string>& header,
                   const std::string& file);

/// That a table has the columns that name people; releases never have them.
Status CheckPersonColumns(const Plan& plan, const std::vector<std::string>& header, const std::string& file);

/// How each column that the plan names, the controllers' too, is to be read from an original table: its kind, its order,
/// what is missing.
std::map<std::string, ColumnOptions> PlannedColumnOptions(const Plan& plan);

}  // namespace tada
