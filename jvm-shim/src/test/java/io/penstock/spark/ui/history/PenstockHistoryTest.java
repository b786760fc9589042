package io.penstock.spark.ui.history;

import io.penstock.spark.Check;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.util.JsonProtocol;

public final class PenstockHistoryTest {

  public void the_history_server_finds_it() {
    List<String> found =
        ServiceLoader.load(AppHistoryServerPlugin.class).stream()
            .map(provider -> provider.type().getName())
            .toList();
    Check.holds(found.contains(PenstockHistory.class.getName()), found + " holds ours");
  }

  public void it_has_the_method_of_either_scala() {
    Set<String> kinds =
        Arrays.stream(PenstockHistory.class.getMethods())
            .filter(method -> method.getName().equals("createListeners"))
            .map(method -> method.getReturnType().getName())
            .collect(Collectors.toSet());
    Check.equal(Set.of("scala.collection.Seq", "scala.collection.immutable.Seq"), kinds);
  }

  public void an_event_is_read_as_it_was_written() {
    String text = JsonProtocol.sparkEventToJsonString(new FlowEvent("id", "{\"a\": \"<\"}"));
    SparkListenerEvent read = JsonProtocol.sparkEventFromJson(text);
    Check.equal("id", ((FlowEvent) read).id());
    Check.equal("{\"a\": \"<\"}", ((FlowEvent) read).json());
  }
}
