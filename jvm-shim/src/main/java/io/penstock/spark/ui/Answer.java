package io.penstock.spark.ui;

import java.nio.charset.StandardCharsets;

/**
 * What a request is answered with.
 *
 * @param status of HTTP
 * @param type of the body
 */
record Answer(int status, String type, byte[] body) {

  static final int OK = 200;
  static final int FORBIDDEN = 403;
  static final int NOT_FOUND = 404;
  static final int NOT_ALLOWED = 405;

  /** A sentence; of ours only, never of what a request said. */
  static Answer refusal(int status, String sentence) {
    return new Answer(
        status, "text/plain; charset=utf-8", (sentence + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
