package io.penstock.spark.ui;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.spark.status.PeStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** An executor, its cores and threads to share, and the PEs that run there now. */
final class ExecutorJson {

  /** PEs that are listed at most; the numbers count them all. */
  static final int MOST_PES = 64;

  private ExecutorJson() {}

  static void write(
      String name, Optional<Executors.Place> place, List<PeStatus> running, JsonGenerator to)
      throws IOException {
    to.writeStartObject();
    to.writeStringField("name", name);
    String told = running.stream().map(PeStatus::host).findFirst().orElse("");
    to.writeStringField("host", place.map(Executors.Place::host).orElse(told));
    to.writeNumberField("cores", place.map(Executors.Place::cores).orElse(0));
    // Settings and the machine count there, too; 0 while nobody says so.
    to.writeNumberField("budget", running.stream().mapToInt(PeStatus::budget).max().orElse(0));
    to.writeNumberField("running", running.size());
    to.writeNumberField("threads", running.stream().mapToInt(PeStatus::threads).sum());
    to.writeArrayFieldStart("pes");
    for (PeStatus pe : running.subList(0, Math.min(MOST_PES, running.size()))) {
      to.writeStartObject();
      to.writeStringField("flow", pe.flow());
      to.writeNumberField("stage", pe.stage());
      to.writeNumberField("partition", pe.partition());
      to.writeNumberField("pid", pe.pid());
      to.writeNumberField("threads", pe.threads());
      to.writeNumberField("rows_in", pe.rowsIn());
      Json.number(to, "seconds", pe.seconds());
      to.writeEndObject();
    }
    to.writeEndArray();
    to.writeEndObject();
  }
}
