package io.penstock.spark.ui;

import io.penstock.spark.status.PeStatus;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * How evenly the work of one stage is spread over its partitions.
 *
 * @param partitions that are known
 * @param rows of input in the partition in the middle
 * @param busySeconds of the partition in the middle
 * @param hot the partition that has far more to do than that one, if any
 */
record Skew(int stage, int partitions, double rows, double busySeconds, Optional<Hot> hot) {

  /**
   * The partition that a stage waits for.
   *
   * @param times as much as the partition in the middle has; 0 if that one has nothing
   * @param of what: rows, or time
   */
  record Hot(int partition, double times, String of) {}

  /** Less is no skew that anybody would act upon. */
  static final double HOT = 2.0;

  /** What is over so soon is not worth a word. */
  private static final double LEAST_SECONDS = 0.1;

  /** One for each stage, newest first. */
  static List<Skew> of(Collection<PeStatus> pes) {
    Map<Integer, Map<Integer, PeStatus>> stages = new TreeMap<>(Comparator.reverseOrder());
    for (PeStatus pe : pes) {
      stages
          .computeIfAbsent(pe.stage(), stage -> new HashMap<>())
          .merge(pe.partition(), pe, (one, other) -> one.task() > other.task() ? one : other);
    }
    return stages.entrySet().stream()
        .map(stage -> of(stage.getKey(), stage.getValue().values()))
        .toList();
  }

  private static Skew of(int stage, Collection<PeStatus> partitions) {
    double rows = median(partitions, PeStatus::rowsIn);
    double seconds = median(partitions, PeStatus::busySeconds);
    return new Skew(stage, partitions.size(), rows, seconds, hot(partitions, rows, seconds));
  }

  /** More rows are a reason for more time, so they are named first. */
  private static Optional<Hot> hot(Collection<PeStatus> all, double rows, double seconds) {
    return hot(all, PeStatus::rowsIn, rows, "rows")
        .or(() -> hot(all, PeStatus::busySeconds, seconds, "time"));
  }

  private static Optional<Hot> hot(
      Collection<PeStatus> all, ToDoubleFunction<PeStatus> of, double middle, String word) {
    PeStatus most = all.stream().max(Comparator.comparingDouble(of)).orElseThrow();
    double value = of.applyAsDouble(most);
    if (all.size() == 1 || most.busySeconds() < LEAST_SECONDS || value < HOT * middle) {
      return Optional.empty();
    }
    return Optional.of(new Hot(most.partition(), middle == 0 ? 0 : value / middle, word));
  }

  /** The lower one of two in the middle, so that two partitions can differ. */
  private static double median(Collection<PeStatus> all, ToDoubleFunction<PeStatus> of) {
    double[] sorted = all.stream().mapToDouble(of).sorted().toArray();
    return sorted[(sorted.length - 1) / 2];
  }
}
