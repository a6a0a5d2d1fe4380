#include "base/version.h"

namespace tada {

const char kVersion[] = TADA_VERSION;

}  // namespace tada
