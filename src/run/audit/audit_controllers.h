#pragma once

// The rows of each controller in a release, audited by themselves: small classes of one may hide among another's in the union.

#include <vector>

#include "run/anonymize/anonymize.h"
#include "run/audit/outcome.h"

namespace tada {

/// All requirements that rows of a release may have been made for: those of its controllers, or of all that the plan may mean where
/// the release does not say whose its rows are.
Result<std::vector<Controller>> AskedOf(const Plan& plan, std::vector<Controller> controllers);

/// What the rows of several controllers meet together. Pre: there is one.
Requirement WeakestOf(const std::vector<Controller>& controllers);

/// The controllers with their rows of the release; none if there is only one, whose rows are all of them.
std::vector<Controller> InRelease(const Anonymized& made);

/// A failure is one of the whole release. A single controller is the whole, and was audited as that. `whole`: what that was asked.
Result<std::vector<Outcome::ControllerPart>> AuditControllers(const Table& released,
                                                              const std::vector<Controller>& controllers,
                                                              const AuditOptions& whole, const Workers& workers,
                                                              Verdict& of_whole);

}  // namespace tada
