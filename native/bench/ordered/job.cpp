#include "bench/ordered/job.hpp"

#include <bit>

#include "bench/workload/steady.hpp"

namespace penstock::bench::ordered {

namespace {

constexpr std::size_t kKeysDrawn = std::size_t{1} << 16U;
constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U;  // neighbours get unlike values

// What the floating point work of any tuple comes to.
[[nodiscard]] double worked_number(int cost) {
  Kernel kernel{.cost = cost};
  Item item;
  kernel.work(item);
  return item.number;
}

}  // namespace

Job::Job(const Task& task)
    : task_(task),
      keys_(draw_keys(task.keys, kKeysDrawn)),
      states_(task.keys.spread == Spread::kNone ? 0 : task.keys.keys),
      sending_{.cost = task.send_cost} {
  for (State& state : states_) state.kernel.cost = task.cost;
  if (task_.timed && task_.selectivity != 0) latencies_.reserve(task_.tuples);
}

Item Job::tuple(std::uint64_t serial) noexcept {
  Item item;
  item.serial = serial;
  item.value = serial * kSpread;
  return item;
}

void Job::work(Item& item) noexcept {
  if (states_.empty()) {
    Kernel{.cost = task_.cost}.work(item);
  } else {
    states_[key_of(item.serial)].kernel.work(item);
  }
}

void Job::send(const Item& item) noexcept {
  const auto selectivity = static_cast<std::uint64_t>(task_.selectivity);
  for (std::uint64_t i = 0; i < selectivity; ++i) {
    Item output = item;
    output.serial = item.serial * selectivity + i;
    output.value = std::rotl(item.value, static_cast<int>(i % 64));
    sending_.work(output);
    sink_.take(output);
  }
  if (task_.timed) latencies_.push_back(steady_ns() - item.handed_over);
}

std::uint64_t expected_checksum(const Task& task) {
  Task quick = task;
  quick.cost = 0;
  quick.send_cost = 0;
  quick.timed = false;
  Job job(quick);
  Item worked;
  worked.number = worked_number(task.cost);
  Kernel sending{.cost = task.send_cost};
  sending.work(worked);
  for (std::uint64_t serial = 0; serial < task.tuples; ++serial) {
    Item item = Job::tuple(serial);
    job.work(item);
    item.number = worked.number;
    job.send(item);
  }
  return job.sink().checksum();
}

}  // namespace penstock::bench::ordered
