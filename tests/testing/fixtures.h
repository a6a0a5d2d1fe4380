#pragma once

// Cases that studies/ made with other tools and that are kept in tests/fixtures.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace tada::testing {

/// The cases under `part` of tests/fixtures/metrics.json, in the folder of the sources.
inline nlohmann::json Fixture(const std::string& part) {
  const auto path = std::filesystem::path(TADA_SOURCE_FOLDER) / "tests/fixtures/metrics.json";
  std::ifstream file(path);
  nlohmann::json cases = nlohmann::json::parse(file).at(part);
  EXPECT_FALSE(cases.empty());
  return cases;
}

}  // namespace tada::testing
