#include "table/codes.h"

namespace tada {

Codes::Codes(size_t size, Code num_codes) {
  if (num_codes <= 0x100) {
    codes_ = std::vector<uint8_t>(size);
  } else if (num_codes <= 0x10000) {
    codes_ = std::vector<uint16_t>(size);
  } else {
    codes_ = std::vector<uint32_t>(size);
  }
}

}  // namespace tada
