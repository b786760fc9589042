package io.penstock.spark;

/** The version that the build wrote into this jar. */
final class Version {

  private static final String FILE = "penstock-version.properties";
  private static final String KEY = "version=";

  private Version() {}

  static String own() {
    return BundledFile.read(FILE)
        .lines()
        .filter(line -> line.startsWith(KEY))
        .map(line -> line.substring(KEY.length()).strip())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(FILE + " has no line " + KEY + "..."));
  }
}
