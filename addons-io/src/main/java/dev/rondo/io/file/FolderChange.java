package dev.rondo.io.file;

import java.nio.file.Path;

/// What has changed in a folder that is watched.
public sealed interface FolderChange {

  /// Something is there that was not.
  ///
  /// @param path the folder's path and the entry's name
  record Created(Path path) implements FolderChange {}

  /// A file's content or attributes have changed.
  ///
  /// @param path the folder's path and the entry's name
  record Modified(Path path) implements FolderChange {}

  /// Something is not there any more.
  ///
  /// @param path the folder's path and the entry's name
  record Deleted(Path path) implements FolderChange {}

  /// More has changed than could be kept: list the folder anew.
  ///
  /// @param folder which
  record Overflow(Path folder) implements FolderChange {}
}
