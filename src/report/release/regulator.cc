#include "report/release/regulator.h"

#include <fmt/format.h>

#include "base/option_mark.h"
#include "base/words.h"
#include "report/draw/chart_axis.h"
#include "report/release/report.h"
#include "report/release/report_words.h"

namespace tada {
namespace {

std::string OneIn(double risk) {
  if (risk <= 0) return "none";
  std::string people = fmt::format("{:.1f}", 1 / risk);
  if (people.ends_with(".0")) people.resize(people.size() - 2);
  return "1 in " + people;
}

RegulatorAnswer SinglingOut(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  const std::string who = verdict.people ? "people" : "rows";
  std::string answer = fmt::format(
      "Every row is in a group of at least {} {} that look the same in all quasi-identifiers (k={} was asked); there "
      "{} "
      "{} {}. Whoever knows all quasi-identifiers of a person picks the right row with a chance of {} at most, {} on "
      "average.",
      verdict.k, who, Asked(outcome).k, verdict.classes == 1 ? "is" : "are", WithCommas(verdict.classes),
      PluralWord(verdict.classes, "group"), OneIn(verdict.prosecutor.highest), OneIn(verdict.prosecutor.average));
  if (verdict.linked) {
    answer += fmt::format(
        " Pseudonyms tell which rows are one person's: at least {} people of a group share their number of rows{}.",
        *verdict.linked, outcome.plan.shift_dates.empty() ? "" : " and the gaps between their dates");
  }
  std::vector<std::string> unchanged;
  for (const auto* columns : {&outcome.plan.sensitive, &outcome.plan.label, &outcome.plan.keep}) {
    for (const PlannedColumn& column : *columns) unchanged.push_back(column.name);
  }
  std::string open = "Whether somebody knows more of a person than the quasi-identifiers.";
  if (unchanged.size() == 1) {
    open += fmt::format(" {} is released as it is: whoever knows it finds people by it.", unchanged.front());
  } else if (!unchanged.empty()) {
    open += fmt::format(" {} are released as they are: whoever knows them finds people by them.", NameList(unchanged));
  }
  if (outcome.plan.person.empty()) {
    open += outcome.plan.rows_are_people
                ? " That every row is a person of its own was stated (" TADA_OPTION("rows-are-people") "), not checked."
                : " That nobody has two rows: no column was named that would tell.";
  }
  return {"Can somebody be singled out?", answer, open};
}

RegulatorAnswer Linkability(const Outcome& outcome) {
  std::string answer =
      outcome.plan.pseudonym.empty()
          ? "No column of the release names people, and rows are "
          : fmt::format(
                "Pseudonyms join this release with others of the same key and of the domain \"{}\" only. Rows are ",
                outcome.plan.domain);
  answer += outcome.plan.keep_order
                ? "in the order of the input, which joins them with it (" TADA_OPTION("keep-order") ")."
                : "sorted by what is released of them, so that their order says nothing.";
  if (!outcome.plan.person.empty() && outcome.plan.requirement.persons == Persons::kTogether) {
    answer += " All rows of a person stand in one group.";
  }
  answer += fmt::format(" Joined with another table by the quasi-identifiers, a row meets at least {} {}.",
                        outcome.verdict.k, outcome.verdict.people ? "people" : "rows");
  return {"Can records of a person be linked?", answer,
          "Other releases of the same people: compare them with tada compose. What is told of a person elsewhere, in "
          "columns that are "
          "released as they are."};
}

RegulatorAnswer Inference(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  if (outcome.plan.sensitive.empty()) {
    return {"Can something about somebody be inferred?",
            "No column was declared sensitive, and nothing was asked of what groups tell.",
            "Whether all people of a group have the same value in some column: then everybody who knows that somebody "
            "is in the table "
            "knows the value."};
  }
  std::string answer;
  for (size_t i = 0; i < verdict.l_of_column.size(); ++i) {
    answer +=
        fmt::format("{}Every group has at least {} different values of {} (l={}, {} was asked).", i == 0 ? "" : " ",
                    verdict.l_of_column[i], verdict.sensitive[i], Asked(outcome).l, DiversityName(Asked(outcome)));
  }
  for (const ReachedDemand& demand : verdict.further) {
    answer += fmt::format(" {} of {}: {} asked, {} reached.", demand.name, demand.column, demand.asked, demand.reached);
  }
  std::string open = "How likely each value is within a group, and what values that differ have in common.";
  if (Asked(outcome).l < 2)
    open = "With l=1 all people of a group may have the same value: whoever finds the group knows it. " + open;
  return {"Can something about somebody be inferred?", answer, open};
}

}  // namespace

std::vector<RegulatorAnswer> RegulatorAnswers(const Outcome& outcome) {
  return {SinglingOut(outcome), Linkability(outcome), Inference(outcome)};
}

}  // namespace tada
