package io.penstock.spark;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the tasks an executor runs now.
 *
 * <p>Spark reports the end of tasks whose start it never reported (one that cannot be read, one
 * killed early), so a counter would drift below the truth. A task keeps its thread from start to
 * end, and the set of those threads cannot drift.
 */
final class RunningTasks {

  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  void startOnThisThread() {
    threads.add(Thread.currentThread());
  }

  void endOnThisThread() {
    threads.remove(Thread.currentThread());
  }

  int count() {
    return threads.size();
  }
}
