package io.penstock.spark.ui;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.WebUITab;

/**
 * The tab: a name among Spark's tabs, and the site behind it.
 *
 * <p>The tab has no page in Spark's sense, for what such a page is made of changes from version to
 * version. The site is attached as Spark attaches its own pages, so that its filters stand before.
 */
final class PenstockTab extends SparkUITab {

  static final String PREFIX = "penstock";

  private PenstockTab(SparkUI ui) {
    super(ui, PREFIX);
  }

  /**
   * Adds the tab to a UI.
   *
   * @throws ReflectiveOperationException if this Spark has no such UI
   */
  static void attach(SparkUI ui, String application, FlowSource flows)
      throws ReflectiveOperationException, IOException {
    Site site =
        new Site(
            application,
            flows,
            user -> ui.securityManager().checkUIViewPermissions(user),
            () -> tabsOf(ui));
    Method attachHandler =
        Arrays.stream(SparkUI.class.getMethods())
            .filter(one -> one.getName().equals("attachHandler") && one.getParameterCount() == 1)
            .findFirst()
            .orElseThrow(() -> new NoSuchMethodException("SparkUI.attachHandler(handler)"));
    attachHandler.invoke(ui, handler(attachHandler.getParameterTypes()[0], ui, site));
    ui.attachTab(new PenstockTab(ui));
  }

  /** A handler of Jetty, wherever this Spark keeps it, that answers with the site. */
  private static Object handler(Class<?> kind, SparkUI ui, Site site)
      throws ReflectiveOperationException {
    Class<?> holder =
        Class.forName(kind.getPackageName() + ".ServletHolder", true, kind.getClassLoader());
    Constructor<?> ofServlet =
        Arrays.stream(holder.getConstructors())
            .filter(one -> one.getParameterCount() == 1)
            .filter(one -> one.getParameterTypes()[0].getSimpleName().equals("Servlet"))
            .findFirst()
            .orElseThrow(() -> new NoSuchMethodException("ServletHolder(Servlet)"));
    Object servlet = SiteServlet.of(ofServlet.getParameterTypes()[0], site);
    Object made = kind.getConstructor().newInstance();
    kind.getMethod("setContextPath", String.class)
        .invoke(made, ui.getBasePath() + "/" + PREFIX);
    kind.getMethod("addServlet", holder, String.class)
        .invoke(made, ofServlet.newInstance(servlet), "/*");
    return made;
  }

  /** The tabs beside this one. By reflection: what getTabs returns depends on Scala's version. */
  private static List<Site.Tab> tabsOf(SparkUI ui) {
    List<Site.Tab> found = new ArrayList<>();
    try {
      scala.collection.Iterable<?> tabs =
          (scala.collection.Iterable<?>) SparkUI.class.getMethod("getTabs").invoke(ui);
      for (scala.collection.Iterator<?> each = tabs.iterator(); each.hasNext(); ) {
        WebUITab tab = (WebUITab) each.next();
        found.add(new Site.Tab(tab.name(), tab.prefix()));
      }
    } catch (ReflectiveOperationException | ClassCastException unknown) {
      found.add(new Site.Tab("Jobs", "jobs"));
      found.add(new Site.Tab("Penstock", PREFIX));
    }
    return found;
  }
}
