#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "penstock/budget/allowance.hpp"
#include "penstock/engine/control_loop.hpp"
#include "penstock/policy/policy.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::engine {

using schedule::ThreadHooks;

enum class Threading { kManual, kDedicated, kDynamic, kConveyor, kAutomatic };

// What the control loop goes by: what threads and channels bring, or, as C-Stream does, how busy
// the threads are and which region holds up the others.
enum class Controller { kThroughput, kUtilization };

struct Options {
  // At most; 0: a tuple is a whole batch, or as much of it as several threads share well where
  // operators do not mind (row_by_row()).
  std::int64_t rows_per_tuple = 0;
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
  Controller controller = Controller::kThroughput;
  std::chrono::nanoseconds period = std::chrono::milliseconds(100);  // of the control loop
  // Which operator a thread runs next, in the model dynamic: a word of policy::names(), or the name
  // of what `make_policy` makes.
  std::string policy = "lastInPipeline";
  std::function<std::unique_ptr<policy::Policy>(std::size_t operators)> make_policy;
  int queue_capacity = 16;  // tuples that may wait before an operator, where there are queues
  // How long close() waits for operators that are running.
  std::chrono::nanoseconds patience = std::chrono::seconds(3);
  ThreadHooks hooks;
  // The executor's cores are shared with others: how many threads there may be at any time. Without
  // it there are as many as `threads` says.
  std::shared_ptr<budget::Allowance> budget;
  // Called by the feeder while it waits for others; throws graph::Interrupted to end the flow.
  std::function<void()> check_interrupt;
  // Asked after the input failed: whether that was an interrupt, which ends the flow at once, also
  // while an operator does not come back. No by default.
  std::function<bool()> input_interrupted;
  // Whether the machine has room for more threads; the 80 % rule unless given.
  ControlLoop::CpuRule cpu_rule;
  bool observe = false;  // count and time what happens, for metrics()
  std::string trace;     // a file to write a trace to, which observes as well; none when empty
};

// Throws std::invalid_argument, naming the option, the value and what is allowed.
[[nodiscard]] Options checked(Options options);

// Whether somebody wants to know what operators do.
[[nodiscard]] bool is_watched(const Options& options) noexcept;

// Whether the control loop has to know how threads spend their time.
[[nodiscard]] bool needs_meters(const Options& options) noexcept;

// Whether divided operators are worked on part by part: where several threads can be at different
// parts. A thread for each part would be too many.
[[nodiscard]] bool divides(const Options& options) noexcept;

// How many stations those parts share at most; 1 where they are not divided.
[[nodiscard]] int shares_of_parts(const Options& options) noexcept;

}  // namespace penstock::engine
