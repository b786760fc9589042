package io.penstock.spark.ui;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/** The executors that are there now and the cores that Spark gave to each. */
public final class Executors extends SparkListener {

  /** An executor: where it is, and its cores by Spark. */
  public record Place(String host, int cores) {}

  private final Map<String, Place> places = new LinkedHashMap<>();

  @Override
  public synchronized void onExecutorAdded(SparkListenerExecutorAdded added) {
    places.put(
        added.executorId(),
        new Place(added.executorInfo().executorHost(), added.executorInfo().totalCores()));
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    places.remove(removed.executorId());
  }

  /** By the name of the executor, oldest first. */
  public synchronized Map<String, Place> places() {
    return new LinkedHashMap<>(places);
  }
}
