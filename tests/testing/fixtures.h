#pragma once

// Cases that studies/ made with other tools and that are kept in tests/fixtures.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace tada::testing {

/// The cases under `part` of tests/fixtures/metrics.json, found from this file's own place.
inline nlohmann::json Fixture(const std::string& part) {
  const auto path = std::filesystem::path(__FILE__).parent_path().parent_path() / "fixtures/metrics.json";
  std::ifstream file(path);
  nlohmann::json cases = nlohmann::json::parse(file).at(part);
  EXPECT_FALSE(cases.empty());
  return cases;
}

}  // namespace tada::testing
