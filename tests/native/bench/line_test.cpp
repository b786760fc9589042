#include "bench/line.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>

#include "penstock/schedule/fused_line.hpp"

namespace penstock::bench {
namespace {

// Writes down which tuple it was called for.
class Recorder final : public Operator {
 public:
  Recorder(char name, std::string& calls) : name_(name), calls_(&calls) {}

  [[nodiscard]] Emit process(Item& item, Emit emit) noexcept override {
    *calls_ += name_ + std::to_string(item.serial) + ' ';
    return emit(item);
  }
  void process_batch(Items items) noexcept override {
    *calls_ += name_;
    for (const Item& item : items) *calls_ += std::to_string(item.serial);
    *calls_ += ' ';
  }

 private:
  char name_;
  std::string* calls_;
};

std::string calls(Interface interface, int cost) {
  Workload workload(
      {.shape = {.depth = 2, .width = 1}, .cost = cost, .interface = interface, .tuples = 3});
  std::string made;
  workload.operators[0] = std::make_unique<Recorder>('a', made);
  workload.operators[1] = std::make_unique<Recorder>('b', made);
  Line<64> line(workload, 64);
  schedule::FusedLine<Line<64>> stops(line);
  stops.arrange({0});
  Line<64>::Run run;
  run.serial = 1;  // one that is not timed
  line.claim(run);
  stops.work_through(run);
  EXPECT_EQ(workload.sink.taken(), 3U);
  return made;
}

// Whatever is known of what they cost: a flow knows nothing, and neither do other contenders.
TEST(BenchLine, an_operator_takes_each_tuple_of_a_run_before_the_next_operator_begins) {
  for (const int cost : {1, 100}) {
    EXPECT_EQ(calls(Interface::kTuple, cost), "a0 a1 a2 b0 b1 b2 ");
    EXPECT_EQ(calls(Interface::kBatch, cost), "a012 b012 ");
  }
}

}  // namespace
}  // namespace penstock::bench
