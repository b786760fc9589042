package io.penstock.spark;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says on the driver why no executor comes up where executors do not have the plugin's jar.
 *
 * <p>Such an executor dies before any code of the plugin runs, Spark starts the next, and the job
 * waits. All that reaches the driver is the name of the class, inside a loss among others.
 */
final class ExecutorWatch extends SparkListener {

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorWatch.class);

  private boolean told;

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    if (!told && isForWantOfTheJar(removed.reason())) {
      told = true;
      LOG.error(
          "Executor {} could not load {} and died, as every executor without the Penstock jar will,"
              + " so that jobs wait for ever. Set spark.jars to what `penstock jar` prints, or"
              + " spark.executor.extraClassPath beside spark.driver.extraClassPath, or take the"
              + " class out of spark.plugins: flows do not need it.",
          removed.executorId(),
          PenstockPlugin.class.getName());
    }
  }

  /** Spark's reason is the message of a ClassNotFoundException, which is the name alone. */
  static boolean isForWantOfTheJar(String reason) {
    return reason != null
        && reason.contains("Unable to create executor")
        && reason.contains(PenstockPlugin.class.getName());
  }
}
