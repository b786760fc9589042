#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "penstock/loop/in_port.hpp"

namespace penstock::loop {

// So many rows of an input port.
struct Need {
  static constexpr int kNoPort = -1;

  int port = kNoPort;
  std::int64_t rows = 0;

  friend bool operator==(const Need&, const Need&) = default;
};

// How a wait ended. Over means that it can never be satisfied (C4), which is no failure: what is
// left in the ports can still be taken.
class Wait {
 public:
  enum Ending { kDone, kOver };  // NOLINT(*-use-enum-class): named as Wait::kDone

  // NOLINTNEXTLINE(*-explicit-constructor,*-explicit-conversions): it is one
  constexpr Wait(Ending ending) noexcept : ending_(ending) {}

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return ending_ == kDone; }
  friend constexpr bool operator==(Wait, Wait) = default;

 private:
  Ending ending_;
};

// What a loop waits for: all of its needs at the same time, or any one of them.
struct WaitFor {
  enum class Mode { kAll, kAny };

  Mode mode = Mode::kAll;
  std::vector<Need> needs;
};

enum class Outlook { kDone, kOver, kOpen };

// Done is looked for first. All is over if one port is closed *and* short (A35: one that is closed
// and holds enough is no reason), any if all of them are. Nothing is forgotten about a port that
// held enough before (A37). All of nothing is done, any of nothing over.
// Asked several times for each tuple, so it is here to be compiled into whoever asks.
[[nodiscard]] inline Outlook outlook(const WaitFor& wait, std::span<const InPort> ports) noexcept {
  const bool all = wait.mode == WaitFor::Mode::kAll;
  std::size_t short_ones = 0;
  std::size_t hopeless = 0;
  for (const Need& need : wait.needs) {
    const InPort& port = ports[static_cast<std::size_t>(need.port)];
    if (port.rows() >= need.rows) continue;
    ++short_ones;
    if (port.closed()) ++hopeless;
  }
  const std::size_t enough = wait.needs.size();
  if (all ? short_ones == 0 : short_ones < enough) return Outlook::kDone;
  return (all ? hopeless != 0 : hopeless == enough) ? Outlook::kOver : Outlook::kOpen;
}

// How many more rows of one port make it come true, if nothing arrives anywhere else.
inline constexpr std::int64_t kNotByThis = -1;
[[nodiscard]] std::int64_t rows_until_done(const WaitFor& wait, std::span<const InPort> ports,
                                           int port);

// For errors, of those that are short: "1 row of port 'left' (0 there)".
[[nodiscard]] std::string describe_short(const WaitFor& wait, std::span<const InPort> ports);
[[nodiscard]] std::string count_of_rows(std::int64_t rows);

}  // namespace penstock::loop
