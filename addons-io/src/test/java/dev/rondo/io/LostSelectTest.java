package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.World;
import dev.rondo.io.file.DirectoryChange;
import dev.rondo.io.file.DirectoryVanishedException;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.io.process.ExitStatus;
import dev.rondo.io.process.WaitForProcess;
import dev.rondo.io.system.SignalWatch;
import dev.rondo.io.system.SignalsForTests;
import dev.rondo.io.system.WaitForOsSignal;
import dev.rondo.io.terminal.TaskTerminal;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/// Each wait of this module can be a branch of a select, and loses nothing if another branch wins.
class LostSelectTest {

  private static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path parent;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// The other branch wins: at once, and after the wait was armed.
  private static void lose(World world, Waitable<?> wait) {
    assertEquals(1, world.scheduler().select(wait, Waitable.always("always")).index());
    Task<Integer> other = world.scheduler().spawn(() -> 7);
    assertEquals(1, world.scheduler().select(wait, other).index());
    world.settle();
  }

  /// Lets other threads act until an event is there at once.
  private static <T> T pollUntilThere(World world, Waitable<T> event) throws Exception {
    var found = new Object[1];
    Select select = Select.biased().on(event, value -> found[0] = value).otherwise(() -> {});
    while (found[0] == null) {
      select.run();
      world.scheduler().blocking(() -> null);
    }
    @SuppressWarnings("unchecked")
    T value = (T) found[0];
    return value;
  }

  @OnEveryBackend
  void accepting_lost_connectionIsAcceptedNext(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        lose(world, listener.accepting());
        try (TcpSocket client = world.io().connect(listener.localAddress())) {
          assertEquals(1, world.scheduler().select(Waitable.<Object>never(), always()).index());
          try (TcpSocket accepted = world.scheduler().await(listener.accepting())) {
            assertEquals(client.localAddress(), accepted.remoteAddress());
          }
        }
      }
    });
  }

  /// A listener whose backlog is full does not answer.
  @OnEveryBackend
  @EnabledOnOs(OS.LINUX)
  void connecting_lost_leavesNothingOpenAndConnectsNext(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.io().listen(LOOPBACK, 1, SocketOptions.NONE)) {
        var waiting = new ArrayList<TcpSocket>();
        for (int i = 0; i < 2; i++) {
          waiting.add(world.scheduler().await(world.io().connecting(listener.localAddress())));
        }
        lose(world, world.io().connecting(listener.localAddress()));
        assertEquals(
            3, ChannelFigures.of(world.scheduler()).open(), "the listener and two sockets");
        for (TcpSocket each : waiting) {
          TcpSocket server = listener.accept();
          assertEquals(each.localAddress(), server.remoteAddress());
          server.close();
          each.close();
        }
        try (TcpSocket client =
                world.scheduler().await(world.io().connecting(listener.localAddress()));
            TcpSocket server = listener.accept()) {
          assertEquals(client.localAddress(), server.remoteAddress());
        }
        var unresolved = InetSocketAddress.createUnresolved("host.test", 1);
        assertThrows(
            IllegalArgumentException.class,
            () -> world.scheduler().await(world.io().connecting(unresolved)));
      }
      var refused = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
      assertThrows(
          ConnectException.class, () -> world.scheduler().await(world.io().connecting(refused)));
    });
  }

  private static Waitable<Object> always() {
    return Waitable.always("always");
  }

  @OnEveryBackend
  void receiving_lost_datagramIsReceivedNext(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var a = UdpSocket.open(world.io(), LOOPBACK);
          var b = UdpSocket.open(world.io(), LOOPBACK)) {
        var dst = ByteBuffer.allocate(9);
        lose(world, b.receiving(dst));
        a.send(ByteBuffer.wrap(bytes("abc")), b.localAddress());
        assertEquals(0, dst.position());
        assertEquals(
            new Datagram(a.localAddress(), 3, false), world.scheduler().await(b.receiving(dst)));
      }
    });
  }

  @OnEveryBackend
  @DisabledOnOs(OS.WINDOWS)
  void exit_lost_isReturnedNext(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var child =
          WaitForProcess.on(world.scheduler())
              .start(new ProcessBuilder("sh", "-c", "read x; exit 3"))) {
        lose(world, child.exit());
        child.input().close();
        assertEquals(new ExitStatus.Exited(3), world.scheduler().await(child.exit()));
      }
    });
  }

  @OnEveryBackend
  @DisabledOnOs(OS.WINDOWS)
  @ResourceLock("signals")
  void raising_lost_signalIsCountedNext(IoRig rig) throws Exception {
    rig.run(world -> {
      try (SignalWatch usr2 = WaitForOsSignal.on(world.scheduler()).listen("USR2")) {
        lose(world, usr2.raising());
        SignalsForTests.raise("USR2");
        assertEquals(1, world.scheduler().await(usr2.raising()));
      }
    });
  }

  @OnEveryBackend
  @EnabledOnOs(OS.LINUX)
  void changing_lost_changeIsReturnedNext(IoRig rig) throws Exception {
    rig.run(world -> {
      Path folder = Files.createTempDirectory(parent, "watched");
      try (var watch = WaitForFile.on(world.scheduler()).watch(folder)) {
        lose(world, watch.changing());
        Path first = Files.createFile(folder.resolve("first"));
        assertEquals(List.of(new DirectoryChange.Created(first)), watch.await());
        Path second = Files.createFile(folder.resolve("second"));
        assertEquals(
            List.of(new DirectoryChange.Created(second)),
            world.scheduler().await(watch.changing()));
        Path third = Files.createFile(folder.resolve("third"));
        assertEquals(
            List.of(new DirectoryChange.Created(third)), pollUntilThere(world, watch.changing()));
        Task<Object> waiting =
            world.scheduler().spawn("waiting", () -> world.scheduler().await(watch.changing()));
        world.settle();
        var busy =
            assertThrows(
                IllegalStateException.class, () -> world.scheduler().await(watch.changing()));
        assertTrue(busy.getMessage().contains("'waiting'"), busy::getMessage);
        waiting.cancel("enough");
        world.settle();
        Files.delete(first);
        assertEquals(
            List.of(new DirectoryChange.Deleted(first)), world.scheduler().await(watch.changing()));
      }
    });
  }

  @OnEveryBackend
  @EnabledOnOs(OS.LINUX)
  void changing_directoryVanishesOrWatchIsClosed_fails(IoRig rig) throws Exception {
    rig.run(world -> {
      Path folder = Files.createTempDirectory(parent, "watched");
      var watch = WaitForFile.on(world.scheduler()).watch(folder);
      Task<Throwable> waiting = world.failing(() -> world.scheduler().await(watch.changing()));
      world.settle();
      Files.delete(folder);
      assertInstanceOf(DirectoryVanishedException.class, waiting.join());
      watch.close();
      assertThrows(ChannelClosedException.class, () -> world.scheduler().await(watch.changing()));
      var other = WaitForFile.on(world.scheduler()).watch(parent);
      Task<Throwable> closed = world.failing(() -> world.scheduler().await(other.changing()));
      world.settle();
      other.close();
      assertInstanceOf(ChannelClosedException.class, closed.join());
    });
  }

  @OnEveryBackend
  void readingKeyAndLine_lost_areReturnedNext(IoRig rig) throws Exception {
    rig.run(world -> {
      var typed = new PipedOutputStream();
      try (var terminal =
          TaskTerminal.open(
              world.scheduler(),
              "dumb",
              new PipedInputStream(typed),
              new ByteArrayOutputStream())) {
        terminal.enterRawMode();
        lose(world, terminal.readingKey());
        typed.write('q');
        typed.flush();
        assertEquals('q', terminal.readKey());
        lose(world, terminal.readingKey());
        typed.write('r');
        typed.flush();
        assertEquals('r', pollUntilThere(world, terminal.readingKey()));
        Task<Integer> key =
            world.scheduler().spawn(() -> world.scheduler().await(terminal.readingKey()));
        world.settle();
        typed.write('s');
        typed.flush();
        assertEquals('s', key.join());
        assertThrows(
            IllegalStateException.class,
            () -> world.scheduler().await(terminal.readingLine("name? ")));
        terminal.leaveRawMode();
        lose(world, terminal.readingLine("name? "));
        assertThrows(
            IllegalStateException.class, () -> world.scheduler().await(terminal.readingKey()));
        typed.write(bytes("Ada\r"));
        typed.flush();
        assertEquals(Optional.of("Ada"), world.scheduler().await(terminal.readingLine("name? ")));
      }
    });
  }

  @OnEveryBackend
  void readingKeyAndLine_terminalIsClosed_fail(IoRig rig) throws Exception {
    rig.run(world -> {
      var terminal =
          TaskTerminal.open(
              world.scheduler(),
              "dumb",
              new PipedInputStream(new PipedOutputStream()),
              new ByteArrayOutputStream());
      Task<Throwable> closed =
          world.failing(() -> world.scheduler().await(terminal.readingLine("name? ")));
      world.settle();
      terminal.close();
      assertInstanceOf(ChannelClosedException.class, closed.join());
      assertThrows(
          ChannelClosedException.class, () -> world.scheduler().await(terminal.readingKey()));
    });
  }

  @OnEveryBackend
  @DisabledOnOs(OS.WINDOWS)
  void outputOfAProcess_lost_isReadNext(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var child = WaitForProcess.on(world.scheduler()).start(new ProcessBuilder("cat"))) {
        var output = child.output();
        lose(world, output.readable());
        lose(world, output.readingLine(100));
        child.input().write("half");
        world.scheduler().await(output.readable());
        assertEquals(0, world.scheduler().select(output.readable(), always()).index());
        lose(world, output.readingLine(100));
        child.input().write(" a line\r\n12");
        assertEquals(Optional.of("half a line"), world.scheduler().await(output.readingLine(100)));
        var dst = ByteBuffer.allocate(4);
        lose(world, output.readingFully(dst));
        assertEquals(0, dst.position());
        child.input().write("34567");
        assertEquals(4, world.scheduler().await(output.readingFully(dst)));
        assertEquals("1234", new String(dst.array(), StandardCharsets.UTF_8));
        dst.clear();
        assertEquals(3, world.scheduler().await(output.reading(dst)));
        child.input().close();
        assertEquals(Optional.empty(), world.scheduler().await(output.readingLine(100)));
        assertEquals(0, world.scheduler().select(output.readable(), always()).index());
        assertFalse(child.error().tryRead(dst) > 0);
      }
    });
  }
}
