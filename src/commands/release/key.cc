#include "commands/release/key.h"

#include "base/option_mark.h"
#include "files/write.h"
#include "keys/secret_key.h"
#include "plan/option_groups.h"

namespace tada {

OptionSpecs KeyCommandOptions() {
  return {WithHelp(*FindOption(OutputOptions(), "output"),
                   "Write the new key to this file, which nobody but its owner may read then.")};
}

Result<std::string> MakeKey(const std::string& path) {
  if (path == "-") {
    return InvalidArgument("A secret key is never printed: " TADA_OPTION("-o") " -")
        .WithHint("Name a file with " TADA_OPTION("-o") ".");
  }
  auto file = PendingFile::Open(path, false);
  if (!file.ok()) {
    Error error = std::move(file).error();
    if (error.hint.find(TADA_OPTION("force")) != std::string::npos) {
      error.hint = "A key is never overwritten: choose another name, or remove the file yourself.";
    }
    return error;
  }
  const SecretKey key = SecretKey::Make();
  file->KeepPrivate();
  TADA_CHECK_OK(file->Write(key.FileText()));
  TADA_CHECK_OK(file->Sync());
  TADA_CHECK_OK(file->Publish());
  return key.PublicKey();
}

Result<std::string> PublicKeyOf(const std::string& path) {
  TADA_TRY(key, SecretKey::Read(path));
  return key.PublicKey();
}

}  // namespace tada
