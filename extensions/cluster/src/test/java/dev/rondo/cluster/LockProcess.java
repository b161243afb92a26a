package dev.rondo.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A program that tries to lock a file: ends with 0 if it has it, and with 1 if another program
/// has.
///
/// Argument: the file.
final class LockProcess {

  private LockProcess() {}

  public static void main(String[] args) throws IOException {
    try (FileChannel file = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
      System.exit(file.tryLock() == null ? 1 : 0);
    }
  }
}
