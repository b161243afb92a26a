package dev.rondo.exploration.internal;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The files that are kept of a failure: its picture, its recording, its replay. Any thread.
public final class FailureFiles {

  /// The system property that names their directory, which is `target/rondo` otherwise.
  public static final String DIRECTORY_PROPERTY = "rondo.pictures";

  private static final int MOST_OF_NAME = 100;

  private FailureFiles() {}

  /// {@return a file in the directory, which is made if there is none}
  ///
  /// @param name of what has failed; everything but letters and digits becomes a hyphen
  /// @param ending of the file's name, for instance `.replay`
  /// @throws IOException if the directory cannot be made
  public static Path file(String name, String ending) throws IOException {
    requireNonNull(name, "name is null");
    requireNonNull(ending, "ending is null");
    Path directory = Path.of(System.getProperty(DIRECTORY_PROPERTY, "target/rondo"));
    Files.createDirectories(directory);
    String file = name.replaceAll("[^\\p{L}\\p{N}.]+", "-");
    int length = Math.min(MOST_OF_NAME, file.codePointCount(0, file.length()));
    String cut = file.substring(0, file.offsetByCodePoints(0, length));
    return directory.resolve(cut + ending).toAbsolutePath();
  }
}
