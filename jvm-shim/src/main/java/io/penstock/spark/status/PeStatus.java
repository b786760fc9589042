package io.penstock.spark.status;

import java.util.List;
import java.util.Map;

/**
 * What one PE last told of itself: a status file, version 1, as docs/metrics.md describes it.
 *
 * <p>Texts come from Python workers as they stand: whoever shows them escapes them.
 *
 * @param executor where it runs; the driver's own name for it
 * @param started seconds since 1970
 * @param seconds it has been running
 * @param error first line of what made it fail; empty unless it failed
 * @param threads that may be at work now
 * @param budget threads that the flows of its executor share; 0 if it shares none
 * @param channels by region
 * @param inside names of the operators within an operator, by its name
 * @param size characters of the file, for bounds
 */
public record PeStatus(
    String flow,
    long pid,
    String host,
    String executor,
    String application,
    int stage,
    int partition,
    int attempt,
    long task,
    double started,
    double seconds,
    State state,
    String error,
    int threads,
    int budget,
    long rowsIn,
    long rowsOut,
    List<OperatorStatus> operators,
    List<WorkerStatus> workers,
    List<LevelStatus> levels,
    Map<String, Integer> channels,
    List<DecisionStatus> decisions,
    Map<String, List<String>> inside,
    int size) {

  /** What became of a PE. */
  public enum State {
    RUNNING,
    DONE,
    FAILED
  }

  public boolean isRunning() {
    return state == State.RUNNING;
  }

  public double busySeconds() {
    return workers.stream().mapToDouble(WorkerStatus::busySeconds).sum();
  }

  PeStatus failed(String why) {
    return new PeStatus(
        flow, pid, host, executor, application, stage, partition, attempt, task, started, seconds,
        State.FAILED, why, threads, budget, rowsIn, rowsOut, operators, workers, levels, channels,
        decisions, inside, size);
  }
}
