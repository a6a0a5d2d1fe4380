#pragma once

// How things go wrong.
//   Error    what can go wrong with good code: a code, what is wrong, and what to do about it. Returned, never thrown.
//   Result   a value or an Error.     Status   nothing or an Error.
//   InternalError   what cannot happen: a bug in tada, thrown by TADA_ASSERT and caught only at the edges.
//   Interrupted     the user stopped the work: thrown where long loops look (see cancel.h), caught only at the edges.

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace tada {

/// The few kinds of error; each is one exit code of the program (2, 3, 4, 5).
enum class ErrorCode {
  kInvalidArgument,  ///< wrong usage or plan
  kData,             ///< the input cannot be read or is damaged
  kInfeasible,       ///< the data cannot meet the requirement
  kIo,               ///< output cannot be written
};

struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;  ///< what is wrong, values last
  std::string hint;     ///< what to do; may be empty

  /// The same error with a hint.
  Error WithHint(std::string text) && {
    hint = std::move(text);
    return std::move(*this);
  }
};

template <class... Args>
Error InvalidArgument(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorCode::kInvalidArgument, fmt::format(format, std::forward<Args>(args)...), ""};
}
template <class... Args>
Error DataError(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorCode::kData, fmt::format(format, std::forward<Args>(args)...), ""};
}
template <class... Args>
Error Infeasible(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorCode::kInfeasible, fmt::format(format, std::forward<Args>(args)...), ""};
}
template <class... Args>
Error IoError(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorCode::kIo, fmt::format(format, std::forward<Args>(args)...), ""};
}

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}  // NOLINT(google-explicit-constructor): `return value;`
  // NOLINTNEXTLINE(google-explicit-constructor): `return InvalidArgument(...);`
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  const T& value() const& { return std::get<0>(state_); }
  T& value() & { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

inline Status Ok() { return {}; }

/// A bug in tada.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// The user asked to stop.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

[[noreturn]] void FailAssert(const char* expression, const char* file, int line);

}  // namespace tada

#define TADA_ASSERT(expression) ((expression) ? void(0) : ::tada::FailAssert(#expression, __FILE__, __LINE__))

#define TADA_CONCAT_(a, b) a##b
#define TADA_CONCAT(a, b) TADA_CONCAT_(a, b)

/// Declares `name` with the value of `expression`, or returns its error.
#define TADA_TRY(name, expression) TADA_TRY_(TADA_CONCAT(result_, __LINE__), name, expression)
#define TADA_TRY_(result, name, expression)             \
  auto result = (expression);                           \
  if (!(result).ok()) return std::move(result).error(); \
  auto name = std::move(result).value()

/// Returns the error of `expression`, a Status or Result, if it has one.
#define TADA_CHECK_OK(expression) \
  if (auto status_ = (expression); !status_.ok()) return std::move(status_).error()
