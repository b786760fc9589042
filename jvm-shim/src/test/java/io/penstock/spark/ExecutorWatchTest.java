package io.penstock.spark;

import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

final class ExecutorWatchTest {

  private static final String LOST =
      "Unable to create executor due to io.penstock.spark.PenstockPlugin";

  public void an_executor_that_cannot_load_the_plugin_is_told_of_once() {
    ExecutorWatch watch = new ExecutorWatch();
    try (LogCapture log = LogCapture.open()) {
      watch.onExecutorRemoved(new SparkListenerExecutorRemoved(0, "3", LOST));
      watch.onExecutorRemoved(new SparkListenerExecutorRemoved(1, "4", LOST));
      Check.equal(1, log.lines().size());
      Check.contains(log.lines().get(0), "ERROR Executor 3 could not load");
      Check.contains(log.lines().get(0), "spark.jars");
    }
  }

  public void other_losses_are_spark_s_business() {
    ExecutorWatch watch = new ExecutorWatch();
    try (LogCapture log = LogCapture.open()) {
      watch.onExecutorRemoved(new SparkListenerExecutorRemoved(0, "3", "Command exited with 137"));
      watch.onExecutorRemoved(
          new SparkListenerExecutorRemoved(
              0, "4", "Unable to create executor due to org.example.Other"));
      watch.onExecutorRemoved(new SparkListenerExecutorRemoved(0, "5", null));
      Check.equal(0, log.lines().size());
    }
  }
}
