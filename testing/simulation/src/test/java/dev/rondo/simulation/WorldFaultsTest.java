package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Hosts of a world that crash, lose their power, pause and start again.
@EveryBackend
@BackendsDiffer
final class WorldFaultsTest extends BackendTest {

  private static final int PORT = 7;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  /// How often the collector is asked before something counts as held.
  private static final int COLLECTIONS = 50;

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

  private void assumeMortal() {
    assumeTrue(backend.sharesThread());
  }

  private void note(WorldHost host, String what) {
    trace.add("%s %s %s".formatted(host.world().elapsed(), host.name(), what));
  }

  private void notesEachSecond(WorldHost host) {
    try {
      while (true) {
        note(host, "runs");
        host.application().sleep(SECOND);
      }
    } finally {
      note(host, "finally");
    }
  }

  /// Accepts one connection and keeps it.
  private void holdsAConnection(WorldHost host) throws IOException {
    try (TcpListener listener =
            host.application().io().listen(new InetSocketAddress(host.address(), PORT));
        TcpSocket peer = listener.accept()) {
      note(host, "accepted");
      boolean _ = peer.read(ByteBuffer.allocate(1)) < 0;
      note(host, "read");
    } finally {
      note(host, "finally");
    }
  }

  private WorldHost clientOf(WorldHost server) {
    return world.host(
        "client",
        host -> {
          try (TcpSocket socket =
              host.application().io().connect(new InetSocketAddress(server.address(), PORT))) {
            int read = socket.read(ByteBuffer.allocate(1));
            note(host, "read " + read);
          } catch (IOException e) {
            note(host, e.getClass().getSimpleName());
          }
        });
  }

  // Crashes.

  @Test
  void crash_otherBackends_isRefused() {
    assumeFalse(backend.sharesThread());
    WorldHost host = world.host("host", this::notesEachSecond);
    world.runFor(SECOND);
    var refused = assertThrows(UnsupportedOperationException.class, host::crash);
    assertTrue(refused.getMessage().contains(backend.name()), refused.getMessage());
    assertThrows(UnsupportedOperationException.class, host::powerOff);
    assertTrue(host.isUp());
    world.runFor(SECOND);
    assertEquals("PT2S host runs", trace.getLast());
  }

  @Test
  void crash_tasksVanish() {
    assumeMortal();
    WorldHost host = world.host("host", this::notesEachSecond);
    world.runFor(SECOND);
    host.crash();
    assertFalse(host.isUp());
    world.runFor(HOUR);
    assertEquals(List.of("PT0S host runs", "PT1S host runs"), trace);
    assertTrue(host.dump().contains("host 'host' (10.0.0.1) is down"), host.dump());
  }

  @Test
  void crash_peersReadTheEnd_portsRefuse() {
    assumeMortal();
    WorldHost server = world.host("server", this::holdsAConnection);
    clientOf(server);
    world.runFor(SECOND);
    server.crash();
    world.runFor(SECOND);
    assertEquals("PT1.0001S client read -1", trace.getLast());
    assertEquals(0, server.simulated().openDescriptors());

    world.host(
        "late",
        host ->
            assertThrows(
                IOException.class,
                () ->
                    host.application()
                        .io()
                        .connect(new InetSocketAddress(server.address(), PORT))));
    world.runFor(SECOND);
  }

  @Test
  void powerOff_peersHearNothing() {
    assumeMortal();
    WorldHost server = world.host("server", this::holdsAConnection);
    clientOf(server);
    world.runFor(SECOND);
    server.powerOff();
    world.runFor(HOUR);
    assertEquals(1, trace.size(), trace.toString());
  }

  @Test
  void restart_runsMainAgain() {
    assumeMortal();
    WorldHost host = world.host("host", this::notesEachSecond);
    world.runFor(SECOND);
    host.crash();
    world.runFor(SECOND);
    host.restart();
    assertTrue(host.isUp());
    world.runFor(Duration.ofMillis(500));
    assertEquals(List.of("PT0S host runs", "PT1S host runs", "PT2S host runs"), trace);
  }

  /// A channel of any kind is registered with a selector that is none of the host's.
  @Test
  void crash_whileATaskAwaitsAChannel_freesItsPort() {
    assumeMortal();
    WorldHost host =
        world.host(
            "host",
            it -> {
              WaitForIO io = it.application().io();
              DatagramChannel channel = io.provider().openDatagramChannel();
              channel.configureBlocking(false);
              channel.bind(new InetSocketAddress(it.address(), PORT));
              note(it, "listens");
              it.scheduler().await(io.readable(channel));
            });
    world.runFor(SECOND);
    host.crash();
    assertEquals(0, host.simulated().openDescriptors());
    host.restart();
    world.runFor(SECOND);
    assertEquals(List.of("PT0S host listens", "PT1S host listens"), trace);
  }

  @Test
  void crashOfAnotherHost_inATurn_happensAfterIt() {
    assumeMortal();
    WorldHost victim = world.host("victim", this::notesEachSecond);
    world.runFor(Duration.ofMillis(500));
    world.host(
        "nemesis",
        host -> {
          victim.crash();
          note(host, "after crash");
          host.application().sleep(HOUR);
          victim.restart();
        });
    world.runFor(Duration.ofMinutes(59));
    assertEquals(List.of("PT0S victim runs", "PT0.5S nemesis after crash"), trace);
    world.runFor(Duration.ofMinutes(1));
    assertEquals("PT1H0.5S victim runs", trace.getLast());
  }

  @Test
  void crashOfItself_doesNotReturn() {
    assumeMortal();
    WorldHost host =
        world.host(
            "host",
            it -> {
              try {
                note(it, "before");
                it.crash();
                note(it, "after");
              } finally {
                note(it, "finally");
              }
            });
    world.runFor(HOUR);
    assertEquals(List.of("PT0S host before"), trace);
    assertFalse(host.isUp());
  }

  @Test
  void crashes_ofASleepingHost_releaseItsMemory() {
    assumeMortal();
    var held = new ArrayList<WeakReference<Object>>();
    WorldHost server =
        world.host(
            "server",
            host -> {
              Object[] local = {new Object()};
              held.add(new WeakReference<>(local[0]));
              holdsAConnection(host);
              trace.add("kept " + local.length);
            });
    WorldHost sleeper =
        world.host(
            "sleeper",
            host -> {
              Object[] local = {new Object()};
              held.add(new WeakReference<>(local[0]));
              host.application().sleep(Duration.ofDays(1000));
              trace.add("kept " + local.length);
            });
    clientOf(server);
    world.runFor(SECOND);
    assertEquals(2, held.size());
    server.crash();
    sleeper.crash();
    world.runFor(HOUR); // the connection is forgotten, too
    for (int i = 0; i < COLLECTIONS && held.stream().anyMatch(each -> each.get() != null); i++) {
      System.gc();
    }
    held.forEach(each -> assertNull(each.get(), "a crashed host is still reachable"));
  }

  @Test
  void lostSocket_afterACollection_changesNothing() {
    assumeMortal();
    var lost = new ArrayList<WeakReference<TcpSocket>>();
    WorldHost server =
        world.host(
            "server",
            host -> {
              try (var listener = host.application().listen(PORT)) {
                lost.add(new WeakReference<>(listener.accept())); // and never closes it
                notesEachSecond(host);
              }
            });
    clientOf(server);
    world.runFor(SECOND);
    assertEquals(1, lost.size());
    for (int i = 0; i < COLLECTIONS && lost.getFirst().get() != null; i++) {
      System.gc();
    }
    assertNull(lost.getFirst().get());
    for (int i = 0; i < 3; i++) {
      System.gc();
      world.runFor(SECOND); // fails if the host learns of it
    }
    assertEquals(4, trace.stream().filter(each -> each.contains("runs")).count(), trace::toString);
    server.crash();
    trace.clear();
  }

  @Test
  void faults_ofAHostInTheWrongState_areRefused() {
    assumeMortal();
    WorldHost host = world.host("host", this::notesEachSecond);
    assertEquals(
        "restart of host 'host', which is up: crash(), powerOff() or terminate(..) comes first",
        assertThrows(IllegalStateException.class, host::restart).getMessage());
    host.crash();
    assertEquals(
        "crash of host 'host', which is down",
        assertThrows(IllegalStateException.class, host::crash).getMessage());
    assertThrows(IllegalStateException.class, host::powerOff);
    assertThrows(IllegalStateException.class, host::pause);
    assertThrows(IllegalStateException.class, host::application);
    host.restart();
    world.close();
    assertThrows(IllegalStateException.class, host::crash);
    assertThrows(IllegalStateException.class, host::restart);
  }

  // Pauses.

  @Test
  void pause_timePasses_nothingRuns() {
    WorldHost host = world.host("host", this::notesEachSecond);
    world.runFor(SECOND);
    host.pause();
    assertTrue(host.isPaused());
    world.runFor(SECOND.multipliedBy(10));
    assertEquals(List.of("PT0S host runs", "PT1S host runs"), trace);
    host.resume();
    world.runFor(SECOND);
    assertEquals(
        List.of("PT0S host runs", "PT1S host runs", "PT11S host runs", "PT12S host runs"), trace);
  }

  @Test
  void pause_inATurnOfItsOwn_takesEffectAfterIt() {
    WorldHost host =
        world.host(
            "host",
            it -> {
              it.pause();
              note(it, "rest of the turn");
              it.scheduler().yield();
              note(it, "next turn");
            });
    world.runFor(HOUR);
    assertEquals(List.of("PT0S host rest of the turn"), trace);
    host.resume();
    world.runFor(HOUR);
    assertEquals("PT1H host next turn", trace.getLast());
  }

  @Test
  void pause_peersConnectAllTheSame() {
    WorldHost server = world.host("server", this::holdsAConnection);
    world.runFor(SECOND);
    server.pause();
    world.host(
        "client",
        host -> {
          try (TcpSocket socket =
              host.application().io().connect(new InetSocketAddress(server.address(), PORT))) {
            note(host, "connected");
            socket.write(ByteBuffer.allocate(1));
          }
        });
    world.runFor(SECOND);
    assertEquals(List.of("PT1.0002S client connected"), trace);
    server.resume();
    world.runFor(SECOND);
    assertEquals("PT2S server finally", trace.getLast());
  }

  @Test
  void pause_wrongState_isRefused() {
    WorldHost host = world.host("host", this::notesEachSecond);
    assertEquals(
        "resume of host 'host', which is not paused",
        assertThrows(IllegalStateException.class, host::resume).getMessage());
    host.pause();
    assertEquals(
        "pause of host 'host', which is paused already",
        assertThrows(IllegalStateException.class, host::pause).getMessage());
    assertTrue(host.dump().contains("is paused"), host.dump());
  }

  @Test
  void close_pausedHost_endsIt() {
    WorldHost host = world.host("host", this::notesEachSecond);
    world.runFor(SECOND);
    host.pause();
    world.close();
    assertEquals("PT1S host finally", trace.getLast());
  }

  @Test
  void crash_pausedHost_restartsUnpaused() {
    assumeMortal();
    WorldHost host = world.host("host", this::notesEachSecond);
    world.runFor(SECOND);
    host.pause();
    host.crash();
    host.restart();
    assertFalse(host.isPaused());
    world.runFor(Duration.ZERO);
    assertEquals("PT1S host runs", trace.getLast());
    assertEquals(3, trace.size());
  }
}
