#pragma once

#include <cstddef>
#include <memory>

#include "bench/contender.hpp"
#include "bench/line.hpp"

namespace penstock::bench {

// As spark.penstock.queue.capacity: what flows have.
inline constexpr std::size_t kQueueCapacity = 64;

// A threading model as its feeder sees it, on a line of the benchmarks.
//
//   try_admit()         an empty run, or null while too many are under way
//   start(run, last)    sends a filled run on its way; `last` when nothing else is due now
//   try_collect()       the oldest run that is through, or null
//   under_way()         whether runs were started and not collected
//   help()              carries a run, or sleeps until there is something to carry or to collect
//   try_help()          carries a run; false when there is none
template <typename Model>
concept LineModel = requires(Model model, typename Model::Run& run) {
  { model.try_admit() } -> std::same_as<typename Model::Run*>;
  model.start(run, true);
  { model.try_collect() } -> std::same_as<typename Model::Run*>;
  { model.under_way() } -> std::same_as<bool>;
  model.help();
  { model.try_help() } -> std::same_as<bool>;
};

// A contender whose feeder is the calling thread, as in a processing element.
template <LineModel Model, typename Line>
class Fed final : public Contender {
 public:
  Fed(Workload& workload, const Setup& setup)
      : line_(workload, setup.run_length), model_(line_, setup) {}

  void run() override {
    Source& source = line_.source();
    while (!source.ended() || model_.under_way()) {
      while (model_.try_collect() != nullptr) {
      }
      if (source.due() == 0) {
        if (!source.ended()) {
          if (!model_.try_help()) source.wait();
        } else if (model_.under_way()) {
          model_.help();
        }
      } else if (auto* const run = model_.try_admit()) {
        line_.claim(*run);
        model_.start(*run, source.due() == 0);
      } else {
        model_.help();
      }
    }
  }

 private:
  Line line_;
  Model model_;
};

// A contender on runs that have just enough room: a tuple that travels alone should not be
// alone in 16 KiB.
template <template <typename> typename Model>
[[nodiscard]] std::unique_ptr<Contender> make_fed(Workload& workload, const Setup& setup) {
  if (setup.run_length == 1) return std::make_unique<Fed<Model<Line<1>>, Line<1>>>(workload, setup);
  if (setup.run_length <= 64) {
    return std::make_unique<Fed<Model<Line<64>>, Line<64>>>(workload, setup);
  }
  using Longest = Line<kLongestRun>;
  return std::make_unique<Fed<Model<Longest>, Longest>>(workload, setup);
}

}  // namespace penstock::bench
