package io.penstock.spark.ui;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.spark.Check;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

public final class JsonTest {

  public void no_character_of_a_text_means_anything_in_html() throws IOException {
    String hostile = "</script><img src=x onerror='f()'>&amp; \"quoted\" \u2028 \u00e4 \0";
    byte[] made = Json.of(to -> to.writeString(hostile));
    String text = new String(made, StandardCharsets.UTF_8);
    for (String special : new String[] {"<", ">", "&", "'", "\u2028", "\u00e4", "\0"}) {
      Check.holds(!text.contains(special), text + " holds no " + special);
    }
    Check.equal(hostile, new ObjectMapper().readValue(made, String.class));
  }

  public void names_of_members_are_escaped_too() throws IOException {
    byte[] made =
        Json.of(
            to -> {
              to.writeStartObject();
              to.writeNumberField("<b>", 1);
              to.writeEndObject();
            });
    Check.equal("{\"\\u003Cb\\u003E\":1}", new String(made, StandardCharsets.UTF_8));
  }

  public void what_is_no_number_is_nothing() {
    Check.equal(0.0, Json.rounded(Double.NaN));
    Check.equal(0.0, Json.rounded(Double.POSITIVE_INFINITY));
    Check.equal(1.2346, Json.rounded(1.23456));
  }
}
