#pragma once

// Files to a store: the bytes of all are there before the first object appears, so that somebody who is killed on the way leaves none. Of very many
// files some appear earlier, for an upload that waits takes memory.

#include <string>
#include <vector>

#include "files/stores/remote.h"

namespace tada {

struct Sending {
  std::string path;  ///< of the file
  std::string name;  ///< of the object, inside the folder
};

/// `appeared` gets the names of the objects that did, also if others failed.
Status SendFiles(Remote& remote, const std::string& address, const std::vector<Sending>& files,
                 std::vector<std::string>& appeared);

}  // namespace tada
