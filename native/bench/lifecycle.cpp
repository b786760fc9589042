#include "bench/lifecycle.hpp"

#include <chrono>
#include <condition_variable>
#include <latch>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/graph/topology.hpp"
#include "penstock/tuple/stream.hpp"

#include "bench/usage.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench {

namespace {

class PassOn final : public graph::Operator {
 public:
  explicit PassOn(std::latch* passed = nullptr) : passed_(passed) {}

  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    output.emit(tuple.batch, 0);
    if (passed_ != nullptr) passed_->count_down();
  }

 private:
  std::latch* passed_;
};

// The last operator tells when the one batch has come as far as that.
graph::Topology make_pipeline(int operators, std::latch& passed) {
  graph::TopologyBuilder builder("lifecycle");
  int before = graph::kSource;
  for (int i = 0; i < operators; ++i) {
    const int node = builder.add("pass" + std::to_string(i), graph::Kind::kStateful, 1, 1,
                                 std::make_unique<PassOn>(i + 1 == operators ? &passed : nullptr));
    builder.connect(before, 0, node, 0);
    before = node;
  }
  builder.connect(before, 0, graph::kSink, 0);
  return std::move(builder).build();
}

// An input that gives one batch and then nothing, until it is told to end.
class StallingInput {
 public:
  [[nodiscard]] ArrowArrayStream stream() {
    ArrowArrayStream stream{};
    stream.private_data = this;
    stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      static_cast<StallingInput*>(self->private_data)->next(*out);
      return 0;
    };
    stream.get_last_error = [](ArrowArrayStream*) { return ""; };
    stream.release = [](ArrowArrayStream* self) { self->release = nullptr; };
    return stream;
  }

  void end() {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  void wait_for_stall() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stalled_; });
  }

 private:
  void next(ArrowArray& out) {
    out = ArrowArray{};
    if (!std::exchange(given_, true)) {
      static const void* no_validity = nullptr;
      out.length = 1;  // one row of no columns
      out.n_buffers = 1;
      out.buffers = &no_validity;
      out.release = [](ArrowArray* array) { array->release = nullptr; };
      return;
    }
    std::unique_lock lock(mutex_);
    stalled_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return ended_; });
  }

  bool given_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stalled_ = false;
  bool ended_ = false;
};

double ms_since(std::int64_t start) { return 1e-6 * static_cast<double>(steady_ns() - start); }

engine::ProcessingElement make_element(int operators, StallingInput& input, std::latch& passed,
                                       const engine::Options& options) {
  ArrowArrayStream stream = input.stream();
  return {make_pipeline(operators, passed), std::make_unique<tuple::InputStream>(stream), options};
}

void start_and_stop(Lifecycle& measured, int operators, const engine::Options& options) {
  StallingInput input;
  std::latch passed(1);
  input.end();
  const std::int64_t start = steady_ns();
  auto element = make_element(operators, input, passed, options);
  PENSTOCK_CHECK(element.next().has_value(), "a flow that passes batches on gives the first one");
  measured.start_ms = ms_since(start);
  const std::int64_t stop = steady_ns();
  element.close();
  measured.stop_ms = ms_since(stop);
}

void stay_idle(Lifecycle& measured, int operators, const engine::Options& options,
               double idle_seconds) {
  StallingInput input;
  std::latch passed(1);
  auto element = make_element(operators, input, passed, options);
  std::thread consumer([&element] {
    while (element.next()) {
    }
  });
  input.wait_for_stall();
  passed.wait();
  const Usage before = usage();
  const std::int64_t start = steady_ns();
  std::this_thread::sleep_for(std::chrono::duration<double>(idle_seconds));
  measured.idle_cores = (usage().cpu_seconds - before.cpu_seconds) / (1e-3 * ms_since(start));
  input.end();
  consumer.join();
}

}  // namespace

Lifecycle measure_lifecycle(int operators, const engine::Options& options, double idle_seconds) {
  Lifecycle measured;
  start_and_stop(measured, operators, options);
  stay_idle(measured, operators, options, idle_seconds);
  return measured;
}

}  // namespace penstock::bench
