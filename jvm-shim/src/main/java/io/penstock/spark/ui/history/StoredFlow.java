package io.penstock.spark.ui.history;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.apache.spark.util.kvstore.KVIndex;

/** A flow of an application in the store of the History Server, which may be on disk. */
public final class StoredFlow {

  @KVIndex private final String id;
  private final String json;

  @JsonCreator
  public StoredFlow(@JsonProperty("id") String id, @JsonProperty("json") String json) {
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
