package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Promise;
import dev.rondo.exploration.Choices;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.Transport;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.WallClock;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/// Hosts of a world: turns, time, clocks, failures, the end.
@EveryBackend
final class WorldTest extends BackendTest {

  private static final int PORT = 7;
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<String> trace = new ArrayList<>();
  private World world;

  @BeforeEach
  void open() {
    world = world(42);
  }

  private World world(long seed) {
    return World.withSeed(seed).applications(it -> it.backend(backend));
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void note(WorldHost host, String what) {
    trace.add("%s %s %s".formatted(host.world().elapsed(), host.name(), what));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void echo(WorldHost host) throws Exception {
    Application app = host.application();
    try (TcpListener listener = app.io().listen(new InetSocketAddress(host.address(), PORT))) {
      while (true) {
        TcpSocket peer = listener.accept();
        app.spawn(() -> {
          try (peer) {
            for (String line; (line = peer.readLine(100, StandardCharsets.UTF_8)) != null; ) {
              peer.write(bytes(line + "\n"));
            }
          }
        });
      }
    }
  }

  private String ask(WorldHost host, WorldHost server, String question) throws Exception {
    try (TcpSocket socket =
        host.application().io().connect(new InetSocketAddress(server.address(), PORT))) {
      socket.write(bytes(question + "\n"));
      return socket.readLine(100, StandardCharsets.UTF_8);
    }
  }

  // Turns and time.

  /// Time passes at once when nothing can happen any more.
  @Test
  void always_isLookedAt_atTheEndOfTheTime() {
    assertNotEarly(world -> world.runFor(Duration.ofMinutes(1)));
    assertNotEarly(world -> world.runUntil(() -> false, Duration.ofMinutes(1)));
  }

  private static void assertNotEarly(Consumer<World> run) {
    try (World world = World.withSeed(1)) {
      WorldHost _ = world.host("host", host -> host.application().sleep(HOUR));
      world.always("it is early", () -> world.elapsed().toSeconds() < 5);
      var failure = assertThrows(SimulationFailedError.class, () -> run.accept(world));
      assertTrue(
          failure.getMessage().startsWith("seed 1: at 1 min 'it is early' does not hold"),
          failure.getMessage());
    }
  }

  @Test
  void clientsAndServer_talkAcrossTheNetwork() {
    WorldHost server = world.host("server", WorldTest::echo);
    List<WorldHost> clients =
        world.hosts("client", 3, host -> note(host, ask(host, server, "I am " + host.name())));

    world.runUntil(() -> trace.size() == 3, HOUR);

    assertEquals(
        List.of("client-1", "client-2", "client-3"),
        clients.stream().map(WorldHost::name).toList());
    trace.sort(null);
    assertEquals(
        List.of(
            "PT0.0004S client-1 I am client-1",
            "PT0.0004S client-2 I am client-2",
            "PT0.0004S client-3 I am client-3"),
        trace);
  }

  @Test
  void sleeps_ofSeveralHosts_happenInTheOrderOfTheirDeadlines() {
    for (int hours : List.of(3, 1, 2)) {
      world.host(
          "host" + hours,
          host -> {
            host.application().sleep(HOUR.multipliedBy(hours));
            note(host, "wakes");
          });
    }
    world.runFor(Duration.ofHours(2));
    assertEquals(List.of("PT1H host1 wakes", "PT2H host2 wakes"), trace);
    assertEquals(Duration.ofHours(2), world.elapsed());

    world.runFor(Duration.ofHours(2));
    assertEquals("PT3H host3 wakes", trace.getLast());
    assertEquals(Duration.ofHours(4), world.elapsed());
  }

  @Test
  void time_whileAHostIsReady_standsStill() {
    world.host(
        "busy",
        host -> {
          for (int i = 0; i < 10_000; i++) {
            host.scheduler().yield();
          }
          note(host, "done");
        });
    world.host(
        "sleeper",
        host -> {
          host.application().sleep(Duration.ofNanos(1));
          note(host, "wakes");
        });
    world.runFor(HOUR);
    assertEquals(List.of("PT0S busy done", "PT0.000000001S sleeper wakes"), trace);
  }

  @Test
  void sameSeed_sameTrace_otherSeed_otherTrace() {
    List<String> first = shuffledTurns(world(7));
    assertEquals(first, shuffledTurns(world(7)));
    assertNotEquals(first, shuffledTurns(world(8)));
  }

  private List<String> shuffledTurns(World own) {
    trace.clear();
    try (own) {
      own.hosts(
          "host",
          5,
          host -> {
            for (int i = 0; i < 20; i++) {
              note(host, i + " " + host.random().nextInt(100));
              if (i % 5 == 0) {
                host.application().sleep(Duration.ofMillis(host.random().nextInt(1, 10)));
              } else {
                host.scheduler().yield();
              }
            }
          });
      own.runFor(HOUR);
    }
    assertEquals(100, trace.size());
    return List.copyOf(trace);
  }

  @Test
  void random_ofWorldAndHosts_isOneSequenceOfChoices() {
    Choices choices = Choices.random(7);
    try (World other = World.with(Choices.random(7)).applications(it -> it.backend(backend))) {
      WorldHost one = other.host("one", host -> {});
      WorldHost two = other.host("two", host -> {});
      for (RandomGenerator each : List.of(other.random(), one.random(), two.random())) {
        assertEquals(choices.nextInt(1_000), each.nextInt(1_000));
      }
    }
  }

  @Test
  void withChoices_isTheRunOfTheirSeed() {
    List<String> first = shuffledTurns(world(7));
    assertEquals(
        first,
        shuffledTurns(World.with(Choices.random(7)).applications(it -> it.backend(backend))));
  }

  @Test
  void random_onAnotherThread_isRefused() {
    var refused = new ArrayList<WrongThreadException>();
    world.host(
        "host",
        host -> {
          RandomGenerator _ = host.random();
          host.scheduler()
              .blocking(() -> {
                refused.add(assertThrows(WrongThreadException.class, host::random));
                refused.add(assertThrows(WrongThreadException.class, host::uuid));
                return refused.add(assertThrows(WrongThreadException.class, world::random));
              });
        });
    world.runFor(HOUR);
    assertEquals(3, refused.size());
  }

  @Test
  void uuids_areUnique_andFollowFromTheSeed() {
    List<UUID> first = uuids(1);
    assertEquals(2_000, Set.copyOf(first).size());
    assertEquals(first, uuids(1));
    assertNotEquals(first, uuids(2));
    for (UUID each : first) {
      assertEquals(4, each.version());
      assertEquals(2, each.variant());
    }
  }

  private List<UUID> uuids(long seed) {
    var made = new ArrayList<UUID>();
    try (World own = world(seed)) {
      own.hosts(
          "host",
          2,
          host -> {
            for (int i = 0; i < 1_000; i++) {
              made.add(host.uuid());
              host.scheduler().yield();
            }
          });
      own.runFor(HOUR);
    }
    return made;
  }

  @Test
  void promiseOfAnotherHost_wakesItsTask() {
    var promise = new AtomicReference<Promise<String>>();
    world.host(
        "waiting",
        host -> {
          promise.set(new Promise<>(host.scheduler(), "promise"));
          note(host, host.scheduler().await(promise.get()));
        });
    world.runFor(HOUR);
    assertTrue(promise.get().fulfill("from outside"));
    world.runFor(Duration.ZERO);
    assertEquals(List.of("PT1H waiting from outside"), trace);
  }

  @Test
  void spawn_betweenRuns_runsInTheNext() {
    WorldHost host = world.host("host", it -> {});
    world.runFor(HOUR);
    host.application().delay(HOUR, () -> note(host, "delayed"));
    world.runFor(HOUR);
    assertEquals(List.of("PT2H host delayed"), trace);
  }

  @Test
  void blockingCall_takesNoVirtualTime() {
    var worker = new AtomicReference<Thread>();
    world.host(
        "host",
        host -> {
          host.scheduler().blocking(() -> worker.set(Thread.currentThread()));
          note(host, "done");
        });
    world.host("other", host -> host.application().sleep(HOUR));
    world.runFor(Duration.ofHours(2));
    assertEquals(List.of("PT0S host done"), trace);
    assertNotEquals(Thread.currentThread(), worker.get());
  }

  @Test
  void sockets_areThoseOfTheHost() {
    WorldHost host = world.host("host", it -> {});
    assertEquals(Transport.PROVIDED, host.application().io().transport());
    assertSame(host.simulated().provider(), host.application().io().provider());
  }

  // Waiting for a condition.

  @Test
  void runUntil_condition_standsAtItsInstant() {
    world.host(
        "host",
        host -> {
          host.application().sleep(HOUR);
          note(host, "done");
          host.application().sleep(HOUR);
        });
    world.runUntil(() -> !trace.isEmpty(), Duration.ofDays(1));
    assertEquals(HOUR, world.elapsed());
  }

  @Test
  void runUntil_notInTime_failsWithWhatTheTasksDo() {
    world.host("host", host -> host.application().sleep(Duration.ofDays(1)));
    var error = assertThrows(SimulationFailedError.class, () -> world.runUntil(() -> false, HOUR));
    assertTrue(
        error.getMessage().startsWith("seed 42: the condition does not hold within 1 h, until 1 h"),
        error.getMessage());
    assertTrue(error.getMessage().contains("host 'host' (10.0.0.1)"), error.getMessage());
    assertTrue(error.getMessage().contains("main"), error.getMessage());
  }

  @Test
  void runUntil_nothingCanHappen_failsAtOnce() {
    WorldHost server = world.host("server", WorldTest::echo);
    var stalled =
        assertThrows(SimulationStalledException.class, () -> world.runUntil(() -> false, HOUR));
    assertTrue(
        stalled.getMessage().contains("seed 42: the condition does not hold at 0 s"),
        stalled.getMessage());
    assertTrue(stalled.getMessage().contains("accept"), stalled.getMessage());
    assertEquals(Duration.ZERO, world.elapsed());
    assertFalse(server.dump().isEmpty());
  }

  @Test
  void runFor_nothingCanHappen_letsTheRestPass() {
    world.host("server", WorldTest::echo);
    world.runFor(Duration.ofDays(1000));
    assertEquals(Duration.ofDays(1000), world.elapsed());
  }

  // Clocks.

  @Test
  void clock_drift_changesTimers() {
    for (long drift : new long[] {-500_000, 0, 500_000}) {
      WorldHost host =
          world.host(
              "drift" + drift,
              it -> {
                it.application().sleep(Duration.ofSeconds(3));
                note(it, it.clock().instant().toString());
              });
      host.clock().drift(drift);
    }
    world.runFor(HOUR);
    assertEquals(
        List.of(
            "PT2S drift500000 2026-01-01T00:00:03Z",
            "PT3S drift0 2026-01-01T00:00:03Z",
            "PT6S drift-500000 2026-01-01T00:00:03Z"),
        trace);
  }

  @Test
  void clock_driftWhileATaskSleeps_movesItsDeadline() {
    WorldHost host =
        world.host(
            "host",
            it -> {
              it.application().sleep(Duration.ofSeconds(4));
              note(it, it.clock().instant().toString());
            });
    world.runFor(Duration.ofSeconds(1));
    host.clock().drift(500_000);
    world.runFor(HOUR);
    assertEquals(List.of("PT3S host 2026-01-01T00:00:04Z"), trace);
  }

  @Test
  void clock_offset_changesTheWallClockAlone() {
    WorldHost host =
        world.host(
            "host",
            it -> {
              it.application().sleep(Duration.ofSeconds(4));
              note(it, it.clock().instant().toString());
            });
    host.clock().offset(Duration.ofHours(-1));
    world.runFor(HOUR);
    assertEquals(List.of("PT4S host 2025-12-31T23:00:04Z"), trace);
  }

  /// A program with a cron job runs unchanged on a host.
  @Test
  void wallClockOfAProgram_isThatOfItsHost() {
    WorldHost host =
        world.host(
            "host",
            it -> {
              WallClock wall = new WallClock(it.application().scheduler());
              note(it, wall.now().toString());
              Scheduler.current().await(wall.at(Instant.parse("2026-01-01T00:30:00Z")));
              note(it, wall.now().toString());
            });
    host.clock().offset(Duration.ofMinutes(10));
    world.runFor(HOUR);
    assertEquals(
        List.of("PT0S host 2026-01-01T00:10:00Z", "PT20M host 2026-01-01T00:30:00Z"), trace);
  }

  @Test
  void clock_tooMuchDrift_isRefused() {
    HostClock clock = world.host("host", it -> {}).clock();
    var refused = assertThrows(IllegalArgumentException.class, () -> clock.drift(500_001));
    assertEquals(
        "drift must be from -500000 to 500000 parts per million: partsPerMillion=500001",
        refused.getMessage());
  }

  // Failures.

  @Test
  void failure_notObserved_endsTheRun() {
    world.host(
        "bad",
        host -> {
          host.application().sleep(HOUR);
          throw new IllegalArgumentException("on purpose");
        });
    var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR.plus(HOUR)));
    assertTrue(error.getMessage().contains("at 1 h, host 'bad', task 'main'"), error.getMessage());
    assertTrue(error.getMessage().contains("seed 42"), error.getMessage());
    assertEquals("on purpose", error.getCause().getMessage());
    assertEquals(HOUR, world.elapsed());
    world.runFor(HOUR); // reported once
  }

  @Test
  void failure_notObserved_saysWhatTheTasksAreDoing() {
    world.host(
        "bad",
        host -> {
          host.application().sleep(HOUR);
          throw new IllegalArgumentException("on purpose");
        });
    world.host("other", host -> host.application().waitForSignal("never"));
    var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR.plus(HOUR)));
    int tasks = error.getMessage().indexOf("\nwhat the tasks are doing:\n");
    assertTrue(tasks > 0, error.getMessage());
    assertTrue(error.getMessage().indexOf("signal 'never'", tasks) > 0, error.getMessage());
  }

  @Test
  void failure_tolerated_doesNot() {
    WorldHost host =
        world.host(
            "bad",
            it -> {
              throw new IllegalArgumentException("on purpose");
            });
    host.tolerate(failure -> failure instanceof IllegalArgumentException);
    world.runFor(HOUR);
    assertEquals(1, host.toleratedFailures().size());
  }

  @Test
  void logs_haveTheNameOfTheHost() {
    world.hosts(
        "host",
        2,
        host -> {
          host.scheduler().yield();
          note(host, MDC.get(World.MDC_HOST));
          host.application().spawn(() -> note(host, MDC.get(World.MDC_HOST))).join();
        });
    world.runFor(HOUR);
    trace.sort(null);
    assertEquals(
        List.of(
            "PT0S host-1 host-1", "PT0S host-1 host-1", "PT0S host-2 host-2", "PT0S host-2 host-2"),
        trace);
    assertEquals(null, MDC.get(World.MDC_HOST));
  }

  // The end.

  @Test
  void close_cancelsTasks_whichMayTalkToEachOther() {
    WorldHost server = world.host("server", WorldTest::echo);
    world.host(
        "client",
        host -> {
          try {
            host.application().sleep(HOUR);
          } finally {
            host.scheduler()
                .shielded(() -> {
                  host.application().sleep(Duration.ofSeconds(1));
                  note(host, "cleaned up");
                });
          }
        });
    world.runFor(Duration.ofSeconds(1));
    world.close();
    assertEquals(List.of("PT2S client cleaned up"), trace);
    assertEquals(0, server.simulated().openDescriptors());
    world.close(); // does nothing
  }

  @Test
  void close_descriptorsLeft_fails() {
    var left = new ArrayList<SocketChannel>();
    world.host("host", host -> left.add(host.simulated().provider().openSocketChannel()));
    world.runFor(HOUR);
    var error = assertThrows(SimulationFailedError.class, world::close);
    assertTrue(
        error.getMessage().contains("host 'host', its end: ")
            && error.getMessage().contains("descriptors left open: 1"),
        error.getMessage());
  }

  @Test
  void close_taskThatDoesNotEnd_fails() {
    world.host(
        "host", host -> host.scheduler().shielded(() -> host.application().sleep(HOUR.plus(HOUR))));
    world.runFor(HOUR);
    var error = assertThrows(SimulationFailedError.class, world::close);
    assertTrue(error.getMessage().contains("host 'host', task 'main'"), error.getMessage());
  }

  // Bad input.

  @Test
  void host_nameOrAddressTaken_isRefused() {
    world.host("host", host -> {});
    var name = assertThrows(IllegalArgumentException.class, () -> world.host("host", host -> {}));
    assertEquals(
        "there is a host with this name already: name=host, address=10.0.0.1", name.getMessage());
    var address =
        assertThrows(
            IllegalArgumentException.class, () -> world.host("other", "10.0.0.1", host -> {}));
    assertTrue(address.getMessage().contains("has the address already"), address.getMessage());
    WorldHost next = world.host("third", host -> {});
    assertEquals("10.0.0.2", next.address().getHostAddress());
  }

  @Test
  void hosts_manyOfThem_haveAddressesOfTheirOwn() {
    world.host("taken", "10.0.0.2", host -> {});
    List<WorldHost> hosts = world.hosts("host", 300, host -> {});
    assertEquals("10.0.0.1", hosts.getFirst().address().getHostAddress());
    assertEquals("10.0.0.3", hosts.get(1).address().getHostAddress());
    assertEquals("10.0.1.1", hosts.get(253).address().getHostAddress());
    assertEquals(301, world.hosts().size());
  }

  @Test
  void runFor_inATurn_isRefused() {
    world.host("host", host -> world.runFor(HOUR));
    var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
    assertEquals(
        "runFor inside of a turn of host 'host': call it outside of tasks",
        error.getCause().getMessage());
  }

  @Test
  void runFor_wrongThread_isRefused() throws InterruptedException {
    var thrown = new AtomicReference<Throwable>();
    var done = new CountDownLatch(1);
    Thread.ofPlatform()
        .start(() -> {
          try {
            world.runFor(HOUR);
          } catch (Throwable e) {
            thrown.set(e);
          }
          done.countDown();
        });
    done.await();
    assertEquals(WrongThreadException.class, thrown.get().getClass());
  }

  @Test
  void calls_closedWorld_areRefused() {
    world.close();
    assertThrows(IllegalStateException.class, () -> world.host("host", host -> {}));
    var refused = assertThrows(IllegalStateException.class, () -> world.runFor(HOUR));
    assertEquals("the world is closed", refused.getMessage());
  }

  @Test
  void negativeDurations_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> world.runFor(Duration.ofNanos(-1)));
    assertThrows(
        IllegalArgumentException.class, () -> world.runUntil(() -> true, Duration.ofNanos(-1)));
    assertThrows(IllegalArgumentException.class, () -> world.hosts("host", -1, host -> {}));
  }

  @Test
  void blockingMode_inATask_isRefused() {
    world.host(
        "host",
        host -> {
          try (SocketChannel channel = host.simulated().provider().openSocketChannel()) {
            channel.connect(new InetSocketAddress("10.0.0.9", PORT));
          }
        });
    WorldHost server = world.host("server", "10.0.0.9", WorldTest::echo);
    server.tolerate(failure -> true);
    var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
    assertTrue(
        error.getCause().getMessage().startsWith("an operation in blocking mode would stop all"),
        error.getMessage());
  }

  @Test
  void realChannel_awaited_isRefused() {
    world.host(
        "host",
        host -> {
          try (SocketChannel real = SocketChannel.open()) {
            real.configureBlocking(false);
            host.scheduler().await(host.application().io().readable(real));
          }
        });
    var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
    assertTrue(
        error
            .getCause()
            .getMessage()
            .startsWith("the channel has another provider than this scheduler"),
        error.getMessage());
  }

  @Test
  void groupOfLoops_onAHost_isRefused() {
    var refused = new ArrayList<String>();
    world.host(
        "host",
        host -> {
          var group = Application.builder().loops("pair", 2);
          refused.add(
              assertThrows(IllegalStateException.class, () -> group.start(loop -> {}))
                  .getMessage());
          refused.add(
              assertThrows(IllegalStateException.class, () -> group.run(loop -> {})).getMessage());
        });
    world.runFor(HOUR);
    var message =
        "each loop of group 'pair' needs a thread, and all loops of a simulated host share one:"
            + " start computicles, or a host for each loop";
    assertEquals(List.of(message, message), refused);
  }

  @Test
  void start_ofAHostsScheduler_isRefused() {
    WorldHost host = world.host("host", it -> it.application().sleep(HOUR));
    world.runFor(Duration.ZERO);
    var refused = assertThrows(IllegalStateException.class, () -> host.scheduler().start());
    assertEquals(
        "the world runs the tasks of host 'host': call World.runFor(..) or runUntil(..)",
        refused.getMessage());
  }
}
