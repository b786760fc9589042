#pragma once

#include <memory>
#include <span>

#include "bench/contender.hpp"

namespace penstock::bench {

// Penstock's own threading models.
[[nodiscard]] std::unique_ptr<Contender> make_manual(Workload& workload, const Setup& setup);
[[nodiscard]] std::unique_ptr<Contender> make_conveyor(Workload& workload, const Setup& setup);
[[nodiscard]] std::unique_ptr<Contender> make_automatic(Workload& workload, const Setup& setup);
[[nodiscard]] std::unique_ptr<Contender> make_dynamic(Workload& workload, const Setup& setup);
[[nodiscard]] std::unique_ptr<Contender> make_dynamic_lru(Workload& workload, const Setup& setup);
[[nodiscard]] std::unique_ptr<Contender> make_dedicated(Workload& workload, const Setup& setup);

// What they are compared with, as far as it needs no library.
[[nodiscard]] std::unique_ptr<Contender> make_chain(Workload& workload, const Setup& setup);
[[nodiscard]] std::unique_ptr<Contender> make_as_printed(Workload& workload, const Setup& setup);

// All of these by name.
[[nodiscard]] std::span<const ContenderEntry> own_contenders();

}  // namespace penstock::bench
