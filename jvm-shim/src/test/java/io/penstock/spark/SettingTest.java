package io.penstock.spark;

final class SettingTest {

  private final Setting plain =
      new Setting("spark.penstock.tuple.rows", ValueType.parse("int 0..9"), "0", "Rows.");
  private final Setting perFlow =
      new Setting("spark.penstock.flow.*.fast", ValueType.parse("bool"), "true", "Fast.");

  public void a_plain_setting_matches_its_key_alone() {
    Check.holds(plain.matches("spark.penstock.tuple.rows"), "its key matches");
    Check.holds(!plain.matches("spark-penstock.tuple.rows"), "a dot is a dot");
    Check.holds(!plain.matches("spark.penstock.tuple.rows2"), "a longer key does not match");
  }

  public void a_starred_setting_matches_every_flow_name_and_the_star_itself() {
    for (String name : new String[] {"a", "_a", "word-count_2", "A9", "*"}) {
      Check.holds(perFlow.matches("spark.penstock.flow." + name + ".fast"), name + " matches");
    }
  }

  public void a_starred_setting_does_not_match_what_is_no_flow_name() {
    for (String name : new String[] {"", "9a", "-a", "a.b", "a b", "\u00e9", "**"}) {
      Check.holds(!perFlow.matches("spark.penstock.flow." + name + ".fast"), name + " is refused");
    }
  }

  public void a_starred_setting_is_spelled_with_the_name_of_the_flow_that_was_meant() {
    Check.equal(
        "spark.penstock.flow.main.fast", perFlow.spelledLike("spark.penstock.flow.main.fasd"));
    Check.equal("spark.penstock.flow.*.fast", perFlow.spelledLike("spark.penstock.flow.9a.fast"));
    Check.equal("spark.penstock.flow.*.fast", perFlow.spelledLike("spark.penstock.flw.a.fast"));
    Check.equal("spark.penstock.tuple.rows", plain.spelledLike("spark.penstock.tuple.row"));
  }
}
