package io.penstock.spark.status;

/** What is asked of processes that have left something behind. */
final class Processes {

  private Processes() {}

  static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}
