#include "bench/ordered/queries/measure.hpp"

#include "bench/usage.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench::queries {

Prepared::Prepared(const Query& asked, std::size_t rows)
    : query(&asked), input(asked.make_input(rows)), wanted(asked.plain(input)) {}

Measured measure(const Entry& entry, const Prepared& prepared, const Setup& setup) {
  Results results(prepared.input.end());
  auto runner = entry.make(*prepared.query, prepared.input, setup, results);
  const Usage before = usage();
  const auto start = steady_ns();
  runner->run();
  const auto stop = steady_ns();
  const Usage after = usage();
  return {.seconds = 1e-9 * static_cast<double>(stop - start),
          .cpu_seconds = after.cpu_seconds - before.cpu_seconds,
          .outputs = results.outputs().size(),
          .difference = difference(prepared.wanted, results.outputs()),
          .latency_us = percentiles_us(results.latencies())};
}

}  // namespace penstock::bench::queries
