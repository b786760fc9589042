#include <utility>

#include "bench/contenders/contenders.hpp"
#include "bench/contenders/fed.hpp"

namespace penstock::bench {

namespace {

// `manual`: the feeder does everything itself.
template <typename Line>
class Manual {
 public:
  using Run = typename Line::Run;

  Manual(Line& line, const Setup& /*setup*/) : line_(&line) {}

  [[nodiscard]] Run* try_admit() noexcept { return under_way_ ? nullptr : &run_; }
  void start(Run& run, bool /*last*/) noexcept {
    under_way_ = true;
    line_->work_through(run);
  }
  [[nodiscard]] Run* try_collect() noexcept {
    return std::exchange(under_way_, false) ? &run_ : nullptr;
  }
  [[nodiscard]] bool under_way() const noexcept { return under_way_; }
  void help() noexcept {}
  [[nodiscard]] bool try_help() noexcept { return false; }

 private:
  Line* line_;
  Run run_;
  bool under_way_ = false;
};

}  // namespace

std::unique_ptr<Contender> make_manual(Workload& workload, const Setup& setup) {
  return make_fed<Manual>(workload, setup);
}

}  // namespace penstock::bench
