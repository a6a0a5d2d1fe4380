#pragma once

// The tree that grows over rows which are spread over machines, as far down as nodes are too large for one.
//   open    has more rows than one machine is to hold: to be counted, then split or final.
//   local   few enough rows: they meet on one machine, which runs the rest of the method.
//   final   could not be split by any stage: a group as large as it is.
// One root per data controller, in the order of their codes; a node below a stage's last split goes on with the next stage.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partition/engine/splits/node_split.h"

namespace tada {

/// How a node splits and by which stage; no children: by none.
struct StageSplit {
  NodeSplit split;
  uint32_t stage = 0;
  std::vector<uint64_t> child_rows;
  /// Of a node that is final: the codes that occur, by quasi-identifier. Its cells follow from them.
  std::vector<std::vector<Code>> final_codes;

  std::string Pack() const;
  static StageSplit Unpack(std::string_view bytes);
};

class SpreadTree {
 public:
  enum class State : uint8_t { kOpen, kSplit, kLocal, kFinal };
  struct Node {
    uint32_t controller = 0;
    uint32_t stage = 0;  ///< the first that may still split it
    State state = State::kOpen;
    uint64_t rows = 0;
    uint32_t first_child = 0;
    NodeSplit split;
    std::vector<std::vector<Code>> final_codes;
  };

  /// Pre: roots are added before anything is split.
  void AddRoot(uint64_t rows, uint64_t local_rows);
  void Apply(uint32_t node, const StageSplit& split, uint64_t local_rows);

  const std::vector<Node>& nodes() const { return nodes_; }
  std::vector<uint32_t> In(State state) const;
  /// The node of each row: `codes` by quasi-identifier, `controllers` by row (empty: there is one).
  std::vector<int32_t> Route(std::span<const std::span<const int32_t>> codes,
                             std::span<const int32_t> controllers) const;

  std::string Pack() const;
  static SpreadTree Unpack(std::string_view bytes);

 private:
  std::vector<Node> nodes_;
};

}  // namespace tada
