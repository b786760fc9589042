package io.penstock.spark.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.spark.Check;
import io.penstock.spark.status.StatusBoard;
import java.io.IOException;
import java.util.List;

public final class LiveFlowsTest {

  private final StatusBoard board = new StatusBoard();
  private final LiveFlows flows = new LiveFlows(board, new Executors());
  private int files;

  public void the_overview_has_flows_in_few_words() throws IOException {
    put(Told.of("f", 0).rows(100).busy(3, 1).operator("a", true, 1).operator("b", false, 3));
    put(Told.of("f", 1).rows(50).busy(1, 3).state("done"));
    JsonNode flow = overview().path("flows").path(0);
    Check.equal("f", flow.path("name").asText());
    Check.equal(FlowId.of("f"), flow.path("id").asText());
    Check.equal(List.of(1, 1, 0), numbers(flow, "running", "done", "failed"));
    Check.equal(
        List.of(2, 150, 75, 2), numbers(flow, "threads", "rows_in", "rows_out", "operators"));
    Check.equal(0.5, flow.path("busy_share").asDouble());
    Check.equal(0.25, flow.path("gil_share").asDouble());
  }

  public void the_overview_has_no_operators_one_by_one() throws IOException {
    put(Told.of("f", 0).operator("a_long_name", false, 1));
    Check.holds(!overview().toString().contains("a_long_name"), "it stays small");
  }

  public void executors_have_their_threads_and_what_runs_there() throws IOException {
    put(Told.of("f", 0).rows(100).with("budget", 3));
    put(Told.of("g", 1).rows(50)); // shares nothing
    put(Told.of("g", 2).rows(50).state("done"));
    JsonNode executor = overview().path("executors").path(0);
    Check.equal("7", executor.path("name").asText());
    Check.equal(List.of(2, 4, 3), numbers(executor, "running", "threads", "budget"));
    Check.equal("g", executor.path("pes").path(1).path("flow").asText());
    Check.equal(1, executor.path("pes").path(1).path("partition").asInt());
  }

  public void a_flow_is_told_in_full() throws IOException {
    put(
        Told.of("f", 0)
            .rows(100)
            .busy(1, 1)
            .operator("a", true, 1)
            .channels("r", 4)
            .inside("r", "a")
            .decision(1.5, "it rose")
            .with("error", "no luck")
            .state("failed"));
    JsonNode flow = flow("f");
    JsonNode operator = flow.path("operators").path(0);
    Check.equal("a", operator.path("name").asText());
    Check.equal(
        List.of(7, 100, 50, 4),
        numbers(operator, "tuples", "rows_in", "rows_out", "waiting_most"));
    Check.equal(1.5, operator.path("waiting_mean").asDouble());
    JsonNode partition = flow.path("partitions").path(0);
    Check.equal(List.of(3, 0, 2), numbers(partition, "stage", "partition", "threads"));
    Check.equal("failed", partition.path("state").asText());
    Check.equal("no luck", partition.path("error").asText());
    Check.equal(4, partition.path("channels").path("r").asInt());
    Check.equal("a", flow.path("inside").path("r").path(0).asText());
    JsonNode decision = flow.path("decisions").path(0);
    Check.equal(1002.0, decision.path("at").asDouble());
    Check.equal("it rose", decision.path("text").asText());
    Check.equal(90.0, decision.path("before").asDouble());
    Check.holds(decision.path("after").isNull(), "nobody knows it yet");
    Check.equal(1, flow.path("moments").size());
    Check.equal(3, flow.path("stages").path(0).path("stage").asInt());
  }

  public void no_flow_is_told_for_an_id_that_is_none() throws IOException {
    put(Told.of("f", 0));
    boolean[] found = {true};
    byte[] made = Json.of(to -> found[0] = flows.writeFlow("f", to));
    Check.holds(!found[0] && made.length == 0, "the name is not the id");
  }

  public void partitions_have_an_end_and_the_busiest_are_kept() throws IOException {
    int all = FlowJson.MOST_PARTITIONS + 20;
    for (int partition = 0; partition < all; partition++) {
      put(Told.of("f", partition).busy(partition, 0).state("done"));
    }
    JsonNode flow = flow("f");
    Check.equal(FlowJson.MOST_PARTITIONS, flow.path("partitions").size());
    Check.equal(20, flow.path("partitions_left_out").asInt());
    Check.equal(all - 1, flow.path("partitions").path(0).path("partition").asInt());
    Check.equal(all, flow.path("stages").path(0).path("partitions").asInt());
  }

  public void decisions_have_an_end_and_the_newest_are_kept() throws IOException {
    Told told = Told.of("f", 0);
    Told other = Told.of("f", 1);
    for (int decision = 0; decision < FlowJson.MOST_DECISIONS; decision++) {
      told.decision(decision, "old");
      other.decision(10_000 + decision, "new");
    }
    put(told);
    put(other);
    JsonNode decisions = flow("f").path("decisions");
    Check.equal(FlowJson.MOST_DECISIONS, decisions.size());
    Check.equal("new", decisions.path(FlowJson.MOST_DECISIONS - 1).path("text").asText());
  }

  public void what_runs_on_one_executor_has_an_end_and_is_still_counted() throws IOException {
    for (int partition = 0; partition < ExecutorJson.MOST_PES + 5; partition++) {
      put(Told.of("f", partition));
    }
    JsonNode executor = overview().path("executors").path(0);
    Check.equal(ExecutorJson.MOST_PES, executor.path("pes").size());
    Check.equal(ExecutorJson.MOST_PES + 5, executor.path("running").asInt());
  }

  private void put(Told told) {
    board.put("7", "pe-1-" + files++ + ".json", told.toString());
  }

  private JsonNode overview() throws IOException {
    return new ObjectMapper()
        .readTree(
            Json.of(
                to -> {
                  to.writeStartObject();
                  flows.writeOverview(to);
                  to.writeEndObject();
                }));
  }

  private JsonNode flow(String name) throws IOException {
    return new ObjectMapper().readTree(Json.of(to -> flows.writeFlow(FlowId.of(name), to)));
  }

  private static List<Integer> numbers(JsonNode node, String... names) {
    return java.util.Arrays.stream(names).map(name -> node.path(name).asInt(-1)).toList();
  }
}
