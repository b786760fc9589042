package io.penstock.spark.ui;

import io.penstock.spark.Check;
import io.penstock.spark.status.StatusBoard;
import java.util.List;
import java.util.Optional;

public final class SkewTest {

  private final StatusBoard board = new StatusBoard();
  private int files;

  public void a_partition_with_far_more_rows_is_hot() {
    for (int partition = 0; partition < 4; partition++) {
      put(Told.of("f", partition).rows(100).busy(1, 0));
    }
    put(Told.of("f", 4).rows(350).busy(3, 0));
    Skew skew = skews().get(0);
    Check.equal(List.of(3, 5), List.of(skew.stage(), skew.partitions()));
    Check.equal(List.of(100.0, 1.0), List.of(skew.rows(), skew.busySeconds()));
    Check.equal(Optional.of(new Skew.Hot(4, 3.5, "rows")), skew.hot());
  }

  public void a_partition_with_equal_rows_that_takes_far_longer_is_hot() {
    put(Told.of("f", 0).rows(100).busy(1, 0));
    put(Told.of("f", 1).rows(100).busy(4, 0));
    Check.equal(Optional.of(new Skew.Hot(1, 4.0, "time")), skews().get(0).hot());
  }

  public void even_partitions_have_no_hot_one() {
    put(Told.of("f", 0).rows(100).busy(1, 0));
    put(Told.of("f", 1).rows(199).busy(1.9, 0));
    Check.equal(Optional.empty(), skews().get(0).hot());
  }

  public void one_partition_is_not_hot_by_itself() {
    put(Told.of("f", 0).rows(100).busy(9, 0));
    Check.equal(Optional.empty(), skews().get(0).hot());
  }

  public void what_is_over_in_no_time_is_not_hot() {
    put(Told.of("f", 0).rows(1).busy(0.001, 0));
    put(Told.of("f", 1).rows(100).busy(0.05, 0));
    Check.equal(Optional.empty(), skews().get(0).hot());
  }

  public void a_partition_among_empty_ones_is_hot_without_a_ratio() {
    put(Told.of("f", 0).rows(0));
    put(Told.of("f", 1).rows(0));
    put(Told.of("f", 2).rows(100).busy(1, 0));
    Check.equal(Optional.of(new Skew.Hot(2, 0, "rows")), skews().get(0).hot());
  }

  public void the_newest_attempt_of_a_partition_counts() {
    put(Told.of("f", 0).rows(900).busy(9, 0).state("failed"));
    put(Told.of("f", 0).rows(100).busy(1, 0).with("task", 50));
    put(Told.of("f", 1).rows(100).busy(1, 0));
    Skew skew = skews().get(0);
    Check.equal(2, skew.partitions());
    Check.equal(Optional.empty(), skew.hot());
  }

  public void stages_are_judged_apart_and_the_newest_comes_first() {
    put(Told.of("f", 0).rows(1).busy(1, 0).with("stage", 5));
    put(Told.of("f", 0).rows(1_000).busy(9, 0).with("stage", 6));
    Check.equal(List.of(6, 5), skews().stream().map(Skew::stage).toList());
    Check.equal(Optional.empty(), skews().get(0).hot());
  }

  private void put(Told told) {
    board.put("1", "pe-1-" + files++ + ".json", told.toString());
  }

  private List<Skew> skews() {
    List<io.penstock.spark.status.PeStatus> all = new java.util.ArrayList<>(board.running());
    all.addAll(board.ended());
    return Skew.of(all);
  }
}
