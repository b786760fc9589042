#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "penstock/budget/table.hpp"

namespace penstock::budget {

// The ledger cannot be used; the message names the file and what is wrong with it.
class LedgerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The page file in which the PEs of one executor keep their table, mapped into this process.
//
//   offset 0     the header: magic, version, number of slots, tasksRunning, arrivals
//   offset 128   a slot of 128 bytes for each PE
//
// Whoever comes first makes it. It is checked before it is believed: a plain file, of this user,
// of this size and version. Its blocks are allocated in advance, because a full disk would else end
// the process at its first write.
class Ledger {
 public:
  static constexpr std::uint64_t kMagic = 0x74656764'75425350;  // "PSBudget" as bytes
  static constexpr std::uint32_t kVersion = 1;
  static constexpr std::size_t kSlots = 255;
  static constexpr std::size_t kBytes = sizeof(Header<>) + kSlots * sizeof(Slot<>);

  // Throws LedgerError.
  explicit Ledger(const std::string& path);
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  Ledger(Ledger&&) = delete;
  Ledger& operator=(Ledger&&) = delete;
  ~Ledger();

  // The right to hand out threads and places, which the kernel takes back from the dead. A process
  // that was stopped keeps it, so it is asked for and never waited for.
  class Lock {
   public:
    explicit Lock(const Ledger& ledger) noexcept;
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    Lock(Lock&&) = delete;
    Lock& operator=(Lock&&) = delete;
    ~Lock();

    [[nodiscard]] explicit operator bool() const noexcept { return file_ >= 0; }

   private:
    int file_;
  };

  [[nodiscard]] Table<> table() const;

 private:
  void open_file(const std::string& path);
  void check_file(const std::string& path) const;
  void make_room(const std::string& path) const;
  void map(const std::string& path);
  void begin(const std::string& path) const;
  [[noreturn]] static void give_up(const std::string& path, const std::string& problem);

  [[nodiscard]] Header<>& header() const noexcept;

  int file_ = -1;
  void* page_ = nullptr;
};

}  // namespace penstock::budget
