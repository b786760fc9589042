package io.penstock.spark.ui.history;

import io.penstock.spark.ui.Ui;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import scala.collection.immutable.$colon$colon;
import scala.collection.immutable.List;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;

/** The tab in the History Server; META-INF/services names it there. */
public final class PenstockHistory extends OlderScala implements AppHistoryServerPlugin {

  /** Behind Spark's own tabs. */
  private static final int LAST = 1_000;

  @Override
  public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    @SuppressWarnings("unchecked")
    List<SparkListener> none = (List<SparkListener>) (List<?>) Nil$.MODULE$;
    return new $colon$colon<SparkListener>(new FlowEvents(store), none);
  }

  @Override
  public void setupUI(SparkUI ui) {
    LoggedFlows flows = new LoggedFlows(ui.store().store());
    Ui.show(ui, flows, flows::isEmpty);
  }

  @Override
  public int displayOrder() {
    return LAST;
  }
}
