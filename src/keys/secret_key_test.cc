#include "keys/secret_key.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tada {
namespace {

// A key file with a text and rights.
class KeyFile {
 public:
  KeyFile(const std::string& text, mode_t mode) {
    path_ = (std::filesystem::temp_directory_path() / ("tada_key_test_" + std::to_string(::getpid()))).string();
    std::ofstream(path_, std::ios::binary) << text;
    ::chmod(path_.c_str(), mode);
  }
  ~KeyFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string HexOfCode(const SecretKey& key, std::string_view purpose, std::string_view message) {
  const SecretKey::Bytes code = key.Code(purpose, message);
  return HexOf(code.data(), code.size());
}

const std::string kKnown = "tada secret key 1\n000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n";

TEST(SecretKey, IsReadBackFromItsFile) {
  const SecretKey made = SecretKey::Make();
  const KeyFile file(made.FileText(), 0600);
  const auto read = SecretKey::Read(file.path());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->FileText(), made.FileText());
  EXPECT_NE(SecretKey::Make().FileText(), made.FileText());
}

TEST(SecretKey, ThatOthersMayReadIsRefused) {
  const KeyFile file(kKnown, 0640);
  const auto read = SecretKey::Read(file.path());
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("others"), std::string::npos);
}

TEST(SecretKey, AnythingElseIsNone) {
  for (const std::string text : {"", "secret", "tada secret key 1\n00", "tada secret key 1\n"}) {
    const KeyFile file(text, 0600);
    EXPECT_FALSE(SecretKey::Read(file.path()).ok()) << text;
  }
  EXPECT_FALSE(SecretKey::Read("no/such/file").ok());
}

// Computed by Python's hmac: hmac(hmac(key, b"pseudonym"), b"4711").
TEST(SecretKey, CodesAreHmacSha256OfAKeyPerPurpose) {
  const KeyFile file(kKnown, 0600);
  const SecretKey key = SecretKey::Read(file.path()).value();
  EXPECT_EQ(HexOfCode(key, "pseudonym", "4711"), "159aff369db15891b4e5ce479bd38de4368b82645d042579a05f3285dae386ad");
  EXPECT_NE(HexOfCode(key, "manifest", "4711"), HexOfCode(key, "pseudonym", "4711"));
}

TEST(SecretKey, SignaturesHoldForTheirMessageAndKeyAlone) {
  const SecretKey key = SecretKey::Make();
  const std::string signature = key.Sign("a manifest");
  EXPECT_TRUE(SignatureHolds(key.PublicKey(), "a manifest", signature));
  EXPECT_FALSE(SignatureHolds(key.PublicKey(), "another", signature));
  EXPECT_FALSE(SignatureHolds(SecretKey::Make().PublicKey(), "a manifest", signature));
  std::string other = signature;
  other[5] = other[5] == '0' ? '1' : '0';
  EXPECT_FALSE(SignatureHolds(key.PublicKey(), "a manifest", other));
  for (const std::string text : {"", "ed25519:", "ed25519:00", "rsa:00"}) {
    EXPECT_FALSE(SignatureHolds(text, "a manifest", signature)) << text;
  }
  EXPECT_FALSE(SignatureHolds(key.PublicKey(), "a manifest", ""));
}

}  // namespace
}  // namespace tada
