#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#if !defined(__x86_64__) || defined(PENSTOCK_EXPLORER_UCONTEXT)
#define PENSTOCK_FIBER_BY_UCONTEXT
#include <ucontext.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace penstock::explorer {

#ifndef PENSTOCK_FIBER_BY_UCONTEXT
// Saves what the x86-64 calling convention lets a callee keep, changes stacks, and returns on
// the other one. Ten times faster than swapcontext, which calls the kernel for the signal mask.
[[gnu::naked, gnu::noinline]] inline void switch_stack([[maybe_unused]] void** save,
                                                       [[maybe_unused]] void* load) {
  asm("push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
      "mov %rsp, (%rdi)\n"
      "mov %rsi, %rsp\n"
      "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n"
      "ret\n");
}
#endif

// A stack and the place on it where to go on. A default-made Fiber is the stack that the
// explorer itself runs on.
class Fiber {
 public:
  using Entry = void (*)();  // must not return

  Fiber() { adopt_running_stack(); }
  // The first switch to this fiber calls `entry`.
  Fiber(std::size_t stack_bytes, Entry entry)
      : stack_(std::make_unique_for_overwrite<std::byte[]>(stack_bytes)),
        bottom_(stack_.get()),
        bytes_(stack_bytes) {
#if defined(__SANITIZE_THREAD__)
    sanitizer_fiber_ = __tsan_create_fiber(0);
#endif
#ifdef PENSTOCK_FIBER_BY_UCONTEXT
    getcontext(&context_);
    context_.uc_stack.ss_sp = bottom_;
    context_.uc_stack.ss_size = bytes_;
    context_.uc_link = nullptr;
    makecontext(&context_, entry, 0);
#else
    // A return address above the entry's keeps the stack aligned as after a call.
    const auto top = reinterpret_cast<std::uintptr_t>(bottom_ + bytes_) & ~std::uintptr_t{63};
    auto* frame = reinterpret_cast<void**>(top);
    *--frame = nullptr;
    *--frame = reinterpret_cast<void*>(entry);
    constexpr int kSavedRegisters = 6;
    for (int i = 0; i < kSavedRegisters; ++i) *--frame = nullptr;
    resume_at_ = frame;
#endif
  }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  Fiber(Fiber&&) = delete;
  Fiber& operator=(Fiber&&) = delete;
  ~Fiber() {
#if defined(__SANITIZE_THREAD__)
    if (stack_) __tsan_destroy_fiber(sanitizer_fiber_);
#endif
  }

  // Goes on in `to`; returns when somebody switches back.
  void switch_to(Fiber& to) {
#if defined(__SANITIZE_ADDRESS__)
    void* fake_stack = nullptr;
    __sanitizer_start_switch_fiber(&fake_stack, to.bottom_, to.bytes_);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(to.sanitizer_fiber_, 0);
#endif
#ifdef PENSTOCK_FIBER_BY_UCONTEXT
    swapcontext(&context_, &to.context_);
#else
    switch_stack(&resume_at_, to.resume_at_);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  }

  // To be called first on a new stack.
  static void on_entry() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  }

 private:
  void adopt_running_stack() {
#if defined(__SANITIZE_ADDRESS__)
    pthread_attr_t attributes;
    void* bottom = nullptr;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &bottom, &bytes_);
    pthread_attr_destroy(&attributes);
    bottom_ = static_cast<std::byte*>(bottom);
#endif
#if defined(__SANITIZE_THREAD__)
    sanitizer_fiber_ = __tsan_get_current_fiber();
#endif
  }

  std::unique_ptr<std::byte[]> stack_;
  std::byte* bottom_ = nullptr;
  std::size_t bytes_ = 0;
#ifdef PENSTOCK_FIBER_BY_UCONTEXT
  ucontext_t context_{};
#else
  void* resume_at_ = nullptr;
#endif
#if defined(__SANITIZE_THREAD__)
  void* sanitizer_fiber_ = nullptr;
#endif
};

}  // namespace penstock::explorer
