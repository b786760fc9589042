// A policy that is chosen at run time: whatever it says, and whoever else is asking, no port is
// forgotten, and one thread at a time asks it.

#include "penstock/schedule/chosen_policy.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/chosen_first.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/port_line.hpp"

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"
#include "explorer/scenarios/sim_line.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;

// One member function each is replaced by a faulty one; everything else is what is shipped.
struct AsksTogether : SimSync {};
struct TakesNobodyForAnAnswer : SimSync {};

template <typename Sync>
using Ports = schedule::PortLine<SimLine<Sync>, Sync, schedule::ChosenFirst<Sync>>;

// Says all that a policy may say: every place in turn, and then nobody.
class InTurn final : public policy::Policy {
 public:
  [[nodiscard]] int pick(std::span<const policy::OperatorView> operators, double) override {
    return turn_++ % (static_cast<int>(operators.size()) + 1) - 1;
  }

 private:
  int turn_ = 0;
};

}  // namespace
}  // namespace penstock::explorer

namespace penstock::schedule {

template <>
template <typename Look>
std::optional<std::size_t> ChosenPolicy<explorer::AsksTogether>::take(const Look& look) noexcept {
  const auto furthest = furthest_with_work(look);
  if (!furthest) return furthest;
  const auto picked = ask(look);
  return picked && look(*picked) ? picked : furthest;
}

template <>
template <typename Look>
std::optional<std::size_t> ChosenPolicy<explorer::TakesNobodyForAnAnswer>::take(
    const Look& look) noexcept {
  const auto furthest = furthest_with_work(look);
  if (!furthest || !mutex_.try_lock()) return furthest;
  const auto picked = ask(look);
  mutex_.unlock();
  return picked;
}

}  // namespace penstock::schedule

namespace penstock::explorer {
namespace {

template <typename Sync>
void choose_in_turn(Ports<Sync>& ports, std::size_t stations) {
  using Chosen = schedule::ChosenPolicy<Sync>;
  ports.policy().choose(std::make_shared<Chosen>(
      stations, typename Chosen::Choice{.name = "in turn", .policy = std::make_unique<InTurn>()}));
}

// Two workers and a feeder that helps; nothing fits between the stations but one run.
template <typename Sync>
void all_runs_come_out_in_order() {
  SimLine<Sync> line("ss");
  schedule::Doorbell<Sync> doorbell;
  Ports<Sync> ports(line, {.window = 3, .capacity = 1, .budget = 2, .head_start = {}}, doorbell);
  choose_in_turn<Sync>(ports, 2);
  schedule::Crew<Ports<Sync>, Sync> crew("worker", ports, doorbell);
  crew.set_level(2);
  feed<Sync>(ports, line.stations(), 4, [&] { schedule::lend_a_hand(ports, doorbell); });
}

// Two workers, and a feeder that cannot make good what they miss.
template <typename Sync>
void workers_need_no_help() {
  SimLine<Sync> line("sss");
  schedule::Doorbell<Sync> doorbell;
  Ports<Sync> ports(line, {.window = 2, .capacity = 1, .budget = 1, .head_start = {}}, doorbell);
  choose_in_turn<Sync>(ports, 3);
  schedule::Crew<Ports<Sync>, Sync> crew("worker", ports, doorbell);
  crew.set_level(2);
  feed<Sync>(ports, line.stations(), 3, [&] {
    (void)doorbell.feeder_sleep([] { return typename Ports<Sync>::Turn(); },
                                [&] { return ports.collectable(); });
  });
}

const Registered kInOrder({
    .name = "chosen_policy.capacity_1",
    .body = all_runs_come_out_in_order<SimSync>,
    .mutants = {{"no fences", all_runs_come_out_in_order<NoFences>},
                {"everybody asks at a time", all_runs_come_out_in_order<AsksTogether>}},
});
const Registered kNoHelp({
    .name = "chosen_policy.no_help",
    .body = workers_need_no_help<SimSync>,
    .mutants = {{"no fences", workers_need_no_help<NoFences>},
                {"nobody is nobody", workers_need_no_help<TakesNobodyForAnAnswer>}},
});

}  // namespace
}  // namespace penstock::explorer
