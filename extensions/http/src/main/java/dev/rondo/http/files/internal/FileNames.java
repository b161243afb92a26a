package dev.rondo.http.files.internal;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Decides which of the names that clients send can be file names.
public final class FileNames {

  private static final char FIRST_VISIBLE = ' ';
  private static final char DELETE = '\u007f';

  private FileNames() {}

  /// Whether a name stays in the folder, and is the only name of its file.
  ///
  /// @param name decoded, parts separated by slashes
  public static boolean isAllowed(String name, ServedFolder files) {
    if (name.isEmpty()) {
      return true;
    }
    String[] parts = name.split("/", -1);
    for (int i = 0; i < parts.length; i++) {
      boolean end = i == parts.length - 1;
      boolean allowed = parts[i].isEmpty() ? end && i > 0 : isAllowedPart(parts[i], files);
      if (!allowed) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAllowedPart(String part, ServedFolder files) {
    if (part.equals(".") || part.equals("..") || (part.startsWith(".") && !files.areHiddenSent())) {
      return false;
    }
    for (int i = 0; i < part.length(); i++) {
      char each = part.charAt(i);
      if (each < FIRST_VISIBLE || each == DELETE || each == '\\') {
        return false;
      }
    }
    try {
      Path path = files.folder().getFileSystem().getPath(part);
      return !path.isAbsolute() && path.getNameCount() == 1 && path.toString().equals(part);
    } catch (InvalidPathException e) {
      return false; // as one with a colon on Windows
    }
  }
}
