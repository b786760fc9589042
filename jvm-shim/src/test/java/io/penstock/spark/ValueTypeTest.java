package io.penstock.spark;

final class ValueTypeTest {

  public void a_range_allows_both_its_ends_and_nothing_beyond() {
    ValueType range = ValueType.parse("int -1..10");
    Check.holds(range.allows("-1"), "the least is allowed");
    Check.holds(range.allows("10"), "the most is allowed");
    Check.holds(!range.allows("-2"), "less than the least is refused");
    Check.holds(!range.allows("11"), "more than the most is refused");
    Check.holds(!range.allows("ten"), "a word is refused");
  }

  public void a_range_compares_amounts_not_letters() {
    ValueType duration = ValueType.parse("duration 10ms..1h");
    Check.holds(duration.allows("60m"), "60m is 1h");
    Check.holds(!duration.allows("61m"), "61m is more than 1h");
    Check.holds(!duration.allows("9"), "9 is 9ms, less than 10ms");
    ValueType bytes = ValueType.parse("bytes 64k..2m");
    Check.holds(bytes.allows("65536"), "65536 is 64k");
    Check.holds(!bytes.allows("3m"), "3m is more than 2m");
  }

  public void a_range_says_its_ends_as_they_are_written_and_its_units() {
    Check.equal("a whole number from 0 to 10", ValueType.parse("int 0..10").inWords());
    Check.equal(
        "a duration from 10ms to 1h (units ms, s, m, h, d; a bare number is milliseconds)",
        ValueType.parse("duration 10ms..1h").inWords());
    Check.equal(
        "a size from 64k to 2m (units b, k, m, g, t; a bare number is bytes)",
        ValueType.parse("bytes 64k..2m").inWords());
  }

  public void a_flag_is_true_or_false_in_any_case() {
    ValueType flag = ValueType.parse("bool");
    Check.holds(flag.allows("true") && flag.allows("FALSE"), "both words are allowed");
    Check.holds(!flag.allows("yes") && !flag.allows("1") && !flag.allows(""), "no other is");
    Check.equal("true or false", flag.inWords());
  }

  public void a_choice_allows_its_words_as_they_are_written() {
    ValueType choice = ValueType.parse("enum schema|full");
    Check.holds(choice.allows("schema") && choice.allows("full"), "each word is allowed");
    Check.holds(!choice.allows("Full") && !choice.allows("schema|full"), "no other is");
    Check.equal("one of schema, full", choice.inWords());
    Check.equal("only schema", ValueType.parse("enum schema").inWords());
  }

  public void a_declaration_that_is_none_of_the_forms_is_refused_with_the_forms() {
    for (String text :
        new String[] {"", "float 0..1", "bool yes", "int", "int 0 .. 9", "enum", "enum a | b"}) {
      String message = Check.messageOf(IllegalArgumentException.class, () -> ValueType.parse(text));
      Check.contains(message, "'" + text + "' declares no type");
      Check.contains(message, "enum ONE|OTHER");
    }
  }

  public void a_range_that_allows_nothing_or_has_wrong_ends_is_refused() {
    for (String text :
        new String[] {"int 9..0", "int 0", "int 0..", "int a..b", "int 0..9..12", "bytes 1s..2s"}) {
      Check.contains(
          Check.messageOf(IllegalArgumentException.class, () -> ValueType.parse(text)),
          "write LEAST..MOST");
    }
  }

  public void a_choice_with_an_empty_or_repeated_word_is_refused() {
    for (String text : new String[] {"enum a|", "enum |a", "enum a||b", "enum a|a"}) {
      Check.contains(
          Check.messageOf(IllegalArgumentException.class, () -> ValueType.parse(text)),
          "write ONE|OTHER");
    }
  }
}
