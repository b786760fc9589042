package io.penstock.spark.status;

import java.util.Locale;

/** Status files as a PE writes them, in few words. */
final class Statuses {

  private Statuses() {}

  static String running(String flow, long rows) {
    return text(flow, "running", rows, 2, ProcessHandle.current().pid());
  }

  static String done(String flow, long rows) {
    return text(flow, "done", rows, 2, ProcessHandle.current().pid());
  }

  static String failed(String flow, long rows) {
    return text(flow, "failed", rows, 2, ProcessHandle.current().pid());
  }

  static String ofProcess(long pid, String flow, long rows) {
    return text(flow, "running", rows, 2, pid);
  }

  private static String text(String flow, String state, long rows, int threads, long pid) {
    return String.format(
        Locale.ROOT,
        "{\"version\": 1, \"flow\": \"%s\", \"pid\": %d, \"host\": \"here\", \"executor\": null,"
            + " \"application\": \"app-1\", \"stage\": 3, \"partition\": 4, \"attempt\": 1,"
            + " \"task\": 17, \"started\": 1700000000.5, \"seconds\": 2.5, \"state\": \"%s\","
            + " \"error\": %s, \"threads\": %d, \"budget\": 6, \"rows_in\": %d, \"rows_out\": %d, \"operators\":"
            + " [{\"name\": \"pick\", \"kind\": \"stateless\", \"gil\": true, \"tuples\": 2,"
            + " \"rows_in\": %d, \"rows_out\": %d, \"busy\": 0.5, \"waiting_mean\": 0.25,"
            + " \"waiting_most\": 3}], \"workers\": [{\"name\": \"feeder\", \"busy\": 0.75,"
            + " \"blocked\": 0.25}], \"levels\": [[0.0, 1], [1.5, 2]], \"channels\": {\"r\": 4},"
            + " \"inside\": {\"r\": [\"a\", \"b\"]},"
            + " \"decisions\": [{\"seconds\": 1.5, \"lever\": \"threads\", \"previous\": 1,"
            + " \"chosen\": 2, \"reason\": \"rising\", \"text\": \"it rose\", \"before\": 9.0,"
            + " \"after\": null}]}",
        flow,
        pid,
        state,
        state.equals("failed") ? "\"no luck\"" : "null",
        threads,
        rows,
        rows / 2,
        rows,
        rows / 2);
  }
}
