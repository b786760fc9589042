#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "penstock/queue/role_flag.hpp"

#include "bench/ordered/queries/results.hpp"
#include "bench/ordered/queries/source.hpp"
#include "bench/ordered/queries/station.hpp"

namespace penstock::bench::queries {

// Stations one behind the other, from a source to the results, and workers that run them. A worker
// takes the last station that has rows (P12), and fills the first one when none has. There is no
// thread besides the workers.
//
// Who finds no room at the next station works there or behind it until there is some. Help goes
// downstream only, and the results take everything, so somebody always gets on (X1).
class Chain {
 public:
  // How a station is made that hands its rows to chain.push(index + 1, ...).
  using MakeStation =
      std::function<std::unique_ptr<Station>(Chain& chain, const Step& step, std::size_t index)>;

  Chain(const Input& input, std::vector<Step> steps, Results& results, const MakeStation& make);

  // Until everything has arrived, by so many threads. To be called once.
  void run(std::size_t workers);

  // Of whoever's turn it is to send to a station, or to the results behind the last one.
  void push(std::size_t index, Row& row, std::size_t worker) noexcept;

 private:
  void work_to_the_end(std::size_t worker) noexcept;
  // At the last station from `first` on that has something to do.
  [[nodiscard]] bool try_work_from(std::size_t first, std::size_t worker) noexcept;
  [[nodiscard]] bool try_fill() noexcept;
  [[nodiscard]] bool try_finish(std::size_t worker) noexcept;

  const std::vector<Step> steps_;
  Source source_;  // under the role
  Results* results_;
  std::vector<std::unique_ptr<Station>> stations_;
  queue::RoleFlag<> filling_;
  queue::RoleFlag<> finishing_;
  std::atomic<bool> filled_{false};       // everything has left the source
  std::atomic<std::size_t> finished_{0};  // stations that have seen the end
};

}  // namespace penstock::bench::queries
