package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.testing.BackendTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The end of a group at unusual moments.
final class LoopGroupEndTest extends BackendTest {

  private LoopGroup group() {
    return Application.builder().backend(backend).bare().loops("ending", 2);
  }

  @Test
  @SuppressWarnings("try") // closes it explicitly
  void close_byATaskOfALoop_isRefusedAndTheGroupGoesOn() {
    try (LoopGroup group = group()) {
      group.start(loop -> loop.app().await(loop.app().shutdownRequested()));
      var closing =
          group.spawnOn(
              1,
              "closer",
              loop -> {
                group.close();
                return "";
              });
      var failure = assertThrows(CompletionException.class, closing::join);
      assertEquals(IllegalStateException.class, failure.getCause().getClass());
      assertEquals("alive", group.spawnOn(0, "other", loop -> "alive").join());
    }
  }

  @Test
  void shutdown_beforeTheStart_noMainRuns() {
    var runs = new AtomicInteger();
    try (LoopGroup group = group()) {
      group.shutdown(Duration.ZERO, Duration.ZERO).join();
      try {
        group.run(loop -> runs.incrementAndGet());
      } catch (IllegalStateException e) {
        // either way no main has run
      }
      assertEquals(0, runs.get());
    }
  }

  @Test
  void shutdown_negativeTime_isRefusedAndTheMainsRun() {
    var runs = new AtomicInteger();
    var negative = Duration.ofNanos(-1);
    try (LoopGroup group = group()) {
      for (Executable call :
          List.<Executable>of(
              () -> group.shutdown(negative, Duration.ZERO),
              () -> group.shutdown(Duration.ZERO, negative))) {
        assertThrows(IllegalArgumentException.class, call);
      }
      group.run(loop -> runs.incrementAndGet());
    }
    assertEquals(2, runs.get());
  }

  /// Otherwise the loops would wait for connections that no thread accepts.
  @Test
  void accept_failsForGood_endsTheGroup() throws Exception {
    var server = mock(ServerSocketChannel.class);
    when(server.bind(any(), anyInt())).thenReturn(server);
    when(server.getLocalAddress())
        .thenReturn(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    var provider = mock(SelectorProvider.class, delegatesTo(SelectorProvider.provider()));
    doReturn(server).when(provider).openServerSocketChannel();
    LoopGroup group =
        Application.builder()
            .backend(backend)
            .bare()
            .addOn(scheduler -> WaitForIO.on(scheduler, provider))
            .loops("deaf", 2)
            .accept(AcceptSharing.DEALT);
    var failure =
        assertThrows(
            IllegalStateException.class,
            () ->
                group.run(loop ->
                    loop.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .accept()));
    String message = failure.getMessage();
    assertTrue(message.startsWith("accept on "), message);
    assertTrue(message.contains(":1 failed, so the loops of group 'deaf' would wait"), message);
    assertNotNull(failure.getCause());
  }

  @Test
  @SuppressWarnings("try") // closes it explicitly
  void close_beforeTheStart_anyNumberOfTimes_noMainRuns() {
    var begun = new ConcurrentLinkedQueue<String>();
    LoopGroup group = group();
    group.close();
    group.close();
    assertThrows(IllegalStateException.class, () -> group.start(loop -> begun.add(loop.name())));
    group.close();
    assertEquals(List.of(), List.copyOf(begun));
  }

  /// A group, when the system refuses one of its threads.
  private LoopGroup groupWithout(String refused, int loops) {
    ApplicationBuilder builder = Application.builder().backend(backend).bare();
    return new LoopGroup(
        builder,
        "few",
        loops,
        (name, body) ->
            name.equals(refused)
                ? new Thread(body, name) {
                  @Override
                  public synchronized void start() {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                }
                : builder.threads().name(name).unstarted(body));
  }

  @ParameterizedTest
  @ValueSource(strings = {"few-0", "few-1", "few-2"})
  void start_noThreadForALoop_failsAndLeavesNothingBehind(String refused) {
    var begun = new ConcurrentLinkedQueue<String>();
    try (LoopGroup group = groupWithout(refused, 3)) {
      var failure =
          assertThrows(
              IllegalStateException.class, () -> group.start(loop -> begun.add(loop.name())));
      assertEquals(
          "the thread of loop '"
              + refused
              + "' could not be started, so no loop of group 'few' has begun",
          failure.getMessage());
      assertInstanceOf(OutOfMemoryError.class, failure.getCause());
      assertEquals(List.of(), List.copyOf(begun));
      assertThrows(
          RejectedExecutionException.class, () -> group.spawnOn(0, "late", loop -> "never"));
      assertEquals("few-0: not running\nfew-1: not running\nfew-2: not running\n", group.dump());
      assertThrows(IllegalStateException.class, () -> group.run(loop -> begun.add("again")));
    }
  }

  /// Each loop wants to listen, and the first has found that the acceptor has no thread.
  @Test
  void listen_noThreadForTheAcceptor_failsInEachLoop() {
    var failures = new ConcurrentLinkedQueue<IOException>();
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    groupWithout("few-acceptor", 2)
        .accept(AcceptSharing.DEALT)
        .run(loop -> failures.add(assertThrows(IOException.class, () -> loop.listen(address))));
    assertEquals(2, failures.size());
    for (IOException each : failures) {
      assertEquals("the loop that accepts connections cannot begin", each.getMessage());
      assertInstanceOf(OutOfMemoryError.class, each.getCause());
    }
  }
}
