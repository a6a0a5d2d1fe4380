#pragma once

// The network: the only place that sees Boost.Beast. Connections are served asynchronously by one thread; answers
// that take time are made by a few others, so that a slow one keeps nobody waiting.
//   limits   a head of 16 KB within 10 s, a body of 1 MB (uploads: as much as is allowed, each piece within 30 s), 64
//            connections, 30 s to take each piece of an answer. Whoever exceeds one is disconnected.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/status.h"
#include "server/http/message.h"

namespace tada {

/// What answers requests.
class Application {
 public:
  virtual ~Application() = default;
  /// What to answer at once, before the body is read; nothing for a request to be served. Fills in the captures.
  virtual std::optional<HttpResponse> Refuse(HttpRequest& head) = 0;
  /// Where the body of this request goes, a file that does not exist yet; "" for memory.
  virtual Result<std::string> UploadPath(const HttpRequest& head) = 0;
  /// Whether the answer takes next to no time, so that no other thread is asked for it.
  virtual bool AtOnce(const HttpRequest& request) = 0;
  /// Called from several threads at once. Never throws.
  virtual HttpResponse Answer(const HttpRequest& request) = 0;
};

class Listener {
 public:
  /// Listens on 127.0.0.1; `port` 0 takes any free one. kIo if it is taken.
  static Result<Listener> Open(uint16_t port);
  Listener(Listener&&) noexcept;
  Listener& operator=(Listener&&) noexcept;
  ~Listener();

  uint16_t port() const;
  /// Serves until `cancel` is requested.
  void Run(Application& application, uint64_t max_upload, const Cancel& cancel);

 private:
  struct State;
  explicit Listener(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tada
