package io.penstock.spark.ui.history;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * What a flow has done so far, in Spark's event log; the last one of a flow counts.
 *
 * <p>A History Server without Penstock's jar passes over it.
 */
public final class FlowEvent implements SparkListenerEvent {

  private final String id;
  private final String json;

  /**
   * An event.
   *
   * @param id of the flow
   * @param json what the page of the flow reads
   */
  @JsonCreator
  public FlowEvent(@JsonProperty("id") String id, @JsonProperty("json") String json) {
    this.id = id;
    this.json = json;
  }

  @JsonProperty("id")
  public String id() {
    return id;
  }

  @JsonProperty("json")
  public String json() {
    return json;
  }
}
