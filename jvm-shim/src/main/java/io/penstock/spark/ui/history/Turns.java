package io.penstock.spark.ui.history;

import java.util.HashMap;
import java.util.Map;

/** When each flow is written: soon at first, then after twice as long each time. */
final class Turns {

  static final long FIRST_MILLIS = 5_000;
  static final long MOST_MILLIS = 600_000;

  private record Turn(long due, long interval) {}

  private final Map<String, Turn> turns = new HashMap<>();

  /** Whether a flow that was just heard of is written now. */
  synchronized boolean isDue(String flow, long nowMillis) {
    Turn turn = turns.get(flow);
    if (turn == null) {
      turns.put(flow, new Turn(nowMillis + FIRST_MILLIS, FIRST_MILLIS));
      return false;
    }
    if (nowMillis < turn.due()) {
      return false;
    }
    long next = Math.min(MOST_MILLIS, 2 * turn.interval());
    turns.put(flow, new Turn(nowMillis + next, next));
    return true;
  }
}
