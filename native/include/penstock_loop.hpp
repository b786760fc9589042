// Driver loops in C++20, compiled to a library of one's own:
//
//   #include <penstock_loop.hpp>
//
//   penstock::Loop barrier(penstock::Ports& ports) {
//     while (co_await ports.all({0, 1}, {1, 1})) {
//       ports.push(beside(ports.take(0, 1), ports.take(1, 1)));
//     }
//   }
//   PENSTOCK_LOOP(barrier, "left: a bigint; right: b bigint", "out: a bigint, b bigint");
//
// and in Python: left.loop("libmine.so:barrier", right=right). An exception that leaves the loop
// ends the flow with its text. Values that are built in an awaited expression from a list in
// braces, or by `? :`, are more than GCC 12 can do: make them before.
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock_builder.hpp"
#include "penstock_coroutine.hpp"
#include "penstock_loop.h"
#include "penstock_rows.hpp"

namespace penstock {

struct Need {
  int port = -1;
  std::int64_t rows = 0;
};

// What a loop has to do with the world. Ports count from 0, in the order of their declaration.
class Ports {
 public:
  explicit Ports(penstock_loop_host& host) noexcept : host_(&host) {}

  class Waiting {
   public:
    explicit Waiting(const bool& done) noexcept : done_(&done) {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> /*loop*/) const noexcept {}
    bool await_resume() const noexcept { return *done_; }

   private:
    const bool* done_;
  };

  // `co_await` one of them: true when all of the ports, or any of them, hold so many rows, false
  // when no more come and they never will. What is left can still be taken. Up to four needs (GCC
  // 12 cannot await what takes a list of them), or a std::array or std::vector of any number.
  [[nodiscard]] Waiting all(Need first, Need second = {}, Need third = {}, Need fourth = {}) {
    return wait(0, std::array{first, second, third, fourth});
  }
  [[nodiscard]] Waiting any(Need first, Need second = {}, Need third = {}, Need fourth = {}) {
    return wait(1, std::array{first, second, third, fourth});
  }
  [[nodiscard]] Waiting all(std::span<const Need> needs) { return wait(0, needs); }
  [[nodiscard]] Waiting any(std::span<const Need> needs) { return wait(1, needs); }

  // Rows that wait at an input port, and whether more may come.
  [[nodiscard]] std::int64_t rows(int port) const {
    const std::int64_t found = host_->rows(host_, port);
    if (found < 0) throw std::out_of_range("there is no input port " + std::to_string(port));
    return found;
  }
  [[nodiscard]] bool closed(int port) const { return host_->closed(host_, port) != 0; }
  // Whether the flow was stopped: nobody gets what the loop still makes, so it may as well return.
  [[nodiscard]] bool stopped() const { return host_->stopped(host_) != 0; }

  // Exactly so many rows, or all that wait.
  [[nodiscard]] Rows take(int port, std::int64_t count) {
    ArrowArray taken{};
    check(host_->take(host_, port, count, &taken));
    return Rows(taken, formats_of(port));
  }
  [[nodiscard]] Rows take(int port) { return take(port, rows(port)); }

  // Rows to be made for an output port, and what sends them on, in the order of the calls.
  [[nodiscard]] Builder make(int port = 0) const { return Builder(Formats(*host_, 1, port)); }
  void push(Rows rows, int port = 0) {
    if (rows.rows() == 0) return;
    ArrowArray given = std::move(rows).release();
    check(host_->push(host_, port, &given));
  }
  void push(Builder&& made, int port = 0) { push(std::move(made).finish(), port); }

 private:
  friend struct RunningLoop;

  Waiting wait(std::int32_t any, std::span<const Need> needs) {
    needs_.clear();
    for (const Need& need : needs) {
      if (need.port != Need{}.port) needs_.push_back({need.port, need.rows});
    }
    host_->wait(host_, any, needs_.data(), static_cast<std::int64_t>(needs_.size()));
    return Waiting(done_);
  }
  // The port is one that there is.
  const Formats& formats_of(int port) {
    const auto at = static_cast<std::size_t>(port);
    while (formats_.size() <= at) {
      formats_.emplace_back(*host_, 0, static_cast<int>(formats_.size()));
    }
    return formats_[at];
  }
  void check(std::int32_t failed) const {
    if (failed != 0) throw std::runtime_error(host_->message);
  }

  penstock_loop_host* host_;
  bool done_ = false;
  std::vector<penstock_need> needs_;
  std::vector<Formats> formats_;  // of the input ports, as far as rows were taken
};

// What stands behind the functions of a penstock_loop.
struct RunningLoop {
  RunningLoop(penstock_loop_host& to, Loop (*body)(Ports&))
      : host(&to), ports(to), loop(body(ports)) {}

  penstock_loop_host* host;
  Ports ports;
  Loop loop;

  static void* create(penstock_loop_host* host, Loop (*body)(Ports&)) noexcept {
    return guarded(*host, static_cast<void*>(nullptr),
                   [&] { return static_cast<void*>(new RunningLoop(*host, body)); });
  }
  static std::int32_t resume(void* running, std::int32_t done) noexcept {
    auto& self = *static_cast<RunningLoop*>(running);
    return guarded(*self.host, std::int32_t{PENSTOCK_LOOP_FAILED}, [&]() -> std::int32_t {
      self.ports.done_ = done != 0;
      self.loop.resume();
      return self.loop.ended() ? PENSTOCK_LOOP_ENDED : PENSTOCK_LOOP_WAITS;
    });
  }
  static void destroy(void* running) noexcept { delete static_cast<RunningLoop*>(running); }

 private:
  template <typename Result, typename Work>
  static Result guarded(penstock_loop_host& host, Result failed, Work work) noexcept {
    try {
      return work();
    } catch (const std::exception& error) {
      host.fail(&host, error.what());
    } catch (...) {
      host.fail(&host, "an exception that is no std::exception");
    }
    return failed;
  }
};

}  // namespace penstock

// Exports the loop `name`, a function, as the symbol `name` of the library.
#define PENSTOCK_LOOP(name, inputs, outputs)                                              \
  extern "C" __attribute__((visibility("default")))                                       \
  const penstock_loop penstock_loop_##name __asm__(#name);                                \
  extern "C" const penstock_loop penstock_loop_##name = {                                 \
      PENSTOCK_LOOP_ABI,                                                                  \
      inputs,                                                                             \
      outputs,                                                                            \
      [](penstock_loop_host* host) { return penstock::RunningLoop::create(host, name); }, \
      penstock::RunningLoop::resume,                                                      \
      penstock::RunningLoop::destroy}
