#pragma once

// A manifest: what a release is and how it was made, in a file beside it. Whoever gets the release finds out with `tada audit --manifest`
// whether it is the file that was released, by which plan, by which program and with which verdict; and, if it is signed, by whom.
// It holds nothing that the release and its publishable report do not hold.

#include <optional>
#include <string>

#include "audit/audit.h"
#include "keys/secret_key.h"
#include "run/audit/outcome.h"

namespace tada {

struct Manifest {
  std::string version;         ///< of tada
  std::string release_sha256;  ///< of the released file
  std::string plan, plan_sha256;
  std::string binary_sha256;  ///< of the program that made it; "" if it is not known
  bool passed = false;
  uint64_t k = 0, l = 0, rows = 0, classes = 0;
  std::string public_key, signature;  ///< "" if it is not signed
  std::string signed_text;            ///< what the signature is of
};

/// As JSON, signed if there is a key.
std::string ManifestJson(const Outcome& outcome, const std::string& binary_sha256, const SecretKey* key);

/// kInvalidArgument if the file is not there or is no manifest.
Result<Manifest> ReadManifest(const std::string& path);

/// Adds to a verdict what the manifest has to say about the release: a problem for everything that is not as it says.
///   public_key   of whom it must be signed by; "": whoever it is
void CheckManifest(const Manifest& manifest, const std::string& release_sha256, const std::string& binary_sha256,
                   const std::string& public_key, Verdict& verdict);

}  // namespace tada
