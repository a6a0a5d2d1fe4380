#include "server/serve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/option_mark.h"
#include "server/app.h"
#include "server/http/secret.h"

namespace tada {
namespace {

/// Opens the browser at a file that only this user can read and that leads to the page. The address itself has the token in it, and
/// the arguments of a process can be read by every user of the machine.
void OpenBrowser(const std::string& address, const std::string& folder) {
  const std::string path = folder + "/open.html";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return;
  const std::string page =
      "<!doctype html><meta charset=\"utf-8\"><title>tada</title><meta http-equiv=\"refresh\" content=\"0; url=" +
      address + "\"><p><a href=\"" + address + "\">Open tada</a>\n";
  const bool written = write(file, page.data(), page.size()) == static_cast<ssize_t>(page.size());
  close(file);
  if (!written) return;
  const pid_t child = fork();
  if (child != 0) {
    if (child > 0) waitpid(child, nullptr, 0);
    return;
  }
  if (fork() != 0) _exit(0);  // whoever runs for long belongs to nobody
  setsid();
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0) _exit(0);
  for (const int descriptor : {0, 1, 2}) dup2(nothing, descriptor);
  close_range(3, ~0U, 0);
  execlp("xdg-open", "xdg-open", path.c_str(), nullptr);
  _exit(0);
}

/// Hears two requests to stop, the terminal's and the page's, as one.
class EitherCancel {
 public:
  EitherCancel(const Cancel& outer, Cancel& inner)
      : thread_([&outer, &inner, this] {
          while (!done_ && !inner.requested()) {
            if (outer.requested()) inner.Request();
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
          }
        }) {}
  ~EitherCancel() {
    done_ = true;
    thread_.join();
  }
  EitherCancel(const EitherCancel&) = delete;
  EitherCancel& operator=(const EitherCancel&) = delete;

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace

Status Serve(const ServeRequest& request, Files& files, const Cancel& cancel,
             const std::function<void(const std::string& address)>& say) {
  umask(077);  // nothing the server writes is for others
  TADA_TRY(storage, Storage::Open());
  TADA_TRY(listener, Listener::Open(request.port));
  Guard guard{fmt::format("127.0.0.1:{}", listener.port()), RandomHex(32)};
  const std::string address = fmt::format("http://{}/#token={}", guard.address, guard.token);
  AppOptions options{.max_upload = request.max_upload, .make_demo = request.make_demo};
  if (!request.folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(request.folder, error);
    options.folder = std::filesystem::absolute(request.folder, error).string();
    if (error || !std::filesystem::is_directory(options.folder, error) ||
        access(options.folder.c_str(), W_OK | X_OK) != 0)
      return IoError("Cannot write to the folder {}", request.folder)
          .WithHint("Choose another with " TADA_OPTION("folder") ".");
  }
  Cancel stop;
  App app(files, storage, std::move(guard), options, stop);
  for (const std::string& path : request.tables) TADA_CHECK_OK(app.tables().AddFile(path, false));
  if (request.demo) TADA_CHECK_OK(app.AddDemo());
  app.LoadHistory();
  say(address);
  if (request.open_browser) OpenBrowser(address, storage.path());
  const EitherCancel either(cancel, stop);
  listener.Run(app, request.max_upload, stop);
  return Ok();
}

}  // namespace tada
