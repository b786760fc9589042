package io.penstock.spark;

import java.util.regex.Pattern;

/**
 * One declared setting. A key may hold one element {@code *}: it then declares the same setting for
 * every flow, and the starred key itself holds for the flows that have none of their own.
 */
record Setting(String key, ValueType type, String defaultValue, String description) {

  static final String FLOW_NAME = "[A-Za-z_][A-Za-z0-9_-]*";

  boolean isPerFlow() {
    return key.contains("*");
  }

  boolean matches(String otherKey) {
    return key.equals(otherKey) || (isPerFlow() && flowKeys().matcher(otherKey).matches());
  }

  /** This key as its user may have meant it: with the flow's name from {@code otherKey}, if any. */
  String spelledLike(String otherKey) {
    if (!isPerFlow()) {
      return key;
    }
    String before = key.substring(0, key.indexOf('*'));
    String after = key.substring(key.indexOf('*') + 1);
    if (!otherKey.startsWith(before)) {
      return key;
    }
    String name = otherKey.substring(before.length()).split("\\.", 2)[0];
    return name.matches(FLOW_NAME) ? before + name + after : key;
  }

  private Pattern flowKeys() {
    String before = key.substring(0, key.indexOf('*'));
    String after = key.substring(key.indexOf('*') + 1);
    return Pattern.compile(Pattern.quote(before) + FLOW_NAME + Pattern.quote(after));
  }
}
