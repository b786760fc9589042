#include "bench/workload/sink.hpp"

namespace penstock::bench {

void Sink::take_irregular(std::uint64_t serial) {
  if (serial > next_) {
    while (next_ < serial) missing_.insert(next_++);
    ++next_;
  } else if (missing_.erase(serial) != 0) {
    ++out_of_order_;
  } else {
    ++duplicated_;
  }
}

}  // namespace penstock::bench
