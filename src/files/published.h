#pragma once

// Which files a run of the program has given their names, so that what it says after a failure is true of the disk.

#include <string>
#include <vector>

namespace tada {

/// From now on, files that are published are remembered; whatever was before is forgotten.
void RememberPublished();
/// Called by whoever publishes a file; forgotten unless somebody asked.
void AddPublished(const std::string& path);
/// It is gone again, or has another name.
void ForgetPublished(const std::string& path);
std::vector<std::string> PublishedFiles();

}  // namespace tada
