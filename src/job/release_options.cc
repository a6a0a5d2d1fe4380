#include "job/release_options.h"

namespace tada {

ReadOptions ReleaseReadOptions(const Plan& plan) {
  ReadOptions options;
  options.delimiter = plan.delimiter;
  options.defaults.kind = Kind::kCategorical;
  options.defaults.missing = {};
  for (const PlannedColumn& column : plan.sensitive) {
    ColumnOptions& as = options.by_name[column.name];
    as.kind = column.kind;
    as.missing = plan.missing;
  }
  for (const auto* unchanged : {&plan.label, &plan.keep}) {
    for (const PlannedColumn& column : *unchanged) {
      ColumnOptions& as = options.by_name[column.name];
      as.kind = Kind::kCategorical;
      as.missing = plan.missing;
    }
  }
  return options;
}

}  // namespace tada
