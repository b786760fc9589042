package io.penstock.spark.status;

import io.penstock.spark.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

public final class StatusBoardTest {

  private final AtomicLong millis = new AtomicLong(1_000_000);
  private final StatusBoard board = new StatusBoard(millis::get);

  public void the_latest_status_of_a_pe_that_runs_is_shown() {
    board.put("1", "pe-1-0.json", Statuses.running("f", 10));
    board.put("1", "pe-1-0.json", Statuses.running("f", 30));
    Check.equal(List.of(30L), board.running().stream().map(PeStatus::rowsIn).toList());
    Check.equal(List.of(), board.ended());
  }

  public void the_same_file_name_on_another_executor_is_another_pe() {
    board.put("1", "pe-1-0.json", Statuses.running("f", 10));
    board.put("2", "pe-1-0.json", Statuses.running("f", 30));
    Check.equal(40L, board.flow("f").orElseThrow().rowsIn());
  }

  public void a_pe_that_ended_is_counted_once() {
    board.put("1", "pe-1-0.json", Statuses.running("f", 10));
    board.put("1", "pe-1-0.json", Statuses.done("f", 30));
    board.put("1", "pe-1-0.json", Statuses.done("f", 30));
    board.put("1", "pe-1-0.json", Statuses.running("f", 20));
    Check.equal(List.of(), board.running());
    FlowStatus flow = board.flow("f").orElseThrow();
    Check.equal(30L, flow.rowsIn());
    Check.equal(1L, flow.done());
    Check.equal(0.75, flow.busySeconds());
  }

  public void sums_of_a_flow_hold_what_ended_and_what_runs() {
    board.put("1", "pe-1-0.json", Statuses.done("f", 10));
    board.put("1", "pe-1-1.json", Statuses.failed("f", 20));
    board.put("2", "pe-1-0.json", Statuses.running("f", 40));
    board.put("2", "pe-2-0.json", Statuses.running("g", 80));
    FlowStatus flow = board.flow("f").orElseThrow();
    Check.equal(70L, flow.rowsIn());
    Check.equal(35L, flow.rowsOut());
    Check.equal(List.of(1, 2), List.of(flow.running(), flow.threads()));
    Check.equal(List.of(1L, 1L), List.of(flow.done(), flow.failed()));
    OperatorStatus pick = flow.operators().get(0);
    Check.equal(List.of(70L, 35L, 6L), List.of(pick.rowsIn(), pick.rowsOut(), pick.tuples()));
    Check.equal(List.of("f", "g"), board.flows().stream().map(FlowStatus::flow).toList());
    Check.equal(Optional.empty(), board.flow("h"));
  }

  public void old_ones_that_ended_are_forgotten_but_stay_in_the_sums() {
    int all = StatusBoard.MOST_ENDED + 100;
    for (int pe = 0; pe < all; pe++) {
      board.put("1", "pe-" + pe + "-0.json", Statuses.done("f", pe));
    }
    List<PeStatus> ended = board.ended();
    Check.equal(StatusBoard.MOST_ENDED, ended.size());
    Check.equal((long) all - 1, ended.get(0).rowsIn());
    Check.equal((long) all, board.flow("f").orElseThrow().done());
    Check.equal(all * (all - 1) / 2L, board.flow("f").orElseThrow().rowsIn());
  }

  public void a_pe_that_is_silent_for_long_counts_as_failed() {
    board.put("1", "pe-1-0.json", Statuses.running("f", 10));
    millis.addAndGet(StatusBoard.MOST_SILENT_MILLIS);
    Check.equal(1, board.running().size());
    millis.incrementAndGet();
    Check.equal(0, board.running().size());
    Check.contains(board.ended().get(0).error(), "no longer heard of");
    Check.equal(1L, board.flow("f").orElseThrow().failed());
  }

  public void throughput_and_threads_are_remembered_second_by_second() {
    board.put("1", "pe-1-0.json", Statuses.running("f", 100));
    millis.addAndGet(500);
    board.put("1", "pe-1-0.json", Statuses.running("f", 300));
    millis.addAndGet(1_500);
    board.put("1", "pe-1-0.json", Statuses.running("f", 900));
    Check.equal(
        List.of(
            new FlowMoment(1_000_000, 1, 2, 0.0), new FlowMoment(1_002_000, 1, 2, 400.0)),
        board.history("f"));
    Check.equal(400.0, board.flow("f").orElseThrow().rowsPerSecond());
    board.put("1", "pe-1-0.json", Statuses.done("f", 900));
    Check.equal(0.0, board.flow("f").orElseThrow().rowsPerSecond());
    Check.equal(List.of(), board.history("g"));
  }

  public void the_history_has_an_end() {
    for (int second = 0; second < 2 * FlowTally.MOST_MOMENTS; second++) {
      board.put("1", "pe-1-0.json", Statuses.running("f", second));
      millis.addAndGet(1_000);
    }
    Check.equal(FlowTally.MOST_MOMENTS, board.history("f").size());
  }

  public void flows_have_an_end_which_is_said_when_one_is_left_out() {
    for (int flow = 0; flow < StatusBoard.MOST_FLOWS; flow++) {
      board.put("1", "pe-1-0.json", Statuses.running("f" + flow, 1));
    }
    board.put("1", "pe-1-0.json", Statuses.running("f0", 2));
    Check.holds(!board.hasMoreFlows(), "all of them are there");
    board.put("1", "pe-1-0.json", Statuses.running("another", 1));
    Check.equal(StatusBoard.MOST_FLOWS, board.flows().size());
    Check.holds(board.hasMoreFlows(), "one was left out");
  }

  public void whoever_listens_hears_of_a_flow_when_it_is_new() {
    List<String> heard = new ArrayList<>();
    board.listen(flow -> heard.add(flow.flow()));
    board.put("1", "pe-1-0.json", Statuses.running("f", 1));
    board.put("1", "pe-1-1.json", Statuses.running("f", 1));
    board.put("1", "pe-1-2.json", Statuses.running("g", 1));
    Check.equal(List.of("f", "g"), heard);
  }

  public void what_is_no_status_changes_nothing() {
    board.put("1", "pe-1-0.json", "{}");
    Check.equal(List.of(), board.flows());
  }
}
