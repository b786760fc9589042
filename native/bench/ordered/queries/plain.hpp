#pragma once

#include <vector>

#include "bench/ordered/queries/input.hpp"

namespace penstock::bench::queries {

// The queries as one thread would compute them, without operators: what every run is compared
// with. They share nothing with the pipelines.
[[nodiscard]] std::vector<Output> plain_q1(const Input& input);
[[nodiscard]] std::vector<Output> plain_q2(const Input& input);
[[nodiscard]] std::vector<Output> plain_q3(const Input& input);
[[nodiscard]] std::vector<Output> plain_q4(const Input& input);
[[nodiscard]] std::vector<Output> plain_q15(const Input& input);
[[nodiscard]] std::vector<Output> plain_fan(const Input& input);

}  // namespace penstock::bench::queries
