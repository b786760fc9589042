#pragma once

namespace penstock::bench::ordered {

// Floating point operations of the operator in a microsecond, measured at the first call. In a
// file of its own: next to the operator, the compiler sees that nobody uses what it computes.
[[nodiscard]] double flops_per_us();

}  // namespace penstock::bench::ordered
