package io.penstock.spark;

import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a setting may be, as the declaration line above its key says. */
sealed interface ValueType {

  boolean allows(String value);

  /** The allowed values in words, to end the sentence "allowed is ...". */
  String inWords();

  /**
   * Reads a declaration without its {@code @}: {@code int 0..9}, {@code bool}, {@code enum a|b}.
   *
   * @throws IllegalArgumentException if it is none of the known forms
   */
  static ValueType parse(String declaration) {
    String[] parts = declaration.strip().split("\\s+");
    if (parts.length == 1 && parts[0].equals("bool")) {
      return new Flag();
    }
    if (parts.length == 2) {
      switch (parts[0]) {
        case "int":
          return Range.parse(Quantity.COUNT, parts[1]);
        case "duration":
          return Range.parse(Quantity.DURATION, parts[1]);
        case "bytes":
          return Range.parse(Quantity.BYTES, parts[1]);
        case "enum":
          return Choice.parse(parts[1]);
        default:
          break;
      }
    }
    throw new IllegalArgumentException(
        "'"
            + declaration.strip()
            + "' declares no type; write int LEAST..MOST, duration LEAST..MOST,"
            + " bytes LEAST..MOST, bool or enum ONE|OTHER");
  }

  /** Either of two words, in any case, as Spark reads its own. */
  record Flag() implements ValueType {

    @Override
    public boolean allows(String value) {
      return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
    }

    @Override
    public String inWords() {
      return "true or false";
    }
  }

  record Choice(List<String> words) implements ValueType {

    private static final Pattern WORDS = Pattern.compile("[A-Za-z0-9_-]+(\\|[A-Za-z0-9_-]+)*");

    static Choice parse(String text) {
      List<String> words = List.of(text.split("\\|"));
      if (!WORDS.matcher(text).matches() || new HashSet<>(words).size() != words.size()) {
        throw new IllegalArgumentException(
            "'" + text + "' is no list of different words; write ONE|OTHER");
      }
      return new Choice(words);
    }

    @Override
    public boolean allows(String value) {
      return words.contains(value);
    }

    @Override
    public String inWords() {
      return (words.size() == 1 ? "only " : "one of ") + String.join(", ", words);
    }
  }

  /** Both ends are allowed values. */
  record Range(Quantity quantity, long least, long most, String ends) implements ValueType {

    private static final Pattern ENDS = Pattern.compile("([^.]+)\\.\\.([^.]+)");

    static Range parse(Quantity quantity, String text) {
      Matcher ends = ENDS.matcher(text);
      if (ends.matches()) {
        OptionalLong least = quantity.parse(ends.group(1));
        OptionalLong most = quantity.parse(ends.group(2));
        if (least.isPresent() && most.isPresent() && least.getAsLong() <= most.getAsLong()) {
          return new Range(
              quantity,
              least.getAsLong(),
              most.getAsLong(),
              " from " + ends.group(1) + " to " + ends.group(2));
        }
      }
      throw new IllegalArgumentException(
          "'" + text + "' is no range of " + quantity.words + "; write LEAST..MOST");
    }

    @Override
    public boolean allows(String value) {
      OptionalLong amount = quantity.parse(value);
      return amount.isPresent() && least <= amount.getAsLong() && amount.getAsLong() <= most;
    }

    @Override
    public String inWords() {
      return quantity.words + ends + quantity.unitWords;
    }
  }
}
