package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What files do, on the file system of the kernel and in the simulation: each subclass runs
/// against both.
@ParameterizedClass(name = "{0}")
@EnumSource(FileContract.Medium.class)
abstract class FileContract {

  /// Where the contract must hold.
  enum Medium {
    KERNEL,
    SIMULATION
  }

  @Parameter Medium medium;

  @TempDir private Path temporary;

  /// A directory for one test.
  Path folder;

  private final Deque<Closeable> opened = new ArrayDeque<>();

  @BeforeEach
  void makeFolder() throws IOException {
    folder =
        switch (medium) {
          case KERNEL -> temporary.toRealPath();
          case SIMULATION ->
              Files.createDirectory(new SimulatedDisk(new SplittableRandom(1)).path("/folder"));
        };
  }

  @AfterEach
  void closeAll() throws IOException {
    for (Closeable each : opened) {
      each.close();
    }
  }

  Path path(String name) {
    return folder.resolve(name);
  }

  Path file(String name, String content) throws IOException {
    return Files.writeString(path(name), content);
  }

  FileChannel open(Path path, OpenOption... options) throws IOException {
    FileChannel channel = FileChannel.open(path, options);
    opened.push(channel);
    return channel;
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static String text(ByteBuffer read) {
    return StandardCharsets.UTF_8.decode(read.flip()).toString();
  }

  /// Reads at a position.
  static String read(FileChannel channel, long at, int count) throws IOException {
    var buffer = ByteBuffer.allocate(count);
    while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {
      // on to the end
    }
    return text(buffer);
  }

  List<String> names(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  /// Of exactly this type.
  static <E extends Throwable> E fails(Class<E> type, Executable code) {
    E failure = assertThrows(type, code);
    assertEquals(type, failure.getClass(), failure::toString);
    return failure;
  }
}
