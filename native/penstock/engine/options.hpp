#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "penstock/engine/control_loop.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::engine {

using schedule::ThreadHooks;

enum class Threading { kManual, kDedicated, kDynamic, kConveyor, kAutomatic };

struct Options {
  std::int64_t rows_per_tuple = 0;  // 0: a tuple is a whole batch
  // What is made of the tuples of one batch is joined again if it is known what that is.
  std::optional<tuple::Schema> output;
  bool locate_row = true;  // find the exact row after a stateless graph failed
  Threading threading = Threading::kManual;
  // That may run operators at the same time, the caller of next() included. Manual needs no other
  // thread, and dedicated has one for each operator.
  int threads = 1;
  // The control loop chooses how many, up to `threads`: in the models dynamic, conveyor and
  // automatic. Automatic also chooses where to put queues, and needs none for one thread.
  bool elastic = false;
  std::chrono::nanoseconds period = std::chrono::milliseconds(100);  // of the control loop
  int queue_capacity = 16;  // tuples that may wait before an operator, where there are queues
  // How long close() waits for operators that are running.
  std::chrono::nanoseconds patience = std::chrono::seconds(3);
  ThreadHooks hooks;
  // Called by the feeder while it waits for others; throws graph::Interrupted to end the flow.
  std::function<void()> check_interrupt;
  // Whether the machine has room for more threads; the 80 % rule unless given.
  ControlLoop::CpuRule cpu_rule;
  bool observe = false;  // count and time what happens, for metrics()
  std::string trace;     // a file to write a trace to, which observes as well; none when empty
};

// Throws std::invalid_argument, naming the option, the value and what is allowed.
[[nodiscard]] Options checked(Options options);

// Whether divided operators are worked on part by part: where several threads can be at different
// parts. A thread for each part would be too many.
[[nodiscard]] bool divides(const Options& options) noexcept;

}  // namespace penstock::engine
