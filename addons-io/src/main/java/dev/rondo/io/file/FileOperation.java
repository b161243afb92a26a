package dev.rondo.io.file;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A file operation of the caller's own, for [WaitForFile#run].
///
/// @param <T> the type of the result
@FunctionalInterface
public interface FileOperation<T extends @Nullable Object> {

  /// Runs on a thread of the add-on, with the methods of `java.nio.file`. It must not call the
  /// scheduler.
  ///
  /// @return the result
  /// @throws IOException if it fails
  T run() throws IOException;
}
