package io.penstock.spark.ui;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The site as a servlet of whichever kind this Spark has.
 *
 * <p>Spark 3.5 has javax servlets and Spark 4 has jakarta ones. Both are the same interfaces under
 * other names, so one proxy serves both, and the jar is compiled against neither.
 */
final class SiteServlet implements InvocationHandler {

  private static final int BROKEN = 500;
  private static final Logger LOG = LoggerFactory.getLogger(SiteServlet.class);

  private final Site site;
  private final Class<?> request;
  private final Class<?> response;

  private SiteServlet(Site site, Class<?> request, Class<?> response) {
    this.site = site;
    this.request = request;
    this.response = response;
  }

  /**
   * A servlet that answers with the site.
   *
   * @param kind the interface {@code Servlet} of javax or jakarta
   */
  static Object of(Class<?> kind, Site site) throws ClassNotFoundException {
    String http = kind.getPackageName() + ".http.HttpServlet";
    ClassLoader loader = kind.getClassLoader();
    SiteServlet handler =
        new SiteServlet(
            site,
            Class.forName(http + "Request", false, loader),
            Class.forName(http + "Response", false, loader));
    return Proxy.newProxyInstance(loader, new Class<?>[] {kind}, handler);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "service" -> {
        serve(arguments[0], arguments[1]);
        yield null;
      }
      case "getServletInfo", "toString" -> "Penstock";
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> proxy == arguments[0];
      default -> null; // init, destroy, getServletConfig
    };
  }

  private void serve(Object asked, Object told) throws ReflectiveOperationException, IOException {
    Answer answer;
    try {
      answer =
          site.answer(
              ask(asked, "getMethod"),
              ask(asked, "getPathInfo"),
              (String) request.getMethod("getParameter", String.class).invoke(asked, "flow"),
              ask(asked, "getRemoteUser"));
    } catch (IOException | RuntimeException broken) {
      LOG.warn("Penstock's page could not be answered", broken);
      answer = Answer.refusal(BROKEN, "The answer could not be made; the driver's log says why.");
    }
    response.getMethod("setStatus", int.class).invoke(told, answer.status());
    response.getMethod("setContentType", String.class).invoke(told, answer.type());
    response.getMethod("setContentLength", int.class).invoke(told, answer.body().length);
    header(told, "Content-Security-Policy", Site.POLICY);
    header(told, "X-Content-Type-Options", "nosniff");
    header(told, "Referrer-Policy", "no-referrer");
    header(told, "Cache-Control", "no-cache, no-store, must-revalidate");
    if (!"HEAD".equals(ask(asked, "getMethod"))) {
      write((OutputStream) response.getMethod("getOutputStream").invoke(told), answer.body());
    }
  }

  private static void write(OutputStream to, byte[] body) {
    try {
      to.write(body);
    } catch (IOException gone) {
      LOG.debug("Whoever asked for Penstock's page did not wait for it", gone);
    }
  }

  private void header(Object told, String name, String value)
      throws ReflectiveOperationException {
    response.getMethod("setHeader", String.class, String.class).invoke(told, name, value);
  }

  private String ask(Object asked, String method)
      throws NoSuchMethodException, IllegalAccessException, InvocationTargetException {
    return (String) request.getMethod(method).invoke(asked);
  }
}
