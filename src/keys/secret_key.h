#pragma once

// Secret keys: for pseudonyms, and for signatures below manifests. One file serves both; what it is used for is mixed in, so that
// whatever one use gives away says nothing about another.
//   key file   a line that says what it is, and 32 random bytes in hex. Readable by its owner alone; nothing prints it.
//   public     the half of the signing key that everybody may know: `ed25519:` and 32 bytes in hex.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tada {

class SecretKey {
 public:
  using Bytes = std::array<unsigned char, 32>;

  /// A new one, from the system's source of randomness.
  static SecretKey Make();
  /// kInvalidArgument if the file is not there, is none, or may be read by others than its owner.
  static Result<SecretKey> Read(const std::string& path);

  /// By what a key file holds; nothing if the text is none.
  static std::optional<SecretKey> FromText(std::string_view text);

  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;
  ~SecretKey();  ///< wipes the bytes

  /// What a key file holds.
  std::string FileText() const;
  /// HMAC-SHA-256 of a message, by a key of its own for every purpose: Code("pseudonym", "4711").
  Bytes Code(std::string_view purpose, std::string_view message) const;
  /// Ed25519: what a signature of this key is checked by.
  std::string PublicKey() const;
  /// In hex.
  std::string Sign(std::string_view message) const;

 private:
  explicit SecretKey(const Bytes& bytes) : bytes_(bytes) {}
  Bytes bytes_;
};

/// Whether `signature` was made of `message` by the key whose public half this is. False for anything that is none.
bool SignatureHolds(std::string_view public_key, std::string_view message, std::string_view signature);

/// Whether a text has the form of a public key.
bool IsPublicKey(std::string_view text);

/// Bytes in hex, and back; nothing if the text is none, or of another length.
std::string HexOf(const unsigned char* bytes, size_t size);
bool ReadHex(std::string_view text, unsigned char* bytes, size_t size);

}  // namespace tada
