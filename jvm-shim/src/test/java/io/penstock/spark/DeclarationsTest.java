package io.penstock.spark;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

final class DeclarationsTest {

  public void a_setting_has_its_key_type_default_and_description() {
    Declarations declarations =
        Declarations.parse(
            """
            # About the whole file.

            # How many,
            # and why.
            # @ int 0..9
            spark.penstock.area.count   3
            """);
    Setting setting = declarations.all().iterator().next();
    Check.equal(1, declarations.all().size());
    Check.equal("spark.penstock.area.count", setting.key());
    Check.equal(ValueType.parse("int 0..9"), setting.type());
    Check.equal("3", setting.defaultValue());
    Check.equal("How many, and why.", setting.description());
  }

  public void spark_reads_the_same_keys_and_defaults_from_the_bundled_file() throws IOException {
    Properties asSparkDoes = new Properties();
    try (InputStream file = Declarations.class.getResourceAsStream("/penstock-defaults.conf")) {
      asSparkDoes.load(file);
    }
    Check.equal(
        asSparkDoes,
        Declarations.bundled().all().stream()
            .collect(Collectors.toMap(Setting::key, Setting::defaultValue)));
    Check.holds(!asSparkDoes.isEmpty(), "the bundled file declares settings");
  }

  public void a_key_of_its_own_comes_before_a_starred_key() {
    Declarations declarations =
        Declarations.parse(
            """
            # For every flow.
            # @ bool
            spark.penstock.flow.*.fast   true
            # For one.
            # @ int 0..9
            spark.penstock.flow.main.fast   3
            """);
    Check.equal("3", declarations.find("spark.penstock.flow.main.fast").get().defaultValue());
    Check.equal("true", declarations.find("spark.penstock.flow.b.fast").get().defaultValue());
    Check.equal(Optional.empty(), declarations.find("spark.penstock.flow.b.slow"));
  }

  public void a_key_without_a_declaration_directly_above_is_refused() {
    refused("# Words.\nspark.penstock.area.a 1\n", "line 2: spark.penstock.area.a needs");
    refused("# Words.\n# @ bool\n\nspark.penstock.area.a true\n", "line 3: no key stands");
    refused("# @ bool\n# Words.\nspark.penstock.area.a true\n", "line 3: spark.penstock.area.a");
  }

  public void a_setting_without_a_description_is_refused() {
    refused("# @ bool\nspark.penstock.area.a true\n", "line 2: spark.penstock.area.a needs a desc");
  }

  public void a_declaration_without_a_key_is_refused() {
    refused("# Words.\n# @ bool\n", "the last declaration has no key below it");
  }

  public void a_setting_with_two_declarations_is_refused() {
    refused(
        "# Words.\n# @ int 0..9\n# @ bool\nspark.penstock.area.a true\n",
        "line 4: spark.penstock.area.a has two declarations");
  }

  public void a_setting_declared_twice_is_refused() {
    String once = "# Words.\n# @ bool\nspark.penstock.area.a true\n";
    refused(once + once, "line 6: spark.penstock.area.a is declared twice");
  }

  public void a_default_outside_its_own_range_is_refused() {
    refused(
        "# Words.\n# @ int 0..9\nspark.penstock.area.a 10\n",
        "line 3: spark.penstock.area.a has the default '10'; allowed is a whole number from 0");
  }

  public void a_wrong_declaration_is_refused_with_its_line() {
    refused("# Words.\n# @ float 0..9\nspark.penstock.area.a 1\n", "line 3: 'float 0..9' declares");
  }

  public void a_line_that_is_not_a_key_and_one_value_is_refused() {
    for (String line :
        new String[] {
          "spark.penstock.area.a",
          "spark.penstock.area.a = 1",
          "spark.penstock.area.a=1",
          "spark.penstock.area.a 1 2",
          "spark.penstock.area.a \\",
          "spark.penstock.a 1",
          "spark.other.area.a 1",
          "spark.penstock.Area.a 1",
          "spark.penstock.ar*a.a 1",
        }) {
      refused("# Words.\n# @ int 0..9\n" + line + "\n", "line 3: '" + line + "' is no setting");
    }
  }

  public void a_key_with_two_stars_is_refused() {
    refused(
        "# Words.\n# @ bool\nspark.penstock.*.*.a true\n",
        "line 3: spark.penstock.*.*.a holds more than one *");
  }

  private static void refused(String text, String part) {
    Check.contains(
        Check.messageOf(IllegalArgumentException.class, () -> Declarations.parse(text)), part);
  }
}
