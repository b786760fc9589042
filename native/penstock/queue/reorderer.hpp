#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace penstock::queue {

// Where units go once it is their turn. It runs inside the turn, so it must not throw.
template <typename Send, typename Unit>
concept UnitSender = std::is_nothrow_invocable_v<const Send&, Unit&&>;

// Puts what many workers make of numbered inputs back into the order of the inputs (Prasaad et
// al. 2018, §3). All outputs of one input are one unit (P5), and each serial number is sent or
// skipped exactly once.
//
//   try_send(serial, unit, send)  hands a unit over and calls `send` for all whose turn has come.
//                                 False, and the unit stays with the caller, while the serial
//                                 number is `size()` or more ahead of the next one to leave: try
//                                 again, and do not let go of the unit in between (X2).
//   try_skip(serial, send)        the same for an input without output. It must be said, or
//                                 everything behind it would wait for ever (A27).
//   next_hint()                   the number whose turn is next; stale before it returns, and
//                                 never ahead.
template <typename Scheme>
concept Reorderer = requires(Scheme& scheme, std::uint64_t serial, typename Scheme::Unit& unit,
                             void (*send)(typename Scheme::Unit&&) noexcept) {
  { scheme.try_send(serial, unit, send) } noexcept -> std::same_as<bool>;
  { scheme.try_skip(serial, send) } noexcept -> std::same_as<bool>;
  { scheme.next_hint() } noexcept -> std::same_as<std::uint64_t>;
  { scheme.size() } noexcept -> std::same_as<std::size_t>;
};

}  // namespace penstock::queue
