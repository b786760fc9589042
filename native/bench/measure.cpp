#include "bench/measure.hpp"

#include "bench/usage.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench {

Measured measure(const ContenderEntry& entry, const Task& task, const Setup& setup) {
  Workload workload(task);
  auto contender = entry.make(workload, setup);
  Usage before = usage();
  std::int64_t start = steady_ns();
  if (task.warm > 0) {
    workload.sink.note_at(task.warm, [&before, &start, &workload] {
      before = usage();
      start = steady_ns();
      workload.sink.latencies().clear();
    });
  }
  contender->run();
  const std::int64_t stop = steady_ns();
  const Usage after = usage();
  contender.reset();
  Sink& sink = workload.sink;
  Measured measured{.tuples = sink.taken() - task.warm,
                    .seconds = 1e-9 * static_cast<double>(stop - start),
                    .cpu_seconds = after.cpu_seconds - before.cpu_seconds,
                    .context_switches = after.context_switches - before.context_switches,
                    .lost = sink.lost(workload.source.sent()),
                    .duplicated = sink.duplicated(),
                    .out_of_order = sink.out_of_order(),
                    .checksum = sink.checksum()};
  if (workload.source.paced()) {
    measured.latency_us = percentiles_us(sink.latencies());
    measured.delay_us = percentiles_us(workload.source.delays());
  }
  return measured;
}

}  // namespace penstock::bench
