package io.penstock.spark;

import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.SparkConf;

final class SettingsTest {

  private final Declarations declarations =
      Declarations.parse(
          """
          # Rows.
          # @ int 0..1048576
          spark.penstock.tuple.rows   0
          # Checks.
          # @ enum schema|full
          spark.penstock.check.batches   schema
          # Period.
          # @ duration 10ms..1h
          spark.penstock.elastic.period   500ms
          # Threads.
          # @ int 1..64
          spark.penstock.flow.*.threads   4
          """);

  public void a_setting_not_given_has_its_default() {
    Settings settings = Settings.checked(declarations, Map.of());
    Check.equal("0", settings.get("spark.penstock.tuple.rows"));
    Check.equal(
        Map.of(
            "spark.penstock.tuple.rows", "0",
            "spark.penstock.check.batches", "schema",
            "spark.penstock.elastic.period", "500ms",
            "spark.penstock.flow.*.threads", "4"),
        settings.asMap());
  }

  public void a_given_setting_is_in_force_without_the_spaces_around_it() {
    Settings settings =
        Settings.checked(declarations, Map.of("spark.penstock.tuple.rows", " 1024 "));
    Check.equal("1024", settings.get("spark.penstock.tuple.rows"));
    Check.equal("schema", settings.get("spark.penstock.check.batches"));
  }

  public void settings_of_others_are_neither_checked_nor_kept() {
    Settings settings =
        Settings.checked(
            declarations, Map.of("spark.master", "local", "spark.penstocks.tuple.rows", "x"));
    Check.equal(4, settings.asMap().size());
  }

  public void the_application_s_own_conf_is_read() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.master", "local")
            .set("spark.penstock.check.batches", "full");
    Check.equal("full", Settings.checked(declarations, conf).get("spark.penstock.check.batches"));
  }

  public void a_flow_not_named_takes_the_starred_setting() {
    Settings settings =
        Settings.checked(
            declarations,
            Map.of("spark.penstock.flow.main.threads", "8", "spark.penstock.flow.*.threads", "2"));
    Check.equal("8", settings.get("spark.penstock.flow.main.threads"));
    Check.equal("2", settings.get("spark.penstock.flow.other.threads"));
    Check.equal(
        "4", Settings.checked(declarations, Map.of()).get("spark.penstock.flow.main.threads"));
  }

  public void a_flow_s_setting_is_checked_like_any_other() {
    Check.contains(
        refusal(Map.of("spark.penstock.flow.main.threads", "65")),
        "spark.penstock.flow.main.threads = '65': allowed is a whole number from 1 to 64");
  }

  public void a_value_not_allowed_is_refused_with_key_value_range_and_default() {
    Check.contains(
        refusal(Map.of("spark.penstock.tuple.rows", "-5")),
        "spark.penstock.tuple.rows = '-5': allowed is a whole number from 0 to 1048576;"
            + " the default is 0");
    Check.contains(
        refusal(Map.of("spark.penstock.check.batches", "")),
        "spark.penstock.check.batches = '': allowed is one of schema, full; the default is schema");
    Check.contains(
        refusal(Map.of("spark.penstock.elastic.period", "2h")),
        "spark.penstock.elastic.period = '2h': allowed is a duration from 10ms to 1h");
  }

  public void an_unknown_key_is_refused_with_the_nearest_known_one() {
    Check.contains(
        refusal(Map.of("spark.penstock.tuples.row", "1")),
        "spark.penstock.tuples.row = '1': no such setting;"
            + " the nearest is spark.penstock.tuple.rows");
    Check.contains(
        refusal(Map.of("spark.penstock.Check.Batches", "full")),
        "the nearest is spark.penstock.check.batches");
    Check.contains(
        refusal(Map.of("spark.penstock.flow.my-flow.thread", "1")),
        "the nearest is spark.penstock.flow.my-flow.threads");
  }

  public void a_name_no_flow_can_have_is_refused_with_the_form_of_names() {
    Check.contains(
        refusal(Map.of("spark.penstock.flow.9a.threads", "1")),
        "the nearest is spark.penstock.flow.*.threads,"
            + " where * is a name like [A-Za-z_][A-Za-z0-9_-]*");
  }

  public void all_problems_are_reported_at_once_and_nothing_else() {
    Check.equal(
        """
        Penstock does not start with these settings; correct or remove them \
        (penstock-defaults.conf describes all):
          spark.penstock.check.batches = 'ful': allowed is one of schema, full; \
        the default is schema
          spark.penstock.tuple.rowz = '3': no such setting; \
        the nearest is spark.penstock.tuple.rows""",
        refusal(
            Map.of(
                "spark.penstock.tuple.rowz", "3",
                "spark.penstock.check.batches", "ful",
                "spark.penstock.tuple.rows", "7")));
  }

  public void asking_for_a_key_that_is_not_declared_is_an_error() {
    Settings settings = Settings.checked(declarations, Map.of());
    Check.contains(
        Check.messageOf(
            NoSuchElementException.class, () -> settings.get("spark.penstock.tuple.columns")),
        "spark.penstock.tuple.columns is not declared");
  }

  private String refusal(Map<String, String> given) {
    return Check.messageOf(
        IllegalArgumentException.class, () -> Settings.checked(declarations, given));
  }
}
