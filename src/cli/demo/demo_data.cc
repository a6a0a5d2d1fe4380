#include "cli/demo/demo_data.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <span>

#include "base/random.h"

namespace tada {
namespace {

// Weights are small whole numbers; everything is drawn in integers, so that all machines make the same bytes.
using Weights = std::span<const int>;

size_t Pick(Random& random, Weights weights) {
  int total = 0;
  for (const int weight : weights) total += weight;
  auto left = static_cast<int>(random.Below(static_cast<uint64_t>(total)));
  for (size_t i = 0;; ++i) {
    left -= weights[i];
    if (left < 0) return i;
  }
}

bool Chance(Random& random, int permille) { return static_cast<int>(random.Below(1000)) < permille; }

// About normal, mean 0, within +-3 * spread / 2: the sum of three uniform draws.
int Noise(Random& random, int spread) {
  const auto bound = static_cast<uint64_t>(spread + 1);
  return static_cast<int>(random.Below(bound) + random.Below(bound) + random.Below(bound)) - 3 * spread / 2;
}

constexpr int kRegions = 40, kZipsInRegion = 60;

struct Region {
  int weight, prefix, affluence;  // people, first three digits of its zips, permille of the average income
};

// A few big cities, many small places (sizes fall as 1/rank).
const std::array<Region, kRegions>& Regions() {
  static const auto kRegionTable = [] {
    std::array<Region, kRegions> regions{};
    for (int i = 0; i < kRegions; ++i) {
      const uint64_t draw = MixSeed(2024, static_cast<uint64_t>(i));
      regions[i] = {4000 / (i + 3), 11 + 24 * ((i * 17) % kRegions) + static_cast<int>(draw % 20),
                    780 + static_cast<int>((draw >> 40) % 440)};
    }
    return regions;
  }();
  return kRegionTable;
}

const std::array<int, kRegions>& RegionWeights() {
  static const auto kWeightTable = [] {
    std::array<int, kRegions> weights{};
    for (int i = 0; i < kRegions; ++i) weights[i] = Regions()[i].weight;
    return weights;
  }();
  return kWeightTable;
}

// A long right tail for incomes: 64 quantiles of a lognormal, in permille of its median.
const std::array<int, 64>& IncomeSpread() {
  static const auto kSpreadTable = [] {
    std::array<int, 64> table{};
    for (int i = 0; i < 64; ++i) {
      const double p = (i + 0.5) / 64;  // logistic quantiles, near enough to normal ones
      table[i] = static_cast<int>(std::lround(1000 * std::exp(0.22 * std::log(p / (1 - p)))));
    }
    return table;
  }();
  return kSpreadTable;
}

constexpr int kYoungest = 18;
// People in a hospital, by five years of age from 18 on.
constexpr int kAgeWeights[] = {40, 52, 58, 60, 60, 62, 68, 76, 84, 88, 84, 74, 60, 40, 22, 9};

constexpr const char* kEducation[] = {"primary",   "secondary", "vocational", "some college",
                                      "associate", "bachelor",  "master",     "doctorate"};
constexpr int kEducationByAge[][8] = {{30, 330, 120, 330, 60, 120, 10, 0},     // below 25
                                      {30, 190, 170, 140, 100, 240, 105, 25},  // below 50
                                      {90, 300, 210, 110, 70, 140, 65, 15}};

constexpr const char* kMarital[] = {"single", "married", "divorced", "separated", "widowed"};
constexpr int kMaritalByAge[][5] = {{900, 85, 8, 6, 1},
                                    {520, 410, 45, 22, 3},
                                    {230, 560, 150, 40, 20},
                                    {110, 600, 190, 30, 70},
                                    {60, 510, 120, 15, 295}};

struct Job {
  const char* name;
  int income, hours;    // a year in hundreds, a week
  int by_education[3];  // weights with little, some and much education
};
constexpr Job kJobs[] = {{"cleaner", 240, 34, {110, 20, 2}},
                         {"driver", 330, 44, {110, 50, 4}},
                         {"cook", 280, 41, {90, 50, 5}},
                         {"farmer", 310, 52, {50, 25, 5}},
                         {"craft worker", 390, 40, {160, 110, 10}},
                         {"sales", 340, 37, {150, 140, 50}},
                         {"clerk", 370, 38, {90, 170, 70}},
                         {"nurse", 450, 37, {15, 130, 60}},
                         {"teacher", 480, 39, {2, 40, 150}},
                         {"technician", 510, 40, {25, 130, 70}},
                         {"engineer", 720, 42, {1, 25, 170}},
                         {"manager", 830, 47, {15, 60, 160}},
                         {"lawyer", 910, 49, {0, 1, 60}},
                         {"physician", 1080, 51, {0, 1, 70}}};
constexpr const char* kNoJob[] = {"retired", "student", "unemployed"};

struct Diagnosis {
  const char* name;
  int by_age[4];   // weights below 35, 55, 70 and above
  int readmitted;  // permille
};
constexpr Diagnosis kDiagnoses[] = {
    {"hypertension", {90, 240, 300, 260}, 60}, {"infection", {220, 150, 110, 120}, 70},
    {"injury", {260, 150, 80, 90}, 40},        {"diabetes", {40, 110, 150, 120}, 130},
    {"asthma", {120, 80, 40, 25}, 90},         {"depression", {130, 110, 60, 40}, 150},
    {"arthritis", {15, 70, 120, 120}, 50},     {"heart failure", {4, 25, 80, 150}, 260},
    {"cancer", {12, 45, 90, 90}, 210},         {"kidney disease", {10, 20, 40, 55}, 240},
    {"hepatitis", {12, 14, 8, 4}, 160},        {"HIV", {9, 8, 3, 1}, 140}};

void AppendNumber(std::string& out, uint64_t value) {
  char digits[20];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  out.append(digits, end);
}

void AppendPadded(std::string& out, uint64_t value, int width) {
  char digits[20];
  for (int i = width; i-- > 0; value /= 10) digits[i] = static_cast<char>('0' + value % 10);
  out.append(digits, static_cast<size_t>(width));
}

struct Person {
  int age = 0, region = 0, zip = 0, hours = 0, income = 0;
  bool woman = false;
  size_t education = 0, marital = 0, diagnosis = 0;
  const char* job = "";
  bool readmitted = false;
};

void DrawWork(Random& random, Person& person) {
  const int out_of_work = person.age >= 67 ? 900 : person.age >= 60 ? 280 : person.age < 25 ? 420 : 60;
  if (Chance(random, out_of_work)) {
    const size_t why = person.age >= 60 ? 0 : person.age < 25 && person.education != 0 ? 1 : 2;
    person.job = kNoJob[why];
    person.hours = why == 1 ? static_cast<int>(random.Below(5)) * 5 : 0;
    person.income = (why == 0 ? 210 : why == 1 ? 60 : 105) + Noise(random, 40);
    if (why == 0) person.income += static_cast<int>(person.education) * 22;
  } else {
    const int schooling = person.education <= 1 ? 0 : person.education <= 4 ? 1 : 2;
    int weights[std::size(kJobs)];
    for (size_t i = 0; i < std::size(kJobs); ++i) weights[i] = kJobs[i].by_education[schooling];
    const Job& job = kJobs[Pick(random, weights)];
    person.job = job.name;
    const bool part_time = Chance(random, person.woman ? 300 : 90);
    person.hours = std::clamp(part_time ? 20 + Noise(random, 8) : job.hours + Noise(random, 5), 4, 80);
    const int experience = 700 + 14 * std::clamp(person.age - 20, 0, 32);  // permille
    person.income = job.income * experience / 1000 * (40 + person.hours) / 80;
  }
  person.income = person.income * Regions()[person.region].affluence / 1000;
  person.income = std::max(0, person.income * IncomeSpread()[random.Below(64)] / 1000);
}

// Illness follows age and, for some, work and income; coming back follows illness, age and living alone.
void DrawHealth(Random& random, Person& person) {
  const int band = person.age < 35 ? 0 : person.age < 55 ? 1 : person.age < 70 ? 2 : 3;
  int weights[std::size(kDiagnoses)];
  for (size_t i = 0; i < std::size(kDiagnoses); ++i) weights[i] = kDiagnoses[i].by_age[band];
  if (person.hours > 45) weights[2] = weights[2] * 3 / 2;
  if (person.income < 200) weights[3] = weights[3] * 3 / 2;
  if (person.woman) weights[5] = weights[5] * 4 / 3;
  person.diagnosis = Pick(random, weights);
  int risk = kDiagnoses[person.diagnosis].readmitted + std::max(0, person.age - 50) * 6;
  if (person.marital != 1) risk += 70;
  if (person.income < 250) risk += 90;
  if (person.education <= 1) risk += 50;
  person.readmitted = Chance(random, std::min(risk, 930));
}

Person DrawPerson(Random& random) {
  Person person;
  person.age = kYoungest + 5 * static_cast<int>(Pick(random, kAgeWeights)) + static_cast<int>(random.Below(5));
  person.woman = Chance(random, person.age < 65 ? 505 : 505 + 6 * (person.age - 65));
  person.region = static_cast<int>(Pick(random, RegionWeights()));
  person.zip = static_cast<int>(std::min(random.Below(kZipsInRegion), random.Below(kZipsInRegion)));
  person.education = Pick(random, kEducationByAge[person.age < 25 ? 0 : person.age < 50 ? 1 : 2]);
  const int stage = person.age < 25 ? 0 : person.age < 35 ? 1 : person.age < 50 ? 2 : person.age < 65 ? 3 : 4;
  person.marital = Pick(random, kMaritalByAge[stage]);
  DrawWork(random, person);
  DrawHealth(random, person);
  return person;
}

void AppendPerson(Random& random, uint64_t number, std::string& out) {
  const Person person = DrawPerson(random);
  out += 'p';
  AppendPadded(out, number, 9);
  out += ',';
  AppendNumber(out, static_cast<uint64_t>(person.age));
  out += person.woman ? ",female," : ",male,";
  AppendPadded(out, static_cast<uint64_t>(Regions()[person.region].prefix * 100 + person.zip), 5);
  out += ',';
  if (!Chance(random, 15)) out += kEducation[person.education];
  out += ',';
  if (!Chance(random, 10)) out += kMarital[person.marital];
  out += ',';
  if (!Chance(random, 20)) out += person.job;
  out += ',';
  if (!Chance(random, 20)) AppendNumber(out, static_cast<uint64_t>(person.hours));
  out += ',';
  if (!Chance(random, 35)) AppendNumber(out, static_cast<uint64_t>(person.income) * 100);
  out += ',';
  out += kDiagnoses[person.diagnosis].name;
  out += person.readmitted ? ",yes\n" : ",no\n";
}

}  // namespace

std::string_view DemoHeader() { return "id,age,sex,zip,education,marital,job,hours,income,diagnosis,readmitted\n"; }

void AppendDemoBlock(uint64_t seed, uint64_t block, uint64_t rows, std::string& out) {
  Random random(MixSeed(seed, block));
  for (uint64_t i = 0; i < rows; ++i) AppendPerson(random, block * kDemoBlockRows + i + 1, out);
}

Result<PendingFile> WriteDemoTable(const std::string& path, uint64_t rows, uint64_t seed, bool force,
                                   const Workers& workers, Progress& progress) {
  TADA_TRY(file, PendingFile::Open(path, force));
  TADA_CHECK_OK(file.Write(DemoHeader()));
  progress.Begin("write", rows);
  const uint64_t blocks = (rows + kDemoBlockRows - 1) / kDemoBlockRows;
  std::vector<std::string> texts(static_cast<size_t>(workers.threads()) * 4);
  for (uint64_t first = 0; first < blocks; first += texts.size()) {
    const size_t count = std::min<uint64_t>(texts.size(), blocks - first);
    workers.For(count, [&](size_t i) {
      texts[i].clear();
      const uint64_t block = first + i;
      AppendDemoBlock(seed, block, std::min(kDemoBlockRows, rows - block * kDemoBlockRows), texts[i]);
    });
    for (size_t i = 0; i < count; ++i) TADA_CHECK_OK(file.Write(texts[i]));
    progress.Advance(std::min(count * kDemoBlockRows, rows - first * kDemoBlockRows));
    workers.Poll();
  }
  TADA_CHECK_OK(file.Sync());
  return file;
}

bool IsDemoTable(const std::string& path, uint64_t seed) {
  std::ifstream file(path, std::ios::binary);
  std::string expected(DemoHeader()), found;
  for (uint64_t block = 0; file; ++block) {
    found.resize(expected.size());
    file.read(found.data(), static_cast<std::streamsize>(found.size()));
    found.resize(static_cast<size_t>(file.gcount()));
    if (!expected.starts_with(found)) return false;
    if (found.size() < expected.size()) return block > 0 && (found.empty() || found.back() == '\n');
    expected.clear();
    AppendDemoBlock(seed, block, kDemoBlockRows, expected);
  }
  return false;
}

Plan DemoPlan() {
  Plan plan;
  for (const char* name : {"age", "sex", "zip", "education", "marital", "job", "hours", "income"}) {
    plan.quasi.push_back({.name = name});
  }
  plan.sensitive.push_back({.name = "diagnosis"});
  plan.label.push_back({.name = "readmitted"});
  plan.requirement.k = 10;
  plan.requirement.l = 3;
  return plan;
}

}  // namespace tada
