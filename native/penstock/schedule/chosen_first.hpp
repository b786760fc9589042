#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "penstock/base/sync.hpp"
#include "penstock/policy/last_in_pipeline.hpp"
#include "penstock/schedule/chosen_policy.hpp"

namespace penstock::schedule {

// The port that a policy chooses which was chosen at run time. Several of these may share one.
template <base::SyncPolicy Sync = base::RealSync>
class ChosenFirst {
 public:
  explicit ChosenFirst(std::size_t ports)
      : chosen_(std::make_shared<ChosenPolicy<Sync>>(
            ports,
            typename ChosenPolicy<Sync>::Choice{
                .name = "lastInPipeline", .policy = std::make_unique<policy::LastInPipeline>()})) {}

  // Before anything runs.
  void choose(std::shared_ptr<ChosenPolicy<Sync>> chosen) noexcept { chosen_ = std::move(chosen); }

  void on_begin(std::size_t port) noexcept { chosen_->on_begin(port); }
  void on_end(std::size_t port, std::uint64_t taken) noexcept { chosen_->on_end(port, taken); }

  // Every port is looked at whenever somebody takes one; what is new is that it is worth while.
  bool put(std::size_t /*port*/) noexcept { return true; }

  template <typename Look>
  [[nodiscard]] std::optional<std::size_t> take(const Look& look) noexcept {
    return chosen_->take(look);
  }

 private:
  std::shared_ptr<ChosenPolicy<Sync>> chosen_;
};

}  // namespace penstock::schedule
