package dev.rondo.io.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/// Adds what was tried to the failures of the file system. They keep their types.
final class FileFailures {

  private FileFailures() {}

  static IOException of(String operation, Path path, IOException e) {
    if (!(e instanceof FileSystemException failure)) {
      return new IOException(operation + " " + path + ": " + e.getMessage(), e);
    }
    String file = failure.getFile() == null ? path.toString() : failure.getFile();
    String other = failure.getOtherFile();
    IOException translated =
        switch (failure) {
          case NoSuchFileException gone ->
              new NoSuchFileException(file, other, operation + ": there is no such file");
          case AccessDeniedException denied ->
              new AccessDeniedException(file, other, operation + ": no permission");
          case FileAlreadyExistsException there ->
              new FileAlreadyExistsException(file, other, operation + ": it exists already");
          case DirectoryNotEmptyException full -> full;
          case NotDirectoryException plain -> plain;
          default -> new FileSystemException(file, other, operation + ": " + failure.getReason());
        };
    if (translated != e) {
      translated.initCause(e);
    }
    return translated;
  }
}
