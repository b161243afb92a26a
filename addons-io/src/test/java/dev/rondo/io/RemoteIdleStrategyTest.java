package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import dev.rondo.io.internal.channel.Selectors;
import dev.rondo.io.internal.lent.RemoteIdleStrategy;
import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.Answers;

/// Waiting for channels on another thread, while other code uses the scheduler's thread.
class RemoteIdleStrategyTest {

  private volatile @Nullable Thread otherThread;
  private final ExecutorService other = Executors.newSingleThreadExecutor(this::newThread);
  private final List<Throwable> failures = new ArrayList<>();
  private final Scheduler scheduler =
      Scheduler.builder().failureHandler((where, failure) -> failures.add(failure)).build();

  private Thread newThread(Runnable work) {
    var made = new Thread(work, "other");
    otherThread = made;
    return made;
  }

  @AfterEach
  void end() {
    scheduler.close();
    other.shutdownNow();
  }

  /// The method in which a thread selects, on one transport or the other.
  private static final Set<String> SELECTS = Set.of("doSelect", "epollWait");

  /// Makes the other thread wait, and meanwhile runs other code, one action per wait.
  private final class Lending implements IdleStrategy {

    private final RemoteIdleStrategy remote;
    private final Queue<Runnable> meanwhile = new ArrayDeque<>();
    private int waits;

    Lending() {
      var _ = WaitForIO.on(scheduler); // its wait is lent
      this.remote = new RemoteIdleStrategy(scheduler);
    }

    @Override
    public boolean lendsThread() {
      return true;
    }

    @Override
    public void idle() {
      wait(remote::idle);
    }

    @Override
    public void idleUntil(long deadlineNanos) {
      wait(() -> remote.idleUntil(deadlineNanos));
    }

    private void wait(Runnable work) {
      if (!remote.lend()) {
        return;
      }
      waits++;
      var waiting = new CountDownLatch(1);
      Future<?> end =
          other.submit(() -> {
            waiting.countDown();
            work.run();
          });
      try {
        waiting.await();
        Runnable next = meanwhile.poll();
        if (next != null) {
          next.run();
        }
        end.get();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      remote.takeBack();
    }

    @Override
    public void wakeup() {
      remote.wakeup();
    }

    /// Waits until the other thread is in the selector, where the JDK's selector holds its locks.
    void awaitSelect() {
      Thread thread = otherThread;
      while (thread == null
          || Arrays.stream(thread.getStackTrace())
              .noneMatch(frame -> SELECTS.contains(frame.getMethodName()))) {
        Thread.onSpinWait();
        thread = otherThread;
      }
    }
  }

  private Lending lend() {
    var lending = new Lending();
    scheduler.host().idleStrategy(lending);
    return lending;
  }

  private TcpListener listen() throws IOException {
    return WaitForIO.on(scheduler)
        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private void run(dev.rondo.scheduler.TaskAction<?> code) {
    Task<Void> main = scheduler.spawn("main", code);
    scheduler.start();
    main.join();
    assertEquals(List.of(), failures);
  }

  @Test
  void read_bytesComeWhileTheOtherThreadWaits_deliversThem() throws IOException {
    Lending lending = lend();
    try (SocketChannel peer = SocketChannel.open()) {
      run(() -> {
        try (var listener = listen()) {
          peer.connect(listener.localAddress());
          try (var socket = listener.accept()) {
            for (int i = 0; i < 100; i++) {
              byte sent = (byte) i;
              lending.meanwhile.add(() -> write(peer, sent));
              assertEquals(i, socket.input().read());
            }
          }
        }
      });
    }
    assertEquals(100, lending.waits);
  }

  private static void write(SocketChannel channel, byte sent) {
    try {
      assertEquals(1, channel.write(ByteBuffer.wrap(new byte[] {sent})));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void wakeup_beforeTheWait_endsIt() {
    var _ = WaitForIO.on(scheduler);
    var remote = new RemoteIdleStrategy(scheduler);
    assertTrue(remote.lend());
    remote.wakeup();
    remote.idle();
    remote.takeBack();
  }

  @Test
  void idle_othersScheduleATask_ends() {
    Lending lending = lend();
    StepTask<Void> idling = scheduler.host().spawnSteps("wait", new IdleOnce()::step);
    lending.meanwhile.add(() -> scheduler.execute(idling::wake));
    scheduler.start();
    assertEquals(1, lending.waits);
  }

  private static final class IdleOnce {
    private boolean idled;

    StepResult step(StepTask<Void> self) {
      if (idled) {
        return StepResult.DONE;
      }
      idled = true;
      return self.idle();
    }
  }

  @Test
  void idleUntil_nothingHappens_neverEarly() {
    Lending lending = lend();
    for (long micros : new long[] {1, 100, 999, 1_000, 1_001, 2_500}) {
      long deadline = scheduler.host().nowNanos() + micros * 1_000;
      lending.idleUntil(deadline);
      assertTrue(scheduler.host().nowNanos() - deadline >= 0, micros + " us");
    }
  }

  /// No task waits on the channel that is closed, so only the close itself can end the wait of the
  /// other thread.
  @Test
  void close_whileTheOtherThreadSelects_doesNotBlockAndFreesTheDescriptor() {
    Lending lending = lend();
    KeepAlive calls = scheduler.keepAlive();
    run(() -> {
      TcpListener listener = listen();
      Task<?> main = scheduler.currentTask();
      lending.meanwhile.add(() -> {
        lending.awaitSelect();
        try {
          listener.close();
        } catch (IOException e) {
          throw new AssertionError(e);
        }
        assertTrue(scheduler.scheduleTask(main));
      });
      var _ = scheduler.suspend();
      assertThrows(
          ConnectException.class, () -> WaitForIO.on(scheduler).connect(listener.localAddress()));
    });
    calls.close();
    assertTrue(lending.waits > 0, "no wait");
  }

  /// A selector that finds nothing, and cannot block.
  private static Selector brokenSelector() {
    return Selectors.whoseSelects(call -> {
      if (call.getMethod().getName().equals("select")) {
        throw new IOException("out of order");
      }
      return 0;
    });
  }

  @Test
  void selector_throwsOnTheOtherThread_waitersAreToldOnTheSchedulers() {
    var io = new WaitForIO(scheduler, brokenSelector(), Selector::open);
    Lending lending = lend();
    Task<Void> main =
        scheduler.spawn(() -> {
          try (var listener =
              io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            var e = assertThrows(IOException.class, listener::accept);
            assertTrue(e.getMessage().contains("out of order"), e::getMessage);
          }
        });
    scheduler.start();
    main.join();
    assertEquals(1, lending.waits);
  }

  @Test
  void selector_returnsWithoutAReasonAgainAndAgain_isReplaced() throws IOException {
    AbstractSelector spinning =
        mock(
            AbstractSelector.class,
            call ->
                switch (call.getMethod().getName()) {
                  case "isOpen" -> true;
                  case "keys" -> new HashSet<SelectionKey>();
                  default -> Answers.RETURNS_DEFAULTS.answer(call);
                });
    var io = new WaitForIO(scheduler, spinning, Selector::open);
    var _ = WaitForIO.on(scheduler);
    var remote = new RemoteIdleStrategy(scheduler);
    for (int waits = 0; waits < 10_000; waits++) {
      assertTrue(remote.lend());
      if (Selectors.replacements(io.reactor()) > 0) {
        break;
      }
      remote.idleUntil(scheduler.host().nowNanos() + 1_000_000_000_000L);
      remote.takeBack();
    }
    assertEquals(1, Selectors.replacements(io.reactor()));
    assertEquals(1, failures.size(), failures::toString);
  }

  @Test
  void selector_replacementTakesNoChannel_isClosedAndWaitersAreTold() throws IOException {
    AbstractSelector useless =
        mock(
            AbstractSelector.class,
            call -> {
              if (call.getMethod().getName().equals("register")) {
                throw new IllegalStateException("no room");
              }
              return Answers.RETURNS_DEFAULTS.answer(call);
            });
    var io = new WaitForIO(scheduler, Selectors.whoseSelects(call -> 0), () -> useless);
    io.messageQuanta(Duration.ofDays(1));
    Task<String> acceptor =
        scheduler.spawn(() -> {
          try (var listener =
              io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            return assertThrows(IOException.class, listener::accept).getMessage();
          }
        });
    scheduler.start();
    assertTrue(acceptor.join().contains("no room"), acceptor.join());
    verify(useless).close();
  }
}
