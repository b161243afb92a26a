package dev.rondo.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.Certificates;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Faults at the worst moments: in a handshake, in a call of `blocking(..)`, on links that are
/// held, and on disks that are full.
@EveryBackend
final class HostileProgramsTest extends BackendTest {

  private static final int PORT = 7;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /// In which the room of a disk is counted.
  private static final int BLOCK = 4_096;

  /// More packets than a handshake and one answer have.
  private static final int MOST_PACKETS = 30;

  private final List<String> trace = new ArrayList<>();
  private World world;

  @BeforeEach
  void open() {
    world = newWorld();
  }

  private World newWorld() {
    return World.withSeed(42).applications(it -> it.backend(backend));
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void note(WorldHost host, String what) {
    trace.add("%s %s %s".formatted(host.world().elapsed(), host.name(), what));
  }

  private static InetSocketAddress portOf(WorldHost host) {
    return new InetSocketAddress(host.address(), PORT);
  }

  // Handshakes.

  /// The server dies with each packet in turn: the client ends, with the answer or a failure.
  @Test
  void tls_peerDiesWithAnyPacket_clientEnds() {
    assumeTrue(backend.sharesThread());
    var ends = new ArrayList<String>();
    for (int dying = 1; dying <= MOST_PACKETS; dying++) {
      try (World own = newWorld()) {
        ends.add(askOverTls(own, dying));
      }
    }
    assertEquals(MOST_PACKETS, ends.size());
    assertTrue(ends.contains("answer"), ends::toString);
    assertFalse(ends.contains("nothing"), ends::toString);
    assertTrue(ends.stream().distinct().count() > 1, ends::toString);
  }

  private static String askOverTls(World own, int dying) {
    WorldHost server = own.host("server", HostileProgramsTest::answerOverTls);
    var end = new ArrayList<String>();
    WorldHost client =
        own.host(
            "client",
            host -> {
              Application app = host.application();
              app.sleep(SECOND);
              TlsClient tls = new TlsClient(app.scheduler(), Certificates.context(null, "server"));
              try (TcpSocket plain = app.io().connect(portOf(server));
                  TlsSocket socket = tls.over(plain, "server")) {
                socket.readFully(ByteBuffer.allocate(1));
                end.add("answer");
              } catch (IOException e) {
                end.add(e.getClass().getSimpleName());
              }
            });
    var packets = new AtomicInteger();
    own.network()
        .link(client.simulated(), server.simulated())
        .proxy(packet -> {
          packets.incrementAndGet();
          return SimulatedProxy.SEND;
        });
    own.always(
        "the server dies in time",
        () -> {
          if (packets.get() >= dying && server.isUp()) {
            server.crash();
          }
          return true;
        });
    own.runFor(MINUTE);
    return end.isEmpty() ? "nothing" : end.getFirst();
  }

  private static void answerOverTls(WorldHost host) throws Exception {
    Application app = host.application();
    TlsServer tls = new TlsServer(app.scheduler(), Certificates.context("server"));
    try (TcpListener listener = app.io().listen(portOf(host))) {
      TcpSocket plain = listener.accept();
      try (TlsSocket socket = tls.over(plain)) {
        socket.write(ByteBuffer.wrap(new byte[] {42}));
      }
    }
  }

  // Calls of blocking(..).

  @Test
  void crash_whenACallHasJustEnded_nothingOfItReturns() {
    assumeTrue(backend.sharesThread());
    var calls = new AtomicInteger();
    WorldHost host =
        world.host(
            "host",
            it -> {
              int own = it.application().blocking(calls::incrementAndGet);
              note(it, "call " + own);
            });
    world.runUntil(() -> calls.get() == 1, SECOND);
    host.crash();
    world.runFor(SECOND);
    assertEquals(List.of(), trace);
    host.restart();
    world.runFor(SECOND);
    assertEquals(List.of("PT1S host call 2"), trace);
  }

  // Links that are held.

  /// What was sent to the program of before is not for that of after.
  @Test
  void restart_whileALinkIsHeld_oldConnectionIsReset() {
    assumeTrue(backend.sharesThread());
    WorldHost server = world.host("server", this::readsLines);
    WorldHost client =
        world.host(
            "client",
            host -> {
              try (TcpSocket socket = host.application().io().connect(portOf(server))) {
                host.application().sleep(Duration.ofSeconds(2));
                socket.write(ByteBuffer.wrap("late\n".getBytes(UTF_8)));
                int read = socket.read(ByteBuffer.allocate(1));
                note(host, "read " + read);
              } catch (IOException e) {
                note(host, e.getClass().getSimpleName());
              }
            });
    world.runFor(SECOND);
    var link = world.network().link(client.simulated(), server.simulated());
    link.hold();
    world.runFor(Duration.ofSeconds(2));
    server.powerOff();
    server.restart();
    world.runFor(SECOND);
    link.heal();
    world.runFor(MINUTE);
    assertEquals(List.of("PT4.0002S client ConnectionResetException"), trace);
  }

  private void readsLines(WorldHost host) throws IOException {
    try (TcpListener listener = host.application().io().listen(portOf(host))) {
      while (true) {
        try (TcpSocket peer = listener.accept()) {
          note(host, "read " + peer.readLine(100));
        } catch (IOException e) {
          note(host, e.getClass().getSimpleName());
        }
      }
    }
  }

  // Disks that are full.

  @Test
  void rename_onAFullDisk_succeeds_andFreesWhatItReplaces() throws IOException {
    SimulatedDisk disk = world.host("host", it -> {}).disk();
    Path old = disk.path("/state");
    Files.writeString(old, "old");
    Path fresh = disk.path("/state.new");
    disk.capacity(2 * BLOCK);
    try (FileChannel channel =
        FileChannel.open(fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertEquals(BLOCK, channel.write(ByteBuffer.allocate(2 * BLOCK)));
      assertThrows(IOException.class, () -> channel.write(ByteBuffer.allocate(1)));
    }
    var _ = Files.move(fresh, old, StandardCopyOption.ATOMIC_MOVE);
    assertFalse(Files.exists(fresh));
    assertEquals(BLOCK, Files.size(old));
    var _ = Files.write(fresh, new byte[BLOCK]);
  }

  // Clocks that drift.

  /// A sleep that has begun goes on at the new rate.
  @Test
  void drift_whileATaskSleeps_changesWhatIsLeft() {
    WorldHost host =
        world.host(
            "host",
            it -> {
              it.application().sleep(Duration.ofSeconds(4));
              note(it, "awake");
            });
    world.runFor(SECOND);
    host.clock().drift(500_000);
    world.runFor(SECOND);
    host.clock().drift(-500_000);
    world.runFor(MINUTE);
    assertEquals(List.of("PT5S host awake"), trace);
  }
}
