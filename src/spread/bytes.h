#pragma once

// Plain numbers as bytes and back, for what machines of one run hand to each other. Both ends are the same build.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/status.h"

namespace tada {

class ByteWriter {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void Put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T, class Allocator>
    requires std::is_trivially_copyable_v<T>
  void PutAll(const std::vector<T, Allocator>& values) {
    Put(static_cast<uint64_t>(values.size()));
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  std::string Take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Bytes that do not hold what is asked for are a bug: they never come from outside of the run.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
    requires std::is_trivially_copyable_v<T>
  T Get() {
    T value;
    TADA_ASSERT(rest_.size() >= sizeof value);
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  template <class T, class Values = std::vector<T>>
    requires std::is_trivially_copyable_v<T>
  Values GetAll() {
    const auto size = Get<uint64_t>();
    TADA_ASSERT(size <= rest_.size() / sizeof(T));
    Values values(size);
    if (size > 0) std::memcpy(values.data(), rest_.data(), size * sizeof(T));
    rest_.remove_prefix(size * sizeof(T));
    return values;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace tada
