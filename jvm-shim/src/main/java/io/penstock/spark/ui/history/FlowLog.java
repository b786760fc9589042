package io.penstock.spark.ui.history;

import io.penstock.spark.status.FlowStatus;
import io.penstock.spark.status.StatusBoard;
import io.penstock.spark.ui.FlowId;
import io.penstock.spark.ui.Json;
import io.penstock.spark.ui.LiveFlows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what flows do into the event log of a running application.
 *
 * <p>Each time it says everything again, so it does so at ever longer intervals: a log that grows
 * with the logarithm of the time, and a driver that is killed loses less than half of it, or the
 * last minutes. What happened since is said when the application ends.
 */
public final class FlowLog implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FlowLog.class);

  private final SparkContext context;
  private final StatusBoard board;
  private final LiveFlows flows;
  private final Turns turns = new Turns();

  public FlowLog(SparkContext context, StatusBoard board, LiveFlows flows) {
    this.context = context;
    this.board = board;
    this.flows = flows;
    board.listen(this::heard);
  }

  private void heard(FlowStatus flow) {
    if (turns.isDue(flow.flow(), System.currentTimeMillis())) {
      try {
        context.listenerBus().post(event(flow));
      } catch (IOException | RuntimeException | LinkageError broken) {
        LOG.debug("Penstock could not write flow '{}' into the event log", flow.flow(), broken);
      }
    }
  }

  private FlowEvent event(FlowStatus flow) throws IOException {
    byte[] json = Json.of(to -> flows.writeFlow(flow, to));
    return new FlowEvent(FlowId.of(flow.flow()), new String(json, StandardCharsets.UTF_8));
  }

  /** Says how things ended. */
  @Override
  public void close() throws IOException, ReflectiveOperationException {
    boolean busIsGone = isBusGone();
    for (FlowStatus flow : board.flows()) {
      FlowEvent last = event(flow);
      if (busIsGone) {
        // Spark 3.5 stops the bus before its plugins and the log after them: nobody else writes.
        context.eventLogger().get().onOtherEvent(last);
      } else {
        context.listenerBus().post(last);
      }
    }
  }

  /** A bus that was stopped has no queues any more; it takes events then, and drops them. */
  private boolean isBusGone() throws ReflectiveOperationException {
    Object queues =
        context.listenerBus().getClass().getMethod("activeQueues").invoke(context.listenerBus());
    return ((scala.collection.Iterable<?>) queues).isEmpty();
  }
}
