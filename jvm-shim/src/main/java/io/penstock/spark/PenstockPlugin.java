package io.penstock.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.penstock.spark.status.FlowGauges;
import io.penstock.spark.status.StatusBoard;
import io.penstock.spark.status.StatusCollector;
import io.penstock.spark.ui.Ui;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings Penstock to a Spark application: {@code spark.plugins=io.penstock.spark.PenstockPlugin}.
 *
 * <p>The JVM side decides nothing and touches no data. It checks the settings once, on the driver,
 * and publishes what is in force. The engines themselves live in the Python workers.
 */
public final class PenstockPlugin implements SparkPlugin {

  /** Travels beside the settings; outside their prefix, for it is not one. */
  static final String VERSION = "penstock.version";

  private static final Logger LOG = LoggerFactory.getLogger(PenstockPlugin.class);

  @Override
  public DriverPlugin driverPlugin() {
    return new Driver();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new Executor();
  }

  private static final class Driver implements DriverPlugin {

    private final StatusBoard board = new StatusBoard();
    private Ui ui;

    /** Fails the application at start: a bad setting must not wait for the first task. */
    @Override
    public Map<String, String> init(SparkContext context, PluginContext plugin) {
      Settings settings = Settings.checked(Declarations.bundled(), plugin.conf());
      String version = Version.own();
      String inForce = settings.asMap().toString();
      LOG.info("Penstock {} with {}", version, inForce);
      context.addSparkListener(new ExecutorWatch());
      if (Boolean.parseBoolean(settings.get(Settings.METRICS_ENABLED))) {
        MetricRegistry metrics = plugin.metricRegistry();
        metrics.register("version", (Gauge<String>) () -> version);
        metrics.register("settings", (Gauge<String>) () -> inForce);
        FlowGauges.register(metrics, board);
        if (Boolean.parseBoolean(settings.get(Settings.UI_ENABLED))) {
          ui = Ui.start(context, board);
        }
      }
      Map<String, String> forExecutors = new HashMap<>(settings.asMap());
      forExecutors.put(VERSION, version);
      return forExecutors;
    }

    /**
     * Executors send what their PEs tell of themselves. One that dies says why; its own log is hard
     * to find when it never came up.
     */
    @Override
    public Object receive(Object message) {
      if (message instanceof String[] statuses) {
        StatusCollector.receive(board, statuses);
        return null; // Spark warns of each answer that nobody waits for
      }
      LOG.error("{}", message);
      return Boolean.TRUE;
    }

    @Override
    public void shutdown() {
      if (ui != null) {
        ui.close();
      }
    }
  }

  private static final class Executor implements ExecutorPlugin {

    private final RunningTasks running = new RunningTasks();
    private StatusCollector collector;
    private ThreadLedger ledger;

    @Override
    public void init(PluginContext plugin, Map<String, String> fromDriver) {
      refuseOtherVersion(plugin, fromDriver.get(VERSION));
      ledger = new ThreadLedger(localFolder(), running);
      // Now or never: Spark ignores metrics registered after init returns.
      if (Boolean.parseBoolean(fromDriver.get(Settings.METRICS_ENABLED))) {
        plugin.metricRegistry().register("tasksRunning", (Gauge<Integer>) running::count);
        collector = new StatusCollector(plugin.executorID(), localFolder(), plugin::send);
        collector.register(plugin.metricRegistry());
        collector.start();
      }
    }

    @Override
    public void shutdown() {
      if (collector != null) {
        collector.close();
      }
    }

    /** The first of the folders that Spark gives this executor alone, and names to its workers. */
    private static Path localFolder() {
      return SparkEnv.get().blockManager().diskBlockManager().localDirs()[0].toPath();
    }

    @Override
    public void onTaskStart() {
      running.startOnThisThread();
      ledger.tell();
    }

    @Override
    public void onTaskSucceeded() {
      running.endOnThisThread();
      ledger.tell();
    }

    @Override
    public void onTaskFailed(TaskFailedReason reason) {
      running.endOnThisThread();
      ledger.tell();
    }

    private static void refuseOtherVersion(PluginContext plugin, String driverVersion) {
      String version = Version.own();
      if (version.equals(driverVersion)) {
        return;
      }
      IllegalStateException refusal =
          new IllegalStateException(
              String.format(
                  "Executor %s has the Penstock jar of version %s, the driver that of version %s;"
                      + " give both the same jar (see spark.jars and extraClassPath)",
                  plugin.executorID(), version, driverVersion));
      try {
        plugin.ask(refusal.getMessage());
      } catch (Exception unheard) {
        refusal.addSuppressed(unheard);
      }
      throw refusal;
    }
  }
}
