package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.StepControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class VirtualClockTest extends OnEveryBackend {

  @Test
  void advanceBy_deadlinesOnTheWay_eachSeesItsInstant() {
    for (int millis : new int[] {10, 20, 30}) {
      scheduler()
          .spawn(() -> {
            sleep(millis);
            log("awake");
            sleep(1);
            log("again");
          });
    }
    clock.autojump(VirtualClock.Autojump.NEVER).advanceBy(ms(20));
    assertEquals(List.of("awake@10", "again@11", "awake@20"), log);
    assertEquals(ms(20), clock.elapsed());
    clock.advanceBy(ms(11));
    assertEquals(6, log.size());
  }

  @Test
  void advanceBy_negative_refusedAndNothingMoved() {
    scheduler();
    assertThrows(IllegalArgumentException.class, () -> clock.advanceBy(ms(-1)));
    assertThrows(IllegalArgumentException.class, () -> clock.skip(ms(-1)));
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void advanceBy_inATask_saysSo() {
    run(() -> assertThrows(IllegalStateException.class, () -> clock.advanceBy(ms(1))));
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void advanceBy_withoutAScheduler_saysSo() {
    var e = assertThrows(IllegalStateException.class, () -> new VirtualClock().advanceBy(ms(1)));
    assertTrue(e.getMessage().contains("clock.scheduler()"));
  }

  @Test
  void standingStill_forLong_saysWhyAndGoesOnWhenTheWorkIsDone() {
    var impatient = new VirtualClock(0, ms(1));
    try (Scheduler still = impatient.scheduler(Scheduler.builder())) {
      still.spawn(() -> WaitForTime.on(still).sleep(ms(5)));
      runUntilTheLogHas(still, "call autojump(ALWAYS)");
      assertEquals(ms(5), impatient.elapsed());
    }
  }

  @Test
  void standingStill_withoutATimer_saysSo() {
    var impatient = new VirtualClock(0, ms(1)).autojump(VirtualClock.Autojump.ALWAYS);
    try (Scheduler still = impatient.scheduler(Scheduler.builder())) {
      runUntilTheLogHas(still, "because tasks wait for work outside the scheduler");
      assertEquals(Duration.ZERO, impatient.elapsed());
    }
  }

  /// Runs a scheduler in which a task waits for another thread.
  private static void runUntilTheLogHas(Scheduler still, String text) {
    var saidSo = new CountDownLatch(1);
    var appender =
        new AppenderBase<ILoggingEvent>() {
          @Override
          protected void append(ILoggingEvent event) {
            if (event.getFormattedMessage().contains(text)) {
              saidSo.countDown();
            }
          }
        };
    var logger = (Logger) LoggerFactory.getLogger(VirtualClock.class);
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
    try {
      Task<Void> blocked =
          still.spawn(() ->
              still.blocking(() -> {
                saidSo.await();
                return null;
              }));
      still.start();
      assertTrue(blocked.isDone());
    } finally {
      logger.detachAppender(appender);
      logger.setAdditive(true);
    }
  }

  @Test
  void scheduler_twice_saysSo() {
    scheduler();
    assertThrows(IllegalStateException.class, () -> clock.scheduler(Scheduler.builder()));
  }

  @Test
  void read_startGiven_beginsThere() {
    var own = new VirtualClock(42);
    assertEquals(42, own.read());
    own.skip(Duration.ofNanos(8));
    assertEquals(50, own.read());
    assertEquals("virtual clock at 8 ns", own.toString());
  }

  @Test
  void idle_nothingToJumpTo_blocksUntilAnotherThreadCallsIn() throws InterruptedException {
    Scheduler scheduler = scheduler();
    Thread loop = Thread.currentThread();
    KeepAlive outside = scheduler.keepAlive();
    Task<Object> waiter = scheduler.spawn("waiter", () -> scheduler.suspend());
    Thread caller =
        Thread.ofPlatform()
            .start(() -> {
              while (loop.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
              scheduler.execute(() -> scheduler.scheduleTask(waiter, "called"));
            });
    scheduler.start();
    caller.join();
    outside.close();
    assertEquals("called", waiter.join());
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void idleUntil_wakeupBefore_doesNotJump() {
    scheduler();
    clock.wakeup();
    clock.wakeup();
    clock.idleUntil(clock.read() + 5);
    assertEquals(Duration.ZERO, clock.elapsed());
    clock.idleUntil(clock.read() + 5);
    assertEquals(Duration.ofNanos(5), clock.elapsed());
    clock.idleUntil(clock.read() - 5);
    assertEquals(Duration.ofNanos(5), clock.elapsed());
  }

  @Test
  void idle_interrupted_returnsAndKeepsTheInterrupt() {
    scheduler();
    Thread.currentThread().interrupt();
    clock.idle();
    assertTrue(Thread.interrupted());
  }

  @Test
  void autojumpOff_schedulerStarted_waitsForAnotherThreadToSkip() throws InterruptedException {
    scheduler();
    clock.autojump(VirtualClock.Autojump.NEVER);
    Thread other =
        Thread.ofPlatform()
            .unstarted(() -> {
              clock.skip(ms(4));
              clock.skip(ms(6));
            });
    run(() -> {
      Deadline deadline = time().now().plus(ms(10));
      other.start();
      time().yieldUntilTime(deadline);
      log("awake");
    });
    other.join();
    assertEquals(List.of("awake@10"), log);
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK);
    run(() -> sleep(5));
    assertEquals(ms(15), clock.elapsed());
  }

  @Test
  void start_sameProgramTwice_sameTrace() {
    List<Object> first = trace(new VirtualClock());
    assertEquals(first, trace(new VirtualClock(0)));
    scheduler();
  }

  private List<Object> trace(VirtualClock own) {
    var trace = new ArrayList<Object>();
    try (Scheduler scheduler = own.scheduler(builder())) {
      WaitForTime time = WaitForTime.on(scheduler);
      var random = new Random(1);
      for (int i = 0; i < 50; i++) {
        int n = i;
        scheduler.spawn(() -> {
          for (int k = 0; k < 20; k++) {
            time.sleep(Duration.ofNanos(random.nextInt(1_000)));
            trace.add(n + "@" + own.elapsed());
          }
        });
      }
      scheduler.start();
    }
    return trace;
  }

  // Polling.

  /// Looks every 10 ms, as the add-on for predicates does when nothing happens, until it has looked
  /// often enough.
  private static final class Poller implements AddOn {

    private final StepTask<Void> self;
    private final AddOnHost host;
    private final int enough;
    private final Runnable whenEnough;
    private int looks;

    Poller(Scheduler scheduler, int enough, Runnable whenEnough) {
      this.enough = enough;
      this.whenEnough = whenEnough;
      host = scheduler.host();
      self = host.install(this);
    }

    @Override
    public StepResult turn(StepTask<Void> task) {
      looks++;
      if (looks == enough) {
        whenEnough.run();
        return StepResult.SUSPEND;
      }
      return StepControl.watchUntil(task, host.nowNanos() + 10_000_000);
    }
  }

  @Test
  void polling_nothingElseCanHappen_isADeadlockThatNamesTheTask() {
    var impatient = new VirtualClock(0, Duration.ZERO);
    try (Scheduler own = impatient.scheduler(Scheduler.builder().backend(backend))) {
      var poller = new Poller(own, Integer.MAX_VALUE, () -> {});
      boolean _ = poller.self.wake();
      Task<Void> waiter =
          own.spawn(
              "waiter",
              () -> {
                var _ = own.suspend();
              });
      String message = assertThrows(DeadlockException.class, own::start).getMessage();
      assertTrue(
          message.startsWith("deadlock: in 10 min 55 s of virtual time nothing happened but"),
          message);
      assertTrue(message.contains("'waiter' SUSPENDED"), message);
      assertEquals(IdleJumps.FEWEST, poller.looks);

      // The scheduler is intact.
      boolean _ = own.scheduleTask(waiter);
      own.spawn(() -> WaitForTime.on(own).sleep(ms(1)));
      own.start();
      assertTrue(waiter.isDone());
    }
  }

  @Test
  void polling_somethingElseCanHappen_goesOn() {
    var impatient = new VirtualClock(0, Duration.ZERO);
    try (Scheduler own = impatient.scheduler(Scheduler.builder().backend(backend))) {
      var poller = new Poller(own, Integer.MAX_VALUE, () -> {});
      boolean _ = poller.self.wake();
      own.spawn(() -> WaitForTime.on(own).sleep(Duration.ofMinutes(15)));
      own.start();
      assertTrue(poller.looks > IdleJumps.FEWEST, () -> poller.looks + " looks");
    }
  }

  @Test
  void sleep_keepAliveIsOpen_theClockJumps() {
    Scheduler scheduler = scheduler();
    try (var _ = scheduler.keepAlive()) {
      scheduler.spawn(() -> WaitForTime.on(scheduler).sleep(Duration.ofHours(1)));
      scheduler.start();
    }
    assertEquals(Duration.ofHours(1), clock.elapsed());
  }

  @Test
  void polling_anotherThreadMayCall_goesOn() {
    var impatient = new VirtualClock(0, Duration.ZERO);
    try (Scheduler own = impatient.scheduler(Scheduler.builder().backend(backend))) {
      Task<Void> waiter =
          own.spawn(() -> {
            try (var _ = own.keepAlive()) {
              var _ = own.suspend();
            }
          });
      var poller =
          new Poller(
              own,
              IdleJumps.FEWEST + 1,
              () -> {
                boolean _ = own.scheduleTask(waiter);
              });
      boolean _ = poller.self.wake();
      own.start();
      assertTrue(waiter.isDone());
    }
  }

  @Test
  void polling_comesTrueBefore_goesOn() {
    var impatient = new VirtualClock(0, Duration.ZERO);
    try (Scheduler own = impatient.scheduler(Scheduler.builder().backend(backend))) {
      Task<Void> waiter =
          own.newTask(
              "waiter",
              () -> {
                var _ = own.suspend();
              });
      boolean _ = own.scheduleTask(waiter);
      var poller =
          new Poller(
              own,
              IdleJumps.FEWEST - 1,
              () -> {
                boolean _ = own.scheduleTask(waiter);
              });
      boolean _ = poller.self.wake();
      own.start();
      assertTrue(waiter.isDone());
    }
  }
}
