#include "files/digest/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <iterator>
#include <memory>

#include "files/byte_source.h"

namespace tada {

Result<std::string> Sha256OfFile(const std::string& path) {
  TADA_TRY(source, OpenBytes(path, Packing::kNone));  // the bytes as they are stored, packed or not
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  TADA_ASSERT(context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  std::string piece(1 << 20, '\0');
  for (;;) {
    TADA_TRY(got, source->Read(piece.data(), piece.size()));
    if (got == 0) break;
    TADA_ASSERT(EVP_DigestUpdate(context.get(), piece.data(), got) == 1);
  }
  TADA_CHECK_OK(source->CheckUnchanged());
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  TADA_ASSERT(EVP_DigestFinal_ex(context.get(), digest, &length) == 1);
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) fmt::format_to(std::back_inserter(hex), "{:02x}", digest[i]);
  return hex;
}

}  // namespace tada
