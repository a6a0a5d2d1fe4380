#pragma once

// A vector whose new elements hold anything until they are written: for room that is written over at once, again and again.

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace tada {

template <class T>
struct LeaveAsItIs : std::allocator<T> {
  static_assert(std::is_trivially_default_constructible_v<T>);
  template <class U>
  struct rebind {
    using other = LeaveAsItIs<U>;
  };
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;  // not U(): that would write zeros
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
};

template <class T>
using RawVector = std::vector<T, LeaveAsItIs<T>>;

}  // namespace tada
