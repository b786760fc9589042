package io.penstock.spark.ui.history;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.status.ElementTrackingStore;

/** Keeps the last event of each flow while the History Server reads an event log. */
final class FlowEvents extends SparkListener {

  private final ElementTrackingStore store;

  FlowEvents(ElementTrackingStore store) {
    this.store = store;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof FlowEvent flow) {
      store.write(new StoredFlow(flow.id(), flow.json()));
    }
  }
}
