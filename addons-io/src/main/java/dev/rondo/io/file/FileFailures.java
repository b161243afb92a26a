package dev.rondo.io.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/// Has the file system's failures say what was tried. They keep their types.
final class FileFailures {

  private FileFailures() {}

  static IOException of(String operation, Path path, IOException e) {
    if (!(e instanceof FileSystemException failure)) {
      return new IOException(operation + " " + path + ": " + e.getMessage(), e);
    }
    String file = failure.getFile() == null ? path.toString() : failure.getFile();
    String other = failure.getOtherFile();
    IOException told =
        switch (failure) {
          case NoSuchFileException gone ->
              new NoSuchFileException(file, other, operation + ": there is no such file");
          case AccessDeniedException denied ->
              new AccessDeniedException(file, other, operation + ": no permission");
          case FileAlreadyExistsException there ->
              new FileAlreadyExistsException(file, other, operation + ": it is there already");
          case DirectoryNotEmptyException full -> full;
          case NotDirectoryException file0 -> file0;
          default -> new FileSystemException(file, other, operation + ": " + failure.getReason());
        };
    if (told != e) {
      told.initCause(e);
    }
    return told;
  }
}
