#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "report/attack_report.h"
#include "report/verdict/population_text.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kSubsetsShown = 10;

template <class... Args>
void Line(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  text += '\n';
}

Json FiguresJson(const AttackFigures& figures) {
  Json json;
  json["known"] = figures.known;
  json["people"] = figures.people;
  json["kinds"] = figures.kinds;
  json["reidentification"] = {
      {"prosecutor", {{"highest", figures.prosecutor_highest}, {"average", figures.prosecutor_average}}},
      {"journalist", {{"highest", figures.journalist_highest}, {"average", figures.journalist_average}}},
      {"single_row", figures.single},
      {"class_found", figures.class_found}};
  json["disclosure"] = Json::array();
  for (const Disclosure& found : figures.disclosure) {
    json["disclosure"].push_back({{"column", found.column},
                                  {"guessed", found.guessed},
                                  {"baseline", found.baseline},
                                  {"gain", found.gain()},
                                  {"certain", found.certain}});
  }
  json["membership"] = {{"members_matched", figures.matched},
                        {"others_matched", figures.others_matched},
                        {"advantage", figures.membership_advantage()}};
  json["candidate_rows"] = figures.candidate_rows;
  if (figures.by_all_rows) {
    json["by_all_rows"] = {{"people", figures.by_all_rows->people},
                           {"fewest_fitting", figures.by_all_rows->fewest},
                           {"highest", figures.by_all_rows->highest},
                           {"average", figures.by_all_rows->average},
                           {"alone", figures.by_all_rows->alone}};
  }
  return json;
}

void AddSubsets(const AttackResult& result, std::string& text) {
  std::vector<const AttackFigures*> worst;
  for (const AttackFigures& figures : result.subsets) worst.push_back(&figures);
  std::stable_sort(worst.begin(), worst.end(), [](const AttackFigures* a, const AttackFigures* b) {
    return a->prosecutor_average > b->prosecutor_average;
  });
  Line(text, "\nWho knows less ({} sets of columns; those that identify most):", worst.size());
  for (size_t i = 0; i < std::min(kSubsetsShown, worst.size()); ++i) {
    const AttackFigures& figures = *worst[i];
    std::string gains;
    for (const Disclosure& found : figures.disclosure) {
      gains += fmt::format(", {} {:+.2f}%", found.column, 100 * found.gain());
    }
    Line(text, "  {:6.2f}% found, {:6.2f}% for certain{}: {}", 100 * figures.prosecutor_average, 100 * figures.single,
         gains, fmt::join(figures.known, ", "));
  }
}

// What somebody learns who knows how the release was made.
void AddMethod(const AttackResult& result, std::string& text) {
  if (!result.narrowing.empty()) Line(text, "\nKnowing how cells are made:");
  for (const Narrowing& found : result.narrowing) {
    Line(text, "  {}: {} of {} bounds are somebody's value; cells narrow by {:.3f} bits per person", found.column,
         found.values, found.bounds, found.bits);
  }
  for (const Minimality& found : result.minimality) {
    Line(text, "\nGuessing {} by running the method again ({} classes, {} people):", found.column, found.classes,
         found.people);
    Line(text, "  from the class alone {:6.2f}%   at most {:6.2f}%", 100 * found.blind, 100 * found.blind_highest);
    Line(text, "  by running it again  {:6.2f}%   at most {:6.2f}%   what it adds: {:+.2f}%", 100 * found.belief,
         100 * found.belief_highest, 100 * found.gain());
  }
}

Json MethodJson(const AttackResult& result) {
  Json json = {{"narrowing", Json::array()}, {"minimality", Json::array()}};
  for (const Narrowing& found : result.narrowing) {
    json["narrowing"].push_back({{"column", found.column},
                                 {"bounds", found.bounds},
                                 {"values", found.values},
                                 {"tight", found.tight()},
                                 {"bits", found.bits}});
  }
  for (const Minimality& found : result.minimality) {
    json["minimality"].push_back({{"column", found.column},
                                  {"classes", found.classes},
                                  {"people", found.people},
                                  {"blind", found.blind},
                                  {"belief", found.belief},
                                  {"gain", found.gain()},
                                  {"blind_highest", found.blind_highest},
                                  {"belief_highest", found.belief_highest}});
  }
  return json;
}

void AddPopulation(const AttackResult& result, std::string& text) {
  for (const auto& [what, risk] :
       {std::pair("The original", result.original_population), std::pair("The release", result.released_population)}) {
    if (!risk) continue;
    Line(text, "\n{} as a sample of the population:", what);
    for (const std::string& sentence : PopulationSentences(*risk)) Line(text, "  - {}", sentence);
  }
}

}  // namespace

std::string AttackText(const AttackResult& result) {
  const AttackFigures& all = result.all;
  std::string text;
  Line(text, "{} {} attacked, of whom {} are known; {} released rows", all.people,
       all.by_all_rows ? "rows of people" : "people", fmt::join(all.known, ", "), result.released_rows);
  if (all.by_all_rows) {
    const KnownPeople& known = *all.by_all_rows;
    Line(text, "\nFinding a person by all of their rows ({} people):", known.people);
    Line(text, "  fewest people who fit all rows of a person       {:6}", known.fewest);
    Line(text, "  picking the right one                            {:6.2f}% on average, {:6.2f}% at worst",
         100 * known.average, 100 * known.highest);
    Line(text, "  people whom nobody else fits                     {:6.2f}%", 100 * known.alone);
  }
  Line(text, "\nFinding the person{}:", all.by_all_rows ? " by one row" : "'s row");
  Line(text, "  by somebody who knows that the person is in it   {:6.2f}% on average, {:6.2f}% at worst",
       100 * all.prosecutor_average, 100 * all.prosecutor_highest);
  Line(text, "  by somebody who does not know it                 {:6.2f}% on average, {:6.2f}% at worst",
       100 * all.journalist_average, 100 * all.journalist_highest);
  Line(text, "  people with one row that can be theirs           {:6.2f}%", 100 * all.single);
  Line(text, "  people whose class is found                      {:6.2f}%", 100 * all.class_found);
  for (const Disclosure& found : all.disclosure) {
    Line(text, "\nGuessing {}:", found.column);
    Line(text, "  without the release  {:6.2f}%", 100 * found.baseline);
    Line(text, "  with it              {:6.2f}%   what it gives away: {:+.2f}%", 100 * found.guessed,
         100 * found.gain());
    Line(text, "  for certain          {:6.2f}% of the people", 100 * found.certain);
  }
  Line(text, "\nTelling who is in it:");
  Line(text, "  members match        {:6.2f}%", 100 * all.matched);
  Line(text, "  others match         {:6.2f}%   advantage: {:+.2f}%", 100 * all.others_matched,
       100 * all.membership_advantage());
  AddMethod(result, text);
  AddPopulation(result, text);
  if (!result.subsets.empty()) AddSubsets(result, text);
  if (!result.notes.empty()) Line(text, "\nNotes:");
  for (const std::string& note : result.notes) Line(text, "  - {}", note);
  return text;
}

std::string AttackJson(const AttackResult& result) {
  Json json;
  json["released_rows"] = result.released_rows;
  json["original_rows"] = result.original_rows;
  if (result.population_rows > 0) json["population_rows"] = result.population_rows;
  json["sampled"] = result.sampled;
  json["all"] = FiguresJson(result.all);
  json["subsets"] = Json::array();
  for (const AttackFigures& figures : result.subsets) json["subsets"].push_back(FiguresJson(figures));
  if (result.knows_method) json["knows_method"] = MethodJson(result);
  if (result.original_population) json["population"]["original"] = PopulationJson(*result.original_population);
  if (result.released_population) json["population"]["release"] = PopulationJson(*result.released_population);
  json["notes"] = result.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tada
