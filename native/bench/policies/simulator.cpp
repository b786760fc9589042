#include "bench/policies/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/policies/in_order.hpp"
#include "bench/policies/leaving.hpp"
#include "bench/policies/sim_worker.hpp"

namespace penstock::bench::policies {

namespace {

constexpr double kSecond = 1e-9;

class Simulation {
 public:
  Simulation(const Topology& topology, const Machine& machine, const Arrivals& arrivals,
             policy::Policy& policy)
      : topology_(&topology),
        machine_(machine),
        arrivals_(arrivals),
        policy_(&policy),
        lots_(machine.seed),
        states_(topology.nodes.size()),
        views_(topology.nodes.size()),
        workers_(static_cast<std::size_t>(machine.workers)),
        leaving_(topology, machine.run_ns) {
    for (std::size_t i = 0; i < views_.size(); ++i) {
      const Node& node = topology.nodes[i];
      views_[i].selectivity = node.selectivity;
      views_[i].cost = kSecond * static_cast<double>(node.cost_ns);
      views_[i].most_workers = node.most_workers;
      views_[i].source = node.source;
      for (const int output : node.outputs) state(output).publishers.push_back(static_cast<int>(i));
      choose_output(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < views_.size(); ++i) refresh(static_cast<int>(i));
  }

  [[nodiscard]] Simulated run() {
    for (std::int64_t i = 0; i < arrivals_.backlog; ++i) arrive();
    if (arrivals_.rate > 0) events_.push({.at = 0, .number = events_made_++, .worker = kFree});
    send_workers();
    while (!events_.empty() && events_.top().at <= machine_.run_ns) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      begin_window();
      event.worker == kFree ? next_arrival() : finish(event.worker);
      send_workers();
    }
    return result();
  }

 private:
  struct State {
    std::deque<SimTuple> queue;
    std::vector<int> publishers;
    int next_output = kFree;    // drawn before it is needed: there must be room in this one
    std::uint64_t tickets = 0;  // given to tuples that were taken
    InOrder in_order;           // of those that several workers or ways made
    std::uint64_t taken = 0;
    std::uint64_t made = 0;
    std::int64_t busy_ns = 0;
  };

  struct Event {
    std::int64_t at;
    std::uint64_t number;  // among those of one moment the first comes first
    int worker;            // who has finished a tuple, or kFree for an arrival

    bool operator>(const Event& other) const noexcept {
      return std::pair(at, number) > std::pair(other.at, other.number);
    }
  };

  [[nodiscard]] const Node& node(int place) const noexcept {
    return topology_->nodes[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] State& state(int place) noexcept {
    return states_[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] policy::OperatorView& view(int place) noexcept {
    return views_[static_cast<std::size_t>(place)];
  }

  void begin_window() {
    const auto window = now_ / machine_.window_ns;
    if (window == window_) return;
    window_ = window;
    for (auto& each : views_) each.window_time = 0;
  }

  void arrive() { push(0, {.serial = entered_++, .entered = now_}); }

  void next_arrival() {
    arrive();
    const auto next = static_cast<std::int64_t>(
        std::llround(static_cast<double>(entered_) / (arrivals_.rate * kSecond)));
    events_.push({.at = std::max(next, now_), .number = events_made_++, .worker = kFree});
  }

  void send_workers() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i].at != kFree) continue;
      const int place = policy_->pick(views_, kSecond * static_cast<double>(now_));
      if (place == policy::kNobody) return;
      if (place < 0 || std::cmp_greater_equal(place, views_.size()) ||
          !policy::schedulable(view(place))) {
        throw std::logic_error("the policy chose operator " + std::to_string(place) +
                               ", which cannot be run");
      }
      SimWorker& worker = workers_[i];
      worker.at = place;
      worker.until = now_ + machine_.switch_ns + machine_.slice_ns;
      ++view(place).workers;
      view(place).last_run = kSecond * static_cast<double>(now_);
      take(static_cast<int>(i), machine_.switch_ns);
    }
  }

  // What it passes on next: one tuple, or all that it gets through before it asks again.
  void take(int number, std::int64_t delay_ns) {
    SimWorker& worker = workers_[static_cast<std::size_t>(number)];
    const std::int64_t cost_ns = node(worker.at).cost_ns;
    std::int64_t count = 1;
    if (machine_.whole_slices) {
      count = std::clamp<std::int64_t>(machine_.slice_ns / std::max<std::int64_t>(1, cost_ns), 1,
                                       std::max<std::int64_t>(1, view(worker.at).waiting));
    }
    for (std::int64_t i = 0; i < count; ++i) take_one(worker, now_ + delay_ns + i * cost_ns);
    events_.push(
        {.at = now_ + delay_ns + count * cost_ns, .number = events_made_++, .worker = number});
  }

  void take_one(SimWorker& worker, std::int64_t begins) {
    State& here = state(worker.at);
    SimTuple tuple{.serial = entered_, .entered = begins};
    if (node(worker.at).source) {
      ++entered_;
    } else {
      tuple = here.queue.front();
      here.queue.pop_front();
      // Nobody waits in a backlog that stays as it is: a tuple comes in when it is taken.
      if (worker.at == 0 && arrivals_.backlog > 0) {
        tuple.entered = begins;
        arrive();
      }
      refresh_around(worker.at);
    }
    worker.taken.push_back({node(worker.at).merges ? tuple.serial : here.tickets++, tuple});
  }

  void finish(int number) {
    SimWorker& worker = workers_[static_cast<std::size_t>(number)];
    const int place = worker.at;
    State& here = state(place);
    for (const SimWorker::Taken& each : worker.taken) finish_one(place, each);
    worker.taken.clear();
    here.in_order.release([this, place](const SimTuple& tuple, int count) {
      for (int i = 0; i < count; ++i) pass_on(place, tuple);
    });
    const double busy = kSecond * static_cast<double>(here.busy_ns);
    view(place).read_rate = static_cast<double>(here.taken) / busy;
    // To one output, as room is that of one (C13): each gets its part.
    const auto outputs = std::max<std::size_t>(1, node(place).outputs.size());
    view(place).write_rate = static_cast<double>(here.made) / busy / static_cast<double>(outputs);
    const auto& after = view(place);
    const bool work = after.room > 0 && (after.source || after.waiting > 0);
    if (work && now_ < worker.until && !machine_.whole_slices) {
      take(number, 0);
      return;
    }
    worker.at = kFree;
    --view(place).workers;
  }

  void finish_one(int place, const SimWorker::Taken& each) {
    State& here = state(place);
    ++here.taken;
    here.busy_ns += node(place).cost_ns;
    view(place).window_time += kSecond * static_cast<double>(node(place).cost_ns);
    // What leaves is what the last operators have seen, whatever they make of it.
    const int made = node(place).outputs.empty() ? 1 : draw(node(place).selectivity);
    if (made == 0) ++dropped_;
    if (made > 1) added_ += static_cast<unsigned>(made - 1);
    here.in_order.put(each.ticket, each.tuple, made);
  }

  void pass_on(int place, SimTuple tuple) {
    State& here = state(place);
    ++here.made;
    if (here.next_output == kFree) {
      leaving_.take(tuple, place, now_);
      return;
    }
    if (node(place).source) tuple.way = here.next_output;
    const int target = here.next_output;
    choose_output(place);
    push(target, tuple);
    refresh(place);
  }

  void push(int place, SimTuple tuple) {
    tuple.queued = now_;
    state(place).queue.push_back(tuple);
    refresh_around(place);
  }

  // As many as the selectivity says on average, whole ones for certain.
  [[nodiscard]] int draw(double selectivity) {
    const double whole = std::floor(selectivity);
    const double rest = selectivity - whole;
    const bool one_more = rest > 0 && std::uniform_real_distribution<>(0, 1)(lots_) < rest;
    return static_cast<int>(whole) + (one_more ? 1 : 0);
  }

  void choose_output(int place) {
    const auto& outputs = node(place).outputs;
    if (outputs.empty()) return;
    std::size_t chosen = 0;
    if (outputs.size() > 1) {
      chosen = std::uniform_int_distribution<std::size_t>(0, outputs.size() - 1)(lots_);
    }
    state(place).next_output = outputs[chosen];
  }

  void refresh_around(int place) {
    refresh(place);
    for (const int publisher : state(place).publishers) refresh(publisher);
  }

  void refresh(int place) {
    const State& here = state(place);
    auto& seen = view(place);
    seen.waiting = std::ssize(here.queue);
    seen.oldest = here.queue.empty() ? 0 : kSecond * static_cast<double>(here.queue.front().queued);
    if (here.next_output == kFree) return;
    seen.made = std::ssize(state(here.next_output).queue);
    // It may have become more than there is room for: several at once began when there was some.
    if (machine_.room != policy::OperatorView::kUnlimited) seen.room = machine_.room - seen.made;
  }

  [[nodiscard]] Simulated result() {
    Simulated found = leaving_.result();
    found.entered = entered_;
    found.dropped = dropped_;
    found.added = added_;
    found.waiting = std::ssize(states_.front().queue);
    std::int64_t busy_ns = 0;
    for (const State& each : states_) {
      found.inside += each.queue.size() + each.in_order.kept();
      busy_ns += each.busy_ns;
    }
    for (const SimWorker& each : workers_) found.inside += each.taken.size();
    found.busy_share =
        static_cast<double>(busy_ns) / (static_cast<double>(machine_.run_ns) * machine_.workers);
    return found;
  }

  const Topology* topology_;
  const Machine machine_;
  const Arrivals arrivals_;
  policy::Policy* policy_;
  std::mt19937_64 lots_;
  std::vector<State> states_;
  std::vector<policy::OperatorView> views_;
  std::vector<SimWorker> workers_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t events_made_ = 0;
  std::int64_t now_ = 0;
  std::int64_t window_ = 0;
  std::uint64_t entered_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t added_ = 0;
  Leaving leaving_;
};

}  // namespace

Simulated simulate(const Topology& topology, const Machine& machine, const Arrivals& arrivals,
                   policy::Policy& policy) {
  return Simulation(topology, machine, arrivals, policy).run();
}

}  // namespace penstock::bench::policies
