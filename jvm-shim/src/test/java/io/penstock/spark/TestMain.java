package io.penstock.spark;

import io.penstock.spark.status.StatusBoardTest;
import io.penstock.spark.status.StatusCollectorTest;
import io.penstock.spark.status.StatusFilesTest;
import io.penstock.spark.status.StatusReaderTest;
import io.penstock.spark.ui.JsonTest;
import io.penstock.spark.ui.LiveFlowsTest;
import io.penstock.spark.ui.SiteServletTest;
import io.penstock.spark.ui.SiteTest;
import io.penstock.spark.ui.SkewTest;
import io.penstock.spark.ui.UiTest;
import io.penstock.spark.ui.history.PenstockHistoryTest;
import io.penstock.spark.ui.history.TurnsTest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Runs every public method of the listed classes as a test: {@code java ... TestMain}. */
public final class TestMain {

  private static final List<Class<?>> TESTS =
      List.of(
          QuantityTest.class,
          ValueTypeTest.class,
          DeclarationsTest.class,
          EditDistanceTest.class,
          SettingTest.class,
          SettingsTest.class,
          BundledFileTest.class,
          VersionTest.class,
          RunningTasksTest.class,
          ThreadLedgerTest.class,
          ExecutorWatchTest.class,
          StatusReaderTest.class,
          StatusBoardTest.class,
          StatusFilesTest.class,
          StatusCollectorTest.class,
          PenstockPluginTest.class,
          JsonTest.class,
          SkewTest.class,
          LiveFlowsTest.class,
          SiteTest.class,
          SiteServletTest.class,
          TurnsTest.class,
          PenstockHistoryTest.class,
          UiTest.class);

  private TestMain() {}

  public static void main(String[] arguments) throws ReflectiveOperationException {
    int passed = 0;
    int failed = 0;
    for (Class<?> test : TESTS) {
      for (Method method : testsOf(test)) {
        if (passes(test, method)) {
          passed++;
        } else {
          failed++;
        }
      }
    }
    System.out.println(passed + " passed, " + failed + " failed");
    System.exit(failed == 0 ? 0 : 1);
  }

  private static List<Method> testsOf(Class<?> test) {
    List<Method> methods =
        Arrays.stream(test.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .sorted(Comparator.comparing(Method::getName))
            .toList();
    if (methods.isEmpty()) {
      throw new IllegalStateException(test.getName() + " holds no test");
    }
    return methods;
  }

  private static boolean passes(Class<?> test, Method method) throws ReflectiveOperationException {
    String name = test.getSimpleName() + "." + method.getName();
    try {
      method.invoke(test.getDeclaredConstructor().newInstance());
      System.out.println("ok      " + name);
      return true;
    } catch (InvocationTargetException failure) {
      System.out.println("FAILED  " + name);
      failure.getCause().printStackTrace(System.out);
      return false;
    }
  }
}
