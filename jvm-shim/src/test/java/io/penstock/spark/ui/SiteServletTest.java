package io.penstock.spark.ui;

import io.penstock.spark.Check;
import io.penstock.spark.status.StatusBoard;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class SiteServletTest {

  /** Those that the Spark at hand has. */
  private static final List<String> KINDS = List.of("javax.servlet", "jakarta.servlet");

  private final Map<String, Object> told = new HashMap<>();

  public void one_servlet_is_of_whichever_kind_spark_has() throws Exception {
    int served = 0;
    for (String kind : KINDS) {
      if (isThere(kind)) {
        told.clear();
        // The body is asked for with GET only, and needs a stream of that kind: HEAD has all else.
        serve(kind, Map.of("getMethod", "HEAD", "getPathInfo", "/json"), user -> true);
        Check.equal(200, told.get("setStatus"));
        Check.equal(Site.POLICY, told.get("Content-Security-Policy"));
        Check.equal("nosniff", told.get("X-Content-Type-Options"));
        Check.contains((String) told.get("setContentType"), "application/json");
        served++;
      }
    }
    Check.holds(served > 0, "some kind of servlet is there");
  }

  public void the_user_that_spark_knows_is_the_one_who_is_judged() throws Exception {
    String kind = KINDS.stream().filter(SiteServletTest::isThere).findFirst().orElseThrow();
    Map<String, Object> asked =
        Map.of("getMethod", "HEAD", "getPathInfo", "/", "getRemoteUser", "mallory");
    serve(kind, asked, user -> !"mallory".equals(user));
    Check.equal(403, told.get("setStatus"));
  }

  private void serve(
      String kind, Map<String, Object> asked, java.util.function.Predicate<String> mayView)
      throws Exception {
    Site site =
        new Site("app", new LiveFlows(new StatusBoard(), new Executors()), mayView, List::of);
    Class<?> type = Class.forName(kind + ".Servlet");
    Object servlet = SiteServlet.of(type, site);
    Object request =
        stub(
            kind + ".http.HttpServletRequest",
            (self, method, given) -> asked.get(method.getName()));
    Object response =
        stub(
            kind + ".http.HttpServletResponse",
            (self, method, given) -> {
              boolean isHeader = method.getName().equals("setHeader");
              String name = isHeader ? (String) given[0] : method.getName();
              return told.put(name, given[given.length - 1]);
            });
    Method service =
        type.getMethod(
            "service",
            Class.forName(kind + ".ServletRequest"),
            Class.forName(kind + ".ServletResponse"));
    try {
      service.invoke(servlet, request, response);
    } catch (InvocationTargetException failed) {
      throw new AssertionError(kind, failed.getCause());
    }
  }

  private static Object stub(String type, InvocationHandler answers) throws ClassNotFoundException {
    Class<?> kind = Class.forName(type);
    return Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, answers);
  }

  private static boolean isThere(String kind) {
    try {
      Class.forName(kind + ".Servlet");
      return true;
    } catch (ClassNotFoundException absent) {
      return false;
    }
  }
}
