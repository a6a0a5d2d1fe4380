// tada for C++20: tada.h with owners, results and texts. Header-only; no exception leaves it.
//
//   tada::Table people = tada::Table::File("people.csv");
//   auto release = tada::Anonymize(people, R"(quasi = ["age", "zip"]
//                                             sensitive = ["disease"]
//                                             k = 5
//                                             l = 2)", tada::Output::File("out.csv"));
//   if (!release) std::cerr << release.error().message << '\n';

#ifndef TADA_TADA_HPP_
#define TADA_TADA_HPP_

#include <tada/tada.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tada {

/// What went wrong, where, and what to do.
struct Error {
  tada_code code = TADA_OK;
  std::string message, hint;
};

/// A value or an error.
template <class T>
class Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}       // NOLINT(google-explicit-constructor)
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}   // NOLINT(google-explicit-constructor)
  bool has_value() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  /// Pre: has_value().
  T& value() & { return *std::get_if<0>(&held_); }
  const T& value() const& { return *std::get_if<0>(&held_); }
  T&& value() && { return std::move(*std::get_if<0>(&held_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  /// Pre: !has_value().
  const Error& error() const { return *std::get_if<1>(&held_); }

 private:
  std::variant<T, Error> held_;
};

/// An Arrow stream that is released by its owner.
class Stream {
 public:
  Stream() noexcept = default;
  explicit Stream(ArrowArrayStream stream) noexcept : stream_(stream) {}
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, {})) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~Stream() {
    if (stream_.release != nullptr) stream_.release(&stream_);
  }
  /// For functions that take or fill in a stream of C.
  ArrowArrayStream* get() noexcept { return &stream_; }

 private:
  ArrowArrayStream stream_{};
};

/// A table to read: a file, or a stream, which can be read once.
class Table {
 public:
  static Table File(std::string path) {
    Table table;
    table.path_ = std::move(path);
    return table;
  }
  static Table Of(Stream stream, std::string name = "the table") {
    Table table;
    table.stream_ = std::move(stream);
    table.name_ = std::move(name);
    return table;
  }
  tada_table c() {
    return {path_ ? nullptr : stream_.get(), path_ ? path_->c_str() : nullptr, path_ ? nullptr : name_.c_str()};
  }

 private:
  Table() = default;
  std::optional<std::string> path_;
  Stream stream_;
  std::string name_;
};

/// Where a table goes: a file, or a stream of the result.
class Output {
 public:
  static Output File(std::string path, bool force = false) { return Output(std::move(path), force); }
  static Output Memory() { return Output(std::nullopt, false); }
  tada_output c(Stream& stream) const {
    return {path_ ? nullptr : stream.get(), path_ ? path_->c_str() : nullptr, force_ ? 1 : 0};
  }

 private:
  Output(std::optional<std::string> path, bool force) : path_(std::move(path)), force_(force) {}
  std::optional<std::string> path_;
  bool force_;
};

/// Stops work on request, from any thread.
class Cancel {
 public:
  Cancel() : cancel_(tada_cancel_new(), &tada_cancel_free) {}
  void Request() noexcept { tada_cancel_request(cancel_.get()); }
  tada_cancel* c() const noexcept { return cancel_.get(); }

 private:
  std::unique_ptr<tada_cancel, void (*)(tada_cancel*)> cancel_;
};

/// Who waits for the work. `progress` may be called from another thread, never from two at once; it must not throw.
struct Context {
  std::function<void(const char* stage, uint64_t done, uint64_t total)> progress;
  const Cancel* cancel = nullptr;
};

struct Release {
  Stream table;        ///< of Output::Memory()
  std::string report;  ///< JSON
};
struct Profile {
  std::string json;
  std::string plan;  ///< a draft, in TOML
};
struct Decoded {
  Stream table;  ///< of Output::Memory()
  std::string json;
};

namespace internal {

class CContext {
 public:
  explicit CContext(const Context& context) : context_{nullptr, nullptr, nullptr} {
    if (context.progress) {
      context_.progress = [](void* data, const char* stage, uint64_t done, uint64_t total) {
        static_cast<const Context*>(data)->progress(stage, done, total);
      };
      context_.data = const_cast<Context*>(&context);
    }
    if (context.cancel != nullptr) context_.cancel = context.cancel->c();
  }
  const tada_context* get() const { return &context_; }

 private:
  tada_context context_;
};

/// A text that the library handed out.
class Text {
 public:
  Text() = default;
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() { tada_free(text_); }
  char** out() { return &text_; }
  std::string str() const { return text_ == nullptr ? std::string() : std::string(text_); }

 private:
  char* text_ = nullptr;
};

/// Calls `function(error)` and gives what `value()` makes of its success.
template <class F, class V>
auto Call(F&& function, V&& value) -> Result<decltype(value())> {
  tada_error error{};
  const int code = function(&error);
  if (code == TADA_OK) return value();
  Error found{static_cast<tada_code>(code), error.message == nullptr ? "" : error.message,
              error.hint == nullptr ? "" : error.hint};
  tada_error_clear(&error);
  return found;
}

}  // namespace internal

inline std::string Version() { return tada_version(); }

/// Releases a table, audited before anything is handed out. `plan`: TOML or JSON.
inline Result<Release> Anonymize(Table table, const std::string& plan, const Output& output = Output::Memory(),
                                 const Context& context = {}) {
  Release release;
  internal::Text report;
  const tada_table in = table.c();
  const tada_output out = output.c(release.table);
  const internal::CContext with(context);
  return internal::Call(
      [&](tada_error* error) { return tada_anonymize(&in, plan.c_str(), &out, with.get(), report.out(), error); },
      [&] {
        release.report = report.str();
        return std::move(release);
      });
}

/// Releases other rows by the cuts of an earlier release: the JSON text that `save-cuts` of a plan wrote. `options`: those of 'tada apply'.
inline Result<Release> Apply(const std::string& cuts, Table table, const std::string& options = "",
                             const Output& output = Output::Memory(), const Context& context = {}) {
  Release release;
  internal::Text report;
  const tada_table in = table.c();
  const tada_output out = output.c(release.table);
  const internal::CContext with(context);
  return internal::Call(
      [&](tada_error* error) {
        return tada_apply(cuts.c_str(), &in, options.c_str(), &out, with.get(), report.out(), error);
      },
      [&] {
        release.report = report.str();
        return std::move(release);
      });
}

/// Verifies a release; the verdict is JSON. A failed audit is an answer, not an error.
inline Result<std::string> Audit(Table release, const std::string& plan, std::optional<Table> original = std::nullopt,
                                 const Context& context = {}) {
  internal::Text verdict;
  const tada_table in = release.c();
  tada_table before{};
  if (original) before = original->c();
  const internal::CContext with(context);
  return internal::Call(
      [&](tada_error* error) {
        return tada_audit(&in, original ? &before : nullptr, plan.c_str(), with.get(), verdict.out(), error);
      },
      [&] { return verdict.str(); });
}

/// Profiles a table and proposes roles. `plan` may be "".
inline Result<Profile> Inspect(Table table, const std::string& plan = "", const Context& context = {}) {
  internal::Text profile, draft;
  const tada_table in = table.c();
  const internal::CContext with(context);
  return internal::Call(
      [&](tada_error* error) {
        return tada_inspect(&in, plan.c_str(), with.get(), profile.out(), draft.out(), error);
      },
      [&] { return Profile{profile.str(), draft.str()}; });
}

/// Simulates an attacker on a release; the result is JSON.
inline Result<std::string> Attack(Table release, Table original, const std::string& plan,
                                  std::optional<Table> population = std::nullopt, const Context& context = {}) {
  internal::Text result;
  const tada_table in = release.c(), before = original.c();
  tada_table everybody{};
  if (population) everybody = population->c();
  const internal::CContext with(context);
  return internal::Call(
      [&](tada_error* error) {
        return tada_attack(&in, &before, population ? &everybody : nullptr, plan.c_str(), with.get(), result.out(),
                           error);
      },
      [&] { return result.str(); });
}

/// What several releases give away together; the result is JSON.
inline Result<std::string> Compose(std::span<Table> releases, const std::string& plan, const Context& context = {}) {
  internal::Text result;
  std::vector<tada_table> tables;
  for (Table& release : releases) tables.push_back(release.c());
  const internal::CContext with(context);
  return internal::Call(
      [&](tada_error* error) {
        return tada_compose(tables.data(), tables.size(), plan.c_str(), with.get(), result.out(), error);
      },
      [&] { return result.str(); });
}

/// Several releases of one table side by side; the result is JSON, and confidential: it shows figures of the original.
inline Result<std::string> Compare(std::span<Table> releases, Table original, const std::string& plan,
                                   const Context& context = {}) {
  internal::Text result;
  std::vector<tada_table> tables;
  for (Table& release : releases) tables.push_back(release.c());
  const tada_table before = original.c();
  const internal::CContext with(context);
  return internal::Call(
      [&](tada_error* error) {
        return tada_compare(tables.data(), tables.size(), &before, plan.c_str(), with.get(), result.out(), error);
      },
      [&] { return result.str(); });
}

/// A plain table to train models on, from a release alone. `plan` may be "".
inline Result<Decoded> Decode(Table release, const std::string& plan = "", const Output& output = Output::Memory(),
                              std::optional<Table> learn_from = std::nullopt, const Context& context = {}) {
  Decoded decoded;
  internal::Text result;
  const tada_table in = release.c();
  tada_table other{};
  if (learn_from) other = learn_from->c();
  const tada_output out = output.c(decoded.table);
  const internal::CContext with(context);
  return internal::Call(
      [&](tada_error* error) {
        return tada_decode(&in, learn_from ? &other : nullptr, plan.c_str(), &out, with.get(), result.out(), error);
      },
      [&] {
        decoded.json = result.str();
        return std::move(decoded);
      });
}

/// What models still learn from releases, over a grid; the result is JSON.
inline Result<std::string> Evaluate(Table table, const std::string& plan, const Context& context = {}) {
  internal::Text result;
  const tada_table in = table.c();
  const internal::CContext with(context);
  return internal::Call(
      [&](tada_error* error) { return tada_evaluate(&in, plan.c_str(), with.get(), result.out(), error); },
      [&] { return result.str(); });
}

/// Every sensible way to recode whole columns; the advice is JSON.
inline Result<std::string> Advise(Table table, const std::string& plan, const Context& context = {}) {
  internal::Text advice;
  const tada_table in = table.c();
  const internal::CContext with(context);
  return internal::Call(
      [&](tada_error* error) { return tada_advise(&in, plan.c_str(), with.get(), advice.out(), error); },
      [&] { return advice.str(); });
}

/// Writes a new secret key to a file that its owner alone may read, and gives its public half.
inline Result<std::string> Key(const std::string& path) {
  internal::Text public_key;
  return internal::Call([&](tada_error* error) { return tada_key(path.c_str(), public_key.out(), error); },
                        [&] { return public_key.str(); });
}

}  // namespace tada

#endif  // TADA_TADA_HPP_
