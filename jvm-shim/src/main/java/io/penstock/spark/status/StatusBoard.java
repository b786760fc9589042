package io.penstock.spark.status;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What the driver knows of all PEs of the application: the latest status of each that runs, of the
 * newest that ended, and sums by flow of them all.
 *
 * <p>Everything is bounded, so that an application that runs for months holds no more than one that
 * runs for minutes. Any thread may ask; what is returned does not change any more.
 */
public final class StatusBoard {

  /** PEs that ended and are still shown one by one; the sums go on without them. */
  public static final int MOST_ENDED = 1_000;

  /** Characters of all files of PEs that ended, for flows with very many operators. */
  static final long MOST_ENDED_SIZE = 64L << 20;

  static final int MOST_RUNNING = 10_000;
  static final int MOST_FLOWS = 200;

  /** A PE that runs says so each second; one that is silent for so long is gone. */
  static final long MOST_SILENT_MILLIS = 60_000;

  private record Heard(PeStatus status, long millis) {}

  private final LongSupplier clock;
  private final Map<String, Heard> running = new LinkedHashMap<>();
  private final LinkedHashMap<String, PeStatus> ended = new LinkedHashMap<>();
  private final Map<String, FlowTally> tallies = new TreeMap<>();
  private final Map<String, FlowStatus> sums = new HashMap<>(); // of flows that did not change
  private final List<Consumer<FlowStatus>> listeners = new ArrayList<>();
  private long endedSize;
  private boolean hasMoreFlows;

  public StatusBoard() {
    this(System::currentTimeMillis);
  }

  StatusBoard(LongSupplier clock) {
    this.clock = clock;
  }

  /** Whoever is to be told about a flow, first when it is new; to be said before all else. */
  public synchronized void listen(Consumer<FlowStatus> listener) {
    listeners.add(listener);
  }

  /**
   * Puts up what an executor sent.
   *
   * @param name of the status file, which is the PE's own in its executor
   */
  public void put(String executor, String name, String text) {
    StatusReader.read(executor, text).ifPresent(status -> put(name, status));
  }

  /** PEs that run now, oldest first. */
  public synchronized List<PeStatus> running() {
    dropSilent();
    return running.values().stream().map(Heard::status).toList();
  }

  /** PEs that ended lately, newest first. */
  public synchronized List<PeStatus> ended() {
    List<PeStatus> found = new ArrayList<>(ended.values());
    Collections.reverse(found);
    return found;
  }

  /** Sums of each flow, by name. */
  public synchronized List<FlowStatus> flows() {
    dropSilent();
    return tallies.keySet().stream().map(this::sumOf).toList();
  }

  /** Whether there were flows after as many as are remembered, of which nothing is known here. */
  public synchronized boolean hasMoreFlows() {
    return hasMoreFlows;
  }

  /** Sums of one flow, if it ever ran. */
  public synchronized Optional<FlowStatus> flow(String flow) {
    dropSilent();
    return tallies.containsKey(flow) ? Optional.of(sumOf(flow)) : Optional.empty();
  }

  /** What a flow did over time, second by second, for as long as it is remembered; oldest first. */
  public synchronized List<FlowMoment> history(String flow) {
    FlowTally tally = tallies.get(flow);
    return tally == null ? List.of() : tally.moments();
  }

  private void put(String name, PeStatus status) {
    FlowStatus now = null;
    synchronized (this) {
      dropSilent();
      String key = status.executor() + "/" + name + "/" + status.started();
      FlowTally tally = tallies.get(status.flow());
      if (tally == null) {
        if (tallies.size() == MOST_FLOWS) {
          hasMoreFlows = true;
          return;
        }
        tally = new FlowTally(status.flow());
        tallies.put(status.flow(), tally);
      }
      if (ended.containsKey(key)) {
        return; // what ended is told once
      }
      if (!status.isRunning()) {
        running.remove(key);
        end(key, status);
      } else if (running.containsKey(key) || running.size() < MOST_RUNNING) {
        running.put(key, new Heard(status, clock.getAsLong()));
      }
      sums.remove(status.flow());
      // Not at each put: there can be very many PEs, each of which is heard of every second.
      if (tally.isTimeForMoment(clock.getAsLong())) {
        now = sumOf(status.flow());
        tally.add(clock.getAsLong(), now);
        sums.remove(status.flow());
      }
    }
    if (now != null) {
      for (Consumer<FlowStatus> listener : listeners) {
        listener.accept(now);
      }
    }
  }

  private void end(String key, PeStatus status) {
    tallies.get(status.flow()).ended(status);
    sums.remove(status.flow());
    ended.put(key, status);
    endedSize += status.size();
    Iterator<PeStatus> oldest = ended.values().iterator();
    while (ended.size() > MOST_ENDED || endedSize > MOST_ENDED_SIZE) {
      endedSize -= oldest.next().size();
      oldest.remove();
    }
  }

  /** Executors that were killed say nothing: what ran there counts as failed after a while. */
  private void dropSilent() {
    long silentSince = clock.getAsLong() - MOST_SILENT_MILLIS;
    Map<String, PeStatus> gone = new LinkedHashMap<>();
    running.forEach(
        (key, heard) -> {
          if (heard.millis() < silentSince) {
            gone.put(key, heard.status());
          }
        });
    gone.forEach(
        (key, status) -> {
          running.remove(key);
          end(key, status.failed("its executor is no longer heard of"));
        });
  }

  private FlowStatus sumOf(String flow) {
    return sums.computeIfAbsent(flow, name -> tallies.get(name).with(runningOf(name)));
  }

  private Collection<PeStatus> runningOf(String flow) {
    return running.values().stream()
        .map(Heard::status)
        .filter(status -> status.flow().equals(flow))
        .toList();
  }
}
