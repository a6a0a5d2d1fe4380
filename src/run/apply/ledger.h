#pragma once

// What has been released of people so far: a confidential file (--ledger). Whoever is in two releases stands in a class of each, and
// only what fits both is left. So a release is composed with those of the ledger before it appears (compose/compose.h).
//   by person   people are known again by what names them (--person), as HMACs under a key that the ledger holds.
//   by row      without --person: the rows of one and the same input file are known again by their numbers.

#include <optional>
#include <string>
#include <vector>

#include "keys/secret_key.h"
#include "run/release.h"

namespace tada {

class Ledger {
 public:
  /// The ledger of a file, or a new one if there is none. kData if it is damaged.
  static Result<Ledger> Open(const std::string& path);

  /// Composes a finished release with those of the ledger: kInfeasible if together they break the requirement, kInvalidArgument if
  /// it can't be told who is in both. Adds it. `input_sha256` is of the input.
  Status Judge(const std::string& input_sha256, const Workers& workers, const FinishedRelease& done);
  /// What the file holds after the release that was judged.
  std::string FileText() const;

 private:
  struct Entry {
    std::string name, sha256, input_sha256;  // input_sha256 "": by person
    std::vector<std::string> quasi, sensitive;
    std::vector<std::vector<std::string>> rows;  // who, cells, sensitive values
  };
  Entry EntryOf(const std::string& input_sha256, const FinishedRelease& done) const;
  Result<Table> TableOf(const Entry& entry, const Plan& plan) const;

  std::optional<SecretKey> key_;
  std::vector<Entry> entries_;
};

}  // namespace tada
