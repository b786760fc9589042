package io.penstock.spark.ui;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.spark.status.FlowStatus;
import io.penstock.spark.status.PeStatus;
import io.penstock.spark.status.StatusBoard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the driver's board shows now. */
public final class LiveFlows implements FlowSource {

  private final StatusBoard board;
  private final Executors executors;

  public LiveFlows(StatusBoard board, Executors executors) {
    this.board = board;
    this.executors = executors;
  }

  @Override
  public void writeOverview(JsonGenerator to) throws IOException {
    List<PeStatus> running = board.running();
    List<PeStatus> all = new ArrayList<>(running);
    all.addAll(board.ended());
    Map<String, List<PeStatus>> byFlow =
        all.stream().collect(Collectors.groupingBy(PeStatus::flow));
    to.writeBooleanField("live", true);
    to.writeArrayFieldStart("flows");
    for (FlowStatus flow : board.flows()) {
      FlowJson.writeSummary(flow, byFlow.getOrDefault(flow.flow(), List.of()), to);
    }
    to.writeEndArray();
    to.writeBooleanField("more_flows", board.hasMoreFlows());
    writeExecutors(running, to);
  }

  @Override
  public boolean writeFlow(String id, JsonGenerator to) throws IOException {
    Optional<FlowStatus> found =
        board.flows().stream().filter(flow -> FlowId.of(flow.flow()).equals(id)).findFirst();
    if (found.isEmpty()) {
      return false;
    }
    writeFlow(found.get(), to);
    return true;
  }

  /** Writes all that is known of a flow. */
  public void writeFlow(FlowStatus flow, JsonGenerator to) throws IOException {
    List<PeStatus> pes = new ArrayList<>();
    board.running().stream().filter(pe -> pe.flow().equals(flow.flow())).forEach(pes::add);
    board.ended().stream().filter(pe -> pe.flow().equals(flow.flow())).forEach(pes::add);
    FlowJson.write(flow, pes, board.history(flow.flow()), to);
  }

  private void writeExecutors(List<PeStatus> running, JsonGenerator to) throws IOException {
    Map<String, List<PeStatus>> pes = new LinkedHashMap<>();
    Map<String, Executors.Place> places = executors.places();
    places.keySet().forEach(executor -> pes.put(executor, new ArrayList<>()));
    // One may be heard of before Spark says that it is there.
    running.forEach(pe -> pes.computeIfAbsent(pe.executor(), one -> new ArrayList<>()).add(pe));
    to.writeArrayFieldStart("executors");
    for (Map.Entry<String, List<PeStatus>> executor : pes.entrySet()) {
      ExecutorJson.write(
          executor.getKey(),
          Optional.ofNullable(places.get(executor.getKey())),
          executor.getValue(),
          to);
    }
    to.writeEndArray();
  }
}
