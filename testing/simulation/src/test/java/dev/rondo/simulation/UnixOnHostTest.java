package dev.rondo.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.application.Application;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.UnixListener;
import dev.rondo.io.UnixSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The Unix sockets of `addons-io`, unchanged, on hosts of a world.
@EveryBackend
final class UnixOnHostTest extends BackendTest {

  /// Of no real directory.
  private static final Path PATH = Path.of("/run/no-such-directory/service");

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final List<String> trace = new ArrayList<>();
  private World world;

  @BeforeEach
  void open() {
    world = World.withSeed(42).applications(it -> it.backend(backend));
  }

  @AfterEach
  void close() {
    world.close();
  }

  private interface Program {
    void run(WaitForIO io, SimulatedHost host) throws IOException;
  }

  /// Runs a program on a host to its end.
  private void run(Program program) {
    world.host(
        "host",
        it -> {
          program.run(it.application().io(), it.simulated());
          trace.add("done");
        });
    world.runFor(SECOND);
    assertEquals(List.of("done"), trace);
  }

  /// Answers each line.
  private static void serve(WorldHost host) throws IOException {
    Application app = host.application();
    try (UnixListener listener = UnixListener.open(app.io(), PATH)) {
      while (true) {
        try (UnixSocket peer = listener.accept()) {
          peer.write("echo " + peer.readLine(100, UTF_8) + "\n");
        }
      }
    }
  }

  private static String ask(WorldHost host) throws IOException {
    try (UnixSocket socket = UnixSocket.connect(host.application().io(), PATH)) {
      socket.write(host.name() + "\n");
      return "" + socket.readLine(100, UTF_8);
    }
  }

  @Test
  void echo_betweenTasksOfAHost() {
    world.host(
        "host",
        host -> {
          host.application()
              .spawn(() -> {
                serve(host);
                return null;
              });
          host.application().sleep(SECOND);
          trace.add(ask(host));
        });
    world.runFor(SECOND.multipliedBy(2));
    assertEquals(List.of("echo host"), trace);
    assertFalse(Files.exists(PATH));
  }

  @Test
  void names_areThoseOfOneHost() {
    world.host("server", UnixOnHostTest::serve);
    world.host(
        "other",
        host -> {
          host.application().sleep(SECOND);
          trace.add(assertThrows(SocketException.class, () -> ask(host)).getMessage());
        });
    world.runFor(SECOND.multipliedBy(2));
    assertEquals(List.of("connect to " + PATH + ": No such file or directory"), trace);
  }

  @Test
  void crash_freesTheName() {
    assumeTrue(backend.sharesThread());
    WorldHost host = world.host("host", UnixOnHostTest::serve);
    world.runFor(SECOND);
    host.crash();
    world.runFor(SECOND);
    assertEquals(0, host.simulated().openDescriptors());
    host.restart();
    world.runFor(SECOND);
    host.application()
        .spawn(() -> {
          trace.add(ask(host));
          return null;
        });
    world.runFor(SECOND);
    assertEquals(List.of("echo host"), trace);
  }

  @Test
  void open_pathInUse_isRefusedWithThePath() {
    run((io, host) -> {
      try (var first = UnixListener.open(io, PATH)) {
        var e = assertThrows(BindException.class, () -> UnixListener.open(io, PATH));
        assertEquals("listen on " + PATH + ": Address already in use", e.getMessage());
        UnixSocket.connect(io, PATH).close();
        first.accept().close();
      }
    });
  }

  @Test
  void close_removesThePath() {
    run((io, host) -> {
      UnixListener.open(io, PATH).close();
      var e = assertThrows(IOException.class, () -> UnixSocket.connect(io, PATH));
      assertEquals("connect to " + PATH + ": No such file or directory", e.getMessage());
      UnixListener.open(io, PATH).close();
    });
  }

  @Test
  void close_pathTakenOverByAnother_leavesIt() {
    run((io, host) -> {
      UnixListener first = UnixListener.open(io, PATH);
      host.removeUnixPath(PATH);
      try (UnixListener second = UnixListener.open(io, PATH)) {
        first.close();
        UnixSocket.connect(io, PATH).close();
        second.accept().close();
      }
    });
  }

  @Test
  void removedPath_refusesAndConnectionsStay() {
    run((io, host) -> {
      try (UnixListener listener = UnixListener.open(io, PATH);
          UnixSocket client = UnixSocket.connect(io, PATH);
          UnixSocket server = listener.accept()) {
        assertNotNull(server.getOption(ExtendedSocketOptions.SO_PEERCRED));
        host.removeUnixPath(PATH);
        assertThrows(SocketException.class, () -> UnixSocket.connect(io, PATH));
        client.write("x");
        assertEquals(1, server.read(ByteBuffer.allocate(1)));
      }
    });
  }

  @Test
  void transfer_largerThanTheBuffers_comesThroughBothWays() {
    var sent = new byte[3_000_000];
    new Random(11).nextBytes(sent);
    run((io, host) -> {
      try (UnixListener listener = UnixListener.open(io, PATH)) {
        Application.current()
            .spawn(() -> {
              try (UnixSocket peer = listener.accept()) {
                peer.write(ByteBuffer.wrap(peer.input().readAllBytes()));
              }
              return null;
            });
        try (UnixSocket socket = UnixSocket.connect(io, PATH)) {
          socket.write(ByteBuffer.wrap(sent));
          socket.shutdownOutput();
          var back = ByteBuffer.allocate(sent.length);
          socket.readFully(back);
          assertEquals(ByteBuffer.wrap(sent), back.flip());
          assertEquals(-1, socket.read(ByteBuffer.allocate(1)));
        }
      }
    });
  }

  @Test
  void close_underAWait_wakesIt() {
    run((io, host) -> {
      UnixListener listener = UnixListener.open(io, PATH);
      var accepting =
          Application.current()
              .spawn(() -> assertThrows(ChannelClosedException.class, listener::accept));
      Application.current().sleep(SECOND.dividedBy(2));
      listener.close();
      assertNotNull(accepting.join());
    });
  }
}
