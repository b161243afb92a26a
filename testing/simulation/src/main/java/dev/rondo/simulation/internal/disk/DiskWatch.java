package dev.rondo.simulation.internal.disk;

/// Sees what changes on a disk, what fails, and what a power failure takes away.
public interface DiskWatch {

  /// An operation was done, or has failed. Reads are not reported unless they fail.
  ///
  /// @param what in a few words
  /// @param content the bytes that were written; empty for other operations
  void done(String what, byte[] content);

  /// A power failure has taken something away.
  ///
  /// @param what in a few words
  void lost(String what);
}
