#pragma once

#include <coroutine>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/loop/in_port.hpp"
#include "penstock/loop/quantum.hpp"
#include "penstock/loop/wait.hpp"
#include "penstock/tuple/batch.hpp"

namespace penstock::loop {

// How many rows may wait at a port.
struct Room {
  std::int64_t rows = 1'048'576;
  bool grows = false;  // if more come, or are waited for
};

class Ports;

// Where a loop puts what it makes, in the order of the calls.
class OutPort {
 public:
  class Pushing;

  OutPort(Ports& ports, int number) noexcept : ports_(&ports), number_(number) {}

  // `co_await` it: the loop may be interrupted here. The rows are out as soon as this is called.
  [[nodiscard]] Pushing push(tuple::Batch batch);

 private:
  Ports* ports_;
  int number_;
};

// What a loop has to do with the world: rows in, rows out, and waits between them.
//
//   Loop barrier(Ports& ports) {
//     while (co_await ports.all({0, 1}, {1, 1})) {
//       co_await ports.out().push(paired(ports.in(0).take(1), ports.in(1).take(1)));
//     }
//   }
//
// Waits and pushes are where a loop may be interrupted (C12), and nothing else is. GCC 12 destroys
// both batches of a `? :` within what is awaited: give the chosen one a name before it is pushed.
class Ports {
 public:
  class Waiting;
  struct Setup {
    std::string loop;  // the operator's name, for what goes wrong
    std::vector<InPort> inputs;
    int controls = 0;  // so many of the inputs, the last ones, cannot be waited for (C9)
    int outputs = 1;
    bool tagged = false;  // all outputs leave by one port, their number in front of each row
    Room room;
    Quantum quantum;
    std::stop_token stop;
  };

  explicit Ports(Setup setup);
  Ports(const Ports&) = delete;
  Ports& operator=(const Ports&) = delete;
  Ports(Ports&&) = delete;
  Ports& operator=(Ports&&) = delete;
  ~Ports() = default;

  // Control ports come behind the others.
  [[nodiscard]] InPort& in(int port);
  [[nodiscard]] OutPort& out(int port = 0);
  [[nodiscard]] int inputs() const noexcept { return static_cast<int>(setup_.inputs.size()); }
  [[nodiscard]] int outputs() const noexcept { return static_cast<int>(out_.size()); }

  // `co_await` one of them. Up to four needs (GCC 12 cannot await what takes a list of them), or a
  // span of any number. Throws std::invalid_argument for a port that cannot be waited for, and for
  // more rows than it may hold.
  [[nodiscard]] Waiting all(Need first, Need second = {}, Need third = {}, Need fourth = {});
  [[nodiscard]] Waiting any(Need first, Need second = {}, Need third = {}, Need fourth = {});
  [[nodiscard]] Waiting all(std::span<const Need> needs);
  [[nodiscard]] Waiting any(std::span<const Need> needs);

  // `co_await` it: the loop may be interrupted here, as by a push.
  [[nodiscard]] OutPort::Pushing rest() noexcept;

  // Whether the flow is to end early: what a loop still makes reaches nobody.
  [[nodiscard]] bool stop_requested() const noexcept { return setup_.stop.stop_requested(); }

  // All that follows is for whoever drives the loop.
  enum class State { kReady, kPaused, kWaiting, kGoesRound };

  [[nodiscard]] State state() const noexcept { return state_; }
  // Whether a loop that waits has an answer.
  [[nodiscard]] bool answered() const { return outlook(wait_, setup_.inputs) != Outlook::kOpen; }
  // How many rows of one port, if nothing arrives anywhere else, make its wait come true.
  [[nodiscard]] std::int64_t rows_until_done(int port) const {
    return loop::rows_until_done(wait_, setup_.inputs, port);
  }
  // From now on, until the next call, the loop may run, and this is where its rows go.
  void begin(graph::Output& output);
  // Its time counts from the first of these in a call: most tuples wake nobody, and then nobody
  // needs the clock.
  void go_on();
  void close() noexcept;
  // The first port with more rows than it may hold; Need::kNoPort if there is none.
  [[nodiscard]] int overfull() const noexcept;
  [[nodiscard]] std::string describe_overfull(int port) const;
  [[nodiscard]] const Setup& setup() const noexcept { return setup_; }

  // Told so often that its wait is over, a loop that did nothing in between never will.
  static constexpr int kMostOvers = 1000;

 private:
  friend class OutPort;

  [[nodiscard]] Waiting wait(WaitFor::Mode mode, std::span<const Need> needs);
  [[nodiscard]] bool is_last(WaitFor::Mode mode, std::span<const Need> needs) const noexcept;
  void check(const Need& need) const;
  void emit(tuple::Batch batch, int port);
  [[nodiscard]] bool may_go_on();
  [[nodiscard]] bool must_pause();
  [[nodiscard]] bool goes_round() noexcept;
  [[nodiscard]] Wait answer() noexcept;

  Setup setup_;
  std::vector<OutPort> out_;
  graph::Output* output_ = nullptr;
  WaitFor wait_;
  State state_ = State::kReady;
  bool timed_ = false;  // the quantum has begun
  std::uint64_t pushed_ = 0;
  // As it was when a wait was over last.
  std::uint64_t pushed_before_ = 0;
  std::int64_t waiting_before_ = -1;
  int overs_ = 0;
};

class [[nodiscard]] Ports::Waiting {
 public:
  explicit Waiting(Ports& ports) noexcept : ports_(&ports) {}

  [[nodiscard]] bool await_ready() const { return ports_->may_go_on(); }
  void await_suspend(std::coroutine_handle<> /*loop*/) const noexcept {}
  Wait await_resume() const noexcept { return ports_->answer(); }  // NOLINT: may be left unread

 private:
  Ports* ports_;
};

class [[nodiscard]] OutPort::Pushing {
 public:
  explicit Pushing(Ports& ports) noexcept : ports_(&ports) {}

  [[nodiscard]] bool await_ready() const { return !ports_->must_pause(); }
  void await_suspend(std::coroutine_handle<> /*loop*/) const noexcept {}
  void await_resume() const noexcept { ports_->state_ = Ports::State::kReady; }

 private:
  Ports* ports_;
};

}  // namespace penstock::loop
