package io.penstock.spark.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.spark.Check;
import io.penstock.spark.LogCapture;
import io.penstock.spark.PenstockPlugin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** The tab in real applications, asked as a browser asks. */
public final class UiTest {

  public void the_tab_is_among_spark_s_own_and_answers() throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(conf())) {
      Check.contains(get(spark, "/jobs/", "").body(), "/penstock/\"");
      HttpResponse<String> page = get(spark, "/penstock/", "");
      Check.equal(200, page.statusCode());
      Check.contains(page.body(), "<title>Penstock</title>");
      Check.equal(Site.POLICY, page.headers().firstValue("Content-Security-Policy").orElse(""));
      Check.equal("nosniff", page.headers().firstValue("X-Content-Type-Options").orElse(""));
      JsonNode json = new ObjectMapper().readTree(get(spark, "/penstock/json", "").body());
      Check.equal("penstock", json.path("application").asText());
      Check.holds(json.path("tabs").toString().contains("\"Stages\""), "the other tabs are named");
      JsonNode executor = json.path("executors").path(0);
      Check.equal("driver", executor.path("name").asText());
      Check.equal(2, executor.path("cores").asInt());
    }
  }

  public void who_is_not_in_the_acls_is_refused() throws Exception {
    SparkConf conf =
        conf()
            .set("spark.acls.enable", "true")
            .set("spark.ui.view.acls", "alice")
            .set("spark.ui.filters", UserFilter.class.getName());
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      for (String path : List.of("/penstock/", "/penstock/json", "/penstock/page.js")) {
        Check.equal(403, get(spark, path, "mallory").statusCode());
        Check.equal(200, get(spark, path, "alice").statusCode());
      }
    }
  }

  public void no_tab_is_there_where_it_is_turned_off() throws Exception {
    try (JavaSparkContext spark =
        new JavaSparkContext(conf().set("spark.penstock.ui.enabled", "false"))) {
      Check.holds(!get(spark, "/jobs/", "").body().contains("/penstock/\""), "no tab");
      // Spark leads whoever asks for what is not there to its first page.
      Check.equal(302, get(spark, "/penstock/json", "").statusCode());
    }
  }

  public void an_application_without_a_ui_works_as_well() {
    try (LogCapture log = LogCapture.open();
        JavaSparkContext spark =
            new JavaSparkContext(conf().set("spark.ui.enabled", "false"))) {
      Check.equal(2L, spark.parallelize(List.of(1, 2)).count());
      Check.equal(1, log.lines().size());
    }
  }

  public void what_a_version_of_spark_lacks_is_said_in_a_sentence() {
    try (LogCapture log = LogCapture.open()) {
      Ui.attempt(
          "has no tab in the UI",
          () -> {
            throw new NoSuchMethodError("SparkUI.attachTab");
          });
      Check.equal(1, log.lines().size());
      Check.contains(log.lines().get(0), "WARN Penstock has no tab in the UI");
      Check.contains(log.lines().get(0), "SparkUI.attachTab");
    }
  }

  private static HttpResponse<String> get(JavaSparkContext spark, String path, String user)
      throws IOException, InterruptedException {
    String url = spark.sc().uiWebUrl().get();
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
    if (!user.isEmpty()) {
      request.header("User", user);
    }
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static SparkConf conf() {
    return new SparkConf(false)
        .setMaster("local[2]")
        .setAppName("penstock")
        .set("spark.ui.port", "0")
        .set("spark.driver.host", "localhost")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.plugins", PenstockPlugin.class.getName());
  }
}
