#include "job/release_options.h"

#include "run/audit_release.h"

namespace tada {

ReadOptions ReleaseReadOptions(const Plan& plan) {
  ReadOptions options;
  options.delimiter = plan.delimiter;
  options.defaults = ReleasedColumnDefaults();
  options.by_name = ReleasedColumnOptions(plan);
  return options;
}

}  // namespace tada
