#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "penstock/tuple/stream.hpp"

#include "support/int_batch.hpp"

namespace penstock::support {

// A stream of one-column int batches, as Spark's side would offer it.
struct IntStream {
  std::vector<std::vector<std::int64_t>> batches;
  bool fails_at_end = false;
  std::size_t next = 0;
};

// Operators with flows of their own read streams on several threads.
inline std::atomic<int> live_streams{0};
inline std::atomic<int> pulls{0};  // of all streams so far

inline ArrowArrayStream make_int_stream(std::vector<std::vector<std::int64_t>> batches,
                                        bool fails_at_end = false) {
  ++live_streams;
  ArrowArrayStream stream{};
  stream.private_data = new IntStream{std::move(batches), fails_at_end};
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    auto& state = *static_cast<IntStream*>(self->private_data);
    *out = ArrowArray{};
    ++pulls;
    if (state.next < state.batches.size()) {
      *out = make_int_array({state.batches[state.next++]});
    } else if (state.fails_at_end) {
      return EIO;
    }
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream*) { return "the socket is gone"; };
  stream.release = [](ArrowArrayStream* self) {
    --live_streams;
    delete static_cast<IntStream*>(self->private_data);
    self->release = nullptr;
  };
  return stream;
}

inline std::unique_ptr<tuple::InputStream> make_int_input(
    std::vector<std::vector<std::int64_t>> batches, bool fails_at_end = false) {
  ArrowArrayStream stream = make_int_stream(std::move(batches), fails_at_end);
  return std::make_unique<tuple::InputStream>(stream);
}

}  // namespace penstock::support
