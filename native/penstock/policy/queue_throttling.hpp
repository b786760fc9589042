#pragma once

#include <cstdint>

#include "penstock/policy/policy.hpp"

namespace penstock::policy {

// QST (Prasaad et al. 2018, §6.1): the earliest operator behind which less waits than its share of
// `capacity`, T_i = capacity * cs_i / sum of all cs, where cs_i are the tuples that operator i
// makes of one that entered the pipeline. A share is at least one tuple, and the last operator has
// no queue to fill (A32). Where all that are schedulable have filled their share, the furthest one
// makes room.
class QueueThrottling final : public Policy {
 public:
  explicit QueueThrottling(std::int64_t capacity) : capacity_(static_cast<double>(capacity)) {}

  [[nodiscard]] int pick(std::span<const OperatorView> operators, double now) override;

 private:
  double capacity_;
};

}  // namespace penstock::policy
