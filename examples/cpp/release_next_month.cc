// Releases two months of one table by the same cuts, so that what was learned from the first release reads the second.
//   release_next_month JANUARY.csv FEBRUARY.csv FOLDER
// The tables have the columns age, job and disease; the releases and the cuts are written to the folder.

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <tada/tada.hpp>

namespace {

int Say(const tada::Error& error) {
  std::cerr << "error: " << error.message << '\n';
  if (!error.hint.empty()) std::cerr << "hint: " << error.hint << '\n';
  return error.code;
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: release_next_month JANUARY.csv FEBRUARY.csv FOLDER\n";
    return 2;
  }
  const std::string folder = argv[3], cuts = folder + "/cuts.json";
  // Bounds of cells are the cuts, not the values of people, and the cuts are kept.
  const std::string plan = R"({"quasi": ["age", "job"], "sensitive": ["disease"], "k": 5, "l": 2, "method": "mondrian",
                               "range": "cut", "save-cuts": ")" + cuts + "\"}";
  const auto first = tada::Anonymize(tada::Table::File(argv[1]), plan, tada::Output::File(folder + "/january.csv"));
  if (!first) return Say(first.error());
  const auto second = tada::Apply(TextOf(cuts), tada::Table::File(argv[2]), R"({"misfits": "withhold"})",
                                  tada::Output::File(folder + "/february.csv"));
  if (!second) return Say(second.error());
  std::cout << second->report << '\n';
  return 0;
}
