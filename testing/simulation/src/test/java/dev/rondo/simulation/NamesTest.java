package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.io.NameResolver;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.io.WaitForName;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.VirtualClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// The names of a simulated network.
final class NamesTest {

  private static final InetAddress STORE = InetAddress.ofLiteral("10.0.0.1");

  private final VirtualClock clock = new VirtualClock();
  private final SimulatedNetwork network = SimulatedNetwork.on(clock);
  private final SimulatedHost store = network.host("store", "10.0.0.1");

  /// What a program on a host does.
  private interface Program {
    void run(Scheduler scheduler, WaitForIO io, WaitForName names) throws Exception;
  }

  private void onHost(Program program) {
    var failure = new AtomicReference<Throwable>();
    try (Scheduler scheduler = clock.scheduler(Scheduler.builder())) {
      WaitForIO io = store.install(scheduler);
      scheduler.spawn(
          "program",
          () -> {
            try {
              program.run(scheduler, io, WaitForName.on(scheduler));
            } catch (Throwable e) {
              failure.set(e);
            }
          });
      scheduler.start();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  @Test
  void connect_byName_reachesTheHost() {
    onHost((scheduler, io, names) -> {
      try (TcpListener listener = io.listen(new InetSocketAddress(STORE, 80));
          TcpSocket near = io.connect("store", 80);
          TcpSocket far = listener.accept()) {
        assertEquals(near.localAddress(), far.remoteAddress());
      }
    });
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void resolve_aName_isOnTheTasksThreadAndTakesNoTime() {
    network.host("big", "10.0.1.1", "fd00::1");
    onHost((scheduler, io, names) -> {
      assertEquals(List.of(STORE), names.resolve("store"));
      assertEquals(List.of(STORE), names.resolve("STORE"));
      assertEquals(2, names.resolve("big").size());
      assertEquals("big", names.reverse(InetAddress.ofLiteral("fd00::1")));
    });
    assertEquals(Duration.ZERO, clock.elapsed());
    assertFalse(
        Thread.getAllStackTraces().keySet().stream()
            .anyMatch(thread -> thread.getName().startsWith("rondo-names")));
  }

  @Test
  void resolve_localhost_isLoopback() {
    onHost((scheduler, io, names) -> {
      assertEquals(InetAddress.ofLiteral("127.0.0.1"), names.resolve("localhost").getFirst());
      assertEquals("localhost", names.reverse(InetAddress.ofLiteral("127.0.0.1")));
    });
  }

  @Test
  void resolve_unknownName_fails() {
    onHost((scheduler, io, names) -> {
      var failure = assertThrows(UnknownHostException.class, () -> names.resolve("example.org"));
      assertEquals(
          "unknown host 'example.org': no host of the simulated network has it",
          failure.getMessage());
      assertThrows(UnknownHostException.class, () -> io.connect("example.org", 80));
      assertThrows(
          UnknownHostException.class, () -> names.reverse(InetAddress.ofLiteral("10.9.9.9")));
    });
  }

  @Test
  void names_hostsOfOneName_haveTheirAddressesTogether() throws UnknownHostException {
    network.host("store", "10.0.0.2");
    NameResolver names = network.names();
    assertEquals(List.of(STORE, InetAddress.ofLiteral("10.0.0.2")), names.addresses("store"));
  }
}
