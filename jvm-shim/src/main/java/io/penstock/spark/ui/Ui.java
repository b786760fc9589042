package io.penstock.spark.ui;

import io.penstock.spark.status.StatusBoard;
import io.penstock.spark.ui.history.FlowLog;
import java.util.concurrent.Callable;
import org.apache.spark.SparkContext;
import org.apache.spark.ui.SparkUI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The door to the tab: nothing behind it ever fails an application. */
public final class Ui implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Ui.class);

  private FlowLog log;

  private Ui() {}

  /** Shows what is on the board in an application's UI, if it has one, and in its event log. */
  public static Ui start(SparkContext context, StatusBoard board) {
    Ui ui = new Ui();
    Executors executors = new Executors();
    LiveFlows flows = new LiveFlows(board, executors);
    attempt(
        "has no tab in the UI",
        () -> {
          context.addSparkListener(executors);
          if (context.ui().isDefined()) {
            SparkUI spark = context.ui().get();
            PenstockTab.attach(spark, context.appName(), flows);
          }
        });
    attempt(
        "writes nothing into the event log",
        () -> {
          if (context.isEventLogEnabled()) {
            ui.log = new FlowLog(context, board, flows);
          }
        });
    return ui;
  }

  /** Shows what an event log says in the UI that the History Server has for an application. */
  public static void show(SparkUI ui, FlowSource flows, Callable<Boolean> isEmpty) {
    attempt(
        "has no tab in the History Server",
        () -> {
          if (!isEmpty.call()) {
            PenstockTab.attach(ui, ui.getAppName(), flows);
          }
        });
  }

  /** Writes the last words into the event log. */
  @Override
  public void close() {
    if (log != null) {
      attempt("wrote not all into the event log", log::close);
    }
  }

  /** Something that this version of Spark may not be able to do. */
  @FunctionalInterface
  interface Step {
    void take() throws Exception;
  }

  /** Takes a step; where it fails, says in a sentence what that means and goes on. */
  static void attempt(String meaning, Step step) {
    try {
      step.take();
    } catch (Exception | LinkageError missing) {
      LOG.warn(
          "Penstock {}, because this Spark is unlike those that it knows ({}); all else works",
          meaning,
          missing.toString());
      LOG.debug("Why Penstock {}", meaning, missing);
    }
  }
}
