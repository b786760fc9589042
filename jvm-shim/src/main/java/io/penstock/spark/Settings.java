package io.penstock.spark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/** The settings in force: what the application gave, checked, and the defaults for the rest. */
final class Settings {

  static final String METRICS_ENABLED = "spark.penstock.metrics.enabled";
  static final String UI_ENABLED = "spark.penstock.ui.enabled";

  private static final String PREFIX = "spark.penstock.";

  private final Declarations declarations;
  private final SortedMap<String, String> values = new TreeMap<>();

  private Settings(Declarations declarations) {
    this.declarations = declarations;
  }

  static Settings checked(Declarations declarations, SparkConf conf) {
    Map<String, String> given = new HashMap<>();
    for (Tuple2<String, String> entry : conf.getAll()) {
      given.put(entry._1(), entry._2());
    }
    return checked(declarations, given);
  }

  /**
   * Takes what is meant for Penstock out of all that Spark was given.
   *
   * @throws IllegalArgumentException that names every unknown key and every value not allowed
   */
  static Settings checked(Declarations declarations, Map<String, String> given) {
    Settings settings = new Settings(declarations);
    for (Setting setting : declarations.all()) {
      settings.values.put(setting.key(), setting.defaultValue());
    }
    List<String> problems = new ArrayList<>();
    new TreeMap<>(given)
        .forEach(
            (key, value) -> {
              if (key.startsWith(PREFIX)) {
                settings.problemWith(key, value.strip()).ifPresent(problems::add);
                settings.values.put(key, value.strip());
              }
            });
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Penstock does not start with these settings; correct or remove them ("
              + Declarations.FILE
              + " describes all):\n  "
              + String.join("\n  ", problems));
    }
    return settings;
  }

  /** The value in force: of this key, or else of the starred key that declares it. */
  String get(String key) {
    String own = values.get(key);
    if (own != null) {
      return own;
    }
    return declarations
        .find(key)
        .map(setting -> values.get(setting.key()))
        .orElseThrow(() -> new NoSuchElementException(key + " is not declared in the settings"));
  }

  /** Every key that is set or has a default, sorted. */
  Map<String, String> asMap() {
    return Collections.unmodifiableSortedMap(values);
  }

  private Optional<String> problemWith(String key, String value) {
    Optional<Setting> known = declarations.find(key);
    if (known.isEmpty()) {
      return Optional.of(key + " = '" + value + "': no such setting; " + advice(key));
    }
    Setting setting = known.get();
    if (setting.type().allows(value)) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            "%s = '%s': allowed is %s; the default is %s",
            key, value, setting.type().inWords(), setting.defaultValue()));
  }

  private String advice(String key) {
    String nearest =
        declarations.all().stream()
            .map(setting -> setting.spelledLike(key))
            .min(Comparator.comparingInt(known -> EditDistance.between(known, key)))
            .orElseThrow();
    String hint = nearest.contains("*") ? ", where * is a name like " + Setting.FLOW_NAME : "";
    return "the nearest is " + nearest + hint;
  }
}
