// A worker's meter while others read it: counts do not go back, and no rest is counted twice.

#include "penstock/schedule/worker_meter.hpp"

#include <chrono>

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"

namespace penstock::explorer {
namespace {

using schedule::Rest;
using std::chrono::nanoseconds;

using NoRelease = Mutant<SimSync, {.no_release = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;

constexpr nanoseconds kEnd{10};

template <typename Sync>
void everything_is_counted() {
  schedule::WorkerMeter<Sync> meter;
  meter.start(nanoseconds(0));
  meter.begin(Rest::kAway, nanoseconds(0));
  Crew crew;
  crew.add("worker", [&] {
    meter.end(Rest::kAway, nanoseconds(4));
    meter.begin(Rest::kAsleep, nanoseconds(4));
    meter.end(Rest::kAsleep, kEnd);
    meter.carried();
    meter.carried();
  });
  crew.add("reader", [&] {
    const auto pieces = meter.read(kEnd).pieces;
    expect(pieces <= meter.read(kEnd).pieces, "a count does not go back");
  });
  crew.join();
  const auto read = meter.read(kEnd);
  expect(read.asleep == nanoseconds(6) && read.away == nanoseconds(4), "every rest is counted");
  expect(read.busy == nanoseconds(0) && read.pieces == 2, "and nothing else");
}

// Shorter than the worker's life, because read() never says more than that.
template <typename Sync>
void a_rest_is_counted_once() {
  schedule::WorkerMeter<Sync> meter;
  meter.start(nanoseconds(0));
  meter.begin(Rest::kAsleep, nanoseconds(5));
  Crew crew;
  crew.add("worker", [&] { meter.end(Rest::kAsleep, kEnd); });
  crew.add("reader",
           [&] { expect(meter.read(kEnd).asleep <= nanoseconds(5), "no rest is counted twice"); });
  crew.join();
}

// The rule that a meter has one writer, broken.
template <typename Sync>
void two_workers_share_a_meter() {
  schedule::WorkerMeter<Sync> meter;
  meter.start(nanoseconds(0));
  Crew crew;
  crew.add("worker 1", [&] { meter.carried(); });
  crew.add("worker 2", [&] { meter.carried(); });
  crew.join();
  expect(meter.read(kEnd).pieces == 2, "every piece is counted");
}

const Registered kCounts({
    .name = "worker_meter.counts",
    .body = everything_is_counted<SimSync>,
    .mutants = {{"two writers", two_workers_share_a_meter<SimSync>}},
});
const Registered kRest({
    .name = "worker_meter.rest",
    .body = a_rest_is_counted_once<SimSync>,
    .mutants = {{"no release", a_rest_is_counted_once<NoRelease>},
                {"no acquire", a_rest_is_counted_once<NoAcquire>}},
});

}  // namespace
}  // namespace penstock::explorer
