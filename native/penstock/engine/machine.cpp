#include "penstock/engine/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>

#include "penstock/base/crash_report.hpp"
#include "penstock/engine/conveyor_model.hpp"
#include "penstock/engine/dedicated_model.hpp"
#include "penstock/engine/dynamic_model.hpp"
#include "penstock/engine/manual_model.hpp"
#include "penstock/policy/policy.hpp"
#include "penstock/schedule/chosen_policy.hpp"
#include "penstock/schedule/fixed_or_chosen.hpp"
#include "penstock/schedule/port_policy.hpp"
#include "penstock/schedule/two_ways.hpp"

namespace penstock::engine {

namespace {

// Runs under way for each thread: enough that a thread which must leave a run finds another.
constexpr std::size_t kRunsPerThread = 4;
// More operators than this are not busy at the same time, and each run costs memory.
constexpr std::size_t kMostDedicatedRuns = 256;

bool ended_within(std::chrono::nanoseconds patience, const ThreadingModel& model) {
  constexpr auto kNap = std::chrono::milliseconds(1);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (model.at_work() != 0) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kNap);
  }
  return true;
}

std::unique_ptr<ThreadingModel> dynamic_model(FlowLine& line, const Options& options, int threads,
                                              schedule::PortLimits limits,
                                              const ThreadHooks& hooks) {
  // All queues together never hold more than the runs that may be under way.
  const policy::Parameters parameters{.capacity = static_cast<std::int64_t>(limits.window)};
  const auto choice = [&](std::size_t operators) -> schedule::ChosenPolicy<>::Choice {
    return {.name = options.policy,
            .policy = options.make_policy ? options.make_policy(operators)
                                          : policy::make(options.policy, parameters),
            .on_nonsense = [&line](const std::string& problem) {
              line.fail(std::make_exception_ptr(std::runtime_error(problem)));
            }};
  };
  const bool users_own = options.make_policy != nullptr;
  return schedule::with_port_policy(
      options.policy, users_own,
      [&]<typename Policy>(std::type_identity<Policy>) -> std::unique_ptr<ThreadingModel> {
        using Model = DynamicModel<Policy>;
        if constexpr (schedule::MeasuringPolicy<Policy>) {
          return std::make_unique<Model>(line, threads, limits, hooks, choice);
        } else {
          return std::make_unique<Model>(line, threads, limits, hooks);
        }
      });
}

}  // namespace

void Machine::start(const Options& options, const ThreadHooks& hooks, int threads) {
  base::keep_stack_for_crash();  // the feeder's; other threads do so themselves
  const auto most = static_cast<std::size_t>(options.threads);
  const auto capacity = static_cast<std::size_t>(options.queue_capacity);
  // Where tuples go to channels in turn, a run waits for those before it at other channels, so a
  // thread finds work only if the runs under way reach over all channels.
  auto window = kRunsPerThread * most;
  for (const auto& region : line.resizables()) {
    window = std::max(window, most * static_cast<std::size_t>(region.body->parts()));
  }
  const schedule::PortLimits queues{.window = std::max(window, capacity), .capacity = capacity};
  switch (options.threading) {
    case Threading::kManual:
      model = std::make_unique<ManualModel>(line);
      return;
    case Threading::kDedicated:
      model = std::make_unique<DedicatedModel>(
          line,
          std::min(kRunsPerThread * static_cast<std::size_t>(line.stations()), kMostDedicatedRuns),
          capacity, hooks);
      return;
    case Threading::kDynamic:
      model = dynamic_model(line, options, threads, queues, hooks);
      return;
    case Threading::kConveyor:
      model =
          std::make_unique<ConveyorModel>(line, threads, schedule::WayLimits::alike(window), hooks);
      return;
    case Threading::kAutomatic:
      model = std::make_unique<ConveyorModel>(
          line, threads, schedule::WayLimits{.belt = window, .ports = queues}, hooks);
      return;
  }
}

void retire(const std::shared_ptr<Machine>& machine, const Options& options) noexcept {
  if (machine->model == nullptr) return;
  const auto end = [machine, cores = options.budget] {
    machine->model.reset();
    if (cores) cores->leave();
  };
  machine->model->dismiss();
  if (ended_within(options.patience, *machine->model)) {
    end();
    return;
  }
  try {
    std::thread(end).detach();
  } catch (...) {
    end();  // no thread to be had: then this one waits
  }
}

}  // namespace penstock::engine
