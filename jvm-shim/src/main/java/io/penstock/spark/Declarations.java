package io.penstock.spark;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings that exist, read from the file that declares them.
 *
 * <p>The file is also a properties file for Spark. Only the part of that format is accepted that
 * has one reading everywhere: no escapes, no {@code =} or {@code :}, one line for each key.
 */
final class Declarations {

  static final String FILE = "penstock-defaults.conf";

  private static final Pattern ENTRY = Pattern.compile("(\\S+)\\s+([^\\s\\\\=:#!]+)");
  private static final Pattern KEY =
      Pattern.compile("spark\\.penstock(\\.[a-z][A-Za-z0-9]*|\\.\\*){2,}");

  private final Map<String, Setting> byKey = new LinkedHashMap<>();

  private Declarations() {}

  /** The declarations that came with this jar. */
  static Declarations bundled() {
    return parse(BundledFile.read(FILE));
  }

  static Declarations parse(String text) {
    Declarations declarations = new Declarations();
    List<String> comments = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().map(String::strip).toList()) {
      number++;
      try {
        if (line.startsWith("#")) {
          comments.add(line.substring(1).strip());
          continue;
        }
        if (!line.isEmpty()) {
          declarations.add(line, comments);
        } else if (comments.stream().anyMatch(Declarations::isDeclaration)) {
          throw new IllegalArgumentException("no key stands directly below the declaration above");
        }
        comments.clear();
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(
            FILE + ", line " + number + ": " + wrong.getMessage(), wrong);
      }
    }
    if (comments.stream().anyMatch(Declarations::isDeclaration)) {
      throw new IllegalArgumentException(FILE + ": the last declaration has no key below it");
    }
    return declarations;
  }

  Collection<Setting> all() {
    return Collections.unmodifiableCollection(byKey.values());
  }

  /** The setting that declares this key; a key of its own comes before a starred one. */
  Optional<Setting> find(String key) {
    Setting exact = byKey.get(key);
    return exact != null
        ? Optional.of(exact)
        : byKey.values().stream().filter(setting -> setting.matches(key)).findFirst();
  }

  private void add(String line, List<String> comments) {
    Matcher entry = ENTRY.matcher(line);
    if (!entry.matches() || !KEY.matcher(entry.group(1)).matches()) {
      throw new IllegalArgumentException(
          "'" + line + "' is no setting; write spark.penstock.<area>.<name> and a default value");
    }
    String key = entry.group(1);
    String defaultValue = entry.group(2);
    if (key.indexOf('*') != key.lastIndexOf('*')) {
      throw new IllegalArgumentException(key + " holds more than one *; one is allowed");
    }
    int last = comments.size() - 1;
    if (last < 1 || !isDeclaration(comments.get(last))) {
      throw new IllegalArgumentException(
          key + " needs a description and then, directly above the key, a line '# @ TYPE'");
    }
    List<String> description = comments.subList(0, last);
    if (description.stream().anyMatch(Declarations::isDeclaration)) {
      throw new IllegalArgumentException(key + " has two declarations; one is allowed");
    }
    ValueType type = ValueType.parse(comments.get(last).substring(1));
    if (!type.allows(defaultValue)) {
      throw new IllegalArgumentException(
          key + " has the default '" + defaultValue + "'; allowed is " + type.inWords());
    }
    Setting setting = new Setting(key, type, defaultValue, String.join(" ", description));
    if (byKey.putIfAbsent(key, setting) != null) {
      throw new IllegalArgumentException(key + " is declared twice");
    }
  }

  private static boolean isDeclaration(String comment) {
    return comment.startsWith("@");
  }
}
