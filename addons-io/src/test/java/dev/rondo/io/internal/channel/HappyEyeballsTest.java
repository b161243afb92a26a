package dev.rondo.io.internal.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// RFC 8305, with a clock that jumps and connections that take as long as the test determines.
class HappyEyeballsTest extends SchedulerTest {

  private static final Duration DELAY = Duration.ofMillis(250);

  /// The effect of connecting to one port.
  private record Script(Duration takes, boolean fails) {}

  private final Map<Integer, Script> scripts = new HashMap<>();
  private int open;

  private final class Connection implements Closeable {
    private final int port;

    Connection(int port) {
      this.port = port;
      open++;
    }

    @Override
    public void close() {
      open--;
    }
  }

  private void script(int port, long millis, boolean fails) {
    scripts.put(port, new Script(Duration.ofMillis(millis), fails));
  }

  private Connection connect(InetSocketAddress address) throws IOException {
    int port = address.getPort();
    Script script = scripts.get(port);
    trace(port + "@" + time.elapsed().toMillis());
    try {
      scheduler.await(Waitable.never(), script.takes);
    } catch (TimedOutException itTook) {
      // as scripted
    }
    if (script.fails) {
      throw new ConnectException("refused " + port);
    }
    return new Connection(port);
  }

  private List<InetSocketAddress> ports(int... ports) {
    return Arrays.stream(ports)
        .mapToObj(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .toList();
  }

  private HappyEyeballs<Connection> eyeballs() {
    return new HappyEyeballs<>(scheduler, DELAY, this::connect);
  }

  @Test
  void race_firstAnswersAtOnce_othersAreNotTried() {
    script(1, 10, false);
    script(2, 10, false);
    runTask(() -> {
      try (var won = eyeballs().race(ports(1, 2))) {
        assertEquals(1, won.port);
        assertEquals(10, time.elapsed().toMillis());
      }
    });
    assertTrace("1@0");
    assertEquals(0, open);
  }

  @Test
  void race_firstIsSilent_nextIsTriedAfterTheDelayAndWins() {
    script(1, 60_000, false);
    script(2, 30, false);
    runTask(() -> {
      try (var won = eyeballs().race(ports(1, 2))) {
        assertEquals(2, won.port);
        assertEquals(280, time.elapsed().toMillis());
      }
    });
    assertTrace("1@0 2@250");
    assertEquals(0, open);
  }

  @Test
  void race_schedulerHasNoTimers_nextIsTriedWhenOneFails() {
    var failures = new ArrayList<Throwable>();
    var tried = new ArrayList<Integer>();
    try (Scheduler timeless = IoRig.HANDOFF.newScheduler(failures)) {
      Task<Integer> race =
          timeless.spawn(() -> {
            var eyeballs =
                new HappyEyeballs<Connection>(
                    timeless,
                    DELAY,
                    address -> {
                      tried.add(address.getPort());
                      timeless.yield();
                      if (address.getPort() == 1) {
                        throw new ConnectException("refused");
                      }
                      return new Connection(address.getPort());
                    });
            try (var won = eyeballs.race(ports(1, 2, 3))) {
              return won.port;
            }
          });
      timeless.start();
      assertEquals(2, race.join());
    }
    assertEquals(List.of(1, 2), tried);
    assertEquals(List.of(), failures);
    assertEquals(0, open);
  }

  @Test
  void race_firstFails_nextIsTriedAtOnce() {
    script(1, 5, true);
    script(2, 5, true);
    script(3, 5, false);
    runTask(() -> {
      try (var won = eyeballs().race(ports(1, 2, 3))) {
        assertEquals(3, won.port);
      }
    });
    assertTrace("1@0 2@5 3@10");
  }

  @Test
  void race_slowFirstWinsLate_theOtherIsClosed() {
    script(1, 300, false);
    script(2, 300, false);
    runTask(() -> {
      try (var won = eyeballs().race(ports(1, 2))) {
        assertEquals(1, won.port);
        assertEquals(1, open);
      }
    });
    assertTrace("1@0 2@250");
    assertEquals(0, open);
  }

  @Test
  void race_allFail_lastFailureHasTheOthers() {
    script(1, 5, true);
    script(2, 5, true);
    runTask(() -> {
      var e = assertThrows(ConnectException.class, () -> eyeballs().race(ports(1, 2)));
      assertEquals("refused 2", e.getMessage());
      assertEquals("refused 1", e.getSuppressed()[0].getMessage());
    });
    assertTrace("1@0 2@5");
  }

  @Test
  void race_connectorBreaks_isToldAsItIs() {
    var broken = new IllegalStateException("broken");
    runTask(() ->
        assertSame(
            broken,
            assertThrows(
                IllegalStateException.class,
                () ->
                    new HappyEyeballs<Connection>(
                            scheduler,
                            DELAY,
                            address -> {
                              throw broken;
                            })
                        .race(ports(1)))));
  }

  @Test
  void race_cancelled_leavesNothing() {
    script(1, 60_000, false);
    script(2, 60_000, false);
    runTask(() -> {
      var task = scheduler.spawn(() -> eyeballs().race(ports(1, 2)));
      scheduler.spawn(() -> {
        try {
          scheduler.await(Waitable.never(), Duration.ofMillis(400));
        } catch (TimedOutException now) {
          task.cancel("enough");
        }
      });
      assertThrows(CancellationException.class, task::join);
    });
    assertTrace("1@0 2@250");
    assertEquals(0, open);
  }

  /// With any script, the caller receives one connection if any address works, and no other stays
  /// open.
  @Test
  void race_random_handsOutOneAndLeavesNone() {
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      int n = 1 + random.nextInt(6);
      var ports = new int[n];
      boolean any = false;
      for (int i = 0; i < n; i++) {
        ports[i] = i + 1;
        boolean fails = random.nextBoolean();
        any |= !fails;
        script(i + 1, random.nextInt(4) * 125L, fails);
      }
      boolean works = any;
      String what = "seed=" + seed;
      runTask(() -> {
        try (var won = eyeballs().race(ports(ports))) {
          assertTrue(works && won.port > 0, what);
          assertEquals(1, open, what);
        } catch (ConnectException e) {
          assertTrue(!works, what);
        }
        assertEquals(0, open, what);
      });
    }
    takeTrace();
  }

  private void takeTrace() {
    assertThrows(AssertionError.class, () -> assertTrace("not looked at"));
  }

  @Test
  void interleaved_bothFamilies_alternateFromTheFirst() throws Exception {
    var six = List.of(InetAddress.ofLiteral("::1"), InetAddress.ofLiteral("::2"));
    var four =
        List.of(
            InetAddress.ofLiteral("10.0.0.1"),
            InetAddress.ofLiteral("10.0.0.2"),
            InetAddress.ofLiteral("10.0.0.3"));
    assertEquals(
        List.of(six.get(0), four.get(0), six.get(1), four.get(1), four.get(2)),
        HappyEyeballs.interleaved(
            List.of(six.get(0), six.get(1), four.get(0), four.get(1), four.get(2))));
    assertEquals(
        List.of(four.get(0), six.get(0), six.get(1)),
        HappyEyeballs.interleaved(List.of(four.get(0), six.get(0), six.get(1))));
    assertEquals(four, HappyEyeballs.interleaved(four));
  }

  /// The connection exists, and no task takes it any more.
  @Test
  void race_cancelledAtTheMomentItIsWon_closesTheConnection() {
    script(1, 10, false);
    script(2, 10, false);
    runTask(() -> {
      var race = new ArrayList<Task<Connection>>();
      HappyEyeballs.Connector<Connection> connector =
          address -> {
            Connection connection = connect(address);
            race.getFirst().cancel("enough");
            return connection;
          };
      race.add(
          scheduler.spawn(
              () -> new HappyEyeballs<>(scheduler, DELAY, connector).race(ports(1, 2))));
      assertThrows(CancellationException.class, race.getFirst()::join);
    });
    assertTrace("1@0");
    assertEquals(0, open);
  }

  /// Before the delay is over, and when there is no other address to try.
  @Test
  void race_taskHasALimitOfItsOwn_failsAtThatLimit() {
    script(1, 60_000, false);
    script(2, 60_000, false);
    runTask(() -> {
      for (long millis : new long[] {100, 300}) {
        long begun = time.elapsed().toMillis();
        var limit = new TimedOutException(Duration.ofMillis(millis), "the task");
        Task<?> racing = Objects.requireNonNull(scheduler.currentTask());
        scheduler.spawn(() -> {
          assertThrows(
              TimedOutException.class,
              () -> scheduler.await(Waitable.never(), Duration.ofMillis(millis)));
          assertTrue(TaskControl.of(scheduler.host()).failWait(racing, () -> limit));
        });
        assertSame(
            limit, assertThrows(TimedOutException.class, () -> eyeballs().race(ports(1, 2))));
        assertEquals(millis, time.elapsed().toMillis() - begun);
      }
    });
    assertTrace("1@0 1@100 2@350");
    assertEquals(0, open);
  }
}
