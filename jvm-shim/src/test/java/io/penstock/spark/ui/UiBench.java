package io.penstock.spark.ui;

import io.penstock.spark.status.StatusBoard;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Measures how long the tab takes to answer, over HTTP, in a real application: prints JSON, and
 * fails if the slowest answer takes as long as the target.
 *
 * <p>Before each request every flow is heard of anew, so nothing that was summed up before is of
 * use. Arguments: flows and operators of each, 100 and 1000 unless said.
 */
public final class UiBench {

  private static final int WARM_UP = 20;
  private static final int TIMES = 100;
  private static final double TARGET_MILLIS = 200;

  private UiBench() {}

  public static void main(String[] arguments) throws Exception {
    int flows = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
    int operators = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[1]")
            .setAppName("bench")
            .set("spark.ui.port", "0")
            .set("spark.driver.host", "localhost")
            .set("spark.driver.bindAddress", "127.0.0.1");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      StatusBoard board = new StatusBoard();
      Ui.start(spark.sc(), board);
      URI site = URI.create(spark.sc().uiWebUrl().get() + "/penstock/");
      List<List<String>> statuses =
          List.of(statuses(flows, operators, 100), statuses(flows, operators, 200));
      Taken overview = measure(board, statuses, site.resolve("json"));
      Taken flow = measure(board, statuses, site.resolve("json?flow=" + FlowId.of("flow_0")));
      System.out.printf(
          Locale.ROOT,
          "{\"flows\": %d, \"operators\": %d, \"overview\": %s, \"flow\": %s,"
              + " \"target_ms\": %.0f, \"holds\": %b}%n",
          flows,
          operators,
          overview.json(),
          flow.json(),
          TARGET_MILLIS,
          holds(overview, flow));
      if (!holds(overview, flow)) {
        System.exit(1);
      }
    }
  }

  /** What requests took: in words, and the slowest of them. */
  private record Taken(String json, double mostMillis) {}

  private static boolean holds(Taken... all) {
    return Arrays.stream(all).allMatch(one -> one.mostMillis() < TARGET_MILLIS);
  }

  private static Taken measure(StatusBoard board, List<List<String>> statuses, URI from)
      throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(from).build();
    double[] millis = new double[TIMES];
    int bytes = 0;
    for (int turn = -WARM_UP; turn < TIMES; turn++) {
      hear(board, statuses, turn);
      long begin = System.nanoTime();
      HttpResponse<byte[]> answer =
          client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != Answer.OK) {
        throw new IllegalStateException(from + " answers " + answer.statusCode());
      }
      bytes = answer.body().length;
      if (turn >= 0) {
        millis[turn] = (System.nanoTime() - begin) / 1e6;
      }
    }
    Arrays.sort(millis);
    String json =
        String.format(
            Locale.ROOT,
            "{\"bytes\": %d, \"median_ms\": %.1f, \"p95_ms\": %.1f, \"p99_ms\": %.1f,"
                + " \"most_ms\": %.1f}",
            bytes,
            millis[TIMES / 2],
            millis[TIMES * 95 / 100 - 1],
            millis[TIMES * 99 / 100 - 1],
            millis[TIMES - 1]);
    return new Taken(json, millis[TIMES - 1]);
  }

  /** Puts up one status of each flow, with other numbers than before. */
  private static void hear(StatusBoard board, List<List<String>> statuses, int turn) {
    int flow = 0;
    for (String status : statuses.get(Math.floorMod(turn, statuses.size()))) {
      board.put("driver", "pe-" + flow++ + "-0.json", status);
    }
  }

  private static List<String> statuses(int flows, int operators, long rows) {
    return IntStream.range(0, flows)
        .mapToObj(
            flow -> {
              Told told = Told.of("flow_" + flow, 0).rows(rows).busy(1, 1);
              for (int operator = 0; operator < operators; operator++) {
                told.operator("operator_" + operator, operator % 7 == 0, 0.001 * operator);
              }
              return told.toString();
            })
        .toList();
  }
}
