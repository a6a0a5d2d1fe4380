#pragma once

// Finds the candidates, measures them, and says what beats what.

#include "base/progress.h"
#include "base/workers.h"
#include "frontier/candidate.h"
#include "run/advise/advise.h"

namespace tada {

/// Pre: `advice` is of the same ground and plan. `input` is what commands call the table.
Result<Joint> FindJoint(const Ground& ground, const Advice& advice, const Plan& plan, const JointOptions& options,
                        const std::string& input, const Workers& workers, Progress& progress);

/// The plan that releases a candidate.
Plan PlanOf(const Candidate& candidate, const Plan& plan, const std::vector<std::string>& quasi);

/// Marks candidates that are the same release as one before them: same classes, same loss.
void MarkSame(std::vector<Candidate>& candidates);
/// A number of classes that is the same for the same classes of the same rows.
uint64_t PrintOf(const LevelClasses& classes);

/// Marks the frontier and what beats the others; by k, accuracy and information gain if `by_label`, else by k, NCP and query error.
void MarkBeaten(std::vector<Candidate>& candidates, bool by_label);
/// Places to start, of those with k of at least `need`. `guess` is the accuracy of always guessing the commonest label.
std::vector<Place> FindPlaces(const std::vector<Candidate>& candidates, uint64_t need, bool by_label, double guess);

}  // namespace tada
