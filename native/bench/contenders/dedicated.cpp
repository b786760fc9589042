#include <algorithm>
#include <cstddef>

#include "penstock/schedule/dedicated_line.hpp"

#include "bench/contenders/contenders.hpp"
#include "bench/contenders/fed.hpp"

namespace penstock::bench {

namespace {

constexpr std::size_t kMostRuns = 256;

template <typename Line>
class DedicatedModel {
 public:
  using Run = typename Line::Run;

  DedicatedModel(Line& line, const Setup& setup) : stations_(line, limits(line, setup)) {
    stations_.start("bench");
  }

  [[nodiscard]] Run* try_admit() noexcept { return stations_.try_admit(); }
  void start(Run& run, bool /*last*/) noexcept { stations_.load(run); }
  [[nodiscard]] Run* try_collect() noexcept { return stations_.try_collect(); }
  [[nodiscard]] bool under_way() const noexcept { return stations_.under_way() != 0; }
  void help() { stations_.sleep(); }
  [[nodiscard]] bool try_help() noexcept { return false; }

 private:
  [[nodiscard]] static typename schedule::DedicatedLine<Line>::Limits limits(const Line& line,
                                                                             const Setup& setup) {
    const auto stations = static_cast<std::size_t>(line.stations());
    return {.window = setup.window != 0 ? setup.window : std::min(4 * stations, kMostRuns),
            .capacity = setup.capacity != 0 ? setup.capacity : 16};
  }

  schedule::DedicatedLine<Line> stations_;
};

}  // namespace

std::unique_ptr<Contender> make_dedicated(Workload& workload, const Setup& setup) {
  return make_fed<DedicatedModel>(workload, setup);
}

}  // namespace penstock::bench
