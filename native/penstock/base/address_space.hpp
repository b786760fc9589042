#pragma once

#include <cstddef>

namespace penstock::base {

// Whether so much more address space can be had for a thread without taking the last of it, where
// that is limited (RLIMIT_AS, which spark.executor.pyspark.memory sets). Behind the very last byte
// the C library ends the process, so a quarter is left for the work itself.
[[nodiscard]] bool has_room_for_thread(std::size_t bytes) noexcept;

// Lets threads share the arenas of malloc, each of which reserves 64 MiB of address space. To be
// called where that is limited, before threads start.
void share_arenas() noexcept;

}  // namespace penstock::base
