package io.penstock.spark;

import java.util.OptionalLong;
import org.apache.spark.network.util.JavaUtils;

final class QuantityTest {

  public void a_duration_means_what_spark_means_by_it() {
    for (String text : new String[] {"7", "500ms", "2s", "3m", "3min", "1h", "2d", " 2S "}) {
      Check.equal(OptionalLong.of(JavaUtils.timeStringAsMs(text)), Quantity.DURATION.parse(text));
    }
  }

  public void a_size_means_what_spark_means_by_it() {
    for (String text :
        new String[] {"7", "8b", "64k", "64kb", "2m", "2mb", "3g", "3gb", "1t", "1tb", " 64K "}) {
      Check.equal(OptionalLong.of(JavaUtils.byteStringAsBytes(text)), Quantity.BYTES.parse(text));
    }
  }

  public void a_count_may_be_negative_and_has_no_unit() {
    Check.equal(OptionalLong.of(-5), Quantity.COUNT.parse("-5"));
    Check.equal(OptionalLong.empty(), Quantity.COUNT.parse("5k"));
  }

  public void a_duration_below_what_is_counted_is_refused_rather_than_rounded_to_nothing() {
    Check.equal(OptionalLong.empty(), Quantity.DURATION.parse("500us"));
  }

  public void a_unit_of_another_quantity_is_refused() {
    Check.equal(OptionalLong.empty(), Quantity.DURATION.parse("5k"));
    Check.equal(OptionalLong.empty(), Quantity.BYTES.parse("5s"));
  }

  public void what_is_no_number_is_refused() {
    for (String text :
        new String[] {"", " ", "-", "1.5", "1e3", "+1", "0x10", "1_000", "1 0", "\u0663"}) {
      Check.equal(OptionalLong.empty(), Quantity.COUNT.parse(text));
    }
  }

  public void a_number_too_large_to_count_is_refused_rather_than_wrapped() {
    Check.equal(OptionalLong.empty(), Quantity.COUNT.parse("9223372036854775808"));
    Check.equal(OptionalLong.empty(), Quantity.BYTES.parse("9223372036854775807t"));
  }
}
