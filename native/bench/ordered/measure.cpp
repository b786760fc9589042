#include "bench/ordered/measure.hpp"

#include "bench/usage.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench::ordered {

Measured measure(const Entry& entry, const Task& task, const Setup& setup) {
  Job job(task);
  auto contender = entry.make(job, setup);
  const Usage before = usage();
  const Outcome outcome = contender->run();
  const std::int64_t stop = steady_ns();
  const Usage after = usage();
  contender.reset();
  Measured measured{.tuples = task.tuples - outcome.warm_tuples,
                    .seconds = 1e-9 * static_cast<double>(stop - outcome.warm_at),
                    .cpu_seconds = after.cpu_seconds - before.cpu_seconds,
                    .blocked_seconds = 1e-9 * static_cast<double>(outcome.blocked_ns),
                    .blocked_share = static_cast<double>(outcome.blocked_ns) /
                                     static_cast<double>(outcome.worker_ns),
                    .retries = outcome.retries,
                    .outputs = job.sink().taken(),
                    .lost = job.sink().lost(job.outputs()),
                    .duplicated = job.sink().duplicated(),
                    .out_of_order = job.sink().out_of_order(),
                    .checksum = job.sink().checksum(),
                    .expected_checksum = expected_checksum(task)};
  if (!job.latencies().empty()) measured.latency_us = percentiles_us(job.latencies());
  return measured;
}

}  // namespace penstock::bench::ordered
