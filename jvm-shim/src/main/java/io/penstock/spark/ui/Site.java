package io.penstock.spark.ui;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Everything under /penstock/: one page, what it is made of, and its numbers as JSON. */
final class Site {

  /** Another tab of Spark's UI: its title, and the part of its address that is its own. */
  record Tab(String name, String path) {}

  static final String JSON = "/json";

  /** What changes an answer of JSON so that old pages cannot read it. */
  static final int VERSION = 1;

  /** The page loads from its own place only, runs no text as code, and is framed by nobody else. */
  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");
  private static final String PAGE = "page.html";
  private static final List<String> FILES =
      List.of(
          PAGE, "page.css", "page.js", "charts.js", "flow.js", "graph.js", "make.js", "rates.js",
          "icon.svg");

  private final String application;
  private final FlowSource flows;
  private final Predicate<String> mayView;
  private final Supplier<List<Tab>> tabs;
  private final Map<String, Answer> files = new HashMap<>();

  /**
   * A site that shows nothing yet.
   *
   * @param mayView whether a user, or null for nobody in particular, may see the application
   */
  Site(
      String application,
      FlowSource flows,
      Predicate<String> mayView,
      Supplier<List<Tab>> tabs)
      throws IOException {
    this.application = application;
    this.flows = flows;
    this.mayView = mayView;
    this.tabs = tabs;
    for (String name : FILES) {
      String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
      files.put("/" + name, new Answer(Answer.OK, type, bundled(name)));
    }
    files.put("/", files.get("/" + PAGE));
  }

  /**
   * Answers a request.
   *
   * @param path below the site, or null for the site itself
   * @param flow the parameter of that name, or null
   * @param user who asks, or null
   */
  Answer answer(String method, String path, String flow, String user) throws IOException {
    // Spark's own filter has looked already, where it is there.
    if (!mayView.test(user)) {
      return Answer.refusal(
          Answer.FORBIDDEN,
          "You may not view this application: it is not in its spark.ui.view.acls.");
    }
    if (!method.equals("GET") && !method.equals("HEAD")) {
      return Answer.refusal(Answer.NOT_ALLOWED, "There is nothing to change here: GET is all.");
    }
    String wanted = path == null ? "/" : path;
    if (wanted.equals(JSON)) {
      return json(flow);
    }
    return files.getOrDefault(
        wanted, Answer.refusal(Answer.NOT_FOUND, "No such page; /penstock/ is the first one."));
  }

  private Answer json(String flow) throws IOException {
    boolean[] found = {true};
    byte[] body =
        Json.of(
            to -> {
              if (flow == null) {
                writeOverview(to);
              } else {
                found[0] = flows.writeFlow(flow, to);
              }
            });
    return found[0]
        ? new Answer(Answer.OK, "application/json; charset=utf-8", body)
        : Answer.refusal(Answer.NOT_FOUND, "No such flow; /penstock/json lists them.");
  }

  private void writeOverview(JsonGenerator to) throws IOException {
    to.writeStartObject();
    to.writeNumberField("version", VERSION);
    to.writeStringField("application", application);
    to.writeNumberField("now", System.currentTimeMillis() / 1e3);
    to.writeArrayFieldStart("tabs");
    for (Tab tab : tabs.get()) {
      to.writeStartObject();
      to.writeStringField("name", tab.name());
      to.writeStringField("path", tab.path());
      to.writeEndObject();
    }
    to.writeEndArray();
    flows.writeOverview(to);
    to.writeEndObject();
  }

  private static byte[] bundled(String name) throws IOException {
    try (InputStream file = Site.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IOException(name + " is missing from the Penstock jar");
      }
      return file.readAllBytes();
    }
  }
}
