package io.penstock.spark.status;

import io.penstock.spark.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

public final class StatusFilesTest {

  private final Path local;
  private final Path folder;

  public StatusFilesTest() throws IOException {
    local = Files.createTempDirectory("penstock");
    local.toFile().deleteOnExit();
    folder = local.resolve("penstock");
  }

  public void the_folder_is_made_for_this_user_alone() throws IOException {
    StatusFiles.in(local);
    Check.equal(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
    StatusFiles.in(local);
  }

  public void a_folder_that_others_may_enter_is_refused() throws IOException {
    Files.createDirectory(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
    Check.contains(
        Check.messageOf(IOException.class, () -> StatusFiles.in(local)),
        "has mode rwxr-x---, not rwx------");
  }

  public void a_link_in_the_place_of_the_folder_is_refused() throws IOException {
    Files.createSymbolicLink(folder, Files.createTempDirectory("elsewhere"));
    Check.contains(
        Check.messageOf(IOException.class, () -> StatusFiles.in(local)), "is not a folder");
  }

  public void a_folder_of_another_user_is_refused() throws IOException {
    // Only root can give a folder away; the owner of /proc/1 is root, so anybody else sees this.
    Files.createDirectory(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    Object me = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if (me.equals(0)) {
      Files.setAttribute(folder, "unix:uid", 65534);
      Check.contains(
          Check.messageOf(IOException.class, () -> StatusFiles.in(local)),
          "belongs to user 65534, not to 0");
    } else {
      StatusFiles.in(local);
    }
  }

  public void only_status_files_that_are_plain_and_small_are_read() throws Exception {
    StatusFiles files = StatusFiles.in(local);
    Files.writeString(folder.resolve("pe-1-0.json"), "good");
    Files.writeString(folder.resolve("pe-1-0.json.part"), "half");
    Files.writeString(folder.resolve("threads"), "a page");
    Files.writeString(folder.resolve("pe-2-0.json"), "x".repeat(StatusFiles.MOST_BYTES + 1));
    Files.createSymbolicLink(folder.resolve("pe-3-0.json"), Path.of("/etc/passwd"));
    Files.createDirectory(folder.resolve("pe-4-0.json"));
    new ProcessBuilder("mkfifo", folder.resolve("pe-5-0.json").toString()).start().waitFor();
    Check.equal(Map.of("pe-1-0.json", "good"), files.read());
  }

  public void no_more_files_are_read_than_there_is_room_for() throws IOException {
    StatusFiles files = StatusFiles.in(local);
    for (int pe = 0; pe < StatusFiles.MOST_FILES + 10; pe++) {
      Files.writeString(folder.resolve("pe-" + pe + "-0.json"), "x");
    }
    Check.equal(StatusFiles.MOST_FILES, files.read().size());
  }

  public void workers_are_told_whether_somebody_collects() throws IOException {
    StatusFiles files = StatusFiles.in(local);
    files.collect();
    files.collect();
    Path sign = folder.resolve("collector");
    Check.equal(
        Set.copyOf(PosixFilePermissions.fromString("rw-------")),
        Set.copyOf(Files.getPosixFilePermissions(sign)));
    files.leave();
    Check.holds(!Files.exists(sign), "the sign is gone");
  }
}
