package io.penstock.spark.ui;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.spark.status.DecisionStatus;
import io.penstock.spark.status.FlowMoment;
import io.penstock.spark.status.FlowStatus;
import io.penstock.spark.status.OperatorStatus;
import io.penstock.spark.status.PeStatus;
import io.penstock.spark.status.WorkerStatus;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** A flow as the page reads it. All lists are bounded, and the page says what is left out. */
final class FlowJson {

  static final int MOST_PARTITIONS = 500;
  static final int MOST_DECISIONS = 500;
  static final int MOST_STAGES = 50;

  private record Decided(PeStatus pe, DecisionStatus decision) {
    double at() {
      return pe.started() + decision.seconds();
    }
  }

  private FlowJson() {}

  static void write(
      FlowStatus flow, List<PeStatus> pes, List<FlowMoment> moments, JsonGenerator to)
      throws IOException {
    to.writeStartObject();
    to.writeFieldName("flow");
    writeSummary(flow, pes, to);
    writeOperators(flow, to);
    writeInside(pes, to);
    writeMoments(moments, to);
    List<PeStatus> shown = shown(pes);
    writePartitions(shown, to);
    to.writeNumberField("partitions_left_out", pes.size() - shown.size());
    writeDecisions(pes, to);
    writeStages(pes, to);
    to.writeEndObject();
  }

  /**
   * Writes a flow in few words.
   *
   * @param pes of this flow that are known one by one
   */
  static void writeSummary(FlowStatus flow, List<PeStatus> pes, JsonGenerator to)
      throws IOException {
    double busy = 0;
    double blocked = 0;
    for (PeStatus pe : pes) {
      for (WorkerStatus worker : pe.workers()) {
        busy += worker.busySeconds();
        blocked += worker.blockedSeconds();
      }
    }
    double worked = 0;
    double underGil = 0;
    for (OperatorStatus operator : flow.operators()) {
      worked += operator.busySeconds();
      underGil += operator.gil() ? operator.busySeconds() : 0;
    }
    to.writeStartObject();
    to.writeStringField("id", FlowId.of(flow.flow()));
    to.writeStringField("name", flow.flow());
    to.writeNumberField("running", flow.running());
    to.writeNumberField("done", flow.done());
    to.writeNumberField("failed", flow.failed());
    to.writeNumberField("threads", flow.threads());
    to.writeNumberField("rows_in", flow.rowsIn());
    to.writeNumberField("rows_out", flow.rowsOut());
    Json.number(to, "rows_per_second", flow.rowsPerSecond());
    Json.number(to, "busy_seconds", flow.busySeconds());
    Json.number(to, "busy_share", share(busy, busy + blocked));
    Json.number(to, "gil_share", share(underGil, worked));
    to.writeNumberField("operators", flow.operators().size());
    to.writeEndObject();
  }

  private static void writeOperators(FlowStatus flow, JsonGenerator to) throws IOException {
    to.writeArrayFieldStart("operators");
    for (OperatorStatus operator : flow.operators()) {
      to.writeStartObject();
      to.writeStringField("name", operator.name());
      to.writeStringField("kind", operator.kind());
      to.writeBooleanField("gil", operator.gil());
      to.writeNumberField("tuples", operator.tuples());
      to.writeNumberField("rows_in", operator.rowsIn());
      to.writeNumberField("rows_out", operator.rowsOut());
      Json.number(to, "busy", operator.busySeconds());
      Json.number(to, "waiting_mean", operator.waitingMean());
      to.writeNumberField("waiting_most", operator.waitingMost());
      to.writeEndObject();
    }
    to.writeEndArray();
  }

  /** Every PE of a flow has the same operators, unless the flow was changed; the newest counts. */
  private static void writeInside(List<PeStatus> pes, JsonGenerator to) throws IOException {
    Map<String, List<String>> inside =
        pes.stream()
            .max(Comparator.comparingDouble(PeStatus::started))
            .map(PeStatus::inside)
            .orElse(Map.of());
    to.writeObjectFieldStart("inside");
    for (Map.Entry<String, List<String>> outer : inside.entrySet()) {
      to.writeArrayFieldStart(outer.getKey());
      for (String inner : outer.getValue()) {
        to.writeString(inner);
      }
      to.writeEndArray();
    }
    to.writeEndObject();
  }

  /** Each as an array, for there are many: when, PEs, threads, rows a second. */
  private static void writeMoments(List<FlowMoment> moments, JsonGenerator to)
      throws IOException {
    to.writeArrayFieldStart("moments");
    for (FlowMoment moment : moments) {
      to.writeStartArray();
      to.writeNumber(moment.millis() / 1e3);
      to.writeNumber(moment.running());
      to.writeNumber(moment.threads());
      to.writeNumber(Math.round(moment.rowsPerSecond()));
      to.writeEndArray();
    }
    to.writeEndArray();
  }

  /** Of the newest stages, those with the most to do. */
  private static List<PeStatus> shown(List<PeStatus> pes) {
    return pes.stream()
        .sorted(
            Comparator.comparingInt(PeStatus::stage)
                .thenComparingDouble(PeStatus::busySeconds)
                .reversed())
        .limit(MOST_PARTITIONS)
        .toList();
  }

  private static void writePartitions(List<PeStatus> shown, JsonGenerator to)
      throws IOException {
    to.writeArrayFieldStart("partitions");
    for (PeStatus pe : shown) {
      to.writeStartObject();
      to.writeNumberField("stage", pe.stage());
      to.writeNumberField("partition", pe.partition());
      to.writeNumberField("attempt", pe.attempt());
      to.writeStringField("executor", pe.executor());
      to.writeStringField("state", pe.state().name().toLowerCase(Locale.ROOT));
      to.writeStringField("error", pe.error());
      Json.number(to, "started", pe.started());
      Json.number(to, "seconds", pe.seconds());
      Json.number(to, "busy", pe.busySeconds());
      to.writeNumberField("threads", pe.threads());
      to.writeNumberField("rows_in", pe.rowsIn());
      to.writeNumberField("rows_out", pe.rowsOut());
      to.writeObjectFieldStart("channels");
      for (Map.Entry<String, Integer> region : pe.channels().entrySet()) {
        to.writeNumberField(region.getKey(), region.getValue());
      }
      to.writeEndObject();
      to.writeEndObject();
    }
    to.writeEndArray();
  }

  private static void writeDecisions(List<PeStatus> pes, JsonGenerator to) throws IOException {
    List<Decided> newest =
        pes.stream()
            .flatMap(pe -> pe.decisions().stream().map(one -> new Decided(pe, one)))
            .sorted(Comparator.comparingDouble(Decided::at).reversed())
            .limit(MOST_DECISIONS)
            .toList();
    to.writeArrayFieldStart("decisions");
    for (Decided one : newest) {
      to.writeStartObject();
      Json.number(to, "at", one.at());
      to.writeNumberField("stage", one.pe().stage());
      to.writeNumberField("partition", one.pe().partition());
      to.writeNumberField("attempt", one.pe().attempt());
      to.writeStringField("lever", one.decision().lever());
      to.writeNumberField("previous", one.decision().previous());
      to.writeNumberField("chosen", one.decision().chosen());
      to.writeStringField("reason", one.decision().reason());
      to.writeStringField("text", one.decision().text());
      known(to, "before", one.decision().before());
      known(to, "after", one.decision().after());
      to.writeEndObject();
    }
    to.writeEndArray();
  }

  private static void writeStages(List<PeStatus> pes, JsonGenerator to) throws IOException {
    to.writeArrayFieldStart("stages");
    for (Skew skew : Skew.of(pes).stream().limit(MOST_STAGES).toList()) {
      to.writeStartObject();
      to.writeNumberField("stage", skew.stage());
      to.writeNumberField("partitions", skew.partitions());
      Json.number(to, "rows", skew.rows());
      Json.number(to, "busy", skew.busySeconds());
      if (skew.hot().isPresent()) {
        Skew.Hot hot = skew.hot().get();
        to.writeObjectFieldStart("hot");
        to.writeNumberField("partition", hot.partition());
        Json.number(to, "times", hot.times());
        to.writeStringField("of", hot.of());
        to.writeEndObject();
      }
      to.writeEndObject();
    }
    to.writeEndArray();
  }

  private static void known(JsonGenerator to, String name, OptionalDouble value)
      throws IOException {
    if (value.isPresent()) {
      Json.number(to, name, value.getAsDouble());
    } else {
      to.writeNullField(name);
    }
  }

  private static double share(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }
}
