// Our constrained k-means as a program of its own, so that it can be timed on the same points, seeds and bounds as others
// (compare.py). Files are raw 32-bit numbers.
//   bench_kmeans POINTS FEATURES CLUSTERS MINIMUM SEEDS|- LABELS ITERATIONS THREADS [exact]
// POINTS: floats, point by point. SEEDS: the points that are the first centroids; "-" draws them by k-means++. LABELS: written.
// Prints one line of JSON.

#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>

#include "learn/clusters/constrained_kmeans.h"

namespace {

template <class T>
std::vector<T> ReadNumbers(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<T> numbers(bytes.size() / sizeof(T));
  std::copy_n(bytes.data(), numbers.size() * sizeof(T), reinterpret_cast<char*>(numbers.data()));
  return numbers;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() < 9) {
    fmt::print(stderr,
               "usage: bench_kmeans POINTS FEATURES CLUSTERS MINIMUM SEEDS|- LABELS ITERATIONS THREADS [exact]\n");
    return 2;
  }
  tada::Points points;
  points.values = ReadNumbers<float>(words[1]);
  points.features = std::stoul(words[2]);
  points.count = points.values.size() / points.features;
  tada::KMeansOptions options;
  options.clusters = std::stoul(words[3]);
  options.minimum = static_cast<uint32_t>(std::stoul(words[4]));
  if (words[5] != "-") options.first_centroids = ReadNumbers<uint32_t>(words[5]);
  options.iterations = static_cast<uint32_t>(std::stoul(words[7]));
  options.exact_flow = words.size() > 9 && words[9] == "exact";
  const tada::Workers workers(std::stoi(words[8]));

  const std::clock_t cpu_start = std::clock();
  const auto start = std::chrono::steady_clock::now();
  const tada::Clustering found = tada::ConstrainedKMeans(points, options, workers, [&](const tada::KMeansStep& step) {
    if (std::getenv("BENCH_STEPS") == nullptr) return;
    fmt::print(stderr, "{:6.2f} s  iteration {}  objective {:.1f}  moved {}\n",
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), step.iteration,
               step.objective, step.moved);
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double cpu_seconds = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  std::ofstream(words[6], std::ios::binary)
      .write(reinterpret_cast<const char*>(found.cluster_of.data()),
             static_cast<std::streamsize>(found.cluster_of.size() * sizeof(uint32_t)));
  fmt::print(
      "{{\"seconds\": {:.4f}, \"cpu_seconds\": {:.4f}, \"iterations\": {}, \"before_exchange\": {:.3f}, \"objective\": "
      "{:.3f}, "
      "\"moves\": {}, \"swaps\": {}}}\n",
      seconds, cpu_seconds, found.iterations, found.objective_before_exchange, found.objective, found.moves,
      found.swaps);
  return 0;
}
