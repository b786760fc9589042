package io.penstock.spark;

import io.penstock.spark.status.SharedFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

final class ThreadLedgerTest {

  private final Path folder = Files.createTempDirectory("penstock-ledger-test");
  private final Path file = folder.resolve(SharedFolder.NAME).resolve(ThreadLedger.FILE);
  private final RunningTasks running = new RunningTasks();
  private final ThreadLedger ledger = new ThreadLedger(folder, running);

  ThreadLedgerTest() throws IOException {
    folder.toFile().deleteOnExit();
  }

  public void it_writes_how_many_tasks_run() throws IOException {
    write(ThreadLedger.MAGIC, ThreadLedger.VERSION);
    running.startOnThisThread();
    ledger.tell();
    Check.equal(1, told());
    running.endOnThisThread();
    ledger.tell();
    Check.equal(0, told());
  }

  public void nothing_is_made_where_no_flow_has_been() {
    ledger.tell();
    Check.equal(false, Files.exists(file));
  }

  public void a_page_that_comes_later_is_found() throws IOException {
    ledger.tell();
    write(0, 0); // a flow has begun it
    ledger.tell();
    Check.equal(-1, told());
    write(ThreadLedger.MAGIC, ThreadLedger.VERSION);
    ledger.tell();
    Check.equal(0, told());
  }

  public void a_page_of_another_version_is_left_alone() throws IOException {
    write(ThreadLedger.MAGIC, ThreadLedger.VERSION + 1);
    ledger.tell();
    Check.equal(-1, told());
  }

  public void a_link_is_not_followed() throws IOException {
    write(ThreadLedger.MAGIC, ThreadLedger.VERSION);
    Path elsewhere = folder.resolve("elsewhere");
    Files.move(file, elsewhere);
    Files.createSymbolicLink(file, elsewhere);
    ledger.tell();
    Check.equal(-1, ByteBuffer.wrap(Files.readAllBytes(elsewhere)).getInt(16));
  }

  public void a_page_or_a_folder_that_others_may_use_is_left_alone_and_named() throws IOException {
    for (Path opened : new Path[] {file, file.getParent()}) {
      write(ThreadLedger.MAGIC, ThreadLedger.VERSION);
      String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(opened));
      allow(opened, mode.substring(0, 6) + "r--");
      try (LogCapture log = LogCapture.open()) {
        new ThreadLedger(folder, running).tell();
        Check.equal(-1, told());
        Check.contains(
            log.lines().get(0),
            "'" + opened + "' has mode " + mode.substring(0, 6) + "r--, not " + mode);
      }
    }
  }

  private void write(long magic, int version) throws IOException {
    Files.createDirectories(file.getParent());
    allow(file.getParent(), "rwx------");
    ByteBuffer page = ByteBuffer.allocate(4 * ThreadLedger.HEADER_BYTES);
    page.order(ByteOrder.nativeOrder());
    page.putLong(0, magic);
    page.putInt(ThreadLedger.VERSION_AT, version);
    page.putInt(ThreadLedger.TASKS_RUNNING_AT, -1);
    Files.write(file, page.array());
    allow(file, "rw-------");
  }

  private static void allow(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private int told() throws IOException {
    ByteBuffer page = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
    return page.getInt(ThreadLedger.TASKS_RUNNING_AT);
  }
}
