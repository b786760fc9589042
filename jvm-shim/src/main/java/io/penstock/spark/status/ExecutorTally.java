package io.penstock.spark.status;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.Collection;
import java.util.List;

/** What the PEs of one executor did, in numbers that its gauges show. Written by one thread. */
final class ExecutorTally {

  /** What gauges read: all of it of one moment. */
  private record Numbers(
      int running,
      int threads,
      long rowsIn,
      long rowsOut,
      double busySeconds,
      double rowsPerSecond,
      long done,
      long failed) {}

  private long endedIn;
  private long endedOut;
  private double endedBusy;
  private long done;
  private long failed;
  private long lastNanos;
  private volatile Numbers now = new Numbers(0, 0, 0, 0, 0, 0, 0, 0);

  void register(MetricRegistry metrics) {
    metrics.register("pe.running", (Gauge<Integer>) () -> now.running());
    metrics.register("pe.threads", (Gauge<Integer>) () -> now.threads());
    metrics.register("pe.done", (Gauge<Long>) () -> now.done());
    metrics.register("pe.failed", (Gauge<Long>) () -> now.failed());
    metrics.register("rows.in", (Gauge<Long>) () -> now.rowsIn());
    metrics.register("rows.out", (Gauge<Long>) () -> now.rowsOut());
    metrics.register("rows.perSecond", (Gauge<Double>) () -> now.rowsPerSecond());
    metrics.register("busy.seconds", (Gauge<Double>) () -> now.busySeconds());
  }

  /** Takes what was found at one look. */
  void look(long nanos, Collection<PeStatus> running, List<PeStatus> ended) {
    for (PeStatus status : ended) {
      if (status.state() == PeStatus.State.DONE) {
        done++;
      } else {
        failed++;
      }
      endedIn += status.rowsIn();
      endedOut += status.rowsOut();
      endedBusy += status.busySeconds();
    }
    long in = endedIn + running.stream().mapToLong(PeStatus::rowsIn).sum();
    double seconds = (nanos - lastNanos) / 1e9;
    double perSecond = lastNanos == 0 ? 0 : Math.max(0, in - now.rowsIn()) / seconds;
    lastNanos = nanos;
    now =
        new Numbers(
            running.size(),
            running.stream().mapToInt(PeStatus::threads).sum(),
            in,
            endedOut + running.stream().mapToLong(PeStatus::rowsOut).sum(),
            endedBusy + running.stream().mapToDouble(PeStatus::busySeconds).sum(),
            perSecond,
            done,
            failed);
  }
}
