package dev.rondo.io.file;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A folder that was watched is not there any more, or cannot be watched any more.
public final class DirectoryVanishedException extends NoSuchFileException {

  private static final long serialVersionUID = 1L;

  DirectoryVanishedException(Path folder) {
    super(folder.toString(), null, "watch: the folder has vanished");
  }
}
