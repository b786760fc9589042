package io.penstock.spark.status;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.HashSet;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Shows on the driver what flows did, on all executors: gauges come with the flows. */
public final class FlowGauges {

  /** Gauges of operators at most; each costs every sink something, every time. */
  static final int MOST_OPERATORS = 1_000;

  private final MetricRegistry metrics;
  private final StatusBoard board;
  private final Set<String> known = new HashSet<>();
  private int operators;

  private FlowGauges(MetricRegistry metrics, StatusBoard board) {
    this.metrics = metrics;
    this.board = board;
  }

  public static void register(MetricRegistry metrics, StatusBoard board) {
    board.listen(new FlowGauges(metrics, board)::show);
  }

  private synchronized void show(FlowStatus flow) {
    String prefix = "flow." + flow.flow();
    if (known.add(prefix)) {
      whole(prefix + ".pe.running", flow.flow(), FlowStatus::running);
      whole(prefix + ".pe.threads", flow.flow(), FlowStatus::threads);
      whole(prefix + ".pe.done", flow.flow(), FlowStatus::done);
      whole(prefix + ".pe.failed", flow.flow(), FlowStatus::failed);
      whole(prefix + ".rows.in", flow.flow(), FlowStatus::rowsIn);
      whole(prefix + ".rows.out", flow.flow(), FlowStatus::rowsOut);
      real(prefix + ".rows.perSecond", flow.flow(), FlowStatus::rowsPerSecond);
      real(prefix + ".busy.seconds", flow.flow(), FlowStatus::busySeconds);
    }
    for (OperatorStatus operator : flow.operators()) {
      String path = prefix + ".operator." + operator.name();
      if (operators < MOST_OPERATORS && known.add(path)) {
        operators++;
        String name = operator.name();
        whole(path + ".rows.in", flow.flow(), now -> of(now, name).rowsIn());
        whole(path + ".rows.out", flow.flow(), now -> of(now, name).rowsOut());
        real(path + ".busy.seconds", flow.flow(), now -> of(now, name).busySeconds());
      }
    }
  }

  private void whole(String name, String flow, ToLongFunction<FlowStatus> of) {
    metrics.register(
        name, (Gauge<Long>) () -> board.flow(flow).map(of::applyAsLong).orElse(0L));
  }

  private void real(String name, String flow, ToDoubleFunction<FlowStatus> of) {
    metrics.register(
        name, (Gauge<Double>) () -> board.flow(flow).map(of::applyAsDouble).orElse(0.0));
  }

  private static OperatorStatus of(FlowStatus flow, String name) {
    return flow.operators().stream()
        .filter(operator -> operator.name().equals(name))
        .findFirst()
        .orElseGet(() -> new OperatorStatus(name, "", false, 0, 0, 0, 0, 0, 0));
  }
}
