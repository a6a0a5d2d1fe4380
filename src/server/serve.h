#pragma once

// tada serve: the page, on loopback, until somebody stops it.

#include <functional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "files/files.h"

namespace tada {

struct ServeRequest {
  std::vector<std::string> tables;  ///< files to read in place
  uint16_t port = 0;                ///< 0: any
  std::string folder;               ///< where plans, releases and history are kept; "": nothing is
  uint64_t max_upload = uint64_t{2} << 30;
  bool open_browser = true;
  bool demo = false;  ///< the made-up people are there from the start
  /// Writes the made-up people to a file.
  std::function<Status(const std::string& path)> make_demo;
};

/// Serves until `cancel` is requested or the page asks to stop. `say` is told the address, once it answers.
Status Serve(const ServeRequest& request, Files& files, const Cancel& cancel,
             const std::function<void(const std::string& address)>& say);

/// Serve(), as it is handed to the command line: who has no server has none to hand.
using ServeFunction = Status (*)(const ServeRequest&, Files&, const Cancel&,
                                 const std::function<void(const std::string&)>&);

}  // namespace tada
