package io.penstock.spark.status;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Folders in which workers keep files for a short while, which one that is killed leaves behind.
 *
 * <p>The next task of a flow would remove them too (executor/temporary.py), but there may be none.
 * A number that another process has now keeps a folder, until that one is gone as well.
 */
final class LeftFolders {

  private static final String FOLDERS = "temporary-*";
  private static final Pattern OF_PROCESS = Pattern.compile("temporary-([0-9]{1,18})-.+");

  private LeftFolders() {}

  /** Removes those of processes that are gone; links are removed, not followed. */
  static void remove(Path folder) throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, FOLDERS)) {
      for (Path path : found) {
        Matcher of = OF_PROCESS.matcher(path.getFileName().toString());
        if (of.matches()
            && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
            && !Processes.isAlive(Long.parseLong(of.group(1)))) {
          removeWhole(path);
        }
      }
    }
  }

  private static void removeWhole(Path folder) throws IOException {
    try {
      // Which follows no links unless it is told to.
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes what)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException problem)
                throws IOException {
              if (problem != null) {
                throw problem;
              }
              Files.deleteIfExists(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NoSuchFileException gone) {
      // A task that has just started does the same.
    }
  }
}
