#include "base/version.h"

namespace tada {

const char* const kVersion = TADA_VERSION;

}  // namespace tada
