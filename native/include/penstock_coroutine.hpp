// The coroutine of a driver loop, in the engine and in libraries alike.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

namespace penstock {

// A driver loop (C2): a coroutine that says itself when it has what it needs. It begins with the
// first resume(), and its frame, with everything in it, goes with this object, wherever the
// coroutine stands. It has no stack of its own, so any thread may resume it next (X3).
class Loop {
 public:
  struct promise_type {  // NOLINT(readability-identifier-naming): the language wants this name
    [[nodiscard]] Loop get_return_object() noexcept { return Loop(Handle::from_promise(*this)); }
    [[nodiscard]] std::suspend_always initial_suspend() const noexcept { return {}; }
    [[nodiscard]] std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { failure = std::current_exception(); }

    static void* operator new(std::size_t bytes) { return allocated = ::operator new(bytes); }
    static void operator delete(void* at) noexcept { ::operator delete(at); }

    std::exception_ptr failure;
    void* const frame = allocated;

   private:
    static inline thread_local void* allocated = nullptr;
  };

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  Loop(Loop&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Loop& operator=(Loop&&) = delete;
  ~Loop() {
    if (handle_) call(kDestroy);
  }

  [[nodiscard]] bool ended() const noexcept { return handle_.done(); }

  // Until it is suspended or at its end. Throws what left it, which is an end too.
  void resume() {
    if (ended()) throw std::logic_error("a loop that has ended cannot go on");
    call(kResume);
    if (auto& failure = handle_.promise().failure) {
      std::rethrow_exception(std::exchange(failure, nullptr));
    }
  }

 private:
  using Handle = std::coroutine_handle<promise_type>;

  enum Function : std::size_t { kResume, kDestroy };

  explicit Loop(Handle handle) noexcept : handle_(handle) {}

  // What handle_.resume() and handle_.destroy() do, where the frame begins with the two functions.
  // GCC 12 puts the value of a condition that awaits before them if the coroutine has no variable,
  // as in `while (co_await ...) co_await ...;`: the functions are still those in front of the
  // promise, but want the frame as it was allocated.
  void call(Function function) {
#if defined(__GNUC__) && !defined(__clang__)
    using Code = void (*)(void*);
    static_cast<Code*>(handle_.address())[function](handle_.promise().frame);
#else
    function == kResume ? handle_.resume() : handle_.destroy();
#endif
  }

  Handle handle_;
};

}  // namespace penstock
