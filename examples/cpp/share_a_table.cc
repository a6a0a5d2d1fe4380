// Releases a CSV file for whoever may see it, and audits the release once more, as its receiver can.
//   share_a_table INPUT.csv OUTPUT.csv QUASI[,QUASI...] SENSITIVE

#include <iostream>
#include <sstream>
#include <string>
#include <tada/tada.hpp>

namespace {

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

// The plan as JSON: five people or more in every class, with two sensitive values or more.
std::string PlanFor(const std::string& quasi, const std::string& sensitive) {
  std::string names;
  std::istringstream list(quasi);
  for (std::string name; std::getline(list, name, ',');) names += (names.empty() ? "" : ", ") + Quoted(name);
  return "{\"quasi\": [" + names + "], \"sensitive\": [" + Quoted(sensitive) + "], \"k\": 5, \"l\": 2}";
}

int Say(const tada::Error& error) {
  std::cerr << "error: " << error.message << '\n';
  if (!error.hint.empty()) std::cerr << "hint: " << error.hint << '\n';
  return error.code;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: share_a_table INPUT.csv OUTPUT.csv QUASI[,QUASI...] SENSITIVE\n";
    return 2;
  }
  const std::string plan = PlanFor(argv[3], argv[4]);
  tada::Context context;
  context.progress = [](const char* stage, uint64_t done, uint64_t) {
    if (done == 0) std::cerr << stage << "...\n";
  };
  const auto release = tada::Anonymize(tada::Table::File(argv[1]), plan, tada::Output::File(argv[2]), context);
  if (!release) return Say(release.error());
  const auto verdict = tada::Audit(tada::Table::File(argv[2]), plan, tada::Table::File(argv[1]));
  if (!verdict) return Say(verdict.error());
  std::cout << *verdict << '\n';
  return 0;
}
