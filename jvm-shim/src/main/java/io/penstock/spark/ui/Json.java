package io.penstock.spark.ui;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** JSON that stays text wherever it is put: no character in it means anything in HTML. */
public final class Json {

  private static final int LAST_OF_ASCII = 0x7f;

  private static final JsonFactory FACTORY =
      new ObjectMapper().getFactory().setCharacterEscapes(new HtmlEscapes());

  private Json() {}

  /** Writes a document. */
  @FunctionalInterface
  public interface Writer {
    void write(JsonGenerator to) throws IOException;
  }

  public static byte[] of(Writer writer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator to = FACTORY.createGenerator(bytes)) {
      to.setHighestNonEscapedChar(LAST_OF_ASCII);
      writer.write(to);
    }
    return bytes.toByteArray();
  }

  /** A number with as many digits as anybody reads; large answers are mostly digits. */
  static void number(JsonGenerator to, String name, double value) throws IOException {
    to.writeNumberField(name, rounded(value));
  }

  static double rounded(double value) {
    return Double.isFinite(value) ? Math.rint(value * 1e4) / 1e4 : 0;
  }

  private static final class HtmlEscapes extends CharacterEscapes {
    private static final long serialVersionUID = 1;
    private static final int[] ESCAPES = standardAsciiEscapesForJSON();

    static {
      for (char special : "<>&'".toCharArray()) {
        ESCAPES[special] = ESCAPE_STANDARD;
      }
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return ESCAPES.clone();
    }

    @Override
    public SerializableString getEscapeSequence(int character) {
      return null; // the standard ones say enough
    }
  }
}
