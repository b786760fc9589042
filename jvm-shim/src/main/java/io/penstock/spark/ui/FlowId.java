package io.penstock.spark.ui;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A short name of a flow for addresses.
 *
 * <p>Not the flow's own name: Spark's filter changes what looks like HTML in parameters, and a
 * status file may claim any name.
 */
public final class FlowId {

  private static final int BYTES = 8;

  private FlowId() {}

  public static String of(String flow) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(flow.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException("every Java has SHA-256", never);
    }
  }
}
