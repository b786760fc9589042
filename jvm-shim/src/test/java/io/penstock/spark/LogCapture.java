package io.penstock.spark;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The lines that the plugin logs while this is open; log4j2.properties sends them here. */
public final class LogCapture implements AutoCloseable {

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  public static LogCapture open() {
    LogCapture capture = new LogCapture();
    System.setErr(new PrintStream(capture.bytes, true, StandardCharsets.UTF_8));
    return capture;
  }

  public List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
