package io.penstock.spark.status;

import io.penstock.spark.Check;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

public final class StatusReaderTest {

  public void everything_that_a_file_says_is_read() {
    PeStatus status = StatusReader.read("7", Statuses.failed("f", 100)).orElseThrow();
    Check.equal("f", status.flow());
    Check.equal("7", status.executor());
    Check.equal("app-1", status.application());
    Check.equal(
        List.of(3, 4, 1), List.of(status.stage(), status.partition(), status.attempt()));
    Check.equal(17L, status.task());
    Check.equal(1700000000.5, status.started());
    Check.equal(2.5, status.seconds());
    Check.equal(PeStatus.State.FAILED, status.state());
    Check.equal("no luck", status.error());
    Check.equal(List.of(2, 6), List.of(status.threads(), status.budget()));
    Check.equal(List.of(100L, 50L), List.of(status.rowsIn(), status.rowsOut()));
    Check.equal(
        List.of(new OperatorStatus("pick", "stateless", true, 2, 100, 50, 0.5, 0.25, 3)),
        status.operators());
    Check.equal(List.of(new WorkerStatus("feeder", 0.75, 0.25)), status.workers());
    Check.equal(List.of(new LevelStatus(0, 1), new LevelStatus(1.5, 2)), status.levels());
    Check.equal(Map.of("r", 4), status.channels());
    Check.equal(Map.of("r", List.of("a", "b")), status.inside());
    Check.equal(
        List.of(
            new DecisionStatus(
                1.5,
                "threads",
                1,
                2,
                "rising",
                "it rose",
                OptionalDouble.of(9),
                OptionalDouble.empty())),
        status.decisions());
  }

  public void what_is_no_status_is_nothing() {
    String good = Statuses.running("f", 1);
    for (String bad :
        List.of(
            "",
            "{",
            "[]",
            "17",
            "null",
            "{}",
            good.substring(0, good.length() - 5),
            good.replace("\"version\": 1", "\"version\": 2"),
            good.replace("\"running\"", "\"asleep\""),
            "[".repeat(100_000))) {
      Check.equal(Optional.empty(), StatusReader.read("0", bad));
    }
  }

  public void counts_are_never_below_nothing() {
    String text = Statuses.running("f", 8).replace("\"rows_in\": 8", "\"rows_in\": -8");
    PeStatus status = StatusReader.read("0", text).orElseThrow();
    Check.equal(0L, status.rowsIn());
    Check.equal(0L, status.operators().get(0).rowsIn());
  }

  public void lists_and_texts_are_cut_where_they_are_too_long() {
    String many = "[0.0, 1], ".repeat(5_000);
    String text =
        Statuses.running("f".repeat(5_000), 8).replace("\"levels\": [", "\"levels\": [" + many);
    PeStatus status = StatusReader.read("0", text).orElseThrow();
    Check.equal(StatusReader.MOST_ITEMS, status.levels().size());
    Check.equal(StatusReader.MOST_TEXT, status.flow().length());
  }

  public void a_status_can_be_ended_in_the_name_of_a_worker_that_is_gone() throws Exception {
    String text = StatusReader.failed(Statuses.running("f", 8), "gone");
    PeStatus status = StatusReader.read("0", text).orElseThrow();
    Check.equal(PeStatus.State.FAILED, status.state());
    Check.equal("gone", status.error());
    Check.equal(8L, status.rowsIn());
  }
}
