#include "server/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace tada {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(5);
constexpr size_t kMostErrors = 16 * 1024;

std::vector<std::string>& ChildProgram() {
  static std::vector<std::string> words;
  return words;
}

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    CloseWrite();
    if (read >= 0) close(read);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void CloseWrite() {
    if (write >= 0) close(write);
    write = -1;
  }
};

/// What runs between fork and exec: system calls alone, since other threads may have held any lock.
[[noreturn]] void Become(const char* program, char* const* argv, const char* folder, int output, int errors,
                         int progress, pid_t server) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != server) _exit(70);  // it died before that
  setpgid(0, 0);                       // what is typed at the server's terminal is for the server
  const int nothing = open("/dev/null", O_RDONLY);
  // First to numbers beyond the ones that are wanted, so that none is overwritten before it is used.
  const int high_output = fcntl(output, F_DUPFD, 16), high_errors = fcntl(errors, F_DUPFD, 16),
            high_progress = fcntl(progress, F_DUPFD, 16);
  if (nothing < 0 || high_output < 0 || high_errors < 0 || high_progress < 0) _exit(70);
  dup2(nothing, STDIN_FILENO);
  dup2(high_output, STDOUT_FILENO);
  dup2(high_errors, STDERR_FILENO);
  dup2(high_progress, kProgressDescriptor);
  close_range(kProgressDescriptor + 1, ~0U, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (chdir(folder) != 0) _exit(70);
  execv(program, argv);
  _exit(70);
}

class Lines {
 public:
  explicit Lines(const std::function<void(const std::string&)>& take) : take_(take) {}
  void Add(const char* bytes, size_t size) {
    text_.append(bytes, size);
    for (size_t end; (end = text_.find('\n')) != std::string::npos; text_.erase(0, end + 1))
      take_(text_.substr(0, end));
    if (text_.size() > kMostErrors) text_.clear();
  }

 private:
  const std::function<void(const std::string&)>& take_;
  std::string text_;
};

int ExitOf(int status, bool stopped) {
  if (stopped) return 130;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 70;
}

/// What is said of a job that the system ended: it could say nothing itself.
std::string EndedBy(int signal) {
  return fmt::format("tada: error: The system ended the job ({})\ntada: hint: {}\n", strsignal(signal),
                     signal == SIGKILL ? "Most likely there was not enough memory: take fewer rows or columns, or a "
                                         "machine with more."
                                       : "This is a bug in tada. Please report what you did; attach no personal data.");
}

}  // namespace

void SetChildProgram(std::vector<std::string> words) { ChildProgram() = std::move(words); }

Result<ChildEnd> RunChild(const ChildRequest& request, const std::function<void(const std::string&)>& on_line,
                          const std::function<ChildWish()>& wish) {
  Pipe errors, progress;
  const int output = open(request.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (output < 0 || errors.read < 0 || progress.read < 0)
    return IoError("Cannot start a job: {}", std::strerror(errno));
  std::vector<std::string> words = ChildProgram();
  const std::string program = words.empty() ? "/proc/self/exe" : words.front();
  if (words.empty()) words.emplace_back("tada");
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t server = getpid();
  const pid_t child = fork();
  if (child == 0)
    Become(program.c_str(), argv.data(), request.folder.c_str(), output, errors.write, progress.write, server);
  close(output);
  if (child < 0) return IoError("Cannot start a job: {}", std::strerror(errno));
  errors.CloseWrite();
  progress.CloseWrite();

  ChildEnd end;
  Lines lines(on_line);
  bool stopped = false;
  Clock::time_point stopped_at;
  pollfd waited[2] = {{errors.read, POLLIN, 0}, {progress.read, POLLIN, 0}};
  int status = 0;
  for (bool alive = true; alive || waited[0].fd >= 0 || waited[1].fd >= 0;) {
    if (wish() == ChildWish::kStop && !stopped) {
      stopped = true;
      stopped_at = Clock::now();
      kill(child, SIGINT);  // once: a second one would not wait until it has cleaned up
    }
    if (stopped && alive && Clock::now() - stopped_at > kPatience) kill(child, SIGKILL);
    poll(waited, 2, 50);
    for (pollfd& one : waited) {
      if (one.fd < 0 || one.revents == 0) continue;
      char bytes[4096];
      const ssize_t size = read(one.fd, bytes, sizeof bytes);
      if (size <= 0) {
        if (size == 0 || errno != EINTR) one.fd = -1;
      } else if (&one == &waited[1]) {
        lines.Add(bytes, static_cast<size_t>(size));
      } else {
        end.errors.append(bytes, static_cast<size_t>(size));
        if (end.errors.size() > 2 * kMostErrors) end.errors.erase(0, end.errors.size() - kMostErrors);
      }
    }
    if (alive && waitpid(child, &status, WNOHANG) == child) alive = false;
    if (!alive && waited[0].revents == 0 && waited[1].revents == 0) break;  // a grandchild may hold the pipes
  }
  const bool finished_anyway = WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 1);
  end.exit_code = ExitOf(status, stopped && !finished_anyway);
  if (WIFSIGNALED(status) && !stopped) end.errors += EndedBy(WTERMSIG(status));
  return end;
}

}  // namespace tada
