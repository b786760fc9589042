package io.penstock.spark.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Reads status files, which anything could have written: what is not one is nothing. */
public final class StatusReader {

  static final int VERSION = 1;
  static final int MOST_OPERATORS = 1_000;
  static final int MOST_ITEMS = 1_000;
  static final int MOST_TEXT = 1_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private StatusReader() {}

  /** The status in a text; empty for whatever else it holds. */
  public static Optional<PeStatus> read(String executor, String text) {
    try {
      JsonNode found = JSON.readTree(text);
      if (!found.isObject() || found.path("version").asInt() != VERSION) {
        return Optional.empty();
      }
      return Optional.of(read(executor, found, text.length()));
    } catch (JsonProcessingException | IllegalArgumentException notOne) {
      return Optional.empty();
    }
  }

  /** The same text, ended as failed: for a PE whose worker cannot say so any more. */
  static String failed(String text, String error) throws JsonProcessingException {
    ObjectNode changed = (ObjectNode) JSON.readTree(text);
    return JSON.writeValueAsString(changed.put("state", "failed").put("error", error));
  }

  private static PeStatus read(String executor, JsonNode found, int size) {
    return new PeStatus(
        text(found, "flow"),
        number(found, "pid"),
        text(found, "host"),
        executor,
        text(found, "application"),
        (int) number(found, "stage"),
        (int) number(found, "partition"),
        (int) number(found, "attempt"),
        number(found, "task"),
        real(found, "started"),
        real(found, "seconds"),
        state(found),
        text(found, "error"),
        (int) count(found, "threads"),
        (int) count(found, "budget"),
        count(found, "rows_in"),
        count(found, "rows_out"),
        list(found, "operators", MOST_OPERATORS, StatusReader::operator),
        list(
            found,
            "workers",
            MOST_ITEMS,
            one -> new WorkerStatus(text(one, "name"), real(one, "busy"), real(one, "blocked"))),
        list(
            found,
            "levels",
            MOST_ITEMS,
            one -> new LevelStatus(one.path(0).asDouble(), one.path(1).asInt())),
        channels(found.path("channels")),
        list(found, "decisions", MOST_ITEMS, StatusReader::decision),
        inside(found.path("inside")),
        size);
  }

  private static OperatorStatus operator(JsonNode one) {
    return new OperatorStatus(
        text(one, "name"),
        text(one, "kind"),
        one.path("gil").asBoolean(),
        count(one, "tuples"),
        count(one, "rows_in"),
        count(one, "rows_out"),
        real(one, "busy"),
        real(one, "waiting_mean"),
        count(one, "waiting_most"));
  }

  private static DecisionStatus decision(JsonNode one) {
    return new DecisionStatus(
        real(one, "seconds"),
        text(one, "lever"),
        (int) number(one, "previous"),
        (int) number(one, "chosen"),
        text(one, "reason"),
        text(one, "text"),
        known(one.path("before")),
        known(one.path("after")));
  }

  private static PeStatus.State state(JsonNode found) {
    return switch (found.path("state").asText()) {
      case "running" -> PeStatus.State.RUNNING;
      case "done" -> PeStatus.State.DONE;
      case "failed" -> PeStatus.State.FAILED;
      default -> throw new IllegalArgumentException("state");
    };
  }

  private static Map<String, Integer> channels(JsonNode found) {
    Map<String, Integer> channels = new LinkedHashMap<>();
    Iterator<String> regions = found.fieldNames();
    while (regions.hasNext() && channels.size() < MOST_ITEMS) {
      String region = regions.next();
      channels.put(cut(region), found.path(region).asInt());
    }
    return channels;
  }

  private static Map<String, List<String>> inside(JsonNode found) {
    Map<String, List<String>> inside = new LinkedHashMap<>();
    Iterator<String> outer = found.fieldNames();
    while (outer.hasNext() && inside.size() < MOST_OPERATORS) {
      String name = outer.next();
      inside.put(
          cut(name), list(found, name, MOST_OPERATORS, one -> cut(one.asText(""))));
    }
    return inside;
  }

  private static <T> List<T> list(
      JsonNode found, String name, int most, Function<JsonNode, T> each) {
    List<T> made = new ArrayList<>();
    for (JsonNode one : found.path(name)) {
      if (made.size() == most) {
        break;
      }
      made.add(each.apply(one));
    }
    return List.copyOf(made);
  }

  private static String text(JsonNode found, String name) {
    return cut(found.path(name).asText(""));
  }

  private static String cut(String text) {
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT);
  }

  private static long number(JsonNode found, String name) {
    return found.path(name).asLong(-1);
  }

  /** What is counted is never less than nothing, whatever a file says. */
  private static long count(JsonNode found, String name) {
    return Math.max(0, found.path(name).asLong(0));
  }

  private static double real(JsonNode found, String name) {
    double value = found.path(name).asDouble(0);
    return Double.isFinite(value) ? value : 0;
  }

  private static OptionalDouble known(JsonNode found) {
    return found.isNumber() ? OptionalDouble.of(found.asDouble()) : OptionalDouble.empty();
  }
}
