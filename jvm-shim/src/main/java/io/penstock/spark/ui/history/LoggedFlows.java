package io.penstock.spark.ui.history;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.spark.ui.FlowSource;
import java.io.IOException;
import java.util.NoSuchElementException;
import org.apache.spark.util.kvstore.KVStore;
import org.apache.spark.util.kvstore.KVStoreIterator;

/** What the event log of an application says of its flows. */
final class LoggedFlows implements FlowSource {

  private static final ObjectMapper READER = new ObjectMapper();

  private final KVStore store;

  LoggedFlows(KVStore store) {
    this.store = store;
  }

  boolean isEmpty() throws Exception {
    return store.count(StoredFlow.class) == 0;
  }

  @Override
  public void writeOverview(JsonGenerator to) throws IOException {
    to.writeBooleanField("live", false);
    to.writeArrayFieldStart("flows");
    try (KVStoreIterator<StoredFlow> each =
        store.view(StoredFlow.class).closeableIterator()) {
      while (each.hasNext()) {
        READER.writeTree(to, READER.readTree(each.next().json()).path("flow"));
      }
    } catch (IOException broken) {
      throw broken;
    } catch (Exception broken) {
      throw new IOException("The store of the History Server cannot be read", broken);
    }
    to.writeEndArray();
    to.writeArrayFieldStart("executors");
    to.writeEndArray();
  }

  @Override
  public boolean writeFlow(String id, JsonGenerator to) throws IOException {
    try {
      JsonNode flow = READER.readTree(store.read(StoredFlow.class, id).json());
      READER.writeTree(to, flow); // read and written again, so that it is surely escaped
      return true;
    } catch (NoSuchElementException unknown) {
      return false;
    } catch (IOException broken) {
      throw broken;
    } catch (Exception broken) {
      throw new IOException("The store of the History Server cannot be read", broken);
    }
  }
}
