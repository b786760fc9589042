package io.penstock.spark;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/** Penstock with a driver that claims another version, as one with another jar does. */
public final class OtherVersionPlugin implements SparkPlugin {

  private final PenstockPlugin penstock = new PenstockPlugin();

  @Override
  public DriverPlugin driverPlugin() {
    DriverPlugin driver = penstock.driverPlugin();
    return new DriverPlugin() {
      @Override
      public Map<String, String> init(SparkContext context, PluginContext plugin) {
        Map<String, String> forExecutors = new HashMap<>(driver.init(context, plugin));
        forExecutors.put(PenstockPlugin.VERSION, "0.0.0-other");
        return forExecutors;
      }

      @Override
      public Object receive(Object message) throws Exception {
        return driver.receive(message);
      }
    };
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return penstock.executorPlugin();
  }
}
