package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A virtual clock and real sockets share the loop's wait.
@EveryBackend
final class VirtualTimeWithSocketsTest extends BackendTest {

  private final VirtualClock clock = new VirtualClock();
  private Scheduler scheduler;
  private WaitForIO io;

  @BeforeEach
  void open() {
    scheduler = clock.scheduler(builder());
    io = WaitForIO.on(scheduler);
  }

  @AfterEach
  void close() {
    scheduler.close();
    assertEquals(List.of(), takeFailures());
  }

  private record Pair(TcpSocket client, TcpSocket server) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  private TcpListener listen() throws IOException {
    return io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private Pair pair() throws IOException {
    try (TcpListener listener = listen()) {
      TcpSocket client = io.connect(listener.localAddress());
      return new Pair(client, listener.accept());
    }
  }

  private void sleep(Duration duration) {
    WaitForTime.on(scheduler).sleep(duration);
  }

  private void run(Callable<?> main) {
    runOn(scheduler, main);
  }

  @Test
  void sleep_noSocket_jumps() {
    run(() -> {
      sleep(Duration.ofHours(1));
      return null;
    });
    assertEquals(Duration.ofHours(1), clock.elapsed());
  }

  @Test
  void sleep_socketsOpenAndNotAwaited_jumps() {
    run(() -> {
      try (Pair pair = pair()) {
        sleep(Duration.ofHours(1));
        return pair;
      }
    });
    assertEquals(Duration.ofHours(1), clock.elapsed());
  }

  @Test
  void sleep_socketAwaited_jumpsAfterTheGrace() {
    run(() -> {
      try (Pair pair = pair()) {
        Task<?> reading =
            scheduler.spawn("reading", () -> pair.server().read(ByteBuffer.allocate(1)));
        sleep(Duration.ofHours(1));
        pair.client().write(ByteBuffer.allocate(1));
        reading.join();
        return null;
      }
    });
    assertEquals(Duration.ofHours(1), clock.elapsed());
  }

  @Test
  void readTimeout_passesVirtually() {
    run(() -> {
      try (Pair pair = pair()) {
        pair.server().readTimeout(Duration.ofMinutes(1));
        return assertThrows(
            TimedOutException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
      }
    });
    assertEquals(Duration.ofMinutes(1), clock.elapsed());
  }

  @Test
  void bytesSentHere_comeBeforeALaterDeadline() {
    List<String> log = new ArrayList<>();
    run(() -> {
      try (Pair pair = pair()) {
        pair.server().readTimeout(Duration.ofMillis(1));
        for (int i = 0; i < 100; i++) {
          pair.client().write(ByteBuffer.allocate(1));
          pair.server().read(ByteBuffer.allocate(1));
        }
        log.add("read");
        return null;
      }
    });
    assertEquals(List.of("read"), log);
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void tasksThatYield_doNotKeepBytesAway() {
    run(() -> {
      try (Pair pair = pair()) {
        Task<Integer> reading =
            scheduler.spawn("reading", () -> pair.server().read(ByteBuffer.allocate(1)));
        scheduler.yield();
        pair.client().write(ByteBuffer.allocate(1));
        while (!reading.isDone()) {
          scheduler.yield();
        }
        return reading.join();
      }
    });
  }

  @Test
  void noDeadline_bytesOfAnotherThread_areAwaited() {
    run(() -> {
      try (TcpListener listener = listen()) {
        Thread peer =
            Thread.ofPlatform()
                .start(() -> {
                  try (var socket =
                      new java.net.Socket(InetAddress.getLoopbackAddress(), listener.port())) {
                    socket.getOutputStream().write(1);
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
        try (TcpSocket socket = listener.accept()) {
          assertEquals(1, socket.read(ByteBuffer.allocate(1)));
        }
        peer.join();
        return null;
      }
    });
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void completion_whileASocketIsAwaited_holdsTheClock() {
    run(() -> {
      try (Pair pair = pair()) {
        Task<?> reading =
            scheduler.spawn("reading", () -> pair.server().read(ByteBuffer.allocate(1)));
        scheduler.spawn("sleeping", () -> sleep(Duration.ofHours(1)));
        scheduler.blocking(() -> null);
        assertEquals(Duration.ZERO, clock.elapsed());
        pair.client().write(ByteBuffer.allocate(1));
        reading.join();
        return null;
      }
    });
  }

  @Test
  void advanceBy_runsSocketsOnTheWay() {
    clock.autojump(VirtualClock.Autojump.NEVER);
    List<String> log = new ArrayList<>();
    scheduler.spawn(() -> {
      try (Pair pair = pair()) {
        sleep(Duration.ofSeconds(2));
        pair.client().write(ByteBuffer.allocate(1));
        pair.server().read(ByteBuffer.allocate(1));
        log.add("read at " + clock.elapsed());
      }
    });
    clock.advanceBy(Duration.ofSeconds(1));
    assertEquals(List.of(), log);
    clock.advanceBy(Duration.ofSeconds(5));
    assertEquals(List.of("read at PT2S"), log);
  }
}
