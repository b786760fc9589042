package io.penstock.spark.ui.history;

import io.penstock.spark.Check;
import java.util.ArrayList;
import java.util.List;

public final class TurnsTest {

  private final Turns turns = new Turns();

  public void a_flow_is_written_after_twice_as_long_each_time() {
    Check.equal(List.of(5L, 15L, 35L, 75L, 155L, 315L, 635L), written(1_000));
  }

  public void intervals_have_an_end() {
    List<Long> all = written(10_000);
    int last = all.size() - 1;
    Check.equal(Turns.MOST_MILLIS / 1_000, all.get(last) - all.get(last - 1));
  }

  public void each_flow_has_its_own_turns() {
    Check.holds(!turns.isDue("f", 0), "it is new");
    Check.holds(!turns.isDue("g", Turns.FIRST_MILLIS), "so is this one");
    Check.holds(turns.isDue("f", Turns.FIRST_MILLIS), "its time has come");
  }

  /** The seconds at which a flow is written that is heard of each second. */
  private List<Long> written(long seconds) {
    List<Long> found = new ArrayList<>();
    for (long second = 0; second < seconds; second++) {
      if (turns.isDue("f", second * 1_000)) {
        found.add(second);
      }
    }
    return found;
  }
}
