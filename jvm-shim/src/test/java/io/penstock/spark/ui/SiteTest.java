package io.penstock.spark.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.spark.Check;
import io.penstock.spark.status.StatusBoard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

public final class SiteTest {

  private static final List<String> FILES =
      List.of(
          "/", "/page.css", "/page.js", "/charts.js", "/flow.js", "/graph.js", "/make.js",
          "/rates.js");

  private static final List<String> BANNED =
      List.of(
          "http:", "https:", "@import", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(",
          "document.write");

  private final StatusBoard board = new StatusBoard();
  private final Site site;

  public SiteTest() throws IOException {
    site =
        new Site(
            "<b>app</b>",
            new LiveFlows(board, new Executors()),
            user -> !"mallory".equals(user),
            () -> List.of(new Site.Tab("Jobs", "jobs")));
  }

  public void the_page_and_what_it_is_made_of_are_there() throws IOException {
    for (String path : FILES) {
      Answer answer = get(path);
      Check.equal(200, answer.status());
      Check.holds(answer.body().length > 0, path + " is not empty");
    }
    Check.equal("text/html; charset=utf-8", get(null).type());
    Check.equal("text/javascript; charset=utf-8", get("/page.js").type());
  }

  public void nothing_is_loaded_from_elsewhere_and_no_text_becomes_code() throws IOException {
    for (String path : FILES) {
      String text =
          new String(get(path).body(), StandardCharsets.UTF_8)
              .replace("http://www.w3.org/2000/svg", "");
      for (String banned : BANNED) {
        Check.holds(!text.contains(banned), path + " holds no " + banned);
      }
    }
    Check.contains(Site.POLICY, "default-src 'none'");
    Check.holds(!Site.POLICY.contains("unsafe"), "no exception is made");
  }

  public void the_overview_names_the_application_and_the_other_tabs() throws IOException {
    JsonNode found = new ObjectMapper().readTree(get("/json").body());
    Check.equal(1, found.path("version").asInt());
    Check.equal("<b>app</b>", found.path("application").asText());
    Check.equal("jobs", found.path("tabs").path(0).path("path").asText());
    Check.holds(found.path("live").asBoolean(), "the application runs");
  }

  public void a_flow_is_found_by_its_id() throws IOException {
    board.put("1", "pe-1-0.json", Told.of("<i>", 0).toString());
    Answer answer = site.answer("GET", "/json", FlowId.of("<i>"), null);
    Check.equal(200, answer.status());
    JsonNode found = new ObjectMapper().readTree(answer.body());
    Check.equal("<i>", found.path("flow").path("name").asText());
    Check.equal(404, site.answer("GET", "/json", "<i>", null).status());
  }

  public void what_is_not_there_is_not_found_and_not_repeated() throws IOException {
    Answer answer = get("/<script>");
    Check.equal(404, answer.status());
    Check.equal("text/plain; charset=utf-8", answer.type());
    Check.holds(!new String(answer.body(), StandardCharsets.UTF_8).contains("script"), "no echo");
    Check.equal(404, get("/../PenstockPlugin.class").status());
    Check.equal(404, get("/Site.class").status());
  }

  public void who_may_not_view_the_application_sees_nothing_of_it() throws IOException {
    for (String path : List.of("/", "/json", "/page.js", "/other")) {
      Check.equal(403, site.answer("GET", path, null, "mallory").status());
    }
    Check.equal(200, site.answer("GET", "/json", null, "alice").status());
  }

  public void nothing_can_be_changed() throws IOException {
    for (String method : List.of("POST", "PUT", "DELETE", "TRACE", "OPTIONS")) {
      Check.equal(405, site.answer(method, "/json", null, null).status());
    }
    Check.equal(200, site.answer("HEAD", "/json", null, null).status());
  }

  private Answer get(String path) throws IOException {
    return site.answer("GET", path, null, null);
  }
}
