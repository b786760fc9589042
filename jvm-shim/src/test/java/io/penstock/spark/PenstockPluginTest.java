package io.penstock.spark;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;

/** The plugin in real applications; its gauges are read where an operator reads them, in JMX. */
final class PenstockPluginTest {

  private static final CyclicBarrier BOTH = new CyclicBarrier(2);

  public void the_driver_publishes_the_version_and_the_settings_in_force() throws JMException {
    SparkConf conf = conf().set("spark.penstock.tuple.rows", "1024");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      Check.equal(1, spark.defaultParallelism());
      Check.equal(Optional.of(Version.own()), gauge("version"));
      String settings = (String) gauge("settings").orElseThrow();
      Check.contains(settings, "spark.penstock.tuple.rows=1024");
      Check.contains(settings, "spark.penstock.check.batches=schema");
    }
  }

  public void the_version_and_the_settings_in_force_are_logged_once() {
    try (LogCapture log = LogCapture.open();
        JavaSparkContext spark = new JavaSparkContext(conf())) {
      Check.equal(2L, spark.parallelize(List.of(1, 2)).count());
      Check.equal(1, log.lines().size());
      Check.contains(log.lines().get(0), "INFO Penstock " + Version.own() + " with {");
      Check.contains(log.lines().get(0), "spark.penstock.check.batches=schema");
    }
  }

  public void an_executor_counts_the_task_that_runs_now() throws JMException {
    try (JavaSparkContext spark = new JavaSparkContext(conf())) {
      Check.equal(Optional.of(0), gauge("tasksRunning"));
      Check.equal(
          List.of(1, 1),
          spark.parallelize(List.of(7, 8), 2).map(row -> gauge("tasksRunning").get()).collect());
      Check.equal(Optional.of(0), gauge("tasksRunning"));
    }
  }

  public void an_executor_counts_tasks_that_run_at_the_same_time() {
    try (JavaSparkContext spark = new JavaSparkContext(conf().setMaster("local[2]"))) {
      Check.equal(
          List.of(2, 2),
          spark.parallelize(List.of(7, 8), 2).map(row -> gaugeWhileBothRun()).collect());
    }
  }

  public void a_failed_task_no_longer_counts() throws JMException {
    try (JavaSparkContext spark = new JavaSparkContext(conf())) {
      String message =
          Check.messageOf(
              SparkException.class,
              () -> spark.parallelize(List.of(0), 1).map(row -> 1 / row).collect());
      Check.contains(message, "ArithmeticException");
      Check.equal(Optional.of(0), gauge("tasksRunning"));
    }
  }

  public void no_gauge_is_registered_where_metrics_are_turned_off() throws JMException {
    SparkConf conf = conf().set("spark.penstock.metrics.enabled", "FALSE");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      Check.equal(1L, spark.parallelize(List.of(7)).count());
      Check.equal(Optional.empty(), gauge("version"));
      Check.equal(Optional.empty(), gauge("settings"));
      Check.equal(Optional.empty(), gauge("tasksRunning"));
    }
  }

  public void an_application_with_wrong_settings_does_not_start_and_says_all_that_is_wrong() {
    SparkConf conf =
        conf().set("spark.penstock.tuple.rows", "many").set("spark.penstock.tuple.row", "1");
    String message =
        Check.messageOf(IllegalArgumentException.class, () -> new JavaSparkContext(conf));
    Check.contains(message, "spark.penstock.tuple.rows = 'many': allowed is a whole number");
    Check.contains(message, "spark.penstock.tuple.row = '1': no such setting");
    // Spark allows one context in a JVM: that this starts shows that the other is wholly gone.
    try (JavaSparkContext next = new JavaSparkContext(conf())) {
      Check.equal(1L, next.parallelize(List.of(7)).count());
    }
  }

  public void the_defaults_file_given_as_it_stands_is_accepted() {
    SparkConf conf = conf();
    for (Setting setting : Declarations.bundled().all()) {
      conf.set(setting.key(), setting.defaultValue());
    }
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      Check.equal(1L, spark.parallelize(List.of(7)).count());
    }
  }

  public void an_executor_with_another_version_refuses_and_tells_the_driver_why() {
    SparkConf conf = conf().set("spark.plugins", OtherVersionPlugin.class.getName());
    try (LogCapture log = LogCapture.open()) {
      String message =
          Check.messageOf(IllegalStateException.class, () -> new JavaSparkContext(conf));
      Check.equal(
          "Executor driver has the Penstock jar of version "
              + Version.own()
              + ", the driver that of version 0.0.0-other;"
              + " give both the same jar (see spark.jars and extraClassPath)",
          message);
      Check.equal("ERROR " + message, log.lines().get(1));
    }
  }

  private static SparkConf conf() {
    return new SparkConf(false)
        .setMaster("local[1]")
        .setAppName("penstock")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "localhost")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.metrics.conf.*.sink.jmx.class", "org.apache.spark.metrics.sink.JmxSink")
        .set("spark.plugins", PenstockPlugin.class.getName());
  }

  private static Optional<Object> gauge(String name) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    // The star is for the application's id, which a local executor does not know in its init.
    String path = "*plugin." + PenstockPlugin.class.getName() + "." + name;
    Set<ObjectName> found = server.queryNames(new ObjectName("metrics:name=" + path + ",*"), null);
    Check.holds(found.size() < 2, found + " holds one gauge at most");
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(server.getAttribute(found.iterator().next(), "Value"));
  }

  /** Read between two meetings, while neither task can have ended. */
  private static Object gaugeWhileBothRun() throws Exception {
    BOTH.await();
    Object count = gauge("tasksRunning").get();
    BOTH.await();
    return count;
  }
}
