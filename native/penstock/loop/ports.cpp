#include "penstock/loop/ports.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/tuple/borrow_column.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::loop {

namespace {

using Mode = WaitFor::Mode;

constexpr const char* kMoreRoom =
    "give the loop a larger capacity=, or grow=True, or set spark.penstock.loop.capacity higher";

tuple::Batch with_tag(const tuple::Batch& batch, int tag) {
  const std::int64_t rows = batch.rows();
  tuple::OwnArray tags(rows);
  tags.skip_buffer();
  std::fill_n(tags.add_buffer<std::int8_t>(rows), rows, static_cast<std::int8_t>(tag));
  tuple::OwnArray root(rows, static_cast<std::size_t>(batch.columns()) + 1);
  root.skip_buffer();
  root.add_child(std::move(tags).finish(0));
  for (int i = 0; i < batch.columns(); ++i) root.add_child(tuple::borrow_column(batch, i));
  return std::move(root).finish_batch();
}

}  // namespace

Ports::Ports(Setup setup) : setup_(std::move(setup)) {
  for (int port = 0; port < setup_.outputs; ++port) out_.emplace_back(*this, port);
}

InPort& Ports::in(int port) {
  PENSTOCK_CHECK(port >= 0 && port < inputs(), "a loop may read only the ports it declared");
  return setup_.inputs[static_cast<std::size_t>(port)];
}

OutPort& Ports::out(int port) {
  PENSTOCK_CHECK(port >= 0 && port < outputs(), "a loop may write only the ports it declared");
  return out_[static_cast<std::size_t>(port)];
}

Ports::Waiting Ports::all(std::span<const Need> needs) { return wait(Mode::kAll, needs); }
Ports::Waiting Ports::any(std::span<const Need> needs) { return wait(Mode::kAny, needs); }

Ports::Waiting Ports::all(Need first, Need second, Need third, Need fourth) {
  return wait(Mode::kAll, std::array{first, second, third, fourth});
}
Ports::Waiting Ports::any(Need first, Need second, Need third, Need fourth) {
  return wait(Mode::kAny, std::array{first, second, third, fourth});
}

Ports::Waiting Ports::wait(Mode mode, std::span<const Need> needs) {
  if (is_last(mode, needs)) return Waiting(*this);
  wait_.mode = mode;
  wait_.needs.clear();
  for (const Need& need : needs) {
    if (need.port == Need::kNoPort) continue;
    check(need);
    wait_.needs.push_back(need);
  }
  return Waiting(*this);
}

// A loop mostly waits for the same as the last time, which was looked at then.
bool Ports::is_last(Mode mode, std::span<const Need> needs) const noexcept {
  std::size_t same = 0;
  for (const Need& need : needs) {
    if (need.port == Need::kNoPort) continue;
    if (same == wait_.needs.size() || need != wait_.needs[same]) return false;
    ++same;
  }
  return mode == wait_.mode && same == wait_.needs.size();
}

void Ports::check(const Need& need) const {
  const int last = inputs() - setup_.controls - 1;
  const auto begin = [&] { return "loop '" + setup_.loop + "' waits for "; };
  if (need.port < 0 || need.port > last) {
    const bool control = need.port > last && need.port < inputs();
    throw std::invalid_argument(
        begin() + "port " + std::to_string(need.port) +
        (control ? ", a control port: what comes there wakes nobody, wait for another"
                 : ", but it has the ports 0 to " + std::to_string(last)));
  }
  const std::string& name = setup_.inputs[static_cast<std::size_t>(need.port)].name();
  if (need.rows < 0) {
    throw std::invalid_argument(begin() + std::to_string(need.rows) + " rows of port '" + name +
                                "': 0 is the least");
  }
  if (need.rows > setup_.room.rows && !setup_.room.grows) {
    throw std::invalid_argument(begin() + count_of_rows(need.rows) + " of port '" + name +
                                "', which may hold " + std::to_string(setup_.room.rows) + ": " +
                                kMoreRoom);
  }
}

bool Ports::may_go_on() {
  switch (outlook(wait_, setup_.inputs)) {
    case Outlook::kOpen:
      state_ = State::kWaiting;
      return false;
    case Outlook::kOver:
      if (goes_round()) {
        state_ = State::kGoesRound;
        return false;
      }
      break;
    case Outlook::kDone:
      break;
  }
  return !must_pause();
}

bool Ports::must_pause() {
  if (!setup_.quantum.used_up() && !stop_requested()) return false;
  state_ = State::kPaused;
  return true;
}

bool Ports::goes_round() noexcept {
  std::int64_t waiting = 0;
  for (const InPort& port : setup_.inputs) waiting += port.rows();
  const bool did_nothing = waiting == waiting_before_ && pushed_ == pushed_before_;
  overs_ = did_nothing ? overs_ + 1 : 0;
  waiting_before_ = waiting;
  pushed_before_ = pushed_;
  return overs_ >= kMostOvers;
}

Wait Ports::answer() noexcept {
  state_ = State::kReady;
  return outlook(wait_, setup_.inputs) == Outlook::kDone ? Wait::kDone : Wait::kOver;
}

void Ports::begin(graph::Output& output) {
  output_ = &output;
  timed_ = false;
}

void Ports::go_on() {
  if (!std::exchange(timed_, true)) setup_.quantum.begin();
}

void Ports::close() noexcept {
  for (InPort& port : setup_.inputs) port.close();
}

int Ports::overfull() const noexcept {
  if (setup_.room.grows) return Need::kNoPort;
  for (int port = 0; port < inputs(); ++port) {
    if (setup_.inputs[static_cast<std::size_t>(port)].rows() > setup_.room.rows) return port;
  }
  return Need::kNoPort;
}

std::string Ports::describe_overfull(int port) const {
  const InPort& full = setup_.inputs[static_cast<std::size_t>(port)];
  const bool control = port >= inputs() - setup_.controls;
  return "loop '" + setup_.loop + "' has " + count_of_rows(full.rows()) + " waiting at " +
         (control ? "control port '" : "port '") + full.name() + "', which may hold " +
         std::to_string(setup_.room.rows) +
         (control ? ", and does not take them"
                  : ", while it waits for " + describe_short(wait_, setup_.inputs)) +
         ": take them before, " + kMoreRoom;
}

OutPort::Pushing Ports::rest() noexcept { return OutPort::Pushing(*this); }

void Ports::emit(tuple::Batch batch, int port) {
  if (batch.rows() == 0) return;
  PENSTOCK_CHECK(output_ != nullptr, "a loop pushes only while it runs");
  ++pushed_;
  if (setup_.tagged) {
    output_->emit(with_tag(batch, port), 0);
  } else {
    output_->emit(std::move(batch), port);
  }
}

OutPort::Pushing OutPort::push(tuple::Batch batch) {
  ports_->emit(std::move(batch), number_);
  return Pushing(*ports_);
}

}  // namespace penstock::loop
