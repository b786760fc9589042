#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/sync.hpp"
#include "penstock/policy/policy.hpp"
#include "penstock/schedule/port_history.hpp"
#include "penstock/schedule/port_meter.hpp"
#include "penstock/schedule/port_policy.hpp"

namespace penstock::schedule {

// A policy on numbers, asked about ports. One thread at a time asks; whoever finds another one
// asking takes the furthest port that has work instead of waiting. It takes that one too when the
// policy names a port without work, or nobody: a policy decides who is next, not whether somebody
// is, and a flow that stood still would never come to an end.
template <base::SyncPolicy Sync = base::RealSync>
class ChosenPolicy {
 public:
  struct Choice {
    std::string name;
    std::unique_ptr<policy::Policy> policy;
    // Called once with what is wrong, by any thread, when the policy names a port that there is
    // not, or throws. From then on it is not asked any more.
    std::function<void(const std::string& problem)> on_nonsense;
    std::chrono::nanoseconds window = std::chrono::milliseconds(100);  // of measurement
  };

  ChosenPolicy(std::size_t ports, Choice choice)
      : name_(std::move(choice.name)),
        on_nonsense_(std::move(choice.on_nonsense)),
        window_(choice.window),
        start_(Sync::now()),
        meters_(ports),
        asking_(Asking(ports, std::move(choice.policy))) {}

  void on_begin(std::size_t port) noexcept { meters_[port].begin(Sync::now() - start_); }
  void on_end(std::size_t port, std::uint64_t taken) noexcept {
    meters_[port].end(Sync::now() - start_, taken);
  }

  template <typename Look>
  [[nodiscard]] std::optional<std::size_t> take(const Look& look) noexcept {
    const auto furthest = furthest_with_work(look);
    if (!furthest || !mutex_.try_lock()) return furthest;
    const auto picked = ask(look);
    mutex_.unlock();
    // It may have been taken by another thread meanwhile.
    return picked && look(*picked) ? picked : furthest;
  }

  // How often the furthest port was taken because the policy named nobody, or one without work.
  [[nodiscard]] std::uint64_t overruled() const noexcept {
    return overruled_.load(std::memory_order_relaxed);
  }

 private:
  // What the thread that asks works with.
  struct Asking {
    Asking(std::size_t ports, std::unique_ptr<policy::Policy> chosen)
        : policy(std::move(chosen)), histories(ports), views(ports) {}

    std::unique_ptr<policy::Policy> policy;  // none after nonsense
    std::vector<PortHistory> histories;
    std::vector<policy::OperatorView> views;
    std::chrono::nanoseconds window_ends{0};
  };

  template <typename Look>
  [[nodiscard]] std::optional<std::size_t> furthest_with_work(const Look& look) const noexcept {
    for (std::size_t port = meters_.size(); port > 0; --port) {
      if (look(port - 1)) return port - 1;
    }
    return std::nullopt;
  }

  template <typename Look>
  [[nodiscard]] std::optional<std::size_t> ask(const Look& look) noexcept {
    Asking& asking = Sync::write(asking_);
    if (asking.policy == nullptr) return std::nullopt;
    try {
      const double now = look_at_all(asking, look);
      return checked(asking, asking.policy->pick(asking.views, now));
    } catch (const std::exception& error) {
      give_up(asking, std::string("failed: ") + error.what());
    } catch (...) {
      give_up(asking, "failed with something that is no std::exception");
    }
    return std::nullopt;
  }

  template <typename Look>
  [[nodiscard]] double look_at_all(Asking& asking, const Look& look) {
    const auto now = Sync::now() - start_;
    const bool turns_over = now >= asking.window_ends;
    if (turns_over) asking.window_ends = now + window_;
    for (std::size_t port = 0; port < meters_.size(); ++port) {
      PortHistory& history = asking.histories[port];
      if (turns_over) history.turn_over();
      const auto measured = meters_[port].read();
      asking.views[port] = history.look(look.state(port),
                                        {.last_begin = seconds(measured.last_begin),
                                         .busy = seconds(measured.busy),
                                         .runs = measured.runs},
                                        seconds(now));
      if (!look.covers(port)) asking.views[port].most_workers = 0;
    }
    return seconds(now);
  }

  [[nodiscard]] std::optional<std::size_t> checked(Asking& asking, int picked) {
    const auto ports = static_cast<int>(meters_.size());
    if (picked < policy::kNobody || picked >= ports) {
      give_up(asking, "picked operator " + std::to_string(picked) + " of " + std::to_string(ports) +
                          "; it must be 0 to " + std::to_string(ports - 1) +
                          ", or -1 where nobody can work");
      return std::nullopt;
    }
    const auto place = static_cast<std::size_t>(picked);
    if (picked != policy::kNobody && schedulable(asking.views[place])) return place;
    for (const auto& view : asking.views) {
      if (!schedulable(view)) continue;
      overruled_.fetch_add(1, std::memory_order_relaxed);
      break;
    }
    return std::nullopt;
  }

  void give_up(Asking& asking, const std::string& problem) noexcept {
    asking.policy.reset();
    if (on_nonsense_) on_nonsense_("policy '" + name_ + "' " + problem);
  }

  static double seconds(std::chrono::nanoseconds time) noexcept {
    return std::chrono::duration<double>(time).count();
  }

  const std::string name_;
  const std::function<void(const std::string&)> on_nonsense_;
  const std::chrono::nanoseconds window_;
  const std::chrono::nanoseconds start_;
  std::vector<PortMeter<Sync>> meters_;  // by port
  typename Sync::template Atomic<std::uint64_t> overruled_{0};
  typename Sync::Mutex mutex_;
  typename Sync::template Plain<Asking> asking_;  // of whoever holds the mutex
};

}  // namespace penstock::schedule
