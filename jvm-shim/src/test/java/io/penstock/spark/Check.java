package io.penstock.spark;

import java.util.Objects;
import java.util.concurrent.Callable;

/** The few checks the tests need; each says what it saw. */
public final class Check {

  private Check() {}

  public static void equal(Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError("expected <" + expected + "> but was <" + actual + ">");
    }
  }

  public static void holds(boolean condition, String sentence) {
    if (!condition) {
      throw new AssertionError("not true: " + sentence);
    }
  }

  public static void contains(String text, String part) {
    holds(text.contains(part), "<" + text + "> contains <" + part + ">");
  }

  /** The message of the exception, which must be of exactly this kind. */
  public static String messageOf(Class<? extends Exception> kind, Callable<?> action) {
    Object result;
    try {
      result = action.call();
    } catch (Exception thrown) {
      equal(kind, thrown.getClass());
      return thrown.getMessage();
    }
    throw new AssertionError("expected " + kind.getSimpleName() + " but got <" + result + ">");
  }
}
