#include "penstock/engine/outbox.hpp"

#include <utility>

namespace penstock::engine {

Outbox::Outbox(const std::optional<tuple::Schema>& schema) {
  if (!schema) return;
  concatenator_.emplace(*schema);
  if (!concatenator_->can_join()) concatenator_.reset();
}

void Outbox::put(std::vector<tuple::Batch> made, bool complete) {
  for (tuple::Batch& batch : made) {
    if (batch.is_nothing()) {
      this->complete();
      continue;
    }
    if (!concatenator_) {
      ready_.push_back(std::move(batch));
      continue;
    }
    rows_ += batch.rows();
    pieces_.push_back(std::move(batch));
    if (rows_ >= kMostRows) this->complete();
  }
  if (complete) this->complete();
}

void Outbox::complete() {
  if (pieces_.empty()) return;
  ready_.push_back(concatenator_->join(pieces_));
  pieces_.clear();
  rows_ = 0;
}

tuple::Batch Outbox::take() {
  tuple::Batch batch = std::move(ready_.front());
  ready_.pop_front();
  return batch;
}

void Outbox::clear() noexcept {
  ready_.clear();
  pieces_.clear();
  rows_ = 0;
}

}  // namespace penstock::engine
