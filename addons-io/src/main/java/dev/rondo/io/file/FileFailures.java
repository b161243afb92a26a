package dev.rondo.io.file;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.DelimiterNotFoundException;
import dev.rondo.io.EndOfStreamException;
import dev.rondo.io.PartialWriteException;
import dev.rondo.io.internal.channel.IoErrors;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;

/// Adds the attempted operation to the file system's failures, which keep their types.
final class FileFailures extends IoErrors {

  static final FileFailures INSTANCE = new FileFailures();

  private FileFailures() {}

  @Override
  public ChannelClosedException closed(String message) {
    return new ChannelClosedException(message);
  }

  @Override
  protected SocketException reset(String message, IOException cause) {
    throw new AssertionError(message, cause);
  }

  @Override
  protected EndOfStreamException endOfStream(String message, int bytesRead) {
    return new EndOfStreamException(message, bytesRead);
  }

  @Override
  protected DelimiterNotFoundException delimiterNotFound(String message) {
    return new DelimiterNotFoundException(message);
  }

  @Override
  protected PartialWriteException partialWrite(
      String operation, long bytesWritten, long bytesLeft) {
    return new PartialWriteException(operation, bytesWritten, bytesLeft);
  }

  static IOException of(String operation, Path path, IOException e) {
    IOException translated =
        e instanceof FileSystemException failure
            ? translated(operation, path, failure)
            : e.getClass() == IOException.class
                ? new IOException(operation + " " + path + ": " + e.getMessage())
                : e;
    if (translated == e) { // a type that cannot be created again, such as the program's own
      e.addSuppressed(new IOException("happened in: " + operation + " " + path));
    } else {
      translated.initCause(e);
    }
    return translated;
  }

  private static FileSystemException translated(
      String operation, Path path, FileSystemException failure) {
    String file = failure.getFile() == null ? path.toString() : failure.getFile();
    String other = failure.getOtherFile();
    String reason = operation + ": " + failure.getReason();
    return switch (failure) {
      case NoSuchFileException gone ->
          new NoSuchFileException(file, other, operation + ": there is no such file");
      case AccessDeniedException denied ->
          new AccessDeniedException(file, other, operation + ": no permission");
      case FileAlreadyExistsException there ->
          new FileAlreadyExistsException(file, other, operation + ": it exists already");
      case DirectoryNotEmptyException full -> new NotEmpty(file, operation);
      case NotDirectoryException plain -> new NotDirectory(file, operation);
      case AtomicMoveNotSupportedException move ->
          new AtomicMoveNotSupportedException(file, other, reason);
      case NotLinkException plain ->
          new NotLinkException(file, other, operation + ": it is not a symbolic link");
      case FileSystemLoopException loop -> new Loop(file, operation);
      default ->
          failure.getClass() == FileSystemException.class
              ? new FileSystemException(file, other, reason)
              : failure;
    };
  }

  static NonReadableChannelException of(
      String operation, Path path, NonReadableChannelException e) {
    var translated = new NotReadable(operation + " " + path);
    translated.initCause(e);
    return translated;
  }

  static NonWritableChannelException of(
      String operation, Path path, NonWritableChannelException e) {
    var translated = new NotWritable(operation + " " + path);
    translated.initCause(e);
    return translated;
  }

  // These types of the JDK take no reason.

  private static final class NotEmpty extends DirectoryNotEmptyException {

    private final String operation;

    NotEmpty(String file, String operation) {
      super(file);
      this.operation = operation;
    }

    @Override
    public String getReason() {
      return operation + ": the directory is not empty";
    }
  }

  private static final class NotDirectory extends NotDirectoryException {

    private final String operation;

    NotDirectory(String file, String operation) {
      super(file);
      this.operation = operation;
    }

    @Override
    public String getReason() {
      return operation + ": it is not a directory";
    }
  }

  private static final class Loop extends FileSystemLoopException {

    private final String operation;

    Loop(String file, String operation) {
      super(file);
      this.operation = operation;
    }

    @Override
    public String getReason() {
      return operation + ": its links form a loop";
    }
  }

  private static final class NotReadable extends NonReadableChannelException {

    private final String operation;

    NotReadable(String operation) {
      this.operation = operation;
    }

    @Override
    public String getMessage() {
      return operation + ": it was not opened for reading, with StandardOpenOption.READ";
    }
  }

  private static final class NotWritable extends NonWritableChannelException {

    private final String operation;

    NotWritable(String operation) {
      this.operation = operation;
    }

    @Override
    public String getMessage() {
      return operation + ": it was not opened for writing, with StandardOpenOption.WRITE or APPEND";
    }
  }
}
