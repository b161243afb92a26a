package dev.rondo.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/// Applications in an event loop whose clock and poller the test controls: everything happens on
/// the test's thread, in a known order.
abstract class UiRig {

  /// A clock that stands still until it is advanced.
  static final class Clock extends Ticker {
    private final AtomicLong nowNanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);

    @Override
    public long read() {
      return nowNanos.get();
    }

    void advance(Duration duration) {
      nowNanos.addAndGet(duration.toNanos());
    }
  }

  /// A poller without a thread.
  final class FakePoller implements BackgroundPoller {
    private final Scheduler scheduler;
    private final GuestRun run;
    @Nullable Long deadlineNanos;
    private boolean watching;
    private boolean woken;
    private boolean abandoned;
    private boolean closed;
    private int watches;

    FakePoller(Scheduler scheduler, GuestRun run) {
      this.scheduler = scheduler;
      this.run = run;
    }

    @Override
    public boolean start(@Nullable Long deadline) {
      assertFalse(watching, "it watches already");
      if (scheduler.tasksPending() > 0) {
        return false;
      }
      deadlineNanos = deadline;
      watching = true;
      watches++;
      if (woken) {
        wakeup();
      }
      return true;
    }

    @Override
    public void finish() {
      assertFalse(watching, "the poller is still watching");
    }

    @Override
    public synchronized void wakeup() {
      woken = !watching;
      if (watching) {
        watching = false;
        run.onPolled();
      }
    }

    @Override
    public void close() {
      assertFalse(watching);
      closed = true;
    }

    @Override
    public void abandon() {
      abandoned = true;
    }

    boolean isWatching() {
      return watching;
    }

    boolean isAbandoned() {
      return abandoned;
    }

    boolean isClosed() {
      return closed;
    }

    int watches() {
      return watches;
    }

    /// Advances the clock to the deadline and ends the wait.
    void elapse() {
      assertTrue(watching && deadlineNanos != null, "it waits for no deadline");
      clock.nowNanos.set(deadlineNanos);
      wakeup();
    }
  }

  final Clock clock = new Clock();
  final FakeEventLoop loop = new FakeEventLoop();
  final List<String> trace = new ArrayList<>();
  final List<Throwable> reported = new ArrayList<>();
  private @Nullable FakePoller poller;

  FakePoller poller() {
    if (poller == null) {
      throw new AssertionError("no application has been built");
    }
    return poller;
  }

  ApplicationBuilder builder() {
    return Application.builder()
        .backend(CoroutineBackends.continuation())
        .scheduler(scheduler -> scheduler.ticker(clock))
        .bare()
        .failureHandler((where, failure) -> reported.add(failure));
  }

  UiHost host() {
    return new UiHost(loop, (scheduler, run) -> poller = new FakePoller(scheduler, run));
  }

  CompletableFuture<Integer> start(Application.Main main) {
    return host().application(builder()).start(main);
  }

  /// Advances the clock from deadline to deadline until the application ends.
  int runToEnd(CompletableFuture<Integer> end) {
    loop.run();
    while (!end.isDone()) {
      poller().elapse();
      loop.run();
    }
    return end.join();
  }

  void assertTrace(String events) {
    assertEquals(events, String.join(" ", trace));
    trace.clear();
  }

  @AfterEach
  void nothingIsLeft() {
    assertEquals(List.of(), reported, "unexpected failures");
    assertEquals(List.of(), trace, "traces that the test did not look at");
    assertEquals(0, loop.holds(), "the event loop is held still");
    assertEquals(0, loop.posted(), "events left");
    assertTrue(poller == null || poller.isClosed(), "the poller is not closed");
  }

  static Throwable failureOf(CompletableFuture<Integer> end) {
    assertTrue(end.isDone(), "it has not ended");
    return assertThrows(CompletionException.class, end::join).getCause();
  }
}
