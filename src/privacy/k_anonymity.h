#pragma once

// k-anonymity (Samarati, Sweeney): a group has at least k rows.

#include "privacy/model.h"

namespace tada {

class KAnonymity final : public PrivacyModel {
 public:
  explicit KAnonymity(uint64_t k) : k_(k) {}
  bool Holds(const Tally& tally) const override { return tally.rows >= k_; }
  bool KeptByMerging() const override { return true; }
  uint64_t SmallestGroup() const override { return k_; }
  bool NeedsValues() const override { return false; }
  uint64_t Reaches(const Tally& tally) const override { return tally.rows; }
  std::string parameter() const override { return "k"; }

 private:
  uint64_t k_;
};

}  // namespace tada
