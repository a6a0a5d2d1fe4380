#include "keys/secret_key.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/disk/whole_file.h"

namespace tada {
namespace {

constexpr std::string_view kFirstLine = "tada secret key 1\n";
constexpr std::string_view kPublicPrefix = "ed25519:";
constexpr size_t kSignatureSize = 64;
constexpr const char* kHint = "Make one with 'tada key -o <file>', and keep it where nobody else reads it.";

using Digested = std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)>;
using Signing = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;

const unsigned char* BytesOf(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

SecretKey::Bytes Hmac(const unsigned char* key, size_t size, std::string_view message) {
  SecretKey::Bytes code;
  unsigned int length = 0;
  const unsigned char* done =
      HMAC(EVP_sha256(), key, static_cast<int>(size), BytesOf(message), message.size(), code.data(), &length);
  TADA_ASSERT(done != nullptr && length == code.size());
  return code;
}

Signing SigningKey(const SecretKey& key) {
  SecretKey::Bytes seed = key.Code("manifest", "");
  Signing made(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()), &EVP_PKEY_free);
  OPENSSL_cleanse(seed.data(), seed.size());
  TADA_ASSERT(made != nullptr);
  return made;
}

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::string HexOf(const unsigned char* bytes, size_t size) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * size);
  for (size_t i = 0; i < size; ++i) {
    hex += kDigits[bytes[i] >> 4];
    hex += kDigits[bytes[i] & 15];
  }
  return hex;
}

bool ReadHex(std::string_view text, unsigned char* bytes, size_t size) {
  if (text.size() != 2 * size) return false;
  for (size_t i = 0; i < size; ++i) {
    const int high = DigitOf(text[2 * i]), low = DigitOf(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<unsigned char>(high << 4 | low);
  }
  return true;
}

SecretKey SecretKey::Make() {
  Bytes bytes;
  TADA_ASSERT(RAND_priv_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  return SecretKey(bytes);
}

Result<SecretKey> SecretKey::Read(const std::string& path) {
  struct stat seen{};
  if (::stat(path.c_str(), &seen) != 0) {
    return InvalidArgument("Cannot read the key {}: {}", path, std::strerror(errno)).WithHint(kHint);
  }
  if ((seen.st_mode & 077) != 0) {
    return InvalidArgument("The key may be read by others than its owner: {}", path)
        .WithHint("Take it from them with 'chmod 600', and make a new one if somebody may have read it.");
  }
  auto text = ReadWholeFile(path);
  if (!text.ok()) return InvalidArgument("Cannot read the key {}: {}", path, text.error().message).WithHint(kHint);
  std::optional<SecretKey> key = FromText(*text);
  OPENSSL_cleanse(text->data(), text->size());
  if (!key) return InvalidArgument("No secret key of tada: {}", path).WithHint(kHint);
  return *std::move(key);
}

std::optional<SecretKey> SecretKey::FromText(std::string_view text) {
  if (!text.starts_with(kFirstLine)) return std::nullopt;
  text.remove_prefix(kFirstLine.size());
  if (text.ends_with('\n')) text.remove_suffix(1);
  Bytes bytes{};
  if (!ReadHex(text, bytes.data(), bytes.size())) return std::nullopt;
  return SecretKey(bytes);
}

SecretKey::~SecretKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

std::string SecretKey::FileText() const { return std::string(kFirstLine) + HexOf(bytes_.data(), bytes_.size()) + "\n"; }

SecretKey::Bytes SecretKey::Code(std::string_view purpose, std::string_view message) const {
  Bytes own = Hmac(bytes_.data(), bytes_.size(), purpose);
  const Bytes code = Hmac(own.data(), own.size(), message);
  OPENSSL_cleanse(own.data(), own.size());
  return code;
}

std::string SecretKey::PublicKey() const {
  const Signing key = SigningKey(*this);
  Bytes bytes;
  size_t size = bytes.size();
  TADA_ASSERT(EVP_PKEY_get_raw_public_key(key.get(), bytes.data(), &size) == 1 && size == bytes.size());
  return std::string(kPublicPrefix) + HexOf(bytes.data(), bytes.size());
}

std::string SecretKey::Sign(std::string_view message) const {
  const Signing key = SigningKey(*this);
  const Digested context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  TADA_ASSERT(context != nullptr && EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
  std::array<unsigned char, kSignatureSize> signature;
  size_t size = signature.size();
  TADA_ASSERT(EVP_DigestSign(context.get(), signature.data(), &size, BytesOf(message), message.size()) == 1);
  return HexOf(signature.data(), size);
}

bool IsPublicKey(std::string_view text) {
  SecretKey::Bytes bytes;
  return text.starts_with(kPublicPrefix) && ReadHex(text.substr(kPublicPrefix.size()), bytes.data(), bytes.size());
}

bool SignatureHolds(std::string_view public_key, std::string_view message, std::string_view signature) {
  SecretKey::Bytes bytes;
  std::array<unsigned char, kSignatureSize> signed_by;
  if (!IsPublicKey(public_key) || !ReadHex(signature, signed_by.data(), signed_by.size())) return false;
  ReadHex(public_key.substr(kPublicPrefix.size()), bytes.data(), bytes.size());
  const Signing key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes.data(), bytes.size()), &EVP_PKEY_free);
  const Digested context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  if (key == nullptr || context == nullptr) return false;
  if (EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1) return false;
  return EVP_DigestVerify(context.get(), signed_by.data(), signed_by.size(), BytesOf(message), message.size()) == 1;
}

}  // namespace tada
