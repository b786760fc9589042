#pragma once

#include <memory>

#include "bench/contender.hpp"

namespace penstock::bench {

[[nodiscard]] std::unique_ptr<Contender> make_tbb_pipeline(Workload& workload, const Setup& setup);
[[nodiscard]] std::unique_ptr<Contender> make_tbb_graph(Workload& workload, const Setup& setup);

}  // namespace penstock::bench
