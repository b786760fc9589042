#pragma once

#include <cstddef>
#include <vector>

#include "bench/ordered/queries/input.hpp"
#include "bench/ordered/queries/step.hpp"

namespace penstock::bench::queries {

// The queries as pipelines of operators; see query.hpp.
[[nodiscard]] std::vector<Step> q1_steps(const Input& input, std::size_t partitions);
[[nodiscard]] std::vector<Step> q2_steps(const Input& input, std::size_t partitions);
[[nodiscard]] std::vector<Step> q3_steps(const Input& input, std::size_t partitions);
[[nodiscard]] std::vector<Step> q4_steps(const Input& input, std::size_t partitions);
[[nodiscard]] std::vector<Step> q15_steps(const Input& input, std::size_t partitions);
[[nodiscard]] std::vector<Step> fan_steps(const Input& input, std::size_t partitions);

}  // namespace penstock::bench::queries
