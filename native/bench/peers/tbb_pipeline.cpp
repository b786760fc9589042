#include <cstddef>
#include <memory>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <utility>
#include <vector>

#include "bench/peers/peers.hpp"
#include "bench/workload/tuple_run.hpp"

namespace penstock::bench {

namespace {

namespace tbb = oneapi::tbb;

// oneTBB's parallel_pipeline, a serial filter in order for each operator. Its tokens are runs of
// the given length: of one tuple for what its interface is made for, of more for what a user can
// reach by batching by hand. As its documentation advises, tokens are addresses in a ring that is
// as long as the number of tokens that may live.
//
// Filters stand in a line, so pipelines beside each other become one after another, and each of
// them picks its own tuples; a token that has none for a filter is passed on at once.
template <int kMost>
class TbbPipeline final : public Contender {
 public:
  TbbPipeline(Workload& workload, const Setup& setup)
      : workload_(&workload),
        run_length_(setup.run_length),
        limit_(tbb::global_control::max_allowed_parallelism,
               static_cast<std::size_t>(setup.threads)),
        runs_(setup.window != 0 ? setup.window : static_cast<std::size_t>(setup.threads) * 4),
        filters_(source()) {
    for (std::size_t i = 0; i < workload.operators.size(); ++i) filters_ &= operator_filter(i);
  }

  void run() override { tbb::parallel_pipeline(runs_.size(), filters_ & sink()); }

 private:
  using Token = TupleRun<kMost>*;

  [[nodiscard]] tbb::filter<void, Token> source() {
    return tbb::make_filter<void, Token>(tbb::filter_mode::serial_in_order,
                                         [this](tbb::flow_control& control) -> Token {
                                           Source& tuples = workload_->source;
                                           while (tuples.due() == 0 && !tuples.ended())
                                             tuples.wait();
                                           if (tuples.ended()) {
                                             control.stop();
                                             return nullptr;
                                           }
                                           TupleRun<kMost>& run = runs_[next_];
                                           next_ = next_ + 1 == runs_.size() ? 0 : next_ + 1;
                                           run.claim(*workload_, run_length_);
                                           run.write(*workload_);
                                           return &run;
                                         });
  }

  [[nodiscard]] tbb::filter<Token, Token> operator_filter(std::size_t index) {
    const Shape& shape = workload_->task.shape;
    const int channel = static_cast<int>(index) / shape.depth;
    return tbb::make_filter<Token, Token>(
        tbb::filter_mode::serial_in_order,
        [op = workload_->operators[index].get(), interface = workload_->task.interface, channel,
         width = shape.width](Token run) {
          const Items own = run->of(channel, width);
          if (!own.empty()) run_operator(*op, interface, own);
          return run;
        });
  }

  [[nodiscard]] tbb::filter<Token, void> sink() {
    return tbb::make_filter<Token, void>(tbb::filter_mode::serial_in_order,
                                         [sink = &workload_->sink](Token run) {
                                           for (int i = 0; i < run->count; ++i)
                                             sink->take(run->items[static_cast<std::size_t>(i)]);
                                         });
  }

  Workload* workload_;
  const int run_length_;
  tbb::global_control limit_;
  std::vector<TupleRun<kMost>> runs_;
  std::size_t next_ = 0;  // the source's
  tbb::filter<void, Token> filters_;
};

}  // namespace

std::unique_ptr<Contender> make_tbb_pipeline(Workload& workload, const Setup& setup) {
  if (setup.run_length == 1) return std::make_unique<TbbPipeline<1>>(workload, setup);
  if (setup.run_length <= 64) return std::make_unique<TbbPipeline<64>>(workload, setup);
  return std::make_unique<TbbPipeline<kLongestRun>>(workload, setup);
}

}  // namespace penstock::bench
