package io.penstock.spark.ui;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A status file as a PE writes it; each test changes what it is about. */
final class Told {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ObjectNode file = JSON.createObjectNode();

  private Told() {
    file.put("version", 1).put("pid", ProcessHandle.current().pid()).put("host", "here");
    file.put("stage", 3).put("attempt", 0).put("started", 1000.5).put("seconds", 4.0);
    file.put("threads", 2);
  }

  static Told of(String flow, int partition) {
    Told told = new Told();
    told.file.put("flow", flow).put("partition", partition).put("task", partition);
    return told.state("running");
  }

  Told state(String state) {
    file.put("state", state);
    return this;
  }

  Told with(String name, String text) {
    file.put(name, text);
    return this;
  }

  Told with(String name, long number) {
    file.put(name, number);
    return this;
  }

  Told rows(long rows) {
    file.put("rows_in", rows).put("rows_out", rows / 2);
    return this;
  }

  Told busy(double busy, double blocked) {
    file.withArray("workers").addObject().put("busy", busy).put("blocked", blocked);
    return this;
  }

  Told operator(String name, boolean gil, double busy) {
    file.withArray("operators")
        .addObject()
        .put("name", name)
        .put("kind", "stateless")
        .put("gil", gil)
        .put("tuples", 7)
        .put("rows_in", 100)
        .put("rows_out", 50)
        .put("busy", busy)
        .put("waiting_mean", 1.5)
        .put("waiting_most", 4);
    return this;
  }

  Told channels(String region, int channels) {
    file.withObject("/channels").put(region, channels);
    return this;
  }

  Told inside(String outer, String inner) {
    file.withObject("/inside").withArray(outer).add(inner);
    return this;
  }

  Told decision(double seconds, String text) {
    file.withArray("decisions")
        .addObject()
        .put("seconds", seconds)
        .put("lever", "threads")
        .put("previous", 1)
        .put("chosen", 2)
        .put("reason", "rising")
        .put("text", text)
        .put("before", 90.0)
        .putNull("after");
    return this;
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
