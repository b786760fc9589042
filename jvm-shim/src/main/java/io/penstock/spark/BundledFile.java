package io.penstock.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A file that the build puts into this jar. */
final class BundledFile {

  private BundledFile() {}

  static String read(String name) {
    try (InputStream file = BundledFile.class.getResourceAsStream("/" + name)) {
      if (file == null) {
        throw new IllegalStateException(
            name + " is missing from the Penstock jar; use the jar that the wheel brings");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(name + " in the Penstock jar cannot be read", broken);
    }
  }
}
