#include "bench/loops/serve.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <malloc.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"
#include "penstock/graph/topology.hpp"
#include "penstock/tuple/stream.hpp"

#include "bench/answer_lines.hpp"
#include "bench/json.hpp"
#include "bench/loops/barriers.hpp"

namespace penstock::bench::loops {

namespace {

using Clock = std::chrono::steady_clock;
using Wake = loop::LoopOperator::Wake;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Adds up what it gets, so that nothing can be left out and both contenders can be compared.
class Sum final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override {
    pairs += static_cast<std::uint64_t>(batch.rows());
    for (const int column : {0, 1}) {
      const tuple::ColumnSlice slice = batch.column(column);
      const auto* const values = static_cast<const std::int64_t*>(slice.array->buffers[1]);
      const auto value = static_cast<std::uint64_t>(values[slice.offset]);
      checksum = (checksum * 31) + value + static_cast<std::uint64_t>(column);
    }
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  std::uint64_t pairs = 0;
  std::uint64_t checksum = 0;
};

constexpr std::array<std::string_view, 3> kContenders{"loop", "event", "library"};

std::unique_ptr<graph::Operator> make_barrier(std::size_t contender, Wake wake) {
  if (contender == 0) return make_loop_barrier(wake);
  return contender == 1 ? make_event_barrier() : make_library_barrier(wake);
}

std::string answer_barrier(Request& request) {
  constexpr std::array<std::string_view, 2> kWakes{"tuples", "rows"};
  const auto contender = request.take_choice("contender", kContenders);
  const auto wake = request.take_choice("wake", kWakes) == 0 ? Wake::kRun : Wake::kRow;
  const std::int64_t tuples = request.take_int("tuples", 100'000, 1, 100'000'000);
  const std::int64_t rows = request.take_int("rows", 16, 1, 1'000'000);
  const std::int64_t uneven = request.take_int("uneven", 0, 0, 1'000'000);
  request.check_all_taken();
  const auto body = make_barrier(contender, wake);
  const std::array<tuple::Tuple, 2> given{
      tuple::Tuple{.batch = counted(0, rows), .origin = {}},
      tuple::Tuple{.batch = counted(1, rows + uneven), .origin = {}}};
  // Where one port has longer tuples it gets one only when it needs it, so that nothing piles up.
  Sum sum;
  std::array<std::int64_t, 2> sent{};
  const auto begin = Clock::now();
  for (std::int64_t tuple = 0; tuple < tuples; ++tuple) {
    const std::size_t port = sent[1] < sent[0] ? 1 : 0;
    sent.at(port) += given.at(port).batch.rows();
    body->process(given.at(port), static_cast<int>(port), sum);
  }
  body->finish(sum);
  const double seconds = seconds_since(begin);
  JsonObject answer;
  return answer.add("tuples", static_cast<std::uint64_t>(tuples))
      .add("seconds", seconds)
      .add("tuples_per_s", static_cast<double>(tuples) / seconds)
      .add("pairs", sum.pairs)
      .add("checksum", std::to_string(sum.checksum))
      .line();
}

// A single batch of one row.
std::unique_ptr<tuple::InputStream> one_row() {
  ArrowArrayStream stream{};
  stream.private_data = std::make_unique<bool>(false).release();
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    *out = ArrowArray{};
    if (!std::exchange(*static_cast<bool*>(self->private_data), true)) {
      counted(7, 1).export_to(*out);
    }
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream* /*self*/) -> const char* { return nullptr; };
  stream.release = [](ArrowArrayStream* self) {
    const std::unique_ptr<bool> given(static_cast<bool*>(self->private_data));
    self->release = nullptr;
  };
  return std::make_unique<tuple::InputStream>(stream);
}

graph::Topology chain(int operators) {
  graph::TopologyBuilder builder("many");
  int upstream = graph::kSource;
  for (int i = 0; i < operators; ++i) {
    const int node =
        builder.add("loop" + std::to_string(i), graph::Kind::kStateful, 1, 1, make_passing_loop());
    builder.connect(upstream, 0, node, 0);
    upstream = node;
  }
  builder.connect(upstream, 0, graph::kSink, 0);
  return std::move(builder).build();
}

std::string answer_many(Request& request) {
  const auto operators = static_cast<int>(request.take_int("operators", 1000, 1, 100'000));
  const auto threads = static_cast<int>(request.take_int("threads", 1, 1, 64));
  request.check_all_taken();
  const std::size_t bytes_before = mallinfo2().uordblks;
  const auto begin = Clock::now();
  engine::Options options;
  options.threads = threads;
  options.threading = threads == 1 ? engine::Threading::kManual : engine::Threading::kDynamic;
  engine::ProcessingElement element(chain(operators), one_row(), options);
  const auto first = element.next();
  const double seconds = seconds_since(begin);
  const std::size_t bytes = mallinfo2().uordblks - bytes_before;
  const bool right = first && first->rows() == 1;
  while (element.next()) {
  }
  JsonObject answer;
  return answer.add("operators", static_cast<std::uint64_t>(operators))
      .add("start_ms", seconds * 1e3)
      .add("bytes_per_operator", static_cast<double>(bytes) / operators)
      .add("correct", right ? "yes" : "no")
      .line();
}

}  // namespace

void serve(std::istream& in, std::ostream& out) {
  answer_lines(in, out, [](Request& request) {
    constexpr std::array<std::string_view, 2> kKinds{"barrier", "many"};
    return request.take_choice("kind", kKinds) == 0 ? answer_barrier(request)
                                                    : answer_many(request);
  });
}

}  // namespace penstock::bench::loops
