// The loss that methods minimize while they work is the loss that the report names afterwards.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "partition/engine/loss_model.h"
#include "property/random_case.h"
#include "score/scorecard.h"

namespace tada::testing {
namespace {

RC_GTEST_PROP(Loss, OfGroupsIsTheScoreOfTheirRelease, ()) {
  Case c = DrawCase({});
  c.plan.method = *rc::gen::element<std::string>("mondrian", "dop", "compact");
  if (c.plan.method == "dop")
    c.plan.method_options.Set("noise", {*rc::gen::element<std::string>("attach", "keep", "mask")});
  NoProgress silent;
  const Workers workers(1);
  const auto made = Anonymize(c.table, c.plan, workers, silent);
  if (!made.ok()) return;
  StageNotes notes;
  const Checker checker(c.plan.requirement, c.table, made->bound.roles.sensitive);
  const Problem problem{.table = c.table,
                        .roles = made->bound.roles,
                        .checker = checker,
                        .options = c.plan.method_options,
                        .workers = workers,
                        .progress = silent,
                        .notes = notes};
  const double searched = LossModel(problem).Ncp(made->groups, workers);
  const double scored = Score(made->release, workers).ncp;
  RC_LOG() << searched << " " << scored << "\n" << Describe(c);
  RC_ASSERT(std::abs(searched - scored) < 1e-12);
}

}  // namespace
}  // namespace tada::testing
