package dev.rondo.examples.network;

import dev.rondo.application.Application;
import dev.rondo.io.ByteStream;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.io.EndOfStreamException;
import dev.rondo.io.OsPipe;
import dev.rondo.io.PartialWriteException;
import dev.rondo.io.UnixListener;
import dev.rondo.io.UnixSocket;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A daemon that is controlled through Unix domain sockets, one for its owner and one for its
/// group, and through a pair of pipes, all by the same code. It also shows how connections end:
/// with an incomplete record, with a slow reader, and with a reader that has stopped.
final class ControlSocket {

  private static final int LONGEST_LINE_BYTES = 100;
  private static final int RECORD_BYTES = 16;
  private static final int LARGE_BYTES = 4 << 20;
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final Application app;
  private final List<String> story = new ArrayList<>();

  private ControlSocket(Application app) {
    this.app = app;
  }

  static void main() {
    Application.run(app -> {
      Path folder = Files.createTempDirectory("control");
      try {
        run(app, folder).forEach(IO::println);
      } finally {
        Files.delete(folder);
      }
    });
  }

  /// {@return the answers that the clients have received}
  static List<String> run(Application app, Path folder) throws Exception {
    var example = new ControlSocket(app);
    Path path = folder.resolve("control");
    var forGroup = PosixFilePermissions.fromString("rw-rw----");
    try (UnixListener own = UnixListener.open(app.io(), path);
        UnixListener group = UnixListener.open(app.io(), folder.resolve("group"), forGroup)) {
      app.spawn("daemon", () -> example.serve(own));
      app.spawn("daemon of the group", () -> example.serve(group));
      for (Path each : List.of(path, folder.resolve("group"))) {
        try (UnixSocket socket = UnixSocket.connect(app.io(), each)) {
          example.story.add(each.getFileName() + ": " + ask(socket, "status"));
        }
      }
      example.askByPipes();
      example.cutShort(path);
      example.tooSlow(path);
      example.readsNoMore(path);
    }
    return example.story;
  }

  private void serve(UnixListener listener) throws IOException {
    while (true) {
      UnixSocket socket = listener.accept();
      app.spawn("client of " + listener, () -> serve(socket));
    }
  }

  private void serve(UnixSocket socket) throws IOException {
    try (socket) {
      String command = answer(socket);
      if ("sleep".equals(command)) {
        app.sleep(PATIENCE.multipliedBy(4));
      } else if ("enough".equals(command)) {
        socket.shutdownInput(); // the client's writes fail from now on
        socket.write("no more\n");
        app.sleep(PATIENCE);
      }
    }
  }

  /// Answers one command, over any kind of stream.
  private static String answer(ByteStream stream) throws IOException {
    String command = stream.readLine(LONGEST_LINE_BYTES);
    if ("status".equals(command)) {
      stream.write("running\n");
    } else if ("record".equals(command)) {
      stream.write("short");
    }
    return "" + command;
  }

  private static String ask(ByteStream stream, String command) throws IOException {
    stream.write(command + "\n");
    return "" + stream.readLine(LONGEST_LINE_BYTES);
  }

  /// The same conversation without a socket.
  private void askByPipes() throws Exception {
    try (OsPipe questions = OsPipe.open(app.io());
        OsPipe answers = OsPipe.open(app.io())) {
      ByteStream daemon = ByteStream.of(questions.source(), answers.sink(), "client");
      ByteStream client = ByteStream.of(answers.source(), questions.sink(), "daemon");
      var answering = app.spawn("daemon of pipes", () -> answer(daemon));
      story.add("pipes: " + ask(client, "status"));
      answering.join();
    }
  }

  private void cutShort(Path path) throws IOException {
    try (UnixSocket socket = UnixSocket.connect(app.io(), path)) {
      socket.write("record\n");
      socket.readFully(ByteBuffer.allocate(RECORD_BYTES));
    } catch (EndOfStreamException e) {
      story.add("a record of " + e.bytesRead() + " bytes");
    }
  }

  private void tooSlow(Path path) throws IOException {
    try (UnixSocket socket = UnixSocket.connect(app.io(), path)) {
      socket.write("sleep\n");
      socket.writeTimeout(PATIENCE);
      socket.write(ByteBuffer.allocate(LARGE_BYTES));
    } catch (TimedOutException e) {
      for (Throwable each : e.getSuppressed()) {
        if (each instanceof PartialWriteException partial) {
          boolean all = partial.bytesWritten() + partial.bytesLeft() == LARGE_BYTES;
          story.add("too slow: some written, the rest left: " + all);
        }
      }
    }
  }

  private void readsNoMore(Path path) throws IOException {
    try (UnixSocket socket = UnixSocket.connect(app.io(), path)) {
      story.add(ask(socket, "enough"));
      socket.write(ByteBuffer.allocate(LARGE_BYTES));
    } catch (ConnectionResetException e) {
      story.add("the daemon reads no more");
    }
  }
}
