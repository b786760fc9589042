#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "penstock/budget/allowance.hpp"
#include "penstock/budget/ledger.hpp"

namespace penstock::budget {

// A PE's place in the ledger of its executor, given back in the end. A process that was forked off
// has a copy of it that does nothing: the place belongs to the process that took it.
//
// Without a place, because another process is at the ledger just now or because it is full, the PE
// has what is guaranteed, and asks again at each look.
class Seat final : public Allowance {
 public:
  // Throws LedgerError; std::invalid_argument if there are no cores to share or nothing is
  // guaranteed.
  Seat(const std::string& path, int cores, int guaranteed);
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  Seat(Seat&&) = delete;
  Seat& operator=(Seat&&) = delete;
  ~Seat() override { leave(); }

  [[nodiscard]] int guaranteed() const override { return guaranteed_; }
  [[nodiscard]] Standing look(const Demand& demand) override;
  [[nodiscard]] int raise(int threads) override;
  void lower(int threads) override;
  void insist(int threads) override;
  void leave() noexcept override;

  // It has a place; if not, more PEs may be there than the ledger has slots.
  [[nodiscard]] bool seated() const noexcept { return place_.has_value(); }
  // Frees the places of the dead at once, if the lock is to be had; how many.
  int sweep();

 private:
  // Seeing whether others are alive costs more than a look, so it is done at every so many.
  static constexpr int kLooksPerSweep = 4;

  void try_sit_down();
  [[nodiscard]] bool forked() const noexcept;

  Ledger ledger_;
  Owner owner_;
  int cores_;
  int guaranteed_;
  int insisted_ = 0;
  int looks_ = 0;
  std::optional<std::size_t> place_;
  std::mutex leaving_;
  bool left_ = false;
};

}  // namespace penstock::budget
