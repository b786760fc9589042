package io.penstock.spark.ui.history;

import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.ElementTrackingStore;

/**
 * The method of the History Server's plugins as Spark with Scala 2.12 knows it.
 *
 * <p>There it returns another kind of sequence. A subclass that returns the newer kind has both
 * methods once compiled, and so one jar serves both.
 */
abstract class OlderScala {

  public abstract scala.collection.Seq<SparkListener> createListeners(
      SparkConf conf, ElementTrackingStore store);
}
