package io.penstock.spark.status;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The folder that the Python workers of an executor share with its JVM.
 *
 * <p>Whoever comes first makes it, for this user alone. Where others have a right to it, or to a
 * file in it that is written to, it is not used: they could put something else there.
 */
public final class SharedFolder {

  public static final String NAME = "penstock";

  static final String FOLDER_OF_MINE = "rwx------";
  static final String FILE_OF_MINE = "rw-------";

  private static final String UID = "unix:uid";

  private SharedFolder() {}

  /**
   * Makes the folder, or takes the one that is there.
   *
   * @throws IOException if it cannot be made, or others have a right to it
   */
  static Path in(Path localFolder) throws IOException {
    Path folder = localFolder.resolve(NAME);
    FileAttribute<?> mode =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(FOLDER_OF_MINE));
    try {
      Files.createDirectory(folder, mode);
    } catch (FileAlreadyExistsException here) {
      // Of a worker that was first; looked at below like one of ours.
    }
    checkFolder(folder);
    return folder;
  }

  /**
   * Looks whether a file in the folder, and the folder, are this user's alone.
   *
   * @throws NoSuchFileException if one of them is not there
   * @throws IOException if it is something else, or others have a right to it
   */
  public static void check(Path file) throws IOException {
    checkFolder(file.getParent());
    if (!Files.readAttributes(
            file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .isRegularFile()) {
      throw new IOException("'" + file + "' is not a file");
    }
    checkMine(file, FILE_OF_MINE);
  }

  private static void checkFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw new NoSuchFileException(folder.toString());
      }
      throw new IOException("'" + folder + "' is not a folder");
    }
    checkMine(folder, FOLDER_OF_MINE);
  }

  private static void checkMine(Path path, String mode) throws IOException {
    Object owner = Files.getAttribute(path, UID, LinkOption.NOFOLLOW_LINKS);
    Object me = Files.getAttribute(Path.of("/proc/self"), UID);
    if (!owner.equals(me)) {
      throw new IOException("'" + path + "' belongs to user " + owner + ", not to " + me);
    }
    String found =
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    if (!found.equals(mode)) {
      throw new IOException("'" + path + "' has mode " + found + ", not " + mode);
    }
  }
}
