package io.penstock.spark.status;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sums up the PEs of one flow: those that ended once and for all, those that run as they are. */
final class FlowTally {

  /** One a second for a quarter of an hour. */
  static final int MOST_MOMENTS = 900;

  static final long BETWEEN_MOMENTS_MILLIS = 1_000;

  private final String flow;
  private final Map<String, OperatorStatus> endedOperators = new LinkedHashMap<>();
  private final Deque<FlowMoment> moments = new ArrayDeque<>();
  private long done;
  private long failed;
  private long rowsIn;
  private long rowsOut;
  private double busySeconds;
  private long momentMillis;
  private long momentRows;

  FlowTally(String flow) {
    this.flow = flow;
  }

  void ended(PeStatus status) {
    if (status.state() == PeStatus.State.DONE) {
      done++;
    } else {
      failed++;
    }
    rowsIn += status.rowsIn();
    rowsOut += status.rowsOut();
    busySeconds += status.busySeconds();
    addOperators(endedOperators, status);
  }

  FlowStatus with(Collection<PeStatus> running) {
    Map<String, OperatorStatus> operators = new LinkedHashMap<>(endedOperators);
    long in = rowsIn;
    long out = rowsOut;
    double busy = busySeconds;
    int threads = 0;
    for (PeStatus status : running) {
      in += status.rowsIn();
      out += status.rowsOut();
      busy += status.busySeconds();
      threads += status.threads();
      addOperators(operators, status);
    }
    FlowMoment last = running.isEmpty() ? null : moments.peekLast();
    return new FlowStatus(
        flow,
        running.size(),
        done,
        failed,
        threads,
        in,
        out,
        busy,
        last == null ? 0 : last.rowsPerSecond(),
        List.copyOf(operators.values()));
  }

  boolean isTimeForMoment(long nowMillis) {
    return moments.isEmpty() || nowMillis - momentMillis >= BETWEEN_MOMENTS_MILLIS;
  }

  void add(long nowMillis, FlowStatus now) {
    // What came before the first moment came in no known time.
    double perSecond =
        moments.isEmpty()
            ? 0
            : Math.max(0, now.rowsIn() - momentRows) * 1_000.0 / (nowMillis - momentMillis);
    if (moments.size() == MOST_MOMENTS) {
      moments.removeFirst();
    }
    moments.addLast(new FlowMoment(nowMillis, now.running(), now.threads(), perSecond));
    momentMillis = nowMillis;
    momentRows = now.rowsIn();
  }

  List<FlowMoment> moments() {
    return new ArrayList<>(moments);
  }

  private static void addOperators(Map<String, OperatorStatus> to, PeStatus status) {
    for (OperatorStatus operator : status.operators()) {
      if (to.containsKey(operator.name()) || to.size() < StatusReader.MOST_OPERATORS) {
        to.merge(operator.name(), operator, OperatorStatus::and);
      }
    }
  }
}
