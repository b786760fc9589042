package io.penstock.spark;

import io.penstock.spark.status.SharedFolder;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the flows of an executor how many tasks it runs in all, so that they leave a core to each
 * task that is none of theirs.
 *
 * <p>It is written into the page in which flows share out threads (see ledger.hpp of the engine),
 * which the first flow makes. Until then, and where the page is not as expected, nothing is told:
 * flows then know of each other only.
 */
final class ThreadLedger {

  static final String FILE = "threads";
  static final long MAGIC = 0x74656764_75425350L;
  static final int VERSION = 1;
  static final int VERSION_AT = 8;
  static final int TASKS_RUNNING_AT = 16;
  static final int HEADER_BYTES = 128;

  private static final Logger LOG = LoggerFactory.getLogger(ThreadLedger.class);

  private final Path file;
  private final RunningTasks running;
  private MappedByteBuffer page;
  private boolean gaveUp;

  ThreadLedger(Path localFolder, RunningTasks running) {
    this.file = localFolder.resolve(SharedFolder.NAME).resolve(FILE);
    this.running = running;
  }

  /** Counts and writes in one step: of two tasks that end together the last one must be right. */
  synchronized void tell() {
    if (page == null && !gaveUp) {
      open();
    }
    if (page != null) {
      page.putInt(TASKS_RUNNING_AT, running.count());
    }
  }

  private void open() {
    try {
      SharedFolder.check(file);
      if (Files.size(file) < HEADER_BYTES) {
        return; // it is being made
      }
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS)) {
        MappedByteBuffer found = channel.map(FileChannel.MapMode.READ_WRITE, 0, HEADER_BYTES);
        found.order(ByteOrder.nativeOrder());
        long magic = found.getLong(0);
        if (magic == 0) {
          return; // it is being made
        }
        if (magic != MAGIC || found.getInt(VERSION_AT) != VERSION) {
          throw new IOException("is of another version of Penstock");
        }
        page = found;
      }
    } catch (NoSuchFileException gone) {
      // No flow has been here yet, or it was removed: the next task looks again.
    } catch (IOException | UnsupportedOperationException | SecurityException problem) {
      gaveUp = true;
      LOG.warn("Flows are not told of other tasks: '{}': {}", file, problem.getMessage());
    }
  }
}
