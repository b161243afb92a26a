package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.Task;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.io.TempDir;

/// Unix domain sockets: their bytes, and the life of their path.
class UnixSocketTest {

  @TempDir private Path folder;

  private Path path() {
    return folder.resolve("socket");
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @OnEveryBackend
  void transfer_largerThanTheBuffer_comesThroughBothWays(IoRig rig) throws Exception {
    rig.run(world -> {
      var sent = new byte[3_000_000];
      new Random(11).nextBytes(sent);
      try (var listener = UnixListener.open(world.io(), path())) {
        Task<byte[]> server =
            world
                .scheduler()
                .spawn(
                    "server",
                    () -> {
                      try (UnixSocket socket = listener.accept()) {
                        byte[] all = socket.input().readAllBytes();
                        socket.write(ByteBuffer.wrap(all));
                        return all;
                      }
                    });
        try (UnixSocket socket = UnixSocket.connect(world.io(), path())) {
          assertNotNull(socket.getOption(ExtendedSocketOptions.SO_PEERCRED));
          assertTrue(socket.toString().contains(path().toString()), socket.toString());
          socket.write(ByteBuffer.wrap(sent));
          socket.shutdownOutput();
          var back = ByteBuffer.allocate(sent.length);
          socket.readFully(back);
          assertEquals(-1, socket.read(ByteBuffer.allocate(1)));
          assertEquals(ByteBuffer.wrap(sent), back.flip());
        }
        assertEquals(sent.length, server.join().length);
      }
    });
  }

  @OnEveryBackend
  void open_anyPermissions_pathHasThemAndNothingElseIsLeft(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = UnixListener.open(world.io(), path())) {
        assertEquals("rw-------", permissions());
        assertEquals(List.of(path()), filesIn(folder));
        assertTrue(listener.isOpen());
      }
      assertEquals(List.of(), filesIn(folder));
      var open = PosixFilePermissions.fromString("rw-rw-rw-");
      try (var _ = UnixListener.open(world.io(), path(), open)) {
        assertEquals("rw-rw-rw-", permissions());
      }
    });
  }

  private String permissions() throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path()));
  }

  @OnEveryBackend
  void open_staleSocketAtThePath_isReplaced(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        dead.bind(UnixDomainSocketAddress.of(path()));
      }
      assertTrue(Files.exists(path()), "the JDK leaves it there");
      try (var listener = UnixListener.open(world.io(), path());
          var client = UnixSocket.connect(world.io(), path());
          var server = listener.accept()) {
        client.write("x");
        assertEquals(1, server.read(ByteBuffer.allocate(1)));
      }
    });
  }

  @OnEveryBackend
  void open_pathInUseOrNoSocketOrNoDirectory_isRefusedAndWhatIsThereStays(IoRig rig)
      throws Exception {
    rig.run(world -> {
      WaitForIO io = world.io();
      try (var first = UnixListener.open(io, path())) {
        var e = assertThrows(BindException.class, () -> UnixListener.open(io, path()));
        assertTrue(e.getMessage().contains(path().toString()), e.getMessage());
        UnixSocket.connect(io, path()).close();
        first.accept().close(); // the probe
        first.accept().close();
      }
      Files.writeString(path(), "precious");
      assertThrows(BindException.class, () -> UnixListener.open(io, path()));
      assertEquals("precious", Files.readString(path()));
      Path nowhere = folder.resolve("none").resolve("socket");
      var e = assertThrows(IOException.class, () -> UnixListener.open(io, nowhere));
      assertEquals(
          "listen on " + nowhere + ": there is no such directory: " + nowhere.getParent(),
          e.getMessage());
      Path tooLong = folder.resolve("x".repeat(150));
      e = assertThrows(BindException.class, () -> UnixListener.open(io, tooLong));
      assertEquals("listen on " + tooLong + ": the path is too long for a socket", e.getMessage());
      assertEquals(List.of(path()), filesIn(folder));
    });
  }

  @OnEveryBackend
  void open_namedPipeAtThePath_isRefusedAndThePipeStays(IoRig rig) throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", path().toString()).start().waitFor());
    Object pipe = Files.readAttributes(path(), BasicFileAttributes.class).fileKey();
    rig.run(world -> {
      var e = assertThrows(BindException.class, () -> UnixListener.open(world.io(), path()));
      assertEquals("listen on " + path() + ": the path exists and is not a socket", e.getMessage());
    });
    assertEquals(pipe, Files.readAttributes(path(), BasicFileAttributes.class).fileKey());
  }

  @OnEveryBackend
  void close_pathTakenOverByAnother_leavesIt(IoRig rig) throws Exception {
    rig.run(world -> {
      var first = UnixListener.open(world.io(), path());
      Files.delete(path());
      try (var second = UnixListener.open(world.io(), path())) {
        first.close();
        assertTrue(Files.exists(path()));
        UnixSocket.connect(world.io(), path()).close();
        second.accept().close();
      }
      assertFalse(Files.exists(path()));
    });
  }

  @OnEveryBackend
  void connect_nobodyListensOrNoSuchPath_isToldWithThePath(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        dead.bind(UnixDomainSocketAddress.of(path()));
      }
      var refused =
          assertThrows(ConnectException.class, () -> UnixSocket.connect(world.io(), path()));
      assertTrue(refused.getMessage().contains(path().toString()), refused.getMessage());
      Path none = folder.resolve("none");
      var missing = assertThrows(IOException.class, () -> UnixSocket.connect(world.io(), none));
      assertTrue(missing.getMessage().contains(none.toString()), missing.getMessage());
    });
  }

  @OnEveryBackend
  void connect_backlogFull_isRefusedWithThePathAndThoseBeforeGoOn(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(path()), 1);
        var open = new ArrayList<UnixSocket>();
        IOException full = null;
        for (int i = 0; i < 10 && full == null; i++) {
          try {
            open.add(UnixSocket.connect(world.io(), path()));
          } catch (IOException e) {
            full = e;
          }
        }
        assertNotNull(full);
        assertTrue(full.getMessage().contains(path().toString()), full.getMessage());
        SocketChannel accepted = server.accept();
        open.getFirst().write("x");
        assertEquals(1, accepted.read(ByteBuffer.allocate(1)));
        accepted.close();
        for (UnixSocket each : open) {
          each.close();
        }
      }
    });
  }

  @OnEveryBackend
  void close_underEveryWait_wakesItWithClosed(IoRig rig) throws Exception {
    rig.run(world -> {
      UnixListener listener = UnixListener.open(world.io(), path());
      UnixSocket client = UnixSocket.connect(world.io(), path());
      UnixSocket server = listener.accept();
      Task<Throwable> acceptor = world.failing(listener::accept);
      Task<Throwable> reader = world.failing(() -> server.read(ByteBuffer.allocate(1)));
      Task<Throwable> writer = world.failing(() -> server.write(ByteBuffer.allocate(9_000_000)));
      world.settle();
      listener.close();
      server.close();
      assertEquals(0, ChannelFigures.of(world.scheduler()).waits());
      for (Task<Throwable> each : List.of(acceptor, reader, writer)) {
        assertEquals(ChannelClosedException.class, each.join().getClass());
      }
      client.close();
    });
  }

  /// A connection to that path would wait for an accept, and block the loop.
  @OnEveryBackend
  void open_whereSomebodyListensAndAcceptsNone_isRefusedAtOnce(IoRig rig) throws Exception {
    rig.run(world -> {
      var address = UnixDomainSocketAddress.of(path());
      var waiting = new ArrayList<SocketChannel>();
      try (var busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        busy.bind(address, 1);
        boolean room = true;
        while (room) {
          var one = SocketChannel.open(StandardProtocolFamily.UNIX);
          waiting.add(one);
          one.configureBlocking(false);
          try {
            room = one.connect(address);
          } catch (SocketException isFull) {
            room = false;
          }
        }
        var e = assertThrows(BindException.class, () -> UnixListener.open(world.io(), path()));
        assertTrue(e.getMessage().contains("a process may listen there"), e::getMessage);
      } finally {
        for (SocketChannel each : waiting) {
          each.close();
        }
        Files.deleteIfExists(path());
      }
    });
  }
}
