package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.Multicasts;
import com.acme.threads.Scopes;
import com.acme.threads.Sockets;
import com.acme.threads.Started;
import com.acme.threads.Threads;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.testing.Nightly;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What simulated threads are, have, and must not do.
final class ThreadsTest {

  private static final Duration HOUR = Duration.ofHours(1);

  /// Runs code on a host.
  private static <T> T result(long seed, Callable<T> code) {
    var results = new ArrayList<T>();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      world.host("host", host -> results.add(code.call()));
      world.runUntil(() -> !results.isEmpty(), HOUR);
    }
    return results.getFirst();
  }

  /// Runs code that the world does not survive.
  private static String failure(TaskAction<Exception> code) {
    World world = BlockingJava.in(World.withSeed(7));
    world.host("host", host -> code.run());
    return assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR)).toString();
  }

  @Test
  void clocks_ofAProgram_areThoseOfTheHost() {
    List<String> read = result(7, Threads::clocks);
    read.forEach(each -> assertEquals("2026-01-01T00:00:00Z", each));
  }

  @Test
  void clocks_ofOtherThreads_areReal() {
    long before = System.currentTimeMillis();
    Instant read = Instant.parse(Threads.clocks().getFirst());
    long after = System.currentTimeMillis();
    assertTrue(before <= read.toEpochMilli() && read.toEpochMilli() <= after, read.toString());
  }

  @Test
  void chance_ofAProgram_followsFromTheSeed() {
    List<String> first = result(7, Threads::chance);
    assertEquals(first, result(7, Threads::chance));
    List<String> other = result(8, Threads::chance);
    for (int i = 0; i < 9; i++) { // the others are orders, the same with all seeds
      assertNotEquals(first.get(i), other.get(i));
    }
  }

  /// The turns are the same.
  @Test
  void digest_otherRandomNumbers_isAnother() {
    var digests = new HashSet<Long>(List.of(digest(() -> {})));
    for (Runnable each : Threads.draws()) {
      assertEquals(digest(each), digest(each));
      digests.add(digest(each));
    }
    assertEquals(1 + Threads.draws().size(), digests.size());
  }

  private static long digest(Runnable program) {
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host("host", host -> program.run());
      world.runFor(HOUR);
      return world.digest();
    }
  }

  /// As on a real thread, where Netty looks for the initialiser of a class.
  @Test
  void stackTrace_ofAThread_isWhereItIs() throws InterruptedException {
    List<String> real = Threads.stacks();
    assertEquals("waits", real.get(1));
    assertEquals(real, result(7, Threads::stacks));
  }

  /// Of two runs, one after other code of the JVM has drawn and counted.
  @Test
  void numbers_ofAProgram_areNotThoseOfOtherThreads() {
    List<String> first = numbers(() -> {});
    assertEquals(List.of("pool-1-thread-1", "Timer-0"), first.subList(0, 2));
    assertEquals(
        first,
        numbers(() -> {
          Executors.newCachedThreadPool().close();
          new Timer().cancel();
          int _ = new Random().nextInt() + new SplittableRandom().nextInt();
        }));
  }

  /// @param before is done by the test when the world is there
  private static List<String> numbers(Runnable before) {
    var results = new ArrayList<List<String>>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host("host", host -> results.add(Threads.numbers()));
      before.run();
      world.runUntil(() -> !results.isEmpty(), HOUR);
    }
    return results.getFirst();
  }

  @Test
  void threads_thatWaitForAMonitor_goOnInAnOrderOfTheSeed() {
    for (int i = 0; i < 20; i++) {
      assertEquals(result(i, Threads::order), result(i, Threads::order));
    }
  }

  /// A thread that gives way may have the next turn again.
  @Test
  void yield_makesTheThreadACandidateAtOnce() {
    Set<String> orders = orders(Threads::yields);
    assertTrue(orders.stream().anyMatch(each -> each.contains("aaa")), orders.toString());
    assertTrue(orders.stream().anyMatch(each -> each.contains("bbb")), orders.toString());
  }

  /// A thread that is woken may have the next turn, before those that were ready earlier.
  @Test
  void unpark_makesTheThreadACandidateAtOnce() {
    assertEquals(
        Set.of("abw", "awb", "baw", "bwa", "wab", "wba"), Set.copyOf(orders(Threads::woken)));
  }

  private static Set<String> orders(Callable<String> code) {
    var orders = new TreeSet<String>();
    for (int seed = 0; seed < 100; seed++) {
      orders.add(result(seed, code));
    }
    return orders;
  }

  @Test
  void interrupt_ofASleep_endsIt() {
    assertTrue(result(7, Threads::interrupted));
  }

  @Test
  void currentThread_inAPool_isTheOneThatTheFactoryMade() {
    assertTrue(result(7, Threads::knowsItsThread));
  }

  @Test
  void failure_thatNoHandlerTakes_failsTheRun() {
    String said = failure(Threads::failing);
    assertTrue(said.contains("task 'Thread-0': java.lang.IllegalStateException: broken"), said);
  }

  @Test
  void statics_ofAProgram_beginAnewWithEachStart() {
    var starts = new ArrayList<Integer>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      var host = world.host("host", BlockingJava.program(Started.class, (IntConsumer) starts::add));
      world.runFor(HOUR);
      host.crash();
      host.restart();
      world.runFor(HOUR);
    }
    assertEquals(List.of(1, 1), starts);
  }

  @Test
  void subprocess_isRefused_withWhatToUse() {
    String said = failure(Threads::subprocess);
    assertTrue(
        said.contains(
            "a subprocess (give it a host: world.host(\"child\","
                + " BlockingJava.main(\"com.acme.Child\", \"7\"))) is not part"),
        said);
  }

  @Test
  void scope_waitsForItsSubtasks_whichInheritItsValues() {
    assertEquals(
        List.of("acme one", "none", "at 3"), result(7, () -> Scopes.run(Duration.ofMinutes(1))));
  }

  @Test
  void scope_whoseTimeIsOver_interruptsItsSubtasks() {
    List<String> told = result(7, () -> Scopes.run(Duration.ofSeconds(1)));
    assertEquals(
        List.of("TimeoutException", "acme  is interrupted", "acme one is interrupted", "at 1"),
        told.stream().sorted().toList());
  }

  @Test
  void datagramSocket_isOfTheHost_andItsTimeoutIsVirtual() {
    assertEquals("7 5000", result(7, Threads::datagrams));
  }

  /// That thread does not let go of the socket before a byte comes.
  @Test
  void available_whileAnotherThreadReads_isZeroAtOnce() {
    assertEquals("0 0", result(7, Sockets::available));
  }

  /// As with the JDK's own sockets, on Linux.
  @Test
  void available_afterAReset_isZero_andTheNextReadFails() {
    assertEquals("0 Connection reset", result(7, Sockets::availableAfterReset));
  }

  /// As with the JDK's own sockets, on Linux.
  @Test
  void close_withUnreadBytes_endsTheOutputAndResets() {
    assertEquals("-1 Broken pipe", result(7, () -> Sockets.closedUnread(false)));
    assertEquals("-1 Broken pipe", result(7, () -> Sockets.closedUnread(true)));
  }

  /// A park may end for no reason, but it must end for that one.
  @Test
  void waitForTheNetwork_leavesThePermitToGoOn() {
    assertEquals(List.of(0L, 0L, 1L, 0L, 0L, 1L), result(7, Sockets::permits));
  }

  @Test
  void thread_madeByAVirtualThread_isADaemon() {
    assertEquals(List.of(true, false), result(7, Threads::daemons));
  }

  @Test
  void failure_ofMain_isTheHandlers() {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      WorldHost _ = world.host("host", _ -> Threads.failsHandled(told));
      world.runFor(HOUR);
    }
    assertEquals(List.of("main: main is broken"), told);
  }

  /// As with the JDK's own sockets.
  @Test
  void interrupt_ofAWaitForTheNetwork_endsItOnAVirtualThread_andThatOfAChannelOnBoth() {
    assertEquals(
        List.of(
            "accept: SocketException: Closed by interrupt after 1, interrupted",
            "read: SocketException: Closed by interrupt after 1, interrupted",
            "write: SocketException: Closed by interrupt after 1, interrupted",
            "channel read: ClosedByInterruptException: null after 1, interrupted"),
        interrupted(Thread::ofVirtual));
    assertEquals(
        List.of(
            "accept: SocketException: Socket closed after 51, interrupted",
            "read: SocketException: Socket closed after 51, interrupted",
            "write: SocketException: Socket closed after 51, interrupted",
            "channel read: ClosedByInterruptException: null after 1, interrupted"),
        interrupted(Thread::ofPlatform));
  }

  /// No host has that address.
  @Test
  void connect_onAnInterruptedThread_endsAtOnceOnAVirtualThread() {
    assertEquals(
        "SocketException: Closed by interrupt",
        result(7, () -> Sockets.connected(Thread.ofVirtual(), "10.0.0.9")));
    assertEquals(
        "NoRouteToHostException: No route to host",
        result(7, () -> Sockets.connected(Thread.ofPlatform(), "10.0.0.9")));
  }

  private static List<String> interrupted(Supplier<Thread.Builder> threads) {
    var ends = new ArrayList<String>();
    Sockets.waits()
        .forEach((name, wait) ->
            ends.add(name + ": " + result(7, () -> Sockets.interrupted(threads.get(), wait))));
    return ends;
  }

  @Test
  void multicastSocket_receivesWhatIsSentToItsGroups() {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      for (String name : List.of("one", "two")) {
        world.host(name, _ -> told.add(name + " " + Multicasts.received()));
      }
      world.host("sender", _ -> Multicasts.send());
      world.runFor(HOUR);
    }
    assertEquals(
        List.of("one [first, second] waits 5000", "two [first, second] waits 5000"),
        told.stream().sorted().toList());
  }

  /// That the test has opened: there is a byte to read.
  @Test
  void socket_ofTheComputer_isRefused_withItsStack() throws IOException {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket peer = server.accept();
        SocketChannel channel = SocketChannel.open(server.getLocalSocketAddress());
        Selector selector = Selector.open()) {
      peer.getOutputStream().write(1);
      for (TaskAction<Exception> each :
          List.<TaskAction<Exception>>of(
              () -> client.getInputStream().read(),
              () -> client.getOutputStream().write(1),
              () -> server.accept().close(),
              () -> channel.write(ByteBuffer.allocate(1)),
              () -> channel.read(ByteBuffer.allocate(1)),
              selector::selectNow)) {
        World world = BlockingJava.in(World.withSeed(7));
        world.host("host", host -> each.run());
        var failure = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
        assertTrue(
            failure.toString().contains("a socket or selector of the computer is not part of"),
            failure::toString);
        String stack = Arrays.toString(failure.getCause().getStackTrace());
        assertTrue(stack.contains("ThreadsTest.lambda$socket_ofTheComputer"), stack);
      }
    }
  }

  @Test
  void device_thatMayBlock_isNotThere() {
    String said = failure(() -> Threads.device("/dev/tty"));
    assertTrue(said.contains("/dev/tty (No such file or directory)"), said);
  }

  @Test
  void device_thatNeverBlocks_isOpened() {
    assertTrue(
        result(
            7,
            () -> {
              Threads.device("/dev/null");
              return true;
            }));
  }

  @Test
  void threadOfASubclass_isTheRunningThread() {
    assertTrue(result(7, Threads::ofSubclass));
  }

  @Test
  void spin_onAClock_ends_becauseTimeMoves() {
    assertTrue(result(7, Threads::spinning));
  }

  @Test
  void spin_thatGivesWay_failsTheRun() {
    String said = failure(Threads::yielding);
    assertTrue(said.contains("1,000,000 turns while time stood still"), said);
  }

  @Test
  @Nightly("two thousand million times through a loop")
  void spin_withoutAnyCall_failsTheRun_withItsStack_evenIfTheProgramGoesOn() {
    World world = BlockingJava.in(World.withSeed(7));
    world.host(
        "host",
        host -> {
          try {
            Threads.looping();
          } catch (IllegalStateException e) {
            return;
          }
        });
    var failure = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
    assertTrue(
        failure.toString().contains("through a loop 2,000 million times"), failure::toString);
    StackTraceElement[] stack = failure.getCause().getStackTrace();
    assertTrue(Arrays.toString(stack).contains("Threads.looping"), Arrays.toString(stack));
  }

  @Test
  void waitForANotification_inAClassInitialiser_failsTheRun() {
    String said = failure(Threads::notified);
    assertTrue(said.contains("a class initialiser is on its stack"), said);
  }

  @Test
  void wait_inAClassInitialiser_failsTheRun() {
    String said = failure(Threads::initialising);
    assertTrue(said.contains("a class initialiser is on its stack"), said);
  }

  @Test
  void wait_forARealThread_failsTheRun() throws InterruptedException {
    var asked = new LinkedBlockingQueue<Integer>();
    var answers = new LinkedBlockingQueue<Integer>();
    var real =
        new Thread(
            () -> {
              try {
                answers.add(asked.take());
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            "real");
    real.start();
    World world = BlockingJava.in(World.withSeed(7));
    world.host("host", host -> answers.take());
    var failure =
        assertThrows(
            SimulationFailedError.class,
            () -> {
              world.runFor(HOUR);
              asked.add(1);
              real.join();
              world.runFor(HOUR);
            });
    assertTrue(failure.toString().contains("has waited for thread 'real'"), failure.toString());
  }

  @Test
  void dump_hasTheStackOfAThread() {
    var dumps = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      WorldHost host = world.host("host", it -> Threads.interrupted());
      world.runFor(Duration.ofMillis(5));
      dumps.add(host.dump());
    }
    assertTrue(dumps.getFirst().contains("'Thread-0'"), dumps.getFirst());
    assertTrue(
        dumps.getFirst().contains("com.acme.threads.Threads.lambda$interrupted"), dumps.getFirst());
  }
}
