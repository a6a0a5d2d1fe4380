#include "keys/sha256_text.h"

#include <openssl/evp.h>

#include "base/status.h"
#include "keys/secret_key.h"

namespace tada {

std::string Sha256OfText(std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  TADA_ASSERT(EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr) == 1);
  return HexOf(digest, size);
}

}  // namespace tada
