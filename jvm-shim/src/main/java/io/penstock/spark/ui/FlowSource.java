package io.penstock.spark.ui;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Where the page's numbers come from: a running application, or the log of one that ended. */
public interface FlowSource {

  /** Writes the members that say how things are as a whole: flows in few words, executors. */
  void writeOverview(JsonGenerator to) throws IOException;

  /**
   * Writes all that is known of one flow as an object; nothing at all if there is none.
   *
   * @param id of a flow, as the overview gives it
   * @return whether there is such a flow
   */
  boolean writeFlow(String id, JsonGenerator to) throws IOException;
}
