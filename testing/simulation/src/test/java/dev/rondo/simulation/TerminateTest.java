package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TaskAbandonedException;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Programs of hosts that end in order.
@EveryBackend
final class TerminateTest extends BackendTest {

  private static final int PORT = 7;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

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

  private void note(WorldHost host, String what) {
    trace.add("%s %s %s".formatted(host.world().elapsed(), host.name(), what));
  }

  /// Cleans up for some time.
  private void waits(WorldHost host, Duration cleanUp) {
    note(host, "begins");
    try {
      host.application().sleep(MINUTE);
    } finally {
      host.scheduler().shielded(() -> host.application().sleep(cleanUp));
      note(host, "ends");
    }
  }

  private void serve(WorldHost host) throws Exception {
    try (TcpListener listener =
            host.application().io().listen(new InetSocketAddress(host.address(), PORT));
        TcpSocket peer = listener.accept()) {
      int _ = peer.read(ByteBuffer.allocate(1));
    }
  }

  @Test
  void tasks_cleanUp_andMainRunsAgainAfterRestart() {
    WorldHost host = world.host("host", it -> waits(it, SECOND));
    world.runFor(SECOND);
    host.terminate(Duration.ZERO, MINUTE);
    assertTrue(host.isUp());
    world.runFor(MINUTE);
    assertFalse(host.isUp());
    host.restart();
    world.runFor(SECOND);
    assertEquals(List.of("PT0S host begins", "PT2S host ends", "PT1M1S host begins"), trace);
  }

  @Test
  void peers_readTheEnd_andItsPortIsFree() {
    WorldHost server = world.host("server", this::serve);
    world.host(
        "client",
        host -> {
          try (TcpSocket socket =
              host.application().io().connect(new InetSocketAddress(server.address(), PORT))) {
            note(host, "reads " + socket.read(ByteBuffer.allocate(1)));
          }
        });
    world.runFor(SECOND);
    server.terminate(Duration.ZERO, Duration.ZERO);
    world.runFor(SECOND);
    server.restart();
    world.runFor(SECOND);
    assertEquals(List.of("PT1.0001S client reads -1"), trace);
  }

  @Test
  void taskThatDoesNotEndInTime_isReported() {
    WorldHost host = world.host("host", it -> waits(it, MINUTE));
    host.tolerate(TaskAbandonedException.class::isInstance);
    world.runFor(SECOND);
    host.terminate(Duration.ZERO, SECOND);
    world.runFor(SECOND.multipliedBy(2));
    assertFalse(host.isUp());
    assertInstanceOf(TaskAbandonedException.class, host.toleratedFailures().getFirst());
  }

  @Test
  void whatIsLeftOpen_failsTheRun() {
    WorldHost host =
        world.host("host", it -> it.application().io().provider().openDatagramChannel());
    world.runFor(SECOND);
    host.terminate(Duration.ZERO, SECOND);
    var error = assertThrows(SimulationFailedError.class, () -> world.runFor(SECOND));
    assertTrue(error.getMessage().contains("descriptors left open: 1"), error.getMessage());
    assertEquals(0, host.simulated().openDescriptors());
  }

  @Test
  void aTask_endsItsOwnHost() {
    WorldHost host =
        world.host(
            "host",
            it -> {
              it.terminate(Duration.ZERO, SECOND);
              note(it, "goes on");
              waits(it, Duration.ZERO);
            });
    world.runFor(SECOND);
    assertFalse(host.isUp());
    assertEquals(List.of("PT0S host goes on", "PT0S host begins", "PT0S host ends"), trace);
  }

  @Test
  void anEndingHost_canBeTerminatedAgain_andEndsWithTheWorld() {
    WorldHost host = world.host("host", it -> waits(it, SECOND));
    world.runFor(SECOND);
    host.terminate(Duration.ZERO, MINUTE);
    host.terminate(Duration.ZERO, Duration.ZERO);
    world.close();
    assertEquals(List.of("PT0S host begins", "PT2S host ends"), trace);
  }

  /// Ends when it is asked to, and needs some time for that.
  private void drains(WorldHost host, Duration rest) {
    try {
      host.application().await(host.application().shutdownRequested());
      note(host, "drains");
      host.application().sleep(rest);
      note(host, "is done");
    } finally {
      note(host, "ends");
    }
  }

  @Test
  void tasks_goOnWhileTheHostDrains() {
    WorldHost host = world.host("host", it -> drains(it, SECOND));
    world.runFor(SECOND);
    host.terminate(MINUTE, MINUTE);
    world.runFor(SECOND.multipliedBy(2));
    assertFalse(host.isUp());
    assertEquals(List.of("PT1S host drains", "PT2S host is done", "PT2S host ends"), trace);
  }

  @Test
  void tasks_areCancelledWhenTheDrainIsOver() {
    WorldHost host = world.host("host", it -> drains(it, MINUTE));
    world.runFor(SECOND);
    host.terminate(SECOND, MINUTE);
    world.runFor(MINUTE);
    assertFalse(host.isUp());
    assertEquals(List.of("PT1S host drains", "PT2S host ends"), trace);
  }

  @Test
  void aDrainingHost_hasItsTime_whateverComesLater() {
    WorldHost host = world.host("host", it -> drains(it, SECOND));
    world.runFor(SECOND);
    host.terminate(MINUTE, MINUTE);
    host.terminate(Duration.ZERO, Duration.ZERO);
    world.runFor(MINUTE);
    assertEquals(List.of("PT1S host drains", "PT2S host is done", "PT2S host ends"), trace);
  }

  @Test
  void wrongCalls_areRefused() {
    WorldHost host = world.host("host", it -> {});
    assertThrows(
        IllegalArgumentException.class, () -> host.terminate(Duration.ZERO, SECOND.negated()));
    assertThrows(IllegalArgumentException.class, () -> host.terminate(SECOND.negated(), SECOND));
    host.terminate(Duration.ZERO, SECOND);
    world.runFor(SECOND);
    assertThrows(IllegalStateException.class, () -> host.terminate(Duration.ZERO, SECOND));
  }
}
