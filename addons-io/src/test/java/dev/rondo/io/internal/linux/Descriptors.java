package dev.rondo.io.internal.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import sun.nio.ch.SelChImpl;

/// The open descriptors of this process, as the system reports them.
final class Descriptors {

  private static final Path ALL = Path.of("/proc/self/fd");

  private Descriptors() {}

  static int of(SelectableChannel channel) {
    return ((SelChImpl) channel).getFDVal();
  }

  /// {@return the name of the file of a descriptor, which is unique} For sockets and pipes.
  static String file(SelectableChannel channel) {
    return target(ALL.resolve(Integer.toString(of(channel))));
  }

  /// {@return how many descriptors are open}
  static long count(String file) throws IOException {
    try (Stream<Path> all = Files.list(ALL)) {
      return all.filter(each -> target(each).equals(file)).count();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (NoSuchFileException e) {
      return "closed meanwhile";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
