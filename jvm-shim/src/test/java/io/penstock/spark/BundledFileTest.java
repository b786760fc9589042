package io.penstock.spark;

final class BundledFileTest {

  public void a_bundled_file_is_read_as_text() {
    Check.contains(BundledFile.read("penstock-defaults.conf"), "spark.penstock.tuple.rows");
  }

  public void a_file_that_is_not_in_the_jar_is_named() {
    Check.contains(
        Check.messageOf(IllegalStateException.class, () -> BundledFile.read("no-such-file.conf")),
        "no-such-file.conf is missing from the Penstock jar");
  }
}
