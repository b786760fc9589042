/**
 * The Penstock tab of Spark's web UI, live and in the History Server.
 *
 * <p>Apart from the rest of the plugin, which works without it: {@link io.penstock.spark.ui.Ui} is
 * the one door. Spark's UI has no public interface, so whatever is missing in a version of Spark is
 * said once in the log, and the application goes on without the tab.
 */
package io.penstock.spark.ui;
