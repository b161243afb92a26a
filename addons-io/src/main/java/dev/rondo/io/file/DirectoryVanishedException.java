package dev.rondo.io.file;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A directory that was watched does not exist any more, or cannot be watched any more.
public final class DirectoryVanishedException extends NoSuchFileException {

  private static final long serialVersionUID = 1L;

  DirectoryVanishedException(Path directory) {
    super(directory.toString(), null, "watch: the directory has vanished");
  }
}
