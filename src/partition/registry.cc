#include "partition/registry.h"

#include "partition/auto_entry.h"
#include "partition/compact/compact.h"
#include "partition/dop/dop.h"
#include "partition/full_domain/datafly.h"
#include "partition/full_domain/optimal.h"
#include "partition/full_domain/topdown.h"
#include "partition/mondrian/gain_mondrian.h"
#include "partition/mondrian/mondrian.h"
#include "partition/ta_da/ta_da.h"
#include "partition/target_weighted/target_weighted.h"

namespace tada {

std::span<const MethodEntry> Methods() {
  // clang-format off
  static const std::vector<MethodEntry> kMethods = {
      TaDaMethod(),
      MondrianMethod(),
      InfoGainMethod(),
      RegressionMethod(),
      DopMethod(),
      CompactMethod(),
      DataflyMethod(),
      TopDownMethod(),
      OptimalMethod(),
      LevelsMethod(),
      TargetWeightedMethod(),
      AutoMethod(),
  };
  // clang-format on
  return kMethods;
}

const MethodEntry* FindMethod(std::string_view name) {
  for (const MethodEntry& method : Methods()) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

std::string_view DefaultMethod(Task task) {
  return task != Task::kNone && FindMethod("ta_da") != nullptr ? "ta_da" : "mondrian";
}

}  // namespace tada
