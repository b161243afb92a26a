package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.rondo.condition.sync.Promise;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.slf4j.LoggerFactory;

/// Tests of the short methods of an application, with and without an object.
@EveryBackend
final class ApplicationMethodsTest {

  /// Numbers the loops, so that a watchdog of an earlier one is not counted.
  private static final AtomicInteger LOOPS = new AtomicInteger();

  @Parameter(0)
  CoroutineBackend backend;

  private final List<Object> log = new ArrayList<>();

  private ApplicationBuilder builder() {
    ApplicationBuilder builder =
        Application.builder().backend(backend).clock(new VirtualClock()).bare();
    return builder;
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  void staticMethods_areMethodsOfAnApplication() {
    Set<String> withObject =
        signatures(
            Arrays.stream(Application.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers())));
    Set<String> without = signatures(Arrays.stream(Rondo.class.getDeclaredMethods()));
    without.removeAll(withObject);
    assertEquals(Set.of(), without);
  }

  private static Set<String> signatures(Stream<Method> methods) {
    return methods
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .map(method ->
            method.getReturnType().getSimpleName()
                + " "
                + method.getName().replace("yieldNow", "yield")
                + Arrays.toString(method.getParameterTypes()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void newGroup_oneFails_cancelsTheOthersAndThrowsIt() {
    builder()
        .run(app -> {
          var thrown =
              assertThrows(
                  IllegalStateException.class,
                  () ->
                      app.<Void>newGroup("both")
                          .run(() -> {
                            var group = app.<Integer>newGroup("inner");
                            group.run(() -> {
                              group.spawn(() -> {
                                try {
                                  app.sleep(Duration.ofDays(1));
                                } finally {
                                  log.add("finally");
                                }
                              });
                              app.yield();
                              throw new IllegalStateException("no");
                            });
                          }));
          assertEquals("no", thrown.getMessage());
          assertEquals(List.of("finally"), log);
          assertEquals(Duration.ZERO, app.runningTime());
        });
  }

  @Test
  void newPromise_fulfilledByAnotherTask_isClaimed() {
    builder()
        .run(app -> {
          Promise<String> answer = new Promise<>(app.scheduler(), "answer");
          Promise<String> question = new Promise<>(app.scheduler(), "question");
          app.delay(ms(3), () -> answer.fulfill(question.claim() + "!"));
          question.fulfill("yes");
          assertEquals("yes!", answer.claim());
        });
  }

  @Test
  void select_theSoonest_wins() {
    builder()
        .run(app -> {
          app.delay(ms(3), () -> app.signalAll("late"));
          var soonest = app.select(app.signals().signal("late"), app.time().after(ms(2)));
          assertEquals(1, soonest.index());
          assertEquals(ms(2), app.runningTime());
        });
  }

  @Test
  void timeout_untilTakenBack_limitsTheWaits() {
    builder()
        .run(app -> {
          app.timeout(ms(5));
          app.sleep(ms(3));
          assertThrows(TimedOutException.class, () -> app.waitForSignal("never"));
          Rondo.timeout(ms(5));
          Rondo.timeout(Duration.ZERO);
          app.sleep(ms(100));
          assertEquals(ms(105), app.runningTime());
        });
  }

  private record Key(int id) {}

  @Test
  void signals_byAnyObject_meetByEquality() {
    builder()
        .run(app -> {
          app.onSignal(new Key(1), () -> log.add("handler"));
          app.spawn(() -> log.add("got " + app.waitForSignal(new Key(1))));
          app.signalOnPredicate(() -> log.contains("handler"), new Key(2));
          app.yield();
          assertFalse(app.signalOne(new Key(2)));
          assertEquals(2, app.signalAll(new Key(1)));
          assertNull(app.waitForSignal(new Key(2)));
          assertEquals(List.of("handler", "got null"), log);
        });
  }

  @Test
  void signals_withAPayload_deliverItToTasksAndHandlers() {
    builder()
        .run(app -> {
          app.signals().signal("go").onSignal(payload -> log.add("handler " + payload));
          var first = app.spawn(() -> app.waitForSignal("go"));
          var second = app.spawn(() -> app.waitForSignal("go"));
          app.yield();
          assertTrue(app.signals().signalOne("go", 1));
          app.yield();
          assertEquals(3, app.signals().signalAll("go", 2));
          app.yield();
          assertEquals(List.of("handler 1", "handler 2"), log);
          assertEquals(List.of(2, 2), List.of(first.join(), second.join()));
          var third = app.spawn(() -> app.waitForSignal("other"));
          app.yield();
          assertEquals(1, app.signals().signalAllImmediate("other", 3));
          assertEquals(3, third.join());
          assertFalse(app.signals().signalOne("other", 4));
          assertEquals(1, app.signalAll("go"));
          app.yield();
          assertEquals("handler null", log.getLast());
        });
  }

  @Test
  void dump_inATask_namesTheTasksAndWhatTheyWaitFor() {
    builder()
        .run(app -> {
          var waiter = app.spawn("waiter", () -> app.waitForSignal("spring"));
          app.yield();
          String dump = app.dump();
          assertTrue(dump.contains("'waiter' WAITING for"), dump);
          assertTrue(dump.contains("spring"), dump);
          waiter.cancel("seen");
        });
  }

  @Test
  void stopping_anOrderlyStop_isSeen() {
    builder()
        .run(app -> {
          app.delay(ms(1), () -> app.shutdown(Duration.ofSeconds(1), Duration.ofSeconds(1)));
          Rondo.await(app.shutdownRequested());
          log.add("stopping");
        });
    assertEquals(List.of("stopping"), log);
  }

  // The watchdog.

  /// Captures the warnings of the scheduler's logger until it is closed.
  private static final class Warnings extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger(Scheduler.class);
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    Warnings() {
      start();
      logger.addAppender(this);
      logger.setAdditive(false);
    }

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel() == Level.WARN) {
        lines.add(event.getFormattedMessage());
      }
    }

    @Override
    public void close() {
      logger.setAdditive(true);
      logger.detachAppender(this);
    }
  }

  @Test
  void watchdog_aTurnThatComputesTooLong_isLoggedWithTheTasksName() {
    try (var warnings = new Warnings()) {
      builder()
          .observers(o -> o.watchdog(ms(20)))
          .run(app ->
              app.spawn(
                  "greedy",
                  () -> {
                    while (warnings.lines.isEmpty()) {
                      Thread.onSpinWait();
                    }
                  }));
      String line = warnings.lines.peek();
      assertTrue(line.contains("'greedy'") && line.contains("ApplicationMethodsTest"), line);
    }
  }

  @Test
  void watchdog_byDefault_isThereAndCanBeSwitchedOff() throws Exception {
    assertEquals(1, watchdogsOf(Application.builder()));
    assertEquals(
        1, watchdogsOf(Application.builder().observers(o -> o.watchdog(Duration.ofHours(1)))));
    assertEquals(0, watchdogsOf(Application.builder().bare()));
  }

  /// {@return the number of watchdogs that an application has while it runs}
  private long watchdogsOf(ApplicationBuilder builder) throws Exception {
    String thread = "loop of ApplicationMethodsTest " + LOOPS.incrementAndGet();
    var found = new ArrayList<Long>();
    Thread loop =
        Thread.ofPlatform()
            .name(thread)
            .start(() -> {
              try (Application app = builder.backend(backend).build()) {
                assertTrue(app.scheduler().inMainTask());
                found.add(
                    Thread.getAllStackTraces().keySet().stream()
                        .filter(each -> each.getName().equals("rondo-watchdog of " + thread))
                        .count());
              }
            });
    loop.join();
    return found.getFirst();
  }
}
