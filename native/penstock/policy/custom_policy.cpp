#include "penstock/policy/custom_policy.hpp"

#include <utility>

namespace penstock::policy {

namespace {

penstock_operator_view as_plain_c(const OperatorView& view) {
  return {.selectivity = view.selectivity,
          .cost = view.cost,
          .waiting = view.waiting,
          .workers = view.workers,
          .most_workers = view.most_workers,
          .window_time = view.window_time,
          .source = view.source ? 1 : 0,
          .last_run = view.last_run,
          .oldest = view.oldest,
          .read_rate = view.read_rate,
          .write_rate = view.write_rate,
          .made = view.made,
          .room = view.room};
}

}  // namespace

CustomPolicy::CustomPolicy(const penstock_policy& functions, std::shared_ptr<const void> owner,
                           std::size_t operators, std::uint64_t seed)
    : functions_(functions),
      owner_(std::move(owner)),
      state_(functions.create == nullptr ? nullptr : functions.create(operators, seed)) {
  views_.reserve(operators);
}

CustomPolicy::~CustomPolicy() {
  if (functions_.destroy != nullptr) functions_.destroy(state_);
}

int CustomPolicy::pick(std::span<const OperatorView> operators, double now) {
  views_.clear();
  for (const OperatorView& view : operators) views_.push_back(as_plain_c(view));
  return functions_.pick(state_, views_.data(), views_.size(), now);
}

}  // namespace penstock::policy
