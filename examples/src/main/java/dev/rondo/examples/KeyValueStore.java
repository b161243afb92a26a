package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.examples.durablestore.DurableStore;
import dev.rondo.examples.durablestore.StoreServer;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// A key-value store with a write-ahead log: acknowledged values survive a crash. This program
/// fills the store over TCP, tears the last record of its log, as a power failure may tear an
/// unacknowledged record, and opens the store again.
final class KeyValueStore {

  private static final int VALUES = 50;
  private static final int LONGEST_LINE_BYTES = 200;

  /// The number of bytes that the last record loses.
  private static final int LOST_BYTES = 3;

  private KeyValueStore() {}

  static void main() {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    Application.run(app -> demonstrate(app, parent, IO::println));
  }

  /// Runs the whole demonstration. Suspends its task.
  ///
  /// @param parent of the folder for the files; the folder is deleted in the end
  /// @param story receives the events, a line at a time
  static void demonstrate(Application app, Path parent, Consumer<String> story) throws IOException {
    Path folder = Files.createTempDirectory(parent, "key-value-store-");
    try {
      fill(app, folder);
      story.accept(VALUES + " values were acknowledged; files: " + names(folder));
      tear(folder);
      story.accept("the last record of the log is torn, as by a power failure");
      try (DurableStore store = DurableStore.open(folder)) {
        story.accept("opened again: " + store.size() + " values; files: " + names(folder));
      }
    } finally {
      for (Path each : files(folder)) {
        Files.delete(each);
      }
      Files.delete(folder);
    }
  }

  private static void fill(Application app, Path folder) throws IOException {
    try (DurableStore store = DurableStore.open(folder)) {
      TcpListener listener = app.listen(0);
      var server = app.spawn("server", () -> new StoreServer(store).run(app.scheduler(), listener));
      try (TcpSocket socket = app.connect("127.0.0.1", listener.port())) {
        for (int i = 1; i <= VALUES; i++) {
          socket.write("put key%d value%d\n".formatted(i, i));
          String answer = socket.readLine(LONGEST_LINE_BYTES);
          if (!"stored".equals(answer)) {
            throw new IOException("put of value %d was answered: %s".formatted(i, answer));
          }
        }
      }
      listener.close(); // ends the server
      server.join();
    }
  }

  /// Leaves a part of the last record.
  private static void tear(Path folder) throws IOException {
    for (Path each : files(folder)) {
      if (each.getFileName().toString().startsWith("log-")) {
        try (FileChannel log = FileChannel.open(each, StandardOpenOption.WRITE)) {
          log.truncate(log.size() - LOST_BYTES);
        }
      }
    }
  }

  private static String names(Path folder) throws IOException {
    return files(folder).stream()
        .map(each -> each.getFileName().toString())
        .collect(Collectors.joining(", "));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
