#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

// Replaces operator new and delete of a whole test program, so that a test counts allocations or
// lets one fail. To be included by one file of a program only.
namespace penstock::support {

// Called before each allocation of this thread; may throw std::bad_alloc.
inline thread_local void (*before_allocation)() = nullptr;

inline void* allocate(std::size_t size, std::size_t alignment) {
  if (before_allocation != nullptr) before_allocation();
  const std::size_t padded = (size / alignment + 1) * alignment;
  void* const made = std::aligned_alloc(alignment, padded);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

}  // namespace penstock::support

// NOLINTBEGIN(misc-definitions-in-headers): a replacement cannot be inline
// Not inlined, or the compiler sees what a new expression gets freed as something else. Those of
// arrays as well: a sanitizer has its own, which do not call these.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return penstock::support::allocate(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return penstock::support::allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/,
                                       std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return penstock::support::allocate(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
  return penstock::support::allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t /*size*/,
                                         std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
// NOLINTEND(misc-definitions-in-headers)
