package io.penstock.spark;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number with an optional unit, written as in Spark's own settings: {@code 2s}, {@code 64k}. */
enum Quantity {
  COUNT("a whole number", "", Map.of()),

  // Spark also has "us", but counts in milliseconds: 500us would silently become 0.
  DURATION(
      "a duration",
      " (units ms, s, m, h, d; a bare number is milliseconds)",
      Map.of(
          "ms", 1L, "s", 1_000L, "m", 60_000L, "min", 60_000L, "h", 3_600_000L, "d", 86_400_000L)),

  BYTES(
      "a size",
      " (units b, k, m, g, t; a bare number is bytes)",
      Map.of(
          "b", 1L, "k", 1L << 10, "kb", 1L << 10, "m", 1L << 20, "mb", 1L << 20, "g", 1L << 30,
          "gb", 1L << 30, "t", 1L << 40, "tb", 1L << 40));

  private static final Pattern FORM = Pattern.compile("(-?[0-9]+)([a-z]*)");

  final String words;
  final String unitWords;
  private final Map<String, Long> units;

  Quantity(String words, String unitWords, Map<String, Long> units) {
    this.words = words;
    this.unitWords = unitWords;
    this.units = units;
  }

  /** The amount in the smallest unit, or nothing if the text is not such a quantity. */
  OptionalLong parse(String text) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      return OptionalLong.empty();
    }
    Long unit = form.group(2).isEmpty() ? Long.valueOf(1) : units.get(form.group(2));
    if (unit == null) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Math.multiplyExact(Long.parseLong(form.group(1)), unit));
    } catch (NumberFormatException | ArithmeticException tooLarge) {
      return OptionalLong.empty();
    }
  }
}
