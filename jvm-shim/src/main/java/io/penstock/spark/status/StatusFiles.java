package io.penstock.spark.status;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The status files in the folder that the Python workers of an executor share with its JVM.
 *
 * <p>What other users could have put there, what a link leads to and what is too large is not read.
 */
final class StatusFiles {

  /** While it is there, workers leave the last status of a PE for us instead of removing it. */
  static final String COLLECTOR = "collector";

  static final int MOST_BYTES = 1 << 20;
  static final int MOST_FILES = 1_000;

  private static final String FILES = "pe-*.json";

  private final Path folder;

  private StatusFiles(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes the folder, or takes the one that is there.
   *
   * @throws IOException if it cannot be made, or others have a right to it
   */
  static StatusFiles in(Path localFolder) throws IOException {
    return new StatusFiles(SharedFolder.in(localFolder));
  }

  /** Tells workers that ended PEs are collected from now on. */
  void collect() throws IOException {
    FileAttribute<?> mode =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(SharedFolder.FILE_OF_MINE));
    try {
      Files.createFile(folder.resolve(COLLECTOR), mode);
    } catch (FileAlreadyExistsException here) {
      // Of an application before this one in the same folder, which ended without a word.
    }
  }

  /** Tells workers that nobody collects any more. */
  void leave() throws IOException {
    Files.deleteIfExists(folder.resolve(COLLECTOR));
  }

  /** The texts of status files, by the name of the file. */
  Map<String, String> read() throws IOException {
    Map<String, String> found = new LinkedHashMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, FILES)) {
      for (Path file : files) {
        if (found.size() == MOST_FILES) {
          break;
        }
        textOf(file).ifPresent(text -> found.put(file.getFileName().toString(), text));
      }
    }
    return found;
  }

  void delete(String name) throws IOException {
    Files.deleteIfExists(folder.resolve(name));
  }

  void removeLeftFolders() throws IOException {
    LeftFolders.remove(folder);
  }

  private static Optional<String> textOf(Path file) throws IOException {
    try {
      BasicFileAttributes found =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      // A pipe would be waited for, and a link leads anywhere.
      if (!found.isRegularFile() || found.size() > MOST_BYTES) {
        return Optional.empty();
      }
      try (InputStream stream = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.of(new String(stream.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
      }
    } catch (NoSuchFileException gone) {
      return Optional.empty(); // its task has just ended
    }
  }
}
