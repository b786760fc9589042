package io.penstock.spark.status;

import com.codahale.metrics.MetricRegistry;
import io.penstock.spark.Check;
import io.penstock.spark.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public final class StatusCollectorTest {

  private final Path local;
  private final Path folder;
  private final MetricRegistry metrics = new MetricRegistry();
  private final StatusBoard board = new StatusBoard();
  private final List<Object> sent = new ArrayList<>();

  public StatusCollectorTest() throws IOException {
    local = Files.createTempDirectory("penstock");
    folder = local.resolve("penstock");
  }

  public void what_runs_is_shown_and_sent_and_stays() throws IOException {
    StatusCollector collector = collector();
    collector.look();
    write("pe-1-0.json", Statuses.running("f", 10));
    collector.look();
    Check.equal(List.of(1, 2, 10L, 5L, 0.75), gauges());
    Check.equal(10L, board.flow("f").orElseThrow().rowsIn());
    Check.equal("7", board.running().get(0).executor());
    Check.holds(Files.exists(folder.resolve("pe-1-0.json")), "its task has not ended");
  }

  public void what_did_not_change_is_not_sent_again() throws IOException {
    StatusCollector collector = collector();
    collector.look();
    write("pe-1-0.json", Statuses.running("f", 10));
    collector.look();
    collector.look();
    Check.equal(1, sent.size());
  }

  public void what_ended_is_counted_sent_and_removed() throws IOException {
    StatusCollector collector = collector();
    collector.look();
    write("pe-1-0.json", Statuses.running("f", 10));
    collector.look();
    write("pe-1-0.json", Statuses.done("f", 20));
    collector.look();
    collector.look();
    Check.equal(List.of(0, 0, 20L, 10L, 0.75), gauges());
    Check.equal(1L, board.flow("f").orElseThrow().done());
    Check.holds(!Files.exists(folder.resolve("pe-1-0.json")), "it was collected");
  }

  public void a_pe_whose_worker_was_killed_is_ended_for_it() throws Exception {
    Process killed = new ProcessBuilder("true").start();
    killed.waitFor();
    StatusCollector collector = collector();
    collector.look();
    write("pe-1-0.json", Statuses.ofProcess(killed.pid(), "f", 10));
    collector.look();
    Check.equal(1L, board.flow("f").orElseThrow().failed());
    Check.contains(board.ended().get(0).error(), "its Python worker is gone");
    Check.holds(!Files.exists(folder.resolve("pe-1-0.json")), "nobody else would remove it");
  }

  public void folders_that_killed_workers_left_are_removed_and_nothing_else() throws Exception {
    Process killed = new ProcessBuilder("true").start();
    killed.waitFor();
    StatusCollector collector = collector();
    collector.look();
    Path elsewhere = Files.createTempDirectory("elsewhere");
    Files.writeString(elsewhere.resolve("mine"), "x");
    String dead = "temporary-" + killed.pid() + "-";
    Path left = Files.createDirectories(folder.resolve(dead + "migration-a/inner")).getParent();
    Files.writeString(left.resolve("inner/rows"), "x");
    Files.createSymbolicLink(left.resolve("link"), elsewhere);
    Path link = Files.createSymbolicLink(folder.resolve(dead + "migration-b"), elsewhere);
    long alive = ProcessHandle.current().pid();
    Path used = Files.createDirectory(folder.resolve("temporary-" + alive + "-migration-c"));
    Path other = Files.createDirectory(folder.resolve("temporary-of-somebody"));
    collector.look();
    Check.holds(!Files.exists(left), "its process is gone");
    Check.holds(Files.exists(elsewhere.resolve("mine")), "links are not followed");
    for (Path path : List.of(link, used, other)) {
      Check.holds(Files.exists(path), path + " is not one of them");
    }
  }

  public void files_that_are_no_status_are_passed_over() throws IOException {
    StatusCollector collector = collector();
    collector.look();
    write("pe-1-0.json", "nonsense");
    write("pe-1-1.json", Statuses.running("f", 10));
    collector.look();
    Check.equal(1, board.running().size());
  }

  public void many_files_travel_in_several_messages() throws IOException {
    StatusCollector collector = collector();
    collector.look();
    String large = " ".repeat(StatusFiles.MOST_BYTES - 5_000);
    for (int pe = 0; pe < 9; pe++) {
      write("pe-" + pe + "-0.json", large + Statuses.running("f", 10));
    }
    collector.look();
    Check.equal(2, sent.size());
    Check.equal(9, board.running().size());
  }

  public void a_folder_that_cannot_be_used_is_told_once_and_hurts_nobody() throws Exception {
    Files.writeString(folder, "in the way");
    try (LogCapture log = LogCapture.open()) {
      StatusCollector collector = collector();
      collector.start();
      collector.close();
      Check.equal(1, log.lines().size());
      Check.contains(log.lines().get(0), "is not a folder");
    }
  }

  public void it_says_that_it_collects_until_it_is_closed() throws Exception {
    StatusCollector collector = collector();
    collector.start();
    Check.holds(Files.exists(folder.resolve("collector")), "workers leave their last word");
    write("pe-1-0.json", Statuses.done("f", 10));
    collector.close();
    Check.holds(!Files.exists(folder.resolve("collector")), "workers tidy up themselves");
    Check.equal(1L, board.flow("f").orElseThrow().done());
  }

  private StatusCollector collector() {
    StatusCollector made =
        new StatusCollector(
            "7",
            local,
            message -> {
              sent.add(message);
              StatusCollector.receive(board, (String[]) message);
            });
    made.register(metrics);
    return made;
  }

  private List<Object> gauges() {
    return List.of("pe.running", "pe.threads", "rows.in", "rows.out", "busy.seconds").stream()
        .map(name -> metrics.getGauges().get(name).getValue())
        .toList();
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }
}
