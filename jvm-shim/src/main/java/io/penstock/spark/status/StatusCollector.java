package io.penstock.spark.status;

import com.codahale.metrics.MetricRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects what the PEs of one executor tell of themselves, shows it in gauges and sends it on.
 *
 * <p>One daemon thread looks once a second. Nothing that goes wrong here concerns a task: each cause
 * is logged once, and the next look tries again.
 */
public final class StatusCollector implements AutoCloseable {

  /** Sends a message to the driver part. */
  @FunctionalInterface
  public interface Sender {
    void send(Object message) throws IOException;
  }

  static final long PERIOD_MILLIS = 1_000;

  /** One message carries the files up to about so many characters. */
  static final int MESSAGE_SIZE = 4 << 20;

  private static final int MOST_CAUSES = 100;
  private static final Logger LOG = LoggerFactory.getLogger(StatusCollector.class);

  private final String executor;
  private final Path localFolder;
  private final Sender driver;
  private final ExecutorTally tally = new ExecutorTally();
  private final Map<String, String> known = new HashMap<>();
  private final Set<String> causes = new HashSet<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "penstock-status");
  private StatusFiles files;

  public StatusCollector(String executor, Path localFolder, Sender driver) {
    this.executor = executor;
    this.localFolder = localFolder;
    this.driver = driver;
    thread.setDaemon(true);
  }

  public void register(MetricRegistry metrics) {
    tally.register(metrics);
  }

  public void start() {
    // At once, not on the thread: a task that ends soon must find somebody who collects.
    attempt(this::open);
    thread.start();
  }

  /** Stops looking, after a last look. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(PERIOD_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
        attempt(this::look);
      }
      attempt(this::look);
    } catch (InterruptedException interrupted) {
      LOG.debug("Penstock no longer collects what flows tell", interrupted);
    } finally {
      attempt(this::leave);
    }
  }

  private void open() throws IOException {
    StatusFiles opened = StatusFiles.in(localFolder);
    opened.collect();
    files = opened;
  }

  private void leave() throws IOException {
    if (files != null) {
      files.leave();
    }
  }

  /**
   * Reads all files, tells what is new, and removes those of PEs that ended, with whatever else
   * killed workers left.
   */
  void look() throws IOException {
    if (files == null) {
      open();
    }
    attempt(files::removeLeftFolders);
    Map<String, String> texts = files.read();
    known.keySet().retainAll(texts.keySet());
    List<PeStatus> running = new ArrayList<>();
    List<PeStatus> ended = new ArrayList<>();
    List<String> news = new ArrayList<>();
    for (Map.Entry<String, String> file : texts.entrySet()) {
      String text = file.getValue();
      PeStatus status = StatusReader.read(executor, text).orElse(null);
      if (status == null) {
        continue; // not one of ours, or of another version
      }
      if (status.isRunning() && !Processes.isAlive(status.pid())) {
        text = StatusReader.failed(text, "its Python worker is gone");
        status = StatusReader.read(executor, text).orElseThrow();
      }
      boolean isNew = !text.equals(known.put(file.getKey(), text));
      if (isNew) {
        news.add(file.getKey());
        news.add(text);
      }
      if (status.isRunning()) {
        running.add(status);
      } else if (isNew) {
        ended.add(status); // counted once, also if it cannot be removed
      }
      if (!status.isRunning()) {
        attempt(() -> files.delete(file.getKey()));
      }
    }
    tally.look(System.nanoTime(), running, ended);
    send(news);
  }

  private void send(List<String> news) throws IOException {
    List<String> message = new ArrayList<>(List.of(executor));
    int size = 0;
    for (int place = 0; place < news.size(); place += 2) {
      message.addAll(news.subList(place, place + 2));
      size += news.get(place + 1).length();
      if (size >= MESSAGE_SIZE || place + 2 == news.size()) {
        // Only classes of Java's own: ours may be unknown to whoever reads messages on the driver.
        driver.send(message.toArray(String[]::new));
        message.subList(1, message.size()).clear();
        size = 0;
      }
    }
  }

  /** Puts up on the driver what `send` sent. */
  public static void receive(StatusBoard board, String[] message) {
    for (int place = 1; place + 1 < message.length; place += 2) {
      board.put(message[0], message[place], message[place + 1]);
    }
  }

  @FunctionalInterface
  private interface Step {
    void take() throws IOException;
  }

  private void attempt(Step step) {
    try {
      step.take();
    } catch (IOException | RuntimeException failure) {
      if (closed.getCount() == 0) {
        LOG.debug("Penstock collects no more", failure); // the driver may be gone already
      } else if (causes.size() < MOST_CAUSES && causes.add(String.valueOf(failure.getMessage()))) {
        LOG.warn(
            "Penstock could not collect what flows tell of themselves on executor {}, and tries"
                + " again: {}",
            executor,
            failure.toString());
      }
    }
  }
}
