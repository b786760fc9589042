#include "bench/workload/operator.hpp"

#include "bench/workload/kernel.hpp"

namespace penstock::bench {

namespace {

// On a cache line of its own: neighbours are often run by different threads.
class alignas(64) Busy final : public Operator {
 public:
  explicit Busy(int cost) { kernel_.cost = cost; }

  [[nodiscard]] Emit process(Item& item, Emit emit) noexcept override {
    kernel_.work(item);
    return emit(item);
  }

  void process_batch(Items items) noexcept override {
    Kernel kernel = kernel_;
    for (Item& item : items) kernel.work(item);
    kernel_ = kernel;
  }

 private:
  Kernel kernel_;
};

}  // namespace

std::unique_ptr<Operator> make_operator(int cost) { return std::make_unique<Busy>(cost); }

}  // namespace penstock::bench
