// The dedicated model: each thread is woken by its neighbours, for a run and for room.

#include "penstock/schedule/dedicated_line.hpp"

#include <atomic>
#include <chrono>

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_line.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;
using NoAcquire = Mutant<SimSync, {.no_acquire = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct SleepsAtOnce : SimSync {};
struct KeepsRoomSecret : SimSync {};
struct StopsInSilence : SimSync {};

template <typename Sync>
using Stations = schedule::DedicatedLine<SimLine<Sync>, Sync>;

}  // namespace
}  // namespace penstock::explorer

namespace penstock::schedule {

template <>
void explorer::Stations<explorer::SleepsAtOnce>::sleep(
    Seat& seat, std::optional<std::chrono::nanoseconds> /*limit*/) {
  auto& bell = stations_[seat.station_]->bell;
  bell.wait(bell.prepare_wait()).accept();
}

template <>
bool explorer::Stations<explorer::KeepsRoomSecret>::try_step(Seat& seat) noexcept {
  const auto waiting = seat.consumer_->front_run(1);
  if (waiting.empty() || !has_room_behind(seat)) return false;
  Run* run = explorer::KeepsRoomSecret::read(waiting.front());
  line_->work(static_cast<int>(seat.station_), *run);
  seat.consumer_->release(1);
  if (seat.next_) {
    explorer::expect(seat.next_->try_push(run), "there is room");
    stations_[seat.station_ + 1]->bell.notify_one();
  } else {
    window_.complete();
  }
  return true;
}

template <>
void explorer::Stations<explorer::StopsInSilence>::stop() noexcept {
  stopping_.store(true, std::memory_order_relaxed);
  threads_.clear();
}

}  // namespace penstock::schedule

namespace penstock::explorer {
namespace {

template <typename Sync>
void all_runs_come_out_in_order() {
  SimLine<Sync> line("sss");
  Stations<Sync> stations(line, {.window = 3, .capacity = 1});
  stations.start("station");
  feed<Sync>(stations, line.stations(), 5, [&] { stations.sleep(); });
}

template <typename Sync>
void a_cancel_ends_every_thread() {
  SimLine<Sync> line("sss");
  Stations<Sync> stations(line, {.window = 2, .capacity = 1});
  stations.start("station");
  for (int i = 0; i < 2; ++i) {
    auto* const run = stations.try_admit();
    Sync::write(run->passed) = 0;
    stations.load(*run);
  }
  stations.stop();
}

const Registered kOrder({
    .name = "dedicated_line.capacity_1",
    .body = all_runs_come_out_in_order<SimSync>,
    .mutants = {{"no fences", all_runs_come_out_in_order<NoFences>},
                {"no acquire", all_runs_come_out_in_order<NoAcquire>},
                {"no second look", all_runs_come_out_in_order<SleepsAtOnce>},
                {"tells nobody of new room", all_runs_come_out_in_order<KeepsRoomSecret>}},
});
const Registered kCancel({
    .name = "dedicated_line.cancel",
    .body = a_cancel_ends_every_thread<SimSync>,
    .mutants = {{"stops in silence", a_cancel_ends_every_thread<StopsInSilence>}},
});

}  // namespace
}  // namespace penstock::explorer
