#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace penstock::base {

// Called when a check fails. It must not return to the caller; if it does, the process aborts.
using CheckHandler = void (*)(const char* file, int line, const char* sentence);

inline void print_failed_check(const char* file, int line, const char* sentence) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): works even when memory has run out.
  std::fprintf(stderr, "penstock: %s:%d: %s\n", file, line, sentence);
}

// Replaceable so that a schedule explorer can end one schedule instead of the whole process.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
inline std::atomic<CheckHandler> check_handler{&print_failed_check};

[[noreturn]] inline void fail_check(const char* file, int line, const char* sentence) {
  check_handler.load(std::memory_order_acquire)(file, line, sentence);
  std::abort();
}

}  // namespace penstock::base

// For errors that mean "we are wrong", in every build type. What a user or a peer can cause is
// an exception or a returned value instead.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): the place of the failure needs a macro.
#define PENSTOCK_CHECK(condition, sentence)                                           \
  do {                                                                                \
    if (!(condition)) [[unlikely]]                                                    \
      ::penstock::base::fail_check(__FILE__, __LINE__, sentence " [" #condition "]"); \
  } while (false)
